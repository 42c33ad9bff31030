"""The affine model profiled over beta by orthogonal factorisations, for descriptors whose scales lie far apart.

The solvers for many fits work with products of the data, which square their condition: where one descriptor varies ten
thousand times as much as the others, half of the digits are gone, and with them the place of the minimum. Here every beta
costs a factorisation of all rows and descriptors, which only a single fit of such data is worth. Descriptors that are
scaled, as the program scales all, never come here.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.linalg import cholesky

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge

LARGE: Final = 1e3
"""Root mean square of a descriptor beyond which products of descriptors lose too much; that of a scaled one is about 1."""

_TRIED: Final = np.logspace(-8.0, 3.0, 120)
"""|beta| times the root mean square of f, at which the profile is looked at."""

_REFINED: Final = 4
"""Lowest places that are followed to their minimum."""


def is_ill_scaled(X: FloatArray) -> bool:
    """Whether a descriptor (n, d) is far larger than any that was scaled."""
    return bool(len(X)) and bool((np.abs(X).max(axis=0, initial=0.0) > LARGE).any() and _largest(X) > LARGE)


def _largest(X: FloatArray) -> float:
    unit = float(np.abs(X).max())  # so that no square overflows
    return unit * float(np.sqrt(np.mean((X / unit) ** 2, axis=0).max()))


@dataclass(frozen=True, slots=True)
class ProfilePoint:
    """The best parameters at one beta, and J there."""

    beta: float
    objective: float
    alpha_0: float
    alpha_1: float
    gamma: FloatArray  # (d,)


class StableProfile:
    """J at any beta, with alpha and gamma at their best.

    Parameters
    ----------
    X, f, y
        (n, d), (n,), (n,) as in :func:`affinecal_gui.calibration.calibrators.objectives.affine.fit_affine`.
    penalty, lambda_beta, weights
        As there; weights (n,).
    """

    def __init__(
        self, X: FloatArray, f: FloatArray, y: FloatArray, penalty: FusedRidge, lambda_beta: float, weights: FloatArray
    ) -> None:
        self._root = np.sqrt(weights)
        self._X, self._f = self._root[:, None] * X, f
        self._f_unit = float(np.sqrt(np.mean(f**2))) or 1.0
        d = X.shape[1]
        self._right = np.concatenate([self._root * y, np.zeros(d)])
        self._below = np.hstack([np.zeros((d, 2)), cholesky(penalty.dense())])
        self._stiffness = float(weights.sum()) * lambda_beta

    def at(self, beta: float) -> ProfilePoint:
        """Solve for alpha and gamma."""
        line = self._root[:, None] * np.column_stack([np.ones(len(self._f)), self._f / self._f_unit])
        above = np.hstack([line, -(1.0 + beta * self._f)[:, None] * self._X])
        system = np.vstack([above, self._below])
        length = np.linalg.norm(system, axis=0)
        length[length == 0.0] = 1.0
        found = np.linalg.lstsq(system / length, self._right, rcond=None)[0]
        residual = self._right - (system / length) @ found
        own = found / length
        objective = float(residual @ residual) + self._stiffness * beta**2
        return ProfilePoint(beta, objective, float(own[0]), float(own[1]) / self._f_unit, own[2:])

    def least(self, beta: float) -> ProfilePoint:
        """Return the lowest point of the profile; ``beta`` is one guess among many."""
        from scipy.optimize import minimize_scalar  # slow to import, and few data are scaled so badly

        spread = _TRIED / self._f_unit
        poles = -1.0 / self._f[self._f != 0.0]  # where one polymer has no correction
        tried = np.unique(np.concatenate([-spread, [0.0, beta], spread, poles]))
        heights = np.array([self.at(one).objective for one in tried])
        best = self.at(float(tried[int(np.argmin(heights))]))
        for place in np.argsort(heights)[:_REFINED]:
            low, high = tried[max(place - 1, 0)], tried[min(place + 1, len(tried) - 1)]
            close = 1e-10 * max(abs(low), abs(high))
            found = minimize_scalar(
                lambda one: self.at(float(one)).objective,
                bounds=(low, high),
                method="bounded",
                options={"xatol": close},
            )
            if found.fun < best.objective:
                best = self.at(float(found.x))
        return best
