"""The calibration of the product: every number that the window, a report or a file shows comes from here."""

import time
from collections.abc import Mapping
from dataclasses import asdict

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.bootstrap import BootstrapDraws, band, bootstrap, einstein_p_value, interval
from affinecal_gui.calibration.comparison import compare, repetition_errors
from affinecal_gui.calibration.fitted import Fitted, directions, posterior
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.intervals import (
    OutOfFold,
    guaranteed_coverage,
    level_within_reach,
    library_intervals,
    measured_intervals,
)
from affinecal_gui.calibration.measure_next import suggest_measurements
from affinecal_gui.calibration.metrics import measure, to_property_unit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.out_of_fold import PENALISED, FittedPart, fit_part, hold_out
from affinecal_gui.calibration.problem import CalibrationProblem, pose_problem
from affinecal_gui.calibration.results import (
    MODEL_NAMES,
    Calibration,
    CoefficientEstimates,
    Estimate,
    FloatArray,
    ModelName,
    ModelResult,
    Suggestion,
)
from affinecal_gui.calibration.scale import DescriptorScale
from affinecal_gui.calibration.validity import judge_validity
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent, stop_if

__all__ = ["CalibrationInputError", "CalibrationOptions", "calibrate"]

MOST_CONSIDERED = 1500
"""Library polymers that are weighed against each other for the next measurement; a larger library is sampled."""


