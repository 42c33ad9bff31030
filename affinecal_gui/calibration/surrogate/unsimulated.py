"""The MD values of measured and new polymers as if none of them had been simulated."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.md_by_parts import PredictedValues
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.leave_out import (
    LeftOut,
    PredictedMD,
    choose_priors,
    leave_out,
    precision_of,
    predict_own,
    predict_without,
)
from affinecal_gui.calibration.surrogate.precision import Hyperparameters, Precision
from affinecal_gui.calibration.surrogate.training_rows import TrainingRows
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each


@dataclass(frozen=True, slots=True, eq=False)
class SurrogatePart:
    """A surrogate that knows nothing of the MD rows of some polymers; parts of one prior share its precision matrix."""

    rows: TrainingRows
    precision: Precision
    left_out: LeftOut


def predict_new(parts: Sequence[SurrogatePart], descriptors: FloatArray) -> list[PredictedMD]:
    """Predict by each part the MD values of polymers that have no row, with descriptors (q, d), not scaled; nan without."""
    described = np.flatnonzero(np.isfinite(descriptors).all(axis=1))
    found = [PredictedMD(np.full(len(descriptors), np.nan), np.full(len(descriptors), np.nan)) for _ in parts]
    for together in _sharing(parts):
        some = [parts[number] for number in together]
        Z = some[0].rows.scale.apply(descriptors[described])
        of_some = predict_without(some[0].precision, [one.left_out for one in some], Z)
        for number, own in zip(together, of_some, strict=True):
            found[number].values[described] = own.values
            found[number].deviation[described] = own.deviation
    for one in found:
        read_only(one.values)
        read_only(one.deviation)
    return found


def _sharing(parts: Sequence[SurrogatePart]) -> Iterator[list[int]]:
    """Yield the numbers of the parts that share a precision matrix."""
    groups: dict[int, list[int]] = {}
    for number, one in enumerate(parts):
        groups.setdefault(id(one.precision), []).append(number)
    yield from groups.values()


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
    learned: dict[tuple[bytes, ...], tuple[SurrogatePart, ...]] = field(default_factory=dict, repr=False)
    # by who is held out; a calibration asks for its fifty parts, and whoever applies it needs the same ones

    def without(self, held: Sequence[IntArray]) -> list[PredictedValues]:
        """Return the predicted values for each set of held-out measured polymers."""
        with one_thread_each(1):
            parts = self.parts(held)
            library = predict_new(parts, self.library_descriptors)
            own = [self.rows.places_of(self.own[[one]]) for one in range(len(self.own))]
            return [self._said_by(*pair, own) for pair in zip(parts, library, strict=True)]

    def parts(self, held: Sequence[IntArray]) -> tuple[SurrogatePart, ...]:
        """Return the surrogates without the MD rows of each set of held-out measured polymers."""
        left_out = [self.rows.places_of(self.own[some]) for some in held]
        key = tuple(places.tobytes() for places in left_out)
        if key not in self.learned:
            with one_thread_each(1):
                priors = choose_priors(self.rows, left_out, task=self.task)
                by_prior: dict[Hyperparameters, Precision] = {}
                found = []
                for chosen, places in zip(priors, left_out, strict=True):
                    self.task.check()
                    if chosen not in by_prior:
                        by_prior[chosen] = precision_of(self.rows, chosen)
                    without = leave_out(by_prior[chosen], self.rows.f, places, chosen)
                    found.append(SurrogatePart(self.rows, by_prior[chosen], without))
            self.learned[key] = tuple(found)
        return self.learned[key]

    def _said_by(self, part: SurrogatePart, library: PredictedMD, own: Sequence[IntArray]) -> PredictedValues:
        self.task.check()
        gone = set(part.left_out.rows.tolist())
        # A polymer that is held out has no row any more, and is new to the surrogate.
        known = np.array([len(mine) > 0 and mine[0] not in gone for mine in own], dtype=bool)
        measured, deviation = np.empty(len(own)), np.empty(len(own))
        left = predict_own(
            part.precision, part.left_out, self.rows.f, [own[one] for one in np.flatnonzero(known).tolist()]
        )
        measured[known], deviation[known] = left.values, left.deviation
        (new,) = predict_new([part], self.descriptors[~known])
        measured[~known], deviation[~known] = new.values, new.deviation
        return PredictedValues(measured, deviation, library.values, library.deviation)
