"""The calibrators, fitted to training parts: predictions, their relative spread, and parameters on natural scales."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.affine import AffineFit, AffineFits, Solver, fit_affine, fit_affine_many
from affinecal_gui.calibration.calibrators.log_difference import fit_log_difference
from affinecal_gui.calibration.calibrators.ordinary import fit_ordinary
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior
from affinecal_gui.calibration.data.scale import DescriptorScale, learn_scale
from affinecal_gui.calibration.results import Convergence, FloatArray, ModelName, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, from_modes, to_modes
from affinecal_gui.progress import CancelCheck, never, stop_if

CLOSED_FORM = Convergence("closed form", 0, True)
NOTHING: FloatArray = np.zeros(0)

MOST_STACKED = 4_000_000
"""Descriptors that are copied to fit training parts of equal size as one batch; larger ones are fitted one by one."""


@dataclass(frozen=True, slots=True)
class TrainingPart:
    """The polymers a calibrator learns from, and all constants that are learned from them before it is fitted.

    The affine model sees ``(f - f_mean) / f_sd`` and ``y / unit``. f is standardised as in the paper, so that beta and
    its penalty mean the same for every property; ``unit`` is 1 on a logarithmic scale and the root mean square of y on a
    linear one, so that the result does not depend on the unit of the property.
    """

    y: FloatArray  # (n,) target scale
    f: FloatArray  # (n,)
    Z: FloatArray  # (n, d) standardised descriptors
    sizes: tuple[int, ...]
    weights: FloatArray  # (n,)
    f_mean: float
    f_sd: float
    unit: float
    block_factors: tuple[float, ...] = ()  # by which the penalties of each block are multiplied; empty for 1

    def ridge(self, lambda_1: float, lambda_2: float) -> FusedRidge:
        """Return the penalty of gamma."""
        if not self.block_factors:
            return FusedRidge(self.sizes, lambda_1, lambda_2)
        factors = np.array(self.block_factors)
        return FusedRidge(self.sizes, lambda_1 * factors, lambda_2 * factors)

    @property
    def t(self) -> FloatArray:
        """(n,) standardised MD values."""
        return (self.f - self.f_mean) / self.f_sd


def training_part(
    y: FloatArray,
    f: FloatArray,
    Z: FloatArray,
    sizes: tuple[int, ...],
    weights: FloatArray | None,
    log_scale: bool,
    md_scale: DescriptorScale | None = None,
    block_factors: tuple[float, ...] = (),
) -> TrainingPart:
    """Collect a training part and learn its constants, unless ``md_scale`` (of one column) gives those of f."""
    w = np.ones(len(y)) if weights is None else weights
    if md_scale is None:
        md_scale = learn_scale(f[:, None], (1,), weights)
    unit = 1.0
    if not log_scale and y.any():
        largest = float(np.abs(y).max())
        unit = largest * float(np.sqrt(np.average((y / largest) ** 2, weights=w)))
    return TrainingPart(y, f, Z, sizes, w, float(md_scale.mean[0]), float(md_scale.scale[0]), unit, block_factors)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted calibrator: ``y = unit (a0 + a1 t + sign (1 + b t) z' c)``, t the standardised MD value.

    z are standardised descriptors. ``alpha_0``, ``alpha_1``, ``beta`` and ``gamma`` are the same model on natural
    scales: ``y = alpha_0 + alpha_1 f + sign (1 + beta f) z' gamma``.
    """

    model: ModelName
    a0: float
    a1: float
    b: float
    c: FloatArray  # (d,) empty without descriptors
    f_mean: float = 0.0
    f_sd: float = 1.0
    unit: float = 1.0
    sign: int = 1
    penalties: Penalties | None = None
    convergence: Convergence | None = None

    def predict(self, f: FloatArray, Z: FloatArray) -> FloatArray:
        """(k,) calibrated values, target scale; Z is not looked at by calibrators without descriptors."""
        return self.value(f, Z @ self.c if len(self.c) else 0.0)

    def value(self, f: FloatArray, zc: FloatArray | float) -> FloatArray:
        """(k,) calibrated values, target scale, of polymers whose ``z' c`` is known."""
        t = (f - self.f_mean) / self.f_sd
        return np.asarray(self.unit * (self.a0 + self.a1 * t + self.sign * (1.0 + self.b * t) * zc))

    @property
    def natural_factor(self) -> float:
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
        return self.b / self.f_sd / self.natural_factor if self.natural_factor else float("inf") * np.sign(self.b)

    @property
    def gamma(self) -> FloatArray:
        """(d,) coefficients, target scale per standard unit."""
        return self.unit * self.natural_factor * self.c


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
    if model == "md":
        return Fitted("md", 0.0, 1.0, 0.0, NOTHING)
    if model == "log_difference":
        if penalties is None or not part.Z.shape[1]:
            shift = float(np.average(part.y - part.f, weights=part.weights))
            return Fitted(model, shift, 1.0, 0.0, NOTHING, convergence=CLOSED_FORM)
        penalty = part.ridge(penalties.lambda_1, penalties.lambda_2)
        difference = fit_log_difference(part.Z, part.f, part.y, penalty, part.weights)
        return Fitted(
            model,
            difference.intercept,
            1.0,
            0.0,
            difference.gamma,
            penalties=penalties,
            convergence=CLOSED_FORM,
        )
    constants = (part.f_mean, part.f_sd, part.unit)
    if model == "ordinary" or penalties is None or not part.Z.shape[1]:
        line = fit_ordinary(part.t, part.y / part.unit, part.weights)
        sign = -1 if model == "affine" else 1
        return Fitted(model, line.alpha_0, line.alpha_1, 0.0, NOTHING, *constants, sign, None, CLOSED_FORM)
    affine = fit_affine(
        part.Z,
        part.t,
        part.y / part.unit,
        part.ridge(penalties.lambda_1, penalties.lambda_2),
        penalties.lambda_beta,
        solver=solver,
        tolerance=tolerance,
        start=start,
        weights=part.weights,
    )
    return Fitted(
        model, affine.alpha_0, affine.alpha_1, affine.beta, affine.gamma, *constants, -1, penalties, affine.convergence
    )


