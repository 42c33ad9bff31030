"""Ordinary linear regression of the measured on the MD value: y = alpha_0 + alpha_1 f."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.data.array_checks import checked_weights, finite_array, same_length
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError


@dataclass(frozen=True, slots=True)
class OrdinaryFit:
    """Intercept and slope on the target scale."""

    alpha_0: float
    alpha_1: float

    def predict(self, f: ArrayLike) -> FloatArray:
        """(m,) alpha_0 + alpha_1 f for MD values f (m,) on the scale of the fit."""
        return self.alpha_0 + self.alpha_1 * np.asarray(f, dtype=np.float64)


def fit_ordinary(f: ArrayLike, y: ArrayLike, weights: ArrayLike | None = None) -> OrdinaryFit:
    """Fit y = alpha_0 + alpha_1 f by (weighted) least squares.

    Parameters
    ----------
    f : (n,) array_like
        MD values on the target scale.
    y : (n,) array_like
        Measured values on the target scale.
    weights : (n,) array_like, optional
        Weight of each squared residual; ones by default. Only their ratios matter.

    Returns
    -------
    OrdinaryFit
        When all MD values (of positive weight) are equal, the slope cannot be told from the data: it is 0 and the
        intercept is the mean of y, the constant that fits best.

    Raises
    ------
    UserError
        When a value is missing or infinite, a weight is negative, or there is no polymer.
    """
    f = finite_array(f, "MD values", 1)
    y = finite_array(y, "Measured values", 1)
    same_length(f.shape[0], y=y)
    if f.shape[0] == 0:
        raise UserError("There is no polymer with a measured and an MD value to fit.")
    w = checked_weights(weights, f.shape[0])
    w = w / w.sum()
    f_mean = float(w @ f)
    y_mean = float(w @ y)
    centred = f - f_mean
    variance = float(w @ centred**2)
    # Rounding alone leaves a spread of about eps times the size of f; below that the slope is noise.
    if variance <= (4 * np.finfo(np.float64).eps * float(np.abs(f).max())) ** 2:
        return OrdinaryFit(alpha_0=y_mean, alpha_1=0.0)
    slope = float(w @ (centred * (y - y_mean))) / variance
    return OrdinaryFit(alpha_0=y_mean - slope * f_mean, alpha_1=slope)
