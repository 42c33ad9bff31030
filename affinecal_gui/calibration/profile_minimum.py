"""The direct solver: the lowest minimum over beta of J at its best alpha and gamma.

Because J contains ``n lambda_beta beta^2`` and nothing in it is negative, every beta better than a known value J* lies
within ``+- sqrt(J* / (n lambda_beta))``. That interval is searched: by power series about beta = 0 where they are good
enough, with a margin for what they neglect; by exact evaluation where they are not. So the minimum returned is the
global one (up to dips narrower than the sampling), not merely the one nearest to beta = 0.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.profile_series import (
    ROWS_G,
    ROWS_H,
    FloatArray,
    IntArray,
    ProfileSeries,
    best_alpha,
    quadratic,
)
from affinecal_gui.calibration.training_sets import Regression

_TRUSTED = 0.95
"""Up to this share of their reach, series with a margin for their error decide whether a lower minimum can exist."""

_SAMPLES = 17
_OUTER_SPACING = 0.15
"""Distance of exact samples beyond the trusted reach, in units of asinh(beta max|f|)."""
_MOST_OUTER_SAMPLES = 24
_NEWTON_STEPS = 60


class ExpandableProblems(Protocol):
    """Problems whose profile can be expanded and evaluated at any beta."""

    @property
    def regression(self) -> Regression:
        """Of the B training sets."""
        ...

    @property
    def lambda_beta(self) -> float:
        """Penalty of beta."""
        ...

    def series(self, rows: IntArray, beta: FloatArray, order: int) -> ProfileSeries:
        """Expand some problems about beta (len(rows),)."""
        ...

    def profile(self, rows: IntArray, beta: FloatArray) -> FloatArray:
        """Return G packed (6, m, len(rows)) at beta (m, len(rows))."""
        ...


@dataclass(frozen=True, slots=True)
class ProfileMinimum:
    """Where B problems have their minimum; alpha in the centred basis of their regression."""

    beta: FloatArray  # (B,)
    evaluations: NDArray[np.int64]  # (B,) factorisations spent on each problem
    converged: NDArray[np.bool_]  # (B,)


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Lowest minimum found by the series."""

    beta: FloatArray
    low: FloatArray  # bracket of the minimum
    high: FloatArray
    value: FloatArray
    left: FloatArray  # ends of the interval that was searched
    right: FloatArray
    accurate: NDArray[np.bool_]  # the series is good enough at beta, and beta lies inside the interval
    doubtful: NDArray[np.bool_]  # within the interval, the error of the series may hide a lower minimum

    def take(self, rows: IntArray) -> "_Candidates":
        """Keep some of the problems."""
        return _Candidates(*(getattr(self, name)[rows] for name in self.__slots__))


