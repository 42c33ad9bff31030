"""Kernel ridge regression with an intercept: all penalties of a grid from one eigen-decomposition.

    min over a, d of  ||y - K a - d 1||² + λ a'K a                                      (K1)

With C = I - 11'/n the optimum is ``a = (C K C + λ I)^-1 C y``, whose sum is zero, and ``d`` the mean of ``y - K a``.
Everything is stacked: b problems of n rows each.
"""

import numpy as np

from affinecal_gui.calibration.results import FloatArray

ROUNDING = 1e-10
"""Eigenvalues below this share of the largest count as zero when the penalty is zero: the smallest interpolant is taken."""


def ridge_path(K: FloatArray, K_test: FloatArray, y: FloatArray, penalties: FloatArray) -> FloatArray:
    """Return (b, g, t) predictions at every penalty.

    Parameters
    ----------
    K
        (b, n, n) Gram matrices of the training rows.
    K_test
        (b, t, n) kernel between test and training rows.
    y
        (b, n) targets.
    penalties
        (g,) not negative; zero is the limit.
    """
    values, vectors, rotated, mean = _decompose(K, y)
    shrunk = rotated[:, None, :] * _inverse(values[:, None, :], penalties[None, :, None])
    # The weights sum to zero, so the test kernel may be centred by the training means.
    basis = (K_test - K.mean(axis=1, keepdims=True)) @ vectors
    return np.asarray(mean[:, None, None] + shrunk @ basis.transpose(0, 2, 1))


def fit_ridge(K: FloatArray, y: FloatArray, penalty: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return weights a (b, n) and intercepts d (b,) of b problems, each with its own penalty (b,)."""
    values, vectors, rotated, mean = _decompose(K, y)
    shrunk = rotated * _inverse(values, penalty[:, None])
    a = (vectors @ shrunk[:, :, None])[:, :, 0]
    a -= a.mean(axis=1, keepdims=True)
    return a, np.asarray(mean - np.einsum("bij,bj->b", K, a) / K.shape[1])


def _decompose(K: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Eigenvalues (b, n) and eigenvectors of the centred Gram matrices, the centred targets in them, and their means."""
    rows = K.mean(axis=1, keepdims=True)
    centred = K - rows - K.mean(axis=2, keepdims=True) + rows.mean(axis=2, keepdims=True)
    values, vectors = np.linalg.eigh(centred)
    mean = y.mean(axis=1)
    rotated = ((y - mean[:, None])[:, None, :] @ vectors)[:, 0]
    return np.maximum(values, 0.0), vectors, rotated, mean


def _inverse(values: FloatArray, penalty: FloatArray) -> FloatArray:
    """1 / (eigenvalue + penalty), and 0 in directions that neither of them determines."""
    total = values + penalty
    nothing = (penalty <= 0.0) & (values <= ROUNDING * values.max(axis=-1, keepdims=True, initial=0.0))
    return np.where(nothing | (total <= 0.0), 0.0, 1.0 / np.where(total > 0.0, total, 1.0))
