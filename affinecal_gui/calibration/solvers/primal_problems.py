"""At least as many polymers as descriptors: moments of size d x d carry everything, however many polymers there are."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dpotrf, dpotrs

from affinecal_gui.calibration.data.training_sets import Regression
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import from_modes, to_modes
from affinecal_gui.calibration.solvers.profile_series import (
    IntArray,
    ProfileSeries,
    assemble_series,
    convolve_gram,
    pack_symmetric,
)
from affinecal_gui.errors import UserError

_SMALLEST_PIVOT = 1e-7
"""Relative to the largest; its square bounds the share of rounding, 1e-16, that reaches the answer: two digits at worst."""

_CHUNK_ROWS = 4096
"""Rows weighted at a time, so that no second copy of a long descriptor table is made."""


def descriptor_moments(
    X: FloatArray, f: FloatArray, weights: FloatArray, sizes: Sequence[int], powers: int = 3
) -> FloatArray:
    """Compute Q' X' diag(w f^j) X Q for j = 0, or 0, 1, 2: (powers, d, d), in the coordinates of ``to_modes``."""
    d = X.shape[1]
    moments = np.zeros((powers, d, d))
    for begin in range(0, X.shape[0], _CHUNK_ROWS):
        part = slice(begin, begin + _CHUNK_ROWS)
        rows = X[part] * np.sqrt(weights[part])[:, np.newaxis]
        # A product of a matrix with its own transpose costs half of a general one.
        moments[0] += rows.T @ rows
        if powers > 1:
            bent = rows * f[part, np.newaxis]
            moments[1] += bent.T @ rows
            moments[2] += bent.T @ bent
    halfway = to_modes(moments, sizes)
    return to_modes(np.ascontiguousarray(halfway.transpose(0, 2, 1)), sizes)


def target_moments(
    X: FloatArray, f: FloatArray, weights: FloatArray, basis: FloatArray, sizes: Sequence[int]
) -> tuple[FloatArray, FloatArray]:
    """Compute Q' X' diag(w f^j) T for j = 0, 1, (2, d, 3), and T' diag(w) T, (3, 3); basis is T' (3, n)."""
    weighted = basis * weights
    N = np.stack([weighted @ X, (weighted * f) @ X])
    return np.ascontiguousarray(to_modes(N, sizes).transpose(0, 2, 1)), weighted @ basis.T


def factor_ridge(M: FloatArray, eigenvalues: FloatArray) -> FloatArray:
    """Cholesky factor of M + diag(eigenvalues); M (d, d) is overwritten.

    Raises
    ------
    UserError
        When the penalties are vanishingly small beside collinear descriptors.
    """
    if not M.size:
        return M
    M[np.diag_indices_from(M)] += eigenvalues
    # The matrix is symmetric: its transpose is in the order LAPACK wants, and may be overwritten.
    factor, info = dpotrf(M.T, lower=0, clean=0, overwrite_a=1)
    pivots = np.abs(np.diagonal(factor))
    if info or pivots.min() < _SMALLEST_PIVOT * pivots.max():
        raise UserError(
            "The penalty lambda_1 is too small beside lambda_2, or for the size of the descriptors and weights: the fit "
            "would be lost in rounding. Choose a larger lambda_1 or a smaller lambda_2, or scale the descriptors to unit "
            "standard deviation."
        )
    return np.asarray(factor)


def solve_ridge(M: FloatArray, eigenvalues: FloatArray, right: FloatArray) -> FloatArray:
    """Solve (M + diag(eigenvalues)) gamma = right."""
    return _solve_factored(factor_ridge(M.copy(), eigenvalues), right)


def _solve_factored(factor: FloatArray, right: FloatArray) -> FloatArray:
    return np.asarray(dpotrs(factor, right, lower=0)[0]) if right.size else right.copy()


@dataclass(frozen=True, slots=True)
class TrainingMoments:
    """What S training sets say about the descriptors."""

    M: FloatArray  # (S, 3, d, d)
    N: FloatArray  # (S, 2, d, 3)
    T: FloatArray  # (S, 3, 3)


def training_moments(
    X: FloatArray, f: FloatArray, weights: FloatArray, basis: FloatArray, sizes: Sequence[int]
) -> TrainingMoments:
    """Moments of S training sets; X is (n, d) or (S, n, d), f and weights (S, n), basis (S, 3, n)."""
    M, N, T = [], [], []
    for s in range(len(f)):
        table = X if X.ndim == 2 else X[s]
        M.append(descriptor_moments(table, f[s], weights[s], sizes))
        sides = target_moments(table, f[s], weights[s], basis[s], sizes)
        N.append(sides[0])
        T.append(sides[1])
    return TrainingMoments(np.stack(M), np.stack(N), np.stack(T))


class PrimalProblems:
    """B problems, each one penalty with the moments of one training set, about any beta.

    gamma (in the coordinates that make Lambda diagonal) solves ``(M0 + 2 beta M1 + beta^2 M2 + Lambda) gamma =
    -(N0 + beta N1) a``.

    Parameters
    ----------
    X : (n, d) or (S, n, d) array
    sizes : sequence of int
        Block sizes.
    eigenvalues : (g, d) array
        Of Lambda, for each penalty.
    moments : TrainingMoments
        Of the S training sets.
    f : (S, n) array
    weights : (S, n) array
        Zero in rows that do not belong to the training set.
    regression : Regression
        Of the S training sets.
    lambda_beta : float
    kernel, training_set : (B,) arrays of int
        Which penalty and which training set each problem has.
    """

    def __init__(
        self,
        X: FloatArray,
        sizes: Sequence[int],
        eigenvalues: FloatArray,
        moments: TrainingMoments,
        f: FloatArray,
        weights: FloatArray,
        regression: Regression,
        lambda_beta: float,
        kernel: IntArray,
        training_set: IntArray,
    ) -> None:
        self.X, self.sizes, self.eigenvalues, self.moments = X, tuple(sizes), eigenvalues, moments
        self.f, self.weights, self.lambda_beta = f, weights, lambda_beta
        self.kernel, self.training_set = kernel, training_set
        self.sets_regression = regression
        self.regression = regression.take(training_set)

    def _factor(self, row: int, beta: float) -> FloatArray:
        """Cholesky factor of M0 + 2 beta M1 + beta^2 M2 + Lambda."""
        M = self.moments.M[self.training_set[row]]
        A = M[0] + beta * (2.0 * M[1] + beta * M[2]) if beta else M[0].copy()
        return factor_ridge(A, self.eigenvalues[self.kernel[row]])

    def coefficients_series(self, row: int, beta: float, order: int) -> FloatArray:
        """Return (order + 1, d, 3): the series of gamma for the three basis vectors."""
        M = self.moments.M[self.training_set[row]]
        N = self.moments.N[self.training_set[row]]
        factor = self._factor(row, beta)
        terms = np.empty((order + 1, M.shape[1], 3))
        bent = M[1] + beta * M[2] if beta else M[1]
        right = -(N[0] + beta * N[1])
        for power in range(order + 1):
            if power:
                right = -2.0 * (bent @ terms[power - 1])
                if power == 1:
                    right -= N[1]
                else:
                    right -= M[2] @ terms[power - 2]
            terms[power] = _solve_factored(factor, right)
        return terms

    def expand(self, rows: IntArray, beta: FloatArray, order: int) -> tuple[ProfileSeries, FloatArray]:
        """Expand some problems about beta (len(rows),); also return their coefficients (len(rows), order + 1, d, 3)."""
        B, d = len(rows), self.eigenvalues.shape[1]
        terms = np.empty((B, order + 1, d, 3))
        G0 = np.empty((B, 3, 3))
        H = np.empty((B, order + 1, 3, order + 1, 3))
        Q = np.empty_like(H)
        line = np.empty((B, order + 1, 3, 2))
        linear = np.empty((B, order + 1, 3, 3))
        for i, (row, value) in enumerate(zip(rows, beta, strict=True)):
            which = self.training_set[row]
            M, N = self.moments.M[which], self.moments.N[which]
            terms[i] = self.coefficients_series(int(row), float(value), order)
            columns = terms[i].transpose(1, 0, 2).reshape(d, 3 * (order + 1))
            shape = (order + 1, 3, order + 1, 3)
            second = M[2] @ columns
            Q[i] = (columns.T @ second).reshape(shape)
            H[i] = (columns.T @ (M[1] @ columns + value * second)).reshape(shape)
            pulled = (columns.T @ N[1]).reshape(order + 1, 3, 3)
            linear[i] = pulled
            line[i] = pulled[:, :, 1:]
            G0[i] = self.moments.T[which] + (N[0] + value * N[1]).T @ terms[i, 0]
        Q_series = convolve_gram(Q)
        H_series = convolve_gram(H) + np.moveaxis(pack_symmetric(linear), -1, 0)
        H_series[1:] += Q_series[:-1]
        pull_line = np.ascontiguousarray(line.reshape(B, order + 1, 6).transpose(1, 2, 0))
        series = assemble_series(beta, self._reach(rows, beta), pack_symmetric(G0), H_series, Q_series, pull_line)
        return series, terms

    def series(self, rows: IntArray, beta: FloatArray, order: int) -> ProfileSeries:
        """Expand some problems about beta (len(rows),)."""
        return self.expand(rows, beta, order)[0]

    def _reach(self, rows: IntArray, beta: FloatArray) -> FloatArray:
        steepness = np.empty(len(rows))
        with np.errstate(divide="ignore", invalid="ignore"):
            for i, (row, value) in enumerate(zip(rows, beta, strict=True)):
                which = self.training_set[row]
                inside = self.weights[which] > 0
                f = self.f[which][inside]
                steepness[i] = np.abs(f / (1.0 + value * f)).max()
            return np.asarray(np.sqrt(0.5) / steepness)

    def profile(self, rows: IntArray, beta: FloatArray) -> FloatArray:
        """Return G packed (6, m, len(rows)) at exact beta (m, len(rows))."""
        G = np.empty((*beta.shape, 3, 3))
        for j, row in enumerate(rows):
            which = self.training_set[row]
            N = self.moments.N[which]
            for i, value in enumerate(beta[:, j]):
                right = N[0] + value * N[1]
                solved = _solve_factored(self._factor(int(row), float(value)), right)
                G[i, j] = self.moments.T[which] - right.T @ solved
        return pack_symmetric(G)

    def coefficients(self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray) -> FloatArray:
        """Return (len(rows), d) the best gamma in the coordinates of ``to_modes`` (alpha in the centred basis)."""
        gamma = np.empty((len(rows), self.eigenvalues.shape[1]))
        for i, row in enumerate(rows):
            N = self.moments.N[self.training_set[row]]
            a = np.array([1.0, -alpha_1[i], -alpha_0[i]])
            gamma[i] = _solve_factored(self._factor(int(row), float(beta[i])), -(N[0] + beta[i] * N[1]) @ a)
        return gamma

    def solution(
        self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Solve for the best gamma exactly.

        Returns
        -------
        gamma : (len(rows), d) array
            In the coordinates of ``to_modes``.
        v : (len(rows), n) array
            X gamma in all rows.
        penalty : (len(rows),) array
            gamma' Lambda gamma.
        """
        gamma = self.coefficients(rows, alpha_1, alpha_0, beta)
        coefficients = from_modes(gamma, self.sizes)
        if self.X.ndim == 2:
            v = coefficients @ self.X.T
        else:
            v = (self.X[self.training_set[rows]] @ coefficients[:, :, np.newaxis])[:, :, 0]
        return gamma, v, np.asarray((gamma**2 * self.eigenvalues[self.kernel[rows]]).sum(axis=1))

    def descriptors_gamma(self, rows: IntArray, gamma: FloatArray) -> FloatArray:
        """Turn gamma from the coordinates of ``to_modes`` into those of the descriptors."""
        return from_modes(gamma, self.sizes)

    def training(self, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return f and weights (len(rows), n)."""
        sets = self.training_set[rows]
        return self.f[sets], self.weights[sets]
