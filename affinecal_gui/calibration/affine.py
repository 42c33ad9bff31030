"""The affine calibrator: y = alpha_0 + alpha_1 f - (beta f + 1) x' gamma, by block relaxation or directly."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.linalg import cho_factor, cho_solve

from affinecal_gui.calibration.checks import checked_weights, finite_array, positive_number, read_only, same_length
from affinecal_gui.calibration.fused_ridge import FusedRidge
from affinecal_gui.calibration.results import Convergence, FloatArray
from affinecal_gui.errors import UserError

Solver = Literal["direct", "block"]

_NEGLIGIBLE = 1e-10
"""A parameter block whose largest old value is below this counts as unchanged in the stopping rule."""


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
    iterations: "np.ndarray[tuple[int], np.dtype[np.int64]]"  # (b,)
    converged: "np.ndarray[tuple[int], np.dtype[np.bool_]]"  # (b,)

    def __len__(self) -> int:
        return int(self.beta.shape[0])

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
        "direct" minimises J profiled over beta; "block" is the paper's block relaxation, alpha, then beta, then gamma.
    tolerance : float
        Direct: on beta. Block: the paper's stopping rule, the largest relative change among the parameter blocks
        alpha_0, alpha_1, beta, gamma (each max |new - old| / max |old|) falls below it.
    start : AffineFit, optional
        Where to start; by default beta = 0, alpha from ordinary least squares and gamma the
        ridge solution for these. alpha of the start only enters the first test of the stopping rule.
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
    n, d = X.shape
    same_length(n, f=f, y=y)
    if n == 0:
        raise UserError("There is no polymer with a measured and an MD value to fit.")
    if d != penalty.n_features:
        raise ValueError(f"X has {d} descriptors, the penalty {penalty.n_features}")
    w = checked_weights(weights, n)
    lambda_beta = positive_number(lambda_beta, "The penalty lambda_beta")
    problem = _Problem(X, f, y, penalty, lambda_beta, w)
    if solver == "block":
        return problem.block(tolerance, start, max_iterations)
    return problem.direct(tolerance, start, max_iterations)


class _Problem:
    """One weighted training set; plain formulas of science section 2."""

    def __init__(
        self, X: FloatArray, f: FloatArray, y: FloatArray, penalty: FusedRidge, lambda_beta: float, w: FloatArray
    ) -> None:
        self.X, self.f, self.y, self.penalty, self.lambda_beta, self.w = X, f, y, penalty, lambda_beta, w
        self.F = np.stack([f, np.ones_like(f)], axis=1)
        self.root = np.sqrt(w)
        self.smoothed = penalty.solve(X.T)  # Lambda^-1 X'
        self.kernel = X @ self.smoothed
        self.alpha_inverse = np.linalg.pinv(self.F.T @ (w[:, np.newaxis] * self.F), hermitian=True)

    def weighted_residual(self, beta: float, t: FloatArray) -> FloatArray:
        """W r at the best gamma for t = y - F alpha, columns of t at once."""
        sigma = self.root * (1.0 + beta * self.f)
        A = sigma[:, np.newaxis] * self.kernel * sigma
        A[np.diag_indices_from(A)] += 1.0
        root = self.root if t.ndim == 1 else self.root[:, np.newaxis]
        return np.asarray(root * cho_solve(cho_factor(A), root * t))

    def gamma(self, beta: float, residual: FloatArray) -> FloatArray:
        return np.asarray(-self.smoothed @ ((1.0 + beta * self.f) * residual))

    def profile(self, beta: float) -> tuple[float, float, FloatArray, FloatArray]:
        """J minimised over alpha and gamma, its slope, and where it is reached (alpha, W r)."""
        solved = self.weighted_residual(beta, np.column_stack([self.F, self.y]))
        alpha = np.linalg.pinv(self.F.T @ solved[:, :2], hermitian=True) @ (self.F.T @ solved[:, 2])
        wr = solved[:, 2] - solved[:, :2] @ alpha
        v = -self.kernel @ ((1.0 + beta * self.f) * wr)
        total = self.w.sum() * self.lambda_beta
        J = float((self.y - self.F @ alpha) @ wr + total * beta**2)
        slope = float(2.0 * total * beta + 2.0 * wr @ (self.f * v))
        return J, slope, alpha, wr

    def objective(self, alpha: FloatArray, beta: float, gamma: FloatArray) -> float:
        return affine_objective(
            self.X, self.f, self.y, self.penalty, self.lambda_beta, alpha[1], alpha[0], beta, gamma, self.w
        )

    def direct(self, tolerance: float, start: AffineFit | None, max_iterations: int) -> AffineFit:
        from scipy.optimize import minimize_scalar

        J0 = self.profile(0.0)[0]
        limit = np.sqrt(J0 / (self.w.sum() * self.lambda_beta)) + 1e-12
        grid = np.linspace(-limit, limit, 33)
        values = [self.profile(b)[0] for b in grid]
        best = int(np.argmin(values))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, 32)]
        found = minimize_scalar(
            lambda b: self.profile(b)[0], bounds=(low, high), method="bounded", options={"xatol": 1e-6}
        )
        b0, b1 = float(found.x), float(found.x) + 1e-6 * limit
        s0 = self.profile(b0)[1]
        for _ in range(20):
            s1 = self.profile(b1)[1]
            if s1 == s0:
                break
            b0, b1, s0 = b1, b1 - s1 * (b1 - b0) / (s1 - s0), s1
            if abs(b1 - b0) <= tolerance * max(abs(b1), 1e-300):
                break
        J, slope, alpha, wr = self.profile(b1)
        gamma = self.gamma(b1, wr)
        return AffineFit(
            float(alpha[1]), float(alpha[0]), b1, read_only(gamma), J, Convergence("direct", 1, True, slope)
        )

    def block(self, tolerance: float, start: AffineFit | None, max_iterations: int) -> AffineFit:
        if start is None:
            beta = 0.0
            alpha = self.alpha_inverse @ (self.F.T @ (self.w * self.y))
            gamma = self.gamma(0.0, self.weighted_residual(0.0, self.y - self.F @ alpha))
        else:
            beta, gamma = start.beta, np.asarray(start.gamma)
            alpha = np.array([start.alpha_1, start.alpha_0])
        trace: list[float] = []
        converged = False
        f, w, y = self.f, self.w, self.y
        while len(trace) < max_iterations and not converged:
            old = (alpha[1], alpha[0], beta, gamma)
            v = self.X @ gamma
            alpha = self.alpha_inverse @ (self.F.T @ (w * (y + (1.0 + beta * f) * v)))
            t = y - self.F @ alpha
            beta = -float((w * f * v) @ (t + v)) / float(w @ (f * v) ** 2 + w.sum() * self.lambda_beta)
            gamma = self.gamma(beta, self.weighted_residual(beta, t))
            trace.append(self.objective(alpha, beta, gamma))
            changes = [
                _relative_change(new, was) for new, was in zip((alpha[1], alpha[0], beta, gamma), old, strict=True)
            ]
            converged = max(changes) < tolerance
        slope = 2.0 * w.sum() * self.lambda_beta * beta
        residual = y - self.F @ alpha + (1.0 + beta * f) * (self.X @ gamma)
        slope += 2.0 * float((w * residual) @ (f * (self.X @ gamma)))
        convergence = Convergence("block", len(trace), converged, slope, tuple(trace))
        return AffineFit(float(alpha[1]), float(alpha[0]), float(beta), read_only(gamma), trace[-1], convergence)


def _relative_change(new: float | FloatArray, old: float | FloatArray) -> float:
    largest = float(np.max(np.abs(old)))
    return 0.0 if largest < _NEGLIGIBLE else float(np.max(np.abs(np.asarray(new) - old))) / largest


def fit_affine_many(
    X: ArrayLike,
    f: ArrayLike,
    y: ArrayLike,
    penalty: FusedRidge | Sequence[FusedRidge],
    lambda_beta: float = 1.0,
    *,
    solver: Solver = "direct",
    tolerance: float = 1e-8,
    start: AffineFit | None = None,
    max_iterations: int = 1000,
    weights: ArrayLike | None = None,
) -> AffineFits:
    """Fit b training sets of equal shape at once; the same numbers as :func:`fit_affine` one by one.

    Parameters
    ----------
    X : (b, n, d) or (n, d) array_like
        Descriptors of each training set, or one table for all (resampling by ``weights``).
    f, y : (b, n) or (n,) array_like
        MD and measured values.
    penalty : FusedRidge or sequence of b FusedRidge
        One penalty for all, or one for each.
    start : AffineFit, optional
        One starting point for all.
    weights : (b, n) or (n,) array_like, optional
        Bootstrap resamples of one training set are integer weights.
    lambda_beta, solver, tolerance, max_iterations
        As in :func:`fit_affine`.
    """
    X = np.asarray(X, dtype=np.float64)
    f = np.asarray(f, dtype=np.float64)
    y = np.asarray(y, dtype=np.float64)
    w = None if weights is None else np.asarray(weights, dtype=np.float64)
    penalties = [penalty] if isinstance(penalty, FusedRidge) else list(penalty)
    lengths = {array.shape[0] for array, axes in ((X, 3), (f, 2), (y, 2)) if array.ndim == axes}
    if w is not None and w.ndim == 2:
        lengths.add(w.shape[0])
    if len(penalties) > 1:
        lengths.add(len(penalties))
    b = max(lengths, default=1)
    if lengths - {b}:
        raise ValueError(f"the training sets do not agree in number: {sorted(lengths)}")
    fits = [
        fit_affine(
            X[i] if X.ndim == 3 else X,
            f[i] if f.ndim == 2 else f,
            y[i] if y.ndim == 2 else y,
            penalties[i % len(penalties)],
            lambda_beta,
            solver=solver,
            tolerance=tolerance,
            start=start,
            max_iterations=max_iterations,
            weights=None if w is None else w[i] if w.ndim == 2 else w,
        )
        for i in range(b)
    ]
    return AffineFits(
        alpha_0=read_only(np.array([fit.alpha_0 for fit in fits])),
        alpha_1=read_only(np.array([fit.alpha_1 for fit in fits])),
        beta=read_only(np.array([fit.beta for fit in fits])),
        gamma=read_only(np.array([fit.gamma for fit in fits])),
        objective=read_only(np.array([fit.objective for fit in fits])),
        iterations=np.array([fit.convergence.iterations for fit in fits], dtype=np.int64),
        converged=np.array([fit.convergence.converged for fit in fits], dtype=np.bool_),
    )
