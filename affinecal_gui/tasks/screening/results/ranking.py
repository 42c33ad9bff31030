"""The best rows of a library, exactly, however its rows are divided: ties go to the row that comes first."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray

IntArray = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Ranking:
    """By what rows are ranked."""

    name: str  # of its file: top_by_NAME.csv
    column: str  # of the partitions
    highest_first: bool = True


class Best:
    """The best rows of those that it was shown."""

    def __init__(self, ranking: Ranking, count: int) -> None:
        self.ranking, self._count = ranking, count
        self._scores: FloatArray = np.zeros(0)  # the higher the better
        self._rows: IntArray = np.zeros(0, dtype=np.int64)

    @property
    def rows(self) -> IntArray:
        """(t,) their numbers, the best first."""
        return self._rows

    def show(self, values: FloatArray, rows: IntArray) -> None:
        """Show it rows (k,) with their values; those without a value, nan, are never among the best."""
        known = np.isfinite(values)
        own = values[known] if self.ranking.highest_first else -values[known]
        scores, numbers = np.concatenate([self._scores, own]), np.concatenate([self._rows, rows[known]])
        order = np.lexsort((numbers, -scores))[: self._count]
        self._scores, self._rows = scores[order], numbers[order]
