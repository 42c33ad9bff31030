"""Calibrators whose values come with the data: nothing is fitted, so every polymer is one that they have not seen."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.cross_validation.out_of_fold import HeldOut
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.data.row_order import RowOrder
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.magnitudes import within_reach


@dataclass(frozen=True, slots=True, eq=False)
class GivenValues:
    """The values of one calibrator that comes with the data, in property unit; nan where there is none."""

    measured: FloatArray  # (n,) of the polymers of the fit
    library: FloatArray  # (m,)


@dataclass(frozen=True, slots=True, eq=False)
class OnTargetScale:
    """The same values as all others are compared with them; nan where there is none."""

    measured: FloatArray  # (n,)
    library: FloatArray  # (m,)

    @property
    def is_complete(self) -> bool:
        """Whether every polymer of the fit has one, so that errors can be compared with those of other calibrators."""
        return bool(np.isfinite(self.measured).all())


def on_target_scale(given: GivenValues, problem: CalibrationProblem) -> OnTargetScale:
    """Bring given values to the target scale, and into the order of the problem's rows."""

    def scaled(given: FloatArray, order: RowOrder) -> FloatArray:
        if given.shape != order.given.shape:
            raise ValueError(f"{len(given)} given values for {len(order.given)} polymers")
        return scaled_values(given[order.given], log_scale=problem.options.log_scale)

    return OnTargetScale(scaled(given.measured, problem.order), scaled(given.library, problem.library_order))


def scaled_values(values: FloatArray, *, log_scale: bool) -> FloatArray:
    """Return values of the property on the target scale; nan where one cannot be calculated with."""
    usable = np.isfinite(values) & within_reach(values)
    if not log_scale:
        return np.where(usable, values, np.nan)
    usable &= values > 0.0
    return np.where(usable, np.log(np.where(usable, values, 1.0)), np.nan)


def held_out_as_given(values: OnTargetScale, problem: CalibrationProblem, others: HeldOut) -> OutOfFold:
    """Return what the held-out checks say of given values: the same in every repetition and fold, and as widely spread."""
    repetitions, n = others.fold.shape
    folds, m = len(others.parts) // repetitions, len(values.library)
    typical = 1.0 if problem.weights is None else float(np.sqrt(np.mean(1.0 / problem.weights)))
    return OutOfFold(
        others.fold,
        np.tile(values.measured, (repetitions, 1)),
        np.full((repetitions, n), typical),
        np.broadcast_to(values.library, (repetitions, folds, m)),
        np.broadcast_to(typical, (repetitions, folds, m)),
    )
