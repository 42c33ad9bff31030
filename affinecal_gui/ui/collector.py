"""Reference cycles are collected in the main thread, because Qt objects must end in the thread they belong to.

Python collects cycles in whatever thread happens to allocate. A menu, a timer or an animation that is part of a cycle would
then be destroyed by a thread that fits a model, and the program with it.

A collection looks at every object of a generation, half a microsecond each, and the window is deaf meanwhile. Packages and
tables are hundreds of thousands of objects that live on, so no collection may look at more than a bounded number of them:
what came into being in larger numbers, or has outlived a collection of everything, is set aside for good. It still ends when
the last reference to it goes; only a cycle among such objects stays.
"""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL = 100  # milliseconds between two looks
MOST_LOOKED_AT = 30_000  # objects in one collection
OLDEST_EVERY = 100  # looks: little of what has lived for long is ever garbage

_at_work: set[object] = set()


class MainThreadCollector(QObject):
    """Takes the collection of cycles over from Python until it is stopped, when no thread is left."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._looks = 0
        self._middle = 0  # objects that outlived one collection, at most
        self._old = 0  # objects that outlived more, at most
        self._key = object()
        _at_work.add(self._key)
        gc.disable()
        self._set_aside()  # the packages imported so far
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def stop(self) -> None:
        """Give the collection back to Python."""
        self._timer.stop()
        _at_work.discard(self._key)
        if not _at_work:
            gc.enable()
            gc.unfreeze()

    @Slot()
    def _look(self) -> None:
        self._looks += 1
        young, collections, _ = gc.get_count()
        most_young, most_collections, _ = gc.get_threshold()
        if young + self._middle > MOST_LOOKED_AT:
            self._set_aside()  # nothing brings so many objects into being in so little time but tables and packages
        elif young + self._middle + self._old > MOST_LOOKED_AT:
            gc.collect(2)
            self._set_aside()
        elif self._looks % OLDEST_EVERY == 0:
            self._old += young + self._middle - gc.collect(2)
            self._middle = 0
        elif collections > most_collections:
            self._old += young + self._middle - gc.collect(1)
            self._middle = 0
        elif young > most_young:
            self._middle += young - gc.collect(0)

    def _set_aside(self) -> None:
        gc.freeze()
        self._middle = self._old = 0
