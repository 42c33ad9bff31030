"""The evaluation of Minami et al. (NeurIPS 2023), supplement "Heat Capacity of Organic Polymers", step by step."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affinecal_gui.calibration.affine import AffineFit, Solver, fit_affine
from affinecal_gui.calibration.checks import finite_array, read_only, same_length
from affinecal_gui.calibration.fused_ridge import FusedRidge
from affinecal_gui.calibration.log_difference import fit_log_difference
from affinecal_gui.calibration.ordinary import fit_ordinary
from affinecal_gui.calibration.penalty_search import contiguous_folds, search_penalties
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if

PAPER_LAMBDA_1: FloatArray = read_only(10.0 ** np.linspace(-2, 2, 25))
PAPER_LAMBDA_2: FloatArray = read_only(np.array([50.0, 100.0, 150.0]))
PAPER_LAMBDA_BETA = 1.0
PAPER_FOLDS = 5
PAPER_TRAIN_SIZE = 60
PAPER_TEST_SIZE = 10


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


def _standardised(values: FloatArray) -> FloatArray:
    """Columns minus mean, over the sample standard deviation (ddof = 1); a constant column becomes zero."""
    spread = values.std(axis=0, ddof=1)
    size = np.abs(values).max(axis=0)
    constant = spread <= 4 * np.finfo(np.float64).eps * size
    return np.asarray(np.where(constant, 0.0, (values - values.mean(axis=0)) / np.where(constant, 1.0, spread)))


def run_paper_protocol(
    X: ArrayLike,
    md: ArrayLike,
    measured: ArrayLike,
    sizes: Sequence[int],
    *,
    repetitions: int = 20,
    train_size: int = PAPER_TRAIN_SIZE,
    test_size: int = PAPER_TEST_SIZE,
    solver: Solver = "block",
    tolerance: float = 1e-3,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
        As published 60 and 10. With fewer polymers both shrink in proportion and a note says so.
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
    if n < train_size + test_size:
        train, test = train_size, test_size
        train_size = round(n * train / (train + test))
        test_size = n - train_size
        notes.append(
            f"Only {n} polymers: {train_size} for training and {test_size} for testing instead of {train} and {test}."
        )
    if test_size < 1 or train_size < 2 * PAPER_FOLDS:
        raise UserError(f"The paper's protocol needs at least 12 polymers with measured and MD value; there are {n}.")

    f_log = np.log(md)
    y = np.log(measured)
    x = _standardised(X)
    f = _standardised(f_log[:, np.newaxis])[:, 0]
    folds = contiguous_folds(train_size, PAPER_FOLDS)
    done: list[PaperRepetition] = []
    for seed in range(repetitions):
        stop_if(cancelled)
        train_rows, test_rows = shuffled_split(n, train_size, test_size, seed)
        xt, ft, yt, ft_log = x[train_rows], f[train_rows], y[train_rows], f_log[train_rows]

        def rmse(prediction: FloatArray, rows: NDArray[np.int64] = test_rows) -> float:
            return float(np.sqrt(np.mean((y[rows] - prediction) ** 2)))

        ordinary = fit_ordinary(ft_log, yt)
        ls = search_penalties(
            "log_difference", xt, ft_log, yt, sizes, PAPER_LAMBDA_1, PAPER_LAMBDA_2, folds=folds, cancelled=cancelled
        )
        d1, d2 = float(ls.lambda_1[ls.chosen[0]]), float(ls.lambda_2[ls.chosen[1]])
        difference = fit_log_difference(xt, ft_log, yt, FusedRidge(sizes, d1, d2))
        start = AffineFit(
            0.0, 1.0, 0.0, read_only(-difference.gamma), float("nan"), Convergence("closed form", 0, True)
        )
        surface = search_penalties(
            "affine",
            xt,
            ft,
            yt,
            sizes,
            PAPER_LAMBDA_1,
            PAPER_LAMBDA_2,
            PAPER_LAMBDA_BETA,
            folds,
            solver=solver,
            tolerance=tolerance,
            start=start,
            cancelled=cancelled,
        )
        a1, a2 = float(surface.lambda_1[surface.chosen[0]]), float(surface.lambda_2[surface.chosen[1]])
        affine = fit_affine(
            xt,
            ft,
            yt,
            FusedRidge(sizes, a1, a2),
            PAPER_LAMBDA_BETA,
            solver=solver,
            tolerance=tolerance,
            start=start,
        )
        done.append(
            PaperRepetition(
                seed=seed,
                test=test_rows,
                train=train_rows,
                rmse={
                    "md": rmse(f_log[test_rows]),
                    "ordinary": rmse(ordinary.predict(f_log[test_rows])),
                    "log_difference": rmse(difference.predict(x[test_rows], f_log[test_rows])),
                    "affine": rmse(affine.predict(x[test_rows], f[test_rows])),
                },
                log_difference_lambda_1=d1,
                log_difference_lambda_2=d2,
                affine_lambda_1=a1,
                affine_lambda_2=a2,
                alpha_0=affine.alpha_0,
                alpha_1=affine.alpha_1,
                beta=affine.beta,
                iterations=affine.convergence.iterations,
                converged=affine.convergence.converged,
            )
        )
        progress((seed + 1) / repetitions, f"Repetition {seed + 1} of {repetitions}")
    table: tuple[ModelName, ...] = ("md", "ordinary", "log_difference", "affine")
    scores = {model: np.array([repetition.rmse[model] for repetition in done]) for model in table}
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
