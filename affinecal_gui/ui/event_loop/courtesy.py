"""Threads that work let the main thread go first.

One thread at a time runs Python. While a window is painted, the main thread gives the interpreter back at every call into Qt,
thousands of times, and has to wait for a thread that calculates each time: painting then takes several times as long. So a
thread that is about to go on asks here whether the main thread is in the middle of something, and waits for a moment.
"""

import time

from affinecal_gui.ui.event_loop.loop_state import loop_state

LONGEST_WAIT = 0.006  # seconds; the work goes on also beside a window that never rests
OWN_SHARE = 0.003  # seconds of work between two waits


class Courtesy:
    """The manners of one thread. Made in the main thread."""

    def __init__(self) -> None:
        self._loop = loop_state()
        self._went_on: float | None = None

    def let_main_thread_go_first(self) -> None:
        """Wait for a moment if the main thread is at work, and this one has been for a while."""
        if self._went_on is not None and time.monotonic() - self._went_on < OWN_SHARE:
            return
        self._loop.wait_for_sleep(LONGEST_WAIT)
        self._went_on = time.monotonic()
