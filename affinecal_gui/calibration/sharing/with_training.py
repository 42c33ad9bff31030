"""A calibrator with the polymers that it was trained with: it says of further polymers exactly what its study says.

The intervals of a study follow from what the fits to fifty training parts say of a polymer, and from how unlike the polymers
of each part it is. Both can be computed anew from the measured and MD values and the descriptors of the training polymers,
how they were dealt to folds, and the fits; nothing is fitted again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from affinecal_gui.calibration.assemble import library_values, sum_of
from affinecal_gui.calibration.calibrators.fitted import directions, posterior
from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.checking.validity import judge_validity
from affinecal_gui.calibration.cross_validation.combined import combined_out_of_fold
from affinecal_gui.calibration.cross_validation.out_of_fold import (
    HeldOut,
    as_prior,
    predict_held_out,
    prepare,
    said_by_fits,
    spread_about,
)
from affinecal_gui.calibration.cross_validation.predicted_md import KnownMD, known_to_parts
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.cross_validation.several_sources import SourcesKnown
from affinecal_gui.calibration.cross_validation.spread_of_parts import SpreadOfParts
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.md_noise import MDNoise
from affinecal_gui.calibration.data.problem import CalibrationProblem, pose_problem
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.metrics import to_property_unit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.sharing.applied import Applied
from affinecal_gui.calibration.sharing.shared_surrogate import SharedSurrogate, surrogate_of_calibration
from affinecal_gui.calibration.sharing.trained_sources import TrainedSources, sources_of_calibration
from affinecal_gui.calibration.sharing.usable import usable_rows
from affinecal_gui.calibration.sharing.wishes import ErrorsShown
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold, scores
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each


def members_of(model: ModelName) -> tuple[ModelName, ...]:
    """Return the fitted calibrators whose values a calibrator is made of: itself, or those that it combines.

    Of several sources it is that of the MD value alone, which stands in where a polymer lacks a source.
    """
    one = calibrator(model)
    return one.combines or ((one.one_source,) if one.one_source else (model,))


def fits_needed(model: ModelName) -> tuple[ModelName, ...]:
    """Return the fitted calibrators without which values and intervals of a calibrator cannot be computed."""
    return tuple(dict.fromkeys((*members_of(model), LOG_DIFFERENCE.key)))


ROWS_OF_A_KERNEL = 32
"""Rows that matrix products take together: what is left over is added up in another order, and differs in the last digit."""


def filled_up(rows: FloatArray) -> FloatArray:
    """Repeat the last of k rows until no product has any left over: a polymer has one value wherever it stands."""
    missing = -len(rows) % ROWS_OF_A_KERNEL
    return np.concatenate([rows, np.repeat(rows[-1:], missing, axis=0)]) if missing and len(rows) else rows


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """The n polymers that a calibrator learned from, in the order in which it computes."""

    measured: FloatArray  # (n,) property unit
    md: FloatArray  # (n,)
    descriptors: FloatArray  # (n, d) 0 in blocks that are switched off
    weights: FloatArray | None  # (n,) mean 1
    groups: IntArray  # (n,) equal for rows of the same polymer
    fold: IntArray  # (r, n) in which each was held out
    noise: FloatArray | None = None  # (n,) standard errors of the MD values, target scale
    counted: FloatArray | None = (
        None  # (1 + r k, n) of a robust fit: weights in the fit to all, then in every part, else 0
    )


@dataclass(frozen=True, eq=False)
class TrainedCalibrator:
    """One linear calibrator, of several sources or not, or one that combines some, with its training set and all its fits."""

    model: ModelName
    options: CalibrationOptions
    sizes: tuple[int, ...]  # of the blocks of descriptors; they add up to d
    training: TrainingSet
    fits: Mapping[ModelName, Fitted]  # to all polymers; of the members
    fits_of_parts: Mapping[ModelName, Sequence[Fitted]]  # (r k,) of those that :func:`fits_needed` names
    weights: FloatArray = field(default_factory=lambda: np.ones(1))  # (members,)
    weights_of_parts: FloatArray | None = None  # (r k, members); None for a calibrator that combines nothing
    surrogate: SharedSurrogate | None = None  # predicts MD values; None where there were too few to learn from
    sources: TrainedSources | None = None  # of a calibrator of several

    @property
    def log_scale(self) -> bool:
        """Whether it was fitted to the natural logarithm of the property."""
        return self.options.log_scale

    @property
    def level(self) -> float:
        """Of its intervals."""
        return self.options.interval_level

    def check(self) -> None:
        """Raise CalibrationInputError where the training set could not have been calibrated."""
        self._problem(np.zeros(0), np.zeros((0, sum(self.sizes))))

    def apply(self, md: FloatArray, descriptors: FloatArray, further: FloatArray | None = None) -> Applied:
        """Calibrate k polymers with MD values (k,), property unit, and descriptors (k, d); nan where there are none.

        ``further`` (k, p) are the sources beside the MD value of a calibrator of several, likewise.
        """
        given = None if further is None else filled_up(further)
        return self._applied(filled_up(md), filled_up(descriptors), None, given).first(len(md))

    def apply_unsimulated(self, descriptors: FloatArray) -> tuple[FloatArray, Applied]:
        """Calibrate k polymers without MD values by descriptors (k, d), nan where there are none.

        Returns
        -------
        (FloatArray, Applied)
            (k,) the predicted MD values, property unit, and what is calibrated from them, with wider intervals.

        Raises
        ------
        ValueError
            The calibrator has no surrogate.
        """
        if self.surrogate is None:
            raise ValueError("the calibrator cannot predict MD values")
        count, descriptors = len(descriptors), filled_up(descriptors)
        with one_thread_each(1):
            guessed = self.surrogate.surrogate.predict(descriptors[:, self._alone.kept])
        md = to_property_unit(guessed.values, self.log_scale)
        return md[:count], self._applied(md, descriptors, guessed.deviation).first(count)

    @property
    def effects(self) -> FloatArray:
        """(d,) change of the calibrated value, target scale, per standard unit of each descriptor, at the mean MD value."""
        part = self._everything.part
        d = part.Z.shape[1]
        one_each = np.concatenate([np.zeros((1, d)), np.eye(d)])  # all calibrators are linear in the descriptors
        f = np.full(d + 1, float(part.f.mean()))
        if self.sources is not None:
            of_mean = self.sources.fit.of_mean
            values = of_mean.predict(np.full(d + 1, of_mean.f_mean), one_each)
        else:
            values = sum_of(self.weights, [self.fits[name].predict(f, one_each) for name in members_of(self.model)])
        found = np.zeros(sum(self.sizes))
        found[self._alone.kept] = values[1:] - values[0]
        return found

    def errors_shown(self, *, simulated: bool = True) -> ErrorsShown:
        """Return the held-out residuals of the n training polymers, with simulated MD values or with predicted ones."""
        problem = self._alone
        with one_thread_each(1):
            if simulated:
                held_out = self._out_of_fold(problem)
                if self.sources is not None:
                    known = self.sources.known(problem, None)
                    held_out = self._out_of_fold_of_sources(problem, held_out, known)
            else:
                held_out = self._out_of_fold_unsimulated(problem, np.zeros(0))
        return ErrorsShown((problem.y - held_out.predicted) / held_out.spread, problem.polymers, self.level)

    def covariance(self, md: FloatArray, descriptors: FloatArray) -> FloatArray:
        """(k, k) covariance of the calibrated values of k polymers, in units of the scatter of a measurement of weight one.

        It is what the fits leave open given beta; of members the mean by their weights. ``md`` (k,) and ``descriptors``
        (k, d) are those of :meth:`apply`, nan nowhere. Not known of several sources.
        """
        with one_thread_each(1):
            problem = self._problem(md, descriptors)
            Z, part = self._everything.scale.apply(problem.library_X), self._everything.part
            found = np.zeros((len(md), len(md)))
            for weight, name in zip(self.weights, members_of(self.model), strict=True):
                if calibrator(name).is_raw or not weight:
                    continue
                one = as_prior(self.fits[name], problem.polymers, self.options)
                found += weight * posterior(one, part).covariance(directions(one, part, problem.library_f, Z))
        place = problem.library_order.place
        return np.asarray(found[np.ix_(place, place)])

    def _applied(
        self, md: FloatArray, descriptors: FloatArray, deviation: FloatArray | None, further: FloatArray | None = None
    ) -> Applied:
        usable = usable_rows(md, descriptors, log_scale=self.log_scale)
        with one_thread_each(1):
            problem = self._problem(np.where(usable, md, np.nan), np.where(usable[:, None], descriptors, np.nan))
            Z = self._everything.scale.apply(problem.library_X)
            values = sum_of(
                self.weights, [self.fits[name].predict(problem.library_f, Z) for name in members_of(self.model)]
            )
            held_out = (
                self._out_of_fold(problem)
                if deviation is None
                else self._out_of_fold_unsimulated(problem, deviation[problem.library_order.given])
            )
            found = library_values(problem, self.model, held_out, values)
            stood_in = np.full(len(md), self.sources is not None)
            if self.sources is not None and deviation is None:
                known = self.sources.known(problem, further)
                said = self._out_of_fold_of_sources(problem, held_out, known)
                found, stood_in = self.sources.values(self.model, problem, said, known, Z, found)
            validity = judge_validity(problem.f, self._everything.part.Z, problem.library_f, Z)
        place = problem.library_order.place
        structure_inside = np.asarray(validity.distance <= validity.distance_limit)
        return Applied(
            found.values,
            found.lower,
            found.upper,
            usable,
            validity.inside[place],
            validity.md_inside[place],
            structure_inside[place],
            np.asarray(stood_in & usable),
        )

    def _problem(self, md: FloatArray, descriptors: FloatArray) -> CalibrationProblem:
        own = self.training
        return pose_problem(
            own.measured,
            own.md,
            own.descriptors,
            md,
            descriptors,
            self.sizes,
            self.options,
            own.weights,
            own.groups,
            np.zeros(len(md), dtype=bool),
            noise=None if own.noise is None else MDNoise(own.noise, np.full(len(md), np.nan)),
        )

    @cached_property
    def _everything(self) -> Prepared:
        problem = self._alone
        return self._counted(prepare(problem, np.arange(len(problem.y)), (0,)), 0)

    @cached_property
    def _parts(self) -> tuple[Prepared, ...]:
        folds = int(self.training.fold.max()) + 1
        rows = [np.flatnonzero(dealt != k) for dealt in self.training.fold for k in range(folds)]
        return tuple(self._counted(prepare(self._alone, some, (0,)), 1 + at) for at, some in enumerate(rows))

    @cached_property
    def _about(self) -> dict[ModelName, SpreadOfParts | None]:
        """The spread about the fits of each member to all parts."""
        beside = self.fits_of_parts[LOG_DIFFERENCE.key]
        return {
            name: spread_about(self._alone, self._parts, self.fits_of_parts[name], beside)
            for name in members_of(self.model)
        }

    def _counted(self, prepared: Prepared, fit: int) -> Prepared:
        """Return a part with the weights that its values had in a robust fit."""
        counted = self.training.counted
        if counted is None:
            return prepared
        return replace(prepared, part=replace(prepared.part, weights=counted[fit, prepared.rows]))

    @cached_property
    def _alone(self) -> CalibrationProblem:
        """The problem without any further polymer."""
        return self._problem(np.zeros(0), np.zeros((0, sum(self.sizes))))

    def _out_of_fold(self, problem: CalibrationProblem) -> OutOfFold:
        return self._together(self._members(problem, known_to_parts(problem, self.training.fold)))

    def _out_of_fold_of_sources(self, problem: CalibrationProblem, of_one: OutOfFold, known: SourcesKnown) -> OutOfFold:
        """Return what held-out data say with several sources, by what they say with the MD value alone."""
        assert self.sources is not None
        one_source = calibrator(self.model).one_source
        others = HeldOut(self.training.fold, self._parts, {one_source: of_one}, {}, {}, ())
        return self.sources.held_out(one_source, problem, others, known)

    def _members(self, problem: CalibrationProblem, known: Sequence[KnownMD]) -> list[OutOfFold]:
        fold = self.training.fold
        return [
            said_by_fits(problem, fold, self._parts, self.fits_of_parts, name, known, self._about[name])
            for name in members_of(self.model)
        ]

    def _together(self, members: Sequence[OutOfFold]) -> OutOfFold:
        return members[0] if self.weights_of_parts is None else combined_out_of_fold(members, self.weights_of_parts)

    def _out_of_fold_unsimulated(self, problem: CalibrationProblem, library_deviation: FloatArray) -> OutOfFold:
        """Return what held-out data say with predicted MD values in the place of all simulated ones."""
        assert self.surrogate is not None
        own, fold = self.surrogate, self.training.fold
        members = self._members(problem, [KnownMD(own.predicted, problem.library_f)] * len(self._parts))
        found = self._together(members)
        # Every calibrator is linear in the MD value: a step of any size tells its slope.
        step = self._everything.part.f_sd
        beside = [KnownMD(own.predicted + step, problem.library_f + step)] * len(self._parts)
        moved = []
        for name, one in zip(members_of(self.model), members, strict=True):
            predicted, library = predict_held_out(problem, fold, self._parts, self.fits_of_parts[name], beside)
            moved.append(replace(one, predicted=predicted, library=library))
        there = self._together(moved)
        scatter = self._scatter * step

        def spread(before: FloatArray, slope: FloatArray, deviation: FloatArray) -> FloatArray:
            return np.sqrt(before**2 + (slope * deviation / scatter) ** 2)

        return replace(
            found,
            spread=spread(found.spread, there.predicted - found.predicted, own.deviation),
            library_spread=spread(found.library_spread, there.library - found.library, library_deviation),
        )

    @cached_property
    def _scatter(self) -> float:
        """Root mean square of the held-out residuals with simulated MD values, each in units of its spread."""
        own = float(np.sqrt(np.mean(scores(self._alone.y, self._out_of_fold(self._alone)) ** 2)))
        return max(own, float(np.finfo(np.float64).tiny))


def trained_calibrator(
    kept_fit: KeptFit, model: ModelName, sizes: tuple[int, ...], *, task: Task = UNWATCHED
) -> TrainedCalibrator:
    """Take one calibrator out of a finished calibration.

    Parameters
    ----------
    kept_fit
        Of the calibration.
    model
        A linear calibrator, one of several sources, or one that combines some.
    sizes
        Of all blocks of descriptors, those that are switched off among them.
    """
    problem, held_out = kept_fit.problem, kept_fit.held_out
    descriptors = np.zeros((len(problem.y), len(problem.kept)))
    descriptors[:, problem.kept] = problem.X
    combines = bool(calibrator(model).combines)
    return TrainedCalibrator(
        model,
        replace(problem.options, measure_next=0),
        sizes,
        TrainingSet(
            problem.measured,
            problem.md,
            descriptors,
            problem.weights,
            problem.groups,
            held_out.fold,
            problem.noise,
            _counted(kept_fit),
        ),
        {name: kept_fit.fits[name] for name in members_of(model)},
        {name: held_out.fits[name] for name in fits_needed(model)},
        kept_fit.weights[model] if combines else np.ones(1),
        held_out.weights[model] if combines else None,
        surrogate_of_calibration(kept_fit, task=task),
        sources_of_calibration(kept_fit, model),
    )


def _counted(kept_fit: KeptFit) -> FloatArray | None:
    if not kept_fit.problem.options.robust:
        return None
    fits = (kept_fit.everything, *kept_fit.held_out.parts)
    counted = np.zeros((len(fits), len(kept_fit.problem.y)))
    for position, one in enumerate(fits):
        counted[position, one.rows] = one.part.weights
    return counted


def is_linear(model: ModelName) -> bool:
    """Whether a calibrator is made of measured and MD values and descriptors alone, by linear fits."""
    one = calibrator(model)
    return one.linear is not None or bool(one.combines)


def can_be_shared(model: ModelName) -> bool:
    """Whether a calibrator can be taken out of its study in this way."""
    return is_linear(model) or bool(calibrator(model).one_source)
