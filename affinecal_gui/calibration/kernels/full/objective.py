"""The objective of AffineTL-full and its gradient, as the paper writes them.

J(a, b, c, d) = ||y - (K1 a + (K2 b + 1) o (K3 c) + d 1)||² + l1 a'K1 a + l2 b'K2 b + l3 c'K3 c     (F1)

With weights w of the squared residuals, v = √w and V = diag(v), (F1) of VK1V, K2, VK3V, Vy and v in place of 1 is the
weighted objective at the coefficients Va, b, Vc: :func:`weighted`.
"""

from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True)
class FullProblem:
    """b problems of n rows. Grams may be shared: ``which`` says which of the s Gram matrices a problem uses."""

    K1: FloatArray  # (s, n, n) source features, for g1
    K2: FloatArray  # (s, n, n) source features, for g2
    K3: FloatArray  # (s, n, n) descriptors, for g3
    y: FloatArray  # (s, n)
    which: np.ndarray[tuple[int], np.dtype[np.int64]]  # (b,)
    l1: FloatArray  # (b,) penalties, positive
    l2: FloatArray  # (b,)
    l3: FloatArray  # (b,)
    ones: FloatArray | None = None  # (s, n) what d is multiplied by; None for 1

    def take(self, members: np.ndarray[tuple[int], np.dtype[np.int64]]) -> "FullProblem":
        """Keep some of the problems."""
        return FullProblem(
            self.K1,
            self.K2,
            self.K3,
            self.y,
            self.which[members],
            self.l1[members],
            self.l2[members],
            self.l3[members],
            self.ones,
        )

    def against_ones(self, values: FloatArray) -> FloatArray:
        """(b,) sums of values (b, n), each times what d is multiplied by in its row."""
        return np.asarray(values.sum(axis=1) if self.ones is None else (self.ones[self.which] * values).sum(axis=1))

    def inverse_of_ones(self, inverse: FloatArray) -> FloatArray:
        """(b, n) matrices (b, n, n) times what d is multiplied by."""
        return np.asarray(inverse.sum(axis=2)) if self.ones is None else times(inverse, self.ones[self.which])


def weighted(problem: FullProblem, root: FloatArray) -> FullProblem:
    """Return the problem whose plain squares are those of ``problem`` weighted by the squares of ``root`` (s, n).

    Its coefficients a and c are those of ``problem`` divided by ``root``.
    """
    outer = root[:, :, None] * root[:, None, :]
    return replace(problem, K1=problem.K1 * outer, K3=problem.K3 * outer, y=problem.y * root, ones=root)


@dataclass(frozen=True, slots=True)
class FullWeights:
    """The unknowns of b problems."""

    a: FloatArray  # (b, n)
    b: FloatArray  # (b, n)
    c: FloatArray  # (b, n)
    d: FloatArray  # (b,)


def objective(problem: FullProblem, weights: FullWeights) -> FloatArray:
    """(b,) values of (F1)."""
    K1a, K2b, K3c, residual = _parts(problem, weights)
    return np.asarray(
        np.sum(residual**2, axis=1)
        + problem.l1 * np.sum(weights.a * K1a, axis=1)
        + problem.l2 * np.sum(weights.b * K2b, axis=1)
        + problem.l3 * np.sum(weights.c * K3c, axis=1)
    )


def gradient(problem: FullProblem, weights: FullWeights) -> FullWeights:
    """Return the derivatives of (F1) by a, b, c (b, n) and d (b,)."""
    _, K2b, K3c, residual = _parts(problem, weights)
    which = problem.which
    by_a = times(problem.K1[which], problem.l1[:, None] * weights.a - residual)
    by_b = times(problem.K2[which], problem.l2[:, None] * weights.b - residual * K3c)
    by_c = times(problem.K3[which], problem.l3[:, None] * weights.c - residual * (K2b + 1.0))
    return FullWeights(2.0 * by_a, 2.0 * by_b, 2.0 * by_c, -2.0 * problem.against_ones(residual))


def times(K: FloatArray, v: FloatArray) -> FloatArray:
    """Stacked matrices (b, n, n) times stacked vectors (b, n)."""
    return np.asarray((K @ v[:, :, None])[:, :, 0])


def _parts(problem: FullProblem, weights: FullWeights) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    which = problem.which
    K1a = times(problem.K1[which], weights.a)
    K2b = times(problem.K2[which], weights.b)
    K3c = times(problem.K3[which], weights.c)
    level = weights.d[:, None] if problem.ones is None else weights.d[:, None] * problem.ones[which]
    residual = problem.y[which] - K1a - (K2b + 1.0) * K3c - level
    return K1a, K2b, K3c, residual
