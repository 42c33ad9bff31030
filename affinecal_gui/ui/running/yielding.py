"""Worker threads yield the interpreter to the main thread.

One thread at a time runs Python. While a window is painted, the main thread gives the interpreter back at every call into Qt,
thousands of times, and has to wait for a thread that calculates each time: painting then takes several times as long. So a
thread that is about to go on asks here whether the main thread is in the middle of something, and waits for a moment.

Several threads wait one behind the other: however many there are, they go on in turn and not all at once.
"""

import threading
import time

from affinecal_gui.ui.running.loop_state import loop_state

LONGEST_WAIT = 0.025  # seconds, as long as most turns last; the work goes on also beside a window that never rests
LONGEST_REST = 0.1  # seconds that one waits before that who is in no hurry
OWN_SHARE = 0.003  # seconds of work between two waits

queue = threading.Lock()
"""Held by the thread that waits for the main thread; the others wait for it."""


class MainThreadYield:
    """Lets one worker thread yield while the main thread is busy. Made in the main thread.

    A thread ``in_background`` works while the main thread sleeps, and beside one that never sleeps next to nothing.
    """

    def __init__(self, *, in_background: bool = False) -> None:
        self._loop = loop_state()
        self._in_background = in_background
        self._went_on: float | None = None

    def yield_if_busy(self) -> None:
        """Wait for a moment if the main thread is at work, and this one has been for a while."""
        if self._went_on is not None and time.monotonic() - self._went_on < OWN_SHARE:
            return
        if self._in_background:
            self._loop.wait_for_sleep(LONGEST_REST)  # outside the queue, for others are in a hurry
        with queue:
            self._loop.wait_for_sleep(LONGEST_WAIT)
        self._went_on = time.monotonic()
