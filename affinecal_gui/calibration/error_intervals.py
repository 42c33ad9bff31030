"""How sure an error is, and a difference of two: intervals over polymers.

An error found with n polymers would be another with n others. That, and not how the folds were dealt, is what its reader has
to know. The intervals follow from how much each polymer contributes (the linearised jackknife: Efron, The Jackknife, the
Bootstrap and Other Resampling Plans, 1982, chapter 6), with Student's t of one less than the number of polymers. An error
is positive and its estimate skewed, so its interval is taken on the logarithm. Rows of one polymer count together.

The polymers are chance twice: they judge the calibrators, and they are what those have learned from. The variance that the
contributions show is that of the judging alone, so it is doubled (as Nadeau and Bengio, Machine Learning 52, 2003, 239-281,
enlarge it). Without that, intervals of 95 % held the error for new polymers in 65 to 87 % of simulated studies, with it in
75 to 100 %, calibrator by calibrator (docs/uncertainty.md, ``tests/benchmarks/judgement.py``).

In a difference of two errors they are chance three times: each of two calibrators has learned from them. So its variance is
trebled, and taken from two polymers fewer, which the line of the calibrators costs. Only then is one of two equally good
calibrators called better no more often than is said (``tests/benchmarks/comparison_level.py``).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr, stdtrit

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import ERROR_LEVEL, FloatArray

TWICE = 2.0
"""By what the variance of judging is multiplied for that of learning."""

THRICE = 3.0
"""The same for the difference of two errors."""

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
    relative = np.sqrt(TWICE) * _standard_error(contributions / mean - 1.0, groups) / power
    factor = float(np.exp(min(_t(polymers) * relative, 700.0)))
    value = mean ** (1.0 / power)
    return value / factor, value * factor


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
    errors, influences = [], []
    for residuals in (first, second):
        squared = (residuals / largest) ** 2
        error = float(np.sqrt(np.mean(squared)))
        errors.append(error)
        influences.append((squared - error**2) / (2.0 * error) if error > 0.0 else np.zeros(len(squared)))
    value = errors[1] - errors[0]
    if polymers < 2:
        return Difference(value * largest, nothing.lower, nothing.upper, nothing.p_value)
    larger = THRICE * polymers / max(polymers - LINE, 1)
    error = float(np.sqrt(larger)) * _standard_error(influences[1] - influences[0], groups)
    if error <= 1e-14 * abs(value):
        p = 1.0 if value == 0.0 else 0.0
    else:
        p = float(2.0 * stdtr(polymers - 1, -abs(value) / error))
    half = _t(polymers) * error
    return Difference(value * largest, (value - half) * largest, (value + half) * largest, p)


def _standard_error(influences: FloatArray, groups: IntArray) -> float:
    """Return the standard error of a figure that moves by the mean of these influences, which add up to zero."""
    _, codes = np.unique(groups, return_inverse=True)
    sums = np.bincount(codes, weights=influences)
    polymers = len(sums)
    return float(np.sqrt(polymers / (polymers - 1) * np.sum(sums**2)) / len(influences))


def _t(polymers: int) -> float:
    return float(stdtrit(polymers - 1, 0.5 * (1.0 + ERROR_LEVEL)))
