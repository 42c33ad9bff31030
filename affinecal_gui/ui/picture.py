"""Saving what is on the screen as a picture, whole or not at all."""

import os
import tempfile
from pathlib import Path

from PySide6.QtCore import QBuffer, QIODevice
from PySide6.QtGui import QPixmap

from affinecal_gui.errors import UserError


class PictureError(UserError):
    """The picture could not be written."""


def save_picture(pixmap: QPixmap, path: Path) -> None:
    """Save as PNG; the file appears complete or not at all.

    Raises
    ------
    PictureError
        The folder does not exist or cannot be written to.
    """
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    pixmap.save(buffer, "PNG")
    try:
        handle, name = tempfile.mkstemp(dir=path.absolute().parent, prefix=path.name, suffix=".part")
        with os.fdopen(handle, "wb") as file:
            file.write(buffer.data().data())
        Path(name).replace(path)
    except OSError as error:
        raise PictureError(f"The picture {path} could not be written: {error.strerror or error}.") from error
