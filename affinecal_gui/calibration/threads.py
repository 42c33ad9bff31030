"""How many threads the mathematics uses: own threads for many small matrices, the linear algebra library's for large ones."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController

LARGE = 400
"""Matrices with fewer rows are too small for the threads of the linear algebra library."""

_MOST_WORKERS = 4


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()


@contextmanager
def one_thread_each(rows: int) -> Iterator[None]:
    """Keep the linear algebra library from dividing small matrices (fewer than 400 rows) among threads.

    Its threads wait for one another actively: on a machine that has other work, a 70 x 70 product takes ten times as long
    on two threads as on one.
    """
    if rows >= LARGE:
        yield
        return
    with _controller().limit(limits=1, user_api="blas"):
        yield


def worker_count() -> int:
    """Count the own threads worth starting on this machine."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, min(available, _MOST_WORKERS))
