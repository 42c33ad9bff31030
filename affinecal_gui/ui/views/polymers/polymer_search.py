"""Finding polymers by a text; a large table is searched in the background."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QObject, Signal

from affinecal_gui.study.data.row_columns import RowColumns, columns_of
from affinecal_gui.study.data.structure_search import may_be_structure, rows_holding
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner

SEARCHED_AT_ONCE = 5_000  # rows, which take less than a millisecond


class PolymerSearch(QObject):
    """Goes through the polymers whose name, id or repeat unit holds a text or a structure, in their own order.

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
        self._text = ""  # that is sought now
        self._steps: list[bool] = []  # what was asked for and is not answered: whether for the next polymer
        self._jobs = JobRunner(self)

    def find(self, text: str, *, forward: bool) -> None:
        """Find the first polymer that holds the text; with ``forward`` the one after the selected one, if that holds it."""
        if text != self._text:
            self.drop()
        if text:
            self._text = text
            self._steps.append(forward)
            if not self.is_searching:
                self._search(columns_of(self._snapshot()))

    def drop(self) -> None:
        """Give up what has not been found yet: the user has gone somewhere else."""
        self._steps.clear()
        self._jobs.drop(SeekText)

    @property
    def is_searching(self) -> bool:
        """Whether places are still to come."""
        return self._jobs.is_busy

    def shut_down(self) -> bool:
        """Search no more; returns whether the thread ended in time."""
        return self._jobs.shut_down()

    def _search(self, rows: RowColumns) -> None:
        wish = SeekText(rows, self._text)
        if len(rows.rows) <= SEARCHED_AT_ONCE and not may_be_structure(self._text):
            self._answer(rows, wish.places())
        else:
            self._jobs.start(wish, self._take)

    def _take(self, found: "FoundText") -> None:
        rows = columns_of(self._snapshot())
        if rows.number_of is found.rows.number_of:
            self._answer(rows, found.places)
        else:
            self._search(rows)  # other ones have come meanwhile

    def _answer(self, rows: RowColumns, places: NDArray[np.intp]) -> None:
        steps, self._steps = self._steps, []
        if not places.size:
            self.missed.emit(self._text)
            return
        number = rows.number_of.get(self._selected(), -1)
        for forward in steps:
            position = int(np.searchsorted(places, number, side="right")) if forward and number in places else 0
            number = int(places[position % places.size])
        self.found.emit(rows.rows[number].key)


@dataclass(frozen=True, slots=True, eq=False)
class FoundText:
    """Where a text stands."""

    rows: RowColumns
    places: NDArray[np.intp]  # numbers of the rows that hold it


@dataclass(frozen=True, eq=False)
class SeekText(Job[FoundText]):
    """Find the rows whose name, id or repeat unit holds a text or the structure that it writes."""

    columns: RowColumns
    text: str

    def run(self, task: Task, publish: Callable[[FoundText], None]) -> FoundText:
        """Find them."""
        return FoundText(self.columns, self.places(task=task))

    def places(self, *, task: Task = UNWATCHED) -> NDArray[np.intp]:
        """Return the numbers of the rows that hold it."""
        every = np.ones(len(self.columns.rows), dtype=np.bool_)
        return np.flatnonzero(rows_holding(self.columns, self.text, every, task=task))
