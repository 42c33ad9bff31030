"""The direct solver: the lowest minimum over beta of J at its best alpha and gamma.

Because J contains ``n lambda_beta beta^2`` and nothing in it is negative, every beta better than a known value J* lies
within ``+- sqrt(J* / (n lambda_beta))``. Power series about beta = 0 search that interval as far as they hold (about
|beta| max|f| < 0.67, where 1 + beta f keeps its sign for every training polymer), with a margin for what they neglect;
when J still falls at their border, exact Newton steps go on from there. A final fit also samples what lies beyond, so that
it finds the global minimum (up to dips narrower than the sampling), not merely the one nearest to beta = 0.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.data.training_sets import Regression
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.solvers.profile_series import (
    ACCURACY,
    ROWS_G,
    ROWS_H,
    IntArray,
    ProfileSeries,
    best_alpha,
    quadratic,
)

_TRUSTED = 0.95
"""Up to this share of their reach, series with a margin for their error decide whether a lower minimum can exist."""

_SAMPLES = 17
_SAMPLE_DISTANCE = 0.1
"""Distance of exact samples in units of asinh(beta max|f|)."""
_MOST_SAMPLES = 100
_CANDIDATES = 4
"""How many of the lowest samples are followed down to their minimum."""
_NEWTON_STEPS = 80
_LAST_STEP = 1e-6
"""Length of the last of Newton's steps, as a share of the interval searched."""
_FLAT = 1e-11
"""Relative differences of J that may be rounding."""


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

    alpha_1: FloatArray  # (B,)
    alpha_0: FloatArray  # (B,)
    beta: FloatArray  # (B,)
    evaluations: NDArray[np.int64]  # (B,) factorisations spent on each problem
    converged: NDArray[np.bool_]  # (B,)

    def take(self, rows: IntArray) -> "ProfileMinimum":
        """Keep some of the problems."""
        return ProfileMinimum(*(getattr(self, name)[rows] for name in self.__slots__))

    def put(self, rows: IntArray, better: "ProfileMinimum") -> None:
        """Replace some of the minima; the effort adds up."""
        self.alpha_1[rows], self.alpha_0[rows], self.beta[rows] = better.alpha_1, better.alpha_0, better.beta
        self.converged[rows] = better.converged
        self.evaluations[rows] += better.evaluations


@dataclass(frozen=True, slots=True)
class _Candidates:
    """Lowest minimum found by the series."""

    beta: FloatArray
    value: FloatArray
    ceiling: FloatArray  # exact J at the reference
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
) -> FloatArray:
    """Newton's step where it goes downhill inside the bracket, else half-way to the end of the bracket downhill."""
    with np.errstate(divide="ignore", invalid="ignore"):
        new = beta - slope / bend
    usable = (bend > 0.0) & (new >= low) & (new <= high)
    halfway = 0.5 * (beta + np.where(slope > 0.0, low, high))
    return np.where(slope == 0.0, beta, np.where(usable, new, halfway))


class _Descent:
    """Safeguarded Newton descent of B problems; J at the ends of the bracket is never below J at ``beta``."""

    def __init__(self, beta: FloatArray, low: FloatArray, high: FloatArray) -> None:
        self.beta, self.low, self.high = beta.copy(), low.copy(), high.copy()
        self.value = np.full(len(beta), np.inf)
        self.trial = beta.copy()
        self.slope, self.bend = np.zeros(len(beta)), np.ones(len(beta))

    def advance(self, rows: IntArray, slope: FloatArray, bend: FloatArray, value: FloatArray) -> FloatArray:
        """Take in what was found at the trial points of ``rows``, set the next ones, and return how far they are."""
        trial, beta = self.trial[rows], self.beta[rows]
        lowest = self.value[rows]
        down = value <= lowest
        with np.errstate(invalid="ignore"):
            # At the minimum itself J is flat to its last digits, and only its slope still tells the way.
            hoped = np.abs(self.slope[rows] * (trial - beta))
            down |= (value - lowest <= _FLAT * lowest) & (hoped <= _FLAT * lowest)
        right = trial > beta
        low, high = self.low[rows], self.high[rows]
        low = np.where(down & right, beta, np.where(~down & ~right, trial, low))
        high = np.where(down & (trial < beta), beta, np.where(~down & right, trial, high))
        low = np.where(down & (slope < 0.0), trial, low)
        high = np.where(down & (slope > 0.0), trial, high)
        beta = np.where(down, trial, beta)
        self.low[rows], self.high[rows], self.beta[rows] = low, high, beta
        self.value[rows] = np.where(down, value, lowest)
        self.slope[rows] = np.where(down, slope, self.slope[rows])
        # After a step too far Newton's model is not to be trusted: halve.
        self.bend[rows] = np.where(down, bend, -1.0)
        self.trial[rows] = _newton_step(beta, self.slope[rows], self.bend[rows], low, high)
        return np.asarray(np.abs(self.trial[rows] - beta))

    def finish(self, rows: IntArray) -> None:
        """Take the next trial points as they are: after a small step of Newton's the error is of the order of its square."""
        self.beta[rows] = self.trial[rows]


