"""Cross-validation surface: how good each pair of penalties is, with the pair in use; a click chooses another."""

import math

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.calibration.results import Penalties, PenaltySurface
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import significant
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE, SMALLEST_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.figure_menu import figure_menu
from affinecal_gui.ui.views.plots.canvas.plot_canvas import ScrolledCanvas
from affinecal_gui.ui.views.plots.canvas.plot_items import Marks
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.surface_cells import ColourBar, SurfaceCells

_BAR_WIDTH = 10.0  # pixels
_BAR_GAP = 12.0
_TOP = 6.0
_TITLE = 16.0


class SurfaceView(QWidget):
    """Heat map over the logarithms of both penalties, with a colour bar."""

    penalties_chosen = Signal(float, float)  # lambda_1, lambda_2 of the cell clicked
    export_requested = Signal()
    copy_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("surfaceView")
        self.setAccessibleName("Cross-validation surface")
        self._theme = current_theme()
        self._surface: PenaltySurface | None = None
        self._penalties: Penalties | None = None
        self.cursor_cell: tuple[int, int] | None = None
        self._symbol = ""
        self.canvas = ScrolledCanvas(self._arrange, "Cross-validation surface over the two penalties")
        self.canvas.hovered.connect(self._hover)
        self.canvas.key_pressed.connect(self._key)
        self.canvas.home_wished.connect(self.reset_view)
        self.canvas.ratio_changed.connect(self._ratio_changed)
        self.canvas.customContextMenuRequested.connect(self._open_menu)
        self.panel = Panel(self.canvas.root, SMALLEST_SIZE)
        self.panel.log = True
        self.panel.gap_y = 14.0
        self.panel.box.clicked.connect(self._clicked)
        self.panel.box.double_clicked.connect(self.reset_view)
        self._cells = SurfaceCells()
        self._cells.setZValue(-20)
        self.panel.box.addItem(self._cells, ignoreBounds=True)
        self.panel.with_grid = False
        self.optimum = self._mark(5)
        self._halo = self._mark(6)
        self.point = self._mark(7)
        self._cursor_mark = self._mark(8)
        self.colour_bar = ColourBar(self.canvas.root)
        self.x_title = AxisTitle(self.canvas.root)
        self.y_title = AxisTitle(self.canvas.root, upright=True)
        self.bar_title = AxisTitle(self.canvas.root)
        self.x_title.set_wordings("λ<sub>1</sub> (size of γ)", "λ<sub>1</sub>")
        self.y_title.set_wordings("λ<sub>2</sub> (roughness)", "λ<sub>2</sub>")
        self.empty_state = label("This calibrator has no penalties to choose.", "muted", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.empty_state)
        box.addWidget(self.canvas, 1)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setSizePolicy(policy)
        self.setMinimumHeight(130)
        with self.canvas.held():
            self.apply_theme(current_theme())
            self._show()

    def sizeHint(self) -> QSize:
        """Return a size at which all labels have room."""
        return QSize(300, 200)

    # -- contract of a view ---------------------------------------------------------------------------------------

    def show_snapshot(self, snapshot: Snapshot) -> None:
        """Show the surface of the chosen calibrator."""
        calibration = snapshot.calibration
        result = calibration.models.get(snapshot.settings.model) if calibration is not None else None
        surface = result.surface if result is not None else None
        penalties = snapshot.settings.penalties or (result.penalties if result is not None else None)
        symbol = snapshot.quantity.symbol_html if snapshot.quantity is not None else ""
        self._symbol = f"ln {symbol}" if calibration is not None and calibration.log_scale else symbol
        if surface is not self._surface:
            self._surface = surface
            self.cursor_cell = None
        self._penalties = penalties
        self._show()

    def show_selection(self, key: str) -> None:
        """Change nothing: the surface belongs to all polymers."""

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self.canvas.apply_theme(theme)
        self.canvas.setBackground(theme.colour("window"))
        panel = self.panel
        panel.apply_theme(theme, self.canvas.devicePixelRatioF())
        self.point.setPen(panel.pen(theme.colour("base"), 1.6))
        self.point.setBrush(theme.colour("selected_point"))
        self.point.setSize(11)
        self._halo.setPen(panel.pen(theme.colour("text"), 1.0))
        self._halo.setBrush(None)
        self._halo.setSize(13.5)
        self.optimum.setPen(panel.pen(theme.colour("base"), 1.8))
        self.optimum.setBrush(None)
        self.optimum.setSize(9)
        self._cursor_mark.setPen(panel.pen(theme.colour("selected_point"), 2.0))
        self._cursor_mark.setBrush(None)
        self._cursor_mark.setSize(12)
        for title in (self.x_title, self.y_title, self.bar_title):
            title.apply_theme(theme, NOTE_SIZE)
        self.colour_bar.apply_theme(theme)
        self._cells.set_colours(theme.colour("surface_best"), theme.colour("surface_worst"), theme.colour("grid"))
        self.canvas.lay_out()

    # -- showing --------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        surface = self._surface
        self.canvas.setVisible(surface is not None)
        self.empty_state.setVisible(surface is None)
        if surface is None:
            return
        worst = self._cells.set_surface(surface)
        best = float(np.nanmin(surface.rmse)) if np.isfinite(surface.rmse).any() else math.nan
        highest = float(np.nanmax(surface.rmse)) if math.isfinite(best) else math.nan
        self.colour_bar.set_range(best, worst, cut=highest > worst * (1.0 + 1e-9))
        self.bar_title.set_wordings(f"RMSE, {self._symbol}" if self._symbol else "RMSE", "RMSE")
        chosen = surface.chosen
        optimum = (float(np.log10(surface.lambda_1[chosen[0]])), float(np.log10(surface.lambda_2[chosen[1]])))
        used = self._penalties
        place = optimum
        if used is not None and used.lambda_1 > 0.0 and used.lambda_2 > 0.0:
            place = (math.log10(used.lambda_1), math.log10(used.lambda_2))
        apart = max(abs(place[0] - optimum[0]), abs(place[1] - optimum[1])) > 0.02
        self.optimum.setData([optimum[0]] if apart else [], [optimum[1]] if apart else [])
        for item in (self.point, self._halo):
            item.setData([place[0]], [place[1]])
        self._show_cursor()
        self.canvas.setAccessibleDescription(self.words_of(chosen) + " is the best of the grid.")
        self.reset_view()

    def words_of(self, cell: tuple[int, int]) -> str:
        """Return the penalties of a cell and how good they are."""
        surface = self._surface
        if surface is None:
            return ""
        rmse = float(surface.rmse[cell])
        first, second = float(surface.lambda_1[cell[0]]), float(surface.lambda_2[cell[1]])
        return f"λ₁ {significant(first, 3)}, λ₂ {significant(second, 3)}: RMSE {significant(rmse, 3)}"

    def _mark(self, z: float) -> Marks:
        item = Marks()
        item.setZValue(z)
        self.panel.box.addItem(item, ignoreBounds=True)
        return item

    @Slot()
    def reset_view(self) -> None:
        """Show the whole grid."""
        area = self._cells.boundingRect()
        if area.width() > 0.0:
            self.panel.box.show_home((area.left(), area.right()), (area.top(), area.bottom()))
        self.canvas.lay_out()

    @Slot(QPoint)
    def _open_menu(self, place: QPoint) -> None:
        self.menu().popup(self.canvas.mapToGlobal(place))

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

    def _arrange(self, area: QRectF) -> None:
        panel = self.panel
        left = math.ceil(panel.left_room) + _TITLE + 3.0
        right = _BAR_GAP + _BAR_WIDTH + self.colour_bar.label_room
        bottom = panel.bottom_room + _TITLE
        inner = QRectF(
            left, _TOP, max(20.0, area.width() - left - right - 2.0), max(20.0, area.height() - _TOP - bottom)
        )
        panel.place(inner)
        self.y_title.place(inner.center().y(), 0.0, inner.height() + 10.0)
        room = area.width() - right - left
        self.x_title.place(inner.center().x(), inner.bottom() + panel.bottom_room - 1.0, room)
        self.colour_bar.place(QRectF(inner.right() + _BAR_GAP, inner.top() + 0.5, _BAR_WIDTH, round(inner.height())))
        self.bar_title.place(0.0, inner.bottom() + panel.bottom_room - 1.0, right + 0.25 * room)
        self.bar_title.setX(area.width() - self.bar_title.boundingRect().width() - 1.0)

    @Slot()
    def _ratio_changed(self) -> None:
        with self.canvas.held():
            self.apply_theme(self._theme)

    # -- mouse and keyboard ---------------------------------------------------------------------------------------

    @Slot(object)
    def _hover(self, scene: QPointF | None) -> None:
        cell = self._cell_at(scene) if scene is not None else None
        if cell is not None and scene is not None:
            QToolTip.showText(
                self.canvas.mapToGlobal(self.canvas.mapFromScene(scene)), self.words_of(cell), self.canvas
            )
        else:
            QToolTip.hideText()

    def _cell_at(self, scene: QPointF) -> tuple[int, int] | None:
        if self._surface is None or not self.panel.box.sceneBoundingRect().contains(scene):
            return None
        return self._cells.cell_at(self.panel.box.mapSceneToView(scene))

    @Slot(object)
    def _clicked(self, place: QPointF) -> None:
        cell = self._cells.cell_at(place) if self._surface is not None else None
        if cell is not None:
            self._choose(cell)

    def _choose(self, cell: tuple[int, int]) -> None:
        assert self._surface is not None
        self.cursor_cell = None
        self._show_cursor()
        self.penalties_chosen.emit(float(self._surface.lambda_1[cell[0]]), float(self._surface.lambda_2[cell[1]]))

    @Slot(object)
    def _key(self, event: QKeyEvent) -> None:
        """Walk over the grid with the arrow keys; Return chooses, Escape gives up."""
        surface = self._surface
        steps = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Down: (0, -1),
            Qt.Key.Key_Up: (0, 1),
        }
        key = Qt.Key(event.key())
        if surface is None:
            return
        if key in steps:
            event.accept()
            row, column = self.cursor_cell or surface.chosen
            rows, columns = surface.rmse.shape
            self.cursor_cell = (
                max(0, min(rows - 1, row + steps[key][0])),
                max(0, min(columns - 1, column + steps[key][1])),
            )
            self._show_cursor()
            self.canvas.setAccessibleDescription(self.words_of(self.cursor_cell))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.cursor_cell is not None:
            event.accept()
            self._choose(self.cursor_cell)
        elif key == Qt.Key.Key_Escape and self.cursor_cell is not None:
            event.accept()
            self.cursor_cell = None
            self._show_cursor()

    def _show_cursor(self) -> None:
        if self.cursor_cell is None or self._surface is None:
            self._cursor_mark.setData([], [])
            return
        first, second = self.cursor_cell
        self._cursor_mark.setData(
            [float(np.log10(self._surface.lambda_1[first]))], [float(np.log10(self._surface.lambda_2[second]))]
        )
