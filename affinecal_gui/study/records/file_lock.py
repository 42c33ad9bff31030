"""A file that one running program holds; the system lets go of it when the program ends, however it ends.

A process id alone would not do: ids are used again, and a home folder may be shared by several computers.
"""

import contextlib
import errno
import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

MOST_READ = 1 << 16  # bytes; more is nothing that was written here

_guard = threading.Lock()
_held: set[str] = set()
"""Locks of this process: POSIX lets a process lock the same file again, and drops the lock when any handle is closed."""


class FileLock:
    """A lock that is held; see :func:`try_lock`."""

    def __init__(self, path: Path, handle: int) -> None:
        self.path = path
        self._handle: int | None = handle

    def read(self) -> bytes:
        """Return what stands in the file, through the handle that holds the lock: closing another would drop it."""
        if self._handle is None:
            return b""
        os.lseek(self._handle, 0, os.SEEK_SET)
        with open(self._handle, "rb", closefd=False) as file:
            return file.read(MOST_READ)

    def write(self, content: bytes) -> None:
        """Let the file hold this, and wait until it is on the disk."""
        if self._handle is None:
            return
        os.ftruncate(self._handle, 0)
        os.lseek(self._handle, 0, os.SEEK_SET)
        with open(self._handle, "wb", closefd=False) as file:
            file.write(content)
        os.fsync(self._handle)

    def release(self, *, remove: bool = True) -> None:
        """Let go, and remove the file unless somebody else may want to look at it."""
        with _guard:
            if self._handle is None:
                return
            try:
                if remove and sys.platform != "win32":  # while it is held, so that nobody locks a file without a name
                    with contextlib.suppress(OSError):
                        self.path.unlink()
            finally:
                os.close(self._handle)
                self._handle = None
                _held.discard(_name(self.path))
            if remove and sys.platform == "win32":  # where an open file cannot be removed
                with contextlib.suppress(OSError):
                    self.path.unlink()


def try_lock(path: Path) -> FileLock | None:
    """Lock a file, which is made if necessary; None when another program, or another part of this one, holds it.

    Raises
    ------
    OSError
        The folder cannot be written.
    """
    with _guard:
        if _name(path) in _held:
            return None
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)  # not inherited by programs that are started
        try:
            held = _lock(handle) and _is_still(path, handle)
        except BaseException:
            os.close(handle)
            raise
        if not held:
            os.close(handle)
            return None
        _held.add(_name(path))
        return FileLock(path, handle)


@contextlib.contextmanager
def alone_with(path: Path, seconds: float) -> Iterator[None]:
    """Keep other programs from changing a small file meanwhile; go on without the lock rather than wait longer.

    Parameters
    ----------
    path
        The file; the lock lies beside it.
    seconds
        For how long at most another program is waited for.

    Raises
    ------
    OSError
        The folder cannot be written.
    """
    until = time.monotonic() + seconds
    while (lock := try_lock(path.with_suffix(".lock"))) is None and time.monotonic() < until:
        time.sleep(0.02)
    try:
        yield
    finally:
        if lock is not None:
            lock.release()


def _name(path: Path) -> str:
    return os.path.realpath(path)


def _lock(handle: int) -> bool:
    try:
        if sys.platform == "win32":
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            # Record locks belong to the process: worker processes that outlive a crash do not keep them.
            fcntl.lockf(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        # On a network folder without locks nobody can hold one; then everything counts as free.
        return error.errno in (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
    return True


def _is_still(path: Path, handle: int) -> bool:
    """Whether the locked file still has its name: its holder may have removed it just before we locked it."""
    try:
        return os.path.samestat(os.stat(path), os.fstat(handle))  # noqa: PTH116
    except OSError:
        return False
