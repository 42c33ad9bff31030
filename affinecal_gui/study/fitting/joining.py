"""Measured polymers without an MD value: they join a fit to predicted MD values, where that makes it better."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.unsimulated import UnsimulatedCalibrator
from affinecal_gui.magnitudes import LARGEST, within_reach
from affinecal_gui.numbers import significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.describing.describing import FORCE_FIELD, blocks_of, describe_polymers
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.study.fitting.calibrating import DescribedLibrary
from affinecal_gui.study.snapshot import Settings
from affinecal_gui.task import UNWATCHED, Task

NOBODY = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Joiners:
    """Measured polymers that can be described, and were not simulated."""

    rows: IntArray  # (j,) positions in ``assembly.measured``
    descriptors: FloatArray  # (j, d)
    twins: IntArray  # (j,) a polymer of the library that no descriptor tells from each; -1 without


def joiners(
    assembly: Assembly,
    described: DescribedLibrary,
    settings: Settings,
    *,
    cache: DescriptorCache | None = None,
    task: Task = UNWATCHED,
) -> Joiners:
    """Find the measured polymers of a study that have no MD value, and describe them.

    There are none where the study has descriptors of its own, or weighs values by uncertainties, which ask for MD values.
    """
    place_of = {column: place for place, column in enumerate(blocks_of(FORCE_FIELD).columns)}
    columns = described.blocks.columns
    values = assembly.measured
    sound = np.isfinite(values) & within_reach(values) & ((values > 0.0) | (not settings.log_scale))
    rows = [
        number
        for number in np.flatnonzero(sound & (assembly.measured_library < 0)).tolist()
        if assembly.rows[number].smiles and assembly.rows[number].key not in settings.left_out
    ]
    if not set(columns) <= set(place_of) or settings.weighting == "uncertainty":
        rows = []
    table = describe_polymers([assembly.rows[number].smiles for number in rows], cache=cache, task=task)
    X = table.values[:, [place_of[column] for column in columns]] if rows else np.empty((0, len(columns)))
    good = np.flatnonzero(np.asarray((np.abs(X) <= LARGEST).all(axis=1)))
    known = {row.tobytes(): index for index, row in enumerate(described.values + 0.0)}
    twins = [known.get(row.tobytes(), -1) for row in X[good] + 0.0]
    return Joiners(np.array(rows, dtype=np.int64)[good], X[good], np.array(twins, dtype=np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """A fit without and one with the polymers that join, compared on those that are in both."""

    calibrator: UnsimulatedCalibrator  # the better one
    sentence: str  # what joining gained, or why nobody joins
    change: str  # of the error, as the end of such a sentence


def better_of(
    alone: UnsimulatedCalibrator, together: UnsimulatedCalibrator, both: NDArray[np.bool_], log_scale: bool
) -> Joined:
    """Choose by the error of held-out polymers that are in both fits: ``both`` (n,) of those of ``together``."""
    before, after = _rmse(alone, np.ones(int(both.sum()), dtype=bool), log_scale), _rmse(together, both, log_scale)
    others, joining = int(both.sum()), int((~both).sum())
    polymers = "1 measured polymer" if joining == 1 else f"{joining} measured polymers"
    of = f"the error of the {others} others, held out,"
    first, second = significant(before), significant(after)
    if after <= before:
        join = "joins" if joining == 1 else "join"
        moves = f"stays {first}" if first == second else f"falls from {first} to {second}"
        return Joined(together, f"{polymers} without an MD value {join} this fit: {of} {moves}.", f"{of} {moves}")
    stays = "stays" if joining == 1 else "stay"
    moves = f"would stay {first}" if first == second else f"would rise from {first} to {second}"
    sentence = f"{polymers} without an MD value {stays} out of this fit: {of} {moves}."
    return Joined(alone, sentence, f"they stay out of that fit: {of} {moves}")


def _rmse(one: UnsimulatedCalibrator, rows: NDArray[np.bool_], log_scale: bool) -> float:
    """Return the error of the recommended calibrator for some of its polymers, target scale."""
    calibration = one.calibration
    said = calibration.models[calibration.recommendation.recommended].out_of_fold[rows]
    measured = calibration.measured[rows]
    errors = np.log(said) - np.log(measured) if log_scale else said - measured
    return float(np.sqrt(np.mean(errors**2)))
