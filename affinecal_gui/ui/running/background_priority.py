"""Background jobs are throttled while foreground jobs, which somebody waits for, are running.

An autosave of a large study reads and writes for half a minute. Beside a calibration both would take longer, and the window
would have to share the interpreter with two threads instead of one.
"""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LOOK = 0.02  # seconds between two looks whether the work is still wanted
REST = 0.3  # seconds after which nobody waits any more: the refits of a moving slider follow one another sooner
PATIENCE = 10.0  # seconds for which a background job is held back, all in all


class ForegroundJobs:
    """Counts the jobs that somebody waits for. May be used in any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._count = 0
        self._ended = clock() - REST  # the last of it
        self._nobody_waits = threading.Event()
        self._nobody_waits.set()

    @contextmanager
    def wanted(self) -> Iterator[None]:
        """Do something that somebody waits for."""
        with self._lock:
            self._count += 1
            self._nobody_waits.clear()
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                self._ended = self._clock()
                if not self._count:
                    self._nobody_waits.set()

    def wait(self, seconds: float) -> bool:
        """Wait until nobody waits for anything, for so long at most; returns whether nobody has for a moment."""
        if not self._nobody_waits.wait(seconds):
            return False
        left = self._ended + REST - self._clock()
        if left <= 0.0:
            return True
        time.sleep(min(left, seconds))
        return False


foreground_jobs = ForegroundJobs()


class BackgroundThrottle:
    """Throttles one background job."""

    def __init__(self, among: ForegroundJobs = foreground_jobs) -> None:
        self._among = among
        self._looks = round(PATIENCE / LOOK)

    def throttle(self, is_to_stop: Callable[[], bool]) -> None:
        """Wait while there is work that somebody waits for, until this one is to stop or has waited for long."""
        while self._looks > 0 and not is_to_stop() and not self._among.wait(LOOK):
            self._looks -= 1
