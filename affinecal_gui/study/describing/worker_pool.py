"""Processes that do chemistry beside the program, item by item, with a time limit for each.

RDKit can hold Python's interpreter lock for as long as one call lasts, and no thread can be stopped from outside; a process
can. Workers are started when they are first needed, kept, and shared by everything in this program. Each is reached by a
pipe of its own, so that one that dies, or is killed, takes nothing with it but the item it was at.

No worker outlives the program: when the program is gone, its pipes are closed, which ends a worker at the latest after the
item it is at, and an item ends, on systems that can measure it, when its processor time is used up.
"""

import contextlib
import math
import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from affinecal_gui.errors import UserError
from affinecal_gui.fresh_process import FreshProcess
from affinecal_gui.task import UNWATCHED, Task

Item = TypeVar("Item")
Result = TypeVar("Result")

NEEDED = "affinecal_gui.polymers.copolymers.composition"
"""What workers import before the first item, whose time limit would otherwise pay for it."""
FAILED_STARTS = 3  # in a row; a worker that cannot start now will not start the next time either
SECONDS_TO_START = 120.0  # importing RDKit from a cold network folder is slow
ITEMS_PER_WORKER = 100_000  # then a fresh process takes over, so that memory lost in a library cannot pile up
AHEAD = 4_096  # results that may wait for a slow one before them
SECONDS_BETWEEN_MESSAGES = 0.03
SECONDS_TO_SETTLE = 0.2
POLL_SECONDS = 0.05
DEATHS = 2  # of the process that had an item all to itself; once may have been somebody else's doing

MEASURES_PROCESSOR_TIME = hasattr(signal, "setitimer")
WAITING_FACTOR = 12 if MEASURES_PROCESSOR_TIME else 2
"""How many times the limit an item may take by the clock on the wall, which also runs while others use the processor."""


class WorkersCannotStart(UserError):  # noqa: N818 - the state of the machine, as other UserErrors name theirs
    """Not one worker process could be started."""


@dataclass(frozen=True, slots=True)
class Failed:
    """Why there is no result for an item."""

    took_too_long: bool  # else the process ended
    detail: str = ""


def processor_count() -> int:
    """Return how many processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def results_in_order(
    function: Callable[[Item], Result],
    chunks: Iterator[Sequence[Item]],
    *,
    processes: int,
    seconds: float,
    task: Task = UNWATCHED,
) -> Generator[Result | Failed, None, None]:
    """Call ``function`` for every item of every chunk in worker processes; yield the results in order.

    Works on a stream: only some thousand items are in memory, however long it is.

    Parameters
    ----------
    function
        Importable, or a partial of something importable. It must not raise.
    chunks
        Items that go to a worker together. An empty chunk says that there are none at the moment; it is asked again when
        further results have been taken.
    processes
        How many workers share the work.
    seconds
        Processor time that one item may take; where the system cannot measure it, twice as long by the clock.

    Raises
    ------
    WorkersCannotStart
        When not a single worker can be started.
    """
    work = _Work(function, chunks, processes, seconds)
    try:
        while work.hand_out():
            task.check()
            yield from work.finished()
            if work.unfinished:
                work.wait()
    finally:
        work.release_workers()


# -- the side of the program ----------------------------------------------------------------------------------------------


@dataclass(slots=True, eq=False)
class _Place(Generic[Item, Result]):
    """An item and, once it is known, its result."""

    item: Item
    result: Result | Failed | None = None
    is_done: bool = False
    deaths: int = 0

    def finish(self, result: "Result | Failed") -> None:
        self.result, self.is_done = result, True


class _Worker:
    """One process and what it is doing."""

    def __init__(self) -> None:
        self.connection, other = multiprocessing.get_context("spawn").Pipe()
        self.process = FreshProcess(target=_serve, args=(other, NEEDED), name="affinecal worker", daemon=True)
        try:
            self.process.start()
        except BaseException:
            self.connection.close()
            raise
        finally:
            other.close()  # or its end would never be noticed
        self.is_ready = False
        self.places: list[_Place[Any, Any]] = []  # that it still owes
        self.job_number = 0  # of the latest
        self.served = 0
        self.is_busy = False
        self.heard = time.monotonic()

    def send(self, function: Callable[[Any], Any], places: list[_Place[Any, Any]], seconds: float) -> None:
        self.job_number += 1
        self.places, self.is_busy = places, True
        self.served += len(places)
        self.heard = time.monotonic()
        # If it has died meanwhile, that is found when its answer is asked for.
        with contextlib.suppress(OSError):
            self.connection.send((self.job_number, function, [place.item for place in places], seconds))

    def receive(self) -> bool:
        """Take one message; return whether the worker is still there."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            return False
        self.heard = time.monotonic()
        if message is None:
            self.is_ready = True
            return True
        job_number, results, is_last = message
        if job_number == self.job_number:
            for place, result in zip(self.places, results, strict=False):
                place.finish(result)
            self.places = self.places[len(results) :]
            self.is_busy = not is_last
        return True

    def patience(self, seconds: float) -> float:
        """Return how long it may say nothing."""
        if not self.is_ready:
            return SECONDS_TO_START
        return seconds * WAITING_FACTOR if self.is_busy else math.inf

    def settle(self) -> bool:
        """Let it end what nobody waits for any more; return whether it can be used."""
        deadline = time.monotonic() + SECONDS_TO_SETTLE
        while self.is_busy or not self.is_ready:
            left = deadline - time.monotonic()
            if left <= 0 and not self.is_busy:
                return True  # still starting
            if left <= 0 or (self.connection.poll(left) and not self.receive()):
                return False
        return self.process.is_alive()

    def end(self, *, is_going: bool = False) -> int | None:
        """End the process, whatever it is doing; return its exit status: its own, where it is going by itself."""
        if is_going:
            self.process.join(5.0)
        self.process.kill()
        self.process.join(5.0)
        self.connection.close()
        return self.process.exitcode


