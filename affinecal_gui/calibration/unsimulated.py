"""Calibrated values of polymers that nobody has simulated.

A surrogate of the MD values stands in the place of the simulation, for the measured polymers as for the new ones: each of
those that are calibrated with is predicted without its own MD row. So the calibrator learns how predicted MD values and
measured ones go together, and a new polymer is to those of the fit as these are to each other. The intervals are those of
any calibration: what is held out is held out of the surrogate as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.assemble import library_values, sum_of
from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.checking.validity import in_given_order, judge_validity
from affinecal_gui.calibration.cross_validation.combined import combined_out_of_fold
from affinecal_gui.calibration.cross_validation.said_of_new import PartFits, part_fits, said_of_new
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.problem import with_library
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.metrics import to_property_unit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, FloatArray, ModelName, Validity
from affinecal_gui.calibration.sharing.applied import Applied
from affinecal_gui.calibration.sharing.usable import usable_rows
from affinecal_gui.calibration.sharing.with_training import members_of
from affinecal_gui.calibration.surrogate.surrogate import NOTHING_LEFT_OUT
from affinecal_gui.calibration.surrogate.training_rows import training_rows
from affinecal_gui.calibration.surrogate.unsimulated import SurrogatePart, UnsimulatedMD, predict_new
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

AT_ONCE = 2000
"""Polymers that are calibrated at once."""


@dataclass(frozen=True, slots=True, eq=False)
class AppliedUnsimulated:
    """Predicted MD values of q polymers, and what follows from them; nan where there are none."""

    md: FloatArray  # (q,) property unit
    deviation: FloatArray  # (q,) standard deviation of a simulation about it, target scale
    applied: tuple[Applied, ...]  # for each level asked for
    validity: Validity  # the nearest are numbers of the measured polymers of the calibration


@dataclass(frozen=True, slots=True, eq=False)
class UnsimulatedCalibrator:
    """Calibrates polymers by their descriptors alone."""

    calibration: Calibration  # of the measured polymers, as if none of them had been simulated
    surrogate: SurrogatePart  # of all MD rows
    of_parts: tuple[SurrogatePart, ...]  # (r k,) without those of the polymers that each part holds out
    fits_to_parts: dict[ModelName, PartFits] = field(default_factory=dict, repr=False)  # of those asked for

    @property
    def models(self) -> tuple[ModelName, ...]:
        """The calibrators that can be applied."""
        return tuple(self.calibration.models)

    @property
    def md_rows(self) -> int:
        """The number of MD values that the surrogate learned from."""
        return len(self.surrogate.rows.f)

    @property
    def md_rmse(self) -> float:
        """Leave-one-out error of the surrogate over the MD rows, target scale."""
        return self.surrogate.left_out.rmse

    def prepare(self, model: ModelName) -> None:
        """Work out what does not depend on the polymers, so that the first ones do not wait for it."""
        kept_fit = self.calibration.kept_fit
        assert isinstance(kept_fit, KeptFit)
        with one_thread_each(1):
            for name in members_of(model):
                self._fits_to_parts(kept_fit, name)

    def apply(self, descriptors: ArrayLike, model: ModelName, levels: Sequence[float]) -> AppliedUnsimulated:
        """Predict the MD values of polymers with descriptors (q, d), not scaled, and calibrate them.

        Parameters
        ----------
        descriptors
            nan in the rows of polymers without any.
        model
            One of ``models``.
        levels
            Of the intervals.
        """
        X = np.asarray(descriptors, dtype=np.float64)
        with one_thread_each(1):
            found = [self._apply(X[start : start + AT_ONCE], model, levels) for start in range(0, len(X), AT_ONCE)]
            if not found:
                found = [self._apply(X, model, levels)]
        return AppliedUnsimulated(
            np.concatenate([one.md for one in found]),
            np.concatenate([one.deviation for one in found]),
            tuple(_joined(parts) for parts in zip(*(one.applied for one in found), strict=True)),
            _validity_of_all([one.validity for one in found]),
        )

    def _apply(self, X: FloatArray, model: ModelName, levels: Sequence[float]) -> AppliedUnsimulated:
        kept_fit = self.calibration.kept_fit
        assert isinstance(kept_fit, KeptFit)
        options = kept_fit.problem.options
        guessed, *of_parts = predict_new((self.surrogate, *self.of_parts), X)
        md = to_property_unit(guessed.values, options.log_scale)
        problem = with_library(kept_fit.problem, md, X)
        there = problem.library_order.given
        known = [
            replace(one, library_f=own.values[there], library_deviation=own.deviation[there])
            for one, own in zip(kept_fit.held_out.known, of_parts, strict=True)
        ]
        members = [
            said_of_new(kept_fit.held_out.models[name], self._fits_to_parts(kept_fit, name), problem.library_X, known)
            for name in members_of(model)
        ]
        held_out = members[0]
        if calibrator(model).combines:
            held_out = combined_out_of_fold(members, kept_fit.held_out.weights[model])
        everything = kept_fit.everything
        Z = everything.scale.apply(problem.library_X)
        weights = kept_fit.weights[model] if calibrator(model).combines else np.ones(1)
        fits = [kept_fit.fits[name] for name in members_of(model)]
        values = sum_of(weights, [one.predict(problem.library_f, Z) for one in fits])
        validity = in_given_order(
            judge_validity(problem.f, everything.part.Z, problem.library_f, Z), problem.order, problem.library_order
        )
        usable = usable_rows(md, X, log_scale=options.log_scale)
        structure_inside = np.asarray(validity.distance <= validity.distance_limit)
        applied = []
        for level in levels:
            of_level = replace(problem, options=replace(options, interval_level=level))
            own = library_values(of_level, model, held_out, values)
            applied.append(
                Applied(
                    own.values,
                    own.lower,
                    own.upper,
                    usable,
                    validity.inside,
                    validity.md_inside,
                    structure_inside,
                    np.zeros(len(md), dtype=bool),
                )
            )
        return AppliedUnsimulated(md, guessed.deviation, tuple(applied), validity)

    def _fits_to_parts(self, kept_fit: KeptFit, model: ModelName) -> PartFits:
        if model not in self.fits_to_parts:
            self.fits_to_parts[model] = part_fits(kept_fit.problem, kept_fit.held_out, model)
        return self.fits_to_parts[model]


def calibrate_unsimulated(
    measured: FloatArray,
    own: IntArray,
    descriptors: FloatArray,
    md: FloatArray,
    md_descriptors: FloatArray,
    sizes: tuple[int, ...],
    options: CalibrationOptions,
    *,
    weights: FloatArray | None = None,
    groups: IntArray | None = None,
    task: Task = UNWATCHED,
) -> UnsimulatedCalibrator:
    """Learn to predict MD values, and to calibrate what is predicted.

    Parameters
    ----------
    measured
        (n,) property unit.
    own
        (n,) the row of each measured polymer in the MD table; -1 for those that were not simulated.
    descriptors
        (n, d) of the measured polymers, not scaled.
    md, md_descriptors
        (m,) property unit, (m, d): the MD table; nan where there is no value, or no description.
    sizes, options, weights, groups
        As :func:`affinecal_gui.calibration.calibrate.calibrate` takes them.

    Raises
    ------
    CalibrationInputError
        There is too little to learn from, of either kind of values.
    """
    with np.errstate(all="ignore"):
        f = np.log(md) if options.log_scale else md
    rows = training_rows(f, md_descriptors, sizes)
    nobody = np.empty((0, md_descriptors.shape[1]))
    surrogate = UnsimulatedMD(rows, own, descriptors, nobody, task.part(0.0, 0.4))
    (guessed,) = surrogate.without([NOTHING_LEFT_OUT])
    calibration = calibrate(
        measured,
        to_property_unit(guessed.measured, options.log_scale),
        descriptors,
        np.empty(0),
        nobody,
        sizes,
        replace(options, bands="none", measure_next=0),
        weights=weights,
        groups=groups,
        predicted=surrogate,
        task=task.part(0.4, 1.0),
    )
    kept_fit = calibration.kept_fit
    assert isinstance(kept_fit, KeptFit)
    fold, here = kept_fit.held_out.fold, kept_fit.problem.order.given
    held = [here[np.flatnonzero(row == k)] for row in fold for k in range(int(fold.max()) + 1)]
    (whole,) = surrogate.parts([NOTHING_LEFT_OUT])
    return UnsimulatedCalibrator(calibration, whole, surrogate.parts(held))


def _joined(parts: Sequence[Applied]) -> Applied:
    return Applied(
        read_only(np.concatenate([one.values for one in parts])),
        read_only(np.concatenate([one.lower for one in parts])),
        read_only(np.concatenate([one.upper for one in parts])),
        np.concatenate([one.usable for one in parts]),
        np.concatenate([one.inside for one in parts]),
        np.concatenate([one.md_inside for one in parts]),
        np.concatenate([one.structure_inside for one in parts]),
        np.concatenate([one.stood_in for one in parts]),
    )


def _validity_of_all(parts: Sequence[Validity]) -> Validity:
    return Validity(
        np.concatenate([one.inside for one in parts]),
        np.concatenate([one.md_inside for one in parts]),
        np.concatenate([one.descriptors_inside for one in parts]),
        np.concatenate([one.distance for one in parts]),
        parts[0].distance_limit,
        np.concatenate([one.nearest for one in parts]),
        np.concatenate([one.nearest_distance for one in parts]),
    )
