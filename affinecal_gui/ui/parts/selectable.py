"""Sentences that can be marked and copied."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def make_selectable(*widgets: QWidget) -> None:
    """Let the mouse mark the text of these labels, or of the labels inside these widgets; links stay links."""
    for widget in widgets:
        inside = widget.findChildren(QLabel)
        for label in [widget, *inside] if isinstance(widget, QLabel) else inside:
            if label.pixmap().isNull():
                flags = label.textInteractionFlags() | Qt.TextInteractionFlag.TextSelectableByMouse
                label.setTextInteractionFlags(flags)
