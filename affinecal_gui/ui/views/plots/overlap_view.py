"""How fast the eigenvalues of the kernels fall: whether the MD value and the descriptors say the same."""

import math

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPoint, QRectF, Qt, Signal, Slot
from PySide6.QtWidgets import QMenu, QVBoxLayout, QWidget

from affinecal_gui.calibration.results import Decay, Overlap
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import number_text
from affinecal_gui.ui.parts.selectable import make_selectable
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE, SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.figure_menu import figure_menu
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve, Marks
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel

HEIGHT = 150
_LOWEST = 1e-6  # of the largest eigenvalue: what lies below says nothing, and would squeeze the rest
_TITLE = 16.0
_TOP = 5.0
_RIGHT = 10.0
# Words, colour role and mark of each kernel.
_KINDS = (("MD value", "ochre", "t1"), ("descriptors", "green", "d"), ("both", "blue", "o"))


class OverlapView(QWidget):
    """Eigenvalues over their numbers, both as logarithms, the lines that bound them, and what they mean in words."""

    export_requested = Signal()
    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("overlapView")
        self.setAccessibleName("Overlap of MD value and descriptors")
        self._overlap: Overlap | None = None
        self._theme = current_theme()
        self._range = (0.0, 1.0, -1.0, 1.0)
        self.canvas = PlotCanvas(self._arrange, "Eigenvalues of the kernels")
        self.canvas.setFixedHeight(HEIGHT)
        self.canvas.home_wished.connect(self.reset_view)
        self.canvas.ratio_changed.connect(self._ratio_changed)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.panel = Panel(self.canvas.root, SMALLEST_SIZE)
        self.panel.log = True
        self.panel.box.double_clicked.connect(self.reset_view)
        self.marks = [self._mark(symbol) for _, _, symbol in _KINDS]
        self._bounds = [self._bound() for _ in _KINDS]
        self._x_title = AxisTitle(self.canvas.root)
        self._y_title = AxisTitle(self.canvas.root, upright=True)
        self._x_title.set_wordings("number of the eigenvalue", "number")
        self._y_title.set_wordings("eigenvalue")
        self.key = label("", "note-text", wrap=True)
        self.key.setTextFormat(Qt.TextFormat.RichText)
        self.words = InfoLine("info", note=True)
        make_selectable(self.words)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 2, 0, 2)
        box.setSpacing(4)
        box.addWidget(self.key)
        box.addWidget(self.canvas)
        box.addWidget(self.words)
        with self.canvas.held():
            self.apply_theme(self._theme)

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the overlap that came with a comparison of methods with kernels."""
        overlap = snapshot.calibration.overlap if snapshot.calibration is not None else None
        if overlap is self._overlap:
            return
        self._overlap = overlap
        self.words.set_message("info", overlap.sentence if overlap is not None else "")
        if overlap is not None:
            self._draw(overlap)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        self.canvas.setBackground(theme.colour("window"))
        self.panel.apply_theme(theme, self.canvas.devicePixelRatioF())
        for (_, role, _), marks, bound in zip(_KINDS, self.marks, self._bounds, strict=True):
            marks.setPen(pg.mkPen(None))
            marks.setBrush(theme.colour(role))
            marks.setSize(6)
            bound.setPen(self.panel.pen(theme.colour(role), 1.0, (4.0, 3.0)))
        for title in (self._x_title, self._y_title):
            title.apply_theme(theme, NOTE_SIZE)
        self._write_keys()
        self.canvas.lay_out()

    @Slot()
    def reset_view(self) -> None:
        """Show all eigenvalues that matter."""
        left, right, low, high = self._range
        self.panel.box.show_home((left, right), (low, high))
        self.canvas.lay_out()

    def menu(self) -> QMenu:
        """Return what a right click offers."""
        return figure_menu(
            self,
            (
                ("Reset view", self.reset_view),
                ("Copy figure", self.copy_requested.emit),
                ("Save figure as…", self.export_requested.emit),
            ),
        )

    def _draw(self, overlap: Overlap) -> None:
        decays = _decays(overlap)
        highest = max(float(decay.eigenvalues[0]) for decay in decays)
        highest = highest if highest > 0.0 else 1.0
        count = max(2, *(decay.eigenvalues.size for decay in decays))
        low = math.log10(_LOWEST * highest)
        for decay, marks, bound in zip(decays, self.marks, self._bounds, strict=True):
            number = np.arange(1.0, decay.eigenvalues.size + 1.0)
            shown = decay.eigenvalues >= _LOWEST * highest
            marks.put(np.log10(number[shown]), np.log10(decay.eigenvalues[shown]))
            ends = np.array([1.0, float(count)])
            bounded = 0.0 < decay.rate < math.inf and decay.frobenius > 0.0
            heights = np.log10(decay.bound(ends)) if bounded else np.zeros(0)
            bound.setData(np.log10(ends) if bounded else [], heights)
        top = max(
            [math.log10(highest), *(2.0 * math.log10(decay.frobenius) for decay in decays if decay.frobenius > 0.0)]
        )
        self._range = (-0.05, math.log10(count) + 0.05, low, top + 0.25)
        self._write_keys()
        self.canvas.setAccessibleDescription(overlap.sentence)
        self.reset_view()

    def _write_keys(self) -> None:
        if self._overlap is None:
            return
        parts = []
        for (words, role, _), decay in zip(_KINDS, _decays(self._overlap), strict=True):
            colour = self._theme.colour(role).name()
            parts.append(
                f"<span style='color:{colour}'>●</span>&nbsp;{words}:&nbsp;<i>s</i>&nbsp;{number_text(decay.rate, 2)}"
            )
        self.key.setText("&nbsp; ".join(parts))

    def _arrange(self, area: QRectF) -> None:
        left = math.ceil(self.panel.left_room) + _TITLE + 3.0
        bottom = self.panel.bottom_room + _TITLE
        inner = QRectF(left, _TOP, max(20.0, area.width() - left - _RIGHT), max(20.0, area.height() - _TOP - bottom))
        self.panel.place(inner)
        self._y_title.place(inner.center().y(), 0.0, inner.height() + 10.0)
        self._x_title.place(inner.center().x(), inner.bottom() + self.panel.bottom_room - 1.0, inner.width())

    def _mark(self, symbol: str) -> Marks:
        item = Marks(symbol)
        self.panel.box.addItem(item, ignoreBounds=True)
        return item

    def _bound(self) -> Curve:
        item = Curve(skipFiniteCheck=True)
        item.setZValue(-5)
        self.panel.box.addItem(item, ignoreBounds=True)
        return item

    @Slot()
    def _ratio_changed(self) -> None:
        self.apply_theme(self._theme)

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.canvas.mapToGlobal(place))


def _decays(overlap: Overlap) -> tuple[Decay, Decay, Decay]:
    return overlap.source, overlap.target, overlap.product
