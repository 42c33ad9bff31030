"""Intervals of fitted parameters: how far the truth may lie from the fit.

The scatter of measurements about the model is taken from held-out residuals, because residuals of the fit itself are too
small when there are more descriptors than polymers. The covariance of the parameters is that of the linearised model with
the penalty read as a prior (see ``spread``), so that it contains the pull of the penalty as well as the noise.

Measured on simulated data with a known truth (90 % intervals, 20 and 40 polymers, penalties by cross-validation): these
intervals cover gamma in 79 to 92 % and alpha_1 in 83 to 90 % of all cases; percentile intervals of bootstrap refits cover
26 to 56 % and 60 to 78 %, since refits inherit the small residuals and know nothing of the pull
(``tests/benchmarks/parameter_coverage.py``).
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc, stdtrit

from affinecal_gui.calibration.calibrators.fitted import posterior
from affinecal_gui.calibration.calibrators.posterior import Directions
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.results import Estimate, FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.calibration.uncertainty.bootstrap import BootstrapDraws, band, interval
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold, scores

MOSTLY_PENALTY = 0.8
"""Where the penalty makes more than this share of what is known about beta, an interval would be that of the penalty."""

UNPENALISED = 2
"""Parameters without a penalty, alpha_0 and alpha_1: they cost degrees of freedom."""


@dataclass(frozen=True, slots=True)
class ParameterBands:
    """Parameters on natural scales with their bounds; nan where a calibrator has none."""

    alpha_0: Estimate
    alpha_1: Estimate
    beta: Estimate
    gamma_lower: FloatArray  # (d,)
    gamma_upper: FloatArray  # (d,)


def measurement_scatter(y: FloatArray, held_out: OutOfFold) -> float:
    """Return the standard deviation of a measurement of weight one about the model, target scale, from held-out residuals."""
    return root_mean_square(scores(y, held_out))


def scatter_about_line(y: FloatArray, held_out: OutOfFold, weights: FloatArray | None) -> float:
    """Return the same for a line without descriptors, whose spread contains what it leaves out: all of it is scatter here."""
    typical = 1.0 if weights is None else 1.0 / float(np.mean(1.0 / weights))
    return root_mean_square(y - held_out.predicted) * float(np.sqrt(typical))


def posterior_bands(one: Fitted, part: TrainingPart, scatter: float, polymers: int, level: float) -> ParameterBands:
    """Bounds at ``level`` from the posterior and the measured scatter.

    beta is a function of the coupling b on standardised MD values, ``b / (s - b m)`` with m and s their mean and standard
    deviation; where the interval of b reaches s / m, beta has no bound (infinite), and where nearly all that is known of it
    comes from its penalty there are none (nan). Bounds of gamma are those at the average
    MD value.
    """
    known = posterior(one, part)
    n_flat, n_penalised = known.training.flat.shape[1], known.training.penalised.shape[1]
    d = len(one.c)
    flat = np.zeros((3 + d, n_flat))
    penalised = np.zeros((3 + d, n_penalised))
    record = calibrator(one.model)  # rows: alpha_0, alpha_1, b, then the coefficients
    if record.has_offset:
        flat[0, 0] = 1.0
    if record.has_slope:
        flat[1, -1] = 1.0 / part.f_sd
        if record.has_offset:
            flat[0, -1] = -part.f_mean / part.f_sd
    if d:
        if n_penalised > d:
            penalised[2, -1] = 1.0
        penalised[3:, :d] = to_modes(np.eye(d), part.sizes)
    half = np.sqrt(known.variance(Directions(flat, penalised))) * scatter  # on the target scale
    half *= float(stdtrit(max(polymers - UNPENALISED, 1), 0.5 * (1.0 + level)))
    half[2] /= one.unit
    outer = abs(one.natural_factor) * half[3:]
    return ParameterBands(
        Estimate(one.alpha_0, one.alpha_0 - float(half[0]), one.alpha_0 + float(half[0])),
        Estimate(one.alpha_1, one.alpha_1 - float(half[1]), one.alpha_1 + float(half[1])),
        _beta(one, part, float(half[2])),
        one.gamma - outer,
        one.gamma + outer,
    )


def _beta(one: Fitted, part: TrainingPart, half: float) -> Estimate:
    """Return beta, without bounds where they would be those of its penalty."""
    if len(one.c) and calibrator(one.model).has_coupling and share_of_the_penalty(one, part) > MOSTLY_PENALTY:
        return Estimate(one.beta)
    return Estimate(one.beta, _natural_beta(one, one.b - half), _natural_beta(one, one.b + half))


def _natural_beta(one: Fitted, b: float) -> float:
    """Translate a coupling on standardised MD values; beyond the pole there is no bound."""
    left = one.f_sd - b * one.f_mean
    if left <= 0.0:
        return float(np.copysign(np.inf, b))
    return b / left


def bootstrap_bands(one: Fitted, draws: BootstrapDraws, level: float) -> ParameterBands:
    """Percentile bounds of refits to resampled polymers."""
    return ParameterBands(
        interval(one.alpha_0, draws.alpha_0, level),
        interval(one.alpha_1, draws.alpha_1, level),
        interval(one.beta, draws.beta, level),
        *band(one.gamma, draws.gamma, level),
    )


def no_bands(one: Fitted) -> ParameterBands:
    """Parameters without bounds."""
    unknown = np.full(len(one.c), np.nan)
    return ParameterBands(Estimate(one.alpha_0), Estimate(one.alpha_1), Estimate(one.beta), unknown, unknown)


def einstein_p_value(one: Fitted, part: TrainingPart, scatter: float, polymers: int) -> float:
    """How well (alpha_1, beta) = (1, 0), which Einstein's theory expects, agrees with an affine fit: an F test.

    Both are asked together, with their covariance. Small values speak against the theory.
    """
    known = posterior(one, part)
    flat, penalised = np.zeros((2, 2)), np.zeros((2, known.training.penalised.shape[1]))
    flat[0, 1] = 1.0 / part.f_sd
    count = 1
    if len(one.c):
        penalised[1, -1] = 1.0
        count = 2
    covariance = known.covariance(Directions(flat, penalised))[:count, :count] * (scatter / part.unit) ** 2
    away = np.array([(one.alpha_1 - 1.0) / one.unit, one.b])[:count]
    if not np.diag(covariance).all():
        return float("nan")
    distance = float(away @ np.linalg.solve(covariance, away)) / count
    return float(fdtrc(count, max(polymers - UNPENALISED, 1), distance))


def share_of_the_penalty(one: Fitted, part: TrainingPart) -> float:
    """Share of what is known about beta that comes from its penalty rather than from the measurements, 0 to 1."""
    known = posterior(one, part)
    penalised = np.zeros((1, known.training.penalised.shape[1]))
    penalised[0, -1] = 1.0
    variance = float(known.variance(Directions(np.zeros((1, 2)), penalised))[0])
    return variance * float(known.precision[-1])
