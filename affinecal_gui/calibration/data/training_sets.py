"""The part of a training set that knows nothing of descriptors: weights, regression line, centred basis."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True)
class Regression:
    """S training sets over the same n rows: least squares of y on f in each, and the basis that it suggests.

    With ``y - alpha_0 - alpha_1 f = basis' (1, -alpha_1', -alpha_0')`` the three basis vectors are the residual of the
    regression line, f minus its training mean, and ones: orthogonal in the training rows, so that nothing cancels.
    """

    total: FloatArray  # (S,) sum of the weights
    mean: FloatArray  # (S,) weighted mean of f
    spread: FloatArray  # (S,) weighted sum of squares of f - mean; 1 where flat
    flat: NDArray[np.bool_]  # (S,) all f of positive weight are equal: their slope is taken as 0
    intercept: FloatArray  # (S,) of the regression line
    slope: FloatArray  # (S,)
    basis: FloatArray  # (S, 3, n) in all rows, training or not

    def take(self, rows: NDArray[np.int64]) -> "Regression":
        """Keep some of the sets, in the given order; repeats are allowed."""
        return Regression(
            self.total[rows],
            self.mean[rows],
            self.spread[rows],
            self.flat[rows],
            self.intercept[rows],
            self.slope[rows],
            self.basis[rows],
        )

    def without_basis(self) -> "Regression":
        """Drop the basis vectors, for sweeps that only need the numbers of each set."""
        return Regression(
            self.total,
            self.mean,
            self.spread,
            self.flat,
            self.intercept,
            self.slope,
            np.empty((len(self.total), 3, 0)),
        )

    def alpha(self, alpha_1: FloatArray, alpha_0: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Turn centred parameters (alpha_1', alpha_0') into (alpha_1, alpha_0) of the model."""
        return self.slope + alpha_1, self.intercept + alpha_0 - alpha_1 * self.mean

    def residual(self, alpha_1: FloatArray, alpha_0: FloatArray) -> FloatArray:
        """(S, n) y - alpha_0 - alpha_1 f for centred parameters."""
        return self.basis[:, 0] - alpha_1[:, np.newaxis] * self.basis[:, 1] - alpha_0[:, np.newaxis]


def regress(f: FloatArray, y: FloatArray, weights: FloatArray) -> Regression:
    """Weighted least squares of y on f in every training set.

    Parameters
    ----------
    f, y : (n,) or (S, n) arrays
    weights : (S, n) array
        Zero in the rows that are not of the training set.
    """
    total = weights.sum(axis=1)
    f = np.broadcast_to(f, weights.shape)
    y = np.broadcast_to(y, weights.shape)
    mean = (weights * f).sum(axis=1) / total
    middle = (weights * y).sum(axis=1) / total
    centred = f - mean[:, np.newaxis]
    weighted = weights * centred
    spread = (weighted * centred).sum(axis=1)
    # Rounding alone leaves a spread of about eps times the size of f; below that the slope is noise.
    size = np.where(weights > 0, np.abs(f), 0.0).max(axis=1, initial=0.0)
    flat = spread <= total * (4.0 * np.finfo(np.float64).eps * size) ** 2
    centred = np.where(flat[:, np.newaxis], 0.0, centred)
    spread = np.where(flat, 1.0, spread)
    slope = np.where(flat, 0.0, (weighted * (y - middle[:, np.newaxis])).sum(axis=1) / spread)
    basis = np.empty((weights.shape[0], 3, weights.shape[1]))
    basis[:, 0] = y - middle[:, np.newaxis] - slope[:, np.newaxis] * centred
    basis[:, 1] = centred
    basis[:, 2] = 1.0
    return Regression(total, mean, spread, flat, middle - slope * mean, slope, basis)
