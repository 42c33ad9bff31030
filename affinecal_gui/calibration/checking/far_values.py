"""Which measured values the others do not let expect, with all that is uncertain about the fit counted in.

y = alpha_0 + alpha_1 f + z'gamma + noise, the penalty of gamma read as its prior covariance. With P the matrix of the
restricted likelihood (P = V^-1 - V^-1 H (H'V^-1 H)^-1 H'V^-1, V = W^-1 + Z Lambda^-1 Z', H the columns of the line) and
u = P y, what the others let expect of polymer i misses it by u_i / P_ii, and without i

    residual sum of squares  y'P y - u_i^2 / P_ii,      ln |V| + ln |H'V^-1 H|  grows by ln P_ii:

the externally studentised residual and the evidence of the others are closed (compare Cook and Weisberg, Residuals and
Influence in Regression, 1982, section 2.2). The penalties are not known. Each pair of the grid judges the polymer, and counts
as the *other* polymers find it likely, so that a wrong value cannot widen by itself what is expected of it; the mean of the
probabilities is that of a value so far away, given the others. Where measurements scatter with heavy tails, a far value is no
surprise: the probability is that of normal scatter and that of Student's t, each as likely as the residuals of the others
make it (:mod:`affinecal_gui.calibration.checking.heavy_tails`). It is multiplied by the number of polymers (Bonferroni).

The most surprising polymer is taken out and the next one judged without it, so that a few wrong values do not hide each
other; all up to the last one that is too surprising are flagged (as in the test of Rosner, Technometrics 25, 1983, 165).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.special import stdtr

from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.checking.heavy_tails import with_heavy_tails
from affinecal_gui.calibration.results import FarValue, FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import to_modes

FLAGGED_BELOW = 0.05
"""Share of sets of normal residuals in which any is flagged by these alone."""

FAR_BELOW = 0.07
"""Probability, times the number of polymers, below which a value is flagged. Of sets of normal values fewer have a flag,
since heavy tails are never out of the question; docs/uncertainty.md has the numbers."""

MANY = 20
"""Below so many polymers the level falls in proportion: they hardly tell the penalties, and surprise comes too easily."""

LARGEST_SHARE = 6
"""At most one polymer in so many is flagged, but one: what departs more often is no exception. Of twelve it is two."""

LATER = 0.5
"""Share of that level at which the second and further polymers are judged, which have more than one chance to be flagged."""

MOST_FLAGGED = 20
"""Of many polymers no more are sought."""

MOST_POLYMERS = 200
"""Beyond so many, held-out residuals alone tell as much, and matrices of all polymers become dear."""

FEWEST_LEFT = 5
"""Polymers by which one is judged: a line and its scatter need as many."""

LINE = 2
"""Parameters of the line."""

ROUNDING = 1e-9
"""Residuals below this share of the size of the values are rounding, however they compare with the others."""


def most_flagged(polymers: int) -> int:
    """Return how many of so many polymers are flagged at most."""
    return max(1, min(polymers // LARGEST_SHARE, MOST_FLAGGED))


@dataclass(slots=True)
class _Judges:
    """The pairs of penalties and what each thinks of the polymers that are left."""

    P: FloatArray  # (k, n, n)
    flexibility: FloatArray  # (k,) ln |V| + ln |H'V^-1 H|
    y: FloatArray  # (n,)
    noise: FloatArray  # (n,) variances of measurements, in units of their scatter
    left: list[int]  # of the n, in order

    def most_surprising(self) -> FarValue:
        """Return the polymer that is least expected among those that are left, its position that in the part."""
        rows, n = self.left, len(self.left)
        P = self.P[:, rows][:, :, rows]
        u = P @ self.y[rows]
        own = np.einsum("kii->ki", P)
        missed = u**2 / own
        free = n - LINE - 1
        y = self.y[rows]
        rounding = max(ROUNDING**2 * float(y @ y), float(np.finfo(float).tiny))
        others = np.maximum((u @ y)[:, None] - missed, rounding)
        evidence = -0.5 * (free * np.log(others) + self.flexibility[:, None] + np.log(own))
        likely = np.exp(evidence - evidence.max(axis=0))
        likely /= likely.sum(axis=0)
        t = np.sqrt(missed * free) / np.sqrt(others)  # roots first: the others may be met exactly
        p = (likely * 2.0 * stdtr(free, -t)).sum(axis=0)
        i = int(np.argmin(p))
        judging, mean = likely[:, i], float(likely[:, i] @ t[:, i])
        if n * p[i] < 1.0:
            squares, shares = self._without_seeing(i, P, u, own)
            typical = judging @ others[:, i] / free
            residuals = np.sqrt(judging @ squares / typical)
            of_measurements = np.clip(judging @ shares, 0.0, 1.0)
            beside = np.arange(n) != i
            p[i] = with_heavy_tails(
                float(p[i]), mean, float(of_measurements[i]), residuals[beside], of_measurements[beside]
            )
        direction = float(np.sign(judging @ (u[:, i] / own[:, i])))
        moved = self.noise[rows] * (judging / own[:, i] * u[:, i] @ P[:, :, i])
        influence = float(np.sqrt(np.mean(np.delete(moved, i) ** 2)))
        return FarValue(rows[i], direction * mean, min(1.0, n * float(p[i])), influence)

    def _without_seeing(self, i: int, P: FloatArray, u: FloatArray, own: FloatArray) -> tuple[FloatArray, FloatArray]:
        """(k, n) squared residuals, whitened, by fits that have not seen polymer i, and the measurements' shares.

        What a wrong value does to the residuals of polymers like it would look like heavy tails. The entry of i itself is the
        share alone.
        """
        towards = P[:, :, i] / own[:, i, None]
        missed, told = u - towards * u[:, i, None], own - towards**2 * own[:, i, None]
        missed[:, i], told[:, i] = 0.0, own[:, i]
        told = np.maximum(told, np.finfo(float).tiny)
        return missed**2 / told, told * self.noise[self.left]

    def without(self, row: int) -> None:
        """Take a polymer out."""
        column = self.P[:, :, row]
        own = column[:, row].copy()
        self.P = self.P - column[:, :, None] * column[:, None, :] / own[:, None, None]
        self.flexibility = self.flexibility + np.log(own)
        self.left.remove(row)


def far_values(
    part: TrainingPart, lambda_1: Sequence[float], lambda_2: Sequence[float], level: float = FAR_BELOW
) -> tuple[FarValue, ...] | None:
    """Return the polymers of a training part whose values are too far from what the others let expect, farthest first.

    Parameters
    ----------
    part
        n polymers; with weights that do not depend on how far a value is.
    lambda_1, lambda_2
        The grid of penalties. Without descriptors the line alone judges.
    level
        Probability, times the number of polymers, below which a value is flagged; less with fewer than :data:`MANY`.

    Returns
    -------
    None where there are too many polymers.
    """
    n = len(part.y)
    if n > MOST_POLYMERS:
        return None
    if n <= FEWEST_LEFT:
        return ()
    judges = _judges(part, lambda_1, lambda_2)
    level *= min(1.0, n / MANY)
    found: list[FarValue] = []
    count = 0
    for step in range(min(most_flagged(n), n - FEWEST_LEFT)):
        found.append(judges.most_surprising())
        judges.without(found[-1].row)
        if found[-1].p_value <= (LATER if step else 1.0) * level:
            count = step + 1
    return tuple(sorted(found[:count], key=lambda one: -abs(one.studentised)))


def _judges(part: TrainingPart, lambda_1: Sequence[float], lambda_2: Sequence[float]) -> _Judges:
    n, noise = len(part.y), 1.0 / part.weights
    modes = to_modes(part.Z, part.sizes) if part.Z.shape[1] else np.zeros((n, 0))
    line = np.column_stack([np.ones(n), part.t])
    pairs = list(product(lambda_1, lambda_2)) if part.Z.shape[1] else [(1.0, 0.0)]
    P, flexibility = np.empty((len(pairs), n, n)), np.empty(len(pairs))
    for k, (first, second) in enumerate(pairs):
        own = modes / part.ridge(first, second).eigenvalues if modes.size else modes
        factor = cho_factor(np.diag(noise) + own @ modes.T, lower=True)
        whitened = cho_solve(factor, line)
        gram = line.T @ whitened
        P[k] = cho_solve(factor, np.eye(n)) - whitened @ np.linalg.pinv(gram, hermitian=True) @ whitened.T
        told = np.linalg.eigvalsh(gram)
        flexibility[k] = 2.0 * np.log(np.diag(factor[0])).sum() + np.log(told[told > 0.0]).sum()
    return _Judges(P, flexibility, part.y, noise, list(range(n)))
