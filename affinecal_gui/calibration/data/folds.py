"""Who is held out together: random folds that never tear the rows of one polymer apart."""

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]
TrainTest = tuple[IntArray, IntArray]
"""Rows to train with and rows to test with."""

TRUST = 0.3
"""How many independent residuals one held-out residual counts for when penalties are averaged."""


def random_folds(groups: IntArray, folds: int, generator: np.random.Generator) -> IntArray:
    """Deal polymers to folds at random, as evenly as their rows allow.

    Parameters
    ----------
    groups
        (n,) equal numbers mark rows of the same polymer, which share a fold.
    folds
        Wanted number of folds; with fewer polymers than that, each polymer is a fold of its own.
    generator
        The only source of chance.

    Returns
    -------
    IntArray
        (n,) fold of every row, 0 ... k-1, each of them used.
    """
    _, codes, counts = np.unique(groups, return_inverse=True, return_counts=True)
    folds = min(folds, len(counts))
    order = generator.permutation(len(counts))
    # Large groups first, so that the small ones can even out the folds; equal sizes keep their random order.
    order = order[np.argsort(-counts[order], kind="stable")]
    rows_in = np.zeros(folds, dtype=np.int64)
    fold_of_group = np.empty(len(counts), dtype=np.int64)
    for group in order:
        fold = int(np.argmin(rows_in))
        fold_of_group[group] = fold
        rows_in[fold] += counts[group]
    return fold_of_group[codes]


def contiguous_folds(n: int, folds: int) -> IntArray:
    """Cut n rows into consecutive folds without shuffling; the first ``n % folds`` of them have one row more."""
    return np.repeat(np.arange(folds), [len(part) for part in np.array_split(np.arange(n), folds)]).astype(np.int64)


def held_out_in_turn(fold: IntArray) -> list[TrainTest]:
    """Return for each fold the rows outside and the rows inside of it; ``fold`` (n,) is the fold of every row."""
    return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(int(fold.max()) + 1)]
