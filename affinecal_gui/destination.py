"""Where a file may be written: only a file, or nothing, is ever replaced, whatever the rights of the user."""

import stat
from pathlib import Path

from affinecal_gui.errors import UserError


def destination(path: Path) -> Path:
    """Return the name to write a file under; that of a link is the name it points at, which stays a link.

    Raises
    ------
    UserError
        There is a folder, or something else that is no file: a device, a pipe.
    OSError
        It cannot be found out: a name that is too long, a drive that has gone.
    """
    try:
        mode = path.stat().st_mode  # of what a link points at
    except (FileNotFoundError, NotADirectoryError, ValueError):  # ValueError: a zero byte, which no name has
        return path.resolve() if path.is_symlink() else path
    if stat.S_ISDIR(mode):
        raise UserError(f"{path.name or path} is a folder. Choose another file name.")
    if not stat.S_ISREG(mode):
        raise UserError(f"{path.name or path} is a device or a pipe, and no file. Choose another file name.")
    return path.resolve() if path.is_symlink() else path
