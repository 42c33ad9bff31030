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
from affinecal_gui.support.trace import note_job
from affinecal_gui.task import Task
from affinecal_gui.ui.running.background_priority import BackgroundThrottle, foreground_jobs
from affinecal_gui.ui.running.job import AnyJob, Job, Result, kind_of
from affinecal_gui.ui.running.yielding import MainThreadYield

logger = logging.getLogger(__name__)

imports_at_rest = threading.Event()
"""Cleared while packages are imported ahead: two threads that import the same ones at once can each see half of them."""
imports_at_rest.set()

PATIENCE = 80  # milliseconds from the wish to stop until a job counts as stopped
PATIENCE_AT_THE_END = 150
"""Milliseconds that the end of a window waits for its jobs; what does not answer by then is waited for without a window."""

PROGRESS_INTERVAL = 0.05  # seconds; a faster report would only queue up events that nobody sees


class JobThread(QThread):
    """Runs a job and ends with exactly one of the signals done, failed, cancelled.

    Connect bound slots of QObjects that live in the main thread: only then are they called there.
    """

    progressed = Signal(float, str)
    published = Signal(object)
    done = Signal(object)
    failed = Signal(object)  # a UserError, or any other exception: a fault of the program
    cancelled = Signal()

    def __init__(self, job: AnyJob, parent: QObject | None = None, *, awaits_imports: bool = False) -> None:
        super().__init__(parent)
        self.job = job
        self.hear_done: Callable[[Any], object] | None = None
        """Called with the result, and the next one with each partial result, in the main thread."""
        self.hear_published: Callable[[Any], object] | None = None
        self._awaits_imports = awaits_imports
        self._throttle = BackgroundThrottle() if job.is_background else None
        self._stop = threading.Event()
        self._main_thread_yield = MainThreadYield(in_background=job.is_background)
        self._last_report = 0.0

    def cancel(self) -> None:
        """Ask the work to stop; it answers with ``cancelled`` (or ``done``, if it was just ready)."""
        self._stop.set()

    def run(self) -> None:
        """Qt calls this in the new thread."""
        try:
            with foreground_jobs.wanted() if self._throttle is None else nullcontext():
                if self._awaits_imports:
                    self._await_imports()
                result = self.job.run(Task(self._report, self._is_to_stop), self.published.emit)
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
        if self._throttle is not None:
            self._throttle.throttle(self._stop.is_set)
        self._main_thread_yield.yield_if_busy()
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


_threads: set[JobThread] = set()
"""Jobs whose threads may still be running, whatever became of their runners: a QThread destroyed then ends the program."""


def is_any_job_running() -> bool:
    """Whether the thread of a job is at work, also of one that nobody waits for any more."""
    return any(thread.isRunning() for thread in _threads)


def await_late_jobs(seconds: float) -> bool:
    """Wait for threads that did not end with their window; returns whether all of them have ended now."""
    end = time.monotonic() + seconds
    deadline = QDeadlineTimer(round(1000 * seconds))
    _threads.difference_update([thread for thread in _threads if thread.wait(deadline)])
    for thread in _of_python():
        thread.join(max(end - time.monotonic(), 0.0))
    return not _threads and not _of_python()


def _of_python() -> list[threading.Thread]:
    """Threads that the interpreter would wait for at its end."""
    main = threading.main_thread()
    return [thread for thread in threading.enumerate() if thread is not main and not thread.daemon]


