"""How much the fitted numbers would change with other polymers: refits to resampled data at fixed penalties."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import refit_with_weights
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import Estimate, FloatArray
from affinecal_gui.task import UNWATCHED, Task

TOGETHER = 25
"""Refits between two looks at whether to stop."""


@dataclass(frozen=True, slots=True)
class BootstrapDraws:
    """b refits of one calibrator, on natural scales."""

    alpha_0: FloatArray  # (b,)
    alpha_1: FloatArray  # (b,)
    beta: FloatArray  # (b,)
    gamma: FloatArray  # (b, d)


def resampling_weights(groups: IntArray, draws: int, generator: np.random.Generator) -> FloatArray:
    """(draws, n) weights with mean one of the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981, 130-134).

    Each polymer gets an exponential weight, shared by its rows. To first order this varies a fit as drawing polymers
    with replacement does, but no polymer is ever left out entirely, so that few or nearly equal MD values still give a
    slope.
    """
    _, codes = np.unique(groups, return_inverse=True)
    weights = generator.exponential(size=(draws, int(codes.max()) + 1))[:, codes]
    return np.asarray(weights / weights.mean(axis=1, keepdims=True))


def bootstrap(
    fitted: Fitted,
    part: TrainingPart,
    groups: IntArray,
    draws: int,
    seed: tuple[int, ...],
    *,
    task: Task = UNWATCHED,
) -> BootstrapDraws:
    """Refit a calibrator ``draws`` times with random weights; scaling and penalties stay as they are."""
    weights = resampling_weights(groups, draws, np.random.default_rng(seed)) * part.weights
    together = max(1, min(TOGETHER, 100_000 // len(part.y)))
    refits: list[Fitted] = []
    for start in range(0, draws, together):
        task.check()
        task.report(start / draws, "Refitting resampled polymers")
        refits += refit_with_weights(fitted, part, weights[start : start + together])
    return BootstrapDraws(
        np.array([one.alpha_0 for one in refits]),
        np.array([one.alpha_1 for one in refits]),
        np.array([one.beta for one in refits]),
        np.array([one.gamma for one in refits]).reshape(draws, len(fitted.c)),
    )


def interval(value: float, draws: FloatArray, level: float) -> Estimate:
    """Percentile interval of a fitted number; no bounds without draws."""
    if not len(draws):
        return Estimate(value)
    lower, upper = np.quantile(draws, [(1.0 - level) / 2.0, (1.0 + level) / 2.0])
    return Estimate(value, min(float(lower), value), max(float(upper), value))


def band(value: FloatArray, draws: FloatArray, level: float) -> tuple[FloatArray, FloatArray]:
    """Percentile band (d,), (d,) of coefficients (d,) from draws (b, d); nan without draws."""
    if not len(draws):
        return np.full(len(value), np.nan), np.full(len(value), np.nan)
    lower, upper = np.quantile(draws, [(1.0 - level) / 2.0, (1.0 + level) / 2.0], axis=0)
    return np.minimum(lower, value), np.maximum(upper, value)
