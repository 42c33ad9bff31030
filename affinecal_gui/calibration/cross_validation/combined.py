"""Calibrators that combine others: their weights in every training part, and what they say about held-out polymers.

The weights of a training part come from that part alone: its polymers are dealt to its inner folds once more, each member
is fitted without one of them, with the penalties that it has in the part, and predicts it. So a held-out polymer has no say
in the weights by which it is predicted. The weights for all other polymers come from all measured ones in the same way;
with up to a hundred of them each is left out alone, so that no chance decides on the weights.

They are those weights as far as there is likely to be a correction by structure in the part; what is left goes to the
members that look at no descriptors (:func:`towards_the_line`).
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.combining import combining_weights, towards_the_line
from affinecal_gui.calibration.calibrators.fitted import fit_parts
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.structure_evidence import structure_probability
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.cross_validation.prepared import Prepared
from affinecal_gui.calibration.data.folds import IntArray, held_out_in_turn
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.task import UNWATCHED, Task

MOST_NUMBERS = 4_000_000
"""Descriptors of inner training parts that are fitted together."""


def weights_in_parts(
    model: ModelName,
    prepared: Sequence[Prepared],
    groups: IntArray,
    fits: Mapping[ModelName, Sequence[Fitted]],
    *,
    task: Task = UNWATCHED,
) -> FloatArray:
    """Learn the weights of the members of ``model`` in every training part from that part alone.

    Parameters
    ----------
    model
        A calibrator that combines others.
    prepared
        The training parts; the first dealing of each is that to its inner folds.
    groups
        (n,) of all rows, equal for rows of the same polymer.
    fits
        Of every member, part by part.

    Returns
    -------
    (parts, k) array
    """
    members = calibrator(model).combines
    parts, inner = [one.part for one in prepared], [one.dealings[0] for one in prepared]
    by_structure = np.array([calibrator(name).uses_descriptors for name in members])
    found = np.empty((len(parts), len(members)))
    for some in _chunks(parts):
        values = [np.empty((len(parts[position].y), len(members))) for position in some]
        turns = [(at, fold) for at, position in enumerate(some) for fold in held_out_in_turn(inner[position])]
        trains = [parts[some[at]].rows(train) for at, (train, _) in turns]
        for column, member in enumerate(members):
            penalties = [fits[member][some[at]].penalties for at, _ in turns]
            for (at, (_, test)), one in zip(turns, fit_parts(member, trains, penalties, task=task), strict=True):
                whole = parts[some[at]]
                values[at][test, column] = one.predict(whole.f[test], whole.Z[test])
        for at, position in enumerate(some):
            task.check()
            part = parts[position]
            learned = combining_weights(part.y, values[at], part.weights)
            likely = structure_probability(part, groups[prepared[position].rows])
            found[position] = towards_the_line(learned, by_structure, likely)
    return found


def combined_out_of_fold(members: Sequence[OutOfFold], weights: FloatArray) -> OutOfFold:
    """Combine what the members say about held-out polymers and the library by the weights (r * k, members) of every part.

    The relative spread is the root of the weighted mean of theirs squared: any spread that is learned without the polymer
    keeps the intervals honest.
    """
    first = members[0]
    repetitions, folds = first.library.shape[:2]
    by_part = weights.reshape(repetitions, folds, len(members))
    of_held = by_part[np.arange(repetitions)[:, None], first.fold]  # (r, n, members)
    return OutOfFold(
        first.fold,
        _total(of_held, [one.predicted for one in members]),
        np.sqrt(_total(of_held, [one.spread**2 for one in members])),
        _total(by_part[:, :, None], [one.library for one in members]),
        np.sqrt(_total(by_part[:, :, None], [one.library_spread**2 for one in members])),
    )


def _total(weights: FloatArray, values: Sequence[FloatArray]) -> FloatArray:
    """Add up values by their weights, which lie along the last axis; what has no weight cannot spoil the sum."""
    found = np.zeros(values[0].shape)
    for j, one in enumerate(values):
        found += np.where(weights[..., j] > 0.0, weights[..., j] * one, 0.0)
    return found


def _chunks(parts: Sequence[TrainingPart]) -> Iterator[list[int]]:
    """Split the positions of parts so that the inner parts of each lot fit into memory."""
    lot: list[int] = []
    numbers = 0
    for position, part in enumerate(parts):
        lot.append(position)
        numbers += part.Z.size * 4
        if numbers >= MOST_NUMBERS:
            yield lot
            lot, numbers = [], 0
    if lot:
        yield lot
