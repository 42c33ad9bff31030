"""The panels of the coefficient view: as many as there are blocks, in columns, over one y axis that they share."""

import math
from contextlib import ExitStack

from PySide6.QtCore import QObject, QPointF, QRectF, QTimer, Signal, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea

from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme, current_theme
from affinecal_gui.ui.views.plots.canvas.axis_title import AxisTitle
from affinecal_gui.ui.views.plots.canvas.label_room import with_labels
from affinecal_gui.ui.views.plots.canvas.plot_canvas import ScrolledCanvas
from affinecal_gui.ui.views.plots.coefficients.block_panel import BlockPanel

_TITLE = 16.0  # pixels: an axis title
_TOP = 4.0
_PASSES = 4  # at most, until what hangs on each other agrees: labels and panels, range and titles
_RIGHT = 12.0
_COLUMN_GAP = 20.0
_ROW_GAP = 6.0
_LEAST_HEIGHT = 42.0  # of a panel, for three labels; with more blocks than that leaves room for, the view scrolls
_LEAST_WIDTH = 76.0
_AHEAD = 10  # panels made before they are needed: the blocks of the force field


class WatchedScrollArea(QScrollArea):
    """A scroll area that tells when its size changed, before its contents are laid out."""

    resized = Signal()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Tell, then do as always."""
        self.resized.emit()
        super().resizeEvent(event)


class PanelGrid(QObject):
    """Makes, places and keeps the panels.

    Parameters
    ----------
    canvas
        Holds the panels; it is laid out by the grid from now on.
    scroll_area
        Shows the canvas, whose least height follows its panels.
    """

    bar_clicked = Signal(str, int)  # name of a block, number of its bar; -1 beside all bars
    block_double_clicked = Signal(str)  # name of a block
    area_changed = Signal()  # everything lies elsewhere now

    def __init__(self, canvas: ScrolledCanvas, scroll_area: WatchedScrollArea, parent: QObject) -> None:
        super().__init__(parent)
        self._canvas, self._scroll_area = canvas, scroll_area
        self._theme = current_theme()
        self.panels: list[BlockPanel] = []
        self.spare_panels: list[BlockPanel] = []
        self.y_title = AxisTitle(canvas.root, upright=True)
        self._y_range = (-1.0, 1.0)
        self._column_count = 1
        self._left = 30.0
        self._at_home = True
        self._arranged = QRectF()  # the area for which the panels were placed
        canvas.arrange_with(self._arrange)
        scroll_area.resized.connect(self.fit_canvas)
        self._idle = QTimer(self)
        self._idle.setInterval(0)
        self._idle.timeout.connect(self._make_ahead)
        self._idle.start()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        for panel in (*self.panels, *self.spare_panels):
            panel.apply_theme(theme, self._canvas.devicePixelRatioF())
        self.y_title.apply_theme(theme, NOTE_SIZE)

    # -- the panels -----------------------------------------------------------------------------------------------

    def need(self, count: int) -> None:
        """Keep as many panels on the canvas as there are blocks to show; the others wait, hidden, to be used again."""
        while len(self.panels) < count:
            panel = self.spare_panels.pop() if self.spare_panels else self._new_panel()
            panel.set_visible(True)
            self.panels.append(panel)
        for panel in self.panels[count:]:
            panel.set_visible(False)
            self.spare_panels.append(panel)
        del self.panels[count:]

    def panel_at(self, scene: QPointF) -> BlockPanel | None:
        """Return the panel at a place on the canvas."""
        return next((panel for panel in self.panels if panel.box.sceneBoundingRect().contains(scene)), None)

    def panel_of(self, name: str) -> BlockPanel | None:
        """Return the panel that shows the block of this name."""
        return next((p for p in self.panels if p.part is not None and p.part.block.name == name), None)

    def mark(self, name: str, bar: int) -> None:
        """Set one bar of one block off from all others; -1 for none."""
        for panel in self.panels:
            panel.mark(bar if panel.part is not None and panel.part.block.name == name else -1)

    def _new_panel(self) -> BlockPanel:
        panel = BlockPanel(self._canvas.root)
        panel.apply_theme(self._theme, self._canvas.devicePixelRatioF())
        panel.box.clicked.connect(self._clicked)
        panel.box.double_clicked.connect(self._double_clicked)
        panel.box.sigRangeChangedManually.connect(self._moved)
        return panel

    @Slot()
    def _make_ahead(self) -> None:
        """Make one panel for later; ten at once, when the first calibration arrives, would hold up the window."""
        if len(self.panels) + len(self.spare_panels) >= _AHEAD:
            self._idle.stop()
            return
        panel = self._new_panel()
        panel.set_visible(False)
        self.spare_panels.append(panel)

    def _sending_panel(self) -> BlockPanel | None:
        return next((panel for panel in self.panels if panel.box is self.sender()), None)

    @Slot(object)
    def _clicked(self, place: QPointF) -> None:
        panel = self._sending_panel()
        if panel is not None and panel.part is not None:
            self.bar_clicked.emit(panel.part.block.name, panel.bar_at(panel.box.mapViewToScene(place)))

    @Slot()
    def _double_clicked(self) -> None:
        panel = self._sending_panel()
        if panel is not None and panel.part is not None:
            self.block_double_clicked.emit(panel.part.block.name)

    # -- where they lie -------------------------------------------------------------------------------------------

    def _columns(self, width: float, height: float) -> tuple[int, bool]:
        """Return the number of columns that makes the panels largest, and whether they fit without scrolling."""
        count = len(self.panels)
        best, largest, best_fits = 1, -1.0, False
        for columns in range(1, min(count, 6) + 1):
            panel_width = (width - self._left - _RIGHT - _COLUMN_GAP * (columns - 1)) / columns
            if columns > 1 and panel_width < _LEAST_WIDTH:
                break
            panel_height = (height - _TOP) / math.ceil(count / columns) - self._below() - _ROW_GAP
            fits = panel_height >= _LEAST_HEIGHT
            size = min(panel_width, 2.6 * max(panel_height, _LEAST_HEIGHT))
            if (fits, size) > (best_fits, largest + 1.0) or (not fits and not best_fits):
                best, largest, best_fits = columns, size, fits
        return best, best_fits

    def _below(self) -> float:
        """Height below a panel: ticks, labels and unit."""
        return (self.panels[0].bottom_room if self.panels else 20.0) + _TITLE - 2.0

    @Slot()
    def fit_canvas(self) -> None:
        """Choose the columns, and make the canvas as high as its panels need at least; the scroll area does the rest."""
        if not self.panels:
            self._canvas.setMinimumHeight(0)
            return
        # Asked of the room without a scroll bar: what would fit there must not be kept from it by the bar it needs now.
        area = self._scroll_area.size()
        self._column_count, fits = self._columns(area.width(), area.height())
        if not fits:
            bar = self._scroll_area.verticalScrollBar().sizeHint().width()
            self._column_count, _ = self._columns(area.width() - bar, area.height())
        rows = math.ceil(len(self.panels) / self._column_count)
        least = math.ceil(_TOP + rows * (_LEAST_HEIGHT + self._below() + _ROW_GAP))
        self._canvas.setMinimumHeight(0 if fits else least)

    def _arrange(self, area: QRectF) -> None:
        if not self.panels:
            return
        if area != self._arranged:
            self._arranged = QRectF(area)
            self.area_changed.emit()
        for _ in range(_PASSES):
            self._place_panels(area)
            # How wide the labels at the left are is known once the range is.
            needed = math.ceil(max(panel.left_room for panel in self.panels)) + _TITLE + 4.0
            if self._left - 6.0 <= needed <= self._left:
                break
            self._left = needed

    def _place_panels(self, area: QRectF) -> None:
        viewport = self._scroll_area.viewport().size()
        columns = self._column_count
        rows = math.ceil(len(self.panels) / columns)
        width = (area.width() - self._left - _RIGHT - _COLUMN_GAP * (columns - 1)) / columns
        height = (area.height() - _TOP) / rows - self._below() - (_ROW_GAP if rows > 1 else 0.0)
        with ExitStack() as placing:
            for number, panel in enumerate(self.panels):
                placing.enter_context(panel.held())
                row, place = divmod(number, columns)
                panel.hide_left_labels = place > 0
                x = self._left + place * (width + _COLUMN_GAP)
                y = _TOP + row * (height + self._below() + _ROW_GAP)
                panel.place(QRectF(x, y, max(10.0, width), max(10.0, height)))
            if self._at_home:
                self._go_home()
        bottom = _TOP + rows * (height + self._below() + _ROW_GAP) - self._below()
        seen = min(bottom, float(viewport.height()))  # where the panels scroll, the title stays with the first ones
        self.y_title.place((_TOP + seen) / 2.0, 0.0, seen + 4.0)

    # -- the axis that they share ---------------------------------------------------------------------------------

    def set_range(self, y_range: tuple[float, float]) -> None:
        """Show this range of the y axis unless the user has moved to another one."""
        self._y_range = y_range

    def go_home(self) -> None:
        """Show the whole range again."""
        self._at_home = True
        self._canvas.lay_out()

    def _go_home(self) -> None:
        """Show the whole range, with a free place for each title."""
        low, high = self._y_range
        high = self._beside_titles(low, high)
        first = self.panels[0]
        low, high = with_labels(low, high, first.box.rect().height(), first.label_height + first.gap_y)
        high = self._beside_titles(low, high)  # another end takes from the room beside the titles
        for panel in self.panels:
            panel.set_range(low, high)

    def _beside_titles(self, low: float, high: float) -> float:
        """Place the titles; returns the upper end at which no bar reaches the title of its panel."""
        most = high + 2.5 * (high - low)  # a bar that ran away is cut off
        for _ in range(_PASSES):
            needed = max(min(panel.place_title(low, high), most) for panel in self.panels)
            if needed <= high:
                break
            high = needed  # of which the words at the bottom take more
        return high

    @Slot()
    def _moved(self, *_: object) -> None:
        """Keep the y axis shared when the user moves one panel."""
        moved = self._sending_panel()
        if moved is None:
            return
        self._at_home = False
        _, y_range = moved.box.viewRange()
        for panel in self.panels:
            if panel is not moved:
                panel.box.setYRange(*y_range, padding=0.0)
