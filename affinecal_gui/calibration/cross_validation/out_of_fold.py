"""Repeated, nested cross-validation: what each calibrator says about polymers it has never seen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_parts, scatter_of_fit
from affinecal_gui.calibration.calibrators.linear.affine import AFFINE
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.noise.line_spread import line_form, line_scatter
from affinecal_gui.calibration.calibrators.noise.noisy_md import noise_weights
from affinecal_gui.calibration.calibrators.noise.prior import prior_penalties, with_prior_penalties
from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit
from affinecal_gui.calibration.calibrators.registry import calibrator, combined_keys, fitted_keys, penalised_keys
from affinecal_gui.calibration.calibrators.robust import robust_weights
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart, training_part
from affinecal_gui.calibration.cross_validation.choosing_penalties import (
    Searched,
    choose_penalties,
    paper_start,
    penalties_from,
    solver_of,
)
from affinecal_gui.calibration.cross_validation.combined import combined_out_of_fold, weights_in_parts
from affinecal_gui.calibration.cross_validation.predicted_md import KnownMD, known_to_parts, widening
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.cross_validation.spread_of_parts import AboutFit, AboutLine, SpreadOfParts
from affinecal_gui.calibration.data.folds import IntArray, contiguous_folds, random_folds
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.data.row_blocks import row_blocks
from affinecal_gui.calibration.data.scale import learn_scale, z_scores
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import (
    FloatArray,
    ModelName,
    Penalties,
    PenaltySurface,
)
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.task import UNWATCHED, Task

HELD_OUT_STRIDE = 4
"""Inside the held-out checks every fourth value of a long penalty grid is tried. The optimum is broad: on the three bundled
examples strides of 1 to 4 give nearly the same out-of-fold errors (docs/uncertainty.md)."""

LONG_GRID = 10

MOST_REPETITIONS = ((2000, 1), (150, 2))
"""From so many polymers on, so many repetitions are enough: random folds matter less and less."""

ENOUGH_POLYMERS = 2000
"""With as many polymers random folds hardly matter: one dealing tells as much as five."""

EACH_ALONE = 100
"""Up to so many polymers each of them is held out alone to choose the penalties of the final fit."""

EACH_ALONE_IN_PARTS = 30
"""The same for training parts, of which there are fifty."""

DEALINGS = 8
"""Dealings to random folds by which the penalties of the final fit are chosen where there are more polymers."""

DEALINGS_STRIDE = 2
"""With so many dealings every second value of a long penalty grid is tried, which takes about as long as one dealing did."""


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The result of :func:`hold_out`; parts are listed repetition by repetition, fold by fold."""

    fold: IntArray  # (r, n)
    parts: tuple[Prepared, ...]
    models: Mapping[ModelName, OutOfFold]
    weights: Mapping[ModelName, FloatArray]  # (parts, k) of the members of every calibrator that combines others
    fits: Mapping[ModelName, Sequence[Fitted]]  # of every calibrator that is fitted, part by part
    known: tuple[KnownMD, ...]  # the MD values that each part knows of


def prepare(problem: CalibrationProblem, rows: IntArray, seed: tuple[int, ...], *, final: bool = False) -> Prepared:
    """Learn the scaling from these rows alone and deal them to inner folds, several times where chance matters.

    For few polymers the penalties follow from holding out every polymer alone, which leaves nothing to chance; for more,
    from random folds. The ``final`` fit, whose values users take away, is worth more time than one of many training parts.
    The paper's protocol z-scores over all measured polymers and takes contiguous inner folds, as published.
    """
    options = problem.options
    paper = options.protocol == "paper"
    weights = None if problem.weights is None else problem.weights[rows]
    scale = z_scores(problem.X) if paper else learn_scale(problem.X[rows], problem.sizes, weights)
    part = training_part(
        problem.y[rows],
        problem.f[rows],
        scale.apply(problem.X[rows]),
        problem.sizes,
        weights,
        options.log_scale,
        z_scores(problem.f[:, None]) if paper else None,
        problem.block_factors,
        None if problem.noise is None else problem.noise[rows],
    )
    if part.noise is not None:
        part = replace(part, weights=part.weights * noise_weights(part))
    groups = problem.groups[rows]
    codes = np.unique(groups, return_inverse=True)[1]
    polymers = int(codes.max()) + 1
    if paper:
        inner = contiguous_folds(len(rows), min(options.inner_folds, len(rows)))
        return Prepared(rows, polymers, part, scale, inner, (inner,))
    generator = np.random.default_rng(seed)
    inner = random_folds(groups, options.inner_folds, generator)
    if polymers <= (EACH_ALONE if final else EACH_ALONE_IN_PARTS):
        return Prepared(rows, polymers, part, scale, inner, (codes,))
    further = DEALINGS - 1 if final and polymers < ENOUGH_POLYMERS else 0
    more = (random_folds(groups, options.inner_folds, generator) for _ in range(further))
    return Prepared(rows, polymers, part, scale, inner, (inner, *more))


