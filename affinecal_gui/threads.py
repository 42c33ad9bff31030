"""How many threads the mathematics uses: own threads for many small matrices, the linear algebra library's for large ones."""

import os
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from functools import cache
from threading import Condition, Thread

from threadpoolctl import ThreadpoolController

LARGE = 400
"""Matrices with fewer rows are too small for the threads of the linear algebra library."""

GRACE = 0.2
"""Seconds for which the limit outlasts its last user."""

_MOST_WORKERS = 4


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


class _Limit:
    """The limit itself is one for the whole process: the first who needs it sets it; it is lifted soon after the last one.

    The library obeys the thread that set its limit first, as long as that lives, and nobody else. So the limit is set by a
    thread of its own, which ends with it: no calculation depends on what another one, or another package, did before.
    Starting that thread takes as long as a tenth of a refit, hence it stays for a moment in case the next one comes.
    """

    def __init__(self) -> None:
        self.change = Condition()
        self.users = 0
        self.started = self.in_force = False

    def __enter__(self) -> None:
        with self.change:
            self.users += 1
            if not self.started:
                self.started = True
                Thread(target=self._hold, name="one thread for linear algebra", daemon=True).start()
            self.change.wait_for(lambda: self.in_force)

    def __exit__(self, *error: object) -> None:
        with self.change:
            self.users -= 1
            if not self.users:
                self.change.notify_all()

    def _hold(self) -> None:
        with ExitStack() as until_the_end:
            # Should the library not let itself be limited, calculations are slower on a busy machine, but right.
            with suppress(OSError, RuntimeError):
                until_the_end.enter_context(_controller().limit(limits=1, user_api="blas"))
            with self.change:
                self.in_force = True
                self.change.notify_all()
                while True:
                    self.change.wait_for(lambda: not self.users)
                    if not self.change.wait_for(lambda: self.users > 0, timeout=GRACE):
                        break
                until_the_end.close()
                self.started = self.in_force = False


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
