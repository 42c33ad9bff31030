"""Long work off the main thread: one job, exactly one ending, told by a signal."""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext
from functools import partial
from typing import Any

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, QTimer, Signal

from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from affinecal_gui.ui.running.background_priority import GivingWay, precedence
from affinecal_gui.ui.running.yielding import Courtesy

logger = logging.getLogger(__name__)

Publish = Callable[[object], None]
"""Hands a partial, immutable result to the main thread while the job goes on."""

Work = Callable[[Task, Publish], object]

imports_at_rest = threading.Event()
"""Cleared while packages are imported ahead: two threads that import the same ones at once can each see half of them."""
imports_at_rest.set()

PATIENCE = 80  # milliseconds from the wish to stop until a job counts as stopped
PATIENCE_AT_THE_END = 150
"""Milliseconds that the end of a window waits for its jobs; what does not answer by then is waited for without a window."""

PROGRESS_INTERVAL = 0.05  # seconds; a faster report would only queue up events that nobody sees


class Job(QThread):
    """Runs ``work`` in its own thread and ends with exactly one of the signals done, failed, cancelled.

    Connect bound slots of QObjects that live in the main thread: only then are they called there.
    """

    progressed = Signal(float, str)
    published = Signal(object)
    done = Signal(object)
    failed = Signal(object)  # a UserError, or any other exception: a fault of the program
    cancelled = Signal()

    def __init__(
        self, work: Work, parent: QObject | None = None, *, awaits_imports: bool = False, gives_way: bool = False
    ) -> None:
        super().__init__(parent)
        self._work = work
        self._awaits_imports = awaits_imports
        self._giving_way = GivingWay() if gives_way else None
        self._stop = threading.Event()
        self._courtesy = Courtesy(in_no_hurry=gives_way)
        self._last_report = 0.0

    def cancel(self) -> None:
        """Ask the work to stop; it answers with ``cancelled`` (or ``done``, if it was just ready)."""
        self._stop.set()

    def run(self) -> None:
        """Qt calls this in the new thread."""
        try:
            with precedence.wanted() if self._giving_way is None else nullcontext():
                if self._awaits_imports:
                    self._await_imports()
                result = self._work(Task(self._report, self._is_to_stop), self.published.emit)
        except Cancelled:
            self.cancelled.emit()
        except UserError as error:
            self.failed.emit(error)
        except BaseException as error:
            logger.exception("A job failed")
            self.failed.emit(error)
        else:
            if self._stop.is_set():
                self.cancelled.emit()
            else:
                self.done.emit(result)

    def _is_to_stop(self) -> bool:
        """Answer the work, which asks every few milliseconds."""
        if self._giving_way is not None:
            self._giving_way.give_way(self._stop.is_set)
        self._courtesy.let_main_thread_go_first()
        return self._stop.is_set()

    def _await_imports(self) -> None:
        while not imports_at_rest.wait(0.02):
            self._report(0.0, "Getting the chemistry ready")
            Task(cancelled=self._stop.is_set).check()

    def _report(self, fraction: float, sentence: str) -> None:
        now = time.monotonic()
        if now - self._last_report >= PROGRESS_INTERVAL or fraction >= 1:
            self._last_report = now
            self.progressed.emit(min(max(fraction, 0.0), 1.0), sentence)


_threads: set[Job] = set()
"""Jobs whose threads may still be running, whatever became of their runners: a QThread destroyed then ends the program."""


def await_late_jobs(seconds: float) -> bool:
    """Wait for threads that did not end with their window; returns whether all of them have ended now."""
    end = time.monotonic() + seconds
    deadline = QDeadlineTimer(round(1000 * seconds))
    _threads.difference_update([job for job in _threads if job.wait(deadline)])
    for thread in _of_python():
        thread.join(max(end - time.monotonic(), 0.0))
    return not _threads and not _of_python()


def _of_python() -> list[threading.Thread]:
    """Threads that the interpreter would wait for at its end."""
    main = threading.main_thread()
    return [thread for thread in threading.enumerate() if thread is not main and not thread.daemon]


