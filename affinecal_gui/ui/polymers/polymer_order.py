"""Which polymers a table shows, and in which order."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.row_columns import RowColumns, is_measured
from affinecal_gui.study.snapshot import RowState

Group = Literal["measured", "predicted", "next"]
"""The lists of the data panel: polymers of the measured tables, polymers with an MD value only, and those of them that are
worth measuring next."""


@dataclass(frozen=True, slots=True)
class Filter:
    """What the table is restricted to; an empty text and no state restrict nothing."""

    group: Group = "measured"
    text: str = ""
    state: RowState | None = None


def accepted(rows: RowColumns, suggested: Iterable[int], wanted: Filter) -> NDArray[np.intp]:
    """Return the numbers of the rows that pass the filter, in their own order; every word of the text must be found.

    ``suggested`` are the numbers of the polymers worth measuring next, which stand in the order of their list.
    """
    passed = np.ones(len(rows.rows), dtype=np.bool_)
    if wanted.state is not None:
        passed &= rows.in_state(wanted.state)
    for word in wanted.text.split():
        passed &= rows.texts.containing(word)
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
