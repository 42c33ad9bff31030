"""The evaluation of Minami et al. (NeurIPS 2023), supplement "Heat Capacity of Organic Polymers", step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.linear.raw_md import RAW_MD
from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver, fit_affine_many
from affinecal_gui.calibration.calibrators.objectives.log_difference import LogDifferenceFit, fit_log_difference
from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.cross_validation.held_out_errors import both_errors
from affinecal_gui.calibration.cross_validation.resampling import ResampledStart, Resampling
from affinecal_gui.calibration.data.array_checks import finite_array, read_only, same_length
from affinecal_gui.calibration.data.folds import contiguous_folds, held_out_in_turn
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task

PAPER_LAMBDA_1: FloatArray = read_only(10.0 ** np.linspace(-2, 2, 25))
PAPER_LAMBDA_2: FloatArray = read_only(np.array([50.0, 100.0, 150.0]))
PAPER_LAMBDA_BETA = 1.0
PAPER_FOLDS = 5
PAPER_TRAIN_SIZE = 60
PAPER_TEST_SIZE = 10
PAPER_CALIBRATORS: tuple[ModelName, ...] = (RAW_MD.key, ORDINARY.key, LOG_DIFFERENCE.key, AFFINE.key)
MAX_ITERATIONS = 1000
"""Sweeps after which block relaxation gives up, as in the published runs."""


@dataclass(frozen=True, slots=True)
class PaperRepetition:
    """One random split: who was held out, how far off each calibrator was there, and what was learned.

    RMSE on the natural logarithm of the property. alpha_0, alpha_1, beta of the affine model as fitted, with the
    z-scored logarithm of the MD value.
    """

    seed: int
    test: NDArray[np.int64]  # (test,) indices of the held-out polymers
    train: NDArray[np.int64]  # (train,) indices of the training polymers, in the order of the shuffle
    rmse: dict[ModelName, float]
    log_difference_lambda_1: float
    log_difference_lambda_2: float
    affine_lambda_1: float
    affine_lambda_2: float
    alpha_0: float
    alpha_1: float
    beta: float
    iterations: int
    converged: bool


@dataclass(frozen=True, slots=True)
class PaperBenchmark:
    """The table of the paper: RMSE of each calibrator over the repetitions."""

    n_polymers: int
    train_size: int
    test_size: int
    solver: Solver
    tolerance: float
    repetitions: tuple[PaperRepetition, ...]
    rmse_mean: dict[ModelName, float]
    rmse_sd: dict[ModelName, float]  # ddof = 1; nan with one repetition
    notes: tuple[str, ...] = ()


def shuffled_split(n: int, train_size: int, test_size: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """(training, test) indices as scikit-learn's ``train_test_split(random_state=seed)`` draws them.

    A permutation of MT19937 seeded with ``seed``: its head is the test part, the rows after it the training part.
    """
    order = np.random.RandomState(seed).permutation(n)  # the legacy generator, as published
    return order[test_size : test_size + train_size], order[:test_size]


def _standardised(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Columns minus mean, over the sample standard deviation (ddof = 1), and that; a constant column becomes zero over 1."""
    spread = values.std(axis=0, ddof=1)
    # Rounding leaves a constant column with a spread of a few units in the last place: that is not variation.
    constant = spread <= 4 * np.finfo(np.float64).eps * np.abs(values).max(axis=0)
    spread = np.where(constant, 1.0, spread)
    return np.where(constant, 0.0, (values - values.mean(axis=0)) / spread), spread


