"""The paper's block relaxation: alpha, then beta, then gamma, each at its exact minimum, until the changes are small.

Two ways through the same updates: :func:`relax` computes gamma explicitly in every sweep; :func:`relax_on_series`
follows alpha and beta of thousands of problems on their power series, and computes gamma only where the stopping rule
asks for it.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.training_sets import Regression
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.profile_series import (
    ROWS_G,
    ROWS_H,
    ROWS_L,
    ROWS_Q,
    IntArray,
    ProfileSeries,
    quadratic,
)

NEGLIGIBLE = 1e-10
"""A parameter block whose largest old value is below this counts as unchanged in the stopping rule."""

_ON_THE_WAY = 1e-5
"""Accuracy of the series at the beta of passing sweeps: each sweep corrects the errors of the one before."""

_FEW = 800
"""Once no more problems are left, gamma itself is expanded for them."""


class SolvableProblems(Protocol):
    """Problems whose best gamma can be computed for given alpha and beta."""

    @property
    def regression(self) -> Regression:
        """Of the B problems."""
        ...

    @property
    def lambda_beta(self) -> float:
        """Penalty of beta."""
        ...

    def training(self, rows: IntArray) -> tuple[FloatArray, FloatArray]:
        """Return f and weights (len(rows), n)."""
        ...

    def solution(
        self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Return gamma in its own coordinates, X gamma (len(rows), n) and gamma' Lambda gamma."""
        ...

    def descriptors_gamma(self, rows: IntArray, gamma: FloatArray) -> FloatArray:
        """Turn gamma into the coordinates of the descriptors, (len(rows), d)."""
        ...


@dataclass(frozen=True, slots=True)
class Start:
    """Where the sweeps of B problems begin, on the scales of the data."""

    alpha_1: FloatArray  # (B,)
    alpha_0: FloatArray  # (B,)
    beta: FloatArray  # (B,)
    gamma: FloatArray  # (B, d)
    v: FloatArray  # (B, n) X gamma

    def take(self, rows: IntArray) -> "Start":
        """Keep some of the problems; repeats are allowed."""
        return Start(self.alpha_1[rows], self.alpha_0[rows], self.beta[rows], self.gamma[rows], self.v[rows])


@dataclass(frozen=True, slots=True)
class Relaxed:
    """Where the sweeps ended; alpha in the centred basis of the regression, gamma follows from alpha and beta."""

    alpha_1: FloatArray  # (B,)
    alpha_0: FloatArray  # (B,)
    beta: FloatArray  # (B,)
    iterations: NDArray[np.int64]  # (B,)
    converged: NDArray[np.bool_]  # (B,)
    trace: tuple[FloatArray, ...] = ()  # J of the problems still running, after every sweep


def relative_change(new: FloatArray, old: FloatArray) -> FloatArray:
    """Measure |new - old| / |old|, 0 where the old value is negligible."""
    difference, size = np.abs(new - old), np.abs(old)
    known = size >= NEGLIGIBLE
    return np.asarray(np.divide(difference, size, out=np.zeros_like(difference), where=known))


def relative_change_of_vectors(new: FloatArray, old: FloatArray) -> FloatArray:
    """Measure max |new - old| / max |old| of vectors (..., d), 0 where the old one is negligible."""
    difference, size = np.abs(new - old).max(axis=-1, initial=0.0), np.abs(old).max(axis=-1, initial=0.0)
    return np.asarray(np.divide(difference, size, out=np.zeros_like(difference), where=size >= NEGLIGIBLE))


