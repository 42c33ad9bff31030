"""How many threads the mathematics uses: own threads for many small matrices, the linear algebra library's for large ones."""

import os
from contextlib import AbstractContextManager, nullcontext
from functools import cache
from threading import Event, Lock, Thread

from threadpoolctl import ThreadpoolController

LARGE = 400
"""Matrices with fewer rows are too small for the threads of the linear algebra library."""

_MOST_WORKERS = 4


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


class _Limit:
    """The limit itself is one for the whole process: the first who needs it sets it, the last one lifts it.

    The library obeys the thread that set its limit first, as long as that lives, and nobody else. So each limit is set by a
    thread of its own, which ends with it: no calculation depends on what another one, or another package, did before.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.users = 0
        self.holder: Thread | None = None
        self.ready, self.release = Event(), Event()

    def __enter__(self) -> None:
        with self.lock:
            self.users += 1
            if self.users == 1:
                self.ready, self.release = Event(), Event()
                self.holder = Thread(target=self._hold, name="one thread for linear algebra", daemon=True)
                self.holder.start()
                self.ready.wait()

    def __exit__(self, *error: object) -> None:
        with self.lock:
            self.users -= 1
            if self.users == 0 and self.holder is not None:
                self.release.set()
                self.holder.join()
                self.holder = None

    def _hold(self) -> None:
        try:
            limiter = _controller().limit(limits=1, user_api="blas")
        finally:
            self.ready.set()
        self.release.wait()
        limiter.restore_original_limits()


_limit = _Limit()


def one_thread_each(rows: int) -> AbstractContextManager[None]:
    """Keep the linear algebra library from dividing small matrices (fewer than 400 rows) among threads.

    Its threads wait for one another actively: on a machine that has other work, a 70 x 70 product takes several times as
    long on two threads as on one.
    """
    return _limit if rows < LARGE else nullcontext()


def worker_count() -> int:
    """Count the own threads worth starting on this machine."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, _MOST_WORKERS))
