"""What one more measurement, or one more simulation, is expected to bring to the search for polymers that meet wishes.

The search goes on after the step: b further polymers are measured, those that are then most likely to meet the wishes. With
w_i the probability of polymer i, so many of them are expected to be found:

    F(w) = sum of the b largest w_i.

The gain of a step is the expected rise of that number (Jiang and others, Efficient nonmyopic active search, ICML 2017, who
choose by the same number):

    measuring j     G = w_j + E F(w' without j) - F(w) = min(w_j, t_j) + L_j,
                    L_j = E[ F(w' without j) - sum of w'_i over the b best others of now ] >= 0
    simulating j    G = E max(w'_j, t_j) - max(w_j, t_j)

t_j is the b-th largest w of the others, and w' what will be known. Nothing follows the search where b is 0: then measuring
gains w_j, and simulating nothing.

A measurement of j tells of its likes: the errors of i and j have the correlation r_ij that the fit leaves between their
values, so that with an error of u standard deviations of j that of i has the mean r_ij u and the standard deviation
sqrt(1 - r_ij^2), each in its own. A simulation of j puts its own MD value in the place of a predicted one: the spread of its
error falls from s to s', and its calibrated value moves by sqrt(s^2 - s'^2) times a standard normal number. That it teaches
the prediction of other MD values too is left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtri

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.wishes import Wanted, worth_of_all
from affinecal_gui.task import UNWATCHED, Task

POINTS_OF_SIMULATING = 64
POINTS_OF_MEASURING = 32
"""Outcomes of a step that its expected value is the mean of."""

ERRORS_OF_MEASURING = 60
"""Errors that stand for all where a measurement is asked what it tells of others."""

_LEAST_CORRELATION = 1e-6
_ROUNDING = 1e-12
_TINY = 1e-300


@dataclass(frozen=True, slots=True, eq=False)
class Errors:
    """Errors of polymers in units of their spreads, of p properties."""

    parts: tuple[FloatArray, ...]  # one (c, p) where they are known together, else of each property (c, 1)

    @property
    def mean(self) -> FloatArray:
        """(p,)."""
        return np.concatenate([own.mean(axis=0) for own in self.parts])

    @property
    def deviation(self) -> FloatArray:
        """(p,) standard deviations."""
        return np.concatenate([own.std(axis=0) for own in self.parts])

    @property
    def correlation(self) -> FloatArray:
        """(p, p) between the properties."""
        count = len(self.mean)
        if len(self.parts) > 1 or count == 1 or not (self.deviation > 0.0).all():
            return np.eye(count)
        return np.asarray(np.corrcoef(self.parts[0].T))

    def fewer(self, most: int) -> "Errors":
        """Return about so many of them, evenly taken in the order of the first property."""
        return Errors(tuple(_evenly(own, most) for own in self.parts))


@dataclass(frozen=True, slots=True, eq=False)
class Outlook:
    """What is known of measured values of k polymers that have not been measured, p properties; target scale."""

    centre: FloatArray  # (k, p) calibrated values
    spread: FloatArray  # (k, p)
    errors: tuple[Errors, ...]
    kind: IntArray  # (k,) which of the errors are theirs

    def of(self, which: IntArray | NDArray[np.bool_]) -> "Outlook":
        """Return the same of some polymers."""
        return replace(self, centre=self.centre[which], spread=self.spread[which], kind=self.kind[which])

    @property
    def means(self) -> FloatArray:
        """(k, p) of the errors, target scale."""
        return np.asarray(self.spread * np.stack([own.mean for own in self.errors])[self.kind])

    @property
    def deviations(self) -> FloatArray:
        """(k, p) of the errors, target scale."""
        return np.asarray(self.spread * np.stack([own.deviation for own in self.errors])[self.kind])

    def worth(self, wanted: Sequence[Wanted]) -> FloatArray:
        """(k,) how probable it is that a polymer meets all wishes, or its expected improvement."""
        found = np.full(len(self.centre), np.nan)
        for number, own in enumerate(self.errors):
            which = self.kind == number
            if which.any():
                found[which] = worth_of_all(own.parts, self.centre[which], self.spread[which], wanted)
        return found


def best_other(worth: FloatArray, further: int) -> FloatArray:
    """(k,) the b-th largest worth of the other polymers, with b = ``further``; 0 where there are not so many."""
    if further < 1:
        return np.full(len(worth), np.inf)
    ordered = np.concatenate([np.sort(worth)[::-1], np.zeros(further + 1)])
    among_best = worth >= ordered[further - 1]  # of equal ones it makes no difference which is left out
    return np.asarray(np.where(among_best, ordered[further], ordered[further - 1]))


def gain_of_simulating(
    now: Outlook, after: Outlook, wanted: Sequence[Wanted], threshold: FloatArray, *, task: Task = UNWATCHED
) -> FloatArray:
    """(k,) gain of simulating each of k polymers.

    Parameters
    ----------
    now
        The polymers with MD values as they are.
    after
        The same with spreads and errors as of simulated MD values; its centres do not count.
    threshold
        (k,) by :func:`best_other`.
    """
    if not len(now.centre) or not np.isfinite(threshold).all():
        return np.zeros(len(now.centre))
    # Of intervals by held-out residuals one may be wider after all; a simulation takes nothing away from what is known.
    narrowed = np.minimum(1.0, now.deviations / np.maximum(after.deviations, _TINY))
    after = replace(after, spread=after.spread * narrowed)
    moves = np.sqrt(np.maximum(now.deviations**2 - after.deviations**2, 0.0))
    middle = now.centre + now.means - after.means
    outcomes = np.empty((POINTS_OF_SIMULATING, len(middle)))
    for number, own in enumerate(now.errors):
        which = np.asarray(now.kind == number)
        if not which.any():
            continue
        some = after.of(which)
        for point, standard in enumerate(_standard_normal(own.correlation, POINTS_OF_SIMULATING)):
            task.check()
            moved = middle[which] + moves[which] * standard
            outcomes[point, which] = replace(some, centre=moved).worth(wanted)
    # The mean of the outcomes takes the place of the worth of now, which it is but for the points: no gain is below nothing.
    mean = outcomes.mean(axis=0)
    gain = np.maximum(outcomes, threshold).mean(axis=0) - np.maximum(mean, threshold)
    return np.where(gain > _ROUNDING * np.maximum(mean, threshold), gain, 0.0)


def gain_of_measuring(
    now: Outlook,
    wanted: Sequence[Wanted],
    worth: FloatArray,
    correlations: FloatArray | None,
    further: int,
    *,
    task: Task = UNWATCHED,
) -> FloatArray:
    """(k,) gain of measuring each of k polymers.

    Parameters
    ----------
    now
        The polymers as they are known.
    worth
        (k,) of each, by :meth:`Outlook.worth`.
    correlations
        (p, k, k) between the errors of the polymers; None where nothing is known of them.
    further
        b, how many polymers will be measured after this one.
    """
    own = np.minimum(worth, best_other(worth, further))
    if correlations is None or further < 1 or len(worth) < 2:
        return own
    rough = replace(now, errors=tuple(one.fewer(ERRORS_OF_MEASURING) for one in now.errors))
    means, deviations = rough.means, rough.deviations
    points = [_standard_normal(one.correlation, POINTS_OF_MEASURING) for one in rough.errors]
    order = np.argsort(-worth, kind="stable")
    learned = np.zeros(len(worth))
    for place in range(len(worth)):
        task.check()
        others = order[order != place]
        shared = correlations[:, place, others].T  # (k - 1, p)
        if not (np.abs(shared) > _LEAST_CORRELATION).any() or len(others) <= further:
            continue
        left = np.sqrt(np.maximum(1.0 - shared**2, 0.0))
        some = rough.of(others)
        some = replace(some, spread=some.spread * left)
        middle = now.centre[others] + means[others] * (1.0 - left)
        steps = deviations[others] * shared
        outcomes = points[int(now.kind[place])]
        several = np.concatenate([middle + steps * standard for standard in outcomes])
        repeated = Outlook(
            several,
            np.tile(some.spread, (len(outcomes), 1)),
            some.errors,
            np.tile(some.kind, len(outcomes)),
        )
        after = repeated.worth(wanted).reshape(len(outcomes), len(others))
        best = -np.partition(-after, further - 1, axis=1)[:, :further]
        learned[place] = float((best.sum(axis=1) - after[:, :further].sum(axis=1)).mean())
    return np.asarray(own + np.maximum(learned, 0.0))


def _standard_normal(correlation: FloatArray, count: int) -> FloatArray:
    """(count, p) points that stand for normal numbers of mean 0, variance 1 and this correlation; always the same."""
    properties = len(correlation)
    ratio = 2.0  # of the lattice that fills p dimensions evenly: the root of x^p = x + 1
    for _ in range(60):
        ratio = (1.0 + ratio) ** (1.0 / properties)
    at = np.arange(count) + 0.5
    columns = [at / count, *(np.mod(at / ratio**power, 1.0) for power in range(1, properties))]
    points = ndtri(np.clip(np.column_stack(columns), 0.25 / count, 1.0 - 0.25 / count))
    points -= points.mean(axis=0)
    independent = np.linalg.solve(np.linalg.cholesky(points.T @ points / count), points.T).T
    values, vectors = np.linalg.eigh(correlation)
    return np.asarray(independent @ (vectors * np.sqrt(np.maximum(values, 0.0))).T)


def _evenly(errors: FloatArray, most: int) -> FloatArray:
    if len(errors) <= most:
        return errors
    order = np.argsort(errors[:, 0], kind="stable")
    return np.asarray(errors[order[np.floor((np.arange(most) + 0.5) * len(errors) / most).astype(np.int64)]])


def correlations_of(covariance: FloatArray, widened: FloatArray) -> FloatArray:
    """(k, k) between the errors of measurements.

    Parameters
    ----------
    covariance
        (k, k) of the calibrated values, in units of the scatter of one measurement.
    widened
        (k,) by which factor the variance of a measurement about its calibrated value is larger than the fit says, since
        the MD value is a predicted one; 1 where it is not.
    """
    total = np.sqrt((1.0 + np.maximum(np.diag(covariance), 0.0)) * widened)
    found = covariance / np.outer(total, total)
    np.fill_diagonal(found, 1.0)
    return np.asarray(np.clip(found, -1.0, 1.0))
