"""Nothing is lost in a crash: the study of every window is kept in a file that the next start offers if the window is gone.

Every window has a recovery file of its own, named by its process and a random text, and a lock beside it that the system
releases when the process ends. A file whose lock is free belongs to a program that has ended without closing its window.
"""

import contextlib
import datetime
import logging
import os
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.errors import UserError
from affinecal_gui.files import left_unfinished
from affinecal_gui.own_folders import own_folder
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.records.file_lock import FileLock, try_lock
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.manifest import Manifest, read_manifest
from affinecal_gui.study.stored.recent import day_in_words
from affinecal_gui.study.stored.study_names import STUDY_SUFFIX, study_name
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # imports the chemistry, which the first window does not wait for
    from affinecal_gui.study.stored.study_file import KnownMembers

logger = logging.getLogger(__name__)

SECONDS_TO_CLOSE = 0.15  # that a window, closing, waits for its file, which may be on its way to a slow disk
MOST_KEPT = 20  # files of ended programs; older ones are removed
OLD_SECONDS = 3600.0  # after which half a file, left by a crash while it was written, is removed


def default_folder() -> Path:
    """Return where recovery files lie on this system."""
    return own_folder("data") / "recovery"


@dataclass(frozen=True, slots=True, eq=False)
class Recoverable:
    """The study of a window that is gone. As long as ``lock`` is held no other program offers it."""

    path: Path
    lock: FileLock
    manifest: Manifest

    @property
    def original(self) -> str:
        """The file of which this is the newer state; "" if the study had never been saved."""
        return self.manifest.original

    @property
    def title(self) -> str:
        """The name of that file, else what the study is about."""
        return study_name(self.original) if self.original else self.manifest.title or "Study"

    @property
    def when(self) -> str:
        """When it was kept, which tells several apart: "today, 14:03", "yesterday, 9:20", "12 May, 9:20"."""
        time = self.manifest.time
        if time is None:
            return ""
        return f"{day_in_words(time.date(), datetime.datetime.now().astimezone().date())}, {time:%H:%M}"

    def leave(self) -> None:
        """Let another start offer it."""
        self.lock.release(remove=False)

    def discard(self) -> None:
        """Remove it for good."""
        with contextlib.suppress(OSError):
            self.path.unlink()
        self.lock.release()


def find_recoverable(folder: Path | None = None) -> tuple[Recoverable, ...]:
    """Return the studies of windows that are gone, newest first, and lock them for this program."""
    where = default_folder() if folder is None else folder
    found: list[Recoverable] = []
    try:
        files = sorted(where.glob(f"*{STUDY_SUFFIX}"), key=_age)
        for path in files:
            taken = _claimed(path)
            if taken is not None:
                found.append(taken)
        _tidy(where)
    except OSError as error:
        logger.warning("The recovery folder cannot be read: %s", error)
    for old in found[MOST_KEPT:]:
        old.discard()
    return tuple(found[:MOST_KEPT])


def _age(path: Path) -> float:
    try:
        return -path.stat().st_mtime
    except OSError:
        return 0.0


def _claimed(path: Path) -> Recoverable | None:
    lock = try_lock(_lock_of(path))
    if lock is None:
        return None
    try:
        return Recoverable(path, lock, read_manifest(path))
    except UserError as error:  # removed just now, or written by a newer version, which will offer it itself
        logger.warning("%s", error)
        lock.release(remove=not path.exists())
        return None


def _lock_of(path: Path) -> Path:
    return path.with_suffix(".lock")


def _tidy(folder: Path) -> None:
    """Remove what crashes have left beside whole files: half-written ones, and locks without a file."""
    for part in left_unfinished(folder):
        with contextlib.suppress(OSError):
            if time.time() - part.stat().st_mtime > OLD_SECONDS:
                part.unlink()
    for path in folder.glob("*.lock"):
        if not path.with_suffix(STUDY_SUFFIX).exists():
            lock = try_lock(path)
            if lock is not None:
                lock.release()


class RecoveryFile:
    """The recovery file of one window. Its methods may be called from any thread, one at a time takes effect."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = default_folder() if folder is None else folder
        self.path = self.folder / f"{os.getpid()}-{secrets.token_hex(6)}{STUDY_SUFFIX}"
        self.lock: FileLock | None = None
        self._mutex = threading.Lock()
        self._is_given_up = False
        self._known: KnownMembers | None = None

    def save(self, state: StudyState, derived: Derived | None, *, original: str = "", task: Task = UNWATCHED) -> None:
        """Keep this state; ``original`` is the file that the study was opened from or saved to.

        Raises
        ------
        UserError
            The folder cannot be written.
        Cancelled
            When the task was cancelled; the file is the one before then.
        """
        from affinecal_gui.study.stored.study_file import KnownMembers, save_study

        with self._mutex:
            task.check()  # whoever removes the file first cancels those who wait here to write it
            self._take()
            if self._known is None:
                self._known = KnownMembers()
            try:
                save_study(
                    self.path,
                    state,
                    derived,
                    overwrite=True,
                    original=original,
                    process=os.getpid(),
                    known=self._known,
                    compress=False,
                    task=task.silent,
                )
            finally:
                if self._is_given_up:
                    self._close()

    def _take(self) -> None:
        if self.lock is not None:
            return
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.lock = try_lock(_lock_of(self.path))
        except OSError as error:
            raise UserError(
                f"The study cannot be autosaved: {self.folder} cannot be written ({error.strerror or error})."
            ) from None

    def adopt(self, recoverable: Recoverable) -> None:
        """Go on with the file of a window that is gone."""
        with self._mutex:
            self.remove()
            self.path, self.lock = recoverable.path, recoverable.lock

    def clear(self, *, task: Task = UNWATCHED) -> None:
        """Remove what is kept: it has been saved, or is not wanted any more."""
        with self._mutex:
            task.check()
            self._known = None
            with contextlib.suppress(OSError):
                self.path.unlink(missing_ok=True)

    def close(self, *, remove: bool = True) -> None:
        """Remove everything, or leave it to the next start; the window closes, and has cancelled what is under way.

        What does not end soon removes the file when it does; :func:`remove_given_up` does so if the program ends before.
        """
        self._is_given_up = remove
        if remove:
            _given_up.add(self)
        if self._mutex.acquire(timeout=SECONDS_TO_CLOSE):
            try:
                self._close()
            finally:
                self._mutex.release()

    def _close(self) -> None:
        if self._is_given_up:
            self.remove()
            _given_up.discard(self)
        elif self.lock is not None:
            self.lock.release(remove=False)
            self.lock = None

    def remove(self) -> None:
        """Delete the file, and let go of its lock."""
        self._known = None
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)
        if self.lock is not None:
            self.lock.release()
            self.lock = None


_given_up: set[RecoveryFile] = set()
"""Files of closed windows that are still being written."""


def remove_given_up() -> None:
    """Remove what closed windows have left to work under way, in a program that is about to end without waiting for it."""
    for file in tuple(_given_up):
        file.remove()