def fit_all(
    problem: CalibrationProblem,
    prepared: Sequence[Prepared],
    *,
    thin: bool,
    models: Collection[ModelName] | None = None,
    sentence: str = "Choosing the penalties",
    task: Task = UNWATCHED,
) -> tuple[dict[ModelName, list[Fitted]], list[dict[ModelName, PenaltySurface]]]:
    """Choose the penalties of every part and fit linear calibrators to it: all of them, or those of ``models``.

    Returns
    -------
    Of every model the fits, part by part; of every part the penalty surfaces of the models whose penalties were searched.
    """
    options = problem.options
    parts = [one.part for one in prepared]
    searches: list[dict[ModelName, Searched]] = [{} for _ in prepared]
    wanted = [model for model in fitted_keys() if models is None or model in models]
    searched = tuple(model for model in penalised_keys() if model in wanted and options.by_hand.get(model) is None)
    if searched and problem.X.shape[1]:
        stride = HELD_OUT_STRIDE if thin else DEALINGS_STRIDE if len(prepared[0].dealings) > 1 else 1
        lambda_1, lambda_2 = (
            np.array(grid[::stride] if len(grid) >= LONG_GRID else grid)
            for grid in (options.lambda_1, options.lambda_2)
        )
        penalties = [parts[0].ridge(first, second) for first in lambda_1 for second in lambda_2]
        for position, one in enumerate(prepared):

            def report(fraction: float, _: str, position: int = position) -> None:
                task.report(0.95 * (position + fraction) / len(prepared), sentence)

            searches[position] = choose_penalties(
                one.part,
                problem.groups[one.rows],
                one.dealings,
                options,
                searched,
                lambda_1,
                lambda_2,
                penalties,
                task=replace(task, progress=report),
            )
    fits: dict[ModelName, list[Fitted]] = {}
    for model in wanted:
        own: list[Penalties | None] = [
            penalties_from(found[model], one.part, one.polymers, options)
            if model in found
            else options.by_hand.get(model)
            for one, found in zip(prepared, searches, strict=True)
        ]
        fits[model] = fit_each(model, parts, own, options, fits.get(LOG_DIFFERENCE.key), task=task)
    task.report(1.0, sentence)
    return fits, [{model: own.surface for model, own in found.items()} for found in searches]


def counted_robustly(
    problem: CalibrationProblem, prepared: Sequence[Prepared], *, thin: bool, task: Task = UNWATCHED
) -> list[Prepared]:
    """Let values far from a fit count less in every part, where that is chosen; each part decides by its own values.

    The penalties under which they are far are chosen first, with all values counting the same.
    """
    if not problem.options.robust:
        return list(prepared)
    beside = (LOG_DIFFERENCE.key, AFFINE.key)
    fits, _ = fit_all(
        problem, prepared, thin=thin, models=beside, sentence="Looking for outlying values", task=task.part(0.0, 0.8)
    )
    parts = [one.part for one in prepared]
    factors = robust_weights(parts, [one.penalties for one in fits[AFFINE.key]], task=task.silent)
    task.report(1.0, "Looked for outlying values")
    return [
        replace(one, part=replace(one.part, weights=one.part.weights * factor))
        for one, factor in zip(prepared, factors, strict=True)
    ]


def fit_each(
    model: ModelName,
    parts: Sequence[TrainingPart],
    penalties: Sequence[Penalties | None],
    options: CalibrationOptions,
    difference: Sequence[Fitted] | None = None,
    *,
    task: Task = UNWATCHED,
) -> list[Fitted]:
    """Fit one calibrator to every part; the paper's block updates start from the ``difference`` fits."""
    solver, tolerance = solver_of(options)
    starts: list[AffineFit | None] = [None] * len(parts)
    if model == AFFINE.key and solver == "block" and difference is not None:
        starts = [
            None if own.penalties is None else paper_start(part, own.penalties)
            for part, own in zip(parts, difference, strict=True)
        ]
    return fit_parts(model, parts, penalties, solver=solver, tolerance=tolerance, starts=starts, task=task)


