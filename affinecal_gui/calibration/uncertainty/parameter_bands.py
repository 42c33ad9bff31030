"""Intervals of fitted parameters: how far the truth may lie from the fit.

They are made of what the fit leaves open (:mod:`affinecal_gui.calibration.uncertainty.open_penalties`), which contains the
noise, the pull of the penalty and, unless it was set by hand, the choice of the penalty. How often they hold a known truth
is measured by ``tests/benchmarks/judgement.py``; docs/uncertainty.md has the numbers. Percentile intervals of bootstrap
refits hold it far less often, since refits inherit the small residuals and know nothing of the pull.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.special import fdtrc, stdtrit

from affinecal_gui.calibration.calibrators.fitted import posterior
from affinecal_gui.calibration.calibrators.posterior import Directions
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.results import Estimate, FloatArray, PenaltySurface
from affinecal_gui.calibration.uncertainty.bootstrap import BootstrapDraws, band, interval
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold, scores
from affinecal_gui.calibration.uncertainty.open_penalties import (
    LeftOpen,
    with_penalties_as_they_are,
    with_penalties_left_open,
)
from affinecal_gui.task import UNWATCHED, Task

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


def left_open_of(
    one: Fitted,
    part: TrainingPart,
    y: FloatArray,
    held_out: OutOfFold,
    weights: FloatArray | None,
    surface: PenaltySurface | None,
    *,
    task: Task = UNWATCHED,
) -> LeftOpen:
    """Return what a fit leaves open of its parameters: its penalties too, if they were searched over a surface.

    Penalties that were set by hand are taken as they are, and the scatter from the held-out residuals, because residuals of
    the fit itself are too small when there are more descriptors than polymers.
    """
    if surface is not None and len(one.c):
        found = with_penalties_left_open(one, part, surface, task=task)
        if found is not None:
            return found
    by_structure = calibrator(one.model).uses_descriptors
    scatter = measurement_scatter(y, held_out) if by_structure else scatter_about_line(y, held_out, weights)
    return with_penalties_as_they_are(one, part, scatter)


def half_widths(variance: FloatArray, polymers: int, level: float) -> FloatArray:
    """Half widths of intervals at ``level`` of parameters of these variances, learned from so many polymers."""
    quantile = float(stdtrit(max(polymers - UNPENALISED, 1), 0.5 * (1.0 + level)))
    return np.asarray(quantile * np.sqrt(np.maximum(variance, 0.0)))


def posterior_bands(
    one: Fitted, part: TrainingPart, left_open: LeftOpen, polymers: int, level: float
) -> ParameterBands:
    """Bounds at ``level`` from what a fit leaves open.

    beta is a function of the coupling b on standardised MD values, ``b / (s - b m)`` with m and s their mean and standard
    deviation; where the interval of b reaches s / m, beta has no bound (infinite), and where nearly all that is known of it
    comes from its penalty there are none (nan). Bounds of gamma are those at the average MD value: of
    ``gamma (1 + beta m)``, in units of the ``1 + beta m`` of the fit.
    """
    half = half_widths(np.diag(left_open.leading), polymers, level)
    outer = abs(one.natural_factor) * half_widths(left_open.coefficients, polymers, level)
    return ParameterBands(
        Estimate(one.alpha_0, one.alpha_0 - float(half[0]), one.alpha_0 + float(half[0])),
        Estimate(one.alpha_1, one.alpha_1 - float(half[1]), one.alpha_1 + float(half[1])),
        _beta(one, part, float(half[2])),
        one.gamma - outer,
        one.gamma + outer,
    )


def half_widths_of_mean(
    fits: Sequence[Fitted], left_open: Sequence[LeftOpen], weights: FloatArray, polymers: int, level: float
) -> FloatArray:
    """(d,) half widths at ``level`` of bands of the coefficients of a weighted mean of fits, at the mean MD value.

    A fit without coefficients tells nothing of them, but draws those of the mean towards zero. So the variance about the mean
    is that which the fits with coefficients leave open about it, each by its weight: what the others draw away is in it.
    """
    known = [k for k, one in enumerate(fits) if len(one.c)]
    acting = np.array([fits[k].sign * fits[k].unit * fits[k].c for k in known])
    mean = weights[known] @ acting
    shares = weights[known] if weights[known].any() else np.ones(len(known))
    about = [left_open[k].about(fits[k].sign * (own - mean)) for k, own in zip(known, acting, strict=True)]
    return half_widths(np.average(about, axis=0, weights=shares), polymers, level)


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


def einstein_p_value(one: Fitted, left_open: LeftOpen, polymers: int) -> float:
    """How well (alpha_1, beta) = (1, 0), which Einstein's theory expects, agrees with an affine fit: an F test.

    Both are asked together, with their covariance. Small values speak against the theory.
    """
    count = 2 if len(one.c) else 1
    covariance = left_open.leading[1 : 1 + count, 1 : 1 + count]
    away = np.array([one.alpha_1 - 1.0, one.b])[:count]
    size = np.sqrt(np.diag(covariance))
    if not size.all():
        return float("nan")
    distance = float((away / size) @ np.linalg.solve(covariance / np.outer(size, size), away / size)) / count
    return float(fdtrc(count, max(polymers - UNPENALISED, 1), distance))


def share_of_the_penalty(one: Fitted, part: TrainingPart) -> float:
    """Share of what is known about beta that comes from its penalty rather than from the measurements, 0 to 1."""
    known = posterior(one, part)
    penalised = np.zeros((1, known.training.penalised.shape[1]))
    penalised[0, -1] = 1.0
    variance = float(known.variance(Directions(np.zeros((1, 2)), penalised))[0])
    return variance * float(known.precision[-1])
