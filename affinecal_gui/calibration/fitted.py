"""One calibrator, fitted to one training part: predictions, their relative spread, and parameters on natural scales."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.affine import AffineFit, Solver, fit_affine
from affinecal_gui.calibration.fused_ridge import FusedRidge, to_modes
from affinecal_gui.calibration.log_difference import fit_log_difference
from affinecal_gui.calibration.ordinary import fit_ordinary
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties
from affinecal_gui.calibration.spread import Directions, Posterior

CLOSED_FORM = Convergence("closed form", 0, True)


@dataclass(frozen=True, slots=True)
class TrainingPart:
    """The polymers a calibrator learns from, and all constants that are learned from them before it is fitted.

    The affine model sees ``(f - f_mean) / f_sd`` and ``y / unit``. f is standardised as in the paper, so that beta and its
    penalty mean the same for every property; ``unit`` is 1 on a logarithmic scale and the root mean square of y on a linear
    one, so that the result does not depend on the unit of the property.
    """

    y: FloatArray  # (n,) target scale
    f: FloatArray  # (n,)
    Z: FloatArray  # (n, d) standardised descriptors
    sizes: tuple[int, ...]
    weights: FloatArray  # (n,)
    f_mean: float
    f_sd: float
    unit: float

    @property
    def t(self) -> FloatArray:
        """(n,) standardised MD values."""
        return (self.f - self.f_mean) / self.f_sd


def training_part(
    y: FloatArray, f: FloatArray, Z: FloatArray, sizes: tuple[int, ...], weights: FloatArray | None, log_scale: bool
) -> TrainingPart:
    """Collect a training part and learn its constants; equal MD values are left unscaled."""
    w = np.ones(len(y)) if weights is None else weights
    mean, sd = float(f.mean()), float(f.std(ddof=1))
    if sd <= 1e-12 * abs(mean) or sd == 0.0:
        sd = 1.0 if log_scale else max(abs(mean), 1e-300)
    unit = (
        1.0 if log_scale else float(np.sqrt(np.mean((y / np.abs(y).max()) ** 2)) * np.abs(y).max()) if y.any() else 1.0
    )
    return TrainingPart(y, f, Z, sizes, w, mean, sd, unit)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted calibrator: ``y = unit (a0 + a1 t + sign (1 + b t) z' c)``, t the standardised MD value.

    z are standardised descriptors. ``alpha_0``, ``alpha_1``, ``beta`` and ``gamma`` are the same model on natural scales:
    ``y = alpha_0 + alpha_1 f + sign (1 + beta f) z' gamma``.
    """

    model: ModelName
    a0: float
    a1: float
    b: float
    c: FloatArray  # (d,) empty without descriptors
    f_mean: float
    f_sd: float
    unit: float
    sign: int
    penalties: Penalties | None
    convergence: Convergence | None

    def predict(self, f: FloatArray, Z: FloatArray) -> FloatArray:
        """(k,) calibrated values, target scale; Z is not looked at by calibrators without descriptors."""
        if self.model == "md":
            return np.array(f)
        t = (f - self.f_mean) / self.f_sd
        value = self.a0 + self.a1 * t
        if len(self.c):
            value = value + self.sign * (1.0 + self.b * t) * (Z @ self.c)
        return self.unit * value

    @property
    def _factor(self) -> float:
        """1 + b t = factor (1 + beta f)."""
        return 1.0 - self.b * self.f_mean / self.f_sd

    @property
    def alpha_1(self) -> float:
        """Weight of the MD value."""
        return self.unit * self.a1 / self.f_sd

    @property
    def alpha_0(self) -> float:
        """Offset, target scale."""
        return self.unit * (self.a0 - self.a1 * self.f_mean / self.f_sd)

    @property
    def beta(self) -> float:
        """Coupling of the correction to the MD value; infinite when the correction vanishes at f = 0."""
        return float(np.divide(self.b / self.f_sd, self._factor)) if self._factor else np.inf * np.sign(self.b)

    @property
    def gamma(self) -> FloatArray:
        """(d,) coefficients, target scale per standard unit."""
        return self.unit * self._factor * self.c


def fit_calibrator(
    model: ModelName,
    part: TrainingPart,
    penalties: Penalties | None = None,
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
) -> Fitted:
    """Fit one calibrator to one training part; ``penalties`` are needed by the two that use descriptors."""
    constants = (part.f_mean, part.f_sd, part.unit)
    nothing = np.zeros(0)
    if model == "md":
        return Fitted("md", 0.0, 1.0, 0.0, nothing, 0.0, 1.0, 1.0, 1, None, None)
    if penalties is None or model == "ordinary" or not part.Z.shape[1]:
        if model == "log_difference":
            shift = float(np.average(part.y - part.f, weights=part.weights))
            # On natural scales: alpha_1 = 1 exactly.
            return Fitted(model, shift, 1.0, 0.0, nothing, 0.0, 1.0, 1.0, 1, None, CLOSED_FORM)
        line = fit_ordinary(part.t, part.y / part.unit, part.weights)
        sign = -1 if model == "affine" else 1
        return Fitted(model, line.alpha_0, line.alpha_1, 0.0, nothing, *constants, sign, None, CLOSED_FORM)
    penalty = FusedRidge(part.sizes, penalties.lambda_1, penalties.lambda_2)
    if model == "log_difference":
        difference = fit_log_difference(part.Z, part.f, part.y, penalty, part.weights)
        return Fitted(model, difference.intercept, 1.0, 0.0, difference.gamma, 0.0, 1.0, 1.0, 1, penalties, CLOSED_FORM)
    affine = fit_affine(
        part.Z,
        part.t,
        part.y / part.unit,
        penalty,
        penalties.lambda_beta,
        solver=solver,
        tolerance=tolerance,
        start=start,
        weights=part.weights,
    )
    return Fitted(
        model, affine.alpha_0, affine.alpha_1, affine.beta, affine.gamma, *constants, -1, penalties, affine.convergence
    )


def posterior(fitted: Fitted, part: TrainingPart) -> Posterior:
    """Return what the training part leaves uncertain about a fitted calibrator (not for the raw MD value)."""
    precision = np.zeros(0)
    if len(fitted.c) and fitted.penalties is not None:
        precision = FusedRidge(part.sizes, fitted.penalties.lambda_1, fitted.penalties.lambda_2).eigenvalues
        if fitted.model == "affine":
            precision = np.append(precision, part.weights.sum() * fitted.penalties.lambda_beta)
    return Posterior(directions(fitted, part, part.f, part.Z), precision, part.weights)


def directions(fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray) -> Directions:
    """Derivatives of k predictions, in units of ``unit``, with respect to the parameters (gamma in smooth modes)."""
    t = (f - part.f_mean) / part.f_sd
    one = np.ones((len(f), 1))
    flat = one if fitted.model == "log_difference" else np.column_stack([one[:, 0], t])
    if not len(fitted.c):
        return Directions(flat, np.zeros((len(f), 0)))
    modes = to_modes(np.ascontiguousarray(Z), part.sizes)
    if fitted.model == "log_difference":
        return Directions(flat, modes)
    penalised = np.column_stack([(1.0 + fitted.b * t)[:, None] * modes, t * (Z @ fitted.c)])
    return Directions(flat, penalised)


def relative_spread(
    fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    """(k,) spread of new measurements of these weights, in units of the scatter of one measurement of weight one."""
    if fitted.model == "md":
        return 1.0 / np.sqrt(weights)
    known = posterior(fitted, part)
    return np.sqrt(1.0 / weights + known.variance(directions(fitted, part, f, Z)))
