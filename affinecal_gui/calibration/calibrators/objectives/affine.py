"""The affine calibrator: y = alpha_0 + alpha_1 f - (beta f + 1) x' gamma, by block relaxation or directly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from affinecal_gui.calibration.data.array_checks import (
    checked_weights,
    finite_array,
    positive_number,
    read_only,
    same_length,
)
from affinecal_gui.calibration.data.training_sets import regress
from affinecal_gui.calibration.results import Convergence, FloatArray
from affinecal_gui.calibration.solvers.block_relaxation import Start, relax
from affinecal_gui.calibration.solvers.dual_problems import FEW, DualProblems, is_kept_by_polymers
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, to_modes
from affinecal_gui.calibration.solvers.primal_problems import PrimalProblems, training_moments
from affinecal_gui.calibration.solvers.profile_minimum import minimise_profile
from affinecal_gui.calibration.solvers.stable_profile import StableProfile, is_ill_scaled
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.threads import one_thread_each

Solver = Literal["direct", "block"]


@dataclass(frozen=True, slots=True)
class AffineFit:
    """Parameters on the scales of the fit: f and X as they were given, y on the target scale."""

    alpha_0: float
    alpha_1: float
    beta: float
    gamma: FloatArray  # (d,)
    objective: float  # J at the solution
    convergence: Convergence

    def predict(self, X: ArrayLike, f: ArrayLike) -> FloatArray:
        """(m,) alpha_0 + alpha_1 f - (beta f + 1) X gamma for descriptors X (m, d) and MD values f (m,)."""
        f = np.asarray(f, dtype=np.float64)
        return self.alpha_0 + self.alpha_1 * f - (self.beta * f + 1.0) * (np.asarray(X, dtype=np.float64) @ self.gamma)


@dataclass(frozen=True, slots=True)
class AffineFits:
    """Many fits of equal shape, one per entry of the first axis."""

    alpha_0: FloatArray  # (b,)
    alpha_1: FloatArray  # (b,)
    beta: FloatArray  # (b,)
    gamma: FloatArray  # (b, d)
    objective: FloatArray  # (b,)
    iterations: NDArray[np.int64]  # (b,)
    converged: NDArray[np.bool_]  # (b,)

    solver: Solver = "direct"

    def __len__(self) -> int:
        return int(self.beta.shape[0])

    def __getitem__(self, i: int) -> AffineFit:
        """One of the fits (without the slope and trace that single fits carry)."""
        return AffineFit(
            alpha_0=float(self.alpha_0[i]),
            alpha_1=float(self.alpha_1[i]),
            beta=float(self.beta[i]),
            gamma=self.gamma[i],
            objective=float(self.objective[i]),
            convergence=Convergence(self.solver, int(self.iterations[i]), bool(self.converged[i])),
        )

    def predict(self, X: ArrayLike, f: ArrayLike) -> FloatArray:
        """(b, m) predictions; X is (m, d) for all fits or (b, m, d) for each, f is (m,) or (b, m)."""
        X = np.asarray(X, dtype=np.float64)
        f = np.asarray(f, dtype=np.float64)
        correction = self.gamma @ X.T if X.ndim == 2 else (X @ self.gamma[:, :, np.newaxis])[:, :, 0]
        return np.asarray(
            self.alpha_0[:, np.newaxis]
            + self.alpha_1[:, np.newaxis] * f
            - (self.beta[:, np.newaxis] * f + 1.0) * correction
        )


def affine_objective(
    X: FloatArray,
    f: FloatArray,
    y: FloatArray,
    penalty: FusedRidge,
    lambda_beta: float,
    alpha_0: float,
    alpha_1: float,
    beta: float,
    gamma: FloatArray,
    weights: ArrayLike | None = None,
) -> float:
    """J = sum_i w_i r_i^2 + (sum_i w_i) lambda_beta beta^2 + gamma' Lambda gamma (science, section 2)."""
    w = checked_weights(weights, f.shape[0])
    residual = y - alpha_0 - alpha_1 * f + (beta * f + 1.0) * (X @ gamma)
    return float(w @ residual**2 + w.sum() * lambda_beta * beta**2 + penalty.quadratic_form(gamma))


