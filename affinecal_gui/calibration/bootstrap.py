"""How much the fitted numbers would change with other polymers: refits to resampled data at fixed penalties."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.fitted import Fitted, TrainingPart, fit_calibrator
from affinecal_gui.calibration.folds import IntArray
from affinecal_gui.calibration.results import Estimate, FloatArray
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if


@dataclass(frozen=True, slots=True)
class BootstrapDraws:
    """b refits of one calibrator, on natural scales."""

    alpha_0: FloatArray  # (b,)
    alpha_1: FloatArray  # (b,)
    beta: FloatArray  # (b,)
    gamma: FloatArray  # (b, d)


def resampling_weights(groups: IntArray, draws: int, generator: np.random.Generator) -> FloatArray:
    """(draws, n) weights with mean one of the Bayesian bootstrap (Rubin, Annals of Statistics 9, 1981, 130-134).

    Each polymer gets an exponential weight, shared by its rows. To first order this varies a fit as drawing polymers with
    replacement does, but no polymer is ever left out entirely, so that few or nearly equal MD values still give a slope.
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
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> BootstrapDraws:
    """Refit a calibrator ``draws`` times with random weights; scaling and penalties stay as they are."""
    weights = resampling_weights(groups, draws, np.random.default_rng(seed)) * part.weights
    alpha_0, alpha_1, beta = np.empty(draws), np.empty(draws), np.empty(draws)
    gamma = np.empty((draws, len(fitted.c)))
    for b in range(draws):
        stop_if(cancelled)
        progress(b / max(draws, 1), "Refitting resampled polymers")
        again = TrainingPart(part.y, part.f, part.Z, part.sizes, weights[b], part.f_mean, part.f_sd, part.unit)
        refit = fit_calibrator(fitted.model, again, fitted.penalties)
        alpha_0[b], alpha_1[b], beta[b], gamma[b] = refit.alpha_0, refit.alpha_1, refit.beta, refit.gamma
    return BootstrapDraws(alpha_0, alpha_1, beta, gamma)


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


def einstein_p_value(fitted: Fitted, draws: BootstrapDraws) -> float:
    """How well (alpha_1, beta) agrees with Einstein's theory, (1, 0): the share of refits that lie farther from the fit.

    Distances are measured in the covariance of the refits (Mahalanobis). Small values speak against the theory; the penalty
    on beta pulls it to 0, so agreement in beta is partly a choice. nan with fewer than ten refits.
    """
    points = np.column_stack([draws.alpha_1, draws.beta])
    if len(points) < 10 or not np.isfinite(points).all():
        return float("nan")
    centre = np.array([fitted.alpha_1, fitted.beta])
    size = np.maximum(points.std(axis=0), 1e-300)
    inverse = np.linalg.pinv(np.cov((points / size).T), hermitian=True)

    def distance(point: FloatArray) -> FloatArray:
        step = (point - centre) / size
        return np.asarray(np.einsum("...i,ij,...j", step, inverse, step))

    return float((np.sum(distance(points) >= distance(np.array([1.0, 0.0]))) + 1) / (len(points) + 1))
