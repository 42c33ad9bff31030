"""A surrogate of the simulation: plain numbers that predict the MD value of any polymer with descriptors."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.surrogate.leave_out import (
    NEW_AT_ONCE,
    LeftOut,
    PredictedMD,
    choose_priors,
    leave_out,
    precision_of,
)
from affinecal_gui.calibration.surrogate.precision import CONSTANT, Hyperparameters, Precision, kernel
from affinecal_gui.calibration.surrogate.training_rows import TrainingRows, training_rows
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

MOST_KEPT_WHOLE = 1500
"""Up to so many rows each has a coefficient of its own in what is kept."""

NOTHING_LEFT_OUT = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class Surrogate:
    """What a surrogate has learned: arrays and numbers alone. Values are on the target scale of its MD values."""

    mean: FloatArray  # (d,) subtracted from the descriptors
    scale: FloatArray  # (d,) divides them
    landmarks: FloatArray  # (l, d) scaled descriptors
    coefficients: FloatArray  # (l,) of the kernel with the landmarks
    explained: FloatArray  # (l, l) between kernels with the landmarks: the part of the variance that is explained
    level: float  # added to all
    length: float  # of the kernel, in square roots of the number of descriptors
    noise: float  # variance of a simulation's scatter, in that of the kernel
    amplitude: float  # variance of the kernel, squared target scale
    rmse: float  # leave-one-out error over the rows
    rows: int  # MD values it learned from

    def predict(self, descriptors: ArrayLike) -> PredictedMD:
        """Predict MD values of polymers with descriptors (q, d), not scaled; nan where one is missing."""
        X = np.asarray(descriptors, dtype=np.float64)
        values, deviation = np.full(len(X), np.nan), np.full(len(X), np.nan)
        described = np.flatnonzero(np.isfinite(X).all(axis=1))
        chosen = Hyperparameters(self.length, self.noise)
        for start in range(0, len(described), NEW_AT_ONCE):
            part = described[start : start + NEW_AT_ONCE]
            k = kernel((X[part] - self.mean) / self.scale, self.landmarks, chosen)
            values[part] = self.level + k @ self.coefficients
            variance = 1.0 + CONSTANT - ((k @ self.explained) * k).sum(axis=1) + self.noise
            deviation[part] = np.sqrt(self.amplitude * np.maximum(variance, self.noise))
        return PredictedMD(read_only(values), read_only(deviation))


def fit_surrogate(
    f: ArrayLike,
    descriptors: ArrayLike,
    sizes: Sequence[int],
    deviation: ArrayLike | None = None,
    *,
    task: Task = UNWATCHED,
) -> Surrogate:
    """Learn to predict MD values from descriptors; arguments and refusals are those of :func:`training_rows`."""
    return surrogate_of(training_rows(f, descriptors, sizes, deviation), task=task)


def surrogate_of(rows: TrainingRows, *, task: Task = UNWATCHED) -> Surrogate:
    """Learn from all rows."""
    with one_thread_each(1):
        chosen = choose_priors(rows, [NOTHING_LEFT_OUT], task=task)[0]
        precision = precision_of(rows, chosen)
        return surrogate_from(rows, chosen, precision, leave_out(precision, rows.f, NOTHING_LEFT_OUT, chosen))


def precision_to_keep(rows: TrainingRows, chosen: Hyperparameters) -> Precision:
    """Return Q of all rows, by landmarks sooner than where nothing is kept: what is kept grows with their square."""
    return precision_of(rows, chosen, MOST_KEPT_WHOLE)


def surrogate_from(rows: TrainingRows, chosen: Hyperparameters, precision: Precision, found: LeftOut) -> Surrogate:
    """Return what has been learned, nothing being left out."""
    return Surrogate(
        rows.scale.mean,
        rows.scale.scale,
        read_only(precision.landmarks),
        read_only(precision.weights(found.alpha)),
        read_only(precision.quadratic()),
        found.level,
        chosen.length,
        chosen.noise,
        found.amplitude,
        found.rmse,
        len(rows.f),
    )
