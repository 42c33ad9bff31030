"""The linear calibrators, fitted to training parts: predictions, their relative spread, and what is left uncertain."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.calibrators.noise.noisy_md import corrected, correction_of
from affinecal_gui.calibration.calibrators.objectives.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import NOTHING, Fitted, LinearFitting, TrainingPart
from affinecal_gui.calibration.results import FloatArray, ModelName, Penalties
from affinecal_gui.calibration.solvers.dual_problems import FEW
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.task import UNWATCHED, Task

MOST_STACKED = 4_000_000
"""Descriptors that are copied at a time to fit training parts of equal size together; a larger part is fitted alone."""


def fitting_of(model: ModelName) -> LinearFitting:
    """Return how a linear calibrator is fitted; raise ValueError for one with kernels, or none."""
    how = calibrator(model).linear
    if how is None:
        raise ValueError(f"{model!r} is fitted with kernels, not to a training part")
    return how(model)


def fit_calibrator(
    model: ModelName,
    part: TrainingPart,
    penalties: Penalties | None = None,
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
) -> Fitted:
    """Fit one calibrator to one training part; ``penalties`` are needed by those that use descriptors."""
    one = fitting_of(model).fit(part, penalties, solver=solver, tolerance=tolerance, start=start)
    return _allowing_for_noise(one, part)


def fit_parts(
    model: ModelName,
    parts: Sequence[TrainingPart],
    penalties: Sequence[Penalties | None],
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    starts: Sequence[AffineFit | None] | None = None,
    task: Task = UNWATCHED,
) -> list[Fitted]:
    """Fit one calibrator to many training parts: as :func:`fit_calibrator` one by one, but equal sizes as one batch.

    A batch is solved downhill from beta = 0 and nowhere else. A single part is searched for its global minimum.
    """
    starts = [None] * len(parts) if starts is None else starts
    found: list[Fitted | None] = [None] * len(parts)
    batches: dict[tuple[int, float], list[int]] = {}
    fitting = fitting_of(model)
    batched = fitting.batches(solver) and len(parts) > 1
    for position, (part, own) in enumerate(zip(parts, penalties, strict=True)):
        n, d = part.Z.shape
        if batched and own is not None and n < max(d, FEW) and n * d <= MOST_STACKED:
            batches.setdefault((n, own.lambda_beta), []).append(position)
            continue
        task.check()
        found[position] = fitting.fit(part, own, solver=solver, tolerance=tolerance, start=starts[position])
    for members in batches.values():
        together = max(1, MOST_STACKED // max(1, parts[members[0]].Z.size))
        for some in (members[begin : begin + together] for begin in range(0, len(members), together)):
            task.check()
            chosen = [(parts[i], own) for i in some if (own := penalties[i]) is not None]
            for i, one in zip(some, fitting.fit_batch(chosen, tolerance, task), strict=True):
                found[i] = one
    return [_allowing_for_noise(one, part) for one, part in zip(found, parts, strict=True) if one is not None]


def _allowing_for_noise(fitted: Fitted, part: TrainingPart) -> Fitted:
    """Correct the slope of a fit for noise in the MD values, where there is any and a slope is fitted."""
    if part.noise is None or not calibrator(fitted.model).has_slope:
        return fitted
    return corrected(fitted, part, _posterior_of_fit(fitted, part), _slope_of(fitted.model))


def _slope_of(model: ModelName) -> int:
    """Return which of the parameters without a penalty is the slope."""
    return int(calibrator(model).has_offset)


def refit_with_weights(fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
    """Refit a calibrator to the same polymers with other weights (b, n); constants and penalties stay as they are."""
    found = fitting_of(fitted.model).refit_with_weights(fitted, part, weights)
    if part.noise is None:
        return found
    return [_allowing_for_noise(one, replace(part, weights=w)) for one, w in zip(found, weights, strict=True)]


def posterior(fitted: Fitted, part: TrainingPart) -> Posterior:
    """Return what the training part leaves uncertain about a fitted calibrator (not for the raw MD value)."""
    known = _posterior_of_fit(fitted, part)
    if part.noise is None or not calibrator(fitted.model).has_slope:
        return known
    return replace(known, correction=correction_of(part, known, _slope_of(fitted.model)))


def _posterior_of_fit(fitted: Fitted, part: TrainingPart) -> Posterior:
    """Return the same for the fit as it is before any correction for noise."""
    precision = NOTHING
    if len(fitted.c) and fitted.penalties is not None:
        precision = part.ridge(fitted.penalties.lambda_1, fitted.penalties.lambda_2).eigenvalues
        if calibrator(fitted.model).has_coupling:
            precision = np.append(precision, part.weights.sum() * fitted.penalties.lambda_beta)
    return Posterior(directions(fitted, part, part.f, part.Z), precision, part.weights)


def directions(fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray) -> Directions:
    """Return derivatives of k predictions, in units of ``unit``, by the parameters (gamma in smooth modes)."""
    t = (f - part.f_mean) / part.f_sd
    record = calibrator(fitted.model)
    flat = np.ones((len(f), 1)) if record.has_offset else np.zeros((len(f), 0))
    if record.has_slope:
        flat = np.column_stack([flat, t if record.has_offset else f / part.f_sd])
    if not len(fitted.c):
        return Directions(flat, np.zeros((len(f), 0)))
    modes = to_modes(np.ascontiguousarray(Z), part.sizes)
    if not record.has_coupling:
        return Directions(flat, modes)
    penalised = np.column_stack([(1.0 + fitted.b * t)[:, None] * modes, t * (Z @ fitted.c)])
    return Directions(flat, penalised)


def scatter_of_fit(fitted: Fitted, part: TrainingPart) -> float:
    """Return the variance, target scale, of a measurement of weight one, as the training part and the penalties tell it.

    Read as a prior, the penalties take part in it: it is the objective at its minimum for every measurement that is not
    spent on a parameter without a penalty (restricted likelihood).
    """
    record = calibrator(fitted.model)
    residuals = fitted.predict(part.f, part.Z) - part.y
    total = float(part.weights @ residuals**2)
    if len(fitted.c) and fitted.penalties is not None:
        own = fitted.penalties
        rough = part.ridge(own.lambda_1, own.lambda_2).quadratic_form(fitted.c)
        if record.has_coupling:
            rough += float(part.weights.sum()) * own.lambda_beta * fitted.b**2
        total += fitted.unit**2 * rough
    spent = int(record.has_offset) + int(record.has_slope)
    return total / max(len(part.y) - spent, 1)


def log_evidence(fitted: Fitted, part: TrainingPart) -> float:
    """Return how likely the measurements of a part are under the penalties of a fit to it, read as a prior; logarithm.

    It is the restricted likelihood with the scatter at its best, :func:`scatter_of_fit`, up to a constant that all penalties
    share; beta enters by its direction at the fit.
    """
    record = calibrator(fitted.model)
    left = max(len(part.y) - int(record.has_offset) - int(record.has_slope), 1)
    scatter = scatter_of_fit(fitted, part)
    if scatter <= 0.0:
        return float("inf")
    return -0.5 * (left * float(np.log(scatter)) + _posterior_of_fit(fitted, part).log_determinants())
