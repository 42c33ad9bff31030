"""The field with which a list is filtered: Escape empties it and goes back to the list."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class FilterField(QLineEdit):
    """A line of text that takes Escape while there is something in it; otherwise the key is what the window makes of it."""

    emptied = Signal()  # by Escape: the keyboard belongs to the list again

    def event(self, event: QEvent) -> bool:
        """Claim Escape before the window's shortcut of the same key has it."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._is_meant(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Empty the field with Escape."""
        if self._is_meant(event):
            self.clear()
            self.emptied.emit()
        else:
            super().keyPressEvent(event)

    def _is_meant(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
        return event.key() == Qt.Key.Key_Escape and plain and bool(self.text())
