"""Threads that work let the main thread go first.

One thread at a time runs Python. While a window is painted, the main thread gives the interpreter back at every call into Qt,
thousands of times, and has to wait for a thread that calculates each time: painting then takes several times as long. So a
thread that is about to go on asks here whether the main thread is in the middle of something, and waits for a moment.
"""

import threading
import time

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Slot
from shiboken6 import isValid

LONGEST_WAIT = 0.006  # seconds; the work goes on also beside a window that never rests
OWN_SHARE = 0.003  # seconds of work between two waits


class MainThreadState(QObject):
    """Whether the event loop is asleep."""

    def __init__(self) -> None:
        super().__init__()
        self._is_asleep = threading.Event()
        self._is_asleep.set()
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.aboutToBlock.connect(self._sleep)
            dispatcher.awake.connect(self._wake)

    @Slot()
    def _sleep(self) -> None:
        self._is_asleep.set()

    @Slot()
    def _wake(self) -> None:
        self._is_asleep.clear()

    def wait(self, seconds: float) -> None:
        """Wait until the main thread sleeps, for so long at most. May be called in any thread."""
        self._is_asleep.wait(seconds)


_state: MainThreadState | None = None


def watch_main_thread() -> MainThreadState:
    """Return the state of the main thread; called there, before threads ask."""
    global _state  # there is one main thread
    if _state is None or not isValid(_state):
        _state = MainThreadState()
    return _state


class Courtesy:
    """The manners of one thread."""

    def __init__(self) -> None:
        self._state = watch_main_thread()
        self._went_on = 0.0

    def let_main_thread_go_first(self) -> None:
        """Wait for a moment if the main thread is at work, and this one has been for a while."""
        if time.monotonic() - self._went_on < OWN_SHARE:
            return
        self._state.wait(LONGEST_WAIT)
        self._went_on = time.monotonic()