class JobRunner(QObject):
    """Owns the jobs of the window; per purpose at most one counts.

    Starting a job for a purpose cancels the one before it, whose signals are then no longer heard, so a late result can
    never overwrite a newer one. ``shut_down`` ends every thread before the window goes.
    """

    busy_changed = Signal(bool)
    progressed = Signal(float, str)
    done = Signal(str, object)
    published = Signal(str, object)
    failed = Signal(str, object)
    cancelled = Signal(str)

    def __init__(self, parent: QObject | None = None, *, awaits_imports: bool = False) -> None:
        """Own no job yet; with ``awaits_imports`` each begins when nothing is being imported ahead any more."""
        super().__init__(parent)
        self._awaits_imports = awaits_imports
        self._current: dict[str, Job] = {}
        self._running: set[Job] = set()

    @property
    def is_busy(self) -> bool:
        """Whether any job that counts is under way."""
        return bool(self._current)

    def is_running(self, purpose: str) -> bool:
        """Whether a job for this purpose is under way."""
        return purpose in self._current

    @property
    def has_ended(self) -> bool:
        """Whether the threads of all jobs have ended, also of those that count no more."""
        return not self._running

    def job(self, purpose: str) -> Job | None:
        """Return the job for this purpose that is under way."""
        return self._current.get(purpose)

    def start(self, purpose: str, work: Work, *, gives_way: bool = False) -> None:
        """Run ``work`` for ``purpose``; a job already under way for it is cancelled and no longer heard.

        One that ``gives_way`` is for nobody who waits: it stands still, for a while at most, beside those that are not.
        """
        self._retire(purpose)
        job = Job(work, awaits_imports=self._awaits_imports, gives_way=gives_way)
        # Bound slots of this object, never closures: a closure would run in the worker's thread.
        job.progressed.connect(self._on_progressed)
        job.published.connect(self._on_published)
        job.done.connect(self._on_done)
        job.failed.connect(self._on_failed)
        job.cancelled.connect(self._on_cancelled)
        job.finished.connect(self._on_finished)
        job.setObjectName(purpose)
        self._current[purpose] = job
        self._running.add(job)
        _threads.add(job)
        self.busy_changed.emit(True)
        job.start()

    def drop(self, purpose: str) -> None:
        """Cancel the job for this purpose and hear no more of it: what it works for is gone."""
        if purpose in self._current:
            self._retire(purpose)
            self.busy_changed.emit(bool(self._current))

    def cancel_all(self) -> None:
        """Ask every job to stop; each answers by the signal ``cancelled``.

        For one that does not answer soon, because it is inside a library that cannot be asked, the runner does: its
        result is no longer wanted, and what it does until its end nobody hears. No work changes a file after its
        task was cancelled.
        """
        asked = tuple(self._current.items())
        for _, job in asked:
            job.cancel()
        if asked:
            QTimer.singleShot(PATIENCE, self, partial(self._answer_for, asked))

    def _answer_for(self, asked: tuple[tuple[str, Job], ...]) -> None:
        for purpose, job in asked:
            if self._current.get(purpose) is job:
                self._retire(purpose)
                self.busy_changed.emit(bool(self._current))
                self.cancelled.emit(purpose)

    def stop_all(self) -> None:
        """Ask every job to stop, and hear no more of any: the window is about to end."""
        for purpose in list(self._current):
            self._retire(purpose)

    def shut_down(self, wait_milliseconds: int = PATIENCE_AT_THE_END) -> bool:
        """Cancel everything and wait for the threads; returns whether all of them ended in time.

        A thread that did not is kept until :func:`await_late_jobs` has seen it end: it must not lose its object.
        """
        self.stop_all()
        for job in self._running:
            job.cancel()
        deadline = QDeadlineTimer(wait_milliseconds)  # of all of them together
        late = {job for job in self._running if not job.wait(deadline)}
        for job in late:
            job.finished.disconnect()  # it is not ours to delete any more
        _threads.difference_update(self._running - late)
        self._running.clear()
        return not late

    def _retire(self, purpose: str) -> None:
        job = self._current.pop(purpose, None)
        if job is None:
            return
        job.cancel()
        for signal in (job.progressed, job.published, job.done, job.failed, job.cancelled):
            signal.disconnect()

    def _ending(self) -> tuple[str, bool]:
        """Return the purpose of the job whose signal is being heard, and whether that job still counts."""
        job = self.sender()
        if not isinstance(job, Job):
            return "", False
        purpose = job.objectName()
        if self._current.get(purpose) is not job:
            return purpose, False
        del self._current[purpose]
        self.busy_changed.emit(bool(self._current))
        return purpose, True

    def _on_progressed(self, fraction: float, sentence: str) -> None:
        sender = self.sender()
        if sender in self._current.values():
            self.progressed.emit(fraction, sentence)

    def _on_published(self, partial: object) -> None:
        sender = self.sender()
        if isinstance(sender, Job) and self._current.get(sender.objectName()) is sender:
            self.published.emit(sender.objectName(), partial)

    def _on_done(self, result: Any) -> None:
        purpose, counts = self._ending()
        if counts:
            self.done.emit(purpose, result)

    def _on_failed(self, error: Any) -> None:
        purpose, counts = self._ending()
        if counts:
            self.failed.emit(purpose, error)

    def _on_cancelled(self) -> None:
        purpose, counts = self._ending()
        if counts:
            self.cancelled.emit(purpose)

    def _on_finished(self) -> None:
        job = self.sender()
        if isinstance(job, Job):
            job.wait()
            self._running.discard(job)
            _threads.discard(job)
            job.deleteLater()
