"""Numbers that stand for "no value", as -999, 9999, -1 or 0: told where one is repeated in a column as no value would be."""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.relative_uncertainties import is_percent
from affinecal_gui.tables.words import fold_digits

_NO_VALUES = re.compile(
    r"-(?:9{2,}|8{3,}|7{3,})(?:[.,](?:\d*9|25|0+))?|(?:9{3,}|8{4,}|7{4,})(?:[.,](?:9+|0+))?|-?1[eE]\+?[23]\d"
)
"""Codes of missing values in data of every field; -999.25 is that of well logs."""

_ZEROS = re.compile(r"[-+]?0(?:[.,]0+)?")
_MAY_BE_VALUES = re.compile(rf"{_ZEROS.pattern}|-1(?:[.,]0+)?")
"""Numbers that may be values as well: they count only where no other number of the column is repeated as often."""

MOST_LOOKED_AT = 50
"""Repeated numbers of a column, the most frequent ones first."""


def missing_mark(cells: Sequence[str], values: NDArray[np.float64], unit: str = "") -> tuple[str, int] | None:
    """Return the number that looks like a mark of a missing value in a column, as written, and how often it stands there.

    Parameters
    ----------
    cells, values
        (n,) as written, and as read; cells without value take no part.
    unit
        As written: of a share of a hundred, zero is as good a value as others.

    >>> missing_mark(["12", "0", "0", "31"], np.array([12.0, 0.0, 0.0, 31.0]))
    ('0', 2)
    >>> missing_mark(["0", "0", "1", "1"], np.array([0.0, 0.0, 1.0, 1.0])) is None
    True
    """
    places = np.flatnonzero(np.isfinite(values))
    numbers, first, counts = np.unique(values[places], return_index=True, return_counts=True)
    if len(numbers) < 2:
        return None
    order = [int(place) for place in np.argsort(-counts, kind="stable")[:MOST_LOOKED_AT] if counts[place] > 1]
    for place in order:
        count = int(counts[place])
        text = cells[int(places[first[place]])]
        plain = fold_digits(text).strip().replace("−", "-").replace("–", "-")
        is_most_frequent = count == counts[order[0]] and (counts == count).sum() == 1
        is_zero = _ZEROS.fullmatch(plain) is not None
        if _NO_VALUES.fullmatch(plain) or (
            is_most_frequent and _MAY_BE_VALUES.fullmatch(plain) and not (is_zero and is_percent(unit))
        ):
            return text, count
    return None


def about_missing_mark(heading: str, cells: Sequence[str], values: NDArray[np.float64], unit: str) -> list[str]:
    """Say which number of a column looks like a mark of a missing value; empty where none does."""
    found = missing_mark(cells, values, unit)
    if found is None:
        return []
    text, count = found
    return [
        f"{shortened(heading)}: “{shortened(text)}” stands {count} times exactly and looks like a mark of a missing value. "
        "It is used as it stands; if it means that there is no value, empty these cells."
    ]
