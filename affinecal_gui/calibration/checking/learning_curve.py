"""How the error of a calibrator falls with the number of measured polymers: fits to nested parts of those there are."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from affinecal_gui.calibration.calibrators.linear.log_difference import LOG_DIFFERENCE
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.cross_validation.combined import weights_in_parts
from affinecal_gui.calibration.cross_validation.out_of_fold import counted_robustly, fit_all, prepare
from affinecal_gui.calibration.cross_validation.predicted_md import known_without
from affinecal_gui.calibration.data.folds import IntArray, TrainTest
from affinecal_gui.calibration.data.problem import FEWEST_POLYMERS, CalibrationProblem
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

SIZES: Final = 5
SMALLEST: Final = 0.4
LARGEST: Final = 0.9
"""Shares of the polymers in the smallest and the largest parts; those between are equally far apart in the logarithm."""

PARTS: Final = 20
"""Of every size."""

FEWEST: Final = 2 * FEWEST_POLYMERS
"""Below so many polymers the smallest parts could not be calibrated."""


@dataclass(frozen=True, slots=True, eq=False)
class LearningCurve:
    """What a calibrator errs when it is fitted to some of p polymers and asked for the others."""

    sizes: IntArray  # (s,) polymers of a fit, ascending
    squared: FloatArray  # (p, s) mean squared error of each polymer over the fits that had not seen it, target scale
    rows: IntArray  # (p,) how many rows each polymer has, by which it counts

    @property
    def errors(self) -> FloatArray:
        """(s,) root mean square errors, target scale."""
        return errors_of(self.squared, self.rows)


def errors_of(squared: FloatArray, counts: FloatArray | IntArray) -> FloatArray:
    """Return (..., s) root mean square errors of (p, s) squared ones, each polymer counting (..., p) times."""
    counts = np.asarray(counts, dtype=np.float64)
    return np.asarray(np.sqrt(counts @ squared / counts.sum(axis=-1)[..., np.newaxis]))


def can_learn(model: ModelName) -> bool:
    """Whether a calibrator learns from measured values and can be fitted to training parts."""
    record = calibrator(model)
    return bool(record.combines) or (record.linear is not None and not record.is_raw)


def learning_curve(problem: CalibrationProblem, model: ModelName, *, task: Task = UNWATCHED) -> LearningCurve:
    """Fit a calibrator to parts of the measured polymers, of several sizes, and predict the polymers left out.

    Smaller parts lie within larger ones, and of every size each polymer is left out about equally often, so that the errors
    of two sizes differ by what was learned and not by who was asked. Scaling, penalties and weights are learned in every
    part anew.

    Parameters
    ----------
    problem
        The data of a calibration.
    model
        Of a calibrator for which :func:`can_learn` holds.

    Raises
    ------
    CalibrationInputError
        Fewer than :data:`FEWEST` measured polymers.
    ValueError
        A calibrator that cannot be fitted to parts.
    """
    if not can_learn(model):
        raise ValueError(f"{model!r} cannot be fitted to parts of the measured polymers")
    polymers = problem.polymers
    if polymers < FEWEST:
        raise CalibrationInputError(
            f"A forecast needs at least {FEWEST} measured polymers, so that parts of them can be calibrated; there are "
            f"{polymers}."
        )
    sizes = np.unique(
        np.floor(np.geomspace(max(FEWEST_POLYMERS, SMALLEST * polymers), LARGEST * polymers, SIZES) + 1e-9)
    )
    sizes = sizes.astype(np.int64)
    codes = np.unique(problem.groups, return_inverse=True)[1]
    total, times = np.zeros((polymers, len(sizes))), np.zeros((polymers, len(sizes)))
    for k, size in enumerate(sizes.tolist()):
        words = f"Calibrating parts of {size} polymers"
        turns = _turns(codes, polymers, size, problem.options.seed)
        with one_thread_each(1):
            predicted = _predicted(problem, model, turns, size, words, task.part(k / len(sizes), (k + 1) / len(sizes)))
        for (_, test), values in zip(turns, predicted, strict=True):
            np.add.at(total[:, k], codes[test], (values - problem.y[test]) ** 2)
            np.add.at(times[:, k], codes[test], 1.0)
    return LearningCurve(sizes, total / times, np.bincount(codes))


def _turns(codes: IntArray, polymers: int, size: int, seed: int) -> list[TrainTest]:
    """Cut parts of one size out of a random order of the polymers, as if its ends were joined; ``codes`` (n,) of rows."""
    place = np.random.default_rng((seed, 6)).permutation(polymers)[codes]
    insides = [(place - part * polymers // PARTS) % polymers < size for part in range(PARTS)]
    return [(np.flatnonzero(inside), np.flatnonzero(~inside)) for inside in insides]


def _predicted(
    problem: CalibrationProblem, model: ModelName, turns: list[TrainTest], size: int, words: str, task: Task
) -> list[FloatArray]:
    """Return the values of the polymers left out, turn by turn, target scale."""
    known = known_without(problem, [test for _, test in turns])
    prepared = []
    for position, ((train, _), seen) in enumerate(zip(turns, known, strict=True)):
        task.check()
        prepared.append(prepare(seen.of(problem), train, (problem.options.seed, 7, size, position)))
    prepared = counted_robustly(problem, prepared, thin=True, task=task.silent)
    members = calibrator(model).combines or (model,)
    beside = (LOG_DIFFERENCE.key,) if calibrator(model).uses_descriptors else ()  # from which the paper's updates start
    fits, _ = fit_all(problem, prepared, thin=True, models=(*beside, *members), sentence=words, task=task)
    weights = np.ones((len(turns), 1))
    if calibrator(model).combines:
        weights = weights_in_parts(model, prepared, problem.groups, fits, task=task.silent)
    found = []
    for position, ((_, test), own, seen) in enumerate(zip(turns, prepared, known, strict=True)):
        Z = own.scale.apply(problem.X[test])
        values = [fits[name][position].predict(seen.f[test], Z) for name in members]
        found.append(np.asarray(sum(w * one for w, one in zip(weights[position], values, strict=True) if w > 0.0)))
    return found