def _candidates(series: ProfileSeries, stiffness: FloatArray, flat: NDArray[np.bool_], accuracy: float) -> _Candidates:
    """Search the trusted reach of the series."""
    reference = series.reference
    at_reference = best_alpha(series.coefficients[0, ROWS_G], flat)[2]
    ceiling = np.maximum(at_reference + stiffness * reference**2, 0.0)
    bound = np.sqrt(ceiling / stiffness)
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
    descent = _Descent(beta, low, high)
    active = columns
    for _ in range(_NEWTON_STEPS):
        part = series if len(active) == len(beta) else series.take(active)
        slope, bend, value = slope_and_bend(part, descent.trial[active], stiffness[active], flat[active])
        moved = descent.advance(active, slope, bend, value)
        moving = moved > _LAST_STEP * (bound[active] + np.abs(descent.beta[active]))
        descent.finish(active[~moving])
        active = active[moving]
        if not len(active):
            break
    beta, value = descent.beta, descent.value
    accurate = series.accurate(beta, accuracy) & (beta > left) & (beta < right)
    # What the series leave out is judged by their last two terms, continued as a geometric series.
    coefficients = series.coefficients
    alpha_1, alpha_0, _ = best_alpha(coefficients[0, ROWS_G], flat)
    last = np.abs(quadratic(coefficients[series.orders + 1, ROWS_G, columns].T, alpha_1, alpha_0))
    before = np.abs(quadratic(coefficients[series.orders, ROWS_G, columns].T, alpha_1, alpha_0))
    distance = np.abs(points - reference)
    shrink = np.minimum(distance / series.reach, _TRUSTED)
    error = (last * distance + before) * distance**series.orders * shrink / (1.0 - shrink)
    remaining = np.sqrt(np.maximum(value, 0.0) / stiffness)
    elsewhere = (np.abs(points) <= remaining) & ((points < low) | (points > high))
    doubtful = (elsewhere & (values - error < value)).any(axis=0)
    return _Candidates(beta, value, ceiling, left, right, accurate, doubtful)


