"""Held-out errors of many training sets at every penalty of a grid, when there are fewer polymers than descriptors."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.cross_validation.resampling import Resampling
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.dual_problems import MOST_TERMS, DualExpansion, DualProblems, SharedDualProblems
from affinecal_gui.calibration.solvers.fused_ridge import from_modes
from affinecal_gui.calibration.solvers.profile_series import GammaSeries
from affinecal_gui.calibration.solvers.solver_choice import AffineSolver, Solution
from affinecal_gui.task import Task

_KEPT_BYTES = 1.2e8
"""Power series of residuals that one part keeps while the solvers walk on them."""

_FEW = 8
"""With fewer problems for each penalty, its own matrix is not worth making."""


@dataclass(frozen=True, slots=True)
class SearchPart:
    """Consecutive penalties against training sets that leave out the same number of rows."""

    chunks: tuple[slice, ...]  # of penalties
    members: IntArray  # (S',) which training sets
    left_out: IntArray  # (S', c)

    @property
    def penalties(self) -> slice:
        """All penalties of the part."""
        return slice(self.chunks[0].start, self.chunks[-1].stop)

    @property
    def size(self) -> int:
        """Number of problems."""
        return int(self.chunks[-1].stop - self.chunks[0].start) * len(self.members)


@dataclass(frozen=True, slots=True)
class ExpandedPart:
    """A part whose problems are known as power series about beta = 0; penalty outer, training set inner."""

    part: SearchPart
    expansion: DualExpansion
    problems: DualProblems


def split_in_parts(data: Resampling, workers: int) -> list[SearchPart]:
    """Divide the work so that each worker has its share and no part keeps too much memory."""
    parts = []
    for members, left_out in data.groups():
        chunks = list(data.chunks(len(members), left_out.shape[1]))
        each = 8.0 * len(members) * MOST_TERMS * data.X.shape[0] * (chunks[0].stop - chunks[0].start)
        needed = -(-len(chunks) // max(1, int(_KEPT_BYTES / each)))
        count = min(len(chunks), -(-needed // workers) * workers)  # as many parts for each worker
        shares = np.array_split(np.arange(len(chunks)), count)
        parts += [SearchPart(tuple(chunks[some[0] : some[-1] + 1]), members, left_out) for some in shares]
    return parts


def log_difference_part(data: Resampling, part: SearchPart, centred: FloatArray, task: Task) -> FloatArray:
    """Mean squared errors (g', S') of the log-difference model.

    Parameters
    ----------
    data : Resampling
    part : Part
    centred : (S, n) array
        y - f minus its training mean, in all rows, for every training set.
    task : Task
    """
    sigma = np.sqrt(data.weights)
    right = (centred[part.members] * sigma)[:, np.newaxis, :]
    share = data.test_share[part.members]
    errors = []
    for chunk in part.chunks:
        task.check()
        shared = SharedDualProblems(data.smoothers(chunk), part.left_out)
        b = np.broadcast_to(right, (chunk.stop - chunk.start, *right.shape)).copy()
        b -= shared.smooth(b)
        np.square(b, out=b)
        errors.append((b[:, :, 0, :] * share).sum(axis=2))
    return np.concatenate(errors)


def expand_part(data: Resampling, part: SearchPart, solver: AffineSolver, task: Task) -> ExpandedPart:
    """Expand all problems of a part about beta = 0."""
    sigma = np.sqrt(data.weights)
    f = solver.f
    g, S = part.penalties.stop - part.penalties.start, len(part.members)
    regression = solver.regression.take(part.members)
    expansions = []
    for chunk in part.chunks:
        task.check()
        shared = SharedDualProblems(data.smoothers(chunk), part.left_out)
        expansions.append(shared.expand(f, sigma, regression, solver.lambda_beta))
    problems = DualProblems(
        data.Z,
        data.eigenvalues[part.penalties],
        data.kernels(part.penalties),
        np.broadcast_to(f, (S, len(f))),
        data.inside[part.members] * data.weights,
        regression,
        solver.lambda_beta,
        np.repeat(np.arange(g), S),
        np.tile(np.arange(S), g),
        data.sizes,
    )
    return ExpandedPart(part, DualExpansion.join(expansions), problems)


def errors_at_zero(data: Resampling, expanded: ExpandedPart, alpha_1: FloatArray) -> FloatArray:
    """Mean squared errors (g', S') for beta = 0, given centred alpha_1' (S,) of every training set, and alpha_0' = 0."""
    part = expanded.part
    factor = alpha_1[part.members]
    S = len(part.members)
    share = data.test_share[part.members]
    errors = []
    for terms in expanded.expansion.residual:
        first = terms[:, 0].reshape(-1, S, 3, terms.shape[3])
        residual = first[:, :, 0] - factor[:, np.newaxis] * first[:, :, 1]
        errors.append((residual**2 * share).sum(axis=2))
    return np.concatenate(errors)


class _GammaOnSeries:
    """Best gamma of B problems anywhere near beta = 0, from the series of their residuals."""

    def __init__(
        self,
        data: Resampling,
        expansion: DualExpansion,
        eigenvalues: FloatArray,
        f: FloatArray,
        training_sigma: FloatArray,
        kernel: IntArray,
        training_set: IntArray,
    ) -> None:
        self.data, self.expansion, self.eigenvalues, self.f = data, expansion, eigenvalues, f
        self.training_sigma = training_sigma  # (S, n) sqrt(w) in the training rows, zero elsewhere
        self.kernel, self.training_set = kernel, training_set  # (B,), the kernels ascending
        self.smoothed: dict[int, FloatArray] = {}

    def take(self, rows: IntArray) -> GammaSeries:
        """Expand gamma itself for a few problems, ascending: gamma = -Lambda^-1 X' sqrt(w) (1 + beta f) z."""
        z = self.expansion.gather(rows)
        k, terms, _, n = z.shape
        dual = np.zeros((k, terms + 1, 3, n))
        dual[:, :-1] = z
        dual[:, 1:] += self.f * z
        dual *= self.training_sigma[self.training_set[rows], np.newaxis, np.newaxis]
        gamma = (dual.reshape(-1, n) @ self.data.Z).reshape(k, terms + 1, 3, -1)
        gamma /= -self.eigenvalues[self.kernel[rows], np.newaxis, np.newaxis]
        return GammaSeries(self.expansion.series.reference[rows], from_modes(gamma, self.data.sizes))

    def __call__(self, rows: IntArray, alpha_1: FloatArray, alpha_0: FloatArray, beta: FloatArray) -> FloatArray:
        """Return (k, m, d) gamma of k problems (ascending) for m settings (m, k) of their parameters."""
        dual = self.expansion.scaled_residual(rows, alpha_1, alpha_0, beta)
        dual *= 1.0 + beta.T[:, :, np.newaxis] * self.f
        dual *= self.training_sigma[self.training_set[rows], np.newaxis]
        k, settings, n = dual.shape
        flat = dual.reshape(-1, n)
        kernel = self.kernel[rows]
        begins = np.flatnonzero(np.diff(kernel, prepend=-1))
        if len(rows) < _FEW * len(begins):
            gamma = (flat @ self.data.Z).reshape(k, settings, -1)
            gamma /= -self.eigenvalues[kernel, np.newaxis]
            return from_modes(gamma, self.data.sizes)
        # One product for each penalty with -X Lambda^-1.
        gamma = np.empty((len(flat), self.data.X.shape[1]))
        for begin, end in zip(begins.tolist(), [*begins[1:].tolist(), k], strict=True):
            which = int(kernel[begin])
            if which not in self.smoothed:
                self.smoothed[which] = from_modes(self.data.Z / -self.eigenvalues[which], self.data.sizes)
            here = slice(settings * begin, settings * end)
            np.matmul(flat[here], self.smoothed[which], out=gamma[here])
        return gamma.reshape(k, settings, -1)


