"""Choosing a surrogate's prior, and predicting with some rows left out: exactly, and blind to their MD values."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.precision import (
    CONSTANT,
    Hyperparameters,
    LandmarkPrecision,
    Precision,
    WholePrecision,
)
from affinecal_gui.calibration.surrogate.training_rows import TrainingRows
from affinecal_gui.task import UNWATCHED, Task

LENGTHS = (1.0, 2.0, 4.0, 8.0)
NOISES = (1e-4, 1e-3, 1e-2, 1e-1)
"""What is tried for the prior."""

MOST_WHOLE = 5000
"""Up to so many rows every row has a coefficient of its own; beyond, :data:`LANDMARKS` stand for all."""

LANDMARKS = 1000

ROWS_TO_CHOOSE = 2000
"""The prior is chosen on so many rows at most."""

NEW_AT_ONCE = 2048


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A surrogate without some of its rows."""

    chosen: Hyperparameters
    rows: IntArray  # (h,) places of the rows left out
    level: float  # mean of the other values
    alpha: FloatArray  # (m,) Q' (f - level); 0 at the rows left out
    inverse: FloatArray  # (h, h) Q_HH^-1
    variance: FloatArray  # (m,) of each value given all others, in units of ``amplitude``; nan at the rows left out
    amplitude: float  # s of (S1), by the squared leave-one-out errors
    rmse: float  # leave-one-out, target scale

    def errors(self) -> FloatArray:
        """(m,) value minus its prediction from all other rows but those left out, target scale."""
        return np.asarray(self.alpha * self.variance)


@dataclass(frozen=True, slots=True)
class PredictedMD:
    """Predicted MD values and their standard deviations, target scale; those of a simulation, its noise included."""

    values: FloatArray  # (q,)
    deviation: FloatArray  # (q,)


def precision_of(rows: TrainingRows, chosen: Hyperparameters, most_whole: int | None = None) -> Precision:
    """Return Q of all rows, by landmarks where they are more than ``most_whole``, :data:`MOST_WHOLE` if it is None."""
    if len(rows.f) <= (MOST_WHOLE if most_whole is None else most_whole):
        return WholePrecision(rows.Z, chosen, rows.noise)
    return LandmarkPrecision(rows.Z, chosen, rows.noise, LANDMARKS)


def leave_out(precision: Precision, f: FloatArray, held: IntArray, chosen: Hyperparameters) -> LeftOut:
    """Leave rows out of (S1) by (S2). Nothing in the result depends on their values, to the last bit."""
    kept = np.ones(len(f), dtype=bool)
    kept[held] = False
    level = float(f[kept].mean())
    r = np.where(kept, f - level, 0.0)
    alpha: FloatArray = precision.times(r)
    diagonal: FloatArray = precision.diagonal
    inverse: FloatArray = np.zeros((0, 0))
    if len(held):
        columns = precision.columns(held)
        inverse = np.asarray(np.linalg.inv(columns[held]), dtype=np.float64)
        alpha = np.where(kept, alpha - columns @ (inverse @ alpha[held]), 0.0)
        diagonal = np.asarray(diagonal - ((columns @ inverse) * columns).sum(axis=1), dtype=np.float64)
    variance = np.where(kept, 1.0 / np.where(kept, diagonal, 1.0), np.nan)
    errors = (alpha * variance)[kept]
    amplitude = float(np.mean(errors**2 / variance[kept]))
    return LeftOut(chosen, held, level, alpha, inverse, variance, amplitude, float(np.sqrt(np.mean(errors**2))))


def choose_priors(rows: TrainingRows, held: Sequence[IntArray], *, task: Task = UNWATCHED) -> list[Hyperparameters]:
    """Choose, for every set of rows left out, the prior with the lowest leave-one-out error of the others."""
    few = min(len(rows.f), ROWS_TO_CHOOSE)
    grid = [Hyperparameters(length, noise) for length in LENGTHS for noise in NOISES]
    errors = np.empty((len(grid), len(held)))
    for position, chosen in enumerate(grid):
        task.report(position / len(grid), "Learning to predict MD values")
        precision = WholePrecision(rows.Z[:few], chosen, rows.noise[:few])
        errors[position] = [leave_out(precision, rows.f[:few], own[own < few], chosen).rmse for own in held]
    # Of priors that are as good to rounding, the first.
    return [grid[int(best)] for best in np.argmin(errors, axis=0)]


def predict_without(
    precision: Precision, several: Sequence[LeftOut], Z: FloatArray, *, task: Task = UNWATCHED
) -> list[PredictedMD]:
    """Predict the MD values of polymers that are not among the rows, Z (q, d), scaled, by surrogates of one prior.

    What does not depend on the rows left out is computed once for all of them.
    """
    found = [PredictedMD(np.empty(len(Z)), np.empty(len(Z))) for _ in several]
    projected = [precision.projected(without.alpha) for without in several]
    columns = [
        precision.projected(precision.columns(without.rows)) if len(without.rows) else None for without in several
    ]
    for start in range(0, len(Z), NEW_AT_ONCE):
        part = slice(start, start + NEW_AT_ONCE)
        features = precision.features(Z[part])
        explained_by_all = precision.explained(features)
        for without, v, own, answer in zip(several, projected, columns, found, strict=True):
            task.check()
            explained = explained_by_all
            if own is not None:
                across = features @ own
                explained = explained - ((across @ without.inverse) * across).sum(axis=1)
            answer.values[part] = without.level + features @ v
            variance = 1.0 + CONSTANT - explained + without.chosen.noise
            answer.deviation[part] = np.sqrt(without.amplitude * np.maximum(variance, without.chosen.noise))
    for answer in found:
        read_only(answer.values)
        read_only(answer.deviation)
    return found


def predict_own(precision: Precision, without: LeftOut, f: FloatArray, own: Sequence[IntArray]) -> PredictedMD:
    """Predict the MD values of polymers among the rows, each from the rows that are neither its ``own`` nor left out."""
    values, variance = np.empty(len(own)), np.empty(len(own))
    held = without.rows
    columns = precision.columns(held) if len(held) else None
    for position, places in enumerate(own):
        block = precision.columns(places)[places]
        if columns is not None:
            block = block - columns[places] @ without.inverse @ columns[places].T
        spread = np.linalg.inv(block)
        values[position] = f[places[0]] - spread[0] @ without.alpha[places]
        variance[position] = spread[0, 0]
    return PredictedMD(read_only(values), read_only(np.sqrt(without.amplitude * variance)))
