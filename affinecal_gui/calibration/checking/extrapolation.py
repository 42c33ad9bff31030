"""Which calibrated values of the library say something, and which are extrapolations without meaning."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray

FARTHEST = 1.0
"""A calibrated value may lie beyond the measured ones by this many times their range, MD's own lead not counted."""

WIDEST = 10.0
"""An interval wider than this many times the range of the measured values says nothing."""

SMALLEST_RANGE = 0.1
"""Polymers that differ less than this (ln scale; linear: share of the typical value) count as differing by so much."""


def without_meaning(
    y: FloatArray,
    f: FloatArray,
    library_f: FloatArray,
    value: FloatArray,
    lower: FloatArray,
    upper: FloatArray,
    log_scale: bool,
) -> NDArray[np.bool_]:
    """Say which calibrated values are extrapolations that must not be shown as numbers.

    The descriptors of a polymer may lie so far from those of the fit that a calibrator, linear in them, returns anything:
    with the paper's z-scoring a descriptor that hardly varies among the measured polymers (an element that none of them
    contains) turns into 1e20 standard units, and eight measured polymers leave most directions of 190 descriptors open.

    Parameters
    ----------
    y, f
        (n,) measured and MD values of the polymers of the fit, target scale. The larger of their two ranges is the unit
        of both rules, because measured values of few polymers may lie close together by chance.
    library_f
        (m,) MD values, target scale: by as much as one lies beyond those of the fit, so may its calibrated value. nan for
        polymers of a calibrator that looks at none.
    value, lower, upper
        (m,) calibrated values with their intervals, target scale; nan where there is none, which is no extrapolation.

    Returns
    -------
    (m,) True for values that lie more than :data:`FARTHEST` ranges beyond the measured ones, or whose interval is wider
    than :data:`WIDEST` ranges.
    """
    smallest = SMALLEST_RANGE * (1.0 if log_scale else float(np.median(np.abs(y))))
    span = max(float(np.ptp(y)), float(np.ptp(f)), smallest)
    with np.errstate(over="ignore", invalid="ignore"):
        beyond = np.maximum(y.min() - value, value - y.max())
        led = np.fmax(np.maximum(f.min() - library_f, library_f - f.max()), 0.0)
        far = beyond - led > FARTHEST * span
        wide = upper - lower > WIDEST * span
    return np.asarray(far | wide | np.isinf(value) | np.isinf(lower) | np.isinf(upper))
