"""Finding polymers by a text; a large table is searched in the background."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal, Slot

from affinecal_gui.progress import CancelCheck, Progress
from affinecal_gui.study.row_columns import RowColumns, columns_of
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.event_loop.worker import JobRunner, Publish, Work

SEARCHED_AT_ONCE = 5_000  # rows, which take less than a millisecond


class PolymerSearch(QObject):
    """Goes through the polymers whose name, id or repeat unit holds a text, in their own order.

    Of several texts the last one counts. Whoever asks for the next polymer while a text is still being sought gets the
    next one when the places are known.
    """

    found = Signal(str)  # key of a polymer
    missed = Signal(str)  # the text that no polymer holds

    def __init__(
        self, snapshot: Callable[[], Snapshot], selected: Callable[[], str], parent: QObject | None = None
    ) -> None:
        """Search in the snapshot, and go on from the polymer, that there are when the places are known."""
        super().__init__(parent)
        self._snapshot, self._selected = snapshot, selected
        self._text = ""
        self._steps: list[bool] = []  # for each that has not been answered whether it leads to the next polymer
        self._columns: RowColumns | None = None  # of the rows in which the text was sought last
        self._places: NDArray[np.intp] | None = None  # numbers of the rows that hold it; None until they are known
        self._jobs = JobRunner(self)
        self._jobs.done.connect(self._on_done)

    def find(self, text: str, *, forward: bool) -> None:
        """Find the first polymer that holds the text; with ``forward`` the one after the selected one, if that holds it."""
        if text != self._text:
            self._text, self._places = text, None
            self.drop()
        if text:
            self._steps.append(forward)
            self._go_on()

    def drop(self) -> None:
        """Give up what has not been found yet: the user has gone somewhere else."""
        self._steps.clear()
        self._jobs.drop("search")

    @property
    def is_searching(self) -> bool:
        """Whether places are still to come."""
        return self._jobs.is_busy

    def shut_down(self) -> bool:
        """Search no more; returns whether the thread ended in time."""
        return self._jobs.shut_down()

    def _go_on(self) -> None:
        columns = columns_of(self._snapshot())
        if self._columns is None or self._columns.number_of is not columns.number_of:
            self._columns, self._places = columns, None
        elif self._places is None and self._jobs.is_busy:
            return
        if self._places is not None:
            self._answer(self._places)
        elif len(columns.rows) <= SEARCHED_AT_ONCE:
            self._places = np.flatnonzero(columns.texts.containing(self._text))
            self._answer(self._places)
        else:
            self._jobs.start("search", _search(columns, self._text))

    @Slot(str, object)
    def _on_done(self, _purpose: str, places: object) -> None:
        assert isinstance(places, np.ndarray)
        self._places = places
        self._go_on()  # unless there are other rows now

    def _answer(self, places: NDArray[np.intp]) -> None:
        assert self._columns is not None
        steps, self._steps = self._steps, []
        if not places.size:
            self.missed.emit(self._text)
            return
        number = self._columns.number_of.get(self._selected(), -1)
        for forward in steps:
            position = int(np.searchsorted(places, number, side="right")) if forward and number in places else 0
            number = int(places[position % places.size])
        self.found.emit(self._columns.rows[number].key)


def _search(columns: RowColumns, text: str) -> Work:
    def work(progress: Progress, cancelled: CancelCheck, publish: Publish) -> object:
        return np.flatnonzero(columns.texts.containing(text, cancelled=cancelled))

    return work
