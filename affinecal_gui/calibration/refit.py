"""Other penalties for a finished calibration, fast enough to follow a slider."""

import time
from collections.abc import Mapping
from dataclasses import replace

from affinecal_gui.calibration.assemble import combined_result, model_result, recommend, settings_of, source_result
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.registry import calibrator, penalised_keys
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.cross_validation.combined import combined_out_of_fold
from affinecal_gui.calibration.cross_validation.out_of_fold import fit_each, predict_held_out
from affinecal_gui.calibration.cross_validation.several_sources import check_sources
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.notes import notes_of
from affinecal_gui.calibration.results import Calibration, ModelName, Penalties
from affinecal_gui.calibration.uncertainty.bootstrap import BootstrapDraws
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.calibration.uncertainty.parameter_bands import left_open_of
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

REUSED = (
    "After a change of penalties the prediction intervals use the relative spreads of the last full calibration, the "
    "combined calibrator keeps the weights of then, those of several sources take the sources of then, and the suggestions "
    "for measuring next are those of then."
)


def refit(previous: Calibration, penalties: Mapping[ModelName, Penalties], *, task: Task = UNWATCHED) -> Calibration:
    """Refit the named calibrators with penalties set by hand; all others stay as they are.

    New are coefficients and parameters with their bounds, fitted, out-of-fold and library values, metrics, prediction
    intervals and the comparison. The intervals use new residuals with the relative spreads of the last full calibration,
    which keeps their guarantee. Bands by bootstrap are moved along. Range of validity and suggestions stay; a note says so.
    A forecast is forgotten.

    Parameters
    ----------
    previous
        A calibration that still has its ``kept_fit``, or a refit of one.
    penalties
        Of calibrators that have any.

    Raises
    ------
    ValueError
        ``previous`` was opened from a file and has no kept_fit: calibrate again.
    """
    old = previous.kept_fit
    if not isinstance(old, KeptFit):
        raise ValueError("this calibration has no kept_fit to refit; run calibrate() again")
    with one_thread_each(1):
        return _refit(previous, old, penalties, task)


def _refit(previous: Calibration, old: KeptFit, penalties: Mapping[ModelName, Penalties], task: Task) -> Calibration:
    began = time.perf_counter()
    options = replace(old.problem.options, penalties={**old.problem.options.by_hand, **penalties})
    options.check()
    problem = replace(old.problem, options=options)
    parts = [own.part for own in old.held_out.parts]
    fits, held_out, draws = dict(old.fits), dict(old.held_out.models), dict(old.draws)
    fits_of_parts, left_open = dict(old.held_out.fits), dict(old.left_open)
    changed: list[ModelName] = [model for model in penalised_keys() if model in penalties]
    for model in changed:
        difference, own = fits[LOG_DIFFERENCE.key], penalties[model]
        of_parts = fit_each(model, parts, [own] * len(parts), options, [difference] * len(parts), task=task)
        (of_all,) = fit_each(model, [old.everything.part], [own], options, [difference], task=task)
        predicted, library = predict_held_out(
            problem, old.held_out.fold, old.held_out.parts, of_parts, old.held_out.known, task=task
        )
        before = held_out[model]
        held_out[model] = OutOfFold(before.fold, predicted, before.spread, library, before.library_spread)
        if model in draws:
            draws[model] = _moved(draws[model], fits[model], of_all)
        if model in left_open:
            left_open[model] = left_open_of(
                of_all, old.everything.part, problem.y, held_out[model], problem.weights, None
            )
        fits[model], fits_of_parts[model] = of_all, of_parts
    for model, weights in old.held_out.weights.items():
        held_out[model] = combined_out_of_fold([held_out[name] for name in calibrator(model).combines], weights)
    together = replace(old.held_out, models=held_out, fits=fits_of_parts)
    of_sources = dict(old.of_sources)
    for model, before_them in old.of_sources.items():
        if old.sources is not None and calibrator(model).one_source in changed:
            of_sources[model] = check_sources(
                model, problem, together, old.everything, fits, old.sources, before_them, task=task
            )
            held_out[model] = of_sources[model].out_of_fold
    kept_fit = KeptFit(
        problem,
        together,
        old.everything,
        fits,
        {model: surface for model, surface in old.surfaces.items() if model not in changed},
        old.weights,
        draws,
        left_open,
        old.sources,
        of_sources,
    )
    models = dict(previous.models)
    for model in changed:
        before_it = previous.models[model]
        found = model_result(kept_fit, model, task=task)
        models[model] = replace(found, surface=before_it.surface, parts=before_it.parts)
    for model in kept_fit.weights:
        found = combined_result(kept_fit, model, models, task=task)
        models[model] = replace(found, parts=previous.models[model].parts)
    for model in of_sources:
        if calibrator(model).one_source in changed:
            models[model] = source_result(kept_fit, model, models, task=task)
    recommendation = recommend(kept_fit)
    return replace(
        previous,
        models=models,
        recommendation=recommendation,
        forecast=None,
        notes=(*notes_of(kept_fit, models, previous.validity, recommendation.comparisons), REUSED),
        settings=settings_of(options),
        seconds=time.perf_counter() - began,
        kept_fit=kept_fit,
    )


def _moved(draws: BootstrapDraws, old: Fitted, new: Fitted) -> BootstrapDraws:
    """Move refits along with the fit they belong to."""
    return BootstrapDraws(
        draws.alpha_0 + (new.alpha_0 - old.alpha_0),
        draws.alpha_1 + (new.alpha_1 - old.alpha_1),
        draws.beta + (new.beta - old.beta),
        draws.gamma + (new.gamma - old.gamma),
    )
