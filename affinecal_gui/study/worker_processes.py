"""Processes that do chemistry beside the program.

RDKit can hold Python's interpreter lock for as long as one call lasts, and no thread can be stopped from outside; a process
can. The pool is started when it is first needed, kept, and shared by everything in this program.
"""

import atexit
import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from pebble import ProcessPool

_lock = threading.Lock()
_pools: dict[int, ProcessPool] = {}

TASKS_PER_PROCESS = 2_000  # then a fresh process takes over, so that memory lost in a library cannot pile up


def processor_count() -> int:
    """Return how many processors this program may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def submit(function: Callable[..., Any], *arguments: object, time_limit: float, processes: int = 1) -> "Future[Any]":
    """Call ``function(*arguments)`` in a worker process.

    The future raises TimeoutError when ``time_limit`` (seconds of running, not of waiting) is over; the process is then
    ended and replaced. ``future.cancel()`` ends a running call as well.
    """
    with _lock:
        pool = _pools.get(processes)
        if pool is None or not pool.active:
            # Fresh interpreters on every system: a fork would copy the window's threads and locks half-way.
            context = multiprocessing.get_context("spawn")
            pool = _pools[processes] = ProcessPool(
                processes, max_tasks=TASKS_PER_PROCESS, initializer=_prepare, context=context
            )
        future: Future[Any] = pool.schedule(function, args=arguments, timeout=time_limit)
        return future


def _prepare() -> None:
    """Import the chemistry before the first task, whose time limit would otherwise pay for it."""
    import affinecal_gui.polymers.descriptors  # noqa: F401


def shut_down() -> None:
    """End every worker process at once."""
    with _lock:
        for pool in _pools.values():
            pool.stop()  # type: ignore[no-untyped-call]
            pool.join()
        _pools.clear()


atexit.register(shut_down)
