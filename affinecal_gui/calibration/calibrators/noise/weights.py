"""Weights of measured values from what is known about their quality."""

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.results import FloatArray

COMMON_SHARE = 0.5
"""Share of the variance of one measurement that repeating it on the same sample does not reduce."""


def weights_from_uncertainties(
    measured: ArrayLike, md: ArrayLike, uncertainty: ArrayLike, *, log_scale: bool
) -> FloatArray:
    """Weigh measured values by ``1 / (t^2 + u_i^2)``, t^2 being the scatter that their uncertainties leave unexplained.

    Weights of ``1 / u_i^2`` alone would hand the fit to the one polymer with the smallest stated uncertainty, although
    polymers scatter about any calibration for other reasons too. t^2 is the moment estimate of Paule and Mandel
    (Journal of Research of the National Bureau of Standards 87, 1982, 377-385) about the ordinary regression on MD.

    Parameters
    ----------
    measured, md
        (n,) property unit.
    uncertainty
        (n,) standard uncertainty of each measured value, property unit; where it is missing (nan) the median of the
        others is taken.
    log_scale
        Whether the target scale is the natural logarithm; uncertainties then count relative to the value.

    Returns
    -------
    (n,) array
        Mean one.

    Raises
    ------
    CalibrationInputError
        An uncertainty that is negative or infinite, or none that is known.
    """
    y, f, u = (np.array(values, dtype=np.float64) for values in (measured, md, uncertainty))
    known = ~np.isnan(u)
    bad = np.flatnonzero(known & ~(np.isfinite(u) & (u >= 0.0)))
    if len(bad):
        raise CalibrationInputError(
            f"The uncertainty of a measured value must be zero or positive; polymer {bad[0] + 1} has {u[bad[0]]:g}.",
            tuple(int(row) for row in bad),
        )
    if not known.any():
        raise CalibrationInputError("No measured value has an uncertainty to weigh it by.")
    if log_scale:
        u = u / y
        y, f = np.log(y), np.log(f)
    u[~known] = np.median(u[known])
    unit = max(float(np.std(y)), float(u.max()))
    if unit == 0.0:
        return np.ones(len(y))
    squared = (u / unit) ** 2

    def excess(scatter: float) -> float:
        """Weighted sum of squares minus its expectation; falls as the scatter grows."""
        w = 1.0 / (scatter + squared)
        line = fit_ordinary(f, y, w / w.max())
        return float(np.sum(w * ((y - line.predict(f)) / unit) ** 2)) - (len(y) - 2)

    low, high = 1e-12, 1.0
    while excess(high) > 0.0 and high < 1e6:
        high *= 10.0
    if excess(low) > 0.0:
        for _ in range(60):
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if excess(middle) > 0.0 else (low, middle)
    else:
        high = low
    weights = 1.0 / (high + squared)
    return np.asarray(weights / weights.mean())


def weights_from_repeats(repeats: ArrayLike, common_share: float = COMMON_SHARE) -> FloatArray:
    """Weigh means by how many measurements they hold: ``r / (1 + (r - 1) c)``, c the share that repeats do not reduce.

    With c = 0 ten repeats count ten times one, with c = 1 they count the same; in between the weight stays below 1 / c.

    Parameters
    ----------
    repeats
        (n,) numbers of measurements, at least 1; missing ones (nan) count as 1.
    common_share
        c, 0 to 1.

    Raises
    ------
    CalibrationInputError
        A number of repeats below one.
    """
    r = np.array(repeats, dtype=np.float64)
    r[np.isnan(r)] = 1.0
    bad = np.flatnonzero(~(np.isfinite(r) & (r >= 1.0)))
    if len(bad):
        raise CalibrationInputError(
            f"The number of repeats must be at least 1; polymer {bad[0] + 1} has {r[bad[0]]:g}.",
            tuple(int(row) for row in bad),
        )
    if not 0.0 <= common_share <= 1.0:
        raise ValueError("common_share must lie between 0 and 1")
    weights = r / (1.0 + (r - 1.0) * common_share)
    return np.asarray(weights / weights.mean())