def fit_affine(
    X: ArrayLike,
    f: ArrayLike,
    y: ArrayLike,
    penalty: FusedRidge,
    lambda_beta: float = 1.0,
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
    max_iterations: int = 1000,
    weights: ArrayLike | None = None,
) -> AffineFit:
    """Fit the affine calibrator by minimising J (:func:`affine_objective`).

    Parameters
    ----------
    X : (n, d) array_like
        Descriptors, scaled by the caller.
    f, y : (n,) array_like
        MD value (usually z-scored) and measured value on the target scale.
    penalty : FusedRidge
        Lambda over d descriptors.
    lambda_beta : float
        Penalty of beta, multiplied by n (by the sum of the weights) in J; positive.
    solver : {"direct", "block"}
        "direct" finds the global minimum of J profiled over beta; "block" is the paper's block relaxation, alpha, then
        beta, then gamma.
    tolerance : float
        Direct: relative, on beta. Block: the paper's stopping rule, the largest relative change among the parameter blocks
        alpha_0, alpha_1, beta, gamma (each max |new - old| / max |old|) falls below it.
    start : AffineFit, optional
        Direct: the search begins at its beta. Block: where the sweeps begin; by default beta = 0, alpha from ordinary
        least squares and gamma the ridge solution for these (alpha of the start only enters the first test of the
        stopping rule).
    max_iterations : int
        Largest number of sweeps.
    weights : (n,) array_like, optional
        Weight of each squared residual; used as they are: doubling a weight equals repeating the row.

    Raises
    ------
    UserError
        When a value is missing or infinite, a penalty or weight has the wrong sign, or there is no polymer.
    """
    X = finite_array(X, "Descriptors", 2)
    f = finite_array(f, "MD values", 1)
    y = finite_array(y, "Measured values", 1)
    same_length(X.shape[0], f=f, y=y)
    w = checked_weights(weights, X.shape[0])
    with one_thread_each(min(X.shape)):
        solved = _solve_many(
            X,
            f[np.newaxis],
            y[np.newaxis],
            [penalty],
            lambda_beta,
            w[np.newaxis],
            solver,
            tolerance,
            start,
            max_iterations,
            everywhere=True,
        )
    fits = solved.fits
    if solver == "direct" and is_ill_scaled(X):
        least = StableProfile(X, f, y, penalty, lambda_beta, w).least(float(fits.beta[0]))
        return AffineFit(
            alpha_0=least.alpha_0,
            alpha_1=least.alpha_1,
            beta=least.beta,
            gamma=read_only(least.gamma),
            objective=least.objective,
            convergence=Convergence(solver, int(fits.iterations[0]), True),
        )
    return AffineFit(
        alpha_0=float(fits.alpha_0[0]),
        alpha_1=float(fits.alpha_1[0]),
        beta=float(fits.beta[0]),
        gamma=read_only(fits.gamma[0].copy()),
        objective=float(fits.objective[0]),
        convergence=Convergence(
            solver, int(fits.iterations[0]), bool(fits.converged[0]), float(solved.slope[0]), solved.trace
        ),
    )


