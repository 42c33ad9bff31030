"""Whether polymers of like structure depart alike from a line through measured against MD values: a test, and the odds.

Under the null hypothesis the measured values scatter about ``alpha_0 + alpha_1 f`` without regard to the descriptors. Under
the alternative they follow, besides, a correction ``x' gamma`` whose coefficients come from the prior that the penalty
stands for, so that the residuals r of the line have the covariance ``I + K``, K the similarity of the descriptors under that
prior, in units of the scatter; r and K beside the directions of the line. How many descriptors there are does not matter: K
is made so large that the correction has on average :data:`SIZE` times the variance of the scatter. All that does not depend
on the scatter is a function of the direction of r, and so

    B = |I + K|^-1/2 q^(-m/2),    q = r' (I + K)^-1 r / r' r,    r of m numbers,

is the exact ratio of what the alternative and the null hypothesis make of it. Two questions are answered by it.

*Is there more than chance?* The test that sees one such K best of all that know no scatter, the point-optimal invariant test
(King, Econometric Reviews 6, 1987, 169-218), asks whether q is smaller than scatter alone makes it. It fits no
coefficients and holds nobody out, which is why it sees with twenty polymers what a comparison of held-out errors sees with
sixty. The score test ``r' K r / r' r`` (Liu, Lin and Ghosh, Biometrics 63, 2007, 1079-1088), its limit for corrections that
are small beside the scatter, sees less of those that matter. The probability is exact for normal scatter (Imhof, Biometrika
48, 1961, 419-426); scatter that grows eightfold leaves it where it is or makes it cautious, and with Student's t of 3
degrees of freedom 4 to 6 in 100 sets lie below 0.03 (``tests/benchmarks/structure_level.py``).

*How likely is it?* B / (1 + B), B being the Bayes factor and either hypothesis as likely beforehand. What is predicted by
both in these shares errs less than what a test decides for (Hoeting, Madigan, Raftery and Volinsky, Statistical Science 14,
1999, 382-417): where the test says "may be chance" of a correction that is there, most of it is still made.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import to_modes

SIZE = 1.0
"""Variance of the correction that is asked about, in units of that of the scatter. A quarter and four times of it lead to
nearly the same errors in simulations (docs/uncertainty.md)."""

FEW = 20
"""From so many polymers on the test asks about corrections that are smaller in proportion. More polymers see smaller ones,
and with a larger K heavy tails of the scatter would look like one. The odds ask about one size always."""

_LINE = 2
_NODES = 2000
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class _Departures:
    """Residuals of the line in the directions in which polymers are alike."""

    alike: FloatArray  # (k,) eigenvalues of K above zero, k up to m
    squares: FloatArray  # (k,) squared residuals along their directions, as shares of all
    free: int  # m, the number of polymers less that of the directions of the line

    @property
    def q(self) -> float:
        """How much of the squared residuals is left by the alternative: ``r' (I + K)^-1 r / r' r``."""
        return 1.0 - float(self.squares @ (self.alike / (1.0 + self.alike)))


def structure_p_value(part: TrainingPart, groups: IntArray) -> float:
    """Return how often scatter alone makes residuals of a line as alike among similar polymers as these; nan if untold.

    Parameters
    ----------
    part
        All polymers of the fit.
    groups
        (n,) equal for rows of the same polymer, which count as one: what they share is no matter of structure.
    """
    each = part.by_polymer(groups)
    found = _departures(each, SIZE * min(1.0, FEW / max(len(each.y), 1)))
    if found is None:
        return float("nan")
    share = np.zeros(found.free)
    share[: len(found.alike)] = found.alike / (1.0 + found.alike)
    return _beyond_zero(share - (1.0 - found.q))


def structure_probability(part: TrainingPart, groups: IntArray) -> float:
    """Return how likely it is that there is a correction by structure, against a line and nothing else; nan if untold.

    Parameters are those of :func:`structure_p_value`.
    """
    found = _departures(part.by_polymer(groups), SIZE)
    if found is None:
        return float("nan")
    least = np.finfo(np.float64).tiny
    return float(expit(-0.5 * (np.log1p(found.alike).sum() + found.free * np.log(max(found.q, least)))))


def _departures(each: TrainingPart, size: float) -> _Departures | None:
    """Return what polymers, one row each, say about K of this mean eigenvalue; None if nothing."""
    if not each.Z.shape[1]:
        return None
    root = np.sqrt(each.weights / each.weights.mean())  # the prior is one in units of the scatter of a mean measurement
    line = _directions_of_line(root, each.f)
    free = len(root) - line.shape[1]
    target = root * (each.y - each.y.mean())
    residual = target - line @ (line.T @ target)
    largest = float(np.abs(residual).max(initial=0.0))
    if free <= _LINE or largest <= _ROUNDING * float(np.abs(each.y).max()):
        return None
    residual = residual / largest
    modes = to_modes(np.ascontiguousarray(each.Z), each.sizes) / np.sqrt(each.ridge(1.0, 1.0).eigenvalues)
    acting = root[:, None] * modes
    acting -= line @ (line.T @ acting)
    directions, singular, _ = np.linalg.svd(acting, full_matrices=False)
    kept = slice(0, min(free, len(singular)))  # what rounding leaves along the line is none
    alike = singular[kept] ** 2
    if alike.sum() <= 1e-18 * len(root):
        return None  # polymers that no descriptor tells apart
    squares = (directions.T @ residual) ** 2 / (residual @ residual)
    return _Departures(alike * (size * free / alike.sum()), squares[kept], free)


def _directions_of_line(root: FloatArray, f: FloatArray) -> FloatArray:
    """(n, 2) orthonormal, weighted; (n, 1) where MD values differ by rounding only. The unit of f does not matter."""
    departures = f - f.mean()
    largest = float(np.abs(departures).max())
    if largest <= _ROUNDING * float(np.abs(f).max()):
        return np.asarray(root / np.linalg.norm(root))[:, None]
    return np.linalg.qr(np.column_stack([root, root * (departures / largest)]))[0]


def _beyond_zero(coefficients: FloatArray) -> float:
    """Return the probability that a sum of independent squared standard normals times these coefficients is above zero."""
    largest = float(np.abs(coefficients).max())
    if largest == 0.0 or (coefficients <= 0.0).all():
        return 1.0 if largest == 0.0 else 0.0
    scaled = coefficients / largest
    # Imhof's integral of sin(theta(u)) / (u rho(u)) over u from 0; the integrand is flat at first and falls as a power.
    at = np.concatenate([np.linspace(1e-6, 1.0, _NODES // 4), np.geomspace(1.0, 1e4, _NODES)[1:]])
    angle, size = np.zeros(len(at)), np.zeros(len(at))
    for one in scaled:
        angle += 0.5 * np.arctan(one * at)
        size += 0.25 * np.log1p((one * at) ** 2)
    integral = float(np.trapezoid(np.sin(angle) * np.exp(-size) / at, at))
    return float(np.clip(0.5 + integral / np.pi, 0.0, 1.0))
