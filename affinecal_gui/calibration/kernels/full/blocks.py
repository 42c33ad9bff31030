"""AffineTL-full by the paper's block updates, each an exact minimisation over one block of unknowns."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.kernels.full.objective import FullProblem, FullWeights, objective, times
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

PAPER_TOLERANCE = 1e-4
MAX_SWEEPS = 1000
NEGLIGIBLE = 1e-10
"""A block of unknowns whose largest value is below this counts as unchanged, as in the published program."""


@dataclass(frozen=True, slots=True)
class BlockResult:
    """Where the block updates ended."""

    weights: FullWeights
    objective: FloatArray  # (b,)
    sweeps: NDArray[np.int64]  # (b,)
    converged: NDArray[np.bool_]  # (b,)
    trace: FloatArray  # (sweeps + 1, b) objective before the first and after every sweep; constant once converged


def random_start(problem: FullProblem, seed: int) -> FullWeights:
    """Return the paper's start: a = (K1 + l1 I)^-1 y, b and c standard normal, d = 0.5.

    Every problem gets the same numbers, as when a program sets the seed before each fit.
    """
    n, count = problem.y.shape[1], len(problem.which)
    generator = np.random.default_rng(seed)
    b, c = generator.standard_normal((2, n))
    a = _solve(problem.K1[problem.which], problem.l1, problem.y[problem.which])
    return FullWeights(a, np.tile(b, (count, 1)), np.tile(c, (count, 1)), np.full(count, 0.5))


def sweep(problem: FullProblem, weights: FullWeights) -> FullWeights:
    """Update a, b, c and d once, in this order.

    a <- (K1 + l1 I)^-1 (y - (K2 b + 1) o (K3 c) - d 1)
    b <- (diag(K3 c)² K2 + l2 I)^-1 ((K3 c) o (y - K1 a - K3 c - d 1))
    c <- (diag(K2 b + 1)² K3 + l3 I)^-1 ((K2 b + 1) o (y - K1 a - d 1))
    d <- mean(y - K1 a - (K2 b + 1) o (K3 c))
    """
    which = problem.which
    K1, K2, K3, y = problem.K1[which], problem.K2[which], problem.K3[which], problem.y[which]
    v = times(K3, weights.c)
    g = times(K2, weights.b) + 1.0
    d = weights.d[:, None] if problem.ones is None else weights.d[:, None] * problem.ones[which]
    a = _solve(K1, problem.l1, y - g * v - d)
    rest = y - times(K1, a) - d
    b = _solve((v**2)[:, :, None] * K2, problem.l2, v * (rest - v))
    g = times(K2, b) + 1.0
    c = _solve((g**2)[:, :, None] * K3, problem.l3, g * rest)
    v = times(K3, c)
    if problem.ones is None:
        return FullWeights(a, b, c, np.asarray(np.mean(rest + d - g * v, axis=1)))
    size = np.sum(problem.ones[which] ** 2, axis=1)
    return FullWeights(a, b, c, problem.against_ones(rest + d - g * v) / size)


def block_updates(
    problem: FullProblem,
    start: FullWeights,
    *,
    tolerance: float = PAPER_TOLERANCE,
    max_sweeps: int = MAX_SWEEPS,
    trace: bool = True,
    task: Task = UNWATCHED,
) -> BlockResult:
    """Repeat :func:`sweep` until no block changes by more than ``tolerance``.

    The change of a block (a, b, c separately) is max |new - old| / max |old|, as in the published program.

    Parameters
    ----------
    problem
        b problems.
    start
        Where to begin.
    tolerance, max_sweeps
        When to stop; problems that are still moving after ``max_sweeps`` are not converged.
    trace
        Whether to keep the objective of every sweep.
    """
    count = len(problem.which)
    current = FullWeights(start.a.copy(), start.b.copy(), start.c.copy(), start.d.copy())
    sweeps = np.zeros(count, dtype=np.int64)
    converged = np.zeros(count, dtype=bool)
    values = objective(problem, current)
    found = [values.copy()]
    active = np.arange(count)
    for _ in range(max_sweeps):
        if not len(active):
            break
        task.check()
        part = problem.take(active)
        old = FullWeights(current.a[active], current.b[active], current.c[active], current.d[active])
        new = sweep(part, old)
        current.a[active], current.b[active], current.c[active], current.d[active] = new.a, new.b, new.c, new.d
        sweeps[active] += 1
        if trace:
            values[active] = objective(part, new)
            found.append(values.copy())
        change = np.maximum.reduce([_change(new.a, old.a), _change(new.b, old.b), _change(new.c, old.c)])
        done = change < tolerance
        converged[active[done]] = True
        active = active[~done]
    return BlockResult(current, objective(problem, current), sweeps, converged, np.array(found))


def _solve(K: FloatArray, penalty: FloatArray, right: FloatArray) -> FloatArray:
    n = K.shape[-1]
    system = K.copy()
    system[:, np.arange(n), np.arange(n)] += penalty[:, None]
    return np.asarray(np.linalg.solve(system, right[:, :, None])[:, :, 0])


def _change(new: FloatArray, old: FloatArray) -> FloatArray:
    size = np.abs(old).max(axis=1)
    return np.where(size < NEGLIGIBLE, 0.0, np.abs(new - old).max(axis=1) / np.maximum(size, NEGLIGIBLE))
