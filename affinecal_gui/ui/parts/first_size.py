"""How large windows and dialogs are at first: as they would like it, and no larger than the screen leaves free."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

FRAME = QSize(16, 48)  # pixels that the frame and the title of a window may add; they are known only once it is shown


def fit_to_screen(window: QWidget, smallest: QSize, first: QSize) -> None:
    """Give a window that was never shown its least and its first size; without a display no screen is too small."""
    if QGuiApplication.platformName() not in ("offscreen", "minimal"):
        smallest, first = (bounded(size, window.screen().availableSize()) for size in (smallest, first))
    window.setMinimumSize(smallest)
    window.resize(first)


def bounded(size: QSize, free: QSize) -> QSize:
    """Return the size of a window inside its frame, where the screen leaves so much free."""
    return size.boundedTo(free - FRAME)
