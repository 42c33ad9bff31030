"""The MD values of measured and new polymers as if none of them had been simulated."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.md_by_parts import PredictedValues
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.leave_out import (
    PredictedMD,
    choose_priors,
    leave_out,
    precision_of,
    predict_own,
    predict_without,
)
from affinecal_gui.calibration.surrogate.precision import Hyperparameters
from affinecal_gui.calibration.surrogate.training_rows import TrainingRows
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each


@dataclass(frozen=True, slots=True, eq=False)
class UnsimulatedMD:
    """Predicts the MD value of every polymer from rows that are not its own.

    Each of the n measured polymers is predicted without its own MD row, if it has one, and without rows of the same
    descriptors. With measured polymers held out, nothing that is predicted depends on their MD rows either: not the prior,
    not the values of the polymers that are left.
    """

    rows: TrainingRows
    own: IntArray  # (n,) which of the given rows is that of a measured polymer; -1 without
    descriptors: FloatArray  # (n, d) of the measured polymers, not scaled
    library_descriptors: FloatArray  # (m, d) of polymers to predict; nan where there are none
    task: Task = UNWATCHED

    def without(self, held: Sequence[IntArray]) -> list[PredictedValues]:
        """Return the predicted values for each set of held-out measured polymers."""
        with one_thread_each(1):
            left_out = [self.rows.places_of(self.own[some]) for some in held]
            priors = choose_priors(self.rows, left_out, task=self.task)
            found: dict[int, PredictedValues] = {}
            for chosen in dict.fromkeys(priors):
                which = [part for part, prior in enumerate(priors) if prior == chosen]
                found |= zip(which, self._with_prior(chosen, [left_out[part] for part in which]), strict=True)
        return [found[part] for part in range(len(held))]

    def _with_prior(self, chosen: Hyperparameters, left_out: Sequence[IntArray]) -> list[PredictedValues]:
        precision = precision_of(self.rows, chosen)
        scale = self.rows.scale
        own = [self.rows.places_of(self.own[[one]]) for one in range(len(self.own))]
        described = np.asarray(np.isfinite(self.library_descriptors).all(axis=1))
        Z, library_Z = scale.apply(self.descriptors), scale.apply(self.library_descriptors[described])
        answers = []
        for places in left_out:
            self.task.check()
            without = leave_out(precision, self.rows.f, places, chosen)
            gone = set(places.tolist())
            # A polymer that is held out has no row any more, and is new to the surrogate.
            known = np.array([len(mine) > 0 and mine[0] not in gone for mine in own], dtype=bool)
            measured, deviation = np.empty(len(own)), np.empty(len(own))
            left = predict_own(precision, without, self.rows.f, [own[one] for one in np.flatnonzero(known)])
            measured[known], deviation[known] = left.values, left.deviation
            new = predict_without(precision, without, Z[~known])
            measured[~known], deviation[~known] = new.values, new.deviation
            library = _spread_out(predict_without(precision, without, library_Z), described)
            answers.append(PredictedValues(measured, deviation, library.values, library.deviation))
        return answers


def _spread_out(found: PredictedMD, described: NDArray[np.bool_]) -> PredictedMD:
    values, deviation = np.full(len(described), np.nan), np.full(len(described), np.nan)
    values[described], deviation[described] = found.values, found.deviation
    return PredictedMD(values, deviation)
