"""Fewer polymers than descriptors: everything is done with n x n matrices K = X Lambda^-1 X'."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.training_sets import Regression
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import from_modes
from affinecal_gui.calibration.solvers.profile_series import (
    ACCURACY,
    IntArray,
    ProfileSeries,
    assemble_series,
    best_alpha,
    convolve_gram,
    join_series,
    pack_symmetric,
    quadratic,
    series_factors,
)
from affinecal_gui.errors import UserError

FEW = 100
"""Polymers; so few are solved for in their own space even where there are fewer descriptors: all sets are solved at once."""

_LARGEST_KERNEL = 1e12
"""Above it, 16 digits do not suffice to add the unit matrix to K."""

_LARGEST_BY_CHOICE = 1e6
"""Above it, with fewer descriptors than polymers, what the polymers have in common is lost to ten digits in their space."""

_HIGHEST_ORDER = 20
MOST_TERMS = 3 * (_HIGHEST_ORDER + 1)
"""Vectors that the series of one problem can take, three of each order."""

_SAMPLE_BYTES = 4e6
"""Memory of the matrices that are factored together when J is sampled."""


def checked_kernel(K: FloatArray) -> FloatArray:
    """Refuse kernels (..., n, n) whose size leaves no digits for the residuals.

    Raises
    ------
    UserError
        When the penalties are vanishingly small beside the descriptors and weights.
    """
    largest = float(np.diagonal(K, axis1=-2, axis2=-1).max(initial=0.0))
    if not largest < _LARGEST_KERNEL:
        raise UserError(
            "The penalty lambda_1 is too small beside lambda_2, or for the size of the descriptors and weights: the fit "
            "would be lost in rounding. Choose a larger lambda_1 or a smaller lambda_2, or scale the descriptors to unit "
            "standard deviation."
        )
    return K


def is_kept_by_polymers(K: FloatArray) -> bool:
    """Whether kernels (..., n, n) of at least as many polymers as descriptors leave ten digits of the coefficients."""
    return bool(np.diagonal(K, axis1=-2, axis2=-1).max(initial=0.0) < _LARGEST_BY_CHOICE)


def _add_one(A: FloatArray) -> FloatArray:
    """Add the unit matrix in place."""
    n = A.shape[-1]
    A.reshape(*A.shape[:-2], n * n)[..., :: n + 1] += 1.0
    return A


def smoothers(K: FloatArray) -> FloatArray:
    """Return (g, n, n) K (K + I)^-1 for each penalty; ``K`` is used up.

    Raises
    ------
    UserError
        As :func:`checked_kernel`.
    """
    inverse = np.linalg.inv(_add_one(checked_kernel(K)))
    return _add_one(np.negative(inverse, out=inverse))


@dataclass(frozen=True, slots=True)
class DualExpansion:
    """A :class:`ProfileSeries` of B problems and the series of the scaled residuals sqrt(w) r that it was made from.

    The residuals come in parts that may differ in order; problems are numbered through the parts.
    """

    series: ProfileSeries
    residual: tuple[FloatArray, ...]  # each (B_i, order_i + 1, 3, n)

    @staticmethod
    def join(expansions: Sequence["DualExpansion"]) -> "DualExpansion":
        """Put expansions one after the other."""
        series = join_series([expansion.series for expansion in expansions])
        return DualExpansion(series, tuple(part for expansion in expansions for part in expansion.residual))

    def gather(self, rows: IntArray) -> FloatArray:
        """Return (len(rows), highest order + 1, 3, n) the residual series of some problems (ascending), filled with zeros."""
        n = self.residual[0].shape[3]
        kept = np.zeros((len(rows), max(part.shape[1] for part in self.residual), 3, n))
        begin = first = 0
        for part in self.residual:
            end = begin + len(part)
            last = first + int(np.searchsorted(rows[first:], end))
            kept[first:last, : part.shape[1]] = part[rows[first:last] - begin]
            begin, first = end, last
        return kept

    def scaled_residual(self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray) -> FloatArray:
        """Compute sqrt(w) r at the best gamma of some problems.

        Parameters
        ----------
        rows : (k,) array of int
            Which problems, ascending.
        alpha_1, alpha_0, beta : (m, k) arrays
            m parameter settings of each; alpha in the centred basis.

        Returns
        -------
        (k, m, n) array
        """
        result = np.empty((len(rows), alpha_1.shape[0], self.residual[0].shape[3]))
        step = beta - self.series.reference[rows]
        begin = first = 0
        for part in self.residual:
            end = begin + len(part)
            last = first + int(np.searchsorted(rows[first:], end))
            if last > first:
                here = slice(first, last)
                factors = series_factors(step[:, here], alpha_1[:, here], alpha_0[:, here], part.shape[1])
                chosen = part if last - first == len(part) else part[rows[here] - begin]
                np.matmul(factors, chosen.reshape(last - first, factors.shape[2], -1), out=result[here])
            begin, first = end, last
        return result


class SharedDualProblems:
    """All training sets of a resampling scheme against several penalties at once, about beta = 0.

    K + I is inverted ONCE per penalty, over all n polymers (:func:`smoothers`); each training set T then only needs its
    left-out rows C taken out again, which costs an inverse of the size of C. With P = (K + I)^-1 it is (block elimination)
    ``(K_TT + I)^-1 b_T = [P b - P_:C (P_CC)^-1 (P b)_C]_T``.

    Parameters
    ----------
    M : (g, n, n) array
        The smoother of each penalty, from K = X Lambda^-1 X' with both sides scaled by sqrt(w).
    left_out : (S, c) array of int
        Rows that do not belong to each training set; the same number in each.
    """

    def __init__(self, M: FloatArray, left_out: IntArray) -> None:
        g, n = M.shape[0], M.shape[1]
        S, c = left_out.shape
        self.shape = (g, S, n, c)
        self.left_out = left_out
        self.inside = np.ones((S, n), dtype=np.bool_)
        np.put_along_axis(self.inside, left_out, False, axis=1)
        self.M = M  # K (K + I)^-1 = I - P
        if c:
            self.M_rows = np.take(self.M, left_out, axis=1)  # (g, S, c, n)
            pairs = left_out[:, :, np.newaxis] * n + left_out[:, np.newaxis, :]
            P_CC = _add_one(-np.take(self.M.reshape(g, n * n), pairs, axis=1))
            self.P_CC_inverse = np.linalg.inv(P_CC)  # (g, S, c, c)

    def smooth(self, b: FloatArray) -> FloatArray:
        """Return K eta for eta = (K_TT + I)^-1 b_T, zero outside T.

        Parameters
        ----------
        b : (g, S, k, n) array
            The answer does not depend on the entries outside T, except that there it is ``b - q`` with q the
            out-of-fold residual of b.
        """
        g, S, n, c = self.shape
        k = b.shape[2]
        y = (b.reshape(g, S * k, n) @ self.M).reshape(g, S, k, n)
        if c:
            where = np.arange(k * S).reshape(S, k, 1) * n + self.left_out[:, np.newaxis, :]
            difference = np.take(b.reshape(g, -1), where, axis=1)
            difference -= np.take(y.reshape(g, -1), where, axis=1)
            y -= (difference @ self.P_CC_inverse) @ self.M_rows
        return np.asarray(y)

    def expand(
        self,
        f: FloatArray,
        sigma: FloatArray,
        regression: Regression,
        lambda_beta: float,
        max_order: int = _HIGHEST_ORDER,
    ) -> DualExpansion:
        """Expand all g * S problems (penalty outer, training set inner) about beta = 0.

        The order follows from a first estimate of beta: enough terms for nearly all problems, ``max_order`` at most.

        Parameters
        ----------
        f, sigma : (n,) arrays
            MD values and square roots of the weights (with which K was scaled).
        regression : Regression
            Of the S training sets.
        lambda_beta : float
        max_order : int
        """
        g, S, n, _ = self.shape
        B = g * S
        training_f = np.where(self.inside, f, 0.0)[:, np.newaxis, :]
        with np.errstate(divide="ignore"):
            reach = np.tile(np.sqrt(0.5) / np.abs(training_f[:, 0, :]).max(axis=1), g)
        basis = regression.basis * sigma
        F = np.where(self.inside[:, np.newaxis, :], basis, 0.0)

        b = np.broadcast_to(basis, (g, S, 3, n)).copy()
        zeta = self.smooth(b)
        z = basis - zeta
        pull = zeta * training_f
        G0 = pack_symmetric((z @ F.transpose(0, 2, 1)).reshape(B, 3, 3))
        order = _order_needed(G0, z, pull, reach, regression, lambda_beta, max_order)
        residuals = np.empty((g, S, order + 1, 3, n))
        pulls = np.empty((g, S, order + 1, 3, n))
        residuals[:, :, 0], pulls[:, :, 0] = z, pull
        for power in range(1, order + 1):
            np.subtract(z, zeta, out=b)
            b *= f
            z = residuals[:, :, power]
            np.multiply(zeta, -f, out=z)
            zeta = self.smooth(b)
            z -= zeta
            np.multiply(zeta, training_f, out=pulls[:, :, power])
        shape = (B, order + 1, 3, n)
        line = F[:, 1:].transpose(0, 2, 1)
        series = _series_from_vectors(np.zeros(B), reach, G0, residuals.reshape(shape), pulls.reshape(shape), line)
        return DualExpansion(series, (residuals.reshape(shape),))


def _order_needed(
    G0: FloatArray,
    z: FloatArray,
    pull: FloatArray,
    reach: FloatArray,
    regression: Regression,
    lambda_beta: float,
    max_order: int,
) -> int:
    """Tell how many powers a Gauss-Newton estimate of beta asks for, from a sample of the training sets.

    Parameters
    ----------
    G0 : (6, g * S) array
    z, pull : (g, S, 3, n) arrays
    reach : (g * S,) array
    regression : Regression
        Of the S training sets.
    lambda_beta, max_order
    """
    g, S = z.shape[:2]
    some = slice(None, None, max(1, S // 25))
    shape = (-1, 3, z.shape[-1])
    z, pull = z[:, some].reshape(shape), pull[:, some].reshape(shape)
    transposed = pull.transpose(0, 2, 1)
    flat, total = np.tile(regression.flat[some], g), np.tile(regression.total[some], g)
    alpha_1, alpha_0, _ = best_alpha(G0.reshape(6, g, S)[:, :, some].reshape(6, -1), flat)
    slope = -quadratic(pack_symmetric(z @ transposed), alpha_1, alpha_0)
    bend = quadratic(pack_symmetric(pull @ transposed), alpha_1, alpha_0)
    beta = slope / (total * lambda_beta + bend)
    # A problem that the series cannot follow costs as much as hundreds of higher orders: serve all but rare ones.
    shrink = float(np.quantile(1.2 * np.abs(beta) / reach.reshape(g, S)[:, some].ravel(), 0.995))
    if shrink >= 1.0:
        return max_order
    if shrink <= 0.0:
        return 2
    return int(np.clip(np.ceil(np.log(ACCURACY) / np.log(shrink)) - 1, 2, max_order))


class DualProblems:
    """B problems, each one penalty's kernel with one training set, about any beta.

    Parameters
    ----------
    Z : (n, d) or (g, n, d) array
        Descriptors in the coordinates that make Lambda diagonal
        (:func:`~affinecal_gui.calibration.solvers.fused_ridge.to_modes`), of all penalties or of each.
    eigenvalues : (g, d) array
        Of Lambda, for each penalty.
    K : (g, n, n) array
        X Lambda^-1 X' for each penalty.
    f : (S, n) array
        MD values of each training set (a broadcast is fine).
    weights : (S, n) array
        Zero in rows that do not belong to the training set.
    regression : Regression
        Of the S training sets.
    lambda_beta : float
    kernel, training_set : (B,) arrays of int
        Which penalty and which training set each problem has.
    sizes : sequence of int
        Block sizes.
    """

    def __init__(
        self,
        Z: FloatArray,
        eigenvalues: FloatArray,
        K: FloatArray,
        f: FloatArray,
        weights: FloatArray,
        regression: Regression,
        lambda_beta: float,
        kernel: IntArray,
        training_set: IntArray,
        sizes: Sequence[int],
    ) -> None:
        self.Z, self.eigenvalues, self.K, self.sizes = Z, eigenvalues, checked_kernel(K), tuple(sizes)
        self.f, self.weights, self.sigma = f, weights, np.sqrt(weights)
        self.lambda_beta = lambda_beta
        self.kernel, self.training_set = kernel, training_set
        self.regression = regression.take(training_set)

    def _system(self, rows: IntArray, beta: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return K, diag(sigma s) K diag(sigma s) + I and sigma s of some problems."""
        K = self.K[self.kernel[rows]]
        sets = self.training_set[rows]
        scale = self.sigma[sets] * (1.0 + beta[:, np.newaxis] * self.f[sets])
        A = scale[:, :, np.newaxis] * K
        A *= scale[:, np.newaxis, :]
        return K, _add_one(A), scale

    def series(self, rows: IntArray, beta: FloatArray, order: int) -> ProfileSeries:
        """Expand some problems about beta (len(rows),)."""
        B, n = len(rows), self.f.shape[1]
        K, A, scale = self._system(rows, beta)
        P = np.linalg.inv(A)
        sets = self.training_set[rows]
        sigma, f = self.sigma[sets], self.f[sets]
        phi = (sigma * f)[:, np.newaxis, :]
        basis = self.regression.basis[rows] * sigma[:, np.newaxis, :]
        scale_rows = scale[:, np.newaxis, :]
        residuals = np.empty((B, order + 1, 3, n))
        pulls = np.empty((B, order + 1, 3, n))
        z = basis @ P
        kappa = (scale_rows * z) @ K
        for power in range(order + 1):
            if power:
                side = phi * z
                z = (-phi * kappa - scale_rows * (side @ K)) @ P
                kappa = (scale_rows * z + side) @ K
            residuals[:, power] = z
            np.multiply(phi, kappa, out=pulls[:, power])
        G0 = pack_symmetric(residuals[:, 0] @ basis.transpose(0, 2, 1))
        line = basis[:, 1:].transpose(0, 2, 1)
        return _series_from_vectors(beta, self._reach(sigma, f, beta), G0, residuals, pulls, line)

    @staticmethod
    def _reach(sigma: FloatArray, f: FloatArray, beta: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore", invalid="ignore"):
            steepness = np.where(sigma > 0, np.abs(f / (1.0 + beta[:, np.newaxis] * f)), 0.0).max(axis=1)
            return np.asarray(np.sqrt(0.5) / steepness)

    def profile(self, rows: IntArray, beta: FloatArray) -> FloatArray:
        """Return G packed (6, m, len(rows)) at exact beta (m, len(rows)).

        The last corner of the Cholesky factor of ``[[A, T], [T', C]]`` is the factor of ``C - T' A^-1 T = C - G``: one
        factorisation and no solution. Because A is at least the unit matrix, G is at most T'T, so that C = 2 T'T + tiny is
        large enough.
        """
        n = self.f.shape[1]
        basis = self.regression.basis[rows] * self.sigma[self.training_set[rows]][:, np.newaxis, :]
        corner = 2.0 * (basis @ basis.transpose(0, 2, 1))
        corner += 1e-6 * np.trace(corner, axis1=1, axis2=2)[:, np.newaxis, np.newaxis] * np.eye(3)
        G = np.empty((6, *beta.shape))
        together = max(1, int(_SAMPLE_BYTES / (8.0 * n * n * max(len(rows), 1))))
        for begin in range(0, len(beta), together):
            some = beta[begin : begin + together]
            whole = np.tile(rows, len(some))
            bordered = np.empty((len(whole), n + 3, n + 3))
            bordered[:, :n, :n] = self._system(whole, some.ravel())[1]
            bordered[:, n:, :n] = np.tile(basis, (len(some), 1, 1))
            bordered[:, n:, n:] = np.tile(corner, (len(some), 1, 1))
            last = np.linalg.cholesky(bordered)[:, n:, n:]  # reads the lower triangle only
            found = np.tile(corner, (len(some), 1, 1)) - last @ last.transpose(0, 2, 1)
            G[:, begin : begin + together] = pack_symmetric(found).reshape(6, len(some), len(rows))
        return G

    def solution(
        self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Solve for the best gamma exactly (alpha in the centred basis).

        Returns
        -------
        gamma : (len(rows), d) array
            In the coordinates of Z.
        v : (len(rows), n) array
            X gamma in all rows, also those of weight zero.
        penalty : (len(rows),) array
            gamma' Lambda gamma.
        """
        K, A, scale = self._system(rows, beta)
        t = self.regression.take(rows).residual(alpha_1, alpha_0)
        sigma = self.sigma[self.training_set[rows]]
        dual = scale * np.linalg.solve(A, (sigma * t)[:, :, np.newaxis])[:, :, 0]
        v = -(dual[:, np.newaxis, :] @ K)[:, 0, :]
        return self.gamma(rows, dual), v, np.asarray(-(dual * v).sum(axis=1))

    def gamma(self, rows: IntArray, dual: FloatArray) -> FloatArray:
        """Return (len(rows), d) gamma = -Lambda^-1 X' dual in the coordinates of Z."""
        kernels = self.kernel[rows]
        image = dual @ self.Z if self.Z.ndim == 2 else (dual[:, np.newaxis, :] @ self.Z[kernels])[:, 0, :]
        return np.asarray(-image / self.eigenvalues[kernels])

    def descriptors_gamma(self, rows: IntArray, gamma: FloatArray) -> FloatArray:
        """Turn gamma from the coordinates of Z into those of the descriptors."""
        return from_modes(gamma, self.sizes)

    def training(self, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return f and weights (len(rows), n)."""
        sets = self.training_set[rows]
        return self.f[sets], self.weights[sets]


def _series_from_vectors(
    beta: FloatArray,
    reach: FloatArray,
    G0: FloatArray,
    residuals: FloatArray,
    pulls: FloatArray,
    line: FloatArray,
) -> ProfileSeries:
    """Inner products of the series of vectors.

    Parameters
    ----------
    residuals, pulls : (B, order + 1, 3, n) arrays
        sqrt(w) r, and -sqrt(w) f v in the training rows, zero elsewhere.
    line : (B, n, 2) or (S, n, 2) array
        sqrt(w) [f', 1] in the training rows; with S sets, problem b belongs to set b mod S.
    """
    B, terms, _, n = residuals.shape
    flat_pulls = pulls.reshape(B, 3 * terms, n)
    transposed = flat_pulls.transpose(0, 2, 1)
    shape = (B, terms, 3, terms, 3)
    H = -convolve_gram((residuals.reshape(B, 3 * terms, n) @ transposed).reshape(shape))
    Q = convolve_gram((flat_pulls @ transposed).reshape(shape))
    S = line.shape[0]
    pull_line = -(flat_pulls.reshape(B // S, S, 3 * terms, n) @ line).reshape(B, terms, 6)
    return assemble_series(beta, reach, G0, H, Q, np.ascontiguousarray(pull_line.transpose(1, 2, 0)))