_idle: list[_Worker] = []
_idle_lock = threading.Lock()


class _Work(Generic[Item, Result]):
    """One call of :func:`results_in_order`: who works at what, what waits, and what is done."""

    def __init__(
        self, function: Callable[[Item], Result], chunks: Iterator[Sequence[Item]], processes: int, seconds: float
    ) -> None:
        self._function, self._chunks = function, chunks
        self._processes, self._seconds = processes, seconds
        self._places: deque[_Place[Item, Result]] = deque()  # everything that was not yet yielded, in order
        self._waiting: deque[list[_Place[Item, Result]]] = deque()  # what no worker has yet
        self._workers: list[_Worker] = []
        self._failed_starts = 0
        self._more = True

    @property
    def unfinished(self) -> int:
        """How many items wait for their own result, or for one before them."""
        return len(self._places)

    def hand_out(self) -> bool:
        """Give every worker something to do, start workers that are missing; return whether anything is left to do."""
        for worker in [worker for worker in self._workers if worker.is_ready and not worker.is_busy]:
            if not (places := self._next()):
                break
            self._send(worker, places)
        # Those that are starting have something to do once they are there; another is started only if there is more.
        held = [places for worker in self._workers if not worker.is_ready and (places := self._next())]
        while len(self._workers) < self._processes and (places := self._next()):
            started = self._new_worker()
            if started is not None:
                self._workers.append(started)
            if started is None or not started.is_ready:
                held.append(places)
            else:
                self._send(started, places)
            if started is None:
                break
        self._waiting.extendleft(reversed(held))
        return self._more or bool(self._places)

    def finished(self) -> Iterator[Result | Failed]:
        """Yield the results that are there and wait for none before them."""
        while self._places and self._places[0].is_done:
            yield self._places.popleft().result  # type: ignore[misc] # None may be a result

    def wait(self) -> None:
        """Take what workers say, for a moment; replace those that have gone, end those that take too long."""
        # Without a worker there is still something to wait for: until one more can be started.
        ready = wait([worker.connection for worker in self._workers], POLL_SECONDS) if self._workers else []
        if not self._workers:
            time.sleep(POLL_SECONDS)
        now = time.monotonic()
        for worker in list(self._workers):
            if worker.connection in ready:
                if not worker.receive():
                    self._replace(worker)
                elif worker.is_ready:
                    self._failed_starts = 0
            elif now - worker.heard > worker.patience(self._seconds):
                self._replace(worker, took_too_long=True)

    def release_workers(self) -> None:
        """Give the workers back; what they still do interests nobody."""
        with _idle_lock:
            for worker in self._workers:
                worker.places = []
            _idle.extend(self._workers)
            self._workers = []

    def _next(self) -> list[_Place[Item, Result]]:
        """Return what is to be done next; nothing when there is nothing at the moment."""
        if self._waiting:
            return self._waiting.popleft()
        if not self._more or len(self._places) >= AHEAD:
            return []
        chunk = next(self._chunks, None)
        if chunk is None:
            self._more = False
            return []
        places: list[_Place[Item, Result]] = [_Place(item) for item in chunk]
        self._places.extend(places)
        return places

    def _send(self, worker: _Worker, places: list[_Place[Item, Result]]) -> None:
        if worker.served >= ITEMS_PER_WORKER:
            self._workers.remove(worker)
            worker.end()
            self._waiting.appendleft(places)
        else:
            worker.send(self._function, places, self._seconds)

    def _new_worker(self) -> _Worker | None:
        """Return a worker that has nothing to do, or one that is starting; None when none can be started now."""
        while True:
            with _idle_lock:
                if not _idle:
                    break
                worker = _idle.pop()
            if worker.settle():
                return worker
            worker.end()
        try:
            return _Worker()
        except OSError as error:
            self._count_failed_start(error.strerror or str(error))
            return None

    def _count_failed_start(self, why: str) -> None:
        self._failed_starts += 1
        if self._failed_starts < FAILED_STARTS:
            return
        if not any(worker.is_ready for worker in self._workers):
            raise WorkersCannotStart(
                f"The processes that describe polymers cannot be started ({why}). Is there memory left, and may this "
                "user start programs?"
            )
        self._processes = sum(worker.is_ready for worker in self._workers)  # then these have to do

    def _replace(self, worker: _Worker, *, took_too_long: bool = False) -> None:
        """Part with a worker; what it owes is tried again, item by item, until the one to blame is found."""
        self._workers.remove(worker)
        status = worker.end(is_going=not took_too_long)
        if not worker.is_ready:
            self._count_failed_start("no answer for two minutes" if took_too_long else _status_words(status))
        if MEASURES_PROCESSOR_TIME and status == -signal.SIGPROF:
            took_too_long = True
        if len(worker.places) == 1:
            (place,) = worker.places
            place.deaths += 1
            if took_too_long or place.deaths >= DEATHS:
                place.finish(Failed(took_too_long, _status_words(status)))
                return
        self._waiting.extendleft([place] for place in reversed(worker.places))


