"""A small chart of curves and marks, with titles beside its axes."""

import math
from dataclasses import dataclass

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QObject, QRectF, Slot
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE, SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.points.many_marks import ManyMarks

FloatArray = NDArray[np.float64]

HEIGHT = 130
_TITLE = 16.0
_TOP = 5.0
_RIGHT = 14.0
_ABOVE = 1.08  # the highest value lies so much below the frame
_BESIDE_MARKS = 0.03  # of their extent: marks at either end are seen whole; a curve goes from frame to frame


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """What is drawn in one colour: a curve, or marks."""

    x: FloatArray
    y: FloatArray
    role: str  # of the palette
    filled: bool = False  # from the curve down to zero
    symbol: str = ""  # of marks; "" draws a curve


class LineChart(QWidget):
    """Curves over one axis; the plot is made when there is something to draw, which for most charts is never.

    Parameters
    ----------
    name
        What the chart shows, for those who cannot see it.
    lines
        The most lines that it is to hold.
    lowest
        Its least height in pixels, from which it grows; without one it has a height of its own.
    """

    def __init__(self, name: str, lines: int, lowest: int | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._most = name, lines
        self._plot: _LinePlot | None = None
        if lowest is None:
            self.setFixedHeight(HEIGHT)
        else:
            self.setMinimumHeight(lowest)
            self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)

    @property
    def canvas(self) -> PlotCanvas:
        """What is drawn on."""
        return self._made().canvas

    @property
    def marks(self) -> list[ManyMarks]:
        """The marks of each line; a curve has none."""
        return self._made().marks

    def show_lines(
        self, lines: tuple[ChartLine, ...], x_title: str, y_title: str, description: str, *, from_zero: bool = True
    ) -> None:
        """Draw lines, as many as the chart was made for at most; ``from_zero`` shows where nothing is."""
        self._made().show_lines(lines, x_title, y_title, description, from_zero=from_zero)

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        if self._plot is not None:
            self._plot.apply_theme(theme)

    def _made(self) -> "_LinePlot":
        if self._plot is None:
            self._plot = _LinePlot(self._name, self._most)
            self._box.addWidget(self._plot.canvas)
        return self._plot


class _LinePlot(QObject):
    """Curves over one axis; zoomed by the mouse like every plot, back to all of it with a double click."""

    def __init__(self, name: str, lines: int) -> None:
        super().__init__()
        self._theme = current_theme()
        self._lines: tuple[ChartLine, ...] = ()
        self._range = (0.0, 1.0, 0.0, 1.0)
        self.canvas = PlotCanvas(self._arrange, name)
        self.canvas.home_wished.connect(self.reset_view)
        self.canvas.ratio_changed.connect(self._ratio_changed)
        self.panel = Panel(self.canvas.root, SMALLEST_SIZE)
        self.panel.box.double_clicked.connect(self.reset_view)
        self._curves = [Curve(skipFiniteCheck=True) for _ in range(lines)]
        for curve in self._curves:
            self.panel.box.addItem(curve, ignoreBounds=True)
        self.marks = [ManyMarks(self.panel.box) for _ in range(lines)]
        self._x_title = AxisTitle(self.canvas.root)
        self._y_title = AxisTitle(self.canvas.root, upright=True)
        with self.canvas.held():
            self.apply_theme(self._theme)

    def show_lines(
        self, lines: tuple[ChartLine, ...], x_title: str, y_title: str, description: str, *, from_zero: bool
    ) -> None:
        """Draw lines, as many as the chart was made for at most."""
        self._lines = lines
        self._x_title.set_wordings(x_title)
        self._y_title.set_wordings(y_title)
        self.canvas.setAccessibleDescription(description)
        nothing = np.zeros(0)
        for number, (curve, marks) in enumerate(zip(self._curves, self.marks, strict=True)):
            line = lines[number] if number < len(lines) else ChartLine(nothing, nothing, "grey")
            known = np.isfinite(line.x) & np.isfinite(line.y)
            x, y = line.x[known], line.y[known]
            if line.symbol:
                curve.setData(nothing, nothing)
                marks.put(x, y)
            else:
                curve.setData(x, y, fillLevel=0.0 if line.filled else None)
                marks.put(nothing, nothing)
        x, y = (
            np.concatenate([nothing, *(values[np.isfinite(values)] for values in axis)])
            for axis in ([line.x for line in lines], [line.y for line in lines])
        )
        highest = float(y.max()) * _ABOVE if y.size and float(y.max()) > 0.0 else 1.0
        left, right = (float(x.min()), float(x.max())) if x.size else (0.0, 1.0)
        right = right if right > left else left + 1.0
        beside = _BESIDE_MARKS * (right - left) if any(line.symbol for line in lines) else 0.0
        lowest = 0.0
        if y.size and not from_zero:
            room = (_ABOVE - 1.0) * (float(y.max() - y.min()) or 1.0)
            lowest, highest = float(y.min()) - room, float(y.max()) + room
        self._range = (left - beside, right + beside, lowest, highest)
        self._colour()
        self.reset_view()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        self.canvas.setBackground(theme.colour("base"))
        self.panel.apply_theme(theme, self.canvas.devicePixelRatioF())
        for title in (self._x_title, self._y_title):
            title.apply_theme(theme, NOTE_SIZE)
        self._colour()
        self.canvas.lay_out()

    @Slot()
    def reset_view(self) -> None:
        """Show all of it."""
        left, right, low, high = self._range
        self.panel.box.setRange(xRange=(left, right), yRange=(low, high), padding=0.0, disableAutoRange=True)
        self.canvas.lay_out()

    def _colour(self) -> None:
        for line, curve, marks in zip(self._lines, self._curves, self.marks, strict=False):
            colour = self._theme.colour(line.role)
            curve.setPen(self.panel.pen(colour, 1.2))
            curve.setBrush(self._theme.colour(line.role, 0.35) if line.filled else pg.mkBrush(None))
            marks.set_look(7.0, pg.mkPen(None), colour, colour)

    def _arrange(self, area: QRectF) -> None:
        left = math.ceil(self.panel.left_room) + _TITLE + 3.0
        bottom = self.panel.bottom_room + _TITLE
        inner = QRectF(left, _TOP, max(20.0, area.width() - left - _RIGHT), max(20.0, area.height() - _TOP - bottom))
        self.panel.place(inner)
        # In the middle of all of the chart, since a low one is hardly as high as its title is long.
        middle = inner.center().y() if inner.height() > 2.0 * bottom else area.center().y()
        self._y_title.place(middle, 0.0, area.height())
        self._x_title.place(inner.center().x(), inner.bottom() + self.panel.bottom_room - 1.0, inner.width())

    @Slot()
    def _ratio_changed(self) -> None:
        self.apply_theme(self._theme)