def fit_affine_many(
    X: ArrayLike,
    f: ArrayLike,
    y: ArrayLike,
    penalty: FusedRidge | Sequence[FusedRidge],
    lambda_beta: float = 1.0,
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | Sequence[AffineFit] | None = None,
    max_iterations: int = 1000,
    weights: ArrayLike | None = None,
    task: Task = UNWATCHED,
) -> AffineFits:
    """Fit b training sets of equal shape at once; the same numbers as :func:`fit_affine` one by one.

    Parameters
    ----------
    X : (b, n, d) or (n, d) array_like
        Descriptors of each training set, or one table for all (resampling by ``weights``).
    f, y : (b, n) or (n,) array_like
        MD and measured values.
    penalty : FusedRidge or sequence of b FusedRidge
        One penalty for all, or one for each; all over the same blocks.
    start : AffineFit or sequence of b AffineFit, optional
        One starting point for all, or one for each. The direct solver looks around its beta (0 by default) and downhill
        from there; unlike :func:`fit_affine` it does not search beyond for lower minima, so refits of a model whose beta
        is large should start from its fit.
    weights : (b, n) or (n,) array_like, optional
        Bootstrap resamples of one table are integer weights; a weight of zero leaves a row out.
    lambda_beta, solver, tolerance, max_iterations
        As in :func:`fit_affine`.

    Raises
    ------
    UserError
        As :func:`fit_affine`.
    """
    X = np.asarray(X, dtype=np.float64)
    if X.ndim not in (2, 3):
        raise ValueError(f"Descriptors: expected 2 or 3 axes, got {X.ndim}")
    penalties = [penalty] if isinstance(penalty, FusedRidge) else list(penalty)
    given = {"X": (X, 3), "f": (np.asarray(f, dtype=np.float64), 2), "y": (np.asarray(y, dtype=np.float64), 2)}
    if weights is not None:
        given["weights"] = (np.asarray(weights, dtype=np.float64), 2)
    lengths = {len(array) for array, axes in given.values() if array.ndim == axes}
    if not isinstance(penalty, FusedRidge):
        lengths.add(len(penalties))
    if start is not None and not isinstance(start, AffineFit):
        lengths.add(len(start))
    if len(lengths) > 1:
        raise ValueError(f"the training sets do not agree in number: {sorted(lengths)}")
    b = lengths.pop() if lengths else 1
    n = X.shape[-2]
    finite_array(X.reshape(-1, X.shape[-1]), "Descriptors", 2)
    table: dict[str, FloatArray] = {"weights": np.ones((1, n))}
    for name, (array, _) in given.items():
        if name == "X":
            continue
        rows = array if array.ndim == 2 else array[np.newaxis]
        if rows.shape[1] != n:
            raise ValueError(f"{name} has {rows.shape[1]} rows where {n} are expected")
        finite_array(rows.ravel(), _WORDS[name], 1)
        table[name] = rows
    for row in table["weights"]:
        checked_weights(row, n)

    d = X.shape[-1]
    size = max(1, int(_CHUNK_BYTES / (8.0 * (n * n * 4 + 60 * n + (n * d if X.ndim == 3 else d)))))
    parts: list[AffineFits] = []
    for begin in range(0, b, size):
        task.check()
        part = slice(begin, min(begin + size, b))
        count = part.stop - part.start

        def cut(rows: FloatArray, part: slice = part, count: int = count) -> FloatArray:
            return rows[part] if len(rows) == b else np.broadcast_to(rows, (count, rows.shape[1]))

        with one_thread_each(min(n, d)):
            solved = _solve_many(
                X[part] if X.ndim == 3 else X,
                cut(table["f"]),
                cut(table["y"]),
                penalties if len(penalties) == 1 else penalties[part],
                lambda_beta,
                cut(table["weights"]),
                solver,
                tolerance,
                start if start is None or isinstance(start, AffineFit) else start[part],
                max_iterations,
            )
        parts.append(solved.fits)
        task.report(part.stop / b, "Fitting the affine model")
    joined = {name: np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS}
    for array in joined.values():
        array.setflags(write=False)
    return AffineFits(**joined, solver=solver)


_WORDS = {"f": "MD values", "y": "Measured values", "weights": "Weights"}
_FIELDS = ("alpha_0", "alpha_1", "beta", "gamma", "objective", "iterations", "converged")

_ORDER = 6
"""Of the power series that the direct solver begins with."""

_ACCURACY = 1e-12
"""Fits for which the series is less accurate are finished by exact Newton steps."""

_CHUNK_BYTES = 1.6e7
"""Working memory of :func:`fit_affine_many`."""


@dataclass(frozen=True, slots=True)
class _Solved:
    fits: AffineFits
    slope: FloatArray  # (b,) dJ/dbeta
    trace: tuple[float, ...]  # of the first problem