def _status_words(status: int | None) -> str:
    if status is None or status >= 0:
        return f"exit status {status}"
    try:
        return f"signal {signal.Signals(-status).name}"
    except ValueError:
        return f"signal {-status}"


def shut_down() -> None:
    """End every worker process that is not in use at once."""
    with _idle_lock:
        workers = list(_idle)
        _idle.clear()
    for worker in workers:
        worker.end()


# -- the side of the process ----------------------------------------------------------------------------------------------


def _serve(connection: Connection, needed: str) -> None:
    """Answer jobs until the program closes its end of the pipe."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl+C reaches the whole group; the program decides what follows
    if MEASURES_PROCESSOR_TIME:
        signal.signal(signal.SIGPROF, signal.SIG_DFL)
    import_module(needed)
    with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
        connection.send(None)
        while True:
            _answer(connection, *connection.recv())


def _answer(
    connection: Connection, job_number: int, function: Callable[[Any], Any], items: Sequence[Any], seconds: float
) -> None:
    """Work through one job, and send results as they come, a few at a time."""
    results: list[Any] = []
    sent = time.monotonic()
    for number, item in enumerate(items, 1):
        if MEASURES_PROCESSOR_TIME:
            # The system itself ends the process when the time is used up: no handler of Python's would be called while
            # a library holds the interpreter lock.
            signal.setitimer(signal.ITIMER_PROF, seconds)
        results.append(function(item))
        now = time.monotonic()
        if number == len(items):
            if MEASURES_PROCESSOR_TIME:
                signal.setitimer(signal.ITIMER_PROF, 0)
            connection.send((job_number, results, True))
        elif now - sent > SECONDS_BETWEEN_MESSAGES:
            connection.send((job_number, results, False))
            results, sent = [], now
