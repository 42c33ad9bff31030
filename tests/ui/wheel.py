"""Turning the mouse wheel over a widget, as a display does: whoever does not want it passes it on to its parent."""

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QApplication, QWidget

NOTCH = 120  # of the wheel, in the unit of Qt


def turn_wheel(
    widget: QWidget, notches: int = -1, at: QPointF | None = None, keys: Qt.KeyboardModifier | None = None
) -> None:
    """Turn the wheel by so many notches; negative ones scroll down and zoom out."""
    place = (at if at is not None else QPointF(widget.rect().center())).toPoint()
    for _ in range(abs(notches)):
        receiver: QWidget | None = widget
        while receiver is not None:
            event = QWheelEvent(
                QPointF(receiver.mapFromGlobal(widget.mapToGlobal(place))),
                QPointF(widget.mapToGlobal(place)),
                QPoint(),
                QPoint(0, NOTCH if notches > 0 else -NOTCH),
                Qt.MouseButton.NoButton,
                keys if keys is not None else Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            if QApplication.sendEvent(receiver, event) and event.isAccepted():
                break
            receiver = receiver.parentWidget()
