"""Boxes and sliders that the mouse wheel does not change while one only scrolls over them.

Qt changes whatever lies under the pointer. In a panel that scrolls, a choice then becomes another one without a word, and
everything that is calculated follows. These take the wheel only while they have the focus, which it does not give them.
"""

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QSlider, QSpinBox, QStyle, QStyleOptionSlider, QWidget

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
    """A combo box that heeds the wheel only while it has the focus, and opens a list as wide as its entries."""

    def showPopup(self) -> None:
        """Open the list; it may be wider than the box, and then cuts no entry."""
        view = self.view()
        frame = 2 * view.frameWidth() + (view.verticalScrollBar().sizeHint().width() if self._scrolls else 0)
        view.setMinimumWidth(view.sizeHintForColumn(0) + frame)
        super().showPopup()

    @property
    def _scrolls(self) -> bool:
        return self.count() > self.maxVisibleItems()


class QuietSlider(_WheelInFocus, QSlider):
    """A slider that heeds the wheel only while it has the focus, and whose handle comes to where its groove is pressed."""

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the handle under the mouse, which may then go on dragging it."""
        if event.button() == Qt.MouseButton.LeftButton and self.orientation() == Qt.Orientation.Horizontal:
            option = QStyleOptionSlider()
            self.initStyleOption(option)
            style, parts = self.style(), QStyle.ComplexControl.CC_Slider
            handle = style.subControlRect(parts, option, QStyle.SubControl.SC_SliderHandle, self)
            groove = style.subControlRect(parts, option, QStyle.SubControl.SC_SliderGroove, self)
            if not handle.contains(event.position().toPoint()):
                place = round(event.position().x()) - groove.x() - handle.width() // 2
                span = groove.width() - handle.width()
                upside_down = option.upsideDown
                self.setSliderPosition(
                    QStyle.sliderValueFromPosition(self.minimum(), self.maximum(), place, span, upside_down)
                )
        super().mousePressEvent(event)


class QuietSpinBox(_WheelInFocus, QSpinBox):
    """A box for a whole number that heeds the wheel only while it has the focus."""


class QuietDoubleSpinBox(_WheelInFocus, QDoubleSpinBox):
    """A box for a number that heeds the wheel only while it has the focus."""