def fit_parts(
    model: ModelName,
    parts: Sequence[TrainingPart],
    penalties: Sequence[Penalties | None],
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    starts: Sequence[AffineFit | None] | None = None,
    cancelled: CancelCheck = never,
) -> list[Fitted]:
    """Fit one calibrator to many training parts: as :func:`fit_calibrator` one by one, but equal sizes as one batch."""
    starts = [None] * len(parts) if starts is None else starts
    found: list[Fitted | None] = [None] * len(parts)
    batches: dict[tuple[int, float], list[int]] = {}
    batched = model == "log_difference" or (model == "affine" and solver == "direct")
    for position, (part, own) in enumerate(zip(parts, penalties, strict=True)):
        n, d = part.Z.shape
        if batched and own is not None and n < d and n * d * len(parts) <= MOST_STACKED:
            batches.setdefault((n, own.lambda_beta), []).append(position)
            continue
        stop_if(cancelled)
        found[position] = fit_calibrator(model, part, own, solver=solver, tolerance=tolerance, start=starts[position])
    for (_, lambda_beta), members in batches.items():
        stop_if(cancelled)
        chosen = [(parts[i], own) for i in members if (own := penalties[i]) is not None]
        if model == "log_difference":
            for i, one in zip(members, _difference_batch(chosen, cancelled), strict=True):
                found[i] = one
            continue
        fits = fit_affine_many(
            np.stack([part.Z for part, _ in chosen]),
            np.stack([part.t for part, _ in chosen]),
            np.stack([part.y / part.unit for part, _ in chosen]),
            _penalties_of(chosen),
            lambda_beta,
            solver=solver,
            tolerance=tolerance,
            weights=np.stack([part.weights for part, _ in chosen]),
            cancelled=cancelled,
        )
        for k, (i, (part, own)) in enumerate(zip(members, chosen, strict=True)):
            found[i] = _from_batch(fits, k, part, own)
    return [one for one in found if one is not None]


def _difference_batch(chosen: Sequence[tuple[TrainingPart, Penalties]], cancelled: CancelCheck) -> list[Fitted]:
    """Fit the log-difference model to b parts of n < d polymers each, as n equations per part."""
    sizes = chosen[0][0].sizes
    weights = np.stack([part.weights for part, _ in chosen])
    difference = np.stack([part.y - part.f for part, _ in chosen])
    modes = to_modes(np.stack([part.Z for part, _ in chosen]), sizes)
    stop_if(cancelled)
    penalty = _penalties_of(chosen)
    eigenvalues = np.stack([one.eigenvalues for one in ([penalty] if isinstance(penalty, FusedRidge) else penalty)])
    root = np.sqrt(weights)
    intercept = (weights * difference).sum(axis=1) / weights.sum(axis=1)
    smooth = modes / eigenvalues[:, None, :]
    system = root[:, :, None] * (smooth @ modes.transpose(0, 2, 1)) * root[:, None, :]
    stop_if(cancelled)
    n = system.shape[1]
    system[:, np.arange(n), np.arange(n)] += 1.0
    solved = np.linalg.solve(system, (root * (difference - intercept[:, None]))[:, :, None])[:, :, 0]
    stop_if(cancelled)
    gamma = from_modes(((root * solved)[:, None, :] @ smooth)[:, 0], sizes)
    return [
        Fitted("log_difference", float(intercept[k]), 1.0, 0.0, gamma[k], penalties=own, convergence=CLOSED_FORM)
        for k, (_, own) in enumerate(chosen)
    ]


