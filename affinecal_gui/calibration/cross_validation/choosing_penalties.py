"""Which penalties a calibrator takes: those under which its own training part is likely and predicted well by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_calibrator
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.linear.ordinary import ORDINARY
from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.cross_validation.held_out_errors import affine_errors, both_errors, log_difference_errors
from affinecal_gui.calibration.cross_validation.penalty_search import (
    averaged_penalties,
    chosen_penalties,
    repeated_start,
    surface_from_errors,
)
from affinecal_gui.calibration.cross_validation.resampling import ResampledStart, Resampling
from affinecal_gui.calibration.cross_validation.restricted_likelihood import log_likelihoods
from affinecal_gui.calibration.data.folds import IntArray, TrainTest, held_out_in_turn
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties, PenaltySurface
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.task import UNWATCHED, Task

MAX_ITERATIONS = 200
"""Sweeps of the block updates in a cross-validation. The bundled examples need fewer than a hundred; where data make them
crawl for thousands, the errors they are compared by have long settled."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What a training part says of every pair of a grid of penalties, for one calibrator."""

    surface: PenaltySurface  # errors of its held-out polymers
    log_likelihood: FloatArray | None  # (a, b) of its measurements; None where it is not asked


FUSED_RIDGE = ("lambda_1", "lambda_2")
"""Calibrators with both of these penalties have the prior of which the restricted likelihood speaks."""


def solver_of(options: CalibrationOptions) -> tuple[Solver, float]:
    """Return solver and tolerance of the affine fits."""
    return ("block", 1e-3) if options.protocol == "paper" else ("direct", 1e-8)


def choose_penalties(
    part: TrainingPart,
    groups: IntArray,
    dealings: Sequence[IntArray],
    options: CalibrationOptions,
    models: Sequence[ModelName],
    lambda_1: FloatArray,
    lambda_2: FloatArray,
    penalties: Sequence[FusedRidge],
    *,
    task: Task = UNWATCHED,
) -> dict[ModelName, Searched]:
    """Cross-validate a penalty grid inside a training part, and ask how likely its measurements are under every pair.

    Log-difference and affine share the work of one pass and follow the grid without fitting every pair anew; any other
    calibrator is fitted to every fold with every pair.

    Parameters
    ----------
    part
        k rows.
    groups
        (k,) equal for rows of the same polymer.
    dealings
        (k,) each: the folds in which the rows of the part are held out in turn.
    lambda_1, lambda_2
        (a,), (b,) the grid.
    penalties
        Its a b pairs, lambda_1 outer.

    Returns
    -------
    Surfaces with errors on the target scale. The paper asks for errors alone.
    """
    solver, tolerance = solver_of(options)
    folds = [fold for dealing in dealings for fold in held_out_in_turn(dealing)]
    data = Resampling(part.Z, part.sizes, penalties, folds, part.weights)
    f, y = part.f / part.unit, part.y / part.unit

    def surface(errors: FloatArray) -> PenaltySurface:
        by_pair = errors.mean(axis=1).reshape(len(lambda_1), len(lambda_2))
        return surface_from_errors(lambda_1, lambda_2, by_pair * part.unit**2)

    def start_from(errors: FloatArray) -> ResampledStart:
        if solver == "direct":  # needs no start
            nothing = np.zeros(len(folds))
            return ResampledStart(nothing, nothing, nothing, np.zeros((len(folds), data.X.shape[1])))
        best = chosen_penalties(surface(errors), options.lambda_beta)
        return repeated_start(paper_start(part, best), len(folds))

    others = [model for model in models if model not in (LOG_DIFFERENCE.key, AFFINE.key)]
    surfaces = {
        model: surface(_errors_of_every_fit(model, part, folds, lambda_1, lambda_2, options, task)) for model in others
    }
    if LOG_DIFFERENCE.key in models and AFFINE.key in models:
        difference, affine = both_errors(
            data,
            part.t,
            part.f_sd / part.unit,
            y,
            options.lambda_beta,
            start_from,
            solver=solver,
            tolerance=tolerance,
            max_iterations=MAX_ITERATIONS,
            task=task,
        )
        surfaces |= {LOG_DIFFERENCE.key: surface(difference), AFFINE.key: surface(affine)}
    elif LOG_DIFFERENCE.key in models:
        surfaces[LOG_DIFFERENCE.key] = surface(log_difference_errors(data, f, y, task=task))
    elif AFFINE.key in models:
        errors = affine_errors(
            data,
            part.t,
            y,
            options.lambda_beta,
            solver=solver,
            tolerance=tolerance,
            max_iterations=MAX_ITERATIONS,
            start=repeated_start(paper_start(part, options.by_hand[LOG_DIFFERENCE.key]), len(folds)),
            task=task,
        )
        surfaces[AFFINE.key] = surface(errors)
    likely: dict[ModelName, FloatArray] = {}
    if options.protocol == "default":
        each = part
        if len(np.unique(groups)) < len(groups):  # what rows of one polymer share is no matter of structure
            each = part.by_polymer(groups)
            data = Resampling(each.Z, part.sizes, penalties, (), each.weights)
        shape = len(lambda_1), len(lambda_2)
        ridges = [model for model in models if set(FUSED_RIDGE) <= set(calibrator(model).penalties)]
        likely = log_likelihoods(ridges, each, data, task=task)
    shape = len(lambda_1), len(lambda_2)
    return {
        model: Searched(own, likely[model].reshape(shape) if model in likely else None)
        for model, own in surfaces.items()
    }


def _errors_of_every_fit(
    model: ModelName,
    part: TrainingPart,
    folds: Sequence[TrainTest],
    lambda_1: FloatArray,
    lambda_2: FloatArray,
    options: CalibrationOptions,
    task: Task,
) -> FloatArray:
    """Return (a b, folds) weighted mean squared errors, in units of ``part.unit`` squared."""
    trains = [part.rows(train) for train, _ in folds]
    errors = np.empty((len(lambda_1) * len(lambda_2), len(folds)))
    for position, (first, second) in enumerate(product(lambda_1, lambda_2)):
        own = Penalties(float(first), float(second), options.lambda_beta)
        for k, (_, test) in enumerate(folds):
            task.check()
            missed = fit_calibrator(model, trains[k], own).predict(part.f[test], part.Z[test]) - part.y[test]
            errors[position, k] = float(np.average((missed / part.unit) ** 2, weights=part.weights[test]))
    return errors


def penalties_from(found: Searched, part: TrainingPart, polymers: int, options: CalibrationOptions) -> Penalties:
    """Return the penalties that a search of the grid leads to; the paper takes those of the lowest error."""
    if options.protocol == "paper":
        return chosen_penalties(found.surface, options.lambda_beta)
    return averaged_penalties(found.surface, options.lambda_beta, polymers, part.unit, found.log_likelihood)


def paper_start(part: TrainingPart, penalties: Penalties) -> AffineFit:
    """Start block updates from the two simpler calibrators, as the paper does; ``penalties`` of the log-difference."""
    line = fit_calibrator(ORDINARY.key, part)
    difference = fit_calibrator(LOG_DIFFERENCE.key, part, penalties)
    gamma = -difference.c / part.unit
    return AffineFit(line.a0, line.a1, 0.0, gamma, float("nan"), Convergence("closed form", 0, True))
