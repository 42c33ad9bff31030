"""How two properties of a library go against each other: the rows that none surpasses in both, and a share of all rows."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tasks.screening.results.ranking import IntArray

Aim = Literal["high", "low"] | float
"""Which of two values is the better one: the higher, the lower, or the one that is nearer to a number."""

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
    aims
        Of each, which value is the better one.
    """

    def __init__(self, columns: tuple[str, str], aims: tuple[Aim, Aim]) -> None:
        self._columns = columns
        self._aims = aims
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
        best = _not_surpassed(self._merit(together), numbers)
        self._front, self._front_rows = together[best], numbers[best]

    @property
    def so_far(self) -> TradeOffSoFar:
        """What has been taken in."""
        order = np.argsort(self._shown_rows)
        along = np.lexsort((self._front_rows, self._front[:, 1], self._front[:, 0]))
        return TradeOffSoFar(self._shown[order], self._front[along], self._front_rows[along])

    def _merit(self, values: FloatArray) -> FloatArray:
        """Return (k, 2) what is the higher, the better the value."""
        found = np.empty_like(values)
        for at, aim in enumerate(self._aims):
            if aim == "high":
                found[:, at] = values[:, at]
            elif aim == "low":
                found[:, at] = -values[:, at]
            else:
                found[:, at] = -np.abs(values[:, at] - aim)
        return found


def _not_surpassed(values: FloatArray, rows: IntArray) -> IntArray:
    """Return the places (f,) of rows (k,) that no other has both values (k, 2) at least as high as, and one higher.

    They come by rising first value; of equal rows the first one stays.
    """
    order = np.lexsort((rows, -values[:, 1], -values[:, 0]))
    second = values[order, 1]
    before = np.concatenate([[-np.inf], np.maximum.accumulate(second)[:-1]]) if len(second) else second
    return np.asarray(order[second > before][::-1])
