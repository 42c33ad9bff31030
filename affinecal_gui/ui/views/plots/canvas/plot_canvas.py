"""The ground of every plot: a canvas that holds panels, paints them in their turn, and has the same manners everywhere.

Pan by dragging, zoom with the wheel, back to the whole by a double click or Home; right-click or the menu key for the
menu; the arrow keys are passed on to the view.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QThread, Signal, Slot
from PySide6.QtGui import QFocusEvent, QGuiApplication, QKeyEvent, QPainter, QPaintEvent, QPixmap, QRegion, QWheelEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from affinecal_gui.ui.parts.theme import plotting  # noqa: F401 - sets the defaults
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.running.paint_turns import paint_turns
from affinecal_gui.ui.views.plots.canvas.pens import line


class PlotCanvas(pg.GraphicsView):  # type: ignore[misc]
    """Holds panels; lays them out through ``arrange`` whenever its size changes.

    Parameters
    ----------
    arrange
        Called with the free rectangle after a change of size; see :meth:`arrange_with`.
    name
        Accessible name.
    """

    hovered = Signal(object)  # scene position, or None when the mouse left
    key_pressed = Signal(object)  # QKeyEvent; a view that uses it accepts it
    home_wished = Signal()
    ratio_changed = Signal()  # the canvas is on a screen with another scale factor

    def __init__(self, arrange: Callable[[QRectF], object], name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent, background=None)
        self._arrange = arrange
        self._theme: Theme | None = None
        self._focus_shown = False
        self._holds = 0
        self._is_misplaced = False
        self._painted = QPixmap()  # what was painted last
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setRenderHint(QPainter.RenderHint.Antialiasing)
        # Qt does not learn where items inside of a panel were painted, because the picture is painted here: what they leave
        # behind when they move would stay.
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.root = pg.GraphicsWidget()
        self.setCentralItem(self.root)
        self.root.geometryChanged.connect(self._resized)
        self.scene().sigMouseMoved.connect(self._moved)

    def arrange_with(self, arrange: Callable[[QRectF], object]) -> None:
        """Place the panels with this function from now on."""
        self._arrange = arrange

    @contextmanager
    def held(self) -> Iterator[None]:
        """Place the panels once, at the end, and paint nothing before, whatever changes meanwhile."""
        self._holds += 1
        if self._holds == 1:
            self.viewport().setUpdatesEnabled(False)
        try:
            yield
        finally:
            self._holds -= 1
            if not self._holds:
                self.viewport().setUpdatesEnabled(True)
        self.lay_out()

    @Slot()
    def _resized(self) -> None:
        """Place the panels when they are painted the next time: not several times for one drag, nor while hidden."""
        if self._holds or not QThread.currentThread().loopLevel():
            self.lay_out()
        else:
            self._is_misplaced = True
            self.viewport().update()

    @Slot()
    def lay_out(self) -> None:
        """Place the panels anew; while nothing is painted, that waits until something is."""
        if self._holds:
            return
        self._is_misplaced = not self.updatesEnabled()
        if self._is_misplaced:
            return
        rectangle = self.root.rect()
        if rectangle.width() > 20.0 and rectangle.height() > 20.0:
            self._arrange(rectangle)

    def apply_theme(self, theme: Theme) -> None:
        """Take over the ground colour."""
        self._theme = theme
        self.setBackground(theme.colour("base"))

    def picture(self, scale: float = 3.0) -> QPixmap:
        """Return what is seen, at a multiple of the size on screen."""
        if self._is_misplaced:
            self.lay_out()
        size = self.viewport().size()
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(self.backgroundBrush().color())
        focus, self._focus_shown = self._focus_shown, False
        painter = QPainter(pixmap)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.render(painter, QRectF(QPointF(), size.toSizeF()))
        painter.end()
        self._focus_shown = focus
        return pixmap

    def copy_to_clipboard(self) -> None:
        """Put the picture on the clipboard."""
        QGuiApplication.clipboard().setPixmap(self.picture())

    @Slot(object)
    def _moved(self, position: QPointF) -> None:
        self.hovered.emit(position)

    def event(self, event: QEvent) -> bool:
        """Notice a change of the scale factor."""
        if event.type() == QEvent.Type.DevicePixelRatioChange:
            self.ratio_changed.emit()
        return bool(super().event(event))

    def leaveEvent(self, event: Any) -> None:
        """Say that nothing is under the mouse."""
        super().leaveEvent(event)
        self.hovered.emit(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Home resets the view; other keys are offered to the view."""
        if event.key() == Qt.Key.Key_Home:
            self.home_wished.emit()
            event.accept()
            return
        event.ignore()
        self.key_pressed.emit(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus when the keyboard brought it."""
        super().focusInEvent(event)
        self._focus_shown = event.reason() in (Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Hide the focus."""
        super().focusOutEvent(event)
        self._focus_shown = False
        self.viewport().update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, with every panel in its place; where the turn has no room for that, show what was painted last."""
        turns = paint_turns()
        if self._is_misplaced and turns.has_room(self.viewport()):
            self.lay_out()
        if turns.has_room(self.viewport()):
            self._paint_anew(event.region())
        else:
            turns.postpone(self.viewport())
        super().paintEvent(QPaintEvent(QRegion()))  # Qt takes note that what it asked for was painted
        painter = QPainter(self.viewport())
        if self._painted.deviceIndependentSize().toSize() != self.viewport().size():
            painter.fillRect(event.rect(), self.backgroundBrush())
        painter.setClipRegion(event.region())
        painter.drawPixmap(0, 0, self._painted)
        painter.end()

    def _paint_anew(self, region: QRegion) -> None:
        """Bring the picture up to date; all of it where its size has changed."""
        size, scale = self.viewport().size(), self.devicePixelRatioF()
        whole = self.viewport().rect()
        if self._painted.size() != (size.toSizeF() * scale).toSize() or self._painted.devicePixelRatio() != scale:
            self._painted = QPixmap((size.toSizeF() * scale).toSize())
            self._painted.setDevicePixelRatio(scale)
            self._painted.fill(self.backgroundBrush().color())
            region = QRegion(whole)
        area = region.boundingRect() & whole
        if area.isEmpty():
            return
        painter = QPainter(self._painted)
        painter.setRenderHints(self.renderHints())
        painter.setClipRegion(region)
        self.render(painter, area.toRectF(), area, Qt.AspectRatioMode.IgnoreAspectRatio)
        painter.end()

    def drawForeground(self, painter: QPainter, rectangle: QRectF) -> None:
        """Frame the canvas while it has the focus."""
        super().drawForeground(painter, rectangle)
        if self._focus_shown and self._theme is not None:
            painter.save()
            painter.setPen(line(self._theme.colour("accent"), 2.0))
            painter.drawRect(self.root.rect().adjusted(1, 1, -1, -1))
            painter.restore()


class ScrolledCanvas(PlotCanvas):
    """A canvas in something that scrolls: the wheel scrolls, and zooms with Ctrl held."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what scrolls unless Ctrl is held."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            super().wheelEvent(event)
        else:
            event.ignore()
