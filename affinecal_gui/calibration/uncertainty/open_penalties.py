"""What a fit leaves open of its parameters: with its penalties taken as known, or with these left open too.

Taken as known, the covariance of the parameters is that of the linearised model with the penalty read as a prior (see
:mod:`affinecal_gui.calibration.calibrators.posterior`), times the scatter of a measurement.

Left open, every pair of penalties of the grid is one more model, as likely as the measurements are under it (restricted
likelihood; MacKay, Neural Computation 4, 1992, 415-447). The parameters then vary within each model, and from model to model
about the fit that is used:

    variance = sum_k p_k (V_k s_k^2 + (theta_k - theta)^2),

V_k and s_k the covariance and the scatter of the model k as its own penalties tell them. The penalties of the fit predict
well because they are chosen with caution; taken as known they make the coefficients look far too certain
(docs/uncertainty.md has the numbers).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product

import numpy as np

from affinecal_gui.calibration.calibrators.fitted import fit_parts, log_evidence, posterior, scatter_of_fit
from affinecal_gui.calibration.calibrators.posterior import Directions
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import Fitted, TrainingPart
from affinecal_gui.calibration.results import FloatArray, PenaltySurface
from affinecal_gui.calibration.solvers.fused_ridge import modes_of_each
from affinecal_gui.task import UNWATCHED, Task

MOST_VALUES = (13, 7)
"""So many values of lambda_1 and lambda_2 are tried at most, evenly spread over the grid."""

BOLDNESS = 0.3
"""Power of 1/lambda_1 by which pairs are weighed before anything is measured. 0: the logarithm of the size of coefficients is
uniform; 1: the size itself is, as Gelman recommends (Bayesian Analysis 1, 2006, 515-533). Chosen by simulation on real
polymers (docs/uncertainty.md): 0 covers gamma a little too rarely, 1 too often."""

LEAST_WEIGHT = 0.003
"""Pairs that are less likely than this share of the likeliest are left out."""


@dataclass(frozen=True, slots=True)
class LeftOpen:
    """What is uncertain of the parameters of one fit, target scale."""

    leading: FloatArray  # (3, 3) covariance of alpha_0, alpha_1 and the coupling b on standardised MD values
    coefficients: (
        FloatArray  # (d,) variance of those of the standardised descriptors at the mean MD value, about the fit
    )
    lean: FloatArray  # (d,) by how much they lie above those of the fit on average

    def about(self, away: FloatArray) -> FloatArray:
        """(d,) variance of the coefficients about values that lie by ``away`` (d,) below those of the fit."""
        return np.asarray(self.coefficients + (2.0 * self.lean + away) * away)


def with_penalties_as_they_are(one: Fitted, part: TrainingPart, scatter: float) -> LeftOpen:
    """Return what is uncertain where the penalties are known; ``scatter`` is that of a measurement, target scale."""
    known = posterior(one, part)
    n_flat, n_penalised = known.training.flat.shape[1], known.training.penalised.shape[1]
    d = len(one.c)
    flat, penalised = np.zeros((3 + d, n_flat)), np.zeros((3 + d, n_penalised))
    record = calibrator(one.model)  # rows: alpha_0, alpha_1, b, then the coefficients
    if record.has_offset:
        flat[0, 0] = 1.0
    if record.has_slope:
        flat[1, -1] = 1.0 / part.f_sd
        if record.has_offset:
            flat[0, -1] = -part.f_mean / part.f_sd
    if n_penalised > d:
        penalised[2, -1] = 1.0
    if d:
        penalised[3:, :d] = modes_of_each(part.sizes)
    leading = scatter**2 * known.covariance(Directions(flat[:3], penalised[:3]))
    leading[2] /= one.unit  # b has no unit
    leading[:, 2] /= one.unit
    return LeftOpen(leading, scatter**2 * known.variance(Directions(flat[3:], penalised[3:])), np.zeros(d))


def with_penalties_left_open(
    one: Fitted, part: TrainingPart, surface: PenaltySurface, *, task: Task = UNWATCHED
) -> LeftOpen | None:
    """Return what is uncertain where the penalties are open within the grid of a surface.

    None where the measurements leave nothing to be uncertain of: they are met without any scatter.
    """
    if one.penalties is None:
        return None
    first, second = (
        values[:: -(-len(values) // most)]
        for values, most in zip((surface.lambda_1, surface.lambda_2), MOST_VALUES, strict=True)
    )
    pairs = [replace(one.penalties, lambda_1=float(a), lambda_2=float(b)) for a, b in product(first, second)]
    models = fit_parts(one.model, [part] * len(pairs), pairs, task=task.silent)
    evidence = np.array([log_evidence(model, part) for model in models])
    if not np.isfinite(evidence).all():
        return None
    evidence -= BOLDNESS * np.log([pair.lambda_1 for pair in pairs])
    likely = np.exp(evidence - evidence.max())
    kept = np.flatnonzero(likely >= LEAST_WEIGHT)
    return _mixed(one, part, [models[k] for k in kept], likely[kept] / likely[kept].sum())


def _mixed(one: Fitted, part: TrainingPart, models: Sequence[Fitted], weights: FloatArray) -> LeftOpen:
    """Add up what is uncertain within each model and between them."""
    leading, coefficients, lean = np.zeros((3, 3)), np.zeros(len(one.c)), np.zeros(len(one.c))
    for model, weight in zip(models, weights, strict=True):
        within = with_penalties_as_they_are(model, part, float(np.sqrt(scatter_of_fit(model, part))))
        away, above = _leading(model) - _leading(one), model.unit * (model.c - one.c)
        leading += weight * (within.leading + np.outer(away, away))
        coefficients += weight * (within.coefficients + above**2)
        lean += weight * above
    return LeftOpen(leading, coefficients, lean)


def _leading(one: Fitted) -> FloatArray:
    return np.array([one.alpha_0, one.alpha_1, one.b])
