"""J at its best gamma, as power series in beta: what both solvers of the affine calibrator walk on.

For given alpha and beta the best gamma is a ridge solution, linear in ``a = (1, -alpha_1', -alpha_0')``. All the two
solvers need of it are four small quantities, each a function of beta alone (docs/calibration.md, section 4; W are the
weights, T the three basis vectors of :class:`~affinecal_gui.calibration.data.training_sets.Regression`, R and V the residuals
and X gamma that belong to them, one column each):

* ``G = T' W R``: J without the penalty of beta is ``a' G a``;
* ``H = sym(R' W diag(f) V)``: half the derivative of G;
* ``Q = V' W diag(f)^2 V``: the curvature of J along beta with gamma held;
* ``L = V' W diag(f) [f', 1]``: how alpha and beta pull at each other with gamma held.

They are smooth in beta, and so few coefficients of their Taylor series, found with ONE factorisation, replace a
factorisation for every beta that a solver visits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray as FloatArray

IntArray = NDArray[np.int64]

PAIRS = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
"""Order in which the six different entries of a symmetric 3 x 3 matrix are stored."""

_FIRST = np.array([i for i, _ in PAIRS])
_SECOND = np.array([j for _, j in PAIRS])
ROWS_G, ROWS_H, ROWS_Q, ROWS_L = slice(0, 6), slice(6, 12), slice(12, 18), slice(18, 24)

ACCURACY = 1e-7
"""Share of the whole up to which a truncated series may be wrong before its problem is expanded anew elsewhere."""


@dataclass(frozen=True, slots=True)
class ProfileSeries:
    """Taylor coefficients of G, H, Q, L for B problems, in powers of ``beta - reference``.

    The series converge for ``|beta - reference| < reach``: there 1 + (beta - reference) f / s stays, for complex beta
    too, in the sector arg < pi/4, where K + diag(w)^-1 diag(s)^-2 has a positive definite real part and so an inverse.
    """

    reference: FloatArray  # (B,) beta about which is expanded
    reach: FloatArray  # (B,)
    coefficients: FloatArray  # (order + 2, 24, B): rows 0-5 G, 6-11 H, 12-17 Q, 18-23 L (3 x 2, row by row)
    orders: IntArray  # (B,) up to which power of H, Q and L the coefficients of each problem are known; G has one more

    @property
    def order(self) -> int:
        """Highest power of H, Q and L stored for any problem."""
        return int(self.coefficients.shape[0]) - 2

    def take(self, rows: IntArray) -> "ProfileSeries":
        """Keep some of the problems."""
        return ProfileSeries(self.reference[rows], self.reach[rows], self.coefficients[:, :, rows], self.orders[rows])

    def evaluate(self, beta: FloatArray, rows: slice = slice(0, 24)) -> FloatArray:
        """Return (rows, ...) values at beta (..., B) by Horner's rule."""
        step = beta - self.reference
        if step.ndim == 1:
            value = self.coefficients[-1, rows] * step
            for power in range(self.order, 0, -1):
                value += self.coefficients[power, rows]
                value *= step
            value += self.coefficients[0, rows]
            return np.asarray(value)
        value = self.coefficients[-1, rows, np.newaxis] * step
        for power in range(self.order, 0, -1):
            value += self.coefficients[power, rows, np.newaxis]
            value *= step
        value += self.coefficients[0, rows, np.newaxis]
        return np.asarray(value)

    def slope_of_pull(self, beta: FloatArray) -> FloatArray:
        """Return (6, B) the derivative of H."""
        step = beta - self.reference
        value = np.zeros((6, *beta.shape))
        for power in range(self.order, 0, -1):
            value *= step
            value += power * self.coefficients[power, ROWS_H]
        return value

    def relative_step(self, beta: FloatArray) -> FloatArray:
        """Return |beta - reference| / reach: the factor by which successive terms shrink, at worst."""
        return np.asarray(np.abs(beta - self.reference) / self.reach)

    def accurate(self, beta: FloatArray, accuracy: float = ACCURACY) -> NDArray[np.bool_]:
        """Tell where the first neglected terms are below ``accuracy`` (found to be 3 to 30 times smaller than this bound)."""
        return np.asarray(self.relative_step(beta) ** (self.orders + 1) < accuracy)


@dataclass(frozen=True, slots=True)
class GammaSeries:
    """Power series of the best gamma of B problems, in the coordinates of the descriptors."""

    reference: FloatArray  # (B,)
    terms: FloatArray  # (B, order + 1, 3, d) for the three basis vectors

    def take(self, rows: IntArray) -> "GammaSeries":
        """Keep some of the problems."""
        return GammaSeries(self.reference[rows], self.terms[rows])

    def __call__(self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray) -> FloatArray:
        """Return (k, m, d) gamma of k problems for m settings (m, k) of their parameters."""
        chosen = self.terms if len(rows) == len(self.terms) else self.terms[rows]
        factors = series_factors(beta - self.reference[rows], alpha_1, alpha_0, chosen.shape[1])
        return np.asarray(factors @ chosen.reshape(len(rows), factors.shape[2], -1))


