"""The precision matrix of the MD values of a table under a Gaussian process: whole, or by landmarks where it is too large.

    f ~ N(0, s (K + D)),    D = diag(η w_i),    Q = (K + D)^-1                                     (S1)

K is the kernel plus :data:`CONSTANT` (the unknown level), η the noise by which simulations of like polymers scatter, w_i the
relative noise of value i (1 on average). Rows H are left out of (S1) exactly, without a new factorisation (Rasmussen and
Williams, Gaussian Processes for Machine Learning, 2006, section 5.4.2, for single rows):

    Q' = Q - Q_.H Q_HH^-1 Q_H.                                                                     (S2)

With landmarks K is replaced by K_.L K_LL^-1 K_L. (Nyström; Williams and Seeger, NIPS 2000), of which only the features
Φ = K_.L K_LL^-1/2 are kept: Q = D^-1 - D^-1 Φ A^-1 Φ' D^-1 with A = I + Φ' D^-1 Φ.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from scipy.linalg import cho_factor, cho_solve, lapack, solve_triangular

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.kernels.gram import default_length, gram_matrix
from affinecal_gui.calibration.results import FloatArray

CONSTANT = 1.0
"""Variance of the unknown level, in that of the kernel."""

JITTER = 1e-10
"""Added to the diagonal of the landmarks' Gram matrix, against rounding."""

AT_ONCE = 4096
"""Rows whose kernel with the landmarks is computed at once."""


@dataclass(frozen=True, slots=True)
class Hyperparameters:
    """The prior of (S1)."""

    length: float  # of the Matérn-5/2 kernel, in square roots of the number of descriptors
    noise: float  # η, in the variance of the kernel


def kernel(A: FloatArray, B: FloatArray, chosen: Hyperparameters) -> FloatArray:
    """Return (k, n) prior covariances, noise apart, of rows of A (k, d) and B (n, d), scaled descriptors."""
    return gram_matrix("matern52", A, B, chosen.length * default_length(A.shape[1])) + CONSTANT


class Precision(Protocol):
    """What is asked of Q (m, m)."""

    diagonal: FloatArray  # (m,)
    landmarks: FloatArray  # (l, d) scaled descriptors

    def columns(self, rows: IntArray) -> FloatArray:
        """(m, h) columns of Q."""

    def times(self, r: FloatArray) -> FloatArray:
        """(m,) Q r."""

    def features(self, Z: FloatArray) -> FloatArray:
        """(q, l) what is known of other polymers; (q, l) @ ``projected(v)`` is their covariance with the rows, times v."""

    def projected(self, v: FloatArray) -> FloatArray:
        """(l,) or (l, h) for v (m,) or (m, h)."""

    def explained(self, features: FloatArray) -> FloatArray:
        """(q,) k' Q k of other polymers: the part of their prior variance that the rows explain."""

    def weights(self, v: FloatArray) -> FloatArray:
        """(l,) coefficients of the kernel with the landmarks that stand for v (m,)."""

    def quadratic(self) -> FloatArray:
        """(l, l) what the kernel with the landmarks is multiplied by, from both sides, to give the explained variance."""


class WholePrecision:
    """Q of every row; the landmarks are the rows themselves."""

    def __init__(self, Z: FloatArray, chosen: Hyperparameters, noise: FloatArray) -> None:
        self.landmarks, self._chosen = Z, chosen
        K = kernel(Z, Z, chosen)
        K[np.diag_indices(len(K))] += chosen.noise * noise
        factor, failed = lapack.dpotrf(K, lower=1, overwrite_a=1)
        if failed:
            raise np.linalg.LinAlgError("the covariance of the MD values is not positive definite")
        lower, _ = lapack.dpotri(factor, lower=1, overwrite_c=1)
        self._Q: FloatArray = np.tril(lower) + np.tril(lower, -1).T
        self.diagonal: FloatArray = np.diag(self._Q).copy()

    def columns(self, rows: IntArray) -> FloatArray:
        """(m, h) columns of Q."""
        return self._Q[:, rows]

    def times(self, r: FloatArray) -> FloatArray:
        """(m,) Q r."""
        return np.asarray(self._Q @ r)

    def features(self, Z: FloatArray) -> FloatArray:
        """(q, l) what is known of other polymers; (q, l) @ ``projected(v)`` is their covariance with the rows, times v."""
        return kernel(Z, self.landmarks, self._chosen)

    def projected(self, v: FloatArray) -> FloatArray:
        """(l,) or (l, h) for v (m,) or (m, h)."""
        return v

    def explained(self, features: FloatArray) -> FloatArray:
        """(q,) k' Q k of other polymers: the part of their prior variance that the rows explain."""
        return np.asarray(((features @ self._Q) * features).sum(axis=1))

    def weights(self, v: FloatArray) -> FloatArray:
        """(l,) coefficients of the kernel with the landmarks that stand for v (m,)."""
        return v

    def quadratic(self) -> FloatArray:
        """(l, l) what the kernel with the landmarks is multiplied by, from both sides, to give the explained variance."""
        return self._Q


