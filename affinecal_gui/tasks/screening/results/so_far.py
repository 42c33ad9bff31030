"""What a screening has found so far, for those who watch it: how far it is, how its values lie, and the best rows."""

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tasks.screening.columns import PROBABILITY, Origin
from affinecal_gui.tasks.screening.results.ranking import Best, Ranking

MOST_BINS = 48
_LEAST_SPREAD = 1e-9  # of values, beside the largest; what differs by less is one value
_SMALLEST = 1e-100


@dataclass(frozen=True, slots=True)
class FinishedPartition:
    """A partition whose table is in the dataset."""

    file: Path
    rows: int
    expected: int  # rows of the library, as far as it can be told
    is_kept: bool  # from an earlier run


Watch = Callable[[FinishedPartition], None]
"""Called with each partition once it is finished."""


def unwatched(finished: FinishedPartition) -> None:
    """Watch nothing."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """One of the best rows; numbers are in the unit of the property."""

    row: int  # of the library, from 1
    id: str
    name: str
    smiles: str
    value: float
    lower: float
    upper: float
    md: float  # nan where the calibrator looks at no MD value
    origin: Origin
    inside: bool  # the range of validity
    known: str  # "measured", "simulated" or ""
    chance: float = math.nan  # that all wishes are met; nan without wishes


@dataclass(frozen=True, slots=True, eq=False)
class FoundSoFar:
    """What the finished partitions of a screening of one property hold."""

    rows: int
    expected: int
    with_value: int
    rate: float  # rows per second of this run; nan before its first partition
    edges: FloatArray  # (b + 1,) of the bins; (0,) without values
    counts: FloatArray  # (b,) rows in each bin
    best: tuple[Candidate, ...]

    @property
    def seconds_left(self) -> float:
        """How long the rest takes at this rate; nan where that cannot be told."""
        return max(self.expected - self.rows, 0) / self.rate if self.rate > 0.0 else math.nan


class Watcher:
    """Takes in the finished partitions of a screening of one property, in any order.

    Parameters
    ----------
    ranking
        By what the best rows are found.
    top
        How many of them are kept.
    clock
        Seconds that pass; another one for tests.
    of
        What follows the names of the columns of the property that is watched, where several are screened.
    """

    def __init__(
        self, ranking: Ranking, top: int, clock: Callable[[], float] = time.monotonic, *, of: str = ""
    ) -> None:
        self._best, self._ranking, self._clock, self._of = Best(ranking, top), ranking, clock, of
        self._candidates: dict[int, Candidate] = {}
        self._histogram = GrowingHistogram()
        self._rows = self._expected = self._with_value = self._screened = 0
        self._started = clock()
        self._rate = math.nan

    def take(self, finished: FinishedPartition) -> None:
        """Take in a partition."""
        import pyarrow.parquet

        own = [f"{name}{self._of}" for name in ("value", "lower", "upper", "md", "origin", "inside_range")]
        names = ["row", "id", "name", "smiles", "known", *own, PROBABILITY]  # one that is missing is not read
        table = pyarrow.parquet.ParquetFile(finished.file).read(columns=names, use_threads=False)
        values = np.asarray(table[f"value{self._of}"].to_numpy(), dtype=np.float64)
        scores = np.asarray(table[self._ranking.column].to_numpy(), dtype=np.float64)
        rows = table["row"].to_numpy()
        self._histogram.add(values)
        self._best.show(scores, rows)
        self._keep(table, rows.tolist())
        self._rows += finished.rows
        self._expected = max(finished.expected, self._rows)
        self._with_value += int(np.isfinite(values).sum())
        now = self._clock()
        if finished.is_kept:
            self._started = now
        else:
            self._screened += finished.rows
            self._rate = self._screened / max(now - self._started, 1e-9)

    def _keep(self, table: Any, rows: list[int]) -> None:
        """Keep what is said of the best rows, and of no others."""
        places = {row: place for place, row in enumerate(rows)}
        best = self._best.rows.tolist()
        new = [row for row in best if row in places]
        if new:
            found = table.take([places[row] for row in new]).to_pylist()
            self._candidates |= {cells["row"]: candidate_of(cells, self._of) for cells in found}
        self._candidates = {row: self._candidates[row] for row in best}

    @property
    def so_far(self) -> FoundSoFar:
        """What has been taken in."""
        edges, counts = self._histogram.bars
        return FoundSoFar(
            self._rows,
            self._expected,
            self._with_value,
            self._rate,
            edges,
            counts,
            tuple(self._candidates[row] for row in self._best.rows.tolist()),
        )


def candidate_of(cells: Mapping[str, Any], of: str = "") -> Candidate:
    """Return what the cells of a row say, by the names of their columns; ``of`` follows those of the property."""
    md, chance = cells[f"md{of}"], cells.get(PROBABILITY)
    return Candidate(
        cells["row"],
        cells["id"],
        cells["name"],
        cells["smiles"],
        cells[f"value{of}"],
        cells[f"lower{of}"],
        cells[f"upper{of}"],
        math.nan if md is None else md,
        cast("Origin", cells[f"origin{of}"]),
        bool(cells[f"inside_range{of}"]),
        cells["known"] or "",
        math.nan if chance is None else chance,
    )


class GrowingHistogram:
    """Counts values whose range is not known beforehand, exactly: bins are joined in pairs when there are too many."""

    def __init__(self) -> None:
        self._width = 0.0
        self._counts: Counter[int] = Counter()

    def add(self, values: FloatArray) -> None:
        """Count values (k,); nan counts nowhere."""
        known = values[np.isfinite(values)]
        if not known.size:
            return
        low, high = float(known.min()), float(known.max())
        if not self._width:
            largest = max(abs(low), abs(high))
            spread = high - low if high - low > largest * _LEAST_SPREAD else largest / 100.0
            self._width = 2.0 ** math.floor(math.log2(max(spread, _SMALLEST) / MOST_BINS))
        if self._counts:
            low, high = min(low, min(self._counts) * self._width), max(high, max(self._counts) * self._width)
        while high / self._width - low / self._width >= MOST_BINS - 1:
            self._join()
        self._counts.update(np.floor(known / self._width).astype(np.int64).tolist())

    def _join(self) -> None:
        self._width *= 2.0
        joined: Counter[int] = Counter()
        for place, count in self._counts.items():
            joined[place // 2] += count
        self._counts = joined

    @property
    def bars(self) -> tuple[FloatArray, FloatArray]:
        """(b + 1,) edges of the bins in a row, and (b,) counts; (0,) and (0,) without values."""
        if not self._counts:
            return np.zeros(0), np.zeros(0)
        first, last = min(self._counts), max(self._counts)
        counts = np.array([self._counts[place] for place in range(first, last + 1)], dtype=np.float64)
        return np.arange(first, last + 2, dtype=np.float64) * self._width, counts
