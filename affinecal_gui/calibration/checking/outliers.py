"""Measured values that the others do not let expect: a misprint, a unit, a factor, another sample.

Which they are was found out with the calibration (:mod:`affinecal_gui.calibration.checking.far_values`), unless it has very
many polymers or comes from an older study file. Then the out-of-fold residuals tell: that of a polymer owes nothing to its
own measured value, and which are too large is asked by the generalised extreme studentised deviate test (Rosner,
Technometrics 25, 1983, 165-172). The farthest residual is taken out and the next one judged without it, so that a few wrong
values do not hide each other; of normal residuals 5 % of the sets have any flag. With one it is the test of Grubbs, that of
the externally studentised residual with Bonferroni's correction.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from affinecal_gui.calibration.checking.far_values import FLAGGED_BELOW, ROUNDING, most_flagged
from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.results import Calibration, FarValue, FloatArray, ModelName


@dataclass(frozen=True, slots=True)
class Outlier:
    """A measured polymer whose value the others do not let expect; errors are out of fold, on the target scale."""

    row: int  # position among the n polymers of the fit
    studentised: (
        float  # residual in standard deviations of those that are not flagged; positive: measured above calibrated
    )
    p_value: float  # that a residual so large is among those of n polymers by chance, at most 1
    measured: float  # property unit
    calibrated: float  # property unit, out of fold
    rmse: float
    rmse_without: float  # of all others, as they are predicted now; with another fit it is not larger as a rule
    influence: (
        float  # how far fitted values of the others move without it, target scale, root mean square; nan: unknown
    )

    @property
    def factor(self) -> float:
        """The measured value divided by the calibrated one; nan where one of them is 0 or their signs differ."""
        same_sign = self.measured * self.calibrated > 0.0
        return self.measured / self.calibrated if same_sign else float("nan")


def outliers_of(calibration: Calibration, model: ModelName) -> tuple[Outlier, ...]:
    """Return the polymers of a calibration that are flagged, farthest first, with the out-of-fold values of a calibrator."""
    measured, calibrated = calibration.measured, calibration.models[model].out_of_fold
    with np.errstate(all="ignore"):
        y, expected = (np.log(v) if calibration.log_scale else v for v in (measured, calibrated))
        residuals = y - expected
    if not np.isfinite(residuals).all():
        return ()
    size = float(np.abs(y).max(initial=1.0 if calibration.log_scale else 0.0))
    far = calibration.far_values
    if far is None:
        far = _far_residuals(residuals)
    rmse = root_mean_square(residuals)
    return tuple(
        Outlier(
            one.row,
            one.studentised,
            one.p_value,
            float(measured[one.row]),
            float(calibrated[one.row]),
            rmse,
            root_mean_square(np.delete(residuals, one.row)),
            one.influence,
        )
        for one in far
        if abs(residuals[one.row]) > ROUNDING * size
    )


def _far_residuals(residuals: FloatArray) -> tuple[FarValue, ...]:
    """Return the flagged residuals, farthest first."""
    rows = flagged(residuals)
    others = np.delete(residuals, rows)
    found = [
        FarValue(int(row), *studentised(float(residuals[row]), others, len(residuals)), float("nan")) for row in rows
    ]
    return tuple(sorted(found, key=lambda one: -abs(one.studentised)))


def flagged(residuals: FloatArray, level: float = FLAGGED_BELOW, most: int | None = None) -> list[int]:
    """Return the positions of residuals that are too large for those of one normal distribution, farthest first.

    Parameters
    ----------
    residuals
        (n,) finite.
    level
        Share of normal sets in which any is flagged.
    most
        At most so many; by default one in ten, but one at least and twenty at most.
    """
    order = np.argsort(residuals, kind="stable")  # sums do not depend on the order of rows
    left = residuals[order]
    largest = most_flagged(len(left)) if most is None else most
    taken: list[int] = []
    count = 0
    for step in range(min(largest, len(left) - 3)):
        # The farthest of sorted values is the first or the last.
        at = 0 if left.mean() - left[0] > left[-1] - left.mean() else len(left) - 1
        _, p = studentised(float(left[at]), np.delete(left, at), len(left))
        taken.append(int(order[at]))
        left, order = np.delete(left, at), np.delete(order, at)
        if p <= level:
            count = step + 1
    return taken[:count]


def studentised(residual: float, others: FloatArray, number: int) -> tuple[float, float]:
    """Return the externally studentised residual, and the probability of one so large among a number of them.

    Parameters
    ----------
    residual
        The one that is judged.
    others
        (k,) by which it is judged, k >= 2.
    number
        Of how many it is the largest (Bonferroni's correction of the two-sided probability).
    """
    k = len(others)
    spread = float(np.std(others, ddof=1)) * np.sqrt(1.0 + 1.0 / k)
    distance = residual - float(np.mean(others))
    if spread == 0.0:
        return (0.0, 1.0) if distance == 0.0 else (float(np.copysign(np.inf, distance)), 0.0)
    t = distance / spread
    return float(t), float(min(1.0, 2.0 * number * stdtr(k - 1, -abs(t))))
