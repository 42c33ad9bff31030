"""Whether anybody is at the window."""

from PySide6.QtGui import QCursor, QGuiApplication


def signs_of_user() -> tuple[object, ...]:
    """Return what changes when somebody moves the mouse, presses a button, types, or walks through a table."""
    return (
        QCursor.pos(),
        QGuiApplication.mouseButtons(),
        QGuiApplication.keyboardModifiers(),
        QGuiApplication.inputMethod().cursorRectangle(),  # moves when somebody types, or walks through a table
    )