def _search_exactly(
    problems: ExpandableProblems,
    rows: IntArray,
    found: _Candidates,
    ceiling: FloatArray,
    stiffness: FloatArray,
    scale: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """Sample J exactly where the series cannot tell; arguments are already restricted to ``rows``.

    Returns
    -------
    points, values : (m, len(rows)) arrays
        Ascending beta of each problem, and J there.
    """
    flat = problems.regression.flat[rows]
    bound = np.sqrt(np.maximum(ceiling, 0.0) / stiffness) * (1.0 + 1e-9)
    # The profile varies on the scale 1 / max|f|: sample evenly below it, evenly in the logarithm beyond. Where the series
    # covers the middle, only the two outer parts are sampled.
    left = np.where(found.doubtful, 0.0, np.maximum(found.left, -bound))
    right = np.where(found.doubtful, 0.0, np.minimum(found.right, bound))
    ends = (
        (np.arcsinh(-scale * bound), np.arcsinh(scale * left)),
        (np.arcsinh(scale * right), np.arcsinh(scale * bound)),
    )
    widest = max(float((high - low).max()) for low, high in ends)
    count = int(np.clip(np.ceil(widest / _SAMPLE_DISTANCE), 1, _MOST_SAMPLES)) + 1
    share = np.linspace(0.0, 1.0, count)[:, np.newaxis]
    points = np.concatenate([np.sinh(low + share * (high - low)) / scale for low, high in ends])
    values = best_alpha(problems.profile(rows, points), flat)[2] + stiffness * points**2
    return points, np.where(np.isfinite(values), values, np.inf)


def polish(
    problems: ExpandableProblems,
    rows: IntArray,
    beta: FloatArray,
    low: FloatArray,
    high: FloatArray,
    tolerance: float,
    max_steps: int = _NEWTON_STEPS,
) -> tuple[ProfileMinimum, FloatArray]:
    """Descend by safeguarded Newton steps with exact derivatives, one factorisation each.

    Parameters
    ----------
    problems : ExpandableProblems
    rows : (k,) array of int
        Which of them.
    beta, low, high : (k,) arrays
        Where to begin, and a bracket at whose ends J is not lower.
    tolerance : float
        Relative, on beta.
    max_steps : int

    Returns
    -------
    ProfileMinimum
        Of the k problems.
    value : (k,) array
        J there.
    """
    regression = problems.regression.take(rows)
    stiffness = regression.total * problems.lambda_beta
    descent = _Descent(beta, low, high)
    steps = np.zeros(len(rows), dtype=np.int64)
    alpha_1, alpha_0 = np.zeros(len(rows)), np.zeros(len(rows))
    active = np.arange(len(rows))
    for _ in range(max_steps):
        part = problems.series(rows[active], descent.trial[active], 1)
        slope, bend, value = slope_and_bend(part, descent.trial[active], stiffness[active], regression.flat[active])
        moved = descent.advance(active, slope, bend, value)
        steps[active] += 1
        size = np.sqrt(np.maximum(descent.value[active], 0.0) / stiffness[active])
        moving = moved > tolerance * np.abs(descent.beta[active]) + 1e-15 * size
        # The last trial is where the search ends, or so near that the series about it serves.
        G = part.evaluate(descent.beta[active], ROWS_G)
        alpha_1[active], alpha_0[active], _ = best_alpha(G, regression.flat[active])
        active = active[moving]
        if not len(active):
            break
    converged = np.ones(len(rows), dtype=np.bool_)
    converged[active] = False
    return ProfileMinimum(alpha_1, alpha_0, descent.beta, steps, converged), descent.value


def minimise_profile(
    problems: ExpandableProblems,
    first: ProfileSeries,
    *,
    accuracy: float = ACCURACY,
    everywhere: bool = False,
    tolerance: float = 1e-10,
) -> ProfileMinimum:
    """Find the lowest minimum of each problem's profile.

    Parameters
    ----------
    problems : ExpandableProblems
        B of them.
    first : ProfileSeries
        Their expansions about some beta.
    accuracy : float
        Problems for which the first neglected terms are larger are finished by exact Newton steps.
    everywhere : bool
        Also look for lower minima where the series do not reach.
    tolerance : float
        Relative, on beta, of the exact Newton steps.
    """
    regression = problems.regression
    stiffness = regression.total * problems.lambda_beta
    found = _candidates(first, stiffness, regression.flat, accuracy)
    beta = found.beta.copy()
    alpha_1, alpha_0, _ = best_alpha(first.evaluate(beta, ROWS_G), regression.flat)
    least = ProfileMinimum(
        alpha_1, alpha_0, beta, np.ones(len(beta), dtype=np.int64), np.ones(len(beta), dtype=np.bool_)
    )
    # J may be trusted where the series is accurate; elsewhere only what was computed exactly bounds the search.
    value = np.where(found.accurate, found.value, found.ceiling)
    rough = np.flatnonzero(~found.accurate)
    if len(rough):
        bound = np.maximum(np.sqrt(found.ceiling / stiffness), np.abs(beta))[rough] * (1.0 + 1e-9)
        better, value[rough] = polish(problems, rough, beta[rough], -bound, bound, tolerance)
        least.put(rough, better)

    remaining = np.sqrt(np.maximum(value, 0.0) / stiffness)
    outside = (found.left > -remaining) | (found.right < remaining)
    unsure = np.flatnonzero(found.doubtful | outside if everywhere else found.doubtful)
    if len(unsure):
        scale = np.maximum(np.sqrt(0.5) / first.reach[unsure], 1e-300)
        _look_elsewhere(problems, unsure, found.take(unsure), scale, least, value, tolerance)
    return least


def _look_elsewhere(
    problems: ExpandableProblems,
    unsure: IntArray,
    found: _Candidates,
    scale: FloatArray,
    least: ProfileMinimum,
    value: FloatArray,
    tolerance: float,
) -> None:
    """Replace minima of the problems ``unsure`` in ``least`` and ``value`` by lower ones that exact samples lead to."""
    stiffness = problems.regression.total[unsure] * problems.lambda_beta
    points, samples = _search_exactly(problems, unsure, found, value[unsure], stiffness, scale)
    least.evaluations[unsure] += len(points)
    padded = np.pad(samples, ((1, 1), (0, 0)), constant_values=np.inf)
    low_enough = (samples <= padded[:-2]) & (samples <= padded[2:])
    # Where the series covers the middle, it has been searched: a sample at its border is lower than its outer neighbour
    # because J falls towards the middle.
    half = len(points) // 2
    low_enough[half - 1 : half + 1, ~found.doubtful] = False
    for _ in range(_CANDIDATES):
        trial = np.where(low_enough, samples, np.inf)
        best = np.argmin(trial, axis=0)
        # A dip between samples may go deeper than they show: follow candidates somewhat above the best value too.
        columns = np.flatnonzero(trial.min(axis=0) < value[unsure] * 1.5)
        if not len(columns):
            break
        best = best[columns]
        low_enough[best, columns] = False
        rows = unsure[columns]
        low = points[np.maximum(best - 1, 0), columns]
        high = points[np.minimum(best + 1, len(points) - 1), columns]
        there, depth = polish(problems, rows, points[best, columns], low, high, tolerance)
        lower = np.flatnonzero(depth < value[rows] * (1.0 - 1e-12))
        least.put(rows[lower], there.take(lower))
        value[rows[lower]] = depth[lower]
