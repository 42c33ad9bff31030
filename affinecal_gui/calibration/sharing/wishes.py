"""The probability that polymers meet wishes, by what held-out measurements have shown of the errors of their calibrators.

A measurement is the calibrated value plus the polymer's spread times an error, which is like one of the held-out residuals,
each in units of its own spread. Wishes about several properties are met together: where their calibrators share training
polymers, the errors of one polymer stay together, so that the dependence between the properties is that of the residuals.
Each error stands for a normal distribution about itself (a kernel density estimate that keeps mean and variance), so that no
probability is 0 or 1 only because few polymers were measured.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from affinecal_gui.calibration.results import FloatArray

MOST_ERRORS = 600
"""Errors, of one property or of several together, that a probability is averaged over."""

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True, eq=False)
class ErrorsShown:
    """Held-out residuals of one calibrator in units of their spreads, with their signs; target scale."""

    values: FloatArray  # (r, n) repetition by repetition, in the order of the training polymers
    polymers: int  # that they come from
    level: float  # of the intervals of the calibrator
    in_order: bool = True  # False: nothing tells which polymer an error belongs to

    @property
    def half_width(self) -> float:
        """By how many spreads an interval reaches to either side."""
        ordered = np.sort(np.abs(self.values), axis=None)
        rank = math.ceil(self.level * (self.polymers + 1) / self.polymers * len(ordered) - 1e-9)
        return float(ordered[min(rank, len(ordered)) - 1])


@dataclass(frozen=True, slots=True)
class Wanted:
    """Between which bounds a property is wanted, target scale; infinite where there is none."""

    low: float = -math.inf
    high: float = math.inf
    beyond: float | None = None  # wanted as far beyond this as possible: above it, or below it where ``downwards``
    downwards: bool = False


def errors_together(errors: Sequence[ErrorsShown], same: FloatArray) -> FloatArray:
    """Return (c, p) errors of p properties that belong together.

    The ranks come from the polymers that all calibrators have in common, the sizes of the errors from all polymers of each.

    Parameters
    ----------
    errors
        Of the p calibrators.
    same
        (q, p) places of q common polymers among the training polymers of each calibrator; whole numbers.
    """
    repetitions = min(len(one.values) for one in errors)
    places = np.asarray(same, dtype=np.int64)
    columns = []
    for number, one in enumerate(errors):
        own = one.values[:repetitions, places[:, number]].ravel()
        ranks = np.empty(len(own))
        ranks[np.argsort(own, kind="stable")] = np.arange(len(own))
        columns.append(np.quantile(one.values, (ranks + 0.5) / len(own)))
    return _fewer(np.column_stack(columns))


def errors_alone(errors: ErrorsShown) -> FloatArray:
    """Return (c, 1) errors of one property."""
    return _fewer(np.sort(errors.values, axis=None)[:, None])


def worth_of_all(
    parts: Sequence[FloatArray], centre: FloatArray, spread: FloatArray, wanted: Sequence[Wanted]
) -> FloatArray:
    """Return (k,) what :func:`chance_of_all` does, for errors that are known together or for each property alone.

    Parameters
    ----------
    parts
        One array (c, p), or of each of p properties an array (c, 1), which are independent of each other.
    """
    if len(parts) == 1:
        return chance_of_all(parts[0], centre, spread, wanted)
    each = [
        chance_of_all(own, centre[:, [number]], spread[:, [number]], [wanted[number]])
        for number, own in enumerate(parts)
    ]
    return np.asarray(np.prod(each, axis=0))


def chance_of_all(errors: FloatArray, centre: FloatArray, spread: FloatArray, wanted: Sequence[Wanted]) -> FloatArray:
    """Return (k,) the probability that all of p properties lie within their bounds.

    Where a property is wanted beyond some value, it is the expected improvement upon that, which counts only where all bounds
    are met (Jones, Schonlau, Welch, J. Global Optimization 13, 1998, 455-492; of several, their product).

    Parameters
    ----------
    errors
        (c, p) that belong together, row by row.
    centre, spread
        (k, p) calibrated values and the spread of a measurement about them, target scale; nan where there is none.
    wanted
        (p,) bounds.
    """
    width = _bandwidth(errors)
    middle = errors.mean(axis=0)
    # Narrowed so that the normal distributions about the errors have, together, the variance of the errors.
    narrowed = middle + (errors - middle) / np.sqrt(1.0 + width**2 / np.maximum(errors.var(axis=0), _TINY))
    found = np.empty(len(centre))
    for start in range(0, len(centre), ROWS_AT_ONCE):
        part = slice(start, start + ROWS_AT_ONCE)
        together = np.ones((len(centre[part]), len(errors)))
        for number, bounds in enumerate(wanted):
            size = np.maximum(spread[part, number], _TINY)[:, None]

            def below(bound: float, number: int = number, size: FloatArray = size, part: slice = part) -> FloatArray:
                standard = ((bound - centre[part, number])[:, None] / size - narrowed[:, number]) / width[number]
                return np.asarray(ndtr(standard))

            if bounds.beyond is not None:
                middles = centre[part, number][:, None] + size * narrowed[:, number]
                together *= _improvement(middles, size * width[number], bounds)
            elif bounds.high < math.inf:
                together *= below(bounds.high) - (below(bounds.low) if bounds.low > -math.inf else 0.0)
            elif bounds.low > -math.inf:
                together *= 1.0 - below(bounds.low)
        found[part] = together.mean(axis=1)
    return np.where(np.isfinite(centre).all(axis=1) & np.isfinite(spread).all(axis=1), found, np.nan)


_TINY = 1e-300


def _improvement(middle: FloatArray, size: FloatArray, bounds: Wanted) -> FloatArray:
    """(k, c) expected improvement, within the bounds, of normal distributions about ``middle`` (k, c) of ``size`` (k, 1)."""
    assert bounds.beyond is not None
    sign = -1.0 if bounds.downwards else 1.0
    low, high = (-bounds.high, -bounds.low) if bounds.downwards else (bounds.low, bounds.high)
    middle, beyond = sign * middle, sign * bounds.beyond
    low = max(low, beyond)
    if low >= high:
        return np.zeros_like(middle)
    first, last = (low - middle) / size, (high - middle) / size
    # The integral of (z - beyond) times a normal density from low to high.
    inside = ndtr(last) - ndtr(first)
    return np.asarray(np.maximum((middle - beyond) * inside + size * (_density(first) - _density(last)), 0.0))


def _density(standard: FloatArray) -> FloatArray:
    return np.asarray(np.exp(-0.5 * standard**2) / math.sqrt(2.0 * math.pi))


def _bandwidth(errors: FloatArray) -> FloatArray:
    """(p,) by Scott's rule for c errors of p properties."""
    count, properties = errors.shape
    return np.asarray(np.maximum(errors.std(axis=0) * count ** (-1.0 / (properties + 4)), _TINY))


def _fewer(errors: FloatArray) -> FloatArray:
    """Return at most :data:`MOST_ERRORS` rows, evenly taken in the order of the first property."""
    if len(errors) <= MOST_ERRORS:
        return errors
    order = np.argsort(errors[:, 0], kind="stable")
    taken = np.floor((np.arange(MOST_ERRORS) + 0.5) * len(errors) / MOST_ERRORS).astype(np.int64)
    return np.asarray(errors[order[taken]])