def series_factors(step: FloatArray, alpha_1: FloatArray, alpha_0: FloatArray, terms: int) -> FloatArray:
    """Factors (k, m, 3 * terms) of the terms of a series of three vectors each, for m settings (m, k).

    Returns ``step^power * a`` with ``a = (1, -alpha_1, -alpha_0)``.
    """
    factors = np.empty((step.shape[1], step.shape[0], terms, 3))
    factors[:, :, 0, 0] = 1.0
    factors[:, :, 0, 1] = -alpha_1.T
    factors[:, :, 0, 2] = -alpha_0.T
    for power in range(1, terms):
        np.multiply(factors[:, :, power - 1], step.T[:, :, np.newaxis], out=factors[:, :, power])
    return factors.reshape(step.shape[1], step.shape[0], 3 * terms)


def join_series(parts: Sequence[ProfileSeries]) -> ProfileSeries:
    """Put series one after the other; shorter ones are filled with zeros."""
    if len(parts) == 1:
        return parts[0]
    terms = max(part.coefficients.shape[0] for part in parts)
    ends = np.cumsum([len(part.reference) for part in parts])
    coefficients = np.zeros((terms, 24, int(ends[-1])))
    for part, end in zip(parts, ends, strict=True):
        coefficients[: part.coefficients.shape[0], :, end - len(part.reference) : end] = part.coefficients
    orders = np.concatenate([part.orders for part in parts])
    return ProfileSeries(
        np.concatenate([part.reference for part in parts]),
        np.concatenate([part.reach for part in parts]),
        coefficients,
        orders,
    )


def pack_symmetric(matrices: FloatArray) -> FloatArray:
    """Store the symmetric part of (..., 3, 3) matrices as (6, ...)."""
    upper = matrices[..., _FIRST, _SECOND]
    lower = matrices[..., _SECOND, _FIRST]
    packed = 0.5 * (upper + lower)
    return np.ascontiguousarray(packed.reshape(-1, 6).T).reshape(6, *packed.shape[:-1])


def quadratic(packed: FloatArray, alpha_1: FloatArray, alpha_0: FloatArray) -> FloatArray:
    """Compute a' M a with ``a = (1, -alpha_1, -alpha_0)`` and M packed as (6, ...)."""
    return np.asarray(
        packed[0]
        - 2.0 * (packed[1] * alpha_1 + packed[2] * alpha_0)
        + alpha_1 * (packed[3] * alpha_1 + 2.0 * packed[4] * alpha_0)
        + packed[5] * alpha_0**2
    )


def best_alpha(G: FloatArray, flat: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Minimise a' G a over alpha.

    Parameters
    ----------
    G : (6, ...) array
        Packed.
    flat : (...) array of bool
        Where the MD values are all equal: alpha_1' is then 0.

    Returns
    -------
    alpha_1, alpha_0, value : (...) arrays
        Where the minimum is, and how low.
    """
    slope_slope = np.where(flat, 1.0, G[3])
    determinant = slope_slope * G[5] - G[4] ** 2
    alpha_1 = (G[1] * G[5] - G[2] * G[4]) / determinant
    alpha_0 = (G[2] - G[4] * alpha_1) / G[5]
    return alpha_1, alpha_0, np.asarray(G[0] - G[1] * alpha_1 - G[2] * alpha_0)


def assemble_series(
    reference: FloatArray, reach: FloatArray, G0: FloatArray, H: FloatArray, Q: FloatArray, L: FloatArray
) -> ProfileSeries:
    """Stack the coefficients; those of G above the constant follow from H, half its derivative.

    Parameters
    ----------
    reference, reach : (B,) arrays
    G0 : (6, B) array
        Constant term of G.
    H, Q, L : (order + 1, 6, B) arrays
    """
    order = H.shape[0] - 1
    coefficients = np.zeros((order + 2, 24, G0.shape[1]))
    coefficients[0, ROWS_G] = G0
    coefficients[1:, ROWS_G] = H * (2.0 / np.arange(1, order + 2))[:, np.newaxis, np.newaxis]
    coefficients[:-1, ROWS_H] = H
    coefficients[:-1, ROWS_Q] = Q
    coefficients[:-1, ROWS_L] = L
    return ProfileSeries(reference, reach, coefficients, np.full(G0.shape[1], order))


def convolve_gram(gram: FloatArray) -> FloatArray:
    """Sum products of series over equal total power.

    Parameters
    ----------
    gram : (B, order + 1, 3, order + 1, 3) array
        Inner products of the terms of two series of three vectors each.

    Returns
    -------
    (order + 1, 6, B) array
        Packed symmetric coefficient matrices of the product series, up to the order that is complete.
    """
    order = gram.shape[1] - 1
    total = np.empty((order + 1, gram.shape[0], 3, 3))
    for power in range(order + 1):
        total[power] = gram[:, 0, :, power, :]
        for i in range(1, power + 1):
            total[power] += gram[:, i, :, power - i, :]
    packed = pack_symmetric(total)  # (6, order + 1, B)
    return np.ascontiguousarray(np.moveaxis(packed, 0, 1))
