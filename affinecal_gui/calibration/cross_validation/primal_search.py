"""Held-out errors of one training set at every penalty of a grid, when there are at least as many polymers as descriptors."""

import numpy as np

from affinecal_gui.calibration.cross_validation.resampling import Resampling
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import from_modes, to_modes
from affinecal_gui.calibration.solvers.primal_problems import (
    PrimalProblems,
    TrainingMoments,
    solve_ridge,
    target_moments,
)
from affinecal_gui.calibration.solvers.profile_series import GammaSeries
from affinecal_gui.calibration.solvers.solver_choice import AffineSolver
from affinecal_gui.task import Task

_ORDER = 5
_CHUNK = 25
"""Penalties solved together; fewer when each takes long, so that a wish to stop is heard."""


def log_difference_set(data: Resampling, s: int, moments: FloatArray, centred: FloatArray, task: Task) -> FloatArray:
    """Mean squared errors (g,) of the log-difference model in test set s.

    Parameters
    ----------
    data : Resampling
    s : int
    moments : (1 or more, d, d) array
        Moments of the descriptors over the training rows.
    centred : (n,) array
        y - f minus its training mean, in all rows.
    task : Task
    """
    w = data.inside[s] * data.weights
    right = to_modes((w * centred) @ data.X, data.sizes)
    gamma = np.empty((data.n_penalties, data.X.shape[1]))
    for g, eigenvalues in enumerate(data.eigenvalues):
        task.check()
        gamma[g] = solve_ridge(moments[0], eigenvalues, right)
    test = data.test_rows[s]
    v = from_modes(gamma, data.sizes) @ data.X[test].T
    return np.asarray((centred[test] - v) ** 2 @ (data.weights[test] * data.test_share[s, test]))


def affine_set(data: Resampling, s: int, moments: FloatArray, solver: AffineSolver, task: Task) -> FloatArray:
    """Mean squared errors (g,) of the affine model in test set s."""
    f = solver.f
    regression = solver.regression.take(np.array([s]))
    w = (data.inside[s] * data.weights)[np.newaxis]
    N, T = target_moments(data.X, f, w[0], regression.basis[0], data.sizes)
    training = TrainingMoments(moments[np.newaxis], N[np.newaxis], T[np.newaxis])
    errors = np.empty(data.n_penalties)
    together = max(1, min(_CHUNK, int(_CHUNK * (200 / max(data.X.shape[1], 1)) ** 3)))
    for begin in range(0, data.n_penalties, together):
        task.check()
        chunk = slice(begin, min(begin + together, data.n_penalties))
        everyone = np.arange(chunk.stop - chunk.start)
        problems = PrimalProblems(
            data.X,
            data.sizes,
            data.eigenvalues[chunk],
            training,
            f[np.newaxis],
            w,
            regression,
            solver.lambda_beta,
            everyone,
            np.zeros_like(everyone),
        )
        series, terms = problems.expand(everyone, np.zeros(len(everyone)), _ORDER)

        gamma_at = GammaSeries(series.reference, from_modes(terms.transpose(0, 1, 3, 2).copy(), data.sizes))
        found = solver.solve(problems, series, gamma_at, np.full(len(everyone), s))
        alpha_1, alpha_0, beta = found.alpha_1, found.alpha_0, found.beta
        gamma = gamma_at(everyone, alpha_1[np.newaxis], alpha_0[np.newaxis], beta[np.newaxis])[:, 0]
        again = found.inaccurate
        if len(again):
            modes = problems.coefficients(again, alpha_1[again], alpha_0[again], beta[again])
            gamma[again] = from_modes(modes, data.sizes)
        test = data.test_rows[s]
        v = gamma @ data.X[test].T
        rest = regression.basis[:, :, test]
        residual = rest[:, 0] - alpha_1[:, np.newaxis] * rest[:, 1] - alpha_0[:, np.newaxis]
        residual = residual + (1.0 + beta[:, np.newaxis] * f[test]) * v
        errors[chunk] = residual**2 @ (data.weights[test] * data.test_share[s, test])
    return errors
