"""How far measurements may lie from a regression line that knows nothing of the structure of polymers.

What the line leaves out is a function of the descriptors, which the penalised calibrators estimate. Read as a prior, as in
:mod:`affinecal_gui.calibration.calibrators.posterior`, their penalty says how large that function may be for any polymer,
and how alike it is for two. From this follows exactly how far the line that was fitted to some polymers may be off for
another one: about as far as for those of the fit if it resembles them, and the farther the less it does.
"""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, solve_triangular

from affinecal_gui.calibration.calibrators.noise.noisy_md import line_noise
from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.results import FloatArray, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import to_modes


def line_variance(
    part: TrainingPart, penalties: Penalties, f: FloatArray, Z: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return how far new measurements may lie from the line fitted to a part, their own scatter apart.

    Parameters
    ----------
    part
        n polymers to which y = alpha_0 + alpha_1 f was fitted.
    penalties
        Of a calibrator with descriptors, fitted to the same part, read as a prior.
    f, Z
        (k,) MD values and (k, d) standardised descriptors; a polymer whose descriptors are nan counts like the most unusual
        one of the part.

    Returns
    -------
    (k,) variance of what the line leaves out, and (k,) of its parameters, in units of the scatter of a measurement of
    weight one, squared.
    """
    form = line_form(part, penalties)
    known = np.asarray(np.isfinite(Z).all(axis=1))
    modes = to_modes(np.where(known[:, None], Z, 0.0), part.sizes)
    here = np.column_stack([np.ones(len(f)), (f - part.f_mean) / part.f_sd])
    size = np.where(known, ((modes * form.prior) ** 2).sum(axis=1), form.largest)
    shared = np.where(known, (here * (modes @ form.shared.T)).sum(axis=1), 0.0)
    left_out = size - 2.0 * shared + ((here @ form.left_out) * here).sum(axis=1)
    return np.asarray(left_out), np.asarray(((here @ form.estimated) * here).sum(axis=1))


@dataclass(frozen=True, slots=True, eq=False)
class LineForm:
    """What a part says of the line fitted to it, for any polymer with h = (1, t) and smooth modes m.

    The variance of what the line leaves out is ``|prior * m|^2 - 2 h' (shared m) + h' left_out h``, that of what it says
    ``h' estimated h``.
    """

    prior: FloatArray  # (d,) prior standard deviations of the modes
    shared: FloatArray  # (2, d)
    left_out: FloatArray  # (2, 2)
    estimated: FloatArray  # (2, 2)
    largest: float  # the size of the most unusual polymer of the part

    @property
    def of_line(self) -> FloatArray:
        """(2, 2) form of all that follows from the MD value alone."""
        return self.left_out + self.estimated


def line_form(part: TrainingPart, penalties: Penalties) -> LineForm:
    """Return what does not depend on the polymers that come; parameters as of :func:`line_variance`."""
    prior = 1.0 / np.sqrt(part.ridge(penalties.lambda_1, penalties.lambda_2).eigenvalues)
    modes = to_modes(part.Z, part.sizes) * prior  # K = modes modes' is the covariance of what the line leaves out
    line = np.column_stack([np.ones(len(part.y)), part.t])
    weighted = part.weights[:, None] * line
    share = np.linalg.pinv(line.T @ weighted, hermitian=True) @ weighted.T  # (2, n) of each measurement in the line
    if part.noise is not None:
        share = _as_corrected(part) @ share
    across = share @ modes
    largest = float((modes**2).sum(axis=1).max())
    return LineForm(prior, across * prior, across @ across.T, (share / part.weights) @ share.T, largest)


def line_scatter(part: TrainingPart, penalties: Penalties) -> float:
    """Return the variance, target scale, of a measurement of weight one: the unit of :func:`line_variance`.

    It is what restricted likelihood makes of the measurements of the part, by the same prior.
    """
    deviation = 1.0 / np.sqrt(part.ridge(penalties.lambda_1, penalties.lambda_2).eigenvalues)
    own = to_modes(part.Z, part.sizes) * deviation
    line = np.column_stack([np.ones(len(part.y)), part.t])
    factor = cho_factor(np.diag(1.0 / part.weights) + own @ own.T, lower=True)[0]
    white = solve_triangular(factor, np.column_stack([line, part.y]), lower=True)
    residuals = white[:, 2] - white[:, :2] @ (np.linalg.pinv(white[:, :2]) @ white[:, 2])
    return float(residuals @ residuals) / max(len(part.y) - 2, 1)


def _as_corrected(part: TrainingPart) -> FloatArray:
    """(2, 2) matrix that makes intercept and slope of least squares those that are corrected for noise in the MD values."""
    factor = line_noise(part).factor
    middle = float(np.average(part.t, weights=part.weights))
    return np.array([[1.0, (1.0 - factor) * middle], [0.0, factor]])
