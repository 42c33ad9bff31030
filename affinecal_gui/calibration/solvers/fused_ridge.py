"""The fused ridge penalty: small coefficients that change smoothly within a descriptor block."""

from collections.abc import Sequence
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_solve_banded, cholesky_banded

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError


@lru_cache(maxsize=64)
def smoothness_modes(size: int) -> tuple[FloatArray, FloatArray]:
    """Eigenvectors and eigenvalues of M'M for one block, M the (size - 1) x size matrix of first differences.

    M'M is the Laplacian of a path; its eigenvectors are the cosines of the discrete cosine transform,
    ``Q[j, k] = c_k cos(pi k (2 j + 1) / (2 size))``, its eigenvalues ``4 sin^2(pi k / (2 size))``, k = 0 ... size - 1.

    Returns
    -------
    (size, size) array
        Orthonormal eigenvectors in its columns, smoothest first.
    (size,) array
        Eigenvalues, ascending; the first is zero (the constant vector).
    """
    k = np.arange(size)
    j = k[:, np.newaxis]
    modes = np.sqrt(2.0 / size) * np.cos(np.pi * k * (2 * j + 1) / (2 * size))
    modes[:, 0] = np.sqrt(1.0 / size)
    return read_only(modes), read_only(4.0 * np.sin(np.pi * k / (2 * size)) ** 2)


@lru_cache(maxsize=64)
def _roughness_of_modes(sizes: tuple[int, ...]) -> FloatArray:
    """(d,) the eigenvalues of :func:`smoothness_modes`, block by block."""
    return read_only(np.concatenate([*(smoothness_modes(size)[1] for size in sizes), np.zeros(0)]))


class FusedRidge:
    """Lambda = lambda_1^2 I + lambda_2^2 M'M, block tridiagonal (science: objective J; the lambdas enter squared).

    M takes first differences of neighbouring coefficients; the rows that would cross a block border are zero.

    Parameters
    ----------
    sizes : sequence of int
        Number of descriptors of each block; their sum is d. With no block at all there are no coefficients.
    lambda_1 : float or (blocks,) array
        Penalty on the size of gamma; positive. One number per block is allowed.
    lambda_2 : float or (blocks,) array
        Penalty on the differences within a block; zero or positive.

    Raises
    ------
    UserError
        When a penalty is not finite, lambda_1 is not positive, or lambda_2 is negative.
    """

    def __init__(
        self, sizes: Sequence[int], lambda_1: float | ArrayLike = 1.0, lambda_2: float | ArrayLike = 1.0
    ) -> None:
        self.sizes = tuple(int(size) for size in sizes)
        if min(self.sizes, default=1) < 1:
            raise ValueError("sizes: every block needs at least one descriptor")
        self.lambda_1 = self._per_block(lambda_1, "lambda_1")
        self.lambda_2 = self._per_block(lambda_2, "lambda_2")
        if not (self.lambda_1 > 0).all():
            raise UserError("The penalty lambda_1 must be positive.")
        if not (self.lambda_2 >= 0).all():
            raise UserError("The penalty lambda_2 must be zero or positive.")

    def _per_block(self, value: float | ArrayLike, name: str) -> FloatArray:
        array = np.asarray(value, dtype=np.float64)
        if array.ndim > 1 or (array.ndim == 1 and array.shape[0] != len(self.sizes)):
            raise ValueError(f"{name}: give one number, or one for each of the {len(self.sizes)} blocks")
        if not np.isfinite(array).all():
            raise UserError(f"The penalty {name} must be a finite number.")
        return read_only(np.full(len(self.sizes), array))

    @property
    def n_features(self) -> int:
        """Number of descriptors d."""
        return sum(self.sizes)

    @cached_property
    def eigenvalues(self) -> FloatArray:
        """(d,) eigenvalues of Lambda, block by block, belonging to the columns of :meth:`to_modes`."""
        roughness = _roughness_of_modes(self.sizes)
        return read_only(np.repeat(self.lambda_1**2, self.sizes) + np.repeat(self.lambda_2**2, self.sizes) * roughness)

    @cached_property
    def _bands(self) -> FloatArray:
        """(2, d) upper banded storage of Lambda."""
        bands = np.zeros((2, self.n_features))
        start = 0
        for size, first, second in zip(self.sizes, self.lambda_1, self.lambda_2, strict=True):
            block = slice(start, start + size)
            neighbours = np.full(size, 2.0)
            neighbours[0] -= 1.0
            neighbours[-1] -= 1.0
            bands[1, block] = first**2 + second**2 * neighbours
            bands[0, start + 1 : start + size] = -(second**2)
            start += size
        return bands

    @cached_property
    def _factor(self) -> FloatArray:
        return np.asarray(cholesky_banded(self._bands, check_finite=False))

    def dense(self) -> FloatArray:
        """(d, d) Lambda as a dense matrix."""
        off = self._bands[0, 1:]
        return np.diag(self._bands[1]) + np.diag(off, 1) + np.diag(off, -1)

    def solve(self, B: FloatArray) -> FloatArray:
        """Lambda^-1 B for B of shape (d,) or (d, k), by banded Cholesky factorisation."""
        if not self.sizes:
            return B.copy()
        return np.asarray(cho_solve_banded((self._factor, False), B, check_finite=False))

    def quadratic_form(self, gamma: FloatArray) -> float:
        """Return gamma' Lambda gamma, the penalty of one coefficient vector (d,)."""
        total = 0.0
        start = 0
        for size, first, second in zip(self.sizes, self.lambda_1, self.lambda_2, strict=True):
            part = gamma[start : start + size]
            total += float(first**2 * (part @ part) + second**2 * np.sum(np.diff(part) ** 2))
            start += size
        return total


def to_modes(X: FloatArray, sizes: Sequence[int]) -> FloatArray:
    """X Q with Q the block-diagonal matrix of :func:`smoothness_modes`; X is (..., d).

    In these coordinates every fused ridge over the same blocks is diagonal, whatever its two penalties.
    """
    result = np.empty_like(X)
    start = 0
    for size in sizes:
        block = slice(start, start + size)
        np.matmul(X[..., block], smoothness_modes(size)[0], out=result[..., block])
        start += size
    return result


@lru_cache(maxsize=16)
def modes_of_each(sizes: tuple[int, ...]) -> FloatArray:
    """(d, d) :func:`to_modes` of every descriptor by itself: the matrix Q, which the fits of one part ask for many times."""
    return read_only(to_modes(np.eye(sum(sizes)), sizes))


def from_modes(coefficients: FloatArray, sizes: Sequence[int]) -> FloatArray:
    """Q c, the inverse of :func:`to_modes` for coefficient vectors (..., d)."""
    result = np.empty_like(coefficients)
    start = 0
    for size in sizes:
        block = slice(start, start + size)
        np.matmul(coefficients[..., block], smoothness_modes(size)[0].T, out=result[..., block])
        start += size
    return result
