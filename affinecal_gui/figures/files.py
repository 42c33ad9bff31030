"""Writing a file so that it is there whole or not at all, and saying in one sentence why it could not be written."""

import contextlib
import errno
import os
import secrets
from pathlib import Path

from affinecal_gui.destination import destination
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task


def write_whole(path: Path, content: bytes, *, overwrite: bool = False, task: Task = UNWATCHED) -> None:
    """Write ``content`` to a temporary file beside ``path``, then put it in its place in one step.

    Raises
    ------
    UserError
        The file exists and ``overwrite`` is false, the folder is missing or may not be written to, the disk is full.
    Cancelled
        When the task was cancelled at the last moment; nothing has changed then.
    """
    path = Path(path)
    if "\0" in str(path):
        raise UserError(f"{str(path)!r} cannot be the name of a file. Choose another.")
    try:
        path = destination(path)
        if not overwrite and path.exists():
            raise _exists(path)
    except OSError as error:
        raise UserError(_reason(path, error)) from error
    # A short name of its own: a long file name plus an ending could be longer than the system allows.
    temporary = path.parent / f".affinecal-{secrets.token_hex(6)}.part"
    try:
        with temporary.open("xb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
        task.check()
        _put_in_place(temporary, path, overwrite=overwrite)
    except OSError as error:
        raise UserError(_reason(path, error)) from error
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    _fsync_folder(path.parent)


def _put_in_place(temporary: Path, path: Path, *, overwrite: bool) -> None:
    if not overwrite:
        # A link fails where a file of that name has appeared meanwhile; a rename would replace it silently.
        try:
            os.link(temporary, path)
        except FileExistsError:
            raise _exists(path) from None
        except (OSError, NotImplementedError):  # a file system without links, such as exFAT
            if path.exists():
                raise _exists(path) from None
        else:
            return
    temporary.replace(path)


def _fsync_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system has folders that can be synchronised."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _exists(path: Path) -> UserError:
    return UserError(f"{path} exists already. Choose another name, or allow it to be replaced.")


def _reason(path: Path, error: OSError) -> str:
    folder = path.parent
    number = error.errno
    if number in (errno.ENOENT, errno.ENOTDIR):
        return f"{path} was not written: there is no folder {folder}. Create it or choose another."
    if number in (errno.EACCES, errno.EPERM, errno.EROFS):
        return f"{path} was not written: {folder} may not be written to, or the file is open in another program."
    if number in (errno.ENOSPC, errno.EDQUOT):
        return f"{path} was not written: the disk is full. Free some space or choose another folder."
    if number == errno.ENAMETOOLONG:
        return f"{path} was not written: the file name is too long. Choose a shorter one."
    return f"{path} was not written: {error.strerror or error}."