def hold_out(problem: CalibrationProblem, *, task: Task = UNWATCHED) -> HeldOut:
    """Predict every measured polymer, and the library, by models that were fitted without it.

    Each repetition deals the polymers to folds anew; rows of one polymer stay together.
    """
    options = problem.options
    repetitions = min(
        [options.repetitions, *(most for polymers, most in MOST_REPETITIONS if problem.polymers >= polymers)]
    )
    folds = min(options.outer_folds, problem.polymers)
    fold = np.stack(
        [
            random_folds(problem.groups, folds, np.random.default_rng((options.dealing, 1, repetition)))
            for repetition in range(repetitions)
        ]
    )
    known = known_to_parts(problem, fold)
    prepared = []
    for position, seen in enumerate(known):
        task.check()
        repetition, k = divmod(position, folds)
        rows = np.flatnonzero(fold[repetition] != k)
        prepared.append(prepare(seen.of(problem), rows, (options.dealing, 2, repetition, k)))
    prepared = counted_robustly(problem, prepared, thin=True, task=task.part(0.0, 0.4 if options.robust else 0.0))
    fits, _ = fit_all(
        problem,
        prepared,
        thin=True,
        sentence=f"Checking on held-out polymers, {repetitions} × {folds} folds",
        task=task.part(0.4 if options.robust else 0.0, 0.9),
    )
    models: dict[ModelName, OutOfFold] = {}
    for position, model in enumerate(fitted_keys()):
        task.report(0.9 + 0.1 * position / len(fitted_keys()), "Predicting held-out polymers and the library")
        models[model] = said_by_fits(problem, fold, prepared, fits, model, known, task=task)
    weights: dict[ModelName, FloatArray] = {}
    # The paper combines nothing; its protocol stays as published.
    for model in combined_keys() if options.protocol == "default" else ():
        members = calibrator(model).combines
        weights[model] = weights_in_parts(model, prepared, problem.groups, fits, task=task.silent)
        models[model] = combined_out_of_fold([models[name] for name in members], weights[model])
    task.report(1.0, "Checked on held-out polymers")
    return HeldOut(fold, tuple(prepared), models, weights, fits, tuple(known))


def said_by_fits(
    problem: CalibrationProblem,
    fold: IntArray,
    prepared: Sequence[Prepared],
    fits: Mapping[ModelName, Sequence[Fitted]],
    model: ModelName,
    known: Sequence[KnownMD],
    about: SpreadOfParts | None = None,
    *,
    task: Task = UNWATCHED,
) -> OutOfFold:
    """Return what the fits of one calibrator to all training parts say about held-out polymers and the library.

    ``about`` is what :func:`spread_about` returns, where that is known already.
    """
    predicted, library = predict_held_out(problem, fold, prepared, fits[model], known, task=task)
    beside = fits[LOG_DIFFERENCE.key]
    about = spread_about(problem, prepared, fits[model], beside) if about is None else about
    spread, library_spread = spread_held_out(problem, fold, prepared, fits[model], beside, known, about, task=task)
    return OutOfFold(fold, predicted, spread, library, library_spread)


def predict_held_out(
    problem: CalibrationProblem,
    fold: IntArray,
    prepared: Sequence[Prepared],
    fits: Sequence[Fitted],
    known: Sequence[KnownMD],
    *,
    task: Task = UNWATCHED,
) -> tuple[FloatArray, FloatArray]:
    """(r, n) out-of-fold values and (r, k, m) library values by the models of all training parts, target scale."""
    repetitions, n = fold.shape
    folds = len(fits) // repetitions
    m = len(problem.library_f)
    predicted, library = np.empty((repetitions, n)), np.empty((repetitions, folds, m))
    zc: FloatArray | None = None
    library_zc: FloatArray | None = None
    if len(fits[0].c):
        # All models at once, in the descriptors' own units: z'c = x'(c / scale) - mean'(c / scale).
        slopes = np.stack([one.c / own.scale.scale for one, own in zip(fits, prepared, strict=True)], axis=1)
        centre = np.array([own.scale.mean @ slopes[:, k] for k, own in enumerate(prepared)])
        zc, library_zc = problem.X @ slopes - centre, problem.library_X @ slopes - centre
    for position, one in enumerate(fits):
        task.check()
        repetition, k = divmod(position, folds)
        held = fold[repetition] == k
        seen = known[position]
        predicted[repetition, held] = one.value(seen.f[held], 0.0 if zc is None else zc[held, position])
        library[repetition, k] = one.value(seen.library_f, 0.0 if library_zc is None else library_zc[:, position])
    return predicted, library


def typical_weight(problem: CalibrationProblem) -> float:
    """Return the weight of a measurement of mean variance."""
    return 1.0 if problem.weights is None else 1.0 / float(np.mean(1.0 / problem.weights))


def needs_structure(model: ModelName, options: CalibrationOptions) -> bool:
    """Whether the spread about a calibrator comes from another that looks at the structure of polymers."""
    record = calibrator(model)
    return not (record.is_raw or record.uses_descriptors or options.protocol == "paper")


