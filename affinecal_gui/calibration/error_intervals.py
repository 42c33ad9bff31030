"""How sure an error is, and a difference of two: intervals over polymers.

An error found with n polymers would be another with n others. That, and not how the folds were dealt, is what its reader has
to know. The intervals follow from how much each polymer contributes (the linearised jackknife: Efron, The Jackknife, the
Bootstrap and Other Resampling Plans, 1982, chapter 6), with Student's t of one less than the number of polymers. An error
is positive and its estimate skewed, so its interval is taken on the logarithm. Rows of one polymer count together.

The polymers are chance more than once: they judge the calibrators, and they are what those have learned from, penalties and
all. The variance that the contributions show is that of the judging alone, so it is enlarged (as Nadeau and Bengio, Machine
Learning 52, 2003, 239-281, enlarge it): trebled, of an error as of a difference of two, each of which has learned from them;
and taken from two polymers fewer, which the line of the calibrators costs. Only then is one of two equally good calibrators
called better no more often than is said (``tests/benchmarks/comparison_level.py``), and only then do intervals of 95 % hold
the error for new polymers about as often as they say (``tests/benchmarks/judgement.py``, numbers in docs/uncertainty.md).

A difference of two errors grows with both. Where by chance the few polymers are easy ones, both errors are found too small,
and so is what tells them apart. So the bounds of a difference are those of the paired test, times what the two errors
together may be larger or smaller by, outwards: their signs, and with them the probability, are those of the test.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import ERROR_LEVEL, FloatArray

THRICE = 3.0
"""By what the variance of judging is multiplied for that of learning."""

TWICE = 2.0
"""The same for the size of two errors together: what either has learned by itself is in their difference."""

LINE = 2
"""Parameters that every fitted calibrator learns."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A difference of two root mean square errors, the second minus the first."""

    value: float
    lower: float
    upper: float
    p_value: float  # two-sided, that it is 0; nan where nothing can be told


def error_interval(contributions: FloatArray, groups: IntArray, power: float) -> tuple[float, float]:
    """Return the interval of ``mean(contributions) ** (1 / power)``.

    Parameters
    ----------
    contributions
        (n,) of every row, not negative: squared residuals with power 2, absolute residuals with power 1.
    groups
        (n,) equal for rows of the same polymer.
    """
    mean = float(np.mean(contributions))
    polymers = len(np.unique(groups))
    if polymers < 2 or not np.isfinite(mean):
        return float("nan"), float("nan")
    if mean == 0.0:
        return 0.0, 0.0
    factor = _factor(contributions / mean, groups, power, THRICE)
    value = mean ** (1.0 / power)
    return value / factor, value * factor


def _factor(contributions: FloatArray, groups: IntArray, power: float, larger: float) -> float:
    """Return by what an error may be larger or smaller; contributions (n,) of mean one."""
    polymers = len(np.unique(groups))
    relative = _enlarged(larger, polymers) * _standard_error(contributions - 1.0, groups) / power
    return float(np.exp(min(_t(polymers) * relative, 700.0)))


def _enlarged(larger: float, polymers: int) -> float:
    """Return by what a standard error of judging is multiplied; the variance by ``larger``, with the line taken off."""
    return float(np.sqrt(larger * polymers / max(polymers - LINE, 1)))


def difference_of(first: FloatArray, second: FloatArray, groups: IntArray) -> Difference:
    """Compare two root mean square errors on the same rows.

    Parameters
    ----------
    first, second
        (n,) residuals.
    groups
        (n,) equal for rows of the same polymer.
    """
    largest = float(max(np.abs(first).max(initial=0.0), np.abs(second).max(initial=0.0)))
    polymers = len(np.unique(groups))
    nothing = Difference(0.0, float("nan"), float("nan"), float("nan"))
    if not (largest > 0.0 and np.isfinite(largest)):
        return nothing
    errors, influences, relative = [], [], []
    for residuals in (first, second):
        squared = (residuals / largest) ** 2
        error = float(np.sqrt(np.mean(squared)))
        errors.append(error)
        influences.append((squared - error**2) / (2.0 * error) if error > 0.0 else np.zeros(len(squared)))
        if error > 0.0:
            relative.append(squared / error**2)
    value = errors[1] - errors[0]
    if polymers < 2:
        return Difference(value * largest, nothing.lower, nothing.upper, nothing.p_value)
    error = _enlarged(THRICE, polymers) * _standard_error(influences[1] - influences[0], groups)
    if error <= 1e-14 * abs(value):
        p = 1.0 if value == 0.0 else 0.0
    else:
        p = float(2.0 * stdtr(polymers - 1, -abs(value) / error))
    half = _t(polymers) * error
    size = _factor(np.mean(relative, axis=0), groups, 2.0, TWICE)
    lower, upper = value - half, value + half
    lower *= size if lower < 0.0 else 1.0 / size
    upper *= size if upper > 0.0 else 1.0 / size
    return Difference(value * largest, lower * largest, upper * largest, p)


def _standard_error(influences: FloatArray, groups: IntArray) -> float:
    """Return the standard error of a figure that moves by the mean of these influences, which add up to zero."""
    _, codes = np.unique(groups, return_inverse=True)
    sums = np.bincount(codes, weights=influences)
    polymers = len(sums)
    return float(np.sqrt(polymers / (polymers - 1) * np.sum(sums**2)) / len(influences))


def _t(polymers: int) -> float:
    return float(stdtrit(polymers - 1, 0.5 * (1.0 + ERROR_LEVEL)))
