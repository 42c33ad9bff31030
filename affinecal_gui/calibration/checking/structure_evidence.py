"""Whether polymers of like structure depart alike from a line through measured against MD values: an exact test.

Under the null hypothesis the measured values scatter about ``alpha_0 + alpha_1 f`` without regard to the descriptors. Under
the alternative they follow, besides, a correction ``x' gamma`` whose coefficients come from the prior that the penalty
stands for, so that the residuals r of the line have the covariance ``I + K``, K the similarity of the descriptors under that
prior, in units of the scatter. The test that sees one such K best of all that know no scatter, the point-optimal invariant
test (King, Econometric Reviews 6, 1987, 169-218), asks whether ``r' (I + K)^-1 r / r' r`` is smaller than scatter alone makes
it, r and K beside the directions of the line. It fits no coefficients and holds nobody out, which is why it sees with twenty
polymers what a comparison of held-out errors sees with sixty. The score test ``r' K r / r' r`` (Liu, Lin and Ghosh,
Biometrics 63, 2007, 1079-1088), its limit for corrections that are small beside the scatter, sees less of those that matter.
The probability is exact for normal scatter (Imhof, Biometrika 48, 1961, 419-426); scatter that grows eightfold leaves it
where it is or makes it cautious, and with Student's t of 3 degrees of freedom 4 to 6 in 100 sets lie below 0.03
(``tests/benchmarks/structure_level.py``).
"""

import numpy as np

from affinecal_gui.calibration.calibrators.training import TrainingPart
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.fused_ridge import to_modes

PENALTIES = (5.0, 5.0)
"""lambda_1 and lambda_2 of the prior: about those that predict well where there is a correction. Chosen among 18 pairs by how
often a correction is found in simulations (docs/uncertainty.md); those near them find about as much."""

FEW = 20
"""From so many polymers on the squares of the penalties grow in proportion, so that K stays as large beside the scatter. More
polymers see smaller corrections, and with a larger K heavy tails of the scatter would look like one."""

_LINE = 2
_NODES = 2000


def structure_p_value(part: TrainingPart, groups: IntArray) -> float:
    """Return how often scatter alone makes residuals of a line as alike among similar polymers as these; nan if untold.

    Parameters
    ----------
    part
        All polymers of the fit.
    groups
        (n,) equal for rows of the same polymer, which count as one: what they share is no matter of structure.
    """
    if not part.Z.shape[1]:
        return float("nan")
    each = part.by_polymer(groups)
    y, f, Z = each.y, each.f, each.Z
    root = np.sqrt(each.weights / each.weights.mean())  # the prior is one in units of the scatter of a mean measurement
    line = np.column_stack([root, root * (f - f.mean())])
    basis, triangle = np.linalg.qr(line, mode="complete")
    free = int(np.sum(np.abs(np.diag(triangle)) > 1e-9 * max(np.abs(triangle).max(), 1e-300)))
    beside = basis[:, free:]
    penalties = (one * float(np.sqrt(max(1.0, len(y) / FEW))) for one in PENALTIES)
    modes = to_modes(np.ascontiguousarray(Z), part.sizes) / np.sqrt(part.ridge(*penalties).eigenvalues)
    acting = beside.T @ (root[:, None] * modes)
    residual = beside.T @ (root * (y - y.mean()))
    length = float(np.abs(residual).max(initial=0.0))
    if len(residual) <= _LINE or length <= 1e-12 * float(np.abs(y).max()):
        return float("nan")
    residual = residual / length
    directions, singular, _ = np.linalg.svd(acting, full_matrices=False)
    told = singular**2 / (1.0 + singular**2)  # 1 - 1/(1 + k), k an eigenvalue of K
    share = np.zeros(len(residual))
    share[: len(told)] = told
    found = float(told @ (directions.T @ residual) ** 2 / (residual @ residual))
    return _beyond_zero(share - found)


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
