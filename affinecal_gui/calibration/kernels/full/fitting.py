"""AffineTL-full fitted: from penalties to weights, from one start or from several."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.kernels.full.blocks import block_updates, random_start
from affinecal_gui.calibration.kernels.full.newton import newton
from affinecal_gui.calibration.kernels.full.objective import FullProblem, FullWeights, times, weighted
from affinecal_gui.calibration.kernels.gram import factor
from affinecal_gui.calibration.kernels.methods import Solver
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

FIRST_SWEEPS = 3
"""Block updates after a random start, before the Newton steps."""


@dataclass(frozen=True, slots=True)
class FullFits:
    """The best of all starts, of b problems."""

    weights: FullWeights
    objective: FloatArray  # (b,)
    iterations: NDArray[np.int64]  # (b,)
    converged: NDArray[np.bool_]  # (b,)
    objectives: FloatArray  # (b, starts) where each start ended


def fit_full(
    problem: FullProblem,
    *,
    root: FloatArray | None = None,
    solver: Solver = "newton",
    starts: int = 1,
    seed: int = 0,
    task: Task = UNWATCHED,
) -> FullFits:
    """Fit b problems.

    Newton's first start is b = 0, the optimum of AffineTL-const with these penalties; further ones, and all of the block
    updates, are random. ``root`` (s, n) are square roots of the weights of the rows, None where all count the same.
    """
    if root is not None:
        found = fit_full(weighted(problem, root), solver=solver, starts=starts, seed=seed, task=task)
        own, back = found.weights, root[problem.which]
        return replace(found, weights=FullWeights(own.a * back, own.b, own.c * back, own.d))
    best: FullFits | None = None
    ends = []
    factors = factor(problem.K2) if solver == "newton" else None
    for number in range(starts):
        if factors is None:
            blocks = block_updates(problem, random_start(problem, seed + number), trace=False, task=task)
            found = FullFits(
                blocks.weights, blocks.objective, blocks.sweeps, blocks.converged, blocks.objective[:, None]
            )
        else:
            found = _newton(problem, *factors, seed + number if number else None, task)
        ends.append(found.objective)
        best = found if best is None else _better(best, found)
    assert best is not None
    return FullFits(best.weights, best.objective, best.iterations, best.converged, np.stack(ends, axis=1))


def _newton(problem: FullProblem, L: FloatArray, T: FloatArray, seed: int | None, task: Task) -> FullFits:
    which = problem.which
    w = np.zeros((len(which), L.shape[2]))
    if seed is not None:
        begun = block_updates(problem, random_start(problem, seed), max_sweeps=FIRST_SWEEPS, trace=False)
        h = times(problem.K2[which], begun.weights.b)
        w = (h[:, None, :] @ T[which])[:, 0]
    ended = newton(problem, L, w, task=task)
    weights = FullWeights(
        ended.u / problem.l1[:, None],
        (T[which] @ ended.w[:, :, None])[:, :, 0],
        ended.g * ended.u / problem.l3[:, None],
        ended.d,
    )
    return FullFits(weights, ended.objective, ended.steps, ended.converged, ended.objective[:, None])


def _better(one: FullFits, other: FullFits) -> FullFits:
    """Take, problem by problem, the fit with the lower objective; of equals the first."""
    swap = other.objective < one.objective * (1.0 - 1e-9)

    def chosen(first: FloatArray, second: FloatArray) -> FloatArray:
        return np.where(swap[:, None] if first.ndim == 2 else swap, second, first)

    return FullFits(
        FullWeights(
            chosen(one.weights.a, other.weights.a),
            chosen(one.weights.b, other.weights.b),
            chosen(one.weights.c, other.weights.c),
            chosen(one.weights.d, other.weights.d),
        ),
        chosen(one.objective, other.objective),
        np.where(swap, other.iterations, one.iterations),
        np.where(swap, other.converged, one.converged),
        one.objectives,
    )
