"""Fused ridge on the difference between measured and MD value: y - f = x' gamma + intercept."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.data.array_checks import checked_weights, finite_array, read_only, same_length
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.dual_problems import checked_kernel
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, from_modes, to_modes
from affinecal_gui.calibration.solvers.primal_problems import solve_ridge
from affinecal_gui.errors import UserError
from affinecal_gui.threads import one_thread_each


@dataclass(frozen=True, slots=True)
class LogDifferenceFit:
    """Intercept and (d,) coefficients on the target scale per unit of the given descriptors."""

    intercept: float
    gamma: FloatArray

    def predict(self, X: ArrayLike, f: ArrayLike) -> FloatArray:
        """(m,) f + intercept + X gamma for descriptors X (m, d) and unscaled MD values f (m,)."""
        return np.asarray(f, dtype=np.float64) + self.intercept + np.asarray(X, dtype=np.float64) @ self.gamma


def fit_log_difference(
    X: ArrayLike, f: ArrayLike, y: ArrayLike, penalty: FusedRidge, weights: ArrayLike | None = None
) -> LogDifferenceFit:
    """Fit y - f = X gamma + intercept; the intercept is the (weighted) mean of the training differences.

    gamma = (X' W X + Lambda)^-1 X' W (y - f - intercept), solved as d or n equations, whichever is fewer.

    Parameters
    ----------
    X : (n, d) array_like
        Descriptors, scaled by the caller.
    f, y : (n,) array_like
        MD and measured values on the target scale; f is not scaled.
    penalty : FusedRidge
        Lambda, over d descriptors.
    weights : (n,) array_like, optional
        Weight of each squared residual; ones by default. They are used as they are: doubling a weight equals
        repeating the row.

    Raises
    ------
    UserError
        When a value is missing or infinite, a weight is negative, or there is no polymer.
    """
    X = finite_array(X, "Descriptors", 2)
    f = finite_array(f, "MD values", 1)
    y = finite_array(y, "Measured values", 1)
    n, d = X.shape
    same_length(n, f=f, y=y)
    if n == 0:
        raise UserError("There is no polymer with a measured and an MD value to fit.")
    if d != penalty.n_features:
        raise ValueError(f"X has {d} descriptors, the penalty {penalty.n_features}")
    w = checked_weights(weights, n)
    difference = y - f
    intercept = float(w @ difference / w.sum())
    target = difference - intercept
    root = np.sqrt(w)
    A = root[:, np.newaxis] * X
    with one_thread_each(min(n, d)):
        gamma = _ridge(A, root * target, penalty)
    return LogDifferenceFit(intercept=intercept, gamma=read_only(gamma))


def _ridge(A: FloatArray, target: FloatArray, penalty: FusedRidge) -> FloatArray:
    """Solve min |A gamma - target|^2 + gamma' Lambda gamma."""
    n, d = A.shape
    if n < d:
        smoothed = penalty.solve(A.T)
        kernel = A @ smoothed
        kernel[np.diag_indices(n)] += 1.0
        return np.asarray(smoothed @ np.linalg.solve(checked_kernel(kernel), target))
    moments = to_modes(to_modes(A.T @ A, penalty.sizes).T.copy(), penalty.sizes)
    return from_modes(solve_ridge(moments, penalty.eigenvalues, to_modes(target @ A, penalty.sizes)), penalty.sizes)
