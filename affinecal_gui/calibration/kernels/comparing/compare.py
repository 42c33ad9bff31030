"""All calibrators side by side on the same held-out polymers: the linear ones and the methods with kernels."""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.assemble import checked_result, recommend
from affinecal_gui.calibration.calibrators.registry import calibrator, calibrator_keys, kernel_keys
from affinecal_gui.calibration.checking.comparison import SIGNIFICANCE
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.kernels.calibrators.affine_tl_full import AFFINE_TL_FULL
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.calibrators.only_source import ONLY_SOURCE
from affinecal_gui.calibration.kernels.comparing.effects import average_effects
from affinecal_gui.calibration.kernels.comparing.noisy_sources import with_noise_of_sources
from affinecal_gui.calibration.kernels.eigenvalues.overlap import Overlap, judge_overlap
from affinecal_gui.calibration.kernels.fits import AffineTLFits, ScaleFits
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.method_fit import FittedMethod
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import TransferSets, make_sets
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.names import calibrator_in_sentence, calibrator_title
from affinecal_gui.calibration.notes import notes_of
from affinecal_gui.calibration.results import (
    Calibration,
    CoefficientEstimates,
    Convergence,
    FloatArray,
    ModelName,
    ModelResult,
    PairedComparison,
    TransferName,
)
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.numbers import p_value, significant
from affinecal_gui.task import UNWATCHED, Task

Item = TypeVar("Item")

_MOST_NUMBERS = 10_000_000
"""Numbers in the Gram matrices of the training parts that are fitted together."""


@dataclass(frozen=True, slots=True)
class CalibratorComparison:
    """A finished comparison."""

    calibration: Calibration
    # with the models of all calibrators, simplest first, and the recommendation among them: every figure and view of a
    # calibration shows them
    ranking: tuple[ModelName, ...]  # lowest out-of-fold error first
    warning: str  # where the source alone predicts worse than the descriptors alone; "" elsewhere
    penalties: Mapping[TransferName, Mapping[str, float]]  # of the final fits of the methods with kernels
    starts: (
        FloatArray  # (starts,) objectives of AffineTL-full where each start of the final fit ended; empty without it
    )
    overlap: Overlap
    options: TransferOptions
    sources: tuple[str, ...]  # names of further source features, beside the MD value itself
    notes: tuple[str, ...]  # what the user should know about the methods with kernels, in sentences
    seconds: float


def compare_calibrators(
    calibration: Calibration,
    methods: Sequence[TransferName] | None = None,
    options: TransferOptions | None = None,
    *,
    sources: ArrayLike | None = None,
    library_sources: ArrayLike | None = None,
    source_names: Sequence[str] = (),
    task: Task = UNWATCHED,
) -> CalibratorComparison:
    """Check the methods with kernels on the polymers that a calibration held out, and rank all calibrators together.

    Every method learns its scaling and its penalties anew inside each training part, from the same inner folds as the
    linear calibrators; then it is fitted to all polymers.

    Parameters
    ----------
    calibration
        Made in this session, so that its ``kept_fit`` are there.
    methods
        Which of the methods with kernels, None for all; the linear calibrators are always compared.
    options
        Kernels, penalty grids, starts.
    sources, library_sources
        (n, p), (m, p) further source features of the measured and of the library polymers, beside the MD value; no value
        of a measured polymer may be missing.
    source_names
        What they are called.

    Returns
    -------
    CalibratorComparison
        Its ``calibration`` has one :class:`~affinecal_gui.calibration.results.ModelResult` per calibrator.

    Raises
    ------
    CalibrationInputError
        The calibration came out of a file, or further source features are missing for some polymers.
    Cancelled
        When asked to stop.
    """
    began = time.perf_counter()
    kept_fit = calibration.kept_fit
    if not isinstance(kept_fit, KeptFit):
        raise CalibrationInputError("This calibration was opened from a file. Calibrate anew, then compare.")
    methods = kernel_keys() if methods is None else methods
    options = TransferOptions() if options is None else options
    options.check()
    problem = kept_fit.problem
    S, library_S = _source_features(
        problem,
        None if sources is None else np.asarray(sources, dtype=np.float64)[problem.order.given],
        None if library_sources is None else np.asarray(library_sources, dtype=np.float64)[problem.library_order.given],
    )
    held_out = _held_out(kept_fit, S, library_S, methods, options, task.part(0.0, 0.9))
    everything = kept_fit.everything
    sets = make_sets(
        [S[everything.rows]],
        [problem.X[everything.rows]],
        [problem.y[everything.rows]],
        options,
        problem.sizes,
        factors=problem.block_factors,
        weights=None if problem.weights is None else [problem.weights[everything.rows]],
    )
    final = fit_methods(sets, everything.inner[None], methods, options, task=task.part(0.9, 0.98))
    models = linear_results(calibration)
    of_measured = _predictor(sets, 0, S, problem.X, options)
    of_library = _predictor(sets, 0, library_S, problem.library_X, options)
    for name, one in final.items():
        models[name] = checked_result(
            problem, name, held_out[name], of_measured(one), of_library(one), _convergence(one), task=task
        )
        models[name] = replace(models[name], coefficients=_effects(problem, one, sets, options))
    task.report(0.99, "Ranking the calibrators")
    full = final.get(AFFINE_TL_FULL.key)
    overlap = judge_overlap(
        S, problem.X, options, sizes=problem.sizes, factors=problem.block_factors, seed=problem.options.seed
    )
    # Kept with the fit of the linear calibrators, the held-out values go on being ranked when those are refitted.
    of_all = _without_kernels(kept_fit.held_out.models) | held_out
    together = replace(kept_fit, held_out=replace(kept_fit.held_out, models=of_all))
    recommendation = recommend(together)
    warning = negative_transfer(models, recommendation.comparisons, problem.options.log_scale)
    notes = tuple(_notes(final))
    compared = replace(
        calibration,
        models={name: models[name] for name in calibrator_keys() if name in models},
        recommendation=recommendation,
        overlap=overlap,
        notes=(*calibration.notes, *((warning,) if warning else ()), *notes),
        kept_fit=together,
    )
    task.report(1.0, "Compared")
    return CalibratorComparison(
        calibration=compared,
        ranking=tuple(sorted(models, key=lambda name: models[name].metrics.rmse_target_scale)),
        warning=warning,
        penalties={
            name: dict(zip(one.search.names, map(float, one.search.penalties[0]), strict=True))
            for name, one in final.items()
        },
        starts=full.fits.objectives[0] if full is not None and isinstance(full.fits, AffineTLFits) else np.zeros(0),
        overlap=overlap,
        options=options,
        sources=tuple(source_names),
        notes=notes,
        seconds=time.perf_counter() - began,
    )


