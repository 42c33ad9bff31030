"""What the files of a finished dataset come to: the best rows, polymers that come again, and a summary."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.writing.csv_export import csv_bytes
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.columns import PREDICTED, PROBABILITY, column, schema_of
from affinecal_gui.tasks.screening.results.dataset import DUPLICATES, SUMMARY, Dataset
from affinecal_gui.tasks.screening.results.duplicates import IntArray, SamePolymers
from affinecal_gui.tasks.screening.results.ranking import Best, Ranking
from affinecal_gui.tasks.screening.wished import Wishes

if TYPE_CHECKING:
    import pyarrow

BINS = 50
NOT_IN_TOP = ("identity",)
FIRST_ROW = "first row of this polymer"


@dataclass(slots=True)
class Counts:
    """What became of the rows, by property."""

    rows: int = 0
    reasons: dict[str, Counter[str]] = field(default_factory=dict)
    origins: dict[str, Counter[str]] = field(default_factory=dict)
    outside: Counter[str] = field(default_factory=Counter)
    stood_in: Counter[str] = field(default_factory=Counter)  # rows that lack a source, calibrated by another calibrator
    trained: Counter[str] = field(
        default_factory=Counter
    )  # rows of known polymers whose MD value is predicted all the same
    again: int = 0  # rows whose polymer has come before
    polymers: int = 0  # different ones
    known: Counter[str] = field(default_factory=Counter)  # rows whose polymer was measured or simulated before
    notes: dict[str, str] = field(default_factory=dict)  # by reason code: the first sentence


def rankings_of(quantities: Sequence[Property], wishes: Wishes) -> list[Ranking]:
    """Return by what the best rows are found: each property's value and the bound that is sure, and the probability."""
    found = []
    for quantity in quantities:
        of = "" if len(quantities) == 1 else f"_{_in_file_name(quantity.key)}"
        highest = wishes.goals.get(quantity.key) != "low"
        bound, name = ("lower", "lower_bound") if highest else ("upper", "upper_bound")
        found.append(Ranking(f"value{of}", column("value", quantity, quantities), highest))
        found.append(Ranking(f"{name}{of}", column(bound, quantity, quantities), highest))
    if wishes.bounds:
        found.append(Ranking("probability", PROBABILITY))
    return found


def finish(dataset: Dataset, quantities: Sequence[Property], wishes: Wishes, top: int, *, task: Task) -> Counts:
    """Go through the partitions of a dataset once, and write what they come to."""
    files = dataset.partitions
    counts, same, rankings = Counts(), SamePolymers(), rankings_of(quantities, wishes)
    columns = [(one.name, str(one.type)) for one in schema_of(quantities, with_wishes=bool(wishes.bounds))]
    best = [Best(ranking, top) for ranking in rankings]
    histograms = {
        quantity.key: _Histogram(*_range(files, column("value", quantity, quantities))) for quantity in quantities
    }
    for number, table in enumerate(_tables(files, quantities, rankings)):
        task.check()
        task.report(number / len(files), "Ranking")
        rows = table["row"].to_numpy()
        counts.rows += len(rows)
        for one in best:
            one.show(_values(table, one.ranking.column), rows)
        same.add(*_identities(table, rows))
        counts.known.update(known for known in table["known"].to_pylist() if known is not None)
        for quantity in quantities:
            histograms[quantity.key].add(_values(table, column("value", quantity, quantities)))
            _count(counts, table, quantity, quantities)
    again, earlier, counts.polymers = same.found()
    counts.again = len(again)
    first_row = dict(zip(again.tolist(), earlier.tolist(), strict=True))
    for one in best:
        dataset.write(f"top_by_{one.ranking.name}.csv", _top_table(files, one.rows, first_row, columns, task))
    dataset.write(DUPLICATES, _duplicates(again, earlier))
    summary = {
        "rows": counts.rows,
        "polymers": counts.polymers,
        "rows_whose_polymer_came_before": counts.again,
        "rows_of_known_polymers": dict(sorted(counts.known.items())),
        "wishes": wishes.plain,
        "properties": {
            quantity.key: {
                "unit": quantity.unit,
                "rows_by_reason": dict(sorted(counts.reasons.get(quantity.key, Counter()).items())),
                "rows_by_origin": dict(sorted(counts.origins.get(quantity.key, Counter()).items())),
                "rows_outside_range": counts.outside[quantity.key],
                "rows_by_calibrator_of_one_source": counts.stood_in[quantity.key],
                "histogram": histograms[quantity.key].plain(),
            }
            for quantity in quantities
        },
    }
    dataset.write(SUMMARY, json.dumps(summary, indent=1, ensure_ascii=False).encode())
    dataset.complete({"columns": [list(pair) for pair in columns]}, files)
    return counts


def _in_file_name(key: str) -> str:
    return "".join(letter if letter.isalnum() else "_" for letter in key)


