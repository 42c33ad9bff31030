"""Cross-validation of the penalty grid: which (lambda_1, lambda_2) predicts held-out polymers best."""

from collections.abc import Sequence
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affinecal_gui.calibration.affine import AffineFit, Solver, fit_affine
from affinecal_gui.calibration.checks import checked_weights, finite_array, read_only, same_length
from affinecal_gui.calibration.fused_ridge import FusedRidge
from affinecal_gui.calibration.log_difference import fit_log_difference
from affinecal_gui.calibration.results import FloatArray, PenaltySurface
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if

PenalisedModel = Literal["log_difference", "affine"]
Fold = tuple[NDArray[np.int64], NDArray[np.int64]]
"""(training indices, test indices) into the rows of X."""


def contiguous_folds(n: int, folds: int) -> tuple[Fold, ...]:
    """Split rows 0 ... n - 1 into contiguous test parts, sizes as equal as possible, the larger ones first.

    The same parts as scikit-learn's ``KFold(folds)`` without shuffling.
    """
    parts = np.array_split(np.arange(n), folds)
    return tuple((np.setdiff1d(np.arange(n), part), part) for part in parts)


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
    weights: ArrayLike | None = None,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
    weights : (n,) array_like, optional
        Weights of the squared residuals, in fitting and in scoring.
    solver, tolerance, start
        Passed to :func:`~affinecal_gui.calibration.affine.fit_affine`.

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
    folds = tuple(folds) or contiguous_folds(n, 5)
    error = np.empty((grid_1.shape[0], grid_2.shape[0]))
    for i, first in enumerate(grid_1):
        for j, second in enumerate(grid_2):
            stop_if(cancelled)
            penalty = FusedRidge(sizes, first, second)
            scores = []
            for train, test in folds:
                fit = (
                    fit_log_difference(X[train], f[train], y[train], penalty, w[train])
                    if model == "log_difference"
                    else fit_affine(
                        X[train],
                        f[train],
                        y[train],
                        penalty,
                        lambda_beta,
                        solver=solver,
                        tolerance=tolerance,
                        start=start,
                        weights=w[train],
                    )
                )
                scores.append(np.average((y[test] - fit.predict(X[test], f[test])) ** 2, weights=w[test]))
            error[i, j] = np.mean(scores)
            progress((i * grid_2.shape[0] + j + 1) / error.size, "Cross-validating the penalties")
    return surface_from_errors(grid_1, grid_2, error)


def surface_from_errors(lambda_1: FloatArray, lambda_2: FloatArray, error: FloatArray) -> PenaltySurface:
    """Choose the first best pair of mean squared errors (a, b), and say whether it lies on an edge."""
    i, j = np.unravel_index(int(np.argmin(error)), error.shape)
    edges: list[Literal["lambda_1", "lambda_2"]] = []
    if lambda_1.shape[0] > 1 and i in (0, lambda_1.shape[0] - 1):
        edges.append("lambda_1")
    if lambda_2.shape[0] > 1 and j in (0, lambda_2.shape[0] - 1):
        edges.append("lambda_2")
    return PenaltySurface(
        lambda_1=read_only(lambda_1.copy()),
        lambda_2=read_only(lambda_2.copy()),
        rmse=read_only(np.sqrt(error)),
        chosen=(int(i), int(j)),
        on_edge=tuple(edges),
    )