def linear_part(calibration: Calibration) -> Calibration:
    """Return a calibration without the methods with kernels that were compared.

    Raises
    ------
    ValueError
        It came out of a file, so that the linear calibrators cannot be ranked anew.
    """
    kept_fit = calibration.kept_fit
    if not isinstance(kept_fit, KeptFit):
        raise ValueError("this calibration has no kept_fit to rank its calibrators by; run calibrate() again")
    held_out = _without_kernels(kept_fit.held_out.models)
    alone = replace(kept_fit, held_out=replace(kept_fit.held_out, models=held_out))
    models = linear_results(calibration)
    recommendation = recommend(alone)
    return replace(
        calibration,
        models=models,
        recommendation=recommendation,
        overlap=None,
        notes=notes_of(alone, models, calibration.validity, recommendation.comparisons),
        kept_fit=alone,
    )


def linear_results(calibration: Calibration) -> dict[ModelName, ModelResult]:
    """Return the results of the calibrators that are no methods with kernels."""
    return _without_kernels(calibration.models)


def _without_kernels(models: Mapping[ModelName, Item]) -> dict[ModelName, Item]:
    return {name: one for name, one in models.items() if name not in kernel_keys()}


def negative_transfer(
    models: Mapping[ModelName, ModelResult], comparisons: Sequence[PairedComparison], log_scale: bool
) -> str:
    """Say what it means when the source alone predicts worse than the descriptors alone; "" otherwise.

    Only where no calibrator that uses the source predicts better than the descriptors alone is that negative transfer: a
    source may say little by itself and yet add to what the descriptors say. "" too when one of the two was not compared.
    """
    if ONLY_SOURCE.key not in models or DIRECT.key not in models:
        return ""
    source, direct = ONLY_SOURCE.key, DIRECT.key
    rmse = {name: result.metrics.rmse_target_scale for name, result in models.items()}
    pairs = {(pair.better, pair.worse): pair for pair in comparisons}
    direct_first = pairs.get((direct, source))
    if rmse[source] <= rmse[direct] or (direct_first is None and (source, direct) in pairs):
        return ""
    told = {name: calibrator_in_sentence(name, log_scale=log_scale) for name in models}
    start = (
        f"MD values alone ({told[source]}) predict worse than descriptors alone ({told[direct]}): out-of-fold RMSE "
        f"{significant(rmse[source])} against {significant(rmse[direct])}{_chance(direct_first)}."
    )
    helped = sorted(
        (name for name in models if name not in (direct, source) and (name, direct) in pairs),
        key=lambda name: rmse[name],
    )
    together = [name for name in helped if calibrator(name).uses_descriptors]
    if not helped:
        return (
            f"{start} No calibrator that uses the MD values predicts better than the descriptors alone: the MD values may "
            f"mislead here (negative transfer)."
        )
    listed = together or helped
    numbers = ", ".join(f"{told[name]} {significant(rmse[name])}" for name in listed)
    clear = any(pairs[name, direct].paired_p_value < SIGNIFICANCE for name in listed)
    gain = _chance(pairs[listed[0], direct])
    gain = f"{gain} for the first of them" if gain and len(listed) > 1 else gain
    who = "together the two predict" if together else "used otherwise, MD values alone predict"
    better = f"{who} better than descriptors alone: {numbers}{gain}"
    if clear:
        return f"{start} MD values help all the same; {better}."
    return f"{start} Whether MD values help all the same cannot be told: {better}."