class JobRunner(QObject):
    """Owns the jobs of the window; of each kind at most one counts.

    Starting a job cancels the one of its kind before it, of which nothing is heard then, so a late result can never
    overwrite a newer one. ``shut_down`` ends every thread before the window goes.
    """

    busy_changed = Signal(bool)
    progressed = Signal(float, str)
    ended = Signal(object)  # a Job whose result was handed over
    failed = Signal(object, object)  # a Job, and a UserError or another exception
    cancelled = Signal(object)  # a Job

    def __init__(self, parent: QObject | None = None, *, awaits_imports: bool = False) -> None:
        """Own no job yet; with ``awaits_imports`` each begins when nothing is being imported ahead any more."""
        super().__init__(parent)
        self._awaits_imports = awaits_imports
        self._current: dict[type[AnyJob], JobThread] = {}
        self._running: set[JobThread] = set()

    @property
    def is_busy(self) -> bool:
        """Whether any job that counts is under way."""
        return bool(self._current)

    def is_running(self, kind: type[AnyJob]) -> bool:
        """Whether a job of this kind is under way."""
        return kind_of(kind) in self._current

    @property
    def has_ended(self) -> bool:
        """Whether the threads of all jobs have ended, also of those that count no more."""
        return not self._running

    def thread_of(self, kind: type[AnyJob]) -> JobThread | None:
        """Return the thread of the job of this kind that is under way."""
        return self._current.get(kind_of(kind))

    def start(
        self,
        job: Job[Result],
        done: Callable[[Result], object] | None = None,
        published: Callable[[Result], object] | None = None,
    ) -> None:
        """Run a job; one of its kind that is under way is cancelled and no longer heard.

        Parameters
        ----------
        job
            What to do.
        done
            Called with the result, in the main thread; not where the job fails, is cancelled or gives way to another.
        published
            Called with each partial result, in the main thread.
        """
        kind = kind_of(type(job))
        self._retire(kind)
        note_job(type(job))
        thread = JobThread(job, awaits_imports=self._awaits_imports)
        thread.hear_done, thread.hear_published = done, published
        # Bound slots of this object, never closures: a closure would run in the worker's thread.
        thread.progressed.connect(self._on_progressed)
        thread.published.connect(self._on_published)
        thread.done.connect(self._on_done)
        thread.failed.connect(self._on_failed)
        thread.cancelled.connect(self._on_cancelled)
        thread.finished.connect(self._on_finished)
        thread.setObjectName(type(job).__name__)
        self._current[kind] = thread
        self._running.add(thread)
        _threads.add(thread)
        self.busy_changed.emit(True)
        thread.start()

    def drop(self, kind: type[AnyJob]) -> None:
        """Cancel the job of this kind and hear no more of it: what it works for is gone."""
        if self.is_running(kind):
            self._retire(kind_of(kind))
            self.busy_changed.emit(bool(self._current))

    def cancel_all(self) -> None:
        """Ask every job to stop; each answers by the signal ``cancelled``.

        For one that does not answer soon, because it is inside a library that cannot be asked, the runner does: its
        result is no longer wanted, and what it does until its end nobody hears. No work changes a file after its
        task was cancelled.
        """
        self._ask_to_stop(tuple(self._current.items()))

    def cancel(self, kind: type[AnyJob]) -> None:
        """Ask the job of this kind to stop; it answers as in :meth:`cancel_all`."""
        thread = self.thread_of(kind)
        if thread is not None:
            self._ask_to_stop(((kind_of(kind), thread),))

    def _ask_to_stop(self, asked: tuple[tuple[type[AnyJob], JobThread], ...]) -> None:
        for _, thread in asked:
            thread.cancel()
        if asked:
            QTimer.singleShot(PATIENCE, self, partial(self._answer_for, asked))

    def _answer_for(self, asked: tuple[tuple[type[AnyJob], JobThread], ...]) -> None:
        for kind, thread in asked:
            if self._current.get(kind) is thread:
                self._retire(kind)
                self.busy_changed.emit(bool(self._current))
                self.cancelled.emit(thread.job)

    def stop_all(self) -> None:
        """Ask every job to stop, and hear no more of any: the window is about to end."""
        for kind in list(self._current):
            self._retire(kind)

    def shut_down(self, wait_milliseconds: int = PATIENCE_AT_THE_END) -> bool:
        """Cancel everything and wait for the threads; returns whether all of them ended in time.

        A thread that did not is kept until :func:`await_late_jobs` has seen it end: it must not lose its object.
        """
        self.stop_all()
        for thread in self._running:
            thread.cancel()
        deadline = QDeadlineTimer(wait_milliseconds)  # of all of them together
        late = {thread for thread in self._running if not thread.wait(deadline)}
        for thread in late:
            thread.finished.disconnect()  # it is not ours to delete any more
        _threads.difference_update(self._running - late)
        self._running.clear()
        return not late

    def _retire(self, kind: type[AnyJob]) -> None:
        thread = self._current.pop(kind, None)
        if thread is None:
            return
        thread.cancel()
        for signal in (thread.progressed, thread.published, thread.done, thread.failed, thread.cancelled):
            signal.disconnect()
        thread.hear_done = thread.hear_published = None

    def _ending(self) -> JobThread | None:
        """Return the thread whose last signal is being heard, which is under way no more; None if it counts no more."""
        thread = self.sender()
        if not isinstance(thread, JobThread):
            return None
        kind = kind_of(type(thread.job))
        if self._current.get(kind) is not thread:
            return None
        del self._current[kind]
        self.busy_changed.emit(bool(self._current))
        return thread

    def _on_progressed(self, fraction: float, sentence: str) -> None:
        if self.sender() in self._current.values():
            self.progressed.emit(fraction, sentence)

    def _on_published(self, part: Any) -> None:
        thread = self.sender()
        if isinstance(thread, JobThread) and thread in self._current.values() and thread.hear_published is not None:
            thread.hear_published(part)

    def _on_done(self, result: Any) -> None:
        thread = self._ending()
        if thread is not None:
            if thread.hear_done is not None:
                thread.hear_done(result)
            self.ended.emit(thread.job)

    def _on_failed(self, error: Any) -> None:
        thread = self._ending()
        if thread is not None:
            self.failed.emit(thread.job, error)

    def _on_cancelled(self) -> None:
        thread = self._ending()
        if thread is not None:
            self.cancelled.emit(thread.job)

    def _on_finished(self) -> None:
        thread = self.sender()
        if isinstance(thread, JobThread):
            thread.wait()
            self._running.discard(thread)
            _threads.discard(thread)
            thread.hear_done = thread.hear_published = None
            thread.deleteLater()