def slope_and_bend(
    series: ProfileSeries, beta: FloatArray, stiffness: FloatArray, flat: NDArray[np.bool_]
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """First and second derivative of the profiled J, and its value.

    Parameters
    ----------
    series : ProfileSeries
        Of B problems, order 1 at least.
    beta : (B,) array
    stiffness : (B,) array
        (sum of weights) * lambda_beta.
    flat : (B,) array of bool
    """
    values = series.evaluate(beta, slice(0, ROWS_H.stop))
    G, H = values[ROWS_G], values[ROWS_H]
    alpha_1, alpha_0, inner = best_alpha(G, flat)
    slope = 2.0 * (stiffness * beta + quadratic(H, alpha_1, alpha_0))
    # alpha moves with beta: the rate solves G_FF dalpha = G'_F a, and lowers the curvature.
    pull_1 = H[1] - H[3] * alpha_1 - H[4] * alpha_0
    pull_0 = H[2] - H[4] * alpha_1 - H[5] * alpha_0
    pull_1 = np.where(flat, 0.0, pull_1)
    slope_slope = np.where(flat, 1.0, G[3])
    determinant = slope_slope * G[5] - G[4] ** 2
    relief = (pull_1**2 * G[5] - 2.0 * pull_1 * pull_0 * G[4] + pull_0**2 * slope_slope) / determinant
    bend = 2.0 * (stiffness + quadratic(series.slope_of_pull(beta), alpha_1, alpha_0)) - 8.0 * relief
    return slope, bend, inner + stiffness * beta**2


def _newton_step(
    beta: FloatArray, slope: FloatArray, bend: FloatArray, low: FloatArray, high: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """One safeguarded step; the bracket shrinks in place of diverging."""
    low = np.where(slope < 0.0, beta, low)
    high = np.where(slope > 0.0, beta, high)
    with np.errstate(divide="ignore", invalid="ignore"):
        new = beta - slope / bend
    outside = ~((bend > 0.0) & (new >= low) & (new <= high))
    new = np.where(outside, 0.5 * (low + high), new)
    return np.where(slope == 0.0, beta, new), low, high


def _candidates(series: ProfileSeries, stiffness: FloatArray, flat: NDArray[np.bool_]) -> _Candidates:
    """Search the trusted reach of the series."""
    reference = series.reference
    at_reference = best_alpha(series.coefficients[0, ROWS_G], flat)[2]
    bound = np.sqrt((at_reference + stiffness * reference**2) / stiffness)
    trusted = np.minimum(_TRUSTED * series.reach, 2.0 * bound + np.abs(reference))
    left = np.maximum(reference - trusted, -bound)
    right = np.minimum(reference + trusted, bound)
    share = np.linspace(0.0, 1.0, _SAMPLES)[:, np.newaxis]
    points = left + share * (right - left)
    inner = best_alpha(series.evaluate(points, ROWS_G), flat)[2]
    values = inner + stiffness * points**2
    best = np.argmin(values, axis=0)
    columns = np.arange(len(best))
    low = points[np.maximum(best - 1, 0), columns]
    high = points[np.minimum(best + 1, _SAMPLES - 1), columns]
    # The reference itself is the natural start when it lies in the bracket: the series is exact there.
    beta = np.where((reference > low) & (reference < high), reference, points[best, columns])
    outer_low, outer_high = low, high
    active = columns
    slope = np.zeros_like(beta)
    for _ in range(_NEWTON_STEPS):
        part = series if len(active) == len(beta) else series.take(active)
        slope_now, bend, _ = slope_and_bend(part, beta[active], stiffness[active], flat[active])
        new, low_now, high_now = _newton_step(beta[active], slope_now, bend, low[active], high[active])
        low, high = low.copy(), high.copy()
        low[active], high[active], slope[active] = low_now, high_now, slope_now
        moved = np.abs(new - beta[active])
        beta[active] = new
        active = active[moved > 1e-13 * (bound[active] + np.abs(new))]
        if not len(active):
            break
    _, _, value = slope_and_bend(series, beta, stiffness, flat)
    at_border = (beta <= left) | (beta >= right)
    accurate = series.accurate(beta) & ~at_border

    # What the series leave out is judged by their last two terms, continued as a geometric series.
    coefficients = series.coefficients
    alpha_1, alpha_0, _ = best_alpha(coefficients[0, ROWS_G], flat)
    last = np.abs(quadratic(coefficients[series.orders + 1, ROWS_G, columns].T, alpha_1, alpha_0))
    before = np.abs(quadratic(coefficients[series.orders, ROWS_G, columns].T, alpha_1, alpha_0))
    distance = np.abs(points - reference)
    shrink = np.minimum(distance / series.reach, _TRUSTED)
    error = (last * distance + before) * distance**series.orders * shrink / (1.0 - shrink)
    remaining = np.sqrt(np.maximum(value, 0.0) / stiffness)
    elsewhere = (np.abs(points) <= remaining) & ((points < outer_low) | (points > outer_high))
    doubtful = (elsewhere & (values - error < value)).any(axis=0)
    return _Candidates(beta, outer_low, outer_high, value, left, right, accurate, doubtful)


def _search_exactly(
    problems: ExpandableProblems, rows: IntArray, found: _Candidates, stiffness: FloatArray, scale: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray, NDArray[np.bool_], int]:
    """Sample J exactly where the series cannot tell; arguments are already restricted to ``rows``.

    Returns
    -------
    beta, low, high : (len(rows),) arrays
        The better of the candidate and the lowest sample, with its bracket.
    better : (len(rows),) array of bool
        Where a sample was lower.
    count : int
        Number of samples of each problem.
    """
    flat = problems.regression.flat[rows]
    bound = np.sqrt(np.maximum(found.value, 0.0) / stiffness) * (1.0 + 1e-9)
    # The profile varies on the scale 1 / max|f|: sample evenly below it, evenly in the logarithm beyond. Where the series
    # covers the middle, only the two outer parts are sampled.
    inner_left = np.where(found.doubtful, 0.0, np.maximum(found.left, -bound))
    inner_right = np.where(found.doubtful, 0.0, np.minimum(found.right, bound))
    ends = [(np.arcsinh(-scale * bound), np.arcsinh(scale * inner_left))]
    ends.append((np.arcsinh(scale * inner_right), np.arcsinh(scale * bound)))
    widest = max(float((high - low).max()) for low, high in ends)
    count = int(np.clip(np.ceil(widest / _OUTER_SPACING), 1, _MOST_OUTER_SAMPLES)) + 1
    share = np.linspace(0.0, 1.0, count)[:, np.newaxis]
    points = np.concatenate([np.sinh(low + share * (high - low)) / scale for low, high in ends])
    values = best_alpha(problems.profile(rows, points), flat)[2] + stiffness * points**2
    best = np.argmin(values, axis=0)
    columns = np.arange(len(rows))
    better = values[best, columns] < found.value * (1.0 - 1e-12)
    low = np.where(better, points[np.maximum(best - 1, 0), columns], found.low)
    high = np.where(better, points[np.minimum(best + 1, len(points) - 1), columns], found.high)
    return np.where(better, points[best, columns], found.beta), low, high, better, len(points)


def polish(
    problems: ExpandableProblems,
    rows: IntArray,
    beta: FloatArray,
    low: FloatArray,
    high: FloatArray,
    tolerance: float,
    max_steps: int = _NEWTON_STEPS,
) -> tuple[FloatArray, NDArray[np.int64], NDArray[np.bool_]]:
    """Safeguarded Newton steps with exact derivatives, one factorisation each, inside a bracket.

    Returns
    -------
    beta, steps, converged : (len(rows),) arrays
    """
    beta, low, high = beta.copy(), low.copy(), high.copy()
    regression = problems.regression.take(rows)
    stiffness = regression.total * problems.lambda_beta
    steps = np.zeros(len(rows), dtype=np.int64)
    active = np.arange(len(rows))
    for _ in range(max_steps):
        part = problems.series(rows[active], beta[active], 1)
        slope, bend, value = slope_and_bend(part, beta[active], stiffness[active], regression.flat[active])
        new, low[active], high[active] = _newton_step(beta[active], slope, bend, low[active], high[active])
        moved = np.abs(new - beta[active])
        beta[active] = new
        steps[active] += 1
        scale = np.sqrt(np.maximum(value, 0.0) / stiffness[active])
        active = active[moved > tolerance * np.abs(new) + 1e-15 * scale]
        if not len(active):
            break
    converged = np.ones(len(rows), dtype=np.bool_)
    converged[active] = False
    return beta, steps, converged


def minimise_profile(
    problems: ExpandableProblems,
    count: int,
    first: ProfileSeries | None = None,
    *,
    polished: bool = False,
    tolerance: float = 1e-10,
) -> ProfileMinimum:
    """Find the global minimum of each problem's profile.

    Parameters
    ----------
    problems : ExpandableProblems
        B of them.
    count : int
        B.
    first : ProfileSeries, optional
        Their expansion about some beta, when it is known already (from a shared factorisation, say).
    polished : bool
        Finish every problem with exact Newton steps, instead of those only for which the series is not accurate to
        :data:`~affinecal_gui.calibration.profile_series.ACCURACY`.
    tolerance : float
        Relative, on beta, of the exact Newton steps.
    """
    everyone = np.arange(count)
    evaluations = np.ones(count, dtype=np.int64)
    converged = np.ones(count, dtype=np.bool_)
    if first is None:
        first = problems.series(everyone, np.zeros(count), 5)
    regression = problems.regression
    stiffness = regression.total * problems.lambda_beta
    found = _candidates(first, stiffness, regression.flat)
    beta, low, high = found.beta, found.low, found.high
    remaining = np.sqrt(np.maximum(found.value, 0.0) / stiffness)
    uncovered = (found.left > -remaining) | (found.right < remaining)
    unsure = np.flatnonzero(found.doubtful | uncovered)
    rough = ~found.accurate
    if len(unsure):
        # Beyond the reach of the series the profile varies on the scale of 1 / max|f| all the same.
        scale = np.maximum(np.sqrt(0.5) / first.reach[unsure], 1e-300)
        beta, low, high = beta.copy(), low.copy(), high.copy()
        beta[unsure], low[unsure], high[unsure], better, samples = _search_exactly(
            problems, unsure, found.take(unsure), stiffness[unsure], scale
        )
        evaluations[unsure] += samples
        rough[unsure] |= better
    unfinished = everyone if polished else np.flatnonzero(rough)
    if len(unfinished):
        # The bracket of the samples may be a little off where the series is rough: widen it by half its width.
        margin = 0.5 * (high - low)[unfinished]
        beta = beta.copy()
        beta[unfinished], steps, converged[unfinished] = polish(
            problems, unfinished, beta[unfinished], low[unfinished] - margin, high[unfinished] + margin, tolerance
        )
        evaluations[unfinished] += steps
    return ProfileMinimum(beta, evaluations, converged)