def first_alpha_and_beta(
    regression: Regression, f: FloatArray, weights: FloatArray, beta: FloatArray, v: FloatArray, lambda_beta: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Update alpha, then beta, for explicit v = X gamma (B, n).

    Returns
    -------
    alpha_1, alpha_0, beta : (B,) arrays
        alpha in the centred basis.
    """
    line = regression.basis
    pulled = weights * (1.0 + beta[:, np.newaxis] * f) * v
    alpha_1 = (pulled * line[:, 1]).sum(axis=1) / regression.spread
    alpha_0 = pulled.sum(axis=1) / regression.total
    t = line[:, 0] - alpha_1[:, np.newaxis] * line[:, 1] - alpha_0[:, np.newaxis]
    side = weights * f * v
    bend = (side * f * v).sum(axis=1) + regression.total * lambda_beta
    return alpha_1, alpha_0, -(side * (t + v)).sum(axis=1) / bend


def relax(
    problems: SolvableProblems, rows: IntArray, start: Start | None, tolerance: float, max_iterations: int
) -> Relaxed:
    """Run the sweeps with explicit gamma.

    Parameters
    ----------
    problems : SolvableProblems
    rows : (k,) array of int
        Which of them.
    start : Start, optional
        One entry for each of ``rows``; by default beta = 0, alpha from least squares of y on f, gamma best for these.
    tolerance : float
        The sweeps of a problem end when no parameter block changes by this share or more.
    max_iterations : int
    """
    k = len(rows)
    regression = problems.regression.take(rows)
    f, w = problems.training(rows)
    alpha_1, alpha_0, beta = np.zeros(k), np.zeros(k), np.zeros(k)
    if start is None:
        gamma, v, _ = problems.solution(rows, alpha_1, alpha_0, beta)
        gamma = problems.descriptors_gamma(rows, gamma)
        raw_1, raw_0 = regression.alpha(alpha_1, alpha_0)
    else:
        gamma, v, raw_1, raw_0, beta = (
            start.gamma.copy(),
            start.v.copy(),
            start.alpha_1,
            start.alpha_0,
            start.beta.copy(),
        )
    raw_1, raw_0 = np.array(raw_1), np.array(raw_0)
    iterations = np.zeros(k, dtype=np.int64)
    converged = np.zeros(k, dtype=np.bool_)
    trace: list[FloatArray] = []
    active = np.arange(k)
    while len(active) and len(trace) < max_iterations:
        part = regression.take(active)
        new_1, new_0, new_beta = first_alpha_and_beta(
            part, f[active], w[active], beta[active], v[active], problems.lambda_beta
        )
        modes, new_v, penalty = problems.solution(rows[active], new_1, new_0, new_beta)
        new_gamma = problems.descriptors_gamma(rows[active], modes)
        now_1, now_0 = part.alpha(new_1, new_0)
        basis = part.basis
        residual = basis[:, 0] - new_1[:, np.newaxis] * basis[:, 1] - new_0[:, np.newaxis]
        residual += (1.0 + new_beta[:, np.newaxis] * f[active]) * new_v
        objective = (w[active] * residual**2).sum(axis=1) + penalty
        trace.append(objective + part.total * problems.lambda_beta * new_beta**2)
        change = np.maximum.reduce(
            [
                relative_change(now_1, raw_1[active]),
                relative_change(now_0, raw_0[active]),
                relative_change(new_beta, beta[active]),
                relative_change_of_vectors(new_gamma, gamma[active]),
            ]
        )
        alpha_1[active], alpha_0[active], beta[active] = new_1, new_0, new_beta
        raw_1[active], raw_0[active], gamma[active], v[active] = now_1, now_0, new_gamma, new_v
        iterations[active] += 1
        done = change < tolerance
        converged[active[done]] = True
        active = active[~done]
    return Relaxed(alpha_1, alpha_0, beta, iterations, converged, tuple(trace))


class GammaAt(Protocol):
    """Best gamma of B problems for given parameters."""

    def take(self, rows: IntArray) -> "GammaAt":
        """Keep some of the problems, ascending."""
        ...

    def __call__(self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray) -> FloatArray:
        """Return (k, m, d) gamma, in the coordinates of the descriptors, for parameters (m, k)."""
        ...


def relax_on_series(
    series: ProfileSeries,
    regression: Regression,
    lambda_beta: float,
    gamma_at: GammaAt,
    first: tuple[FloatArray, FloatArray, FloatArray] | None,
    start: Start | None,
    tolerance: float,
    max_iterations: int,
) -> tuple[Relaxed, NDArray[np.bool_]]:
    """Run the sweeps on power series.

    Parameters
    ----------
    series : ProfileSeries
        Of B problems.
    regression : Regression
        Of the B problems.
    lambda_beta : float
    gamma_at : callable
    first : three (B,) arrays, optional
        alpha_1', alpha_0', beta after the updates of the first sweep from ``start``.
    start : Start, optional
        Where the sweeps began (B entries); without it they begin as in :func:`relax`.
    tolerance, max_iterations
        As in :func:`relax`.

    Returns
    -------
    Relaxed
    followed : (B,) array of bool
        False for problems whose beta left the range in which their series is accurate; their entries mean nothing.
    """
    B = len(series.reference)
    stiffness = regression.total * lambda_beta
    everyone = np.arange(B)
    alpha_1, alpha_0, beta = np.zeros(B), np.zeros(B), np.zeros(B)
    iterations = np.zeros(B, dtype=np.int64)
    converged = np.zeros(B, dtype=np.bool_)
    followed = np.ones(B, dtype=np.bool_)
    active = everyone
    sweep = 0
    if first is not None and start is not None:
        alpha_1, alpha_0, beta = (np.array(values) for values in first)
        sweep = 1
        iterations[:] = 1
        now_1, now_0 = regression.alpha(alpha_1, alpha_0)
        change = np.maximum.reduce(
            [
                relative_change(now_1, start.alpha_1),
                relative_change(now_0, start.alpha_0),
                relative_change(beta, start.beta),
            ]
        )
        quiet = np.flatnonzero(change < tolerance)
        if len(quiet):
            gamma = gamma_at(quiet, alpha_1[np.newaxis, quiet], alpha_0[np.newaxis, quiet], beta[np.newaxis, quiet])
            converged[quiet] = relative_change_of_vectors(gamma[:, 0], start.gamma[quiet]) < tolerance
        active = np.flatnonzero(~converged)
        followed = series.accurate(beta, _ON_THE_WAY)
        active = active[followed[active]]

    columns = active  # of the problems in `part` that still run
    part, reg, stiff = series, regression.without_basis(), stiffness
    numbers, gathered = everyone, B  # under which gamma_at knows the problems of `part`, and how many it holds
    while len(active) and sweep < max_iterations:
        if len(active) < len(part.reference):
            part, reg, stiff, numbers = part.take(columns), reg.take(columns), stiff[columns], numbers[columns]
            columns = np.arange(len(active))
            if len(active) < min(_FEW, 0.6 * gathered):
                gamma_at, numbers, gathered = gamma_at.take(numbers), columns, len(active)
        sweep += 1
        a1, a0, b = alpha_1[active], alpha_0[active], beta[active]
        values = part.evaluate(b)
        G, H, Q, L = values[ROWS_G], values[ROWS_H], values[ROWS_Q], values[ROWS_L]
        step_1 = np.where(reg.flat, 0.0, (G[1] - G[3] * a1 - G[4] * a0) / reg.spread)
        step_0 = (G[2] - G[4] * a1 - G[5] * a0) / reg.total
        pull = (L[0] - a1 * L[2] - a0 * L[4]) * step_1 + (L[1] - a1 * L[3] - a0 * L[5]) * step_0
        new_b = b - (quadratic(H, a1, a0) - pull + stiff * b) / (quadratic(Q, a1, a0) + stiff)
        new_1, new_0 = a1 + step_1, a0 + step_0
        old_raw, new_raw = reg.alpha(a1, a0), reg.alpha(new_1, new_0)
        change = relative_change(np.stack([new_raw[0], new_raw[1], new_b]), np.stack([old_raw[0], old_raw[1], b])).max(
            axis=0
        )
        alpha_1[active], alpha_0[active], beta[active] = new_1, new_0, new_b
        iterations[active] = sweep
        stay = part.accurate(new_b, _ON_THE_WAY)
        followed[active] = stay
        quiet = np.flatnonzero(change < tolerance)
        if len(quiet):
            gamma = gamma_at(
                numbers[quiet],
                np.stack([a1[quiet], new_1[quiet]]),
                np.stack([a0[quiet], new_0[quiet]]),
                np.stack([b[quiet], new_b[quiet]]),
            )
            settled = quiet[relative_change_of_vectors(gamma[:, 1], gamma[:, 0]) < tolerance]
            converged[active[settled]] = True
            stay[settled] = False
        if not stay.all():
            active, columns = active[stay], columns[stay]
    followed &= series.accurate(beta)
    return Relaxed(alpha_1, alpha_0, beta, iterations, converged), followed
