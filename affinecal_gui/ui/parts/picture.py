"""Saving what is on the screen as a picture, whole or not at all."""

from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPixmap


def save_picture(pixmap: QPixmap, path: Path) -> None:
    """Save in the format that the suffix names, PNG without one, over an earlier picture of that name.

    Raises
    ------
    TableError
        The folder does not exist or cannot be written to.
    """
    from affinecal_gui.files import write_atomically

    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pixmap.save(buffer, path.suffix.removeprefix(".").upper() or "PNG")
    write_atomically(path, bytes(buffer.data().data()), overwrite=True)
