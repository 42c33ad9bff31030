"""How large windows and dialogs are at first: as they were left or would like it, within what the screen leaves free."""

from PySide6.QtCore import QByteArray, QSettings, QSize
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.parts.kept_choices import kept_choice

FRAME = QSize(16, 48)  # pixels that the frame and the title of a window may add; they are known only once it is shown


def fit_to_screen(window: QWidget, smallest: QSize, first: QSize) -> None:
    """Give a window that was never shown its least and its first size; without a display no screen is too small."""
    if QGuiApplication.platformName() not in ("offscreen", "minimal"):
        smallest, first = (bounded(size, window.screen().availableSize()) for size in (smallest, first))
    window.setMinimumSize(smallest)
    window.resize(first)


def restore_place(window: QWidget, settings: QSettings) -> None:
    """Put a window back where it lay, as large as it was, when :func:`keep_place` was called."""
    geometry = kept_choice(settings, "window/geometry", QByteArray())
    if not geometry.isEmpty():
        window.restoreGeometry(geometry)


def keep_place(window: QWidget, settings: QSettings) -> None:
    """Remember where a window lies, and its size."""
    settings.setValue("window/geometry", window.saveGeometry())


def bounded(size: QSize, free: QSize) -> QSize:
    """Return the size of a window inside its frame, where the screen leaves so much free."""
    return size.boundedTo(free - FRAME)
