"""Training and test sets drawn from one table of polymers, and the penalties to try on each of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray, TrainTest
from affinecal_gui.calibration.data.training_sets import Regression, regress
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.dual_problems import FEW, smoothers
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, to_modes
from affinecal_gui.calibration.solvers.primal_problems import descriptor_moments

_CHUNK_BYTES = 1.2e7
"""Working memory of one chunk of penalties; it should fit the processor's cache."""

_KEPT_BYTES = 2e8
"""Moments of all folds that are kept at a time, or matrices of all penalties."""


@dataclass(frozen=True, slots=True)
class ResampledStart:
    """Start of block relaxation for each of S training sets, on the scales of the data."""

    alpha_1: FloatArray  # (S,)
    alpha_0: FloatArray  # (S,)
    beta: FloatArray  # (S,)
    gamma: FloatArray  # (S, d)


class Resampling:
    """S training and test sets drawn from one table, and a list of g penalties.

    Parameters
    ----------
    X : (n, d) array
        Descriptors; scaled the same way in all sets.
    sizes : sequence of int
        Block sizes.
    penalties : sequence of FusedRidge
    sets : sequence of (training rows, test rows)
    weights : (n,) array
        Positive; rows of weight zero are to be left out beforehand.
    """

    def __init__(
        self,
        X: FloatArray,
        sizes: Sequence[int],
        penalties: Sequence[FusedRidge],
        sets: Sequence[TrainTest],
        weights: FloatArray,
    ) -> None:
        n, d = X.shape
        self.X, self.sizes, self.weights = X, tuple(sizes), weights
        self.eigenvalues = np.stack([penalty.eigenvalues for penalty in penalties])
        S = len(sets)
        self.inside = np.zeros((S, n), dtype=np.bool_)
        self.test_share = np.zeros((S, n))
        self.test_rows = [test for _, test in sets]
        for s, (train, test) in enumerate(sets):
            self.inside[s, train] = True
            total = weights[test].sum()
            if total > 0:
                self.test_share[s, test] = 1.0 / total
        self.dual = n < max(d, FEW)
        self.Z = to_modes(X, self.sizes) if self.dual else np.zeros((0, d))
        # Training sets of every size need the matrices of all penalties: each is made once where there is room for all.
        # Threads may make the same one at the same time, and then write the same numbers.
        self._keeps = self.dual and 16.0 * len(penalties) * n * n <= _KEPT_BYTES
        shape = (len(penalties), n, n) if self._keeps else (0, 0, 0)
        self._kernels, self._smoothers = np.empty(shape), np.empty(shape)
        self._made = np.zeros(len(penalties), dtype=np.bool_)

    @property
    def n_penalties(self) -> int:
        """Number of penalties g."""
        return int(self.eigenvalues.shape[0])

    @property
    def n_sets(self) -> int:
        """Number of training sets S."""
        return int(self.inside.shape[0])

    def regression(self, f: FloatArray, y: FloatArray) -> Regression:
        """Least squares of y on f in every training set."""
        return regress(f, y, self.inside * self.weights)

    def groups(self) -> Iterator[tuple[IntArray, IntArray]]:
        """Training sets that leave out the same number of rows: their positions, and the rows left out (S', c)."""
        count = (~self.inside).sum(axis=1)
        for c in np.unique(count):
            members = np.flatnonzero(count == c)
            yield members, np.nonzero(~self.inside[members])[1].reshape(len(members), c)

    def chunks(self, n_sets: int, left_out: int) -> Iterator[slice]:
        """Penalties to be solved together, so that their matrices stay in the processor's cache."""
        n, d = self.X.shape
        each = 8.0 * (n_sets * n * (left_out + 40.0) + n * d + 4.0 * n * n)
        size = max(1, int(_CHUNK_BYTES / each))
        for begin in range(0, self.n_penalties, size):
            yield slice(begin, min(begin + size, self.n_penalties))

    def kernels(self, chunk: slice) -> FloatArray:
        """Return (g', n, n) X Lambda^-1 X' of some penalties, not to be changed."""
        if not self._keeps:
            return self._kernels_of(chunk)
        self._make(chunk)
        return self._kernels[chunk]

    def smoothers(self, chunk: slice) -> FloatArray:
        """Return (g', n, n) K (K + I)^-1 of some penalties, not to be changed; K is their kernel scaled by sqrt(w)."""
        if not self._keeps:
            return self._smoothers_of(self._kernels_of(chunk))
        self._make(chunk)
        return self._smoothers[chunk]

    def _make(self, chunk: slice) -> None:
        if not self._made[chunk].all():
            self._kernels[chunk] = kernels = self._kernels_of(chunk)
            self._smoothers[chunk] = self._smoothers_of(kernels)
            self._made[chunk] = True

    def _kernels_of(self, chunk: slice) -> FloatArray:
        return (self.Z / self.eigenvalues[chunk, np.newaxis, :]) @ self.Z.T

    def _smoothers_of(self, kernels: FloatArray) -> FloatArray:
        sigma = np.sqrt(self.weights)
        scaled = sigma[:, np.newaxis] * kernels
        scaled *= sigma
        return smoothers(scaled)

    def all_moments(self, f: FloatArray, powers: int) -> Iterator[FloatArray]:
        """Moments (powers, d, d) of the descriptors in every training set, one after the other.

        Those of all rows less those of the rows left out: when the sets leave out each row once, as folds do, every row is
        visited only once.
        """
        left_out = [np.flatnonzero(~inside) for inside in self.inside]
        d = self.X.shape[1]
        folds = bool((self.inside.sum(axis=0) == self.n_sets - 1).all())
        if folds and 8.0 * powers * d * d * self.n_sets <= _KEPT_BYTES:
            parts = [self._moments_of(rows, f, powers) for rows in left_out]
            of_all = np.sum(parts, axis=0)
            for part in parts:
                yield of_all - part
            return
        of_all = self._moments_of(np.arange(self.X.shape[0]), f, powers)
        for s, rows in enumerate(left_out):
            if 2 * len(rows) <= self.X.shape[0]:
                yield of_all - self._moments_of(rows, f, powers)
            else:
                yield self._moments_of(np.flatnonzero(self.inside[s]), f, powers)

    def _moments_of(self, rows: IntArray, f: FloatArray, powers: int) -> FloatArray:
        return descriptor_moments(self.X[rows], f[rows], self.weights[rows], self.sizes, powers)
