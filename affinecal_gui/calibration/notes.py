"""What the user should know about a calibration, in sentences."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.noise.noisy_md import line_noise, noise_weights
from affinecal_gui.calibration.calibrators.registry import (
    RAW,
    calibrator,
    further_keys,
    linear_keys,
    penalised_keys,
)
from affinecal_gui.calibration.checking.comparison import no_better_than, warning_about
from affinecal_gui.calibration.cross_validation.several_sources import SourcesKnown
from affinecal_gui.calibration.data.array_checks import all_equal
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.names import calibrator_in_sentence, calibrator_title, capital
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray, ModelName, ModelResult, PairedComparison, Validity
from affinecal_gui.calibration.uncertainty.band_words import what_bands_hold
from affinecal_gui.calibration.uncertainty.intervals import (
    guaranteed_coverage,
    inside_by_construction,
    level_within_reach,
)
from affinecal_gui.calibration.uncertainty.parameter_bands import (
    MOSTLY_PENALTY,
    einstein_p_value,
    share_of_the_penalty,
)
from affinecal_gui.notes import detail
from affinecal_gui.numbers import p_value, significant

COUNTS_LITTLE = 0.5
"""Share of its weight below which a value is said to count little in a robust fit: it lies 3.2 scales away."""

SYMBOLS = {"lambda_1": "λ₁", "lambda_2": "λ₂"}


def notes_of(
    kept_fit: KeptFit,
    models: Mapping[ModelName, ModelResult],
    validity: Validity,
    comparisons: Sequence[PairedComparison],
) -> tuple[str, ...]:
    """Collect the remarks: which calibrators are of no use, about the data, the penalties, the intervals, the physics."""
    problem, options = kept_fit.problem, kept_fit.problem.options
    level, n = options.interval_level, problem.polymers
    folds = int(kept_fit.held_out.fold.max()) + 1
    notes = [
        *_of_no_use(models, comparisons, options.log_scale),
        *_out_of_range(kept_fit, models, validity),
        *problem.notes,
    ]
    for model in penalised_keys():
        surface = kept_fit.surfaces.get(model)
        if surface is not None and surface.on_edge:
            which = " and ".join(SYMBOLS[name] for name in surface.on_edge)
            notes.append(
                f"The best {which} of the {calibrator_in_sentence(model, log_scale=options.log_scale)} model "
                f"{'lies' if len(surface.on_edge) == 1 else 'lie'} on the edge of the grid; a wider grid may predict better."
            )
    if options.robust:
        notes.append(_counted_less(kept_fit))
    if problem.noise is not None:
        notes += _noise(kept_fit, problem.noise)
    if kept_fit.sources is not None and kept_fit.of_sources:
        notes += _sources(kept_fit, kept_fit.sources)
    convergence = kept_fit.fits[AFFINE.key].convergence
    if convergence is not None and not convergence.converged:
        notes.append("The affine fit has not converged; larger penalties make it easier.")
    if folds < options.outer_folds:
        notes.append(detail(f"{n} polymers make {folds} folds, not {options.outer_folds}."))
    repetitions = len(kept_fit.held_out.fold)
    if repetitions < options.repetitions:
        notes.append(
            detail(
                f"With {n} polymers {'one repetition' if repetitions == 1 else f'{repetitions} repetitions'} of the held-out "
                f"checks {'is' if repetitions == 1 else 'are'} enough."
            )
        )
    if level > level_within_reach(n):
        notes.append(
            f"The residuals of {n} polymers can support intervals of up to {100 * level_within_reach(n):.0f} %, not "
            f"{100 * level:g} %; the largest residual is used."
        )
    proven = 100 * guaranteed_coverage(level, n, folds)
    rows = len(problem.y)
    inside = inside_by_construction(level, rows)
    few = "" if inside >= level * rows - 1e-9 else ", the most that so few can support"
    averaged = " (those shown are means of the repetitions; of them the count may differ)"
    few += averaged if repetitions > 1 else ""
    notes.append(
        detail(
            f"Intervals of {100 * level:g} %: in every repetition of the held-out checks {inside} of the {rows} measured "
            f"values lie inside by construction{few}. For other polymers of the same kind it is about {100 * level:g} % in "
            "simulations"
            + (
                f", and proven to be at least {proven:.0f} %."
                if proven >= 1.0
                else "; for so few polymers nothing is proven."
            )
        )
    )
    if options.bands == "posterior":
        notes += _physics(kept_fit)
    if options.bands != "none" and problem.X.shape[1]:
        notes += _bands(models, options)
    return tuple(notes)


def _of_no_use(
    models: Mapping[ModelName, ModelResult], comparisons: Sequence[PairedComparison], log_scale: bool
) -> list[str]:
    """Name calibrators that err no less than a simpler one; those worse than MD are named by the recommendation.

    One that combines others is not: it lies between its members, and is used because nobody knows which of them is best.
    """
    rmse = {name: result.metrics.rmse_target_scale for name, result in models.items()}
    return [
        detail(warning_about(model, rmse, comparisons, log_scale))  # the table of errors shows it
        for model in linear_keys()
        if not calibrator(model).combines and no_better_than(model, rmse, comparisons) not in (None, RAW)
    ]


def _out_of_range(kept_fit: KeptFit, models: Mapping[ModelName, ModelResult], validity: Validity) -> list[str]:
    """Count the polymers of the library that lie outside the range of validity, and those that get no value."""
    problem = kept_fit.problem
    known = np.isfinite(problem.library_f) & np.isfinite(problem.library_X).all(axis=1)
    total = int(known.sum())
    outside = int((known & ~validity.inside).sum())
    notes = []
    if outside:
        notes.append(
            f"{outside} of {total} polymers of the library {_lie(outside)} outside the range of validity: their MD value or "
            f"their structure is unlike those of the fit, and their calibrated values are extrapolations, of which the "
            f"out-of-fold errors and their intervals say nothing."
        )
    counts = {
        model: int((known & ~np.isfinite(result.library)).sum())
        for model, result in models.items()
        if model not in (RAW, *further_keys())  # which are not given for all of the library, for reasons of their own
    }
    told = [
        f"{count} by {calibrator_in_sentence(model, log_scale=problem.options.log_scale)}"
        for model, count in counts.items()
        if count
    ]
    if told:
        notes.append(
            f"No calibrated value is given to polymers of the library where it would lie far beyond all measured ones, or "
            f"its interval would say nothing: {', '.join(told)}, of {total}."
        )
    return notes


def _counted_less(kept_fit: KeptFit) -> str:
    """Say how many measured values count less because they lie far from the fit."""
    problem, part = kept_fit.problem, kept_fit.everything.part
    factors = part.weights if problem.weights is None else part.weights / problem.weights
    if part.noise is not None:
        plain = replace(part, weights=np.ones(len(part.y)) if problem.weights is None else problem.weights)
        factors = factors / noise_weights(plain)
    few = int((factors < COUNTS_LITTLE).sum())
    whose = f"{few} of {len(factors)} measured values count" if few else "no measured value counts"
    return f"Robust fit: {whose} less than half for lying far from it. Errors are those of all values, as they are."


def _noise(kept_fit: KeptFit, errors: FloatArray) -> list[str]:
    """Say how noisy the MD values are, and what follows from it."""
    noise = line_noise(kept_fit.everything.part)
    low, middle, high = (significant(float(q), 2) for q in np.quantile(errors, [0.1, 0.5, 0.9]))
    scale = " (natural logarithm)" if kept_fit.problem.options.log_scale else ""
    notes: list[str] = [
        detail(
            f"MD values are noisy: of the polymers of the fit, nine tenths have a standard error above {low}, half above "
            f"{middle}, a tenth above {high}{scale}. Polymers count by it, intervals follow it, and α₁ is corrected for it: "
            f"in ordinary regression by a factor of {significant(noise.factor, 4)}."
        )
    ]
    if noise.beyond:
        notes.append(
            "More than half of what tells α₁ is noise of the MD values; it is corrected for in part only. Longer or more "
            "simulations would tell it."
        )
    return notes


def _sources(kept_fit: KeptFit, known: SourcesKnown) -> list[str]:
    """Say which sources the calibrators of several take, how firmly, and which polymers lack one."""
    log_scale = kept_fit.problem.options.log_scale
    notes: list[str] = []
    told = []
    for model, one in kept_fit.of_sources.items():
        taken = " and ".join(known.names[at] for at in one.fit.sources)
        alike = sum(part.sources == one.fit.sources for part in one.of_parts)
        whose = calibrator_in_sentence(model, log_scale=log_scale)
        told.append(f"{whose} takes {taken}, as in {alike} of the {len(one.of_parts)} held-out checks")
    if told:
        each = "each " if len(told) > 1 else ""
        notes.append(
            detail(f"{capital('; '.join(told))}; {each}with the penalties that are chosen for the MD value alone.")
        )
    of_fit = int((~known.complete).sum())
    if of_fit:
        whose = (
            "1 polymer of the fit lacks"
            if of_fit == 1
            else f"{of_fit} of {len(known.complete)} polymers of the fit lack"
        )
        notes.append(
            f"{whose} a source beside the MD value: calibrators of several sources are fitted to the others, and where they "
            "take it, count there with the error of the one of the MD value alone."
        )
    lacking = int(known.lacking(range(len(known.names))).sum())
    if lacking:
        whose = "1 polymer of the library lacks" if lacking == 1 else f"{lacking} polymers of the library lack"
        notes.append(
            f"{whose} a source beside the MD value: where a calibrator of several takes it, the one of the MD value alone "
            "stands in."
        )
    return notes


def _lie(count: int) -> str:
    return "lies" if count == 1 else "lie"


def _physics(kept_fit: KeptFit) -> list[str]:
    """Say what the parameters of the affine model allow to conclude."""
    problem, one, part = kept_fit.problem, kept_fit.fits[AFFINE.key], kept_fit.everything.part
    if all_equal(problem.md):
        return []  # nothing can be told of either parameter, which the notes of the problem say
    notes: list[str] = []
    p = einstein_p_value(one, kept_fit.left_open[AFFINE.key], problem.polymers)
    if np.isfinite(p):
        level = problem.options.interval_level
        agrees = p >= 1.0 - level
        notes.append(
            detail(
                f"α₁ = {significant(one.alpha_1)} and β = {significant(one.beta, 2)} "
                f"{'agree' if agrees else 'do not agree'} with α₁ = 1 and β = 0"
                f"{', the form that Einstein’s theory gives to heat capacities' if problem.options.log_scale else ''} "
                f"({p_value(p)}; judged at p\u00a0=\u00a0{significant(1.0 - level, 2)}, which goes with intervals of "
                f"{100 * level:g} %)."
            )
        )
    if len(one.c):
        share = share_of_the_penalty(one, part)
        if share > MOSTLY_PENALTY:
            notes.append(
                detail(
                    f"{100 * share:.0f} % of what is known about β comes from its penalty, not from the measurements: its "
                    f"value shows what the penalty lets through, and no interval is given; the measurements leave β open, "
                    f"and bands of γ are those of the correction at the average MD value."
                )
            )
    return notes


def _bands(models: Mapping[ModelName, ModelResult], options: CalibrationOptions) -> list[str]:
    """Say what the bands of coefficients are worth, once for all calibrators of which it is the same."""
    said: dict[str, list[ModelName]] = {}
    for name, result in models.items():
        sentence = what_bands_hold(result, by_refits=options.bands == "bootstrap", by_hand=options.by_hand)
        if sentence and name in linear_keys():
            said.setdefault(sentence, []).append(name)
    if len(said) < 2:
        return [detail(sentence) for sentence in said]
    titles = {name: calibrator_title(name, log_scale=options.log_scale) for name in models}
    return [detail(f"{', '.join(titles[name] for name in names)}: {sentence}") for sentence, names in said.items()]
