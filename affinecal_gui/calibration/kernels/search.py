"""Each method's penalties by cross-validation, for many training sets at once."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.folds import TRUST, IntArray
from affinecal_gui.calibration.kernels.constant import fit_constant
from affinecal_gui.calibration.kernels.fits import Features
from affinecal_gui.calibration.kernels.full.fitting import fit_full
from affinecal_gui.calibration.kernels.full.objective import FullProblem
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.ridge import ridge_path
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.kernels.training_sets import Splits, TransferSets, divide
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

_ROUNDING = 1e-24
"""Mean squared errors below it, in the variance of the target, are rounding, and equal."""

RIDGE_NUMBERS = 400_000
GRID_NUMBERS = 500_000
"""Numbers in the stacked matrices of one piece of work: small enough for the caches."""


@dataclass(frozen=True, slots=True)
class PenaltySearch:
    """A penalty grid with its cross-validated errors, of s training sets."""

    names: tuple[str, ...]  # of the q penalties
    grid: FloatArray  # (g, q)
    errors: FloatArray  # (s, g) mean squared error averaged over the folds, standardised units
    unfinished: int = 0  # fits of the grid that did not converge
    averaged: FloatArray | None = None  # (s, q) where means are taken over the grid instead of its first best

    @property
    def chosen(self) -> IntArray:
        """(s,) first best of the grid."""
        return np.asarray(np.argmin(self.errors, axis=1), dtype=np.int64)

    @property
    def penalties(self) -> FloatArray:
        """(s, q) the chosen penalties."""
        return np.asarray(self.grid[self.chosen]) if self.averaged is None else self.averaged

    def on_edge(self) -> NDArray[np.bool_]:
        """(s, q) whether a chosen penalty is the smallest or largest of several that were tried."""
        low, high = self.grid.min(axis=0), self.grid.max(axis=0)
        return np.asarray(((self.penalties == low) | (self.penalties == high)) & (low < high))


def search_ridge(
    sets: TransferSets,
    features: Features,
    target: FloatArray,
    folds: IntArray,
    options: TransferOptions,
    *,
    task: Task = UNWATCHED,
) -> PenaltySearch:
    """Cross-validate a kernel ridge regression of ``target`` (s, n)."""
    K = sets.gram(features)
    penalties = np.array(options.ridge)

    def errors(part: Splits) -> tuple[FloatArray, int]:
        y, held = target[part.which[:, None], part.train], target[part.which[:, None], part.test]
        predicted = ridge_path(part.within(K), part.across(K), y, penalties, part.training(sets.root))
        return part.mean_squares(predicted - held[:, None, :], sets.root), 0

    return _search(("λ",), penalties[:, None], folds, errors, 1, RIDGE_NUMBERS, "Ridge penalties", task)


def search_constant(
    sets: TransferSets,
    folds: IntArray,
    options: TransferOptions,
    *,
    task: Task = UNWATCHED,
) -> PenaltySearch:
    """Cross-validate AffineTL-const."""
    grid = np.array(list(product(options.l1, options.l3)))

    def errors(part: Splits) -> tuple[FloatArray, int]:
        y, held = sets.y[part.which[:, None], part.train], sets.y[part.which[:, None], part.test]
        K1, K3 = part.within(sets.source)[:, None], part.within(sets.target)[:, None]
        across1, across3 = (part.across(K).transpose(0, 2, 1) for K in (sets.source, sets.target))
        root = part.training(sets.root)
        own_root = None if root is None else root[:, None]
        found = []
        for some in _chunks(grid, part):
            l1, l3 = (np.broadcast_to(column, (len(y), len(some))) for column in some.T)
            u, d = fit_constant(K1, K3, np.broadcast_to(y[:, None], (len(y), len(some), y.shape[1])), l1, l3, own_root)
            predicted = (u / l1[..., None]) @ across1 + (u / l3[..., None]) @ across3 + d[..., None]
            found.append(part.mean_squares(predicted - held[:, None, :], sets.root))
        return np.concatenate(found, axis=1), 0

    return _search(("l1", "l3"), grid, folds, errors, len(grid), GRID_NUMBERS, "AffineTL-const", task)


def search_full(
    sets: TransferSets,
    folds: IntArray,
    options: TransferOptions,
    *,
    task: Task = UNWATCHED,
) -> PenaltySearch:
    """Cross-validate AffineTL-full, from one start each."""
    grid = np.array(list(product(options.l1, options.l2, options.l3)))

    def errors(part: Splits) -> tuple[FloatArray, int]:
        b = len(part.which)
        y, held = sets.y[part.which[:, None], part.train], sets.y[part.which[:, None], part.test]
        grams = (sets.source, sets.factor, sets.target)
        K1, K2, K3 = (part.within(K) for K in grams)
        across1, across2, across3 = (part.across(K).transpose(0, 2, 1) for K in grams)
        root = part.training(sets.root)
        values, unfinished = [], 0
        for some in _chunks(grid, part):
            g = len(some)
            l1, l2, l3 = (np.tile(column, b) for column in some.T)
            problem = FullProblem(K1, K2, K3, y, np.repeat(np.arange(b), g), l1, l2, l3)
            found = fit_full(problem, root=root, solver=options.solver, seed=options.seed, task=task)
            own, shape = found.weights, (b, g, y.shape[1])
            predicted = own.a.reshape(shape) @ across1 + own.d.reshape(b, g, 1)
            predicted += (own.b.reshape(shape) @ across2 + 1.0) * (own.c.reshape(shape) @ across3)
            values.append(part.mean_squares(predicted - held[:, None, :], sets.root))
            unfinished += int((~found.converged).sum())
        return np.concatenate(values, axis=1), unfinished

    return _search(("l1", "l2", "l3"), grid, folds, errors, len(grid), GRID_NUMBERS, "AffineTL-full", task)


def _chunks(grid: FloatArray, part: Splits) -> Iterator[FloatArray]:
    """Cut a grid so that its stacked matrices stay small: a whole grid of large ones would fill the memory."""
    most = max(1, GRID_NUMBERS // (len(part.which) * part.train.shape[1] ** 2))
    for start in range(0, len(grid), most):
        yield grid[start : start + most]


def _search(
    names: tuple[str, ...],
    grid: FloatArray,
    folds: IntArray,
    errors: Callable[[Splits], tuple[FloatArray, int]],
    matrices: int,
    numbers: int,
    title: str,
    task: Task,
) -> PenaltySearch:
    """Average the errors (b, g) of all divisions over the folds of each training set."""
    total, count = np.zeros((len(folds), len(grid))), np.zeros(len(folds))
    pieces = [
        piece
        for group in divide(folds)
        for piece in group.pieces(max(1, numbers // (matrices * group.train.shape[1] ** 2)))
    ]
    rows = folds.shape[1]
    found = work_through(errors, pieces, rows, task, f"Choosing penalties: {title}")
    unfinished = 0
    for piece, (values, missed) in zip(pieces, found, strict=True):
        np.add.at(total, piece.which, values)
        np.add.at(count, piece.which, 1.0)
        unfinished += missed
    # A single row cannot be divided: every penalty is as good, and the first is taken.
    return PenaltySearch(names, grid, total / np.maximum(count, 1.0)[:, None], unfinished)


def shares_of_grid(errors: FloatArray, rows: int) -> FloatArray:
    """(g,) how much each point of a grid counts in a mean over it, by its ``errors`` (g,) of so many held-out rows.

    As for the linear calibrators: see
    :func:`affinecal_gui.calibration.cross_validation.penalty_search.averaged_penalties`.
    """
    likely = -0.5 * TRUST * rows * np.log(np.maximum(errors, _ROUNDING))
    weight = np.exp(likely - likely.max())
    return np.asarray(weight / weight.sum())