def calibrate(
    measured: ArrayLike,
    md: ArrayLike,
    descriptors: ArrayLike,
    library_md: ArrayLike,
    library_descriptors: ArrayLike,
    sizes: tuple[int, ...],
    options: CalibrationOptions | None = None,
    *,
    weights: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    candidates: ArrayLike | None = None,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> Calibration:
    """Fit, check and apply the four calibrators.

    Parameters
    ----------
    measured, md
        (n,) measured and MD values of the same polymers, property unit; n >= 8 different polymers.
    descriptors
        (n, d) descriptors, not scaled.
    library_md, library_descriptors
        (m,), (m, d) all polymers with an MD value, usually the measured ones among them; m may be 0.
    sizes
        Number of descriptors of each block; they add up to d, which may be 0.
    options
        Protocol, penalties, level, seed.
    weights
        (n,) positive: the variance of a measured value is inversely proportional to it (number of repeats, or inverse
        squared uncertainty; see :mod:`affinecal_gui.calibration.weights`). Only ratios matter.
    groups
        (n,) equal labels mark rows of the same polymer; they are held out together.
    candidates
        (m,) library polymers that may be suggested for measuring next; by default those that are not among the measured.

    Returns
    -------
    Calibration
        All four models, in property units; ``problem`` is kept for :func:`affinecal_gui.calibration.refit.refit`.

    Raises
    ------
    CalibrationInputError
        Data that cannot be used; ``rows`` says which.
    Cancelled
        When asked to stop.
    """
    began = time.perf_counter()
    options = CalibrationOptions() if options is None else options
    progress(0.0, "Checking the data")
    problem = pose_problem(
        np.asarray(measured),
        np.asarray(md),
        np.asarray(descriptors),
        np.asarray(library_md),
        np.asarray(library_descriptors),
        sizes,
        options,
        None if weights is None else np.asarray(weights),
        None if groups is None else np.asarray(groups),
        None if candidates is None else np.asarray(candidates),
    )
    held_out = hold_out(problem, progress=part_of(progress, 0.02, 0.8), cancelled=cancelled)
    everything = fit_part(
        problem,
        np.arange(len(problem.y)),
        (options.seed, 3),
        progress=part_of(progress, 0.8, 0.88),
        cancelled=cancelled,
    )
    draws = {
        model: bootstrap(
            everything.models[model],
            everything.part,
            problem.groups,
            options.bootstrap,
            (options.seed, 4),
            progress=part_of(progress, 0.88 + 0.03 * position, 0.91 + 0.03 * position),
            cancelled=cancelled,
        )
        for position, model in enumerate(MODEL_NAMES[1:])
    }
    progress(0.97, "Judging the library")
    models = {
        model: _model_result(problem, everything, model, held_out[model], draws.get(model)) for model in MODEL_NAMES
    }
    stop_if(cancelled)
    Z_library = everything.scale.apply(problem.library_X)
    validity = judge_validity(problem.f, everything.part.Z, problem.library_f, Z_library, cancelled=cancelled)
    suggestions, suggestion_notes = _suggestions(problem, everything, models["affine"], Z_library, cancelled)
    folds = int(held_out["md"].fold.max()) + 1
    recommendation = compare(
        {name: repetition_errors(problem.y, one.predicted, one.fold) for name, one in held_out.items()},
        1.0 / (folds - 1),
        options.log_scale,
    )
    notes = (*problem.notes, *_notes(problem, folds, models, everything.models["affine"], draws["affine"]))
    progress(1.0, "Calibrated")
    return Calibration(
        measured=problem.measured,
        md=problem.md,
        library_md=problem.library_md,
        log_scale=options.log_scale,
        interval_level=options.interval_level,
        protocol=protocol_title(options, folds),
        models=models,
        recommendation=recommendation,
        validity=validity,
        measure_next=suggestions,
        seed=options.seed,
        seconds=time.perf_counter() - began,
        notes=(*notes, *suggestion_notes),
        settings=settings_of(options),
        problem=problem,
    )


def protocol_title(options: CalibrationOptions, folds: int) -> str:
    """Return the protocol in a few words."""
    name = "as published" if options.protocol == "paper" else "leak-free"
    return f"{name}, {options.repetitions} × {folds}-fold"


def settings_of(options: CalibrationOptions) -> dict[str, object]:
    """Return the options as plain values, enough to run the calibration again."""
    settings = asdict(options)
    settings["blocks_off"] = sorted(options.blocks_off)
    settings["lambda_1_grid"] = list(options.lambda_1)
    settings["lambda_2_grid"] = list(options.lambda_2)
    return settings


def _model_result(
    problem: CalibrationProblem,
    everything: FittedPart,
    model: ModelName,
    held_out: OutOfFold,
    draws: BootstrapDraws | None,
) -> ModelResult:
    options = problem.options
    one = everything.models[model]
    y = problem.y
    fitted = one.predict(problem.f, everything.part.Z)
    library = one.predict(problem.library_f, everything.scale.apply(problem.library_X))
    out_of_fold = held_out.predicted.mean(axis=0)
    lower, upper = measured_intervals(y, held_out, options.interval_level)
    library_lower, library_upper = library_intervals(y, held_out, library, options.interval_level)
    repetition_rmse = np.sqrt(np.mean((held_out.predicted - y) ** 2, axis=1))

    def unit(values: FloatArray) -> FloatArray:
        converted = to_property_unit(values, options.log_scale)
        converted.setflags(write=False)
        return converted

    return ModelResult(
        model=model,
        parameters=parameters(one, draws, options.interval_level),
        coefficients=coefficients(one, everything.scale, draws, problem, options.interval_level),
        penalties=one.penalties,
        surface=everything.surfaces.get(model),
        convergence=one.convergence,
        fitted=unit(fitted),
        out_of_fold=unit(out_of_fold),
        out_of_fold_lower=unit(lower),
        out_of_fold_upper=unit(upper),
        library=unit(library),
        library_lower=unit(library_lower),
        library_upper=unit(library_upper),
        metrics=measure(y, out_of_fold, options.log_scale, repetition_rmse),
        fitted_metrics=measure(y, fitted, options.log_scale),
    )


def parameters(one: Fitted, draws: BootstrapDraws | None, level: float) -> Mapping[str, Estimate]:
    """Return the parameters of a calibrator on natural scales, with percentile intervals where there are refits."""
    none = np.zeros(0)
    b = BootstrapDraws(none, none, none, np.zeros((0, 0))) if draws is None else draws
    if one.model == "md":
        return {}
    if one.model == "log_difference":
        return {"intercept": interval(one.alpha_0, b.alpha_0, level)}
    found = {
        "alpha_0": interval(one.alpha_0, b.alpha_0, level),
        "alpha_1": interval(one.alpha_1, b.alpha_1, level),
    }
    if one.model == "affine":
        found["beta"] = interval(one.beta, b.beta, level)
    return found


def coefficients(
    one: Fitted,
    scale: DescriptorScale,
    draws: BootstrapDraws | None,
    problem: CalibrationProblem,
    level: float,
) -> CoefficientEstimates | None:
    """Return gamma of all d descriptors with its band; blocks that are switched off have 0 and no band."""
    if one.model not in ("log_difference", "affine"):
        return None
    kept = problem.kept
    d = len(kept)
    gamma, lower, upper = np.zeros(d), np.zeros(d), np.zeros(d)
    mean, unit = np.zeros(d), np.ones(d)
    mean[kept], unit[kept] = scale.mean, scale.scale
    if kept.any():
        gamma[kept] = one.gamma
        no_draws = np.zeros((0, int(kept.sum())))
        lower[kept], upper[kept] = band(one.gamma, no_draws if draws is None else draws.gamma, level)
    for array in (gamma, lower, upper, mean, unit):
        array.setflags(write=False)
    return CoefficientEstimates(gamma, lower, upper, mean, unit, one.sign)


def _suggestions(
    problem: CalibrationProblem,
    everything: FittedPart,
    affine: ModelResult,
    Z_library: FloatArray,
    cancelled: CancelCheck,
) -> tuple[tuple[Suggestion, ...], tuple[str, ...]]:
    """Rank measurements by the affine model's posterior."""
    options = problem.options
    usable = np.flatnonzero(np.isfinite(problem.library_f) & np.isfinite(Z_library).all(axis=1))
    if not options.measure_next or not problem.candidates.any() or not len(usable):
        return (), ()
    notes: tuple[str, ...] = ()
    if len(usable) > MOST_CONSIDERED:
        generator = np.random.default_rng((options.seed, 5))
        usable = np.sort(generator.choice(usable, MOST_CONSIDERED, replace=False))
        notes = (f"The measurements to make next were chosen among {MOST_CONSIDERED} random polymers of the library.",)
    one, part = everything.models["affine"], everything.part
    covariance = posterior(one, part).covariance(directions(one, part, problem.library_f[usable], Z_library[usable]))
    lower, upper = affine.library_lower[usable], affine.library_upper[usable]
    width = float(np.mean(np.log(upper / lower) if options.log_scale else upper - lower))
    return (
        suggest_measurements(
            covariance, problem.candidates[usable], usable, width, options.measure_next, cancelled=cancelled
        ),
        notes,
    )


def _notes(
    problem: CalibrationProblem,
    folds: int,
    models: Mapping[ModelName, ModelResult],
    affine: Fitted,
    draws: BootstrapDraws,
) -> tuple[str, ...]:
    options = problem.options
    notes = []
    for model in PENALISED:
        surface = models[model].surface
        if surface is not None and surface.on_edge:
            which = " and ".join({"lambda_1": "λ₁", "lambda_2": "λ₂"}[name] for name in surface.on_edge)
            name = "log-difference" if options.log_scale else "difference"
            notes.append(
                f"The best {which} of the {name if model == 'log_difference' else 'affine'} model lies on the edge of the "
                f"grid; a wider grid may predict better."
            )
    n = problem.polymers
    level = options.interval_level
    if folds < options.outer_folds:
        notes.append(f"With {n} polymers there are {folds} folds instead of {options.outer_folds}.")
    if level > level_within_reach(n):
        notes.append(
            f"{n} polymers can tell intervals up to {100 * level_within_reach(n):.0f} %, not {100 * level:g} %: the largest "
            f"residual is used."
        )
    notes.append(
        f"Intervals: {100 * level:g} % of the measured polymers lie inside theirs by construction; for other polymers of "
        f"the same kind the proven coverage is at least {100 * guaranteed_coverage(level, n, folds):.0f} %, and close to "
        f"{100 * level:g} % in simulation."
    )
    if options.log_scale and options.bootstrap:
        p = einstein_p_value(affine, draws)
        if np.isfinite(p):
            verdict = "compatible" if p >= 1.0 - level else "not compatible"
            notes.append(
                f"(α₁, β) = ({affine.alpha_1:.2f}, {affine.beta:.3f}) is {verdict} with (1, 0), which Einstein's theory of "
                f"heat capacity expects (p = {p:.2g})."
            )
    convergence = models["affine"].convergence
    if convergence is not None and not convergence.converged:
        notes.append("The affine fit has not converged; try larger penalties.")
    return tuple(notes)
