"""Polymers nobody has simulated: how far off they are predicted with the MD value, with a predicted one, and without."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.data.folds import IntArray, held_out_in_turn, random_folds
from affinecal_gui.calibration.error_intervals import Difference, difference_of
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.kernels.calibrators.direct import DIRECT
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration, FloatArray, ModelName
from affinecal_gui.calibration.surrogate.surrogate import NOTHING_LEFT_OUT
from affinecal_gui.calibration.surrogate.training_rows import training_rows
from affinecal_gui.calibration.surrogate.unsimulated import UnsimulatedMD
from affinecal_gui.calibration.uncertainty.intervals import library_intervals
from affinecal_gui.task import UNWATCHED, Task

WAYS = ("with MD", "with predicted MD", "without MD")
LEVELS = (0.5, 0.8, 0.9)
FOLDS = 5


@dataclass(frozen=True, slots=True)
class WayTried:
    """One way of predicting n held-out polymers; r repetitions, target scale."""

    way: str
    predicted: FloatArray  # (r, n)
    inside: FloatArray  # (levels, r, n) 1 where the measured value lies inside the interval

    def rmse(self, y: FloatArray) -> float:
        """Root mean squared error over polymers and repetitions."""
        return float(np.sqrt(np.mean((self.predicted - y) ** 2)))


FARTHEST = 0.1
"""Share of the held-out polymers that are looked at apart: those least like the polymers of the fit."""


@dataclass(frozen=True, slots=True)
class UnsimulatedTrial:
    """All ways, tried on the same n held-out polymers."""

    y: FloatArray  # (n,) measured, target scale
    own: IntArray  # (n,) equal for measurements of one polymer
    ways: tuple[WayTried, ...]
    distance: FloatArray  # (r, n) from the nearest polymer of the fit, in the units of the range of validity

    @property
    def farthest(self) -> NDArray[np.bool_]:
        """(r, n) the tenth that is farthest from the polymers of the fit."""
        return np.asarray(self.distance >= np.quantile(self.distance, 1.0 - FARTHEST))

    def against(self, first: str, second: str) -> Difference:
        """Compare the errors of two ways, paired over polymers; the difference is positive where the second errs more."""
        one, other = (next(way for way in self.ways if way.way == name) for name in (first, second))
        return difference_of(one.predicted.mean(axis=0) - self.y, other.predicted.mean(axis=0) - self.y, self.own)


def try_unsimulated(
    measured: FloatArray,
    own: IntArray,
    md: FloatArray,
    descriptors: FloatArray,
    sizes: tuple[int, ...],
    options: CalibrationOptions,
    *,
    deviation: FloatArray | None = None,
    repetitions: int = 2,
    task: Task = UNWATCHED,
) -> UnsimulatedTrial:
    """Hold polymers out, calibrate the others anew in three ways, and predict those held out.

    Everything is learned without the held-out polymers: the calibrator and which of them is recommended, its penalties and
    intervals. In the way with predicted MD their MD rows are taken out of the MD table first.

    Parameters
    ----------
    measured
        (n,) property unit.
    own
        (n,) the row of each measured polymer in the MD table.
    md, descriptors
        (m,) property unit, (m, d) not scaled: the MD table.
    deviation
        (m,) by repeats, target scale; None where it is not known.

    Raises
    ------
    CalibrationInputError
        Too few polymers, or too few MD values to predict others from.
    """
    options = replace(options, bands="none", measure_next=0)
    y, f = (np.log(values) if options.log_scale else values for values in (measured, md))
    training_rows(f, descriptors, sizes, deviation)  # refuses what cannot be learned from before the long work
    shape = (repetitions, len(measured))
    found = {way: np.empty(shape) for way in WAYS}
    inside = {way: np.empty((len(LEVELS), *shape)) for way in WAYS}
    distance = np.empty(shape)
    for repetition in range(repetitions):
        fold = random_folds(own, FOLDS, np.random.default_rng((options.seed, 6, repetition)))
        for k, (train, test) in enumerate(held_out_in_turn(fold)):
            step = repetitions * FOLDS
            share = task.part((repetition * FOLDS + k) / step, (repetition * FOLDS + k + 1) / step)
            share.report(0.0, f"Predicting held-out polymers, {repetitions} × {FOLDS} folds")
            mine, theirs = own[train], own[test]
            simulated = calibrate(
                measured[train], md[mine], descriptors[mine], md[theirs], descriptors[theirs], sizes, options,
                groups=mine, task=task.silent,
            )  # fmt: skip
            distance[repetition, test] = simulated.validity.distance
            rest = f.copy()
            rest[_twins(descriptors, theirs)] = np.nan
            surrogate = UnsimulatedMD(
                training_rows(rest, descriptors, sizes, deviation),
                mine,
                descriptors[mine],
                descriptors[theirs],
                task.silent,
            )
            (guessed,) = surrogate.without([NOTHING_LEFT_OUT])
            values = (guessed.measured, guessed.library)
            of_train, of_test = (np.exp(one) if options.log_scale else one for one in values)
            predicted = calibrate(
                measured[train], of_train, descriptors[mine], of_test, descriptors[theirs], sizes, options,
                groups=mine, predicted=surrogate, task=task.silent,
            )  # fmt: skip
            alone = compare_calibrators(simulated, (DIRECT.key,), task=task.silent).calibration
            for way, calibration, model in (
                (WAYS[0], simulated, simulated.recommendation.recommended),
                (WAYS[1], predicted, predicted.recommendation.recommended),
                (WAYS[2], alone, DIRECT.key),
            ):
                library = calibration.models[model].library
                value = np.log(library) if options.log_scale else library
                found[way][repetition, test] = value
                for level, share_inside in zip(LEVELS, inside[way], strict=True):
                    lower, upper = _interval(calibration, model, value, level)
                    share_inside[repetition, test] = (lower <= y[test]) & (y[test] <= upper)
    return UnsimulatedTrial(y, own, tuple(WayTried(way, found[way], inside[way]) for way in WAYS), distance)


def _interval(
    calibration: Calibration, model: ModelName, value: FloatArray, level: float
) -> tuple[FloatArray, FloatArray]:
    """(k,), (k,) bounds of the polymers of the library at another level, target scale."""
    assert isinstance(calibration.kept_fit, KeptFit)
    problem, order = calibration.kept_fit.problem, calibration.kept_fit.problem.library_order
    held_out = calibration.kept_fit.held_out.models[model]
    lower, upper = library_intervals(problem.y, held_out, value[order.given], level)
    return lower[order.place], upper[order.place]


def _twins(descriptors: FloatArray, rows: IntArray) -> IntArray:
    """Return rows and all others of the same descriptors."""
    _, codes = np.unique(descriptors, axis=0, return_inverse=True)
    return np.flatnonzero(np.isin(codes, codes[rows]))
