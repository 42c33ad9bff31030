"""Boxes and sliders that the mouse wheel does not change while one only scrolls over them.

Qt changes whatever lies under the pointer. In a panel that scrolls, a choice then becomes another one without a word, and
everything that is calculated follows. These take the wheel only while they have the focus, which it does not give them.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QWidget

if TYPE_CHECKING:  # what follows is mixed into inputs of several kinds
    _Input = QWidget
else:
    _Input = object


class _WheelInFocus(_Input):
    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to whoever is behind unless this input has the focus."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class QuietComboBox(_WheelInFocus, QComboBox):
    """A combo box that heeds the wheel only while it has the focus."""


class QuietSlider(_WheelInFocus, QSlider):
    """A slider that heeds the wheel only while it has the focus."""


class QuietSpinBox(_WheelInFocus, QSpinBox):
    """A box for a whole number that heeds the wheel only while it has the focus."""


class QuietDoubleSpinBox(_WheelInFocus, QDoubleSpinBox):
    """A box for a number that heeds the wheel only while it has the focus."""
