"""A search of the penalty grid over one table, for tests and the benchmark; the product searches part by part."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.cross_validation.held_out_errors import affine_errors, log_difference_errors
from affinecal_gui.calibration.cross_validation.penalty_search import repeated_start, surface_from_errors
from affinecal_gui.calibration.cross_validation.resampling import Resampling
from affinecal_gui.calibration.data.array_checks import (
    checked_weights,
    finite_array,
    positive_number,
    same_length,
)
from affinecal_gui.calibration.data.folds import TrainTest as Fold
from affinecal_gui.calibration.data.folds import contiguous_folds, held_out_in_turn
from affinecal_gui.calibration.results import FloatArray, PenaltySurface
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task

PenalisedModel = Literal["log_difference", "affine"]


def search_penalties(
    model: PenalisedModel,
    X: ArrayLike,
    f: ArrayLike,
    y: ArrayLike,
    sizes: Sequence[int],
    lambda_1: ArrayLike,
    lambda_2: ArrayLike,
    lambda_beta: float = 1.0,
    folds: Sequence[Fold] = (),
    *,
    block_factors: ArrayLike | None = None,
    weights: ArrayLike | None = None,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
    max_iterations: int = 1000,
    task: Task = UNWATCHED,
) -> PenaltySurface:
    """Cross-validate every pair of the grid and choose the best.

    Parameters
    ----------
    model : {"log_difference", "affine"}
        Which calibrator.
    X : (n, d) array_like
        Descriptors, scaled by the caller.
    f, y : (n,) array_like
        MD and measured values on the target scale (f scaled for "affine", unscaled for "log_difference").
    sizes : sequence of int
        Block sizes of the descriptors.
    lambda_1, lambda_2 : (a,), (b,) array_like
        The grid, ascending.
    lambda_beta : float
        Penalty of beta ("affine" only).
    folds : sequence of (training indices, test indices)
        The parts; five contiguous ones when empty.
    block_factors : (blocks,) array_like, optional
        Both penalties of a block are multiplied by its factor; ones by default.
    weights : (n,) array_like, optional
        Weights of the squared residuals, in fitting and in scoring.
    solver, tolerance, start, max_iterations
        As in :func:`~affinecal_gui.calibration.calibrators.objectives.affine.fit_affine`.

    Returns
    -------
    PenaltySurface
        Root of the mean over the folds of each fold's (weighted) mean squared error; the first best pair in grid order
        (lambda_1 outer, lambda_2 inner) is chosen.

    Raises
    ------
    UserError
        When a value is missing or infinite, a penalty has the wrong sign, or there are too few polymers.
    """
    X = finite_array(X, "Descriptors", 2)
    f = finite_array(f, "MD values", 1)
    y = finite_array(y, "Measured values", 1)
    n = X.shape[0]
    same_length(n, f=f, y=y)
    w = checked_weights(weights, n)
    grid_1 = finite_array(lambda_1, "Penalty grid lambda_1", 1)
    grid_2 = finite_array(lambda_2, "Penalty grid lambda_2", 1)
    if not len(grid_1) or not len(grid_2):
        raise UserError("The penalty grid is empty: give at least one lambda_1 and one lambda_2.")
    folds = tuple(folds) or tuple(held_out_in_turn(contiguous_folds(n, min(n, 5))))
    X, f, y, w, folds = without_weightless_rows(X, f, y, w, folds)
    factors = np.ones(len(sizes)) if block_factors is None else finite_array(block_factors, "Penalty factors", 1)
    penalties = [FusedRidge(sizes, first * factors, second * factors) for first in grid_1 for second in grid_2]
    if X.shape[1] != penalties[0].n_features:
        raise ValueError(f"X has {X.shape[1]} descriptors, the penalty {penalties[0].n_features}")
    data = Resampling(X, sizes, penalties, folds, w)
    if model == "log_difference":
        errors = log_difference_errors(data, f, y, task=task)
    else:
        errors = affine_errors(
            data,
            f,
            y,
            positive_number(lambda_beta, "The penalty lambda_beta"),
            solver=solver,
            tolerance=tolerance,
            max_iterations=max_iterations,
            start=None if start is None else repeated_start(start, len(folds)),
            task=task,
        )
    return surface_from_errors(grid_1, grid_2, errors.mean(axis=1).reshape(len(grid_1), len(grid_2)))


def without_weightless_rows(
    X: FloatArray, f: FloatArray, y: FloatArray, weights: FloatArray, folds: Sequence[Fold]
) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, tuple[Fold, ...]]:
    """Drop rows of weight zero, which neither train nor score, and folds that are left without either part.

    Raises
    ------
    UserError
        When no fold is left.
    """
    keep = weights > 0
    if not keep.all():
        position = np.cumsum(keep) - 1
        folds = [(position[train[keep[train]]], position[test[keep[test]]]) for train, test in folds]
        X, f, y, weights = X[keep], f[keep], y[keep], weights[keep]
    usable = tuple((train, test) for train, test in folds if len(train) and len(test))
    if not usable:
        raise UserError("Too few polymers for cross-validation: at least two are needed.")
    return X, f, y, weights, usable