def as_prior(one: Fitted, polymers: int, options: CalibrationOptions) -> Fitted:
    """Return a fit as it says how far polymers may be off."""
    wider = options.cautious_prior and options.wide_beyond and options.protocol == "default"
    return with_prior_penalties(one, polymers) if wider else one


def spread_held_out(
    problem: CalibrationProblem,
    fold: IntArray,
    prepared: Sequence[Prepared],
    fits: Sequence[Fitted],
    beside: Sequence[Fitted],
    known: Sequence[KnownMD],
    about: SpreadOfParts | None,
    *,
    task: Task = UNWATCHED,
) -> tuple[FloatArray, FloatArray]:
    """(r, n) and (r, k, m) relative spreads that belong to :func:`predict_held_out`.

    A calibrator that does not look at descriptors cannot see that a polymer is unlike those of the fit; the log-difference
    fits ``beside`` it say how much that may matter (not in the paper's protocol, whose z-scores know no limit).

    How well the next polymer will be measured is not known. So every polymer, held out or not measured, gets the mean
    variance of the measurements: then the polymers of the library are to those of the fit as these are to each other, and
    the intervals keep their coverage. With the own weights of the measured ones alone, it fell from 90 to 77 % in
    a simulation.
    """
    repetitions, n = fold.shape
    folds = len(fits) // repetitions
    m = len(problem.library_f)
    spread, library = np.empty((repetitions, n)), np.empty((repetitions, folds, m))
    of_parts = library.reshape(len(fits), m)
    measuring = [measuring_of(problem, own) for own in prepared]
    measured = np.zeros((len(fits), n)) if about is None else about.variance([seen.f for seen in known], problem.X)
    for rows in row_blocks(m, task=task):
        of_parts[:, rows] = 0.0
        if about is not None:
            of_parts[:, rows] = about.variance([seen.library_f[rows] for seen in known], problem.library_X[rows])
    for position, (one, own, other, seen) in enumerate(zip(fits, prepared, beside, known, strict=True)):
        task.check()
        repetition, k = divmod(position, folds)
        held = np.flatnonzero(fold[repetition] == k)
        spread[repetition, held] = np.sqrt(measuring[position] + measured[position, held])
        np.sqrt(measuring[position] + of_parts[position], out=of_parts[position])
        if seen.deviation is None or seen.library_deviation is None:
            continue
        scatter = scatter_about(problem, one, own, other)
        wider = widening(one, seen.deviation[own.rows], scatter, measuring[position])
        spread[repetition, held] = wider.of(spread[repetition, held], seen.deviation[held])
        of_parts[position] = wider.of(of_parts[position], seen.library_deviation)
    return spread, library


def measuring_of(problem: CalibrationProblem, own: Prepared) -> float:
    """Return the variance of a measurement that is like those of a part on average, where MD values are noisy like those."""
    return 1.0 / (own.part.typical_weight if own.part.noise is not None else typical_weight(problem))


def prior_of_structure(problem: CalibrationProblem, one: Fitted, other: Fitted, polymers: int) -> Penalties | None:
    """Return the penalties of the log-difference fit that says how far polymers may be off a fit that sees no structure.

    None where the fit, to so many polymers, sees it itself, or nothing does.
    """
    if not (needs_structure(one.model, problem.options) and len(other.c)) or other.penalties is None:
        return None
    return prior_penalties(other.penalties, polymers) if problem.options.cautious_prior else other.penalties


def scatter_about(problem: CalibrationProblem, one: Fitted, own: Prepared, other: Fitted) -> float:
    """Return the variance, target scale, of a measurement of weight one: the unit of :func:`spread_about`, squared."""
    structure = prior_of_structure(problem, one, other, own.polymers)
    return scatter_of_fit(one, own.part) if structure is None else line_scatter(own.part, structure)


def spread_about(
    problem: CalibrationProblem, prepared: Sequence[Prepared], fits: Sequence[Fitted], beside: Sequence[Fitted]
) -> SpreadOfParts | None:
    """Return the variances about the fits of one calibrator to all parts, a measurement apart; None for the raw MD value."""
    about: list[AboutLine | AboutFit] = []
    for one, own, other in zip(fits, prepared, beside, strict=True):
        if calibrator(one.model).is_raw:
            return None
        structure = prior_of_structure(problem, one, other, own.polymers)
        if structure is not None:
            about.append(AboutLine(own.part, line_form(own.part, structure)))
        else:
            about.append(AboutFit(as_prior(one, own.polymers, problem.options), own.part))
    return SpreadOfParts(about, [own.scale for own in prepared], prepared[0].part.sizes)
