"""Reference cycles are collected in the main thread, because Qt objects must end in the thread they belong to.

Python collects cycles in whatever thread happens to allocate. A menu, a timer or an animation that is part of a cycle would
then be destroyed by a thread that fits a model, and the program with it. That holds for the parts of a window that has been
closed, too: Python gets the collection back only when no job is under way that did not end with its window.

A collection looks at every object of a generation, up to a microsecond each, and the window is deaf meanwhile. Packages and
tables are hundreds of thousands of objects that live on, so no collection may look at more than a bounded number of them:
what came into being in larger numbers, or has outlived a collection of everything, is set aside. It still ends when the
last reference to it goes; only cycles among such objects stay. When many objects have been set aside, all of them are looked
through once, which takes some tenths of a second, and for that the collector waits until nobody is at the window: until
another program is in front of it, or there was no sign of the user or of work for a minute, and never while a job runs.
Somebody who works for hours without either meets it between two jobs, once for every two million objects that have not ended
by themselves, as those of a table do that is replaced by another, so that memory stays bounded.
"""

import gc

from PySide6.QtCore import QObject, Qt, QTimer, Slot
from PySide6.QtGui import QGuiApplication

from affinecal_gui.ui.running.memory import give_back
from affinecal_gui.ui.running.user_presence import signs_of_user
from affinecal_gui.ui.running.worker import is_any_job_running

INTERVAL = 100  # milliseconds between two looks
MOST_LOOKED_AT = 20_000  # objects in one collection
OLDEST_EVERY = 100  # looks: little of what has lived for long is ever garbage
MOST_SET_ASIDE = 100_000  # objects, some 20 MB, from which on all are looked through when there is time
MOST_UNSEEN = (
    2_000_000  # from which on they are looked through whoever is there: without a rest memory would grow for ever
)
QUIET_FOR = 600  # looks without a sign of the user or of work, until nobody seems to be there: a minute
AWAY_FOR = 20  # such looks while another program is in front
AT_REST_BELOW = 300  # objects made between two looks: carets blink, and this collector looks

_at_work: set[object] = set()


class MainThreadCollector(QObject):
    """Takes the collection of cycles over from Python until it is stopped and no thread of a job is left."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.looks = 0
        self._middle = 0  # objects that outlived one collection, at most
        self._old = 0  # objects that outlived more, at most
        self._set_aside_unseen = 0  # objects set aside since all were looked through, at most
        self._quiet = 0  # looks
        self._seen: object = None  # of the user
        self._young = 0  # when the last look ended
        self._has_to_give_back = False
        self._key = object()
        _at_work.add(self._key)
        gc.disable()
        gc.freeze()  # the packages imported so far
        # Objects set aside that were there when all were looked through. Those of the beginning are counted before others
        # join them: the first window does not wait for that.
        self._seen_living: int | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def stop(self) -> None:
        """Give the collection back to Python, when the last job has ended."""
        self._timer.stop()
        _at_work.discard(self._key)
        _give_back()

    @Slot()
    def look(self) -> None:
        """Collect what there may be, if it is not too much to look at."""
        self.looks += 1
        young, collections, _ = gc.get_count()
        most_young, most_collections, _ = gc.get_threshold()
        is_quiet = self._set_aside_unseen > MOST_SET_ASIDE and self._is_quiet(young - self._young)
        if is_quiet or (
            self._set_aside_unseen > MOST_UNSEEN
            and not is_any_job_running()  # most of what a job has made ends with it
            and self._living_unseen() > MOST_UNSEEN
        ):
            self.look_through_all()
        elif self._has_to_give_back:
            self._has_to_give_back = False
            give_back()
        elif young + self._middle > MOST_LOOKED_AT:
            self._set_aside(
                young
            )  # nothing brings so many objects into being in so little time but tables and packages
        elif young + self._middle + self._old > MOST_LOOKED_AT:
            ended = gc.collect(2)
            self._set_aside(young - ended)
        elif self.looks % OLDEST_EVERY == 0:
            self._old += young + self._middle - gc.collect(2)
            self._middle = 0
        elif collections > most_collections:
            self._old += young + self._middle - gc.collect(1)
            self._middle = 0
        elif young > most_young:
            self._middle += young - gc.collect(0)
        self._young = gc.get_count()[0]

    def _set_aside(self, young: int) -> None:
        if self._seen_living is None:
            self._seen_living = gc.get_freeze_count()
        self._set_aside_unseen += max(young + self._middle + self._old, 0)
        gc.freeze()
        self._middle = self._old = 0

    def _living_unseen(self) -> int:
        """Leave those out of the count that have ended by themselves; counting takes some hundredths of a second."""
        self._set_aside_unseen = max(gc.get_freeze_count() - (self._seen_living or 0), 0)
        return self._set_aside_unseen

    def look_through_all(self) -> None:
        """Collect every cycle, also among what was set aside."""
        gc.unfreeze()
        gc.collect()
        gc.freeze()
        self._seen_living = gc.get_freeze_count()
        self._has_to_give_back = True  # in a turn of its own
        self._middle = self._old = self._set_aside_unseen = self._quiet = 0

    def _is_quiet(self, made: int) -> bool:
        """Whether neither the user nor the program has done anything for a while."""
        seen = signs_of_user()
        still = seen == self._seen and made < AT_REST_BELOW
        self._seen = seen
        self._quiet = self._quiet + 1 if still and not is_any_job_running() else 0  # its end is waited for
        is_here = QGuiApplication.applicationState() == Qt.ApplicationState.ApplicationActive
        return self._quiet >= (QUIET_FOR if is_here else AWAY_FOR)


def _give_back() -> None:
    """Let Python collect again, unless a window needs that it does not; as long as a job runs, look again later."""
    if _at_work:
        return
    if not is_any_job_running():
        gc.enable()
        gc.unfreeze()
        return
    QTimer.singleShot(INTERVAL, _give_back)
