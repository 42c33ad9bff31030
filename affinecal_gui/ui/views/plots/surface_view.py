"""Cross-validation surface: how good each pair of penalties is, with the pair in use; a click chooses another."""

import math

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QFontMetricsF, QKeyEvent, QLinearGradient, QPainter
from PySide6.QtWidgets import (
    QGraphicsItem,
    QGraphicsObject,
    QMenu,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QToolTip,
    QVBoxLayout,
    QWidget,
)

from affinecal_gui.calibration.results import FloatArray, Penalties, PenaltySurface
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.number_text import significant
from affinecal_gui.ui.parts.theme import NOTE_SIZE, SMALLEST_SIZE, Theme, current_theme
from affinecal_gui.ui.parts.widgets import label
from affinecal_gui.ui.views.plots.plot_canvas import AxisTitle, Marks, Panel, ScrolledCanvas, line

_BAR_WIDTH = 10.0  # pixels
_BAR_GAP = 12.0
_TOP = 6.0
_TITLE = 16.0
_CONTRAST = 2.5  # the last colour stands for this many times the distance from the best to the median


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
        self._cells = _Cells()
        self._cells.setZValue(-20)
        self.panel.box.addItem(self._cells, ignoreBounds=True)
        self.panel.with_grid = False
        self.optimum = self._mark(5)
        self._halo = self._mark(6)
        self.point = self._mark(7)
        self._cursor_mark = self._mark(8)
        self.colour_bar = _ColourBar(self.canvas.root)
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
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for text, slot in (
            ("Reset view", self.reset_view),
            ("Copy figure", self.copy_requested.emit),
            ("Save figure as…", self.export_requested.emit),
        ):
            menu.addAction(text).triggered.connect(slot)
        return menu

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


def edges(positions: FloatArray) -> FloatArray:
    """Return the borders of cells around ascending positions: half-way between neighbours, as far out at the ends."""
    if positions.size == 1:
        return np.array([positions[0] - 0.5, positions[0] + 0.5])
    middle = (positions[:-1] + positions[1:]) / 2.0
    first, last = 2.0 * positions[0] - middle[0], 2.0 * positions[-1] - middle[-1]
    return np.concatenate(([first], middle, [last]))


def worst_shown(rmse: FloatArray) -> float:
    """Return the value from which on cells have the last colour: a plateau far off must not hide the valley."""
    finite = rmse[np.isfinite(rmse)]
    if finite.size == 0:
        return math.nan
    best, middle, most = float(finite.min()), float(np.median(finite)), float(finite.max())
    limit = best + _CONTRAST * (middle - best)
    return limit if best < limit < most else most