def affine_part(data: Resampling, expanded: ExpandedPart, solver: AffineSolver) -> FloatArray:
    """Mean squared errors (g', S') of the affine model."""
    part, expansion, problems = expanded.part, expanded.expansion, expanded.problems
    f, S = solver.f, len(part.members)
    g = part.penalties.stop - part.penalties.start
    everyone = np.arange(g * S)
    training_sigma = np.where(data.inside[part.members], np.sqrt(data.weights), 0.0)
    gamma_at = _GammaOnSeries(data, expansion, problems.eigenvalues, f, training_sigma, everyone // S, everyone % S)
    found = solver.solve(problems, expansion.series, gamma_at, np.tile(part.members, g))
    residual = expansion.scaled_residual(
        everyone, found.alpha_1[np.newaxis], found.alpha_0[np.newaxis], found.beta[np.newaxis]
    ).reshape(g, S, -1)
    np.square(residual, out=residual)
    share = data.test_share[part.members]
    errors = np.asarray((residual * share).sum(axis=2))
    again = found.inaccurate
    if len(again):
        errors.reshape(-1)[again] = _exact_errors(data, problems, found, share)
    return errors


def _exact_errors(data: Resampling, problems: DualProblems, found: Solution, share: FloatArray) -> FloatArray:
    """Errors of the problems that the series does not describe."""
    rows = found.inaccurate
    alpha_1, alpha_0, beta = found.alpha_1[rows], found.alpha_0[rows], found.beta[rows]
    _, v, _ = problems.solution(rows, alpha_1, alpha_0, beta)
    f, _ = problems.training(rows)
    residual = problems.regression.take(rows).residual(alpha_1, alpha_0) + (1.0 + beta[:, np.newaxis] * f) * v
    return np.asarray((data.weights * residual**2 * share[problems.training_set[rows]]).sum(axis=1))
