"""Values that lie so far from the others that they are probably mistakes: told, and used as they stand all the same.

A decimal mark in the wrong place, a unit that one row has for itself or two merged cells make a value wrong by a factor.
So values are compared on the logarithmic scale, by median and median absolute deviation, which a few wrong ones do not
move.
"""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.numbers import shortest, significant

FloatArray = NDArray[np.float64]

FEWEST = 5
"""Values from which on it can be said what is usual."""

AMONG_VALUES = 10.0
"""Factor between a value and the median of its column up to which nothing is said, however alike the others are."""

AGAINST_MD = 4.0
"""The same for the ratio of MD to measured value, which varies far less from polymer to polymer; 1 cal is 4.184 J."""

DEVIATIONS = 6.0
"""How many standard deviations, by the median absolute deviation, a value must be off as well."""

DEVIATIONS_OF_BOTH_SIGNS = 30.0

MOSTLY = 0.95
"""Share of positive values from which on a column is taken as one of positive values."""

_TO_STANDARD_DEVIATION = 1.4826  # of a normal distribution, from its median absolute deviation


def far_off(values: Sequence[float] | FloatArray, least: float) -> NDArray[np.int64]:
    """Return the positions of the values that are far from the others, the farthest first.

    Columns with both signs have no logarithms: their values are compared as they are, and only those
    :data:`DEVIATIONS_OF_BOTH_SIGNS` away are far off.

    Parameters
    ----------
    values
        (n,) values; nan take no part, nor do the few that are not positive in a column that otherwise is.
    least
        Factor to the median from which on a value can be far off.
    """
    given = np.asarray(values, dtype=np.float64)
    finite = np.isfinite(given)
    positive = finite & (given > 0)
    mostly_positive = positive.sum() >= MOSTLY * finite.sum()
    taking_part = np.flatnonzero(positive if mostly_positive else finite)
    if len(taking_part) < FEWEST:
        return np.zeros(0, dtype=np.int64)
    scale = np.log(given[taking_part]) if mostly_positive else given[taking_part]
    off = np.abs(scale - np.median(scale))
    deviation = _TO_STANDARD_DEVIATION * float(np.median(off))
    limit = max(math.log(least), DEVIATIONS * deviation) if mostly_positive else DEVIATIONS_OF_BOTH_SIGNS * deviation
    found = np.flatnonzero(off > limit) if limit > 0 else np.zeros(0, dtype=np.int64)
    return np.asarray(taking_part[found[np.argsort(-off[found], kind="stable")]], dtype=np.int64)


def not_positive(values: FloatArray) -> NDArray[np.int64]:
    """Return the positions of the few values below zero, or at it, in a column whose other values are all positive."""
    finite = np.isfinite(values)
    found = np.flatnonzero(finite & (values <= 0))
    few = len(found) <= (1 - MOSTLY) * finite.sum()
    return np.asarray(found if few else found[:0], dtype=np.int64)


def comparison(value: float, values: FloatArray, unit: str) -> str:
    """Say how far a value is from what is typical of its column, as the end of a sentence."""
    positive = values[np.isfinite(values) & (values > 0)]
    mostly_positive = len(positive) >= MOSTLY * np.isfinite(values).sum()
    typical = float(np.median(positive)) if mostly_positive else float(np.nanmedian(values))
    shown = f"the typical value of the column, {shortest(typical, 4)}{' ' if unit else ''}{unit}"
    return f"{times(value / typical)} {shown}" if mostly_positive and value > 0 else f"far from {shown}"


def times(ratio: float) -> str:
    """Say a ratio in words: "8,000 times" or "1/20 of"."""
    return f"{_short(ratio)} times" if ratio >= 1 else f"1/{_short(1 / ratio)} of"


def _short(number: float) -> str:
    return f"{float(f'{number:.2g}'):,.6g}" if number < 1e6 else significant(number, 2)
