"""From the pieces of a calibration to the numbers that users see."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import directions, posterior
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.parameters import source_weight_name, weight_name
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.source_fits import posterior_of_sources, weight_directions
from affinecal_gui.calibration.calibrators.structure_evidence import structure_p_value
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.checking.comparison import compare, held_out_errors, rounding_of
from affinecal_gui.calibration.checking.extrapolation import without_meaning
from affinecal_gui.calibration.checking.measure_next import suggest_measurements
from affinecal_gui.calibration.cross_validation.combined import weights_in_parts
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.cross_validation.several_sources import with_all_sources
from affinecal_gui.calibration.data.array_checks import all_equal, read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.metrics import measure, root_mean_square, to_property_unit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import (
    CoefficientEstimates,
    Convergence,
    Estimate,
    FloatArray,
    ModelName,
    ModelResult,
    Recommendation,
    Suggestion,
)
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold, library_intervals, measured_intervals
from affinecal_gui.calibration.uncertainty.parameter_bands import (
    ParameterBands,
    bootstrap_bands,
    half_widths,
    half_widths_of_mean,
    measurement_scatter,
    no_bands,
    posterior_bands,
    scatter_about_line,
)
from affinecal_gui.task import UNWATCHED, Task

MOST_CONSIDERED = 1500
"""Library polymers that are weighed against each other for the next measurement; a larger library is sampled."""

ROUNDING = 32 * float(np.finfo(np.float64).eps)
"""Share of a value by which rounding may move it on the way through a calibration."""


def protocol_title(options: CalibrationOptions, repetitions: int, folds: int) -> str:
    """Return the protocol in a few words."""
    name = "paper's scaling and penalties" if options.protocol == "paper" else "leak-free"
    robust = ", robust" if options.robust else ""
    return f"{name}{robust}, {repetitions} × {folds}-fold"


def settings_of(options: CalibrationOptions) -> dict[str, object]:
    """Return the options as plain values, enough to run the calibration again."""
    settings = asdict(options)
    settings["blocks_off"] = sorted(options.blocks_off)
    settings["block_factors"] = [[position, factor] for position, factor in sorted(options.block_factors.items())]
    settings["penalties"] = {name: asdict(own) for name, own in options.by_hand.items()}
    settings["lambda_1_grid"] = list(options.lambda_1)
    settings["lambda_2_grid"] = list(options.lambda_2)
    return settings


def model_result(kept_fit: KeptFit, model: ModelName, *, task: Task = UNWATCHED) -> ModelResult:
    """Return everything about one calibrator, in property units."""
    problem, everything = kept_fit.problem, kept_fit.everything
    one, bands = kept_fit.fits[model], bands_of(kept_fit, model)
    checked = checked_result(
        problem,
        model,
        kept_fit.held_out.models[model],
        one.predict(problem.f, everything.part.Z),
        one.predict(problem.library_f, everything.scale.apply(problem.library_X)),
        one.convergence,
        task=task,
    )
    return replace(
        checked,
        parameters=parameters(model, bands),
        coefficients=coefficients(kept_fit, model, bands),
        penalties=one.penalties,
        surface=kept_fit.surfaces.get(model),
    )


def checked_result(
    problem: CalibrationProblem,
    model: ModelName,
    held_out: OutOfFold,
    fitted: FloatArray,
    library: FloatArray,
    convergence: Convergence | None,
    *,
    task: Task = UNWATCHED,
) -> ModelResult:
    """Return what can be said of any calibrator from its values alone, in property units and the order of the given rows.

    Parameters
    ----------
    problem
        The data.
    model
        Which calibrator.
    held_out
        Its values for polymers that it has not seen, target scale.
    fitted, library
        (n,), (m,) values by the fit to all polymers, target scale.
    convergence
        How that fit ended.
    """
    options, y = problem.options, problem.y
    out_of_fold = held_out.predicted.mean(axis=0)
    lower, upper = measured_intervals(y, held_out, options.interval_level)
    # A perfect fit leaves residuals of rounding only; the way to the property unit and back must not decide who is inside.
    rounding = ROUNDING * np.maximum(np.abs(y), np.abs(out_of_fold)) + (ROUNDING if options.log_scale else 0.0)
    lower, upper = lower - rounding, upper + rounding
    of_library = library_values(problem, model, held_out, library, task=task)
    repetition_rmse = np.array([root_mean_square(row - y) for row in held_out.predicted])

    def unit(values: FloatArray) -> FloatArray:
        converted = to_property_unit(values[problem.order.place], options.log_scale)
        converted.setflags(write=False)
        return converted

    return ModelResult(
        model=model,
        parameters={},
        coefficients=None,
        penalties=None,
        surface=None,
        convergence=convergence,
        fitted=unit(fitted),
        out_of_fold=unit(out_of_fold),
        out_of_fold_lower=unit(lower),
        out_of_fold_upper=unit(upper),
        library=of_library.values,
        library_lower=of_library.lower,
        library_upper=of_library.upper,
        metrics=measure(y, out_of_fold, options.log_scale, repetition_rmse, problem.groups),
        fitted_metrics=measure(y, fitted, options.log_scale),
    )


@dataclass(frozen=True, slots=True, eq=False)
class LibraryValues:
    """Calibrated values of the m polymers of the library, property unit, in the order in which they were given."""

    values: FloatArray  # (m,) nan where there is none, or none that means anything
    lower: FloatArray  # (m,)
    upper: FloatArray  # (m,)


def library_values(
    problem: CalibrationProblem,
    model: ModelName,
    held_out: OutOfFold,
    library: FloatArray,
    *,
    task: Task = UNWATCHED,
) -> LibraryValues:
    """Return the values (m,), target scale, of a calibrator with their intervals, without extrapolations of no meaning."""
    options = problem.options
    lower, upper = library_intervals(problem.y, held_out, library, options.interval_level, task=task)
    found = [np.array(library), lower, upper]
    if not calibrator(model).is_raw:
        nothing = without_meaning(problem.y, problem.f, problem.library_f, library, lower, upper, options.log_scale)
        for values in found:
            values[nothing] = np.nan
    place = problem.library_order.place
    found = [to_property_unit(values[place], options.log_scale) for values in found]
    for values in found:
        values.setflags(write=False)
    return LibraryValues(*found)


def final_weights(
    everything: Prepared, groups: IntArray, fits: Mapping[ModelName, Fitted], models: Iterable[ModelName]
) -> dict[ModelName, FloatArray]:
    """Return the weights of the members of all that combine others, learned as in every training part."""
    of_all = {name: [one] for name, one in fits.items()}
    return {model: weights_in_parts(model, [everything], groups, of_all)[0] for model in models}


def combined_result(
    kept_fit: KeptFit,
    model: ModelName,
    members: Mapping[ModelName, ModelResult],
    *,
    task: Task = UNWATCHED,
) -> ModelResult:
    """Return everything about a calibrator that combines others, of which ``members`` are the results."""
    problem, everything = kept_fit.problem, kept_fit.everything
    names, weights = calibrator(model).combines, kept_fit.weights[model]
    Z = everything.scale.apply(problem.library_X)
    checked = checked_result(
        problem,
        model,
        kept_fit.held_out.models[model],
        sum_of(weights, [kept_fit.fits[name].predict(problem.f, everything.part.Z) for name in names]),
        sum_of(weights, [kept_fit.fits[name].predict(problem.library_f, Z) for name in names]),
        None,
        task=task,
    )
    of_members = [members[name].coefficients for name in names]
    # 1 + beta f of each member at the mean MD value of the fit.
    factors = [1.0 / kept_fit.fits[name].natural_factor for name in names]
    coefficients = combined_coefficients(of_members, weights * factors)
    if coefficients is not None and problem.kept.any() and all(name in kept_fit.left_open for name in names):
        half = np.zeros(len(coefficients.gamma))
        half[problem.kept] = half_widths_of_mean(
            [kept_fit.fits[name] for name in names],
            [kept_fit.left_open[name] for name in names],
            weights,
            problem.polymers,
            problem.options.interval_level,
        )
        lower, upper = read_only(coefficients.gamma - half), read_only(coefficients.gamma + half)
        coefficients = replace(coefficients, lower=lower, upper=upper)
    return replace(
        checked,
        parameters={weight_name(name): Estimate(float(one)) for name, one in zip(names, weights, strict=True)},
        coefficients=coefficients,
    )


def combined_coefficients(
    members: Sequence[CoefficientEstimates | None], factors: FloatArray
) -> CoefficientEstimates | None:
    """Add up the coefficients of members times their factors, and their bounds, as bands by refits do."""
    known = [(one, factor) for one, factor in zip(members, factors, strict=True) if one is not None]
    if not known:
        return None
    some = known[0][0]
    gamma, lower, upper = (np.zeros(len(some.gamma)) for _ in range(3))
    for one, factor in known:
        acting = one.sign * factor
        gamma += acting * one.gamma
        bounds = np.sort(acting * np.stack([one.lower, one.upper]), axis=0)
        lower += bounds[0]
        upper += bounds[1]
    for array in (gamma, lower, upper):
        array.setflags(write=False)
    return CoefficientEstimates(gamma, lower, upper, some.mean, some.scale, 1)


def source_result(
    kept_fit: KeptFit, model: ModelName, models: Mapping[ModelName, ModelResult], *, task: Task = UNWATCHED
) -> ModelResult:
    """Return everything about a calibrator of several sources; ``models`` are the results of those of one source.

    A polymer that lacks a source has the value of the calibrator of one source, one of the library its interval, too.
    """
    problem, everything, known = kept_fit.problem, kept_fit.everything, kept_fit.sources
    assert known is not None
    one = kept_fit.of_sources[model]
    simple = models[calibrator(model).one_source]
    of_fit = one.fit.predict(known.measured, everything.part.Z)
    checked = checked_result(
        problem,
        model,
        one.out_of_fold,
        np.where(np.isnan(of_fit), kept_fit.fits[simple.model].predict(problem.f, everything.part.Z), of_fit),
        one.fit.predict(known.library, everything.scale.apply(problem.library_X)),
        one.fit.of_mean.convergence,
        task=task,
    )
    lacking = known.lacking(one.fit.sources)[problem.library_order.place]
    library, lower, upper = (
        read_only(np.where(lacking, getattr(simple, name), getattr(checked, name)))
        for name in ("library", "library_lower", "library_upper")
    )
    bands, weights = _bands_of_sources(kept_fit, model)
    return replace(
        checked,
        parameters=_parameters_of_sources(kept_fit, model, bands, weights),
        coefficients=_coefficients_of_sources(kept_fit, model, bands),
        penalties=one.fit.of_mean.penalties,
        library=library,
        library_lower=lower,
        library_upper=upper,
    )


def _bands_of_sources(kept_fit: KeptFit, model: ModelName) -> tuple[ParameterBands, list[Estimate]]:
    """Return the bands of the fit to the mean source, and the offset and the weights of the sources that are taken.

    Bands are those of the posterior, whichever are chosen for the others: resampling would choose the sources anew. Penalties
    are those of the calibrator of one source, and so is what they leave open of the coefficients.
    """
    problem, known, one = kept_fit.problem, kept_fit.sources, kept_fit.of_sources[model]
    assert known is not None
    found = [one.fit.alpha_0, *one.fit.alpha.tolist()]
    if problem.options.bands == "none":
        return no_bands(one.fit.of_mean), [Estimate(value) for value in found]
    if calibrator(model).uses_descriptors:
        scatter = measurement_scatter(problem.y, one.out_of_fold)
    else:
        scatter = scatter_about_line(problem.y, one.out_of_fold, problem.weights)
    level = problem.options.interval_level
    part, F, _ = with_all_sources(kept_fit.everything, known)
    if one.fit.sources == (0,):
        part, F = kept_fit.everything.part, known.measured  # its fit is that of all polymers
    seen, posterior_of_all = posterior_of_sources(one.fit, part, F)
    left_open = kept_fit.left_open.get(calibrator(model).one_source)
    bands = no_bands(one.fit.of_mean)
    if left_open is not None:
        bands = posterior_bands(one.fit.of_mean, seen, left_open, problem.polymers, level)
    variance = scatter**2 * posterior_of_all.variance(weight_directions(one.fit, seen, posterior_of_all))
    half = half_widths(variance, problem.polymers, level).tolist()
    if not calibrator(one.fit.of_mean.model).has_slope and len(found) == 2:
        half[1] = np.nan  # the one source has the weight 1, whatever the measurements
    return bands, [Estimate(value, value - its, value + its) for value, its in zip(found, half, strict=True)]


def _parameters_of_sources(
    kept_fit: KeptFit, model: ModelName, bands: ParameterBands, weights: Sequence[Estimate]
) -> dict[str, Estimate]:
    known, fit = kept_fit.sources, kept_fit.of_sources[model].fit
    assert known is not None
    of_fit = {"alpha_0": weights[0], "beta": bands.beta}
    found = {one.name: of_fit[one.of_fit] for one in calibrator(model).parameters if one.of_fit is not None}
    taken = dict(zip(fit.sources, weights[1:], strict=True))
    return found | {source_weight_name(name): taken.get(at, Estimate(0.0)) for at, name in enumerate(known.names)}


def _coefficients_of_sources(kept_fit: KeptFit, model: ModelName, bands: ParameterBands) -> CoefficientEstimates | None:
    """Return gamma as it acts at the average mean source, since a polymer's own is not kept with the result."""
    if not calibrator(model).has_coefficients:
        return None
    one = kept_fit.of_sources[model].fit.of_mean
    d, kept, scale = len(kept_fit.problem.kept), kept_fit.problem.kept, kept_fit.everything.scale
    gamma, lower, upper, mean, unit = np.zeros(d), np.zeros(d), np.zeros(d), np.zeros(d), np.ones(d)
    mean[kept], unit[kept] = scale.mean, scale.scale
    if len(one.c):
        factor = 1.0 / one.natural_factor if one.natural_factor else 1.0
        gamma[kept] = one.unit * one.c
        bounds = np.sort(np.stack([bands.gamma_lower * factor, bands.gamma_upper * factor]), axis=0)
        lower[kept], upper[kept] = bounds
    for array in (gamma, lower, upper, mean, unit):
        array.setflags(write=False)
    return CoefficientEstimates(gamma, lower, upper, mean, unit, one.sign)


