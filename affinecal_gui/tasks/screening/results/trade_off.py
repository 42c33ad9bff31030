"""How two properties of a library go against each other: the rows that none surpasses in both, and a share of all rows."""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tasks.screening.results.ranking import IntArray

MOST_SHOWN = 3000
"""Rows of the share: every row at first, then every second, every fourth and so on."""


@dataclass(frozen=True, slots=True, eq=False)
class TradeOffSoFar:
    """Calibrated values of two properties, in their units."""

    shown: FloatArray  # (s, 2) of a share of the rows
    front: FloatArray  # (f, 2) of the rows that none surpasses in both, by the first property
    front_rows: IntArray  # (f,) of the library, from 1


class TradeOff:
    """Takes in the finished partitions of a screening, in any order.

    Parameters
    ----------
    columns
        Of the values of the two properties.
    highest_first
        Of each, whether the higher value is the better one.
    """

    def __init__(self, columns: tuple[str, str], highest_first: tuple[bool, bool]) -> None:
        self._columns = columns
        self._sign = np.where(highest_first, 1.0, -1.0)
        self._front, self._front_rows = np.zeros((0, 2)), np.zeros(0, dtype=np.int64)
        self._shown, self._shown_rows = np.zeros((0, 2)), np.zeros(0, dtype=np.int64)
        self._stride = 1

    def take(self, file: Path) -> None:
        """Take in a partition."""
        import pyarrow.parquet

        table = pyarrow.parquet.ParquetFile(file).read(columns=["row", *self._columns], use_threads=False)
        values = np.column_stack([np.asarray(table[name].to_numpy(), dtype=np.float64) for name in self._columns])
        known = np.isfinite(values).all(axis=1)
        self.add(values[known], np.asarray(table["row"].to_numpy())[known])

    def add(self, values: FloatArray, rows: IntArray) -> None:
        """Take in rows (k,) with their values (k, 2)."""
        taken = rows % self._stride == 0
        self._shown = np.concatenate([self._shown, values[taken]])
        self._shown_rows = np.concatenate([self._shown_rows, rows[taken]])
        while len(self._shown) > MOST_SHOWN:
            self._stride *= 2
            left = self._shown_rows % self._stride == 0
            self._shown, self._shown_rows = self._shown[left], self._shown_rows[left]
        together = np.concatenate([self._front, values])
        numbers = np.concatenate([self._front_rows, rows])
        best = _not_surpassed(together * self._sign, numbers)
        self._front, self._front_rows = together[best], numbers[best]

    @property
    def so_far(self) -> TradeOffSoFar:
        """What has been taken in."""
        order = np.argsort(self._shown_rows)
        return TradeOffSoFar(self._shown[order], self._front, self._front_rows)


def _not_surpassed(values: FloatArray, rows: IntArray) -> IntArray:
    """Return the places (f,) of rows (k,) that no other has both values (k, 2) at least as high as, and one higher.

    They come by rising first value; of equal rows the first one stays.
    """
    order = np.lexsort((rows, -values[:, 1], -values[:, 0]))
    second = values[order, 1]
    before = np.concatenate([[-np.inf], np.maximum.accumulate(second)[:-1]]) if len(second) else second
    return np.asarray(order[second > before][::-1])
