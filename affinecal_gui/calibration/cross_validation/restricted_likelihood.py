"""How likely the measurements of a training part are under every pair of penalties of a grid, read as a prior.

y = H alpha + z'gamma + noise with gamma of the covariance Lambda^-1 and noise of 1/w, both in units of an unknown scatter.
With V = I + W^1/2 Z Lambda^-1 Z' W^1/2, P the matrix that takes the directions of H out of V^-1, and p of these,

    ln L = -1/2 [(n - p) ln(y'P y) + ln |V| + ln |H'V^-1 H|]

is the restricted likelihood with the scatter at its best, up to a constant that all pairs share (Patterson and Thompson,
Biometrika 58, 1971, 545-554; Harville, Journal of the American Statistical Association 72, 1977, 320-338). Held-out errors
ask how well each polymer is predicted by all others; this asks how well each is by those before it, which for few polymers
tells more of how large and how smooth coefficients are. The coupling of the affine calibrator is left out: its penalty leaves
little of it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.cross_validation.resampling import Resampling
from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.calibration.solvers.fused_ridge import to_modes
from affinecal_gui.calibration.solvers.primal_problems import descriptor_moments
from affinecal_gui.task import UNWATCHED, Task

TOGETHER = 32
"""Pairs of penalties whose matrices are held at a time."""

ROUNDING = 1e-12
"""Residuals below this share of the unit of the values are rounding."""

INDEPENDENT = 1e-9
"""Directions without a penalty below this share of the largest are none: equal MD values leave the slope open."""


@dataclass(frozen=True, slots=True)
class _Whitened:
    """Products of k weighted columns with V^-1 in between, and ln |V|, of g pairs."""

    products: FloatArray  # (g, k, k)
    log_determinant: FloatArray  # (g,)


def log_likelihoods(
    models: Sequence[ModelName], part: TrainingPart, data: Resampling, *, task: Task = UNWATCHED
) -> dict[ModelName, FloatArray]:
    """Return ln L of all pairs of penalties, of several calibrators that share the matrices.

    Parameters
    ----------
    models
        Calibrators whose correction is linear in the descriptors.
    part
        n polymers, each of them once (:meth:`TrainingPart.by_polymer`).
    data
        The descriptors and weights of the same polymers, and g pairs of penalties.

    Returns
    -------
    (g,) array of each; minus infinity where rounding leaves nothing to judge by.
    """
    if not models:
        return {}
    root = np.sqrt(part.weights)
    asked = [_asked(model, part, root) for model in models]
    ends = np.cumsum([0, *(one.shape[1] for one in asked)])
    together = np.concatenate(asked, axis=1)
    chunks = _whitened_by_polymers(data, together) if data.dual else _whitened_by_descriptors(data, root, together)
    found: dict[ModelName, list[FloatArray]] = {model: [] for model in models}
    for whitened in chunks:
        task.check()
        for model, begin, end in zip(models, ends[:-1], ends[1:], strict=True):
            products = whitened.products[:, begin:end, begin:end]
            found[model].append(_log_likelihood(products, whitened.log_determinant, len(root)))
    likely = {model: np.concatenate(values) for model, values in found.items()}
    return {model: np.where(np.isfinite(values), values, -np.inf) for model, values in likely.items()}


def _asked(model: ModelName, part: TrainingPart, root: FloatArray) -> FloatArray:
    """(n, p + 1) directions of a calibrator without a penalty, orthonormal, and its target, all weighted."""
    record = calibrator(model)
    flat = [np.ones(len(root))] if record.has_offset else []
    if record.has_slope:
        flat.append(part.t if record.has_offset else part.f / part.f_sd)
    target = part.y if record.has_slope else part.y - part.f
    if record.has_offset:
        target = target - np.average(target, weights=part.weights)
    H = _independent(root[:, None] * np.stack(flat, axis=1)) if flat else np.zeros((len(root), 0))
    return np.column_stack([H, root * target / part.unit])


def _log_likelihood(products: FloatArray, log_determinant: FloatArray, polymers: int) -> FloatArray:
    """(g,) ln L from products (g, p + 1, p + 1) of directions and target with V^-1 in between, and ln |V| (g,)."""
    p = products.shape[1] - 1
    gram, across = products[:, :p, :p], products[:, :p, p:]
    solved = np.linalg.solve(gram, across) if p else across
    left = products[:, p, p] - (across * solved).sum(axis=(1, 2))
    spent = np.linalg.slogdet(gram)[1] if p else 0.0
    free = max(polymers - p, 1)
    least = polymers * ROUNDING**2
    return np.asarray(-0.5 * (free * np.log(np.maximum(left, least)) + log_determinant + spent))


def _independent(H: FloatArray) -> FloatArray:
    """Return an orthonormal basis (n, p) of the columns of H."""
    left, size, _ = np.linalg.svd(H, full_matrices=False)
    return np.asarray(left[:, size > INDEPENDENT * size.max(initial=0.0)])


def _whitened_by_polymers(data: Resampling, both: FloatArray) -> Iterator[_Whitened]:
    """As n equations: V^-1 is what the smoothers of the cross-validation leave."""
    for begin in range(0, data.n_penalties, TOGETHER):
        inverse = np.negative(data.smoothers(slice(begin, min(begin + TOGETHER, data.n_penalties))))
        inverse[:, np.arange(len(both)), np.arange(len(both))] += 1.0
        yield _Whitened(both.T @ (inverse @ both), -np.linalg.slogdet(inverse)[1])


def _whitened_by_descriptors(data: Resampling, root: FloatArray, both: FloatArray) -> Iterator[_Whitened]:
    """As d equations: V^-1 = I - Z (Z'Z + Lambda)^-1 Z', |V| = |Z'Z + Lambda| / |Lambda|."""
    (moments,) = descriptor_moments(data.X, root, data.weights, data.sizes, 1)
    across = to_modes(np.ascontiguousarray((root[:, None] * both).T @ data.X), data.sizes).T
    plain, diagonal = both.T @ both, np.arange(len(moments))
    for eigenvalues in data.eigenvalues:
        system = moments.copy()
        system[diagonal, diagonal] += eigenvalues
        factor = cho_factor(system, lower=True, overwrite_a=True, check_finite=False)
        determinant = 2.0 * np.log(np.diag(factor[0])).sum() - np.log(eigenvalues).sum()
        yield _Whitened((plain - across.T @ cho_solve(factor, across))[None], np.array([determinant]))