def _tables(
    files: Sequence[Path], quantities: Sequence[Property], rankings: Sequence[Ranking]
) -> Iterator["pyarrow.Table"]:
    import pyarrow.parquet

    wanted = {"row", "identity", "known", *(ranking.column for ranking in rankings)}
    for quantity in quantities:
        wanted |= {
            column(name, quantity, quantities) for name in ("value", "origin", "inside_range", "reason", "message")
        }
    for file in files:
        yield pyarrow.parquet.ParquetFile(file).read(columns=sorted(wanted), use_threads=False)


def _values(table: "pyarrow.Table", name: str) -> FloatArray:
    """(k,) numbers of a column, nan where there is none."""
    return np.asarray(table[name].to_numpy(), dtype=np.float64)


def _identities(table: "pyarrow.Table", rows: IntArray) -> tuple[NDArray[np.uint64], IntArray]:
    known = [
        (key, row) for key, row in zip(table["identity"].to_pylist(), rows.tolist(), strict=True) if key is not None
    ]
    keys = np.frombuffer(b"".join(key for key, _ in known), dtype="<u8").reshape(-1, 2)
    return keys, np.array([row for _, row in known], dtype=np.int64)


def _count(counts: Counts, table: "pyarrow.Table", quantity: Property, quantities: Sequence[Property]) -> None:
    def cells(name: str) -> list[Any]:
        found: list[Any] = table[column(name, quantity, quantities)].to_pylist()
        return found

    reasons = cells("reason")
    counts.reasons.setdefault(quantity.key, Counter()).update(reasons)
    origins = cells("origin")
    counts.origins.setdefault(quantity.key, Counter()).update(origin for origin in origins if origin is not None)
    counts.trained[quantity.key] += sum(
        origin == PREDICTED and known is not None
        for origin, known in zip(origins, table["known"].to_pylist(), strict=True)
    )
    counts.outside[quantity.key] += sum(inside is False for inside in cells("inside_range"))
    for code, sentence in zip(reasons, cells("message"), strict=True):
        if sentence is not None:
            counts.stood_in[quantity.key] += code == "ok"
            counts.notes.setdefault(code, sentence)


class _Histogram:
    """Counts values in equal bins from the lowest to the highest."""

    def __init__(self, low: float, high: float) -> None:
        self._edges = np.linspace(low, high, BINS + 1) if low < high else np.array([low, high])
        self._counts = np.zeros(len(self._edges) - 1, dtype=np.int64)

    def add(self, values: FloatArray) -> None:
        known = values[np.isfinite(values)]
        if len(known):
            self._counts += np.histogram(known, self._edges)[0]

    def plain(self) -> Mapping[str, list[float]] | None:
        """Return edges and counts; None where there is no value."""
        if not np.isfinite(self._edges).all():
            return None
        return {"edges": self._edges.tolist(), "counts": self._counts.tolist()}


def _range(files: Sequence[Path], name: str) -> tuple[float, float]:
    """Return the lowest and the highest value of a column, as the files state them; nan where there is none."""
    import pyarrow.parquet

    low, high = np.inf, -np.inf
    for file in files:
        about = pyarrow.parquet.ParquetFile(file)
        place = about.schema_arrow.get_field_index(name)
        for group in range(about.metadata.num_row_groups):
            own = about.metadata.row_group(group).column(place).statistics
            if own is not None and own.has_min_max:
                low, high = min(low, own.min), max(high, own.max)
    return (low, high) if low <= high else (np.nan, np.nan)


def _top_table(
    files: Sequence[Path],
    rows: IntArray,
    first_row: Mapping[int, int],
    columns: Sequence[tuple[str, str]],
    task: Task,
) -> bytes:
    """Return the best rows with everything that their partitions say of them."""
    import pyarrow.parquet

    names = [name for name, _ in columns if name not in NOT_IN_TOP]
    wanted = set(rows.tolist())
    found: dict[int, list[Any]] = {}
    start = 1
    for file in files:
        opened = pyarrow.parquet.ParquetFile(file)
        end = start + opened.metadata.num_rows
        own = [row for row in wanted if start <= row < end]
        if own:
            task.check()
            table = opened.read(columns=names, use_threads=False).select(names).take([row - start for row in own])
            found |= {cells[0]: list(cells) for cells in zip(*(one.to_pylist() for one in table.columns), strict=True)}
        start = end
    return csv_bytes(
        ("rank", *names, FIRST_ROW),
        [(rank, *found[row], first_row.get(row)) for rank, row in enumerate(rows.tolist(), 1)],
    )


def _duplicates(again: IntArray, earlier: IntArray) -> bytes:
    import io

    import pyarrow
    import pyarrow.parquet

    sink = io.BytesIO()
    pyarrow.parquet.write_table(pyarrow.table({"row": again, "first_row": earlier}), sink, compression="zstd")
    return sink.getvalue()