def run_paper_protocol(
    X: ArrayLike,
    md: ArrayLike,
    measured: ArrayLike,
    sizes: Sequence[int],
    *,
    repetitions: int = 20,
    train_size: int = PAPER_TRAIN_SIZE,
    test_size: int | None = None,
    solver: Solver = "block",
    tolerance: float = 1e-3,
    task: Task = UNWATCHED,
) -> PaperBenchmark:
    """Repeat the paper's evaluation: random splits, penalties by cross-validation inside the training part.

    Parameters
    ----------
    X : (n, d) array_like
        Descriptors of the measured polymers, not scaled.
    md, measured : (n,) array_like
        MD and measured values in the same unit, positive (their logarithms are used).
    sizes : sequence of int
        Block sizes of the descriptors.
    repetitions : int
        Number of random splits, seeds 0, 1, ...
    train_size, test_size : int
        As published, 60 polymers train and all others, of 70, are held out. With fewer than 70 (or, when a test size is
        given, than both together) training and test part share them in the proportion 60 to 10, and a note says so.
    solver, tolerance
        As published: block relaxation stopped at 1e-3.

    Raises
    ------
    UserError
        When a value is missing, infinite or not positive, or there are too few polymers.
    """
    X = finite_array(X, "Descriptors", 2)
    md = finite_array(md, "MD values", 1)
    measured = finite_array(measured, "Measured values", 1)
    n = X.shape[0]
    same_length(n, md=md, measured=measured)
    for values, name in ((md, "MD values"), (measured, "Measured values")):
        if (values <= 0).any():
            row = int(np.argmax(values <= 0)) + 1
            raise UserError(f"{name}: row {row} is not positive; the paper's protocol works on logarithms.")
    notes: list[str] = []
    test = PAPER_TEST_SIZE if test_size is None else test_size
    test_size = n - train_size if test_size is None else test_size
    if n < train_size + test:
        train = train_size
        train_size = round(n * train / (train + test))
        test_size = n - train_size
        notes.append(
            f"Only {n} polymers: {train_size} for training and {test_size} for testing instead of {train} and {test}."
        )
    if test_size < 1 or train_size < 2 * PAPER_FOLDS:
        raise UserError(f"The paper's protocol needs at least 12 polymers with measured and MD value; there are {n}.")

    f_log = np.log(md)
    y = np.log(measured)
    x, _ = _standardised(X)
    f_table, spread = _standardised(f_log[:, np.newaxis])
    f, f_scale = f_table[:, 0], float(spread[0])
    splits = [shuffled_split(n, train_size, test_size, seed) for seed in range(repetitions)]
    # Every split and every fold of it is a training set over the same scaled table: all are solved together.
    folds = held_out_in_turn(contiguous_folds(train_size, PAPER_FOLDS))
    inner = [(train[rows], train[held_out]) for train, _ in splits for rows, held_out in folds]
    grid = [(float(first), float(second)) for first in PAPER_LAMBDA_1 for second in PAPER_LAMBDA_2]
    penalties = [FusedRidge(sizes, first, second) for first, second in grid]
    data = Resampling(x, sizes, penalties, inner, np.ones(n))

    def best_of_each(errors: FloatArray) -> list[int]:
        """First best penalty pair of each repetition from errors (penalties, repetitions * folds)."""
        means = errors.reshape(len(grid), repetitions, PAPER_FOLDS).mean(axis=2)
        return [int(best) for best in np.argmin(means, axis=0)]

    differences: list[LogDifferenceFit] = []
    starts: list[AffineFit] = []

    def start_from(errors: FloatArray) -> ResampledStart:
        """Fit the log-difference model to each whole training part; the affine model starts from there in every fold."""
        for (train, _), best in zip(splits, best_of_each(errors), strict=True):
            difference = fit_log_difference(x[train], f_log[train], y[train], penalties[best])
            line = fit_ordinary(f[train], y[train])
            differences.append(difference)
            starts.append(
                AffineFit(
                    alpha_0=line.alpha_0,
                    alpha_1=line.alpha_1,
                    beta=0.0,
                    gamma=read_only(-difference.gamma),  # the affine model subtracts its correction
                    objective=float("nan"),
                    convergence=Convergence("closed form", 0, True),
                )
            )
        of_sets = [start for start in starts for _ in range(PAPER_FOLDS)]
        return ResampledStart(
            np.array([start.alpha_1 for start in of_sets]),
            np.array([start.alpha_0 for start in of_sets]),
            np.array([start.beta for start in of_sets]),
            np.array([start.gamma for start in of_sets]),
        )

    difference_errors, errors = both_errors(
        data,
        f,
        f_scale,
        y,
        PAPER_LAMBDA_BETA,
        start_from,
        solver=solver,
        tolerance=tolerance,
        max_iterations=MAX_ITERATIONS,
        task=task.part(0.0, 0.95),
    )
    difference_best, affine_best = best_of_each(difference_errors), best_of_each(errors)

    trains = np.array([train for train, _ in splits])
    fits = fit_affine_many(
        x[trains],
        f[trains],
        y[trains],
        [penalties[best] for best in affine_best],
        PAPER_LAMBDA_BETA,
        solver=solver,
        tolerance=tolerance,
        start=starts,
        max_iterations=MAX_ITERATIONS,
        task=task.silent,
    )
    done = []
    for seed, (train_rows, test_rows) in enumerate(splits):
        ordinary = fit_ordinary(f_log[train_rows], y[train_rows])
        affine = fits[seed]
        predictions: dict[ModelName, FloatArray] = {
            RAW_MD.key: f_log[test_rows],
            ORDINARY.key: ordinary.predict(f_log[test_rows]),
            LOG_DIFFERENCE.key: differences[seed].predict(x[test_rows], f_log[test_rows]),
            AFFINE.key: affine.predict(x[test_rows], f[test_rows]),
        }
        done.append(
            PaperRepetition(
                seed=seed,
                test=test_rows,
                train=train_rows,
                rmse={
                    model: float(np.sqrt(np.mean((y[test_rows] - values) ** 2)))
                    for model, values in predictions.items()
                },
                log_difference_lambda_1=grid[difference_best[seed]][0],
                log_difference_lambda_2=grid[difference_best[seed]][1],
                affine_lambda_1=grid[affine_best[seed]][0],
                affine_lambda_2=grid[affine_best[seed]][1],
                alpha_0=affine.alpha_0,
                alpha_1=affine.alpha_1,
                beta=affine.beta,
                iterations=affine.convergence.iterations,
                converged=affine.convergence.converged,
            )
        )
        task.report(0.95 + 0.05 * (seed + 1) / repetitions, f"Repetition {seed + 1} of {repetitions}")
    scores = {model: np.array([repetition.rmse[model] for repetition in done]) for model in PAPER_CALIBRATORS}
    return PaperBenchmark(
        n_polymers=n,
        train_size=train_size,
        test_size=test_size,
        solver=solver,
        tolerance=tolerance,
        repetitions=tuple(done),
        rmse_mean={model: float(values.mean()) for model, values in scores.items()},
        rmse_sd={
            model: float(values.std(ddof=1)) if len(values) > 1 else float("nan") for model, values in scores.items()
        },
        notes=tuple(notes),
    )
