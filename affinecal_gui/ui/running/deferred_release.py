"""Deferred release: large collections are freed in the background, some items at a time.

When the last reference to the rows of a large table goes, all of them end in one call, and the window is deaf for some
hundredths of a second if that happens in the main thread. So they are held here until nobody else holds them, and a thread
ends them then.
"""

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject

from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner

FEWEST = 10_000  # items; fewer end in no time
AT_ONCE = 1_000  # items that end in one call
LOOK = 0.05  # seconds between two looks whether somebody else holds them
MOST_LOOKS = 1_200  # a minute; what is held for longer ends where it may
_OWN = 2  # references to an item: of the list, and of the question how many there are


class DeferredRelease(QObject):
    """Holds large collections until nobody else does, and frees them in a thread. Lives in the main thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)
        self._held: list[list[object]] = []
        self._present: Sequence[object] = ()

    def follow(self, items: Sequence[object]) -> None:
        """Note which items there are now, and let those of before go, unless they are the same but for some."""
        before, self._present = self._present, items
        is_kept = bool(before and items) and (before[0] is items[0] or before[-1] is items[-1])
        if not is_kept:
            self.take(before)

    def take(self, items: Sequence[object]) -> None:
        """Let items go, sooner or later, that their other holders are about to drop."""
        if len(items) < FEWEST:
            return
        self._held = [*filter(None, self._held), list(items)]
        self._jobs.start(ReleaseItems(self._held))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is held any more."""
        return not any(self._held)

    def shut_down(self) -> bool:
        """Hold nothing any more; returns whether the thread has ended in time."""
        self._present = ()
        ended = self._jobs.shut_down()
        self._held.clear()
        return ended


@dataclass(frozen=True, eq=False)
class ReleaseItems(Job[None]):
    """End lists of items, some items at a time, when nobody else holds them any more."""

    is_background = True
    held: list[list[object]]

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Wait for those who hold them, then end them."""
        for items in self.held:
            looks = 0
            while items and looks < MOST_LOOKS and _is_held_elsewhere(items):
                task.check()
                time.sleep(LOOK)
                looks += 1
            while items:
                task.check()
                del items[-AT_ONCE:]


def _is_held_elsewhere(items: list[object]) -> bool:
    return sys.getrefcount(items[0]) > _OWN or sys.getrefcount(items[-1]) > _OWN
