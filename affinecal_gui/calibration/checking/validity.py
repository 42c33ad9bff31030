"""Whether a library polymer lies inside the range of the training data."""

from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.row_order import RowOrder
from affinecal_gui.calibration.results import FloatArray, Validity
from affinecal_gui.task import UNWATCHED, Task

NEIGHBOURS = 5
USUAL_SHARE = 0.95
"""A library polymer is far away when it is farther from its nearest training polymer than this share of the training
polymers are from theirs."""

MOST_NUMBERS = 2_000_000
"""Distances held at once."""


def judge_validity(
    f: FloatArray,
    Z: FloatArray,
    library_f: FloatArray,
    library_Z: FloatArray,
    *,
    task: Task = UNWATCHED,
) -> Validity:
    """Compare every library polymer with the n training polymers.

    Parameters
    ----------
    f, library_f
        (n,), (m,) MD values, target scale.
    Z, library_Z
        (n, d), (m, d) standardised descriptors; nan rows of the library have no distance (infinite) and are not inside.

    Returns
    -------
    Validity
        A training polymer is at distance 0 of the training data; its ``nearest`` are the others.
    """
    n, d = Z.shape
    m = len(library_f)
    described = np.isfinite(library_Z).all(axis=1)
    k = min(NEIGHBOURS, n - 1)
    within, _ = _nearest(Z, Z, 1, skip_self=True, task=task)
    limit = float(np.quantile(within[:, 0], USUAL_SHARE, method="higher"))

    same = np.full(m, False)
    distance = np.full(m, np.inf)
    nearest = np.zeros((m, k), dtype=np.int64)
    nearest_distance = np.full((m, k), np.inf)
    if described.any():
        found, who = _nearest(library_Z[described], Z, k + 1, skip_self=False, task=task)
        # The library contains the training polymers themselves: those are not their own neighbours.
        same_one = (found[:, 0] <= 1e-12 * max(limit, 1e-300)) & (
            np.abs(f[who[:, 0]] - library_f[described]) <= 1e-12 * np.abs(f).max()
        )
        same[described] = same_one
        distance[described] = np.where(same_one, 0.0, found[:, 0])
        nearest[described] = np.where(same_one[:, None], who[:, 1:], who[:, :k])
        nearest_distance[described] = np.where(same_one[:, None], found[:, 1:], found[:, :k])

    md_inside = (library_f >= f.min()) & (library_f <= f.max())
    slack = 1e-9  # of a standard unit: rounding is not extrapolation
    low, high = Z.min(axis=0, initial=np.inf) - slack, Z.max(axis=0, initial=-np.inf) + slack
    with np.errstate(invalid="ignore"):
        descriptors_inside = ((library_Z >= low) & (library_Z <= high)).sum(axis=1).astype(np.int64)
    return Validity(
        inside=md_inside & (distance <= limit) if d else md_inside,
        md_inside=md_inside,
        descriptors_inside=descriptors_inside,
        distance=distance,
        distance_limit=limit,
        nearest=nearest,
        nearest_distance=nearest_distance,
    )


def in_given_order(validity: Validity, order: RowOrder, library_order: RowOrder) -> Validity:
    """Lead a judgement of rows in the order of the computation back to that in which they were given."""
    place = library_order.place
    return replace(
        validity,
        inside=validity.inside[place],
        md_inside=validity.md_inside[place],
        descriptors_inside=validity.descriptors_inside[place],
        distance=validity.distance[place],
        nearest=order.given[validity.nearest[place]],
        nearest_distance=validity.nearest_distance[place],
    )


def _nearest(A: FloatArray, B: FloatArray, k: int, *, skip_self: bool, task: Task) -> tuple[FloatArray, IntArray]:
    """Root mean square distances (a, k) from rows of A to their nearest rows of B, nearest first, and which those are."""
    d = max(A.shape[1], 1)
    distances, who = np.empty((len(A), k)), np.empty((len(A), k), dtype=np.int64)
    squares = (B**2).sum(axis=1)
    step = max(1, MOST_NUMBERS // max(len(B), d))
    for start in range(0, len(A), step):
        task.check()
        rows = A[start : start + step]
        squared = (rows**2).sum(axis=1)[:, None] + squares - 2.0 * rows @ B.T
        if skip_self:
            squared[np.arange(len(rows)), np.arange(start, start + len(rows))] = np.inf
        first = np.argpartition(squared, k - 1, axis=1)[:, :k] if k < len(B) else np.argsort(squared, axis=1)[:, :k]
        # The expanded square loses half of the digits near zero: compute the few that matter again.
        exact = np.sqrt(((rows[:, None, :] - B[first]) ** 2).sum(axis=2) / d)
        if skip_self and k == len(B):
            exact[squared[np.arange(len(rows))[:, None], first] == np.inf] = np.inf
        order = np.argsort(exact, axis=1, kind="stable")
        distances[start : start + step] = np.take_along_axis(exact, order, axis=1)
        who[start : start + step] = np.take_along_axis(first, order, axis=1)
    return distances, who
