"""How well predicted and measured values agree."""

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.error_intervals import error_interval
from affinecal_gui.calibration.results import UNKNOWN, FloatArray, Metrics

LARGEST_EXPONENT = 700.0

ROUNDING = 1e-9
"""Values that differ by less than this share of the largest do not differ."""


def to_property_unit(values: FloatArray, log_scale: bool) -> FloatArray:
    """Take values from the target scale to the property's unit; a runaway logarithm ends at 1e304, not at infinity."""
    if not log_scale:
        return np.array(values, dtype=np.float64)
    return np.exp(np.clip(values, -LARGEST_EXPONENT, LARGEST_EXPONENT))


def root_mean_square(residuals: FloatArray) -> float:
    """Return the root mean square; computed relative to the largest entry, so that no unit overflows."""
    largest = float(np.max(np.abs(residuals), initial=0.0))
    if largest == 0.0 or not np.isfinite(largest):
        return largest
    return largest * float(np.sqrt(np.mean((residuals / largest) ** 2)))


def measure(
    measured: FloatArray,
    predicted: FloatArray,
    log_scale: bool,
    repetition_rmse: FloatArray | None = None,
    groups: IntArray | None = None,
) -> Metrics:
    """Compare predictions with measured values.

    Parameters
    ----------
    measured
        (n,) target scale.
    predicted
        (n,) target scale.
    log_scale
        Whether the target scale is the natural logarithm of the property.
    repetition_rmse
        (r,) RMSE (target scale) of every out-of-fold repetition; its standard error is the standard deviation (ddof = 1)
        divided by the square root of r. It tells how far the figure depends on the random folds, not on the polymers.
    groups
        (n,) equal for rows of the same polymer; with them the errors have intervals over polymers.

    Returns
    -------
    Metrics
        ``r2`` is nan where the measured values are all equal, rounding apart: there is nothing to explain.
    """
    y = to_property_unit(measured, log_scale)
    p = to_property_unit(predicted, log_scale)
    residual = p - y
    rmse = root_mean_square(residual)
    spread = root_mean_square(y - y.mean())
    r = 0 if repetition_rmse is None else len(repetition_rmse)
    error = (
        float(np.std(repetition_rmse, ddof=1) / np.sqrt(r)) if repetition_rmse is not None and r > 1 else float("nan")
    )
    if repetition_rmse is not None and error <= ROUNDING * float(np.max(np.abs(repetition_rmse), initial=0.0)):
        error = 0.0  # nothing was fitted, so that all repetitions are the same but for rounding
    intervals = [UNKNOWN, UNKNOWN, UNKNOWN]
    if groups is not None:
        of_unit, of_target = (_squared(one) for one in (residual, predicted - measured))
        intervals = [
            _scaled(error_interval(of_unit[0], groups, 2.0), of_unit[1]),
            _scaled(error_interval(np.sqrt(of_unit[0]), groups, 1.0), of_unit[1]),
            _scaled(error_interval(of_target[0], groups, 2.0), of_target[1]),
        ]
    return Metrics(
        n=len(y),
        rmse=rmse,
        mae=float(np.mean(np.abs(residual))),
        r2=1.0 - rmse / spread * (rmse / spread) if spread > ROUNDING * float(np.abs(y).max()) else float("nan"),
        rmse_target_scale=root_mean_square(predicted - measured),
        rmse_standard_error=error,
        within_ten_percent=int(np.sum(np.abs(residual) <= 0.1 * np.abs(y))),
        rmse_interval=intervals[0],
        mae_interval=intervals[1],
        rmse_target_scale_interval=intervals[2],
    )


def _squared(residuals: FloatArray) -> tuple[FloatArray, float]:
    """Square residuals in units of the largest, so that no unit overflows; that unit is handed back."""
    largest = float(np.max(np.abs(residuals), initial=0.0))
    unit = largest if largest > 0.0 and np.isfinite(largest) else 1.0
    return (residuals / unit) ** 2, unit


def _scaled(interval: tuple[float, float], unit: float) -> tuple[float, float]:
    return interval[0] * unit, interval[1] * unit