def _chance(pair: PairedComparison | None) -> str:
    """Say whether a difference is clear of chance; "" where that could not be tested."""
    if pair is None or not np.isfinite(pair.paired_p_value):
        return ""
    clear = pair.paired_p_value < SIGNIFICANCE
    words = "a clear difference" if clear else "a difference that may be chance"
    return f", {words} ({p_value(pair.paired_p_value)})"


def _source_features(
    problem: CalibrationProblem, sources: ArrayLike | None, library_sources: ArrayLike | None
) -> tuple[FloatArray, FloatArray]:
    """(n, 1 + p) and (m, 1 + p): the MD value on the target scale, then further features."""
    S, library = problem.f[:, None], problem.library_f[:, None]
    if sources is None:
        return S, library
    more = np.asarray(sources, dtype=np.float64).reshape(len(S), -1)
    missing = np.flatnonzero(~np.isfinite(more).all(axis=1))
    if len(missing):
        raise CalibrationInputError(
            f"{len(missing)} of {len(S)} measured polymers lack a value of a further MD property. Leave these polymers out, "
            f"or that property.",
            tuple(sorted(int(row) for row in problem.order.given[missing])),
        )
    p = more.shape[1]
    others = np.full((len(library), p), np.nan)
    if library_sources is not None:
        others = np.asarray(library_sources, dtype=np.float64).reshape(len(library), p)
    return np.hstack([S, more]), np.hstack([library, others])


