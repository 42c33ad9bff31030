"""The calibration of the product: every number that the window, a report or a file shows comes from here."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.assemble import (
    checked_result,
    combined_result,
    final_weights,
    model_result,
    protocol_title,
    recommend,
    settings_of,
    source_result,
    suggest,
)
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.registry import calibrator, calibrator_keys, fitted_keys, source_keys
from affinecal_gui.calibration.checking.far_values import far_values
from affinecal_gui.calibration.checking.validity import in_given_order, judge_validity
from affinecal_gui.calibration.cross_validation.given_values import GivenValues, held_out_as_given, on_target_scale
from affinecal_gui.calibration.cross_validation.out_of_fold import (
    DEALINGS_STRIDE,
    counted_robustly,
    fit_all,
    hold_out,
    prepare,
)
from affinecal_gui.calibration.cross_validation.several_sources import (
    SourceFeatures,
    check_sources,
    known_sources,
    said_by_sources,
)
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.md_by_parts import MDByParts
from affinecal_gui.calibration.data.md_noise import MDNoise
from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS, CalibrationProblem, pose_problem
from affinecal_gui.calibration.data.row_order import RowOrder
from affinecal_gui.calibration.interval_parts import interval_parts
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.notes import notes_of
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, FarValue, FloatArray, ModelName, ModelResult
from affinecal_gui.calibration.uncertainty.bootstrap import bootstrap
from affinecal_gui.calibration.uncertainty.parameter_bands import left_open_of
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

NOTHING_GIVEN: Mapping[ModelName, GivenValues] = MappingProxyType({})


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
    remarks: Sequence[str] = (),
    given: Mapping[ModelName, GivenValues] = NOTHING_GIVEN,
    sources: SourceFeatures | None = None,
    predicted: MDByParts | None = None,
    noise: MDNoise | None = None,
    measurement_error: float = 0.0,
    task: Task = UNWATCHED,
) -> Calibration:
    """Fit, check and apply the linear calibrators, and check and rank those that are given beside them.

    Parameters
    ----------
    measured, md
        (n,) measured and MD values of the same polymers, property unit; n >= 8 different polymers.
    descriptors
        (n, d) descriptors, not scaled.
    library_md, library_descriptors
        (m,), (m, d) all polymers with an MD value, usually the measured ones among them; m may be 0. Rows without
        descriptors (nan) are calibrated by the models that need none.
    sizes
        Number of descriptors of each block; they add up to d, which may be 0.
    options
        Protocol, penalties, level, seed.
    weights
        (n,) positive: the variance of a measured value is inversely proportional to it; see
        :mod:`affinecal_gui.calibration.calibrators.noise.weights`. Only ratios matter.
    groups
        (n,) equal labels mark rows of the same polymer; they are held out together.
    candidates
        (m,) library polymers that may be suggested for measuring next; by default all that are not among the measured.
    remarks
        Sentences about the data that belong among the notes of every calibration of them, refits included.
    given
        Values of calibrators that are not fitted, by their keys; one that lacks a polymer of the fit is left out.
    sources
        Further values of the property for the same polymers, from which the calibrators of several sources learn beside
        ``md``; without them, where fewer than eight polymers of the fit have all, or by the paper's protocol there are no
        such calibrators. A polymer that lacks one counts with the calibrator of ``md`` alone.
    predicted
        Where ``md`` and ``library_md`` are predicted by a surrogate: predicts them anew for every training part.
    noise
        Standard errors of ``md`` and ``library_md``, where simulations tell them; slopes are then corrected for them, and
        intervals follow them. Not used by the paper's protocol.
    measurement_error
        Typical standard error of ``measured``, target scale, where it is stated: which part of the intervals it makes.

    Returns
    -------
    Calibration
        All linear calibrators, those of several sources and the given ones, in property units; ``kept_fit`` are kept for
        :func:`affinecal_gui.calibration.refit.refit`.

    Raises
    ------
    CalibrationInputError
        Data that cannot be used; ``rows`` says which.
    Cancelled
        When asked to stop.
    """
    began = time.perf_counter()
    options = CalibrationOptions() if options is None else options
    task.report(0.0, "Checking the data")
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
        tuple(remarks),
        predicted,
        noise,
        measurement_error,
    )
    with one_thread_each(1):
        kept_fit = _work_out(problem, task)
        far = _far_values(problem)
        models: dict[ModelName, ModelResult] = {}
        for position, model in enumerate(fitted_keys()):
            task.report(0.96 + 0.03 * position / len(fitted_keys()), "Calibrating the library")
            models[model] = model_result(kept_fit, model, task=task)
        for model in kept_fit.weights:
            models[model] = combined_result(kept_fit, model, models, task=task)
        models = {name: replace(one, parts=interval_parts(kept_fit, name)) for name, one in models.items()}
        kept_fit, of_given = _with_given(kept_fit, given, task)
        models |= of_given
        kept_fit, of_sources = _with_sources(kept_fit, sources, models, task)
        models |= of_sources
        models = {name: models[name] for name in calibrator_keys() if name in models}
        task.report(0.99, "Judging the range of validity")
        validity = judge_validity(
            problem.f,
            kept_fit.everything.part.Z,
            problem.library_f,
            kept_fit.everything.scale.apply(problem.library_X),
            task=task,
        )
        suggestions, remarks = suggest(kept_fit, models[AFFINE.key], task)
        recommendation = recommend(kept_fit)
    task.report(1.0, "Calibrated")
    fold = kept_fit.held_out.fold
    return Calibration(
        measured=_in_order(problem.measured, problem.order),
        md=_in_order(problem.md, problem.order),
        library_md=_in_order(problem.library_md, problem.library_order),
        log_scale=options.log_scale,
        interval_level=options.interval_level,
        protocol=protocol_title(options, len(fold), int(fold.max()) + 1),
        models=models,
        recommendation=recommendation,
        validity=in_given_order(validity, problem.order, problem.library_order),
        measure_next=suggestions,
        far_values=far,
        seed=options.seed,
        seconds=time.perf_counter() - began,
        notes=(*notes_of(kept_fit, models, validity, recommendation.comparisons), *remarks),
        settings=settings_of(options),
        kept_fit=kept_fit,
    )


def with_given(
    calibration: Calibration,
    given: Mapping[ModelName, GivenValues],
    sources: SourceFeatures | None = None,
    *,
    task: Task = UNWATCHED,
) -> Calibration:
    """Return a calibration of this session with what comes with the data for more of the library than before.

    That of the polymers of the fit must be the same: errors, ranking and recommendation stay as they are.
    """
    assert isinstance(calibration.kept_fit, KeptFit)
    kept_fit, of_given = _with_given(calibration.kept_fit, given, task)
    models = {name: of_given.get(name, result) for name, result in calibration.models.items()}
    if sources is not None and kept_fit.of_sources:
        known = known_sources(sources, kept_fit.problem)
        checked = {
            name: replace(
                one,
                out_of_fold=said_by_sources(
                    calibrator(name).one_source, kept_fit.problem, kept_fit.held_out, one.of_parts, known, task=task
                ),
            )
            for name, one in kept_fit.of_sources.items()
        }
        kept_fit = replace(kept_fit, sources=known, of_sources=checked)
        models |= {name: source_result(kept_fit, name, models, task=task) for name in checked if name in models}
    return replace(calibration, models=models, kept_fit=kept_fit)


def _with_given(
    kept_fit: KeptFit, given: Mapping[ModelName, GivenValues], task: Task
) -> tuple[KeptFit, dict[ModelName, ModelResult]]:
    """Check the given calibrators on the polymers on which the others were checked, and rank them with these."""
    problem, held_out = kept_fit.problem, dict(kept_fit.held_out.models)
    models: dict[ModelName, ModelResult] = {}
    for name, own in given.items():
        values = on_target_scale(own, problem)
        if values.is_complete:
            held_out[name] = held_out_as_given(values, problem, kept_fit.held_out)
            models[name] = checked_result(
                problem, name, held_out[name], values.measured, values.library, None, task=task
            )
    return kept_fit.ranking(held_out), models


def _with_sources(
    kept_fit: KeptFit, sources: SourceFeatures | None, models: Mapping[ModelName, ModelResult], task: Task
) -> tuple[KeptFit, dict[ModelName, ModelResult]]:
    """Fit the calibrators of several sources, where the data have any, and rank them with the others."""
    problem = kept_fit.problem
    if sources is None or problem.options.protocol == "paper" or problem.predicted is not None:
        return kept_fit, {}
    known = known_sources(sources, problem)
    if len(np.unique(problem.groups[known.complete])) < FEWEST_POLYMERS:
        return kept_fit, {}
    checked = {
        name: check_sources(name, problem, kept_fit.held_out, kept_fit.everything, kept_fit.fits, known, task=task)
        for name in source_keys()
    }
    ranked = {name: one.out_of_fold for name, one in checked.items()}
    kept_fit = replace(kept_fit, sources=known, of_sources=checked).ranking({**kept_fit.held_out.models, **ranked})
    return kept_fit, {name: source_result(kept_fit, name, models, task=task) for name in checked}


def _far_values(problem: CalibrationProblem) -> tuple[FarValue, ...] | None:
    """Return which measured values the others do not let expect, by positions among the given rows."""
    everything = prepare(problem, np.arange(len(problem.y)), (problem.options.dealing, 3), final=True)
    options = problem.options
    found = far_values(everything.part, options.lambda_1[::DEALINGS_STRIDE], options.lambda_2[::DEALINGS_STRIDE])
    return None if found is None else tuple(replace(one, row=int(problem.order.given[one.row])) for one in found)


def _in_order(values: FloatArray, order: RowOrder) -> FloatArray:
    return read_only(values[order.place])


def _work_out(problem: CalibrationProblem, task: Task) -> KeptFit:
    """Check on held-out polymers, fit to all of them, and refit to resampled ones."""
    options = problem.options
    held_out = hold_out(problem, task=task.part(0.01, 0.8))
    everything = prepare(problem, np.arange(len(problem.y)), (options.dealing, 3), final=True)
    (everything,) = counted_robustly(problem, [everything], thin=False, task=task.part(0.8, 0.85).silent)
    fits, surfaces = fit_all(problem, [everything], thin=False, task=task.part(0.8, 0.9))
    fitted = [model for model in fitted_keys() if not calibrator(model).is_raw]
    draws = {
        model: bootstrap(
            fits[model][0],
            everything.part,
            problem.groups,
            options.bootstrap,
            (options.seed, 4),
            task=task.part(0.9 + 0.06 * position / len(fitted), 0.9 + 0.06 * (position + 1) / len(fitted)),
        )
        for position, model in enumerate(fitted)
        if options.bands == "bootstrap"
    }
    of_all = {model: own[0] for model, own in fits.items()}
    left_open = {
        model: left_open_of(
            of_all[model],
            everything.part,
            problem.y,
            held_out.models[model],
            problem.weights,
            surfaces[0].get(model),
            task=task.part(0.9, 0.96),
        )
        for model in fitted
        if options.bands == "posterior"
    }
    return KeptFit(
        problem,
        held_out,
        everything,
        of_all,
        surfaces[0],
        final_weights(everything, problem.groups, of_all, held_out.weights),
        draws,
        left_open,
    )