class LandmarkPrecision:
    """Q by landmarks, which are the first rows: their order is that of digests, as good as random."""

    def __init__(self, Z: FloatArray, chosen: Hyperparameters, noise: FloatArray, landmarks: int) -> None:
        self._chosen, self.landmarks = chosen, Z[:landmarks].copy()
        own = kernel(self.landmarks, self.landmarks, chosen)
        own[np.diag_indices(len(own))] += JITTER
        self._root = np.linalg.cholesky(own)
        self._features = np.empty((len(Z), len(own)))
        for start in range(0, len(Z), AT_ONCE):
            self._features[start : start + AT_ONCE] = self.features(Z[start : start + AT_ONCE])
        self._inverse = 1.0 / (chosen.noise * noise)
        A = np.eye(len(own))
        for start in range(0, len(Z), AT_ONCE):
            part = self._features[start : start + AT_ONCE]
            A += part.T @ (part * self._inverse[start : start + AT_ONCE, None])
        self._A = cho_factor(A, lower=True)
        explained = np.concatenate(
            [
                (solve_triangular(self._A[0], self._features[start : start + AT_ONCE].T, lower=True) ** 2).sum(axis=0)
                for start in range(0, len(Z), AT_ONCE)
            ]
        )
        self.diagonal: FloatArray = self._inverse - self._inverse**2 * explained

    def columns(self, rows: IntArray) -> FloatArray:
        """(m, h) columns of Q."""
        inner = cho_solve(self._A, (self._features[rows] * self._inverse[rows, None]).T)
        found: FloatArray = -self._inverse[:, None] * (self._features @ inner)
        found[rows, np.arange(len(rows))] += self._inverse[rows]
        return found

    def times(self, r: FloatArray) -> FloatArray:
        """(m,) Q r."""
        scaled = self._inverse * r
        return np.asarray(scaled - self._inverse * (self._features @ cho_solve(self._A, self._features.T @ scaled)))

    def features(self, Z: FloatArray) -> FloatArray:
        """(q, l) what is known of other polymers; (q, l) @ ``projected(v)`` is their covariance with the rows, times v."""
        return np.asarray(solve_triangular(self._root, kernel(self.landmarks, Z, self._chosen), lower=True).T)

    def projected(self, v: FloatArray) -> FloatArray:
        """(l,) or (l, h) for v (m,) or (m, h)."""
        return np.asarray(self._features.T @ v)

    def explained(self, features: FloatArray) -> FloatArray:
        """(q,) k' Q k of other polymers: the part of their prior variance that the rows explain."""
        # Φ'QΦ = I - A^-1, and what the landmarks do not see of a polymer stays unexplained.
        return np.asarray((features**2).sum(axis=1) - (cho_solve(self._A, features.T).T * features).sum(axis=1))

    def weights(self, v: FloatArray) -> FloatArray:
        """(l,) coefficients of the kernel with the landmarks that stand for v (m,)."""
        return np.asarray(solve_triangular(self._root, self.projected(v), lower=True, trans="T"))

    def quadratic(self) -> FloatArray:
        """(l, l) what the kernel with the landmarks is multiplied by, from both sides, to give the explained variance."""
        middle = np.eye(len(self._root)) - cho_solve(self._A, np.eye(len(self._root)))
        half = solve_triangular(self._root, middle, lower=True, trans="T")
        return np.asarray(solve_triangular(self._root, half.T, lower=True, trans="T"))
