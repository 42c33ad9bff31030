"""The inside of a plot: how it is panned, zoomed and clicked."""

import math
from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt, Signal

Range = tuple[float, float]

NEAREST, FURTHEST = 0.001, 2.0
"""The least and the greatest part of a plot that can be seen, as a multiple of the whole along each axis."""


class PlotBox(pg.ViewBox):  # type: ignore[misc]
    """The inside of a plot: pans and zooms as far as there is something to see, and tells what was clicked."""

    clicked = Signal(object)  # QPointF in plot coordinates
    double_clicked = Signal()
    framed = Signal(object)  # QRectF in plot coordinates: a frame was drawn with Shift held

    def __init__(self) -> None:
        super().__init__(enableMenu=False, defaultPadding=0.0)
        self.disableAutoRange()
        self.takes_frames = False
        self._is_framing = False
        self._home: tuple[Range, Range] | None = None

    def show_home(self, x_range: Range, y_range: Range) -> None:
        """Show the whole; from here one gets no further away than :data:`FURTHEST` and no nearer than :data:`NEAREST`."""
        self._home = x_range, y_range
        self.setRange(xRange=x_range, yRange=y_range, padding=0.0, disableAutoRange=True)

    def scaleBy(self, s: Any = None, center: Any = None, x: Any = None, y: Any = None) -> None:
        """Zoom, within limits; axes that do not take part have no factor."""
        factors = list(s) if s is not None else [x, y]
        if self._home is not None:
            spans = [high - low for low, high in self.viewRange()]
            whole = [high - low for low, high in self._home]
            moved = [axis for axis in (0, 1) if factors[axis] is not None]
            least = max((NEAREST * whole[axis] / spans[axis] for axis in moved), default=0.0)
            most = min((FURTHEST * whole[axis] / spans[axis] for axis in moved), default=math.inf)
            factors = [None if factor is None else min(max(factor, least), most) for factor in factors]
        super().scaleBy(factors, center)
        self._stay_in_sight()

    def translateBy(self, t: Any = None, x: Any = None, y: Any = None) -> None:
        """Pan, but not away from everything."""
        super().translateBy(t, x, y)
        self._stay_in_sight()

    def _stay_in_sight(self) -> None:
        """Keep the middle of what is seen within the whole."""
        if self._home is None:
            return
        steps = []
        for (low, high), (least, most) in zip(self.viewRange(), self._home, strict=True):
            middle = (low + high) / 2.0
            steps.append(min(max(middle, least), most) - middle)
        if any(steps):
            super().translateBy(x=steps[0], y=steps[1])

    def mouseClickEvent(self, event: Any) -> None:
        """Pass on clicks of the left button."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        event.accept()
        if event.double():
            self.double_clicked.emit()
        else:
            self.clicked.emit(self.mapSceneToView(event.scenePos()))

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Pan with the left button only: the right one belongs to the menu. With Shift held, draw a frame."""
        if event.button() == Qt.MouseButton.RightButton:
            event.ignore()
        elif self._is_framing or (self.takes_frames and event.modifiers() & Qt.KeyboardModifier.ShiftModifier):
            event.accept()
            self._draw_frame(event)
        else:
            super().mouseDragEvent(event, axis)

    def _draw_frame(self, event: Any) -> None:
        self._is_framing = not event.isFinish()  # to its end, whether or not Shift is still held then
        if event.isFinish():
            self.rbScaleBox.hide()
            self.update()  # Qt asks for no painting where an item is hidden that was painted into a picture
            corners = (self.mapToView(event.buttonDownPos()), self.mapToView(event.pos()))
            self.framed.emit(QRectF(*corners).normalized())
        else:
            self.updateScaleBox(event.buttonDownPos(), event.pos())
