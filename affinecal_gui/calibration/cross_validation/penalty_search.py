"""What a cross-validation of the penalty grid starts from, and which pair (lambda_1, lambda_2) follows from its errors."""

from typing import Literal

import numpy as np

from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit
from affinecal_gui.calibration.cross_validation.resampling import ResampledStart
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.folds import TRUST
from affinecal_gui.calibration.results import FloatArray, Penalties, PenaltySurface

CAUTION = 0.4
"""Power of lambda_1 by which penalties are weighed before any error is seen: 2.5 times as likely for ten times as much.

It and ``TRUST`` were chosen by simulation (docs/uncertainty.md, "The penalties"): among 0.3, 0.5, 1 and 0, 0.15, 0.3, 0.5
they come within three per cent of the best for every truth and number of polymers tried.
"""

TRUST_BESIDE = 0.15
"""What a held-out residual counts for beside the restricted likelihood, which has counted it once: it is the part of the
judgement that does not believe in the prior. Among 0, 0.15, 0.3 and 1, chosen by simulation (docs/uncertainty.md)."""

NO_PENALTY = 0.1
"""Share of the smallest positive lambda_2 for which a lambda_2 of zero, which has no logarithm, counts in a mean."""

ROUNDING = 1e-12
"""Errors below this share of the unit of the values are rounding, and equal."""


def repeated_start(start: AffineFit, times: int) -> ResampledStart:
    """Use one fit as the starting point of every training set."""
    return ResampledStart(
        np.full(times, start.alpha_1),
        np.full(times, start.alpha_0),
        np.full(times, start.beta),
        np.tile(start.gamma, (times, 1)),
    )


def surface_from_errors(lambda_1: FloatArray, lambda_2: FloatArray, error: FloatArray) -> PenaltySurface:
    """Choose the first best pair of mean squared errors (a, b), and say whether it lies on an edge."""
    i, j = np.unravel_index(int(np.argmin(error)), error.shape)
    edges: list[Literal["lambda_1", "lambda_2"]] = []
    if lambda_1.shape[0] > 1 and i in (0, lambda_1.shape[0] - 1):
        edges.append("lambda_1")
    if lambda_2.shape[0] > 1 and j in (0, lambda_2.shape[0] - 1):
        edges.append("lambda_2")
    return PenaltySurface(
        lambda_1=read_only(lambda_1.copy()),
        lambda_2=read_only(lambda_2.copy()),
        rmse=read_only(np.sqrt(error)),
        chosen=(int(i), int(j)),
        on_edge=tuple(edges),
    )


def chosen_penalties(surface: PenaltySurface, lambda_beta: float) -> Penalties:
    """Return the best pair of a surface."""
    i, j = surface.chosen
    return Penalties(float(surface.lambda_1[i]), float(surface.lambda_2[j]), lambda_beta)


def averaged_penalties(
    surface: PenaltySurface,
    lambda_beta: float,
    polymers: int,
    unit: float = 1.0,
    log_likelihood: FloatArray | None = None,
) -> Penalties:
    """Return the mean of all pairs of a surface (of their logarithms), each weighed by how well it predicts.

    The lowest point of a flat surface is decided by noise, and for few polymers it may lie where the coefficients are
    hardly held at all. Read as the likelihood of a pair, ``error ** (-TRUST * polymers / 2)`` of its squared error, the
    surface says how much better one pair is than another, and the mean over it moves smoothly with the data. Where the
    restricted likelihood is known, it counts in full and the errors with ``TRUST_BESIDE``.

    Parameters
    ----------
    surface
        Its errors are those of polymers that were held out.
    lambda_beta
        Handed on.
    polymers
        How many were held out.
    unit
        Typical size of the values, target scale.
    log_likelihood
        (a, b) of every pair, see :mod:`affinecal_gui.calibration.cross_validation.restricted_likelihood`.
    """
    positive = surface.lambda_2[surface.lambda_2 > 0.0]
    if not len(positive):
        positive = np.ones(1)
    first, second = np.log(surface.lambda_1), np.log(np.maximum(surface.lambda_2, NO_PENALTY * positive.min()))
    error = np.maximum(surface.rmse, ROUNDING * unit)
    with np.errstate(over="ignore", invalid="ignore"):
        trust = TRUST if log_likelihood is None else TRUST_BESIDE
        likely = -trust * polymers * np.log(error) + CAUTION * first[:, np.newaxis]
        if log_likelihood is not None:
            likely = likely + log_likelihood
    likely = np.where(np.isfinite(likely), likely, -np.inf)
    if not np.isfinite(likely).any():
        return chosen_penalties(surface, lambda_beta)
    weight = np.exp(likely - likely.max())
    weight /= weight.sum()
    mean_1, mean_2 = float(weight.sum(axis=1) @ first), float(weight.sum(axis=0) @ second)
    smooth = float(np.exp(mean_2)) if surface.lambda_2.any() else 0.0
    return Penalties(float(np.exp(mean_1)), smooth, lambda_beta)