class _Cells(QGraphicsObject):
    """The coloured cells, in plot coordinates: log10 of both penalties."""

    def __init__(self) -> None:
        super().__init__()
        self._x_edges = self._y_edges = np.zeros(0)
        self._surface: PenaltySurface | None = None
        self._rmse: FloatArray = np.zeros((0, 0))
        self._range = (0.0, 1.0)
        self._colours = (QColor(), QColor(), QColor())
        self._painted: list[tuple[QRectF, QColor]] = []

    def set_surface(self, surface: PenaltySurface) -> float:
        """Show a surface; returns the value that has the last colour."""
        if surface is self._surface:
            return self._range[1]
        self._surface = surface
        self.prepareGeometryChange()
        self._x_edges = edges(np.log10(surface.lambda_1))
        self._y_edges = edges(np.log10(surface.lambda_2))
        self._rmse = surface.rmse
        worst = worst_shown(surface.rmse)
        best = float(np.nanmin(surface.rmse)) if math.isfinite(worst) else 0.0
        self._range = (best, worst)
        self._colour_cells()
        return self._range[1]

    def set_colours(self, best: QColor, worst: QColor, missing: QColor) -> None:
        """Choose the ends of the colour scale."""
        self._colours = (best, worst, missing)
        self._colour_cells()

    def _colour_cells(self) -> None:
        best, worst = self._range
        self._painted = []
        for row in range(self._rmse.shape[0]):
            for column in range(self._rmse.shape[1]):
                value = float(self._rmse[row, column])
                if not math.isfinite(value):
                    colour = self._colours[2]
                else:
                    share = (value - best) / (worst - best) if worst > best else 0.0
                    colour = between(self._colours[0], self._colours[1], share)
                # Each reaches below the next ones, which are painted after it: rounded to pixels, no gap shows between them.
                end = min(row + 2, len(self._x_edges) - 1), min(column + 2, len(self._y_edges) - 1)
                area = QRectF(
                    QPointF(self._x_edges[row], self._y_edges[column]),
                    QPointF(self._x_edges[end[0]], self._y_edges[end[1]]),
                )
                self._painted.append((area, colour))
        self.update()

    def cell_at(self, place: QPointF) -> tuple[int, int] | None:
        """Return the cell at a place, None outside the grid."""
        row = int(np.searchsorted(self._x_edges, place.x())) - 1
        column = int(np.searchsorted(self._y_edges, place.y())) - 1
        inside = 0 <= row < self._rmse.shape[0] and 0 <= column < self._rmse.shape[1]
        return (row, column) if inside else None

    def boundingRect(self) -> QRectF:
        """Return the extent of the grid."""
        if self._x_edges.size == 0:
            return QRectF()
        return QRectF(
            QPointF(self._x_edges[0], self._y_edges[0]), QPointF(self._x_edges[-1], self._y_edges[-1])
        ).normalized()

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Fill the cells, without blurring their edges."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        for area, colour in self._painted:
            painter.fillRect(area, colour)


class _ColourBar(QGraphicsObject):
    """What the colours mean: best at the bottom, worst at the top."""

    def __init__(self, root: QGraphicsItem) -> None:
        super().__init__(root)
        self._area = QRectF()
        self.labels: tuple[tuple[float, str], ...] = ()
        self._theme = current_theme()

    @property
    def label_room(self) -> float:
        """Width in pixels of the labels and the gap before them."""
        metrics = self._metrics()
        return 5.0 + max((metrics.horizontalAdvance(text) for _, text in self.labels), default=24.0)

    def set_range(self, best: float, worst: float, cut: bool) -> None:
        """Label the ends and the middle; ``cut`` says that still worse cells have the last colour."""
        if not math.isfinite(best):
            self.labels = ()
        else:
            top = significant(worst, 2)
            self.labels = ((1.0, f"≥{top}" if cut else top), (0.5, significant((best + worst) / 2.0, 2)))
            self.labels += ((0.0, significant(best, 3)),)
        self.update()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and font."""
        self._theme = theme
        self.update()

    def place(self, area: QRectF) -> None:
        """Put the bar at ``area``; the labels stand at its right."""
        self.prepareGeometryChange()
        self._area = area
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the extent of bar and labels."""
        return self._area.adjusted(-1.0, -8.0, self.label_room + 2.0, 8.0)

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw bar and labels."""
        theme, area = self._theme, self._area
        gradient = QLinearGradient(area.bottomLeft(), area.topLeft())
        for step in range(11):
            share = step / 10.0
            gradient.setColorAt(share, between(theme.colour("surface_best"), theme.colour("surface_worst"), share))
        painter.setBrush(gradient)
        painter.setPen(line(theme.colour("border"), 1.0))
        painter.drawRect(area)
        painter.setFont(theme.font(SMALLEST_SIZE))
        painter.setPen(theme.colour("muted"))
        metrics = self._metrics()
        half = metrics.capHeight() / 2.0
        for share, text in self.labels:
            y = area.bottom() - share * area.height()
            y = min(max(y, area.top() + half), area.bottom() - half)
            painter.drawText(QPointF(area.right() + 5.0, y + half), text)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._theme.font(SMALLEST_SIZE))


def between(best: QColor, worst: QColor, share: float) -> QColor:
    """Mix two colours; 0 is the first."""
    share = min(max(share, 0.0), 1.0)
    return QColor(
        round(best.red() + share * (worst.red() - best.red())),
        round(best.green() + share * (worst.green() - best.green())),
        round(best.blue() + share * (worst.blue() - best.blue())),
    )
