"""Repeated, nested cross-validation: what each calibrator says about polymers it has never seen."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.affine import AffineFit, Solver
from affinecal_gui.calibration.fitted import Fitted, TrainingPart, fit_calibrator, relative_spread, training_part
from affinecal_gui.calibration.folds import IntArray, contiguous_folds, random_folds
from affinecal_gui.calibration.intervals import OutOfFold
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.penalty_search import PenalisedModel, search_penalties
from affinecal_gui.calibration.problem import CalibrationProblem
from affinecal_gui.calibration.results import (
    MODEL_NAMES,
    Convergence,
    ModelName,
    Penalties,
    PenaltySurface,
)
from affinecal_gui.calibration.scale import DescriptorScale, learn_scale
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent, stop_if

PENALISED: tuple[PenalisedModel, ...] = ("log_difference", "affine")


@dataclass(frozen=True, slots=True)
class FittedPart:
    """All calibrators fitted to one training part."""

    part: TrainingPart
    scale: DescriptorScale
    models: Mapping[ModelName, Fitted]
    surfaces: Mapping[ModelName, PenaltySurface]


def fit_part(
    problem: CalibrationProblem,
    rows: IntArray,
    seed: tuple[int, ...],
    *,
    thin: int = 1,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> FittedPart:
    """Learn the scaling, choose the penalties and fit all four calibrators from these rows alone.

    Parameters
    ----------
    problem
        The data; only ``rows`` of them are looked at, except that the paper's protocol z-scores over all measured
        polymers, as published.
    rows
        (k,) positions of the training polymers.
    seed
        Seed of the inner folds.
    thin
        Search every ``thin``-th penalty of the grid only.
    """
    options = problem.options
    weights = None if problem.weights is None else problem.weights[rows]
    scale = descriptor_scale(problem, rows)
    Z = scale.apply(problem.X[rows])
    part = training_part(problem.y[rows], problem.f[rows], Z, problem.sizes, weights, options.log_scale)
    inner = (
        contiguous_folds(len(rows), min(options.inner_folds, len(rows)))
        if options.protocol == "paper"
        else random_folds(problem.groups[rows], options.inner_folds, np.random.default_rng(seed))
    )
    solver, tolerance = _solver(options)
    models: dict[ModelName, Fitted] = {}
    surfaces: dict[ModelName, PenaltySurface] = {}
    for position, model in enumerate(MODEL_NAMES):
        stop_if(cancelled)
        penalties = options.penalties.get(model)
        start = _start(part, models) if model == "affine" else None
        if penalties is None and Z.shape[1] and (model == "log_difference" or model == "affine"):
            surface = choose_penalties(
                model,
                part,
                inner,
                options,
                start=start,
                thin=thin,
                progress=part_of(progress, position / 4, (position + 1) / 4),
                cancelled=cancelled,
            )
            surfaces[model] = surface
            penalties = chosen_penalties(surface, options.lambda_beta)
        models[model] = fit_calibrator(model, part, penalties, solver=solver, tolerance=tolerance, start=start)
    return FittedPart(part, scale, models, surfaces)


def descriptor_scale(problem: CalibrationProblem, rows: IntArray) -> DescriptorScale:
    """Learn the standard units as the protocol demands."""
    if problem.options.protocol == "paper":
        return learn_scale(problem.X, problem.sizes, smallest_share=0.0)
    return learn_scale(problem.X[rows], problem.sizes, None if problem.weights is None else problem.weights[rows])


def choose_penalties(
    model: PenalisedModel,
    part: TrainingPart,
    inner: IntArray,
    options: CalibrationOptions,
    *,
    start: AffineFit | None = None,
    thin: int = 1,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> PenaltySurface:
    """Cross-validate the penalty grid inside a training part."""
    folds = [(np.flatnonzero(inner != k), np.flatnonzero(inner == k)) for k in range(int(inner.max()) + 1)]
    affine = model == "affine"
    solver, tolerance = _solver(options)
    surface = search_penalties(
        model,
        part.Z,
        part.t if affine else part.f / part.unit,
        part.y / part.unit,
        part.sizes,
        np.array(options.lambda_1[::thin]),
        np.array(options.lambda_2[::thin]),
        options.lambda_beta,
        folds,
        weights=part.weights,
        solver=solver,
        tolerance=tolerance,
        start=start,
        progress=progress,
        cancelled=cancelled,
    )
    rmse = surface.rmse * part.unit
    rmse.setflags(write=False)
    return replace(surface, rmse=rmse)


def chosen_penalties(surface: PenaltySurface, lambda_beta: float) -> Penalties:
    """Return the best pair of a surface."""
    i, j = surface.chosen
    return Penalties(float(surface.lambda_1[i]), float(surface.lambda_2[j]), lambda_beta)


def _solver(options: CalibrationOptions) -> tuple[Solver, float]:
    """Return solver and tolerance of the affine fits."""
    return ("block", 1e-3) if options.protocol == "paper" else ("direct", 1e-8)


def _start(part: TrainingPart, models: Mapping[ModelName, Fitted]) -> AffineFit | None:
    """Start the affine fit from the two simpler calibrators, as the paper does."""
    line, difference = models["ordinary"], models["log_difference"]
    if not len(difference.c):
        return None
    gamma = -difference.c / part.unit
    return AffineFit(line.a0, line.a1, 0.0, gamma, float("nan"), Convergence("closed form", 0, True))


def hold_out(
    problem: CalibrationProblem, *, progress: Progress = silent, cancelled: CancelCheck = never
) -> dict[ModelName, OutOfFold]:
    """Predict every measured polymer, and the library, by models that were fitted without it.

    Each repetition deals the polymers to folds anew; rows of one polymer stay together.
    """
    options = problem.options
    n, m, repetitions = len(problem.y), len(problem.library_f), options.repetitions
    folds = min(options.outer_folds, problem.polymers)
    fold = np.stack(
        [
            random_folds(problem.groups, folds, np.random.default_rng((options.seed, 1, repetition)))
            for repetition in range(repetitions)
        ]
    )
    predicted = {model: np.empty((repetitions, n)) for model in MODEL_NAMES}
    spread = {model: np.empty((repetitions, n)) for model in MODEL_NAMES}
    library = {model: np.empty((repetitions, folds, m)) for model in MODEL_NAMES}
    library_spread = {model: np.empty((repetitions, folds, m)) for model in MODEL_NAMES}
    weights = np.ones(n) if problem.weights is None else problem.weights
    for repetition in range(repetitions):
        for k in range(folds):
            done = (repetition * folds + k) / (repetitions * folds)
            sentence = f"Checking on held-out polymers, repetition {repetition + 1} of {repetitions}"
            progress(done, sentence)
            rows, held = np.flatnonzero(fold[repetition] != k), np.flatnonzero(fold[repetition] == k)
            fitted = fit_part(problem, rows, (options.seed, 2, repetition, k), thin=3, cancelled=cancelled)
            Z_held = fitted.scale.apply(problem.X[held])
            Z_library = fitted.scale.apply(problem.library_X)
            for model in MODEL_NAMES:
                stop_if(cancelled)
                one = fitted.models[model]
                predicted[model][repetition, held] = one.predict(problem.f[held], Z_held)
                spread[model][repetition, held] = relative_spread(
                    one, fitted.part, problem.f[held], Z_held, weights[held]
                )
                library[model][repetition, k] = one.predict(problem.library_f, Z_library)
                library_spread[model][repetition, k] = relative_spread(
                    one, fitted.part, problem.library_f, Z_library, np.ones(m)
                )
    progress(1.0, "Checked on held-out polymers")
    return {
        model: OutOfFold(fold, predicted[model], spread[model], library[model], library_spread[model])
        for model in MODEL_NAMES
    }
