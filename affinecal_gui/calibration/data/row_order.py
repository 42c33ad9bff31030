"""The order in which a calibration computes: by what the rows say, so that the order of a table changes nothing.

Sums of floating-point numbers depend on the order of their terms, and random folds are dealt by position. So the rows are
put into an order of their own before anything is computed, and the answers back into the order in which they came.
"""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True)
class RowOrder:
    """The order of k rows."""

    given: IntArray  # (k,) which of the given rows is computed at each place

    @property
    def place(self) -> IntArray:
        """(k,) the place at which each given row is computed: ``computed[place]`` is in the given order."""
        place = np.empty(len(self.given), dtype=np.int64)
        place[self.given] = np.arange(len(self.given))
        return place


def as_given(rows: int) -> RowOrder:
    """Compute in the given order."""
    return RowOrder(np.arange(rows))


def by_content(f: FloatArray, X: FloatArray, *further: FloatArray) -> RowOrder:
    """Order rows by their MD value, and where those are equal by descriptors and further columns.

    Parameters
    ----------
    f
        (k,) MD values; nan comes last.
    X
        (k, d) descriptors.
    further
        (k,) each: what else tells rows apart. Rows that agree in everything may stand in any order.
    """
    order = np.argsort(f, kind="stable")
    ranked = f[order]
    alike = (ranked[1:] == ranked[:-1]) | (np.isnan(ranked[1:]) & np.isnan(ranked[:-1]))
    if alike.any():
        tied = np.concatenate([[False], alike]) | np.concatenate([alike, [False]])
        rows = order[tied]
        keys = [*further[::-1], *X.T[::-1], f]
        order[tied] = rows[np.lexsort([key[rows] for key in keys])]
    return RowOrder(order.astype(np.int64))


def codes_by_place(groups: IntArray) -> IntArray:
    """(k,) numbers 0, 1, ... of the groups in the order in which they first appear."""
    _, first, codes = np.unique(groups, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[codes]
