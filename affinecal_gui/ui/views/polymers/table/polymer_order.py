"""Which polymers a table shows, and in which order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.data.row_columns import RowColumns, TextColumn, is_measured
from affinecal_gui.study.data.structure_search import rows_holding
from affinecal_gui.study.md_origin import MD_ORIGINS, MDOrigin
from affinecal_gui.study.snapshot import RowState
from affinecal_gui.task import UNWATCHED, Task

Group = Literal["measured", "predicted", "next"]
"""The lists of the data panel: polymers of the measured tables, polymers with an MD value only, and those of them that are
worth measuring next."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What the table is restricted to; an empty text and no state restrict nothing."""

    group: Group = "measured"
    text: str = ""
    state: RowState | None = None
    origin: MDOrigin | None = None  # of the MD value behind the calibrated one

    @property
    def is_narrowing(self) -> bool:
        """Whether polymers of the list may be missing."""
        return bool(self.text.strip()) or self.state is not None or self.origin is not None


@dataclass(frozen=True, slots=True)
class Sorting:
    """By what rows are sorted: a text, a number of each row, or, with neither, nothing: the order of the file."""

    text: TextColumn | None = None
    numbers: Callable[[], FloatArray] | None = None  # (r,) nan where a row has none
    descending: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ArrangedRows:
    """Which of r rows are shown, in l lines."""

    order: NDArray[np.intp]  # (l,) number of the row in each line
    lines: NDArray[np.intp]  # (r,) line of each row; -1 where it is not shown

    @classmethod
    def of(cls, order: NDArray[np.intp], count: int) -> "ArrangedRows":
        """Show the rows with these numbers, of ``count`` rows."""
        lines = np.full(count, -1, dtype=np.intp)
        lines[order] = np.arange(order.size)
        return cls(order, lines)


def arrange(
    rows: RowColumns,
    suggested: Iterable[int],
    wanted: Filter,
    sorting: Sorting,
    origins: NDArray[np.int8] | None = None,
    *,
    task: Task = UNWATCHED,
) -> ArrangedRows:
    """Filter and sort.

    Parameters
    ----------
    suggested
        Numbers of the polymers worth measuring next, in the order of their list.
    origins
        (r,) of the MD value behind each calibrated one, positions in MD_ORIGINS; only needed by a filter that names one.
    task
        Asked between steps of a few milliseconds each.
    """
    numbers = accepted(rows, suggested, wanted, origins, task=task)
    task.check()
    if sorting.text is not None:
        numbers = order_by_rank(numbers, rows.ranks(sorting.text, task=task), sorting.descending)
    elif sorting.numbers is not None:
        numbers = order_by_number(numbers, sorting.numbers(), sorting.descending)
    task.check()
    return ArrangedRows.of(numbers, len(rows.rows))


def accepted(
    rows: RowColumns,
    suggested: Iterable[int],
    wanted: Filter,
    origins: NDArray[np.int8] | None = None,
    *,
    task: Task = UNWATCHED,
) -> NDArray[np.intp]:
    """Return the numbers of the rows that pass the filter, in their own order; every word of the text must be found.

    A word that writes a structure is found in every polymer whose chain holds it, however its SMILES is written.

    ``suggested`` are the numbers of the polymers worth measuring next, which stand in the order of their list.
    """
    passed = np.ones(len(rows.rows), dtype=np.bool_)
    if wanted.state is not None:
        passed &= rows.in_state(wanted.state)
    if wanted.origin is not None and origins is not None:
        passed &= origins == MD_ORIGINS.index(wanted.origin)
    for word in wanted.text.split():
        passed &= rows_holding(rows, word, passed, task=task)
    if wanted.group == "next":
        numbers = np.fromiter(suggested, np.intp)
        return numbers[passed[numbers]]
    return np.flatnonzero(passed & (is_measured(rows) == (wanted.group == "measured")))


def order_by_number(numbers: NDArray[np.intp], values: FloatArray, descending: bool) -> NDArray[np.intp]:
    """Sort row numbers by a value of each row; those without a value are last in both directions, ties keep order."""
    keys = values[numbers]
    return numbers[np.argsort(-keys if descending else keys, kind="stable")]


def order_by_rank(numbers: NDArray[np.intp], ranks: NDArray[np.int32], descending: bool) -> NDArray[np.intp]:
    """Sort row numbers by the rank of each row; ties keep their order."""
    keys = ranks[numbers]
    return numbers[np.argsort(-keys if descending else keys, kind="stable")]


def numbers_now(before: RowColumns, now: RowColumns, *, task: Task = UNWATCHED) -> NDArray[np.intp]:
    """Return which number the row of each number of before has now, found by its key; -1 where there is none any more."""
    if before.number_of is now.number_of:
        return np.arange(len(before.rows))
    found = np.full(len(before.rows), -1, dtype=np.intp)
    if len(now.rows) <= len(before.rows):
        for key, number in task.each(now.number_of.items()):
            if (old := before.number_of.get(key, -1)) >= 0:
                found[old] = number
    else:
        for key, number in task.each(before.number_of.items()):
            found[number] = now.number_of.get(key, -1)
    return found
