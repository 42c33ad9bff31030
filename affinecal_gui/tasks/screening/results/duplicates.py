"""Polymers that are in a library more than once, however they are written."""

import numpy as np
from numpy.typing import NDArray

IntArray = NDArray[np.int64]


class SamePolymers:
    """Collects the identities of rows, 24 bytes each."""

    def __init__(self) -> None:
        self._keys: list[NDArray[np.uint64]] = []
        self._rows: list[IntArray] = []

    def add(self, keys: NDArray[np.uint64], rows: IntArray) -> None:
        """Take identities (k, 2) and the numbers (k,) of their rows, which come in order."""
        self._keys.append(keys)
        self._rows.append(rows)

    def found(self) -> tuple[IntArray, IntArray, int]:
        """Return (m,) rows whose polymer has come before, (m,) its first rows, and how many different polymers there are."""
        if not self._keys:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64), 0
        keys, rows = np.concatenate(self._keys), np.concatenate(self._rows)
        order = np.lexsort((rows, keys[:, 1], keys[:, 0]))
        keys, rows = keys[order], rows[order]
        is_new = np.ones(len(rows), dtype=bool)
        is_new[1:] = (keys[1:] != keys[:-1]).any(axis=1)
        first = rows[is_new][np.cumsum(is_new) - 1]
        again, earlier = rows[~is_new], first[~is_new]
        by_row = np.argsort(again)
        return again[by_row], earlier[by_row], int(is_new.sum())
