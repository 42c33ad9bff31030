"""What the event loop of the main thread is doing: whether it sleeps, and since when its present turn lasts."""

import threading
import time
from collections.abc import Callable

from PySide6.QtCore import QAbstractEventDispatcher, QObject, Slot
from shiboken6 import isValid


class LoopState(QObject):
    """Listens to the event loop; asked by the main thread about its turn, and by the others whether it sleeps."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        super().__init__()
        self._clock = clock
        self._is_asleep = threading.Event()
        self._is_asleep.set()
        self._began = self._clock()
        dispatcher = QAbstractEventDispatcher.instance()
        if dispatcher is not None:
            dispatcher.aboutToBlock.connect(self.fall_asleep)
            dispatcher.awake.connect(self.wake)

    @Slot()
    def fall_asleep(self) -> None:
        """Note that there is nothing to do."""
        self._is_asleep.set()

    @Slot()
    def wake(self) -> None:
        """Note that there is something to do."""
        # Without a rest in between, what was asked for before is still being done, and nothing else was heard.
        if self._is_asleep.is_set():
            self._is_asleep.clear()
            self.begin_turn()

    def begin_turn(self) -> None:
        """Say that a turn begins: every other event had its chance just now."""
        self._began = self._clock()

    @property
    def turn_lasts(self) -> float:
        """Seconds since the present turn began."""
        return self._clock() - self._began

    def wait_for_sleep(self, seconds: float) -> None:
        """Wait until the loop sleeps, for so long at most. May be called in any thread."""
        self._is_asleep.wait(seconds)


_state: LoopState | None = None


def loop_state() -> LoopState:
    """Return the state of the main thread's event loop; first called there."""
    global _state  # there is one main thread
    if _state is None or not isValid(_state):
        _state = LoopState()
    return _state
