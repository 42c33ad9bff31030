"""Prediction intervals whose coverage does not rest on the model being right.

Every out-of-fold residual is divided by a relative spread that the model of its training part claims for the held-out
polymer (1 for a polymer in the middle of plenty of data, larger far from it; see ``spread``). These scores are
exchangeable with the score of a new polymer from the same population, whatever the model.

Two kinds of interval follow, and two guarantees:

* A measured polymer: its out-of-fold value plus and minus the quantile of the scores of the OTHER measured polymers, times
  its own spread. In each repetition at least the stated share of measured polymers lies inside, by exchangeability.
* A library polymer: CV+ (Barber, Candès, Ramdas, Tibshirani, Annals of Statistics 49, 2021, 486-507) in its form for
  general scores (Gupta, Kuchibhotla, Ramdas, Pattern Recognition 127, 2022, 108496), pooled over the repetitions. What is
  proved for a level 1 - a is a coverage of at least 1 - 2 a', a' = (a (n + 1) + k - 1) / (n + k) with n polymers and k
  folds, because a mean of p-values, times two, is a p-value (Vovk and Wang, Biometrika 107, 2020, 791-808). What is found
  in simulation is close to the level itself (``tests/benchmarks/interval_coverage.py``).

Neither promises anything for a polymer from another population: that is what the range of validity is for.
"""

import math
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.task import UNWATCHED, Task

MOST_PER_FOLD = 400
"""Scores of one held-out fold that are told apart."""

MOST_SCORES = 1_000_000
"""Scores held at once while intervals of a large library are computed."""


@dataclass(frozen=True, slots=True)
class OutOfFold:
    """Everything that held-out data say about one calibrator: r repetitions, k folds; target scale.

    ``spread`` and ``library_spread`` are relative: one unit is the same (unknown) scatter everywhere.
    """

    fold: IntArray  # (r, n) fold in which a polymer was held out
    predicted: FloatArray  # (r, n)
    spread: FloatArray  # (r, n)
    library: FloatArray  # (r, k, m) value of every library polymer by the model without fold k
    library_spread: FloatArray  # (r, k, m)


def scores(y: FloatArray, held_out: OutOfFold) -> FloatArray:
    """Return (r, n) absolute out-of-fold residuals in units of the claimed spread."""
    return np.abs(y - held_out.predicted) / held_out.spread


def measured_intervals(y: FloatArray, held_out: OutOfFold, level: float) -> tuple[FloatArray, FloatArray]:
    """Bounds (n,), target scale, of the measured polymers about the mean of their out-of-fold values."""
    score = scores(y, held_out)
    n = score.shape[1]
    # Rank among the n - 1 others; when the level asks for more than there are, the largest has to do.
    rank = inside_by_construction(level, n)
    ordered = np.sort(score, axis=1)
    kth, next_one = ordered[:, rank - 1 : rank], ordered[:, rank : rank + 1]
    quantile = np.where(score <= kth, next_one, kth)
    half = (quantile * held_out.spread).mean(axis=0)
    centre = held_out.predicted.mean(axis=0)
    return centre - half, centre + half


def library_intervals(
    y: FloatArray, held_out: OutOfFold, value: FloatArray, level: float, *, task: Task = UNWATCHED
) -> tuple[FloatArray, FloatArray]:
    """Bounds (m,), target scale, of the library polymers by CV+; widened where needed to contain ``value`` (m,)."""
    m = held_out.library.shape[2]
    score, repetition, fold = _thinned(scores(y, held_out), held_out.fold)
    n, count = held_out.fold.shape[1], len(score)
    # (1 - a)(n + 1)/n of the pooled scores; the largest when the level asks for more than there are.
    rank = min(math.ceil(level * (n + 1) / n * count - 1e-9), count)
    lower, upper = np.empty(m), np.empty(m)
    step = max(1, MOST_SCORES // count)
    for start in range(0, m, step):
        task.check()
        part = slice(start, start + step)
        centre = held_out.library[repetition, fold, part]
        half = score[:, None] * held_out.library_spread[repetition, fold, part]
        upper[part] = np.partition(centre + half, rank - 1, axis=0)[rank - 1]
        lower[part] = np.partition(centre - half, count - rank, axis=0)[count - rank]
    return np.minimum(lower, value), np.maximum(upper, value)


def _thinned(score: FloatArray, fold: IntArray) -> tuple[FloatArray, IntArray, IntArray]:
    """(c,) scores with their repetitions and folds; of folds with very many, every s-th largest stands for s of them.

    The larger score stands for the smaller ones, so that intervals only become wider, by less than half a percent of rank.
    """
    found = []
    most = math.ceil(max(np.bincount(row).max() for row in fold) / MOST_PER_FOLD)
    for r, (row, folds) in enumerate(zip(score, fold, strict=True)):
        for k in range(int(folds.max()) + 1):
            own = np.sort(row[folds == k])[::-1][::most]
            found.append((own, np.full(len(own), r), np.full(len(own), k)))
    values, repetitions, numbers = (np.concatenate(column) for column in zip(*found, strict=True))
    return values, repetitions, numbers


def inside_by_construction(level: float, n: int) -> int:
    """Return how many of n measured values lie inside their intervals in every repetition.

    The largest score has only smaller ones beside it, so that one value at least is outside.
    """
    return min(math.ceil(level * n - 1e-9), n - 1)


def guaranteed_coverage(level: float, polymers: int, folds: int) -> float:
    """Return the coverage of library intervals that is proved, whatever the data; 0 when nothing is."""
    share = ((1.0 - level) * (polymers + 1) + folds - 1) / (polymers + folds)
    return max(0.0, 1.0 - 2.0 * share)


def level_within_reach(polymers: int) -> float:
    """Return the highest level that the scores of so many polymers can tell; above it the largest score is used."""
    return polymers / (polymers + 1)
