"""Kernel ridge regression with an intercept: all penalties of a grid from one eigen-decomposition.

    min over a, d of  ||y - K a - d 1||² + λ a'K a                                      (K1)

With C = I - 11'/n the optimum is ``a = (C K C + λ I)^-1 C y``, whose sum is zero, and ``d`` the mean of ``y - K a``.
Everything is stacked: b problems of n rows each.

With weights w of the squared residuals, v = √w, V = diag(v) and P = I - v v'/v'v instead of C:

    a = V (P V K V P + λ I)^-1 P V y,    d the weighted mean of y - K a                    (K2)
"""

import numpy as np

from affinecal_gui.calibration.results import FloatArray

ROUNDING = 1e-10
"""Eigenvalues below this share of the largest count as zero when the penalty is zero: the smallest interpolant is taken."""


def ridge_path(
    K: FloatArray, K_test: FloatArray, y: FloatArray, penalties: FloatArray, root: FloatArray | None = None
) -> FloatArray:
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
    root
        (b, n) positive square roots of the weights of the rows; None: all count the same.
    """
    values, vectors, rotated, mean = _decompose(K, y, root)
    shrunk = rotated[:, None, :] * _inverse(values[:, None, :], penalties[None, :, None])
    if root is not None:
        share = _share(root)
        centred = K_test - share[:, None, :] @ K
        basis = centred @ (root[:, :, None] * vectors)
        return np.asarray(mean[:, None, None] + shrunk @ basis.transpose(0, 2, 1))
    # The weights sum to zero, so the test kernel may be centred by the training means.
    basis = (K_test - K.mean(axis=1, keepdims=True)) @ vectors
    return np.asarray(mean[:, None, None] + shrunk @ basis.transpose(0, 2, 1))


def fit_ridge(
    K: FloatArray, y: FloatArray, penalty: FloatArray, root: FloatArray | None = None
) -> tuple[FloatArray, FloatArray]:
    """Return coefficients a (b, n) and intercepts d (b,) of b problems, each with its own penalty (b,).

    ``root`` (b, n) are square roots of the weights of the rows.
    """
    values, vectors, rotated, mean = _decompose(K, y, root)
    shrunk = rotated * _inverse(values, penalty[:, None])
    a = (vectors @ shrunk[:, :, None])[:, :, 0]
    if root is not None:
        a -= root * ((root * a).sum(axis=1) / (root**2).sum(axis=1))[:, None]
        a *= root
        return a, np.asarray(mean - np.einsum("bi,bij,bj->b", _share(root), K, a, optimize=True))
    a -= a.mean(axis=1, keepdims=True)
    return a, np.asarray(mean - np.einsum("bij,bj->b", K, a) / K.shape[1])


def _share(root: FloatArray) -> FloatArray:
    """(b, n) the weights, as shares of their sum."""
    w = root**2
    return np.asarray(w / w.sum(axis=1, keepdims=True))


def _decompose(
    K: FloatArray, y: FloatArray, root: FloatArray | None
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Eigenvalues (b, n) and eigenvectors of the centred Gram matrices, the centred targets in them, and their means."""
    if root is not None:
        return _decompose_weighted(K, y, root)
    rows = K.mean(axis=1, keepdims=True)
    centred = K - rows - K.mean(axis=2, keepdims=True) + rows.mean(axis=2, keepdims=True)
    values, vectors = np.linalg.eigh(centred)
    mean = y.mean(axis=1)
    rotated = ((y - mean[:, None])[:, None, :] @ vectors)[:, 0]
    return np.maximum(values, 0.0), vectors, rotated, mean


def _decompose_weighted(
    K: FloatArray, y: FloatArray, root: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the same of P V K V P and P V y (K2)."""
    M = root[:, :, None] * K * root[:, None, :]
    e = root / np.sqrt((root**2).sum(axis=1, keepdims=True))
    Me = (M @ e[:, :, None])[:, :, 0]
    half = Me - 0.5 * e * (e * Me).sum(axis=1, keepdims=True)
    outer = e[:, :, None] * half[:, None, :]
    values, vectors = np.linalg.eigh(M - outer - outer.transpose(0, 2, 1))
    mean = (_share(root) * y).sum(axis=1)
    rotated = ((root * (y - mean[:, None]))[:, None, :] @ vectors)[:, 0]
    return np.maximum(values, 0.0), vectors, rotated, mean


def _inverse(values: FloatArray, penalty: FloatArray) -> FloatArray:
    """1 / (eigenvalue + penalty), and 0 in directions that neither of them determines."""
    total = values + penalty
    nothing = (penalty <= 0.0) & (values <= ROUNDING * values.max(axis=-1, keepdims=True, initial=0.0))
    return np.where(nothing | (total <= 0.0), 0.0, 1.0 / np.where(total > 0.0, total, 1.0))
