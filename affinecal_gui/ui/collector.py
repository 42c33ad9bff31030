"""Reference cycles are collected in the main thread, because Qt objects must end in the thread they belong to.

Python collects cycles in whatever thread happens to allocate. A menu, a timer or an animation that is part of a cycle would
then be destroyed by a thread that fits a model, and the program with it.
"""

import gc

from PySide6.QtCore import QObject, QTimer, Slot

INTERVAL = 250  # milliseconds between two looks
OLDEST_EVERY = 40  # looks: the oldest generation is large, and little of it is ever garbage

_at_work: set[object] = set()


class MainThreadCollector(QObject):
    """Takes the collection of cycles over from Python until it is stopped, when no thread is left.

    Python's own thresholds decide when the young generations are due; the oldest one is collected by the clock.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._looks = 0
        self._key = object()
        _at_work.add(self._key)
        gc.disable()
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

    @Slot()
    def _look(self) -> None:
        self._looks += 1
        young, middle, _ = gc.get_count()
        most_young, most_middle, _ = gc.get_threshold()
        if self._looks % OLDEST_EVERY == 0:
            gc.collect(2)
        elif middle > most_middle:
            gc.collect(1)
        elif young > most_young:
            gc.collect(0)