def sum_of(weights: FloatArray, values: Sequence[FloatArray]) -> FloatArray:
    """Return the sum of values by their weights; a member without weight cannot spoil it."""
    return np.asarray(sum(weight * own for weight, own in zip(weights, values, strict=True) if weight > 0.0))


def bands_of(kept_fit: KeptFit, model: ModelName) -> ParameterBands:
    """Return the parameters of a calibrator with their bounds, made as the options say."""
    options, one = kept_fit.problem.options, kept_fit.fits[model]
    if calibrator(model).is_raw or options.bands == "none":
        return no_bands(one)
    if options.bands == "bootstrap":
        return bootstrap_bands(one, kept_fit.draws[model], options.interval_level)
    part, polymers = kept_fit.everything.part, kept_fit.problem.polymers
    return posterior_bands(one, part, kept_fit.left_open[model], polymers, options.interval_level)


def parameters(model: ModelName, bands: ParameterBands) -> Mapping[str, Estimate]:
    """Return the parameters that a calibrator has, on natural scales."""
    of_fit = {"alpha_0": bands.alpha_0, "alpha_1": bands.alpha_1, "beta": bands.beta}
    return {one.name: of_fit[one.of_fit] for one in calibrator(model).parameters if one.of_fit is not None}


def coefficients(kept_fit: KeptFit, model: ModelName, bands: ParameterBands) -> CoefficientEstimates | None:
    """Return gamma of all d descriptors with its band; blocks that are switched off have 0 and no band."""
    if not calibrator(model).has_coefficients:
        return None
    one, scale, kept = kept_fit.fits[model], kept_fit.everything.scale, kept_fit.problem.kept
    d = len(kept)
    gamma, lower, upper = np.zeros(d), np.zeros(d), np.zeros(d)
    mean, unit = np.zeros(d), np.ones(d)
    mean[kept], unit[kept] = scale.mean, scale.scale
    if len(one.c):
        gamma[kept], lower[kept], upper[kept] = one.gamma, bands.gamma_lower, bands.gamma_upper
    for array in (gamma, lower, upper, mean, unit):
        array.setflags(write=False)
    return CoefficientEstimates(gamma, lower, upper, mean, unit, one.sign)