def _penalties_of(chosen: Sequence[tuple[TrainingPart, Penalties]]) -> FusedRidge | list[FusedRidge]:
    """Build one penalty for all parts if they share it, else one for each."""
    made = {(own.lambda_1, own.lambda_2): part.ridge(own.lambda_1, own.lambda_2) for part, own in chosen}
    if len(made) == 1:
        return next(iter(made.values()))
    return [made[own.lambda_1, own.lambda_2] for _, own in chosen]


def _from_batch(fits: AffineFits, k: int, part: TrainingPart, penalties: Penalties) -> Fitted:
    return Fitted(
        "affine",
        float(fits.alpha_0[k]),
        float(fits.alpha_1[k]),
        float(fits.beta[k]),
        fits.gamma[k],
        part.f_mean,
        part.f_sd,
        part.unit,
        -1,
        penalties,
        Convergence("direct", int(fits.iterations[k]), bool(fits.converged[k])),
    )


def refit_with_weights(fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
    """Refit a calibrator to the same polymers with other weights (b, n); constants and penalties stay as they are."""
    penalties = fitted.penalties
    if penalties is None or not len(fitted.c):
        return [
            fit_calibrator(
                fitted.model,
                replace(part, weights=w),
                penalties,
            )
            for w in weights
        ]
    penalty = part.ridge(penalties.lambda_1, penalties.lambda_2)
    if fitted.model == "affine":
        fits = fit_affine_many(part.Z, part.t, part.y / part.unit, penalty, penalties.lambda_beta, weights=weights)
        return [_from_batch(fits, k, part, penalties) for k in range(len(weights))]
    difference = part.y - part.f
    intercept = weights @ difference / weights.sum(axis=1)
    target = difference - intercept[:, None]
    modes = to_modes(part.Z, part.sizes)
    n, d = part.Z.shape
    if n < d:
        root = np.sqrt(weights)
        smooth = modes / penalty.eigenvalues
        system = root[:, :, None] * (smooth @ modes.T) * root[:, None, :]
        system[:, np.arange(n), np.arange(n)] += 1.0
        solved = np.linalg.solve(system, (root * target)[:, :, None])[:, :, 0]
        coefficients = (root * solved) @ smooth
    else:
        coefficients = np.empty((len(weights), d))
        for k, w in enumerate(weights):
            system = modes.T @ (w[:, None] * modes)
            system[np.diag_indices(d)] += penalty.eigenvalues
            coefficients[k] = np.linalg.solve(system, modes.T @ (w * target[k]))
    gamma = from_modes(coefficients, part.sizes)
    return [
        Fitted(fitted.model, float(intercept[k]), 1.0, 0.0, gamma[k], penalties=penalties, convergence=CLOSED_FORM)
        for k in range(len(weights))
    ]


def posterior(fitted: Fitted, part: TrainingPart) -> Posterior:
    """Return what the training part leaves uncertain about a fitted calibrator (not for the raw MD value)."""
    precision = NOTHING
    if len(fitted.c) and fitted.penalties is not None:
        precision = part.ridge(fitted.penalties.lambda_1, fitted.penalties.lambda_2).eigenvalues
        if fitted.model == "affine":
            precision = np.append(precision, part.weights.sum() * fitted.penalties.lambda_beta)
    return Posterior(directions(fitted, part, part.f, part.Z), precision, part.weights)


def directions(fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray) -> Directions:
    """Return derivatives of k predictions, in units of ``unit``, by the parameters (gamma in smooth modes)."""
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
        return np.asarray(1.0 / np.sqrt(weights))
    known = posterior(fitted, part)
    return np.asarray(np.sqrt(1.0 / weights + known.variance(directions(fitted, part, f, Z))))