def _solve_many(
    X: FloatArray,
    f: FloatArray,
    y: FloatArray,
    penalties: Sequence[FusedRidge],
    lambda_beta: float,
    weights: FloatArray,
    solver: Solver,
    tolerance: float,
    start: AffineFit | Sequence[AffineFit] | None,
    max_iterations: int,
    everywhere: bool = False,
) -> _Solved:
    """Solve b checked problems: X is (n, d) or (b, n, d), everything else (b, n)."""
    b, n = f.shape
    d = X.shape[-1]
    sizes = penalties[0].sizes
    if n == 0:
        raise UserError("There is no polymer with a measured and an MD value to fit.")
    if any(penalty.sizes != sizes for penalty in penalties):
        raise ValueError("the penalties do not share their blocks")
    if d != sum(sizes):
        raise ValueError(f"X has {d} descriptors, the penalty {sum(sizes)}")
    lambda_beta = positive_number(lambda_beta, "The penalty lambda_beta")
    positive_number(tolerance, "The tolerance")
    eigenvalues = np.stack([penalty.eigenvalues for penalty in penalties])
    everyone = np.arange(b)
    kernel = everyone if len(penalties) > 1 else np.zeros(b, dtype=np.int64)
    regression = regress(f, y, weights)
    problems: DualProblems | PrimalProblems | None = None
    if n < d or (n < FEW and b > 1 and solver == "direct"):
        Z = to_modes(X, sizes)
        if X.ndim == 3 and len(penalties) == 1:
            eigenvalues = np.broadcast_to(eigenvalues, (b, d))
            kernel = everyone
        K = (Z / eigenvalues[:, np.newaxis, :]) @ (Z.T if Z.ndim == 2 else Z.transpose(0, 2, 1))
        if n < d or is_kept_by_polymers(K):
            problems = DualProblems(Z, eigenvalues, K, f, weights, regression, lambda_beta, kernel, everyone, sizes)
    if problems is None:
        moments = training_moments(X, f, weights, regression.basis, sizes)
        problems = PrimalProblems(X, sizes, eigenvalues, moments, f, weights, regression, lambda_beta, kernel, everyone)
    trace: tuple[float, ...] = ()
    starts = [start] * b if start is None or isinstance(start, AffineFit) else list(start)
    if solver == "direct":
        centre = np.array([0.0 if begin is None else float(begin.beta) for begin in starts])
        first = problems.series(everyone, centre, _ORDER)
        least = minimise_profile(problems, first, accuracy=_ACCURACY, everywhere=everywhere, tolerance=tolerance)
        alpha_1, alpha_0 = least.alpha_1, least.alpha_0
        beta, iterations, converged = least.beta, least.evaluations, least.converged
    else:
        given = [one for one in starts if one is not None]
        begin = None
        if given:
            gamma = np.array([one.gamma for one in given], dtype=np.float64)
            v = gamma @ X.T if X.ndim == 2 else (X @ gamma[:, :, np.newaxis])[:, :, 0]
            begin = Start(
                np.array([float(one.alpha_1) for one in given]),
                np.array([float(one.alpha_0) for one in given]),
                np.array([float(one.beta) for one in given]),
                gamma,
                v,
            )
        found = relax(problems, everyone, begin, tolerance, max_iterations)
        alpha_1, alpha_0, beta = found.alpha_1, found.alpha_0, found.beta
        iterations, converged = found.iterations, found.converged
        trace = tuple(float(values[0]) for values in found.trace) if b == 1 else ()
    modes, v, roughness = problems.solution(everyone, alpha_1, alpha_0, beta)
    basis = regression.basis
    residual = basis[:, 0] - alpha_1[:, np.newaxis] * basis[:, 1] - alpha_0[:, np.newaxis]
    residual += (1.0 + beta[:, np.newaxis] * f) * v
    weighted = weights * residual
    stiffness = regression.total * lambda_beta
    raw_1, raw_0 = regression.alpha(alpha_1, alpha_0)
    fits = AffineFits(
        alpha_0=raw_0,
        alpha_1=raw_1,
        beta=beta,
        gamma=problems.descriptors_gamma(everyone, modes),
        objective=(weighted * residual).sum(axis=1) + stiffness * beta**2 + roughness,
        iterations=iterations,
        converged=converged,
        solver=solver,
    )
    slope = 2.0 * stiffness * beta + 2.0 * (weighted * f * v).sum(axis=1)
    return _Solved(fits, slope, trace)
