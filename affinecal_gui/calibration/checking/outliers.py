"""Measured values that the others do not let expect: a misprint, a unit, a factor, another sample.

The out-of-fold residual of a polymer owes nothing to its own measured value, so that a wrong value cannot hide by pulling
the fit towards itself. Which residuals are too large is asked by the generalised extreme studentised deviate test (Rosner,
Technometrics 25, 1983, 165-172): the farthest residual is taken out and the next one judged without it, so that a few wrong
values do not hide each other; of normal residuals 5 % of the sets have any flag. With one it is the test of Grubbs, that of
the externally studentised residual with Bonferroni's correction.

All is closed and follows from the out-of-fold values that are there: nothing is fitted again and nothing stored.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import stdtr

from affinecal_gui.calibration.metrics import root_mean_square
from affinecal_gui.calibration.results import Calibration, FloatArray, ModelName

FLAGGED_BELOW = 0.05
"""Share of sets of normal residuals in which any is flagged."""

LARGEST_SHARE = 10
"""At most one polymer in so many is flagged, but one: what departs more often is no exception."""

MOST_FLAGGED = 20
"""Of many polymers no more are sought."""

ROUNDING = 1e-9
"""Residuals below this share of the size of the values are rounding, however they compare with the others."""


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

    @property
    def factor(self) -> float:
        """The measured value divided by the calibrated one; nan where one of them is 0 or their signs differ."""
        same_sign = self.measured * self.calibrated > 0.0
        return self.measured / self.calibrated if same_sign else float("nan")


def outliers_of(calibration: Calibration, model: ModelName) -> tuple[Outlier, ...]:
    """Return the polymers of a calibration that are flagged by the out-of-fold residuals of a calibrator, farthest first."""
    measured, calibrated = calibration.measured, calibration.models[model].out_of_fold
    with np.errstate(all="ignore"):
        y, expected = (np.log(v) if calibration.log_scale else v for v in (measured, calibrated))
        residuals = y - expected
    if not np.isfinite(residuals).all():
        return ()
    size = float(np.abs(y).max(initial=1.0 if calibration.log_scale else 0.0))
    rows = [row for row in flagged(residuals) if abs(residuals[row]) > ROUNDING * size]
    if not rows:
        return ()
    others = np.delete(residuals, rows)
    rmse = root_mean_square(residuals)
    found = []
    for row in rows:
        t, p = studentised(float(residuals[row]), others, len(residuals))
        without = root_mean_square(np.delete(residuals, row))
        found.append(Outlier(int(row), t, p, float(measured[row]), float(calibrated[row]), rmse, without))
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
    largest = max(1, min(len(left) // LARGEST_SHARE, MOST_FLAGGED)) if most is None else most
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
