"""The linear calibrators, fitted to training parts: predictions, their relative spread, and what is left uncertain."""

from collections.abc import Sequence

import numpy as np

from affinecal_gui.calibration.calibrators.affine import AffineFit, Solver
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior
from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import NOTHING, Fitted, LinearFitting, TrainingPart
from affinecal_gui.calibration.results import FloatArray, ModelName, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.task import UNWATCHED, Task

MOST_STACKED = 4_000_000
"""Descriptors that are copied to fit training parts of equal size as one batch; larger ones are fitted one by one."""


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
    return fitting_of(model).fit(part, penalties, solver=solver, tolerance=tolerance, start=start)


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
        if batched and own is not None and n < d and n * d * len(parts) <= MOST_STACKED:
            batches.setdefault((n, own.lambda_beta), []).append(position)
            continue
        task.check()
        found[position] = fitting.fit(part, own, solver=solver, tolerance=tolerance, start=starts[position])
    for members in batches.values():
        task.check()
        chosen = [(parts[i], own) for i in members if (own := penalties[i]) is not None]
        for i, one in zip(members, fitting.fit_batch(chosen, tolerance, task), strict=True):
            found[i] = one
    return [one for one in found if one is not None]


def refit_with_weights(fitted: Fitted, part: TrainingPart, weights: FloatArray) -> list[Fitted]:
    """Refit a calibrator to the same polymers with other weights (b, n); constants and penalties stay as they are."""
    return fitting_of(fitted.model).refit_with_weights(fitted, part, weights)


def posterior(fitted: Fitted, part: TrainingPart) -> Posterior:
    """Return what the training part leaves uncertain about a fitted calibrator (not for the raw MD value)."""
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


def relative_spread(
    fitted: Fitted, part: TrainingPart, f: FloatArray, Z: FloatArray, weights: FloatArray
) -> FloatArray:
    """(k,) spread of new measurements of these weights, in units of the scatter of one measurement of weight one."""
    if calibrator(fitted.model).is_raw:
        return np.asarray(1.0 / np.sqrt(weights))
    known = posterior(fitted, part)
    return np.asarray(np.sqrt(1.0 / weights + known.variance(directions(fitted, part, f, Z))))
