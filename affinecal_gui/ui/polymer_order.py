"""Which polymers a table shows, and in which order."""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.snapshot import PolymerRow, RowState

Group = Literal["measured", "predicted", "next"]
"""The lists of the data panel: polymers of the measured tables, polymers with an MD value only, and those of them that are
worth measuring next."""

_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Filter:
    """What the table is restricted to; an empty text and no state restrict nothing."""

    group: Group = "measured"
    text: str = ""
    state: RowState | None = None


def group_of(row: PolymerRow) -> Group:
    """Return the list a polymer belongs to; suggestions stand in a list of their own besides."""
    if not math.isnan(row.measured):
        return "measured"
    md_only = row.state == "predicted" or row.library_index >= 0 or not math.isnan(row.md)
    return "predicted" if md_only else "measured"


def searched_text(row: PolymerRow) -> str:
    """Return what the filter looks into: name, id and repeat unit."""
    return f"{row.name}\n{row.id}\n{row.smiles}".casefold()


def natural_key(text: str) -> str:
    """Return a key by which "nylon 6" comes before "nylon 11"."""
    return _DIGITS.sub(lambda digits: digits[0].zfill(12), text.casefold())


def accepted(
    rows: Sequence[PolymerRow],
    groups: Sequence[Group],
    searched: Sequence[str],
    suggested: Iterable[int],
    wanted: Filter,
) -> NDArray[np.intp]:
    """Return the numbers of the rows that pass the filter, in their own order; every word of the text must be found.

    ``suggested`` are the numbers of the polymers worth measuring next.
    """
    if wanted.group == "next":
        numbers = list(suggested)
    else:
        numbers = [number for number, group in enumerate(groups) if group == wanted.group]
    if wanted.state is not None:
        numbers = [number for number in numbers if rows[number].state == wanted.state]
    for word in wanted.text.casefold().split():
        numbers = [number for number in numbers if word in searched[number]]
    return np.array(numbers, dtype=np.intp)


def order_by_number(numbers: NDArray[np.intp], values: FloatArray, descending: bool) -> NDArray[np.intp]:
    """Sort row numbers by a value of each row; those without a value are last in both directions, ties keep order."""
    keys = values[numbers]
    missing = np.isnan(keys)
    order = np.lexsort((np.arange(keys.size), np.where(missing, 0.0, -keys if descending else keys), missing))
    return numbers[order]


def order_by_text(numbers: NDArray[np.intp], keys: Sequence[str], descending: bool) -> NDArray[np.intp]:
    """Sort row numbers by a text of each row; ties keep their order."""
    return np.array(sorted(numbers.tolist(), key=keys.__getitem__, reverse=descending), dtype=np.intp)