def _held_out(
    kept_fit: KeptFit,
    S: FloatArray,
    library_S: FloatArray,
    methods: Sequence[TransferName],
    options: TransferOptions,
    task: Task,
) -> dict[TransferName, OutOfFold]:
    """Predict every measured polymer, and the library, by fits to the training parts that the calibration used."""
    problem, fold = kept_fit.problem, kept_fit.held_out.fold
    parts = kept_fit.held_out.parts
    repetitions, folds, m = len(fold), len(parts) // len(fold), len(problem.library_f)
    predicted = {name: np.empty(fold.shape) for name in methods}
    library = {name: np.empty((repetitions, folds, m)) for name in methods}
    noise, library_noise = problem.noise, problem.library_noise
    step = 0.0 if noise is None else root_mean_square(noise)
    slope = {name: np.zeros(fold.shape) for name in methods}
    md_alone = np.eye(S.shape[1])[0]
    by_size: dict[int, list[int]] = {}
    for position, part in enumerate(parts):
        by_size.setdefault(len(part.rows), []).append(position)
    together = [some for size, members in by_size.items() for some in _cut(members, max(1, _MOST_NUMBERS // size**2))]
    done = 0
    for members in together:
        share = task.part(done / len(parts), (done + len(members)) / len(parts))
        chosen: list[Prepared] = [parts[position] for position in members]
        sets = make_sets(
            [S[part.rows] for part in chosen],
            [problem.X[part.rows] for part in chosen],
            [problem.y[part.rows] for part in chosen],
            options,
            problem.sizes,
            factors=problem.block_factors,
            weights=None if problem.weights is None else [problem.weights[part.rows] for part in chosen],
        )
        inner = np.stack([part.inner for part in chosen])
        found = fit_methods(sets, inner, methods, options, task=share.part(0.0, 0.95))
        for s, position in enumerate(members):
            task.check()
            repetition, k = divmod(position, folds)
            held = fold[repetition] == k
            of_held = _predictor(sets, s, S[held], problem.X[held], options)
            of_library = _predictor(sets, s, library_S, problem.library_X, options)
            for name, one in found.items():
                predicted[name][repetition, held] = of_held(one)
                library[name][repetition, k] = of_library(one)
            if step > 0.0:
                below, above = (
                    _predictor(sets, s, S[held] + by * md_alone, problem.X[held], options) for by in (-step, step)
                )
                for name, one in found.items():
                    slope[name][repetition, held] = (above(one) - below(one)) / (2.0 * step)
        done += len(members)
    all_alike = np.ones(fold.shape), np.ones((repetitions, folds, m))
    exact = {name: OutOfFold(fold, predicted[name], all_alike[0], library[name], all_alike[1]) for name in predicted}
    if noise is None or library_noise is None:
        return exact
    return {
        name: with_noise_of_sources(problem.y, one, slope[name], noise, library_noise) for name, one in exact.items()
    }


def _cut(members: list[int], most: int) -> list[list[int]]:
    return [members[start : start + most] for start in range(0, len(members), most)]


def _predictor(
    sets: TransferSets, s: int, S: FloatArray, X: FloatArray, options: TransferOptions
) -> Callable[[FittedMethod], FloatArray]:
    """Return what predicts k rows by any method's fit to set s: (k,) target scale, nan for rows with a missing feature."""
    described, simulated = np.isfinite(X).all(axis=1), np.isfinite(S).all(axis=1)
    usable, without_source = described & simulated, described & ~simulated
    grams = sets.scalings[s].grams(S[usable], X[usable], options)  # the same for all methods

    def predict(one: FittedMethod) -> FloatArray:
        values = np.full(len(S), np.nan)
        if usable.any():
            values[usable] = one.predict(sets, s, grams)
        if without_source.any() and not calibrator(one.name).uses_md:
            X_alone = X[without_source]
            blank = np.zeros((len(X_alone), S.shape[1]))  # not looked at
            values[without_source] = one.predict(sets, s, sets.scalings[s].grams(blank, X_alone, options))
        return values

    return predict


def _effects(
    problem: CalibrationProblem, one: FittedMethod, sets: TransferSets, options: TransferOptions
) -> CoefficientEstimates | None:
    """Return the average effects of all d descriptors; blocks that are switched off have 0 and no band."""
    factors = np.ones(problem.X.shape[1])
    if problem.block_factors:
        factors = np.repeat(np.array(problem.block_factors), problem.sizes)
    found = average_effects(
        one,
        sets,
        options,
        factors=factors,
        polymers=problem.polymers,
        level=None if problem.options.bands == "none" else problem.options.interval_level,
    )
    if found is None:
        return None
    kept = problem.kept

    def everywhere(values: FloatArray, otherwise: float) -> FloatArray:
        whole = np.full(len(kept), otherwise)
        whole[kept] = values
        whole.setflags(write=False)
        return whole

    return replace(
        found,
        gamma=everywhere(found.gamma, 0.0),
        lower=everywhere(found.lower, 0.0),
        upper=everywhere(found.upper, 0.0),
        mean=everywhere(found.mean, 0.0),
        scale=everywhere(found.scale, 1.0),
    )


def _convergence(one: FittedMethod) -> Convergence:
    if isinstance(one.fits, AffineTLFits) and one.fits.objectives.shape[1]:
        return Convergence("direct", int(one.fits.iterations[0]), bool(one.fits.converged[0]))
    return Convergence("closed form", 0, True)


def _notes(final: Mapping[TransferName, FittedMethod]) -> list[str]:
    """Return what the user should know about the fits to all polymers."""
    notes = []
    for name, one in final.items():
        title = calibrator_title(name, log_scale=True)
        edges = [word for word, on in zip(one.search.names, one.search.on_edge()[0], strict=True) if on]
        if edges:
            notes.append(
                f"{title}: the best {' and '.join(edges)} {'lies' if len(edges) == 1 else 'lie'} on the edge of the grid."
            )
        if isinstance(one.fits, ScaleFits) and one.fits.guarded[0]:
            count = int(one.fits.guarded[0])
            notes.append(
                f"{title}: the source prediction of {count} polymer{'s' if count != 1 else ''} is too near zero to divide "
                f"by; a share of the largest was taken instead."
            )
        if isinstance(one.fits, AffineTLFits) and one.fits.objectives.shape[1]:
            ends = one.fits.objectives[0]
            if not one.fits.converged[0]:
                notes.append(f"{title} has not converged; larger penalties make it easier.")
            spread = float(ends.max() / ends.min() - 1.0) if ends.min() > 0.0 else 0.0
            if spread > 1e-4:
                notes.append(
                    f"{title}: its starts ended at different objectives, up to {significant(100 * spread, 2)} % above the "
                    f"lowest, which was kept."
                )
            if one.search.unfinished:
                notes.append(f"{title}: {one.search.unfinished} fits of the penalty search did not converge.")
    return notes
