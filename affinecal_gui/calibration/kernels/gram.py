"""Kernel functions and their Gram matrices."""

from typing import Literal

import numpy as np

from affinecal_gui.calibration.results import FloatArray, KernelName

__all__ = ("KERNELS", "KernelName", "default_length", "factor", "gram_matrix", "kernel_slopes")

KERNELS: tuple[KernelName, ...] = ("rbf", "linear", "matern12", "matern32", "matern52")


def gram_matrix(kernel: KernelName, A: FloatArray, B: FloatArray, length: float | None = None) -> FloatArray:
    """Return (k, n) values of a kernel between the rows of A (k, p) and B (n, p).

    With r the Euclidean distance and l the length scale:

    =========  ==============================================
    rbf        exp(-r² / 2 l²)
    linear     a'b / l²
    matern12   exp(-r/l)
    matern32   (1 + √3 r/l) exp(-√3 r/l)
    matern52   (1 + √5 r/l + 5 r²/3 l²) exp(-√5 r/l)
    =========  ==============================================

    Parameters
    ----------
    kernel
        One of :data:`KERNELS`.
    A, B
        Features, standardised.
    length
        Length scale; None for the square root of the dimension p, as in the paper.
    """
    p = A.shape[1]
    scale = default_length(p) if length is None else float(length)
    if not p:
        # Without a feature all rows are alike.
        return np.full((len(A), len(B)), 0.0 if kernel == "linear" else 1.0)
    a, b = A / scale, B / scale
    if kernel == "linear":
        return np.asarray(a @ b.T)
    if kernel == "rbf":
        return np.exp(-0.5 * _distances(a, b, "sqeuclidean"))
    r = _distances(a, b)
    if kernel == "matern12":
        return np.exp(-r)
    if kernel == "matern32":
        r *= np.sqrt(3.0)
        return np.asarray((1.0 + r) * np.exp(-r))
    if kernel == "matern52":
        r *= np.sqrt(5.0)
        return np.asarray((1.0 + r + r * r / 3.0) * np.exp(-r))
    raise ValueError(f"there is no kernel {kernel!r}; there are {', '.join(KERNELS)}")


def kernel_slopes(
    kernel: KernelName, A: FloatArray, B: FloatArray, length: float
) -> tuple[FloatArray, FloatArray | None]:
    """Return how a kernel k(r) of the distance changes: its first derivative is ``-slope (a - b)``.

    The mixed second derivative by a_j and b_j is ``slope + bend (a_j - b_j)²``.

    Parameters
    ----------
    kernel
        Any but the linear one.
    A, B
        (k, p), (n, p) features.
    length
        Length scale.

    Returns
    -------
    (k, n) array
        ``slope = -k'(r) / r``; of equal rows, where that of "matern12" has no limit, 0.
    (k, n) array or None
        ``bend = slope'(r) / r``, of equal rows 0 where it has no limit; None for "matern12", which has no second derivative.
    """
    square = length**2
    if kernel == "rbf":
        slope = gram_matrix(kernel, A, B, length) / square
        return slope, -slope / square
    r = _distances(A / length, B / length)
    apart = np.where(r > 0.0, r, 1.0)
    if kernel == "matern12":
        return np.where(r > 0.0, np.exp(-r) / apart, 0.0) / square, None
    if kernel == "matern32":
        s = np.sqrt(3.0)
        slope = s**2 * np.exp(-s * r) / square
        return slope, np.where(r > 0.0, -s * slope / apart, 0.0) / square
    if kernel == "matern52":
        s = np.sqrt(5.0)
        decay = s**2 / 3.0 * np.exp(-s * r) / square
        return decay * (1.0 + s * r), -(s**2) * decay / square
    raise ValueError(f"the kernel {kernel!r} is not one of the distance")


def _distances(a: FloatArray, b: FloatArray, metric: Literal["euclidean", "sqeuclidean"] = "euclidean") -> FloatArray:
    """(k, n) between rows of a (k, p) and b (n, p)."""
    from scipy.spatial.distance import cdist  # takes a second to load, and most calibrators have no kernel

    return np.asarray(cdist(a, b, metric))


def default_length(dimension: float) -> float:
    """Return the paper's length scale, the square root of the dimension (1 without any)."""
    return float(np.sqrt(dimension)) if dimension > 0.0 else 1.0


def factor(K: FloatArray, tolerance: float = 1e-12) -> tuple[FloatArray, FloatArray]:
    """Return L (b, n, r) with K = L L' for stacked positive semi-definite K (b, n, n), and its left inverse T (b, n, r).

    A function ``h = L w`` of the sample is ``K b`` with ``b = T w``, and ``b'Kb = w'w``. Directions whose eigenvalue is below
    ``tolerance`` times the largest are rounding; r is the largest number of directions that any of the matrices has.
    """
    values, vectors = np.linalg.eigh(K)
    kept = values > tolerance * np.maximum(values[:, -1:], np.finfo(np.float64).tiny)
    r = max(int(kept.sum(axis=1).max(initial=0)), 1)
    values, vectors, kept = values[:, -r:], vectors[:, :, -r:], kept[:, -r:]
    root = np.sqrt(np.where(kept, values, 0.0))
    inverse = np.where(kept, 1.0 / np.where(kept, root, 1.0), 0.0)
    return np.asarray(vectors * root[:, None, :]), np.asarray(vectors * inverse[:, None, :])