def recommend(kept_fit: KeptFit) -> Recommendation:
    """Compare the calibrators over the held-out polymers."""
    problem = kept_fit.problem
    return compare(
        {name: held_out_errors(problem.y, one.predicted) for name, one in kept_fit.held_out.models.items()},
        problem.groups,
        problem.options.log_scale,
        rounding_of(problem.y, problem.options.log_scale),
        md_varies=not all_equal(problem.md),
        structure=structure_p_value(kept_fit.everything.part, problem.groups),
    )


def suggest(kept_fit: KeptFit, affine: ModelResult, task: Task) -> tuple[tuple[Suggestion, ...], tuple[str, ...]]:
    """Rank the next measurements by the affine model's posterior; with a remark when the library is sampled."""
    problem, everything = kept_fit.problem, kept_fit.everything
    options = problem.options
    Z = everything.scale.apply(problem.library_X)
    given = problem.library_order.given
    library, lower, upper = affine.library[given], affine.library_lower[given], affine.library_upper[given]
    # A polymer that cannot be calibrated sensibly has no interval to narrow, and would drown those of all others.
    usable = np.flatnonzero(np.isfinite(library) & np.isfinite(Z).all(axis=1))
    if not options.measure_next or not problem.candidates[usable].any():
        return (), ()
    remarks: tuple[str, ...] = ()
    if len(usable) > MOST_CONSIDERED:
        generator = np.random.default_rng((options.seed, 5))
        usable = np.sort(generator.choice(usable, MOST_CONSIDERED, replace=False))
        remarks = (
            f"The measurements to make next were chosen among {MOST_CONSIDERED} random polymers of the library.",
        )
    one, part = kept_fit.fits[AFFINE.key], everything.part
    covariance = posterior(one, part).covariance(directions(one, part, problem.library_f[usable], Z[usable]))
    lower, upper = lower[usable], upper[usable]
    width = float(np.mean(np.log(upper) - np.log(lower) if options.log_scale else upper - lower))
    return (
        suggest_measurements(
            covariance, problem.candidates[usable], given[usable], width, options.measure_next, task=task
        ),
        remarks,
    )
