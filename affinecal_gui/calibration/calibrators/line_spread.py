"""How far measurements may lie from a regression line that knows nothing of the structure of polymers.

What the line leaves out is a function of the descriptors, which the penalised calibrators estimate. Read as a prior, as in
:mod:`affinecal_gui.calibration.calibrators.posterior`, their penalty says how large that function may be for any polymer,
and how alike it is for two. From this follows exactly how far the line that was fitted to some polymers may be off for
another one: about as far as for those of the fit if it resembles them, and the farther the less it does.
"""

import numpy as np
from scipy.linalg import cho_factor, solve_triangular

from affinecal_gui.calibration.calibrators.noisy_md import line_noise
from affinecal_gui.calibration.calibrators.prior import prior_penalties
from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.results import FloatArray, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import to_modes


def line_spread(
    part: TrainingPart, penalties: Penalties, polymers: int, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    """(k,) spread of new measurements about the line fitted to a part, in units of the scatter of one of weight one.

    Parameters
    ----------
    part
        n polymers to which y = alpha_0 + alpha_1 f was fitted.
    penalties
        Of a calibrator with descriptors, fitted to the same part.
    polymers
        How many different ones the part has.
    f, Z
        (k,) MD values and (k, d) standardised descriptors; a polymer whose descriptors are nan counts like the most unusual
        one of the part.
    weights
        (k,) of the new measurements.
    """
    left_out, estimated = line_variance(part, penalties, polymers, f, Z)
    return np.asarray(np.sqrt(1.0 / weights + np.maximum(left_out + estimated, 0.0)))


def line_variance(
    part: TrainingPart, penalties: Penalties, polymers: int, f: FloatArray, Z: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return the variance of :func:`line_spread`, measurement apart: what the line leaves out, and how its parameters err.

    Returns
    -------
    (k,) each, in units of the scatter of a measurement of weight one, squared.
    """
    prior = prior_penalties(penalties, polymers)
    deviation = 1.0 / np.sqrt(part.ridge(prior.lambda_1, prior.lambda_2).eigenvalues)
    own = to_modes(part.Z, part.sizes) * deviation  # K = own own' is the covariance of what the line leaves out
    known = np.asarray(np.isfinite(Z).all(axis=1))
    new = to_modes(np.where(known[:, None], Z, 0.0), part.sizes) * deviation
    line = np.column_stack([np.ones(len(part.y)), part.t])
    weighted = part.weights[:, None] * line
    here = np.column_stack([np.ones(len(f)), (f - part.f_mean) / part.f_sd])
    if part.noise is not None:
        here = here @ _as_corrected(part)
    share = (
        here @ np.linalg.pinv(line.T @ weighted, hermitian=True) @ weighted.T
    )  # (k, n) of each measurement in the line
    size = np.where(known, (new**2).sum(axis=1), (own**2).sum(axis=1).max())
    shared = np.where(known, (share * (new @ own.T)).sum(axis=1), 0.0)
    left_out = size - 2.0 * shared + ((share @ own) ** 2).sum(axis=1)
    return np.asarray(left_out), np.asarray((share**2 / part.weights).sum(axis=1))


def line_scatter(part: TrainingPart, penalties: Penalties, polymers: int) -> float:
    """Return the variance, target scale, of a measurement of weight one: the unit of :func:`line_spread`.

    It is what restricted likelihood makes of the measurements of the part, by the same prior.
    """
    prior = prior_penalties(penalties, polymers)
    deviation = 1.0 / np.sqrt(part.ridge(prior.lambda_1, prior.lambda_2).eigenvalues)
    own = to_modes(part.Z, part.sizes) * deviation
    line = np.column_stack([np.ones(len(part.y)), part.t])
    factor = cho_factor(np.diag(1.0 / part.weights) + own @ own.T, lower=True)[0]
    white = solve_triangular(factor, np.column_stack([line, part.y]), lower=True)
    residuals = white[:, 2] - white[:, :2] @ (np.linalg.pinv(white[:, :2]) @ white[:, 2])
    return float(residuals @ residuals) / max(len(part.y) - 2, 1)


def line_spread_form(part: TrainingPart, penalties: Penalties, polymers: int) -> FloatArray:
    """Return the variance of :func:`line_spread`, measurement apart, as a quadratic form: what a part says of any polymer.

    Returns
    -------
    (2 + d, 2 + d) matrix Q of which the variance is v'Qv, v = (1, t, smooth modes of z).
    """
    own = prior_penalties(penalties, polymers)
    prior = 1.0 / part.ridge(own.lambda_1, own.lambda_2).eigenvalues
    modes = to_modes(part.Z, part.sizes)
    line = np.column_stack([np.ones(len(part.y)), part.t])
    weighted = part.weights[:, None] * line
    share = np.linalg.pinv(line.T @ weighted, hermitian=True) @ weighted.T  # (2, n) of each measurement in the line
    if part.noise is not None:
        share = _as_corrected(part) @ share
    across = share @ (modes * prior)
    of_line = across @ (share @ modes).T + (share / part.weights) @ share.T
    return np.block([[of_line, -across], [-across.T, np.diag(prior)]])


def _as_corrected(part: TrainingPart) -> FloatArray:
    """(2, 2) matrix that makes intercept and slope of least squares those that are corrected for noise in the MD values."""
    factor = line_noise(part).factor
    middle = float(np.average(part.t, weights=part.weights))
    return np.array([[1.0, (1.0 - factor) * middle], [0.0, factor]])
