"""Slopes in MD values that are noisy themselves: errors in variables.

A simulated value is known up to its standard error s. Least squares in such values finds too small a slope, because noise
makes them differ where the polymers do not. With noise that is independent of everything else, the sum of squares is too
large by ``sum w s^2 alpha_1^2`` on average, whatever the true MD values are; what is left after taking that away is a sum
of squares in the true ones (the corrected score of Nakamura, Biometrika 77, 1990, 127-137; for a line the estimator by
moments of Fuller, Measurement Error Models, Wiley 1987, section 2.2, which with one s for all is Deming's with a known
variance of f). Given beta the objective is a quadratic form in all other parameters theta, penalties and all:

    J = J_min + (theta - theta_fit)' C^-1 (theta - theta_fit),

C as in :mod:`affinecal_gui.calibration.calibrators.posterior`. So the minimum of ``J - S alpha_1^2`` is known in closed form
(S as ``sum w s^2``, less what the other parameters take of it):

    alpha_1 = alpha_1,fit / (1 - S C_11),    theta = theta_fit + S alpha_1 C_.1.

S C_11 is the share of noise in what tells the slope. Polymers count the less the noisier they are (:func:`noise_weights`),
which keeps that share small wherever some are quiet. The calibrated value remains a function of the MD value as it is given,
and of no standard error: a polymer that was simulated for longer gets another value only by its MD value.

The log-difference calibrator has no slope to correct; its residuals hold the noise, as do those of the others, and its
intervals follow it as theirs do (:mod:`affinecal_gui.calibration.cross_validation.predicted_md`).
"""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from affinecal_gui.calibration.calibrators.noise.weights import weights_from_uncertainties
from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior, SlopeCorrection
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import from_modes

LARGEST_SHARE: Final = 0.5
"""Of what tells a slope, the most that is taken for noise. Beyond it the estimator by moments has no mean."""


ROUNDS: Final = 3
"""In which weights and slope follow from each other; a third one moves neither by a per cent."""


@dataclass(frozen=True, slots=True)
class SlopeNoise:
    """What the noise of MD values does to one slope."""

    share: float  # of what tells the slope, as far as it is corrected for
    beyond: bool  # whether it would be more than :data:`LARGEST_SHARE`
    variance: float  # of the slope as it was fitted, in units of the scatter squared

    @property
    def factor(self) -> float:
        """By how much the slope of the fit is too small."""
        return 1.0 / (1.0 - self.share)


def slope_noise(part: TrainingPart, known: Posterior, slope: int) -> SlopeNoise:
    """Return what the noise of a training part does to a slope.

    Noise adds to the squares of the MD values about what the other parameters make of them, which follow it a little: of
    s_i^2 a share 1 - w_i v_i, v_i the variance of what they say of polymer i (for a line w_i over the sum of all).

    Parameters
    ----------
    part
        With standard errors of its MD values.
    known
        The posterior of the fit as it was.
    slope
        Which flat parameter the slope is.
    """
    flat = known.training.flat.copy()
    flat[:, slope] = 0.0
    others = Directions(flat, known.training.penalised)
    with_slope, variance = known.with_slope(others, slope)
    if part.noise is None or variance <= 0.0:
        return SlopeNoise(0.0, False, variance)
    follows = known.variance(others) - with_slope**2 / variance
    share = variance * float(np.sum(part.weights * (1.0 - part.weights * follows) * (part.noise / part.f_sd) ** 2))
    return SlopeNoise(min(share, LARGEST_SHARE), share > LARGEST_SHARE, variance)


def line_noise(part: TrainingPart) -> SlopeNoise:
    """Return the same for a line."""
    line = Directions(np.column_stack([np.ones(len(part.y)), part.t]), np.zeros((len(part.y), 0)))
    return slope_noise(part, Posterior(line, np.zeros(0), part.weights), 1)


def noise_weights(part: TrainingPart) -> FloatArray:
    """Return (n,) by how much more or less polymers count for the noise of their MD values, mean 1.

    The variance about a line is ``t^2 + alpha_1^2 s_i^2``, t^2 what noise leaves unexplained: large where structure matters,
    so that few quiet polymers cannot take over.
    """
    assert part.noise is not None
    found = np.ones(len(part.y))
    for _ in range(ROUNDS):
        weighed = replace(part, weights=part.weights * found)
        slope = fit_ordinary(part.f, part.y, weighed.weights).alpha_1 * line_noise(weighed).factor
        found = weights_from_uncertainties(part.y, part.f, abs(slope) * part.noise, log_scale=False)
    return found


def corrected(fitted: Fitted, part: TrainingPart, known: Posterior, slope: int) -> Fitted:
    """Return a fit with its slope, and what goes with it, corrected for the noise of the MD values.

    Parameters
    ----------
    fitted, part
        The fit as it was, and what it was fitted to.
    known
        Its posterior as it was.
    slope
        Which flat parameter the slope is.
    """
    noise = slope_noise(part, known, slope)
    if not noise.share:
        return fitted
    p, q = known.training.flat.shape[1], known.training.penalised.shape[1]
    one_each = np.eye(p + q)
    moving, _ = known.with_slope(Directions(one_each[:, :p], one_each[:, p:]), slope)
    step = noise.share * noise.factor * fitted.a1 * moving / noise.variance
    found = replace(fitted, a0=fitted.a0 + (float(step[0]) if slope else 0.0), a1=fitted.a1 + float(step[slope]))
    d = len(fitted.c)
    if d:
        found = replace(found, c=read_only(fitted.c + fitted.sign * from_modes(step[p : p + d], part.sizes)))
    return found


def correction_of(part: TrainingPart, known: Posterior, slope: int) -> SlopeCorrection | None:
    """Return how the parameters of a corrected fit follow from those of the fit as it was."""
    noise = slope_noise(part, known, slope)
    return SlopeCorrection(slope, noise.share * noise.factor / noise.variance) if noise.share else None
