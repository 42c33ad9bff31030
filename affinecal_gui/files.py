"""Files of the user: each is written whole or not at all, in place of a file or of nothing; what is wrong is one sentence.

What is written goes to a temporary file beside its destination, which takes the name when it is complete.
"""

import contextlib
import errno
import os
import re
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path, PurePath
from typing import IO

from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task


class FileExists(UserError):  # noqa: N818 - a question for the user rather than a failure
    """The destination exists and may not be replaced without asking."""


def file_name(path: str) -> str:
    """Return the last part of a path, as shown to the user; Windows paths are understood everywhere."""
    return PurePath(path.replace("\\", "/")).name or path


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


def write_atomically(
    path: str | os.PathLike[str], content: bytes, *, overwrite: bool = False, task: Task = UNWATCHED
) -> None:
    """Write a whole file or nothing.

    Raises
    ------
    FileExists
        The file exists and ``overwrite`` is false.
    UserError
        The folder is missing or may not be written to, the name is impossible, or the disk is full.
    Cancelled
        When the task was cancelled at the last moment; nothing has changed then.
    """
    with replacing(path, overwrite=overwrite, task=task) as file:
        file.write(content)


_IS_TEMPORARY = re.compile(r"\.[0-9a-f]{12}\.part")

_unfinished: set[Path] = set()
"""Temporary files under way in this program."""


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str], *, overwrite: bool = False, task: Task = UNWATCHED) -> Iterator[IO[bytes]]:
    """Open a temporary file beside ``path``; it takes that name when the block ends without an exception.

    The errors are those of :func:`write_atomically`.
    """
    target = Path(path)
    if "\0" in str(target):
        raise UserError(f"{str(target)!r} cannot be the name of a file. Choose another.")
    try:
        target = destination(target)
        if target.exists() and not overwrite:
            raise FileExists(f"{target.name} exists already. Choose another name, or allow it to be replaced.")
    except OSError as error:
        raise cannot_write(target, error) from None
    # The name of the temporary file is short, because the given one may be as long as the file system allows.
    temporary = target.parent / f".{secrets.token_hex(6)}.part"
    try:
        file = temporary.open("xb")
    except OSError as error:
        raise cannot_write(target, error) from None
    _unfinished.add(temporary)
    try:
        with file:
            yield file
            file.flush()
            task.check()  # flushing a large file to the disk takes seconds
            os.fsync(file.fileno())
        task.check()
        if overwrite:
            os.replace(temporary, target)  # noqa: PTH105 - the same call on every system
        else:
            move_without_replacing(temporary, target)
    except OSError as error:
        raise cannot_write(target, error) from None
    finally:
        _unfinished.discard(temporary)
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    _flush_folder(target.parent)


def remove_unfinished() -> None:
    """Remove the files that are being written, in a program that is about to end without waiting for them."""
    for temporary in tuple(_unfinished):
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def left_unfinished(folder: Path) -> list[Path]:
    """Return the temporary files of a folder: those being written, and those that killed programs have left."""
    return [path for path in folder.glob(".*.part") if _IS_TEMPORARY.fullmatch(path.name)]


def move_without_replacing(temporary: Path, target: Path) -> None:
    """Give the file its name unless somebody else took the name meanwhile.

    ``temporary`` may stay as a second name of the file.

    Raises
    ------
    FileExists
        Somebody else did.
    OSError
        The file cannot have that name.
    """
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise _made_meanwhile(target) from None
    except (OSError, NotImplementedError):
        # File systems without hard links, such as exFAT: the remaining gap is the time between two calls.
        if target.exists():
            raise _made_meanwhile(target) from None
        os.replace(temporary, target)  # noqa: PTH105


def cannot_write(target: Path, error: OSError) -> UserError:
    """Say why a file cannot be written, and what to do."""
    name, folder, why = file_name(str(target)), target.parent, error.strerror or error
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return UserError(f"{name} cannot be written: the folder {folder} does not exist. Create it or choose another.")
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return UserError(f"{name} cannot be written: no permission in {folder}, or another program holds the file.")
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return UserError(f"{name} cannot be written ({why}). Free some space on the disk, or choose another place.")
    if error.errno == errno.ENAMETOOLONG:
        return UserError(f"{name} cannot be written: the name is too long. Choose a shorter one.")
    return UserError(f"{name} cannot be written ({why}). Choose another place.")


def _made_meanwhile(target: Path) -> FileExists:
    return FileExists(f"{target.name} was created by somebody else meanwhile and exists already. Choose another name.")


def _flush_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system has folders that can be flushed."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
