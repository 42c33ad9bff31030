"""Calibrators of several source features, checked on the polymers that all others were checked on.

Which sources a calibrator takes is chosen anew in every training part, by the error of polymers of that part each of which
is held out alone. Penalties are those of the calibrator of one source, and so are the relative spreads: any spread that is
learned without a polymer keeps its interval honest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.source_fits import (
    STILL,
    STILL_IN_PARTS,
    SourceFit,
    errors_alone,
    fit_sources,
)
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.cross_validation.given_values import GivenValues, on_target_scale
from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut, predict_held_out
from affinecal_gui.calibration.cross_validation.predicted_md import KnownMD
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.names import MD_AS_IT_IS
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.task import UNWATCHED, Task

LEAST = 6
"""Polymers of a training part with all sources, below which it takes the MD value alone."""

MOST_TRIED = 4
"""Of up to so many sources all sets are tried; of more each alone, and all together."""


@dataclass(frozen=True, slots=True, eq=False)
class SourceFeatures:
    """p sources beside the MD value, each a value of the same property; property unit, nan where there is none."""

    names: tuple[str, ...]  # (p,) inside a sentence
    measured: FloatArray  # (n, p) of the polymers of the fit
    library: FloatArray  # (m, p)
    of_whole_library: bool = True  # False where those of the library were not worked out


@dataclass(frozen=True, slots=True, eq=False)
class SourcesKnown:
    """All sources, the MD value first, target scale, in the order in which a problem computes."""

    names: tuple[str, ...]  # (1 + p,)
    measured: FloatArray  # (n, 1 + p)
    library: FloatArray  # (m, 1 + p) nan where there is none
    of_whole_library: bool

    @property
    def complete(self) -> NDArray[np.bool_]:
        """(n,) which polymers of the fit have all of them; the others count with the calibrator of one source."""
        return np.asarray(np.isfinite(self.measured).all(axis=1))

    def lacking(self, sources: Sequence[int]) -> NDArray[np.bool_]:
        """(m,) which polymers of the library have an MD value, but not all of these sources; none where nobody looked."""
        missing = ~np.isfinite(self.library[:, list(sources)]).all(axis=1)
        return np.asarray(missing & np.isfinite(self.library[:, 0]) & self.of_whole_library)


@dataclass(frozen=True, slots=True, eq=False)
class CheckedSources:
    """One calibrator of several sources: its fits, and what they say of polymers that they have not seen."""

    fit: SourceFit  # to all polymers
    of_parts: tuple[SourceFit, ...]
    out_of_fold: OutOfFold


def known_sources(features: SourceFeatures, problem: CalibrationProblem) -> SourcesKnown:
    """Bring sources to the target scale and into the order of the rows of a problem, and put its MD values before them."""
    columns = [
        on_target_scale(GivenValues(features.measured[:, k], features.library[:, k]), problem)
        for k in range(len(features.names))
    ]
    return SourcesKnown(
        (MD_AS_IT_IS, *features.names),
        np.column_stack([problem.f, *(one.measured for one in columns)]),
        np.column_stack([problem.library_f, *(one.library for one in columns)]),
        features.of_whole_library,
    )


def choose_sources(
    one_source: ModelName, prepared: Prepared, fitted: Fitted, known: SourcesKnown, problem: CalibrationProblem
) -> tuple[int, ...]:
    """Return the sources that a training part takes: all, unless fewer err less by more than one standard error.

    The difference is that of the squared errors of polymers each of which is held out alone. To prefer the least error
    itself would follow chance: on the heat-capacity example two training parts that differ in a tenth of their polymers then
    often choose differently, and affine errs 0.177 in the place of 0.175.
    """
    part, F, rows = with_all_sources(prepared, known)
    if len(rows) < LEAST:
        return (0,)
    groups = problem.groups[rows]
    tried = sets_of(F.shape[1])
    errors = errors_alone(one_source, part, F, fitted.penalties, groups, tried)
    least = int(np.argmin([one.sum() for one in errors]))
    gain = errors[-1] - errors[least]
    clear = gain.sum() > np.sqrt(len(gain)) * float(np.std(gain, ddof=1)) if len(gain) > 1 else False
    return tried[least] if clear else tried[-1]


def with_all_sources(prepared: Prepared, known: SourcesKnown) -> tuple[TrainingPart, FloatArray, IntArray]:
    """Return the polymers of a part that have all sources: the part, these sources (k, 1 + p), and their rows (k,)."""
    inside = np.flatnonzero(known.complete[prepared.rows])
    rows = prepared.rows[inside]
    part = prepared.part if len(inside) == len(prepared.rows) else prepared.part.rows(inside)
    return part, known.measured[rows], rows


def sets_of(count: int) -> list[tuple[int, ...]]:
    """Return the sets of sources that are tried, the smallest first."""
    sizes = range(1, count + 1) if count <= MOST_TRIED else (1, count)
    return [some for size in sizes for some in combinations(range(count), size)]


def check_sources(
    model: ModelName,
    problem: CalibrationProblem,
    held_out: HeldOut,
    everything: Prepared,
    fits: Mapping[ModelName, Fitted],
    known: SourcesKnown,
    before: CheckedSources | None = None,
    *,
    task: Task = UNWATCHED,
) -> CheckedSources:
    """Fit a calibrator of several sources to every training part and to all polymers.

    Parameters
    ----------
    model
        Its key.
    held_out, everything, fits
        Of the calibrators of one source, by the same problem.
    known
        Fitted to are the polymers that have all of them.
    before
        Of a fit with other penalties: its choice of sources is kept.
    """
    one_source = calibrator(model).one_source
    prepared = (*held_out.parts, everything)
    simple = (*held_out.fits[one_source], fits[one_source])
    if before is not None:
        chosen = [one.sources for one in (*before.of_parts, before.fit)]
    else:
        chosen = []
        for one, fitted in zip(prepared, simple, strict=True):
            task.check()
            chosen.append(choose_sources(one_source, one, fitted, known, problem))
    of_parts, fit = _fitted(one_source, prepared, simple, chosen, known, task)
    return CheckedSources(fit, of_parts, said_by_sources(one_source, problem, held_out, of_parts, known, task=task))


def _fitted(
    one_source: ModelName,
    prepared: Sequence[Prepared],
    simple: Sequence[Fitted],
    chosen: Sequence[tuple[int, ...]],
    known: SourcesKnown,
    task: Task,
) -> tuple[tuple[SourceFit, ...], SourceFit]:
    """Fit all training parts together, and the whole, which is the last one, by itself: a lone fit is searched everywhere.

    Where the MD value is the one source, the fit is there already.
    """
    found: list[SourceFit | None] = [
        SourceFit(fitted, some, np.zeros(1), np.zeros(1)) if some == (0,) else None
        for fitted, some in zip(simple, chosen, strict=True)
    ]
    last = len(prepared) - 1
    for lot in (range(last), (last,)):
        missing = [at for at in lot if found[at] is None]
        seen = [with_all_sources(prepared[at], known) for at in missing]
        fits = fit_sources(
            one_source,
            [part for part, _, _ in seen],
            [sources for _, sources, _ in seen],
            [simple[at].penalties for at in missing],
            [chosen[at] for at in missing],
            still=STILL if lot == (last,) else STILL_IN_PARTS,
            task=task,
        )
        for at, fit in zip(missing, fits, strict=True):
            found[at] = fit
    complete = [fit for fit in found if fit is not None]
    return tuple(complete[:-1]), complete[-1]


def said_by_sources(
    one_source: ModelName,
    problem: CalibrationProblem,
    held_out: HeldOut,
    of_parts: Sequence[SourceFit],
    known: SourcesKnown,
    *,
    task: Task = UNWATCHED,
) -> OutOfFold:
    """Return what the fits to all training parts say of held-out polymers and of the library."""
    means = [KnownMD(one.mean_source(known.measured), one.mean_source(known.library)) for one in of_parts]
    predicted, library = predict_held_out(
        problem, held_out.fold, held_out.parts, [one.of_mean for one in of_parts], means, task=task
    )
    folds = library.shape[1]
    for position, one in enumerate(of_parts):
        if len(one.sources) < 2:
            continue
        repetition, k = divmod(position, folds)
        held = held_out.fold[repetition] == k
        predicted[repetition, held] += one.added(known.measured[held])
        library[repetition, k] += one.added(known.library)
    simple = held_out.models[one_source]
    predicted = np.where(np.isnan(predicted), simple.predicted, predicted)  # of polymers that lack what is taken
    return replace(simple, predicted=predicted, library=library)
