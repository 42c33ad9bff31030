"""AffineTL-full in few steps: for given b everything else is linear, and what remains is minimised by damped Newton steps.

With K2 = L L' and h = K2 b = L w, g = h + 1, the best a, c, d follow from one linear system, as in AffineTL-const with the
kernel g_i K3_ij g_j:

    M = I + K1/l1 + (g g') o K3/l3,     M u = y - d 1,  1'u = 0,     a = u/l1,  c = (g o u)/l3            (N1)

and u is the residual. The profiled objective and its derivatives by w are, with v = K3 c and
P = M^-1 - M^-1 11' M^-1 / (1'M^-1 1):

    p(w)  = y'u + l2 w'w                                                                         (N2)
    p'    = 2 (l2 w - L'(u o v))                                                                 (N3)
    p''   = 2 (l2 I + B'P B - N),   B = diag(v) L + g o K3 (u o L)/l3,   N = (u o L)'K3 (u o L)/l3        (N4)

A stationary point of p is one of the whole objective, so the block updates end at the same points. Far from them p need
not be convex: a step that does not lower p is shortened (Levenberg and Marquardt), so p falls with every accepted step.

What is needed of M^-1 is its product with y, 1 and the r columns of B. Where r is a small share of n, as with one MD value as
source, M is factored (n³/3) and each product costs n² r; inverting it costs eight times as much. Small stacks are inverted,
which numpy does for all of them at once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import qr
from scipy.linalg.lapack import dpotrs

from affinecal_gui.calibration.kernels.full.objective import FullProblem, times
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

TOLERANCE = 1e-9
"""Stop when the next step would lower the objective by less than this share of it."""

MAX_STEPS = 200
FACTORED_FROM = 64
"""Rows from which the matrices are factored rather than inverted."""

FACTORED_SHARE = 0.25
"""Largest share of the rows that the rank of K2 may be for that."""

_FIRST_DAMPING = 1e-2
_MOST_DAMPING = 1e12


@dataclass(frozen=True, slots=True)
class NewtonResult:
    """Where the Newton steps ended, of b problems."""

    w: FloatArray  # (b, r)
    u: FloatArray  # (b, n) residuals; a = u / l1, c = g u / l3
    g: FloatArray  # (b, n)
    d: FloatArray  # (b,)
    objective: FloatArray  # (b,)
    steps: NDArray[np.int64]  # (b,)
    converged: NDArray[np.bool_]  # (b,)


@dataclass(frozen=True, slots=True)
class Inverse:
    """The inverses of b symmetric matrices, none of whose eigenvalues is below 1."""

    matrices: FloatArray  # (b, n, n) the inverses, or lower Cholesky factors of the matrices themselves
    factored: bool

    @classmethod
    def of(cls, system: FloatArray, rank: int) -> "Inverse":
        """Invert or factor; ``rank`` is the number of columns that the inverses will be multiplied by."""
        n = system.shape[1]
        if n < FACTORED_FROM or rank > FACTORED_SHARE * n:
            return cls(np.asarray(np.linalg.inv(system), dtype=np.float64), factored=False)
        try:
            return cls(np.asarray(np.linalg.cholesky(system), dtype=np.float64), factored=True)
        except np.linalg.LinAlgError:
            return cls(np.stack([_factor_of_one(one) for one in system]), factored=True)

    def times(self, right: FloatArray) -> FloatArray:
        """(b, n, q) products of factored inverses with matrices (b, n, q)."""
        # A lower factor in rows is an upper one in columns, which is how the library wants it.
        return np.stack([dpotrs(one.T, other)[0] for one, other in zip(self.matrices, right, strict=True)])

    def take(self, rows: NDArray[np.bool_]) -> "Inverse":
        """Keep some of them."""
        return Inverse(self.matrices[rows], self.factored)


def _factor_of_one(matrix: FloatArray) -> FloatArray:
    """Return a lower factor of a matrix that rounding may have robbed of eigenvalues of at least 1."""
    if not np.isfinite(matrix).all():
        return np.full_like(matrix, np.nan)
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray(qr((vectors * np.sqrt(np.maximum(values, 1.0))).T, mode="r")[0]).T


@dataclass(slots=True)
class _State:
    """Everything about the present point of the problems that are still moving."""

    w: FloatArray
    g: FloatArray
    u: FloatArray
    d: FloatArray
    inverse: Inverse  # M^-1
    value: FloatArray

    def put(self, rows: NDArray[np.bool_], other: "_State", from_rows: NDArray[np.bool_]) -> None:
        for name in ("w", "g", "u", "d", "value"):
            getattr(self, name)[rows] = getattr(other, name)[from_rows]
        self.inverse.matrices[rows] = other.inverse.matrices[from_rows]

    def take(self, rows: NDArray[np.bool_]) -> "_State":
        return _State(self.w[rows], self.g[rows], self.u[rows], self.d[rows], self.inverse.take(rows), self.value[rows])


def newton(
    problem: FullProblem,
    L: FloatArray,
    w: FloatArray,
    *,
    tolerance: float = TOLERANCE,
    max_steps: int = MAX_STEPS,
    task: Task = UNWATCHED,
) -> NewtonResult:
    """Minimise (N2) from w.

    Parameters
    ----------
    problem
        b problems; K2 is not looked at.
    L
        (s, n, r) factors of K2.
    w
        (b, r) where to begin.
    """
    count = len(problem.which)
    n = problem.y.shape[1]
    result = NewtonResult(
        w.copy(),
        np.zeros((count, n)),
        np.ones((count, n)),
        np.zeros(count),
        np.zeros(count),
        np.zeros(count, dtype=np.int64),
        np.zeros(count, dtype=bool),
    )
    rows = np.arange(count)
    part = problem
    state = evaluate(part, L, w)
    damping = np.full(count, _FIRST_DAMPING)
    for _ in range(max_steps + 1):
        task.check()
        slope, curvature = derivatives(part, L, state)
        # Relative to the curvature of p without its negative part, so that damping has no unit.
        size = np.maximum(np.abs(np.einsum("bii->b", curvature)) / curvature.shape[1], 2.0 * part.l2)
        curvature[:, np.arange(w.shape[1]), np.arange(w.shape[1])] += (damping * size)[:, None]
        step = -_solve(curvature, slope)
        promised = -np.sum(slope * step, axis=1)
        # Along a gradient step as well, lest negative curvature hides that there is still way to go.
        steepest = np.sum(slope**2, axis=1) / size
        done = np.maximum(np.abs(promised), np.minimum(steepest, np.abs(promised) * 1e3)) <= tolerance * state.value
        done |= steepest <= 1e-3 * tolerance * state.value
        done |= damping > _MOST_DAMPING
        if done.any():
            _store(result, rows, state, done, converged=damping[done] <= _MOST_DAMPING)
            keep = ~done
            rows, damping, step, promised = rows[keep], damping[keep], step[keep], promised[keep]
            state, part = state.take(keep), part.take(np.flatnonzero(keep))
        if not len(rows):
            return result
        trial = evaluate(part, L, state.w + step)
        result.steps[rows] += 1
        better = (trial.value <= state.value) & (promised > 0.0)
        # Half the promised fall is what a quadratic function would give.
        gain = (state.value - trial.value) / np.where(promised > 0.0, 0.5 * promised, 1.0)
        damping = np.where(
            better, np.where(gain > 0.75, damping * 0.3, np.where(gain < 0.25, damping * 4.0, damping)), 10.0 * damping
        )
        damping = np.where(damping < 1e-8, 1e-8, damping)
        state.put(better, trial, better)
    _store(result, rows, state, np.ones(len(rows), dtype=bool), converged=np.zeros(len(rows), dtype=bool))
    return result


def evaluate(problem: FullProblem, L: FloatArray, w: FloatArray) -> _State:
    """Solve for everything but w."""
    which, n = problem.which, problem.y.shape[1]
    g = times(L[which], w) + 1.0
    system = problem.K3[which]
    system *= (g / problem.l3[:, None])[:, :, None]
    system *= g[:, None, :]
    system += problem.K1[which] / problem.l1[:, None, None]
    system[:, np.arange(n), np.arange(n)] += 1.0
    inverse = Inverse.of(system, L.shape[2])
    y = problem.y[which]
    if inverse.factored:
        both = inverse.times(np.stack([y, np.ones_like(y) if problem.ones is None else problem.ones[which]], axis=2))
        solved, ones = both[:, :, 0], both[:, :, 1]
    else:
        solved, ones = times(inverse.matrices, y), problem.inverse_of_ones(inverse.matrices)
    d = problem.against_ones(solved) / problem.against_ones(ones)
    u = solved - d[:, None] * ones
    value = np.sum(y * u, axis=1) + problem.l2 * np.sum(w * w, axis=1)
    return _State(w, g, u, d, inverse, value)


def derivatives(problem: FullProblem, L: FloatArray, state: _State) -> tuple[FloatArray, FloatArray]:
    """Slope (N3) and curvature (N4)."""
    which = problem.which
    K3, factors = problem.K3[which], L[which]
    l3 = problem.l3[:, None]
    v = times(K3, state.g * state.u) / l3
    uL = state.u[:, :, None] * factors
    K3uL = K3 @ uL / l3[:, :, None]
    B = v[:, :, None] * factors + state.g[:, :, None] * K3uL
    if state.inverse.factored:
        right = np.ones((*B.shape[:2], 1)) if problem.ones is None else problem.ones[which][:, :, None]
        both = state.inverse.times(np.concatenate([B, right], axis=2))
        PB, ones = both[:, :, :-1], both[:, :, -1]
    else:
        ones = problem.inverse_of_ones(state.inverse.matrices)
        PB = state.inverse.matrices @ B
    PB -= ones[:, :, None] * ((ones[:, None, :] @ B) / problem.against_ones(ones)[:, None, None])
    curvature = B.transpose(0, 2, 1) @ PB
    curvature -= uL.transpose(0, 2, 1) @ K3uL
    curvature *= 2.0
    r = factors.shape[2]
    curvature[:, np.arange(r), np.arange(r)] += 2.0 * problem.l2[:, None]
    slope = 2.0 * (problem.l2[:, None] * state.w - (factors.transpose(0, 2, 1) @ (state.u * v)[:, :, None])[:, :, 0])
    return slope, curvature


def _solve(curvature: FloatArray, slope: FloatArray) -> FloatArray:
    try:
        return np.asarray(np.linalg.solve(curvature, slope[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:  # a curvature that vanishes to the last bit; damping changes it in the next step
        return np.asarray((np.linalg.pinv(curvature, hermitian=True) @ slope[:, :, None])[:, :, 0])


def _store(
    result: NewtonResult,
    rows: NDArray[np.int64],
    state: _State,
    done: NDArray[np.bool_],
    *,
    converged: NDArray[np.bool_],
) -> None:
    at = rows[done]
    result.w[at], result.u[at], result.g[at], result.d[at] = state.w[done], state.u[done], state.g[done], state.d[done]
    result.objective[at] = state.value[done]
    result.converged[at] = converged
