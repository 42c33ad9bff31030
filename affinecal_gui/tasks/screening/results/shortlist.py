"""The rows of a finished dataset that are worth a closer look: of each polymer one, those with the highest worth, exactly."""

from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.columns import PROBABILITY, Screened, column
from affinecal_gui.tasks.screening.library.reading_rows import OK

if TYPE_CHECKING:
    import pyarrow

Cells = dict[str, Any]
"""What a partition says of one row, by the names of its columns."""

WorthOf = Callable[["pyarrow.Table"], FloatArray]
"""(k,) of the rows of a partition: the more, the better; nan where there is none."""

IN_EVERY_ROW = ("row", "id", "name", "smiles", "identity", "known")
OF_EACH = ("value", "lower", "upper", "md", "origin", "inside_range")


def shortlist(
    files: Sequence[Path],
    columns: Sequence[str],
    worth_of: WorthOf,
    most: int,
    without: Collection[bytes] = (),
    *,
    task: Task,
) -> list[Cells]:
    """Return the rows with the highest worth, the best first and ties in the order of the library; one of each polymer.

    Parameters
    ----------
    files
        The partitions, in order.
    columns
        That are read.
    worth_of
        Of the rows of a partition.
    most
        How many are returned.
    without
        Identities of polymers that are left out.
    """
    import pyarrow.parquet

    best: list[tuple[float, int, bytes | int, Cells]] = []
    for number, file in enumerate(files):
        task.check()
        task.report(number / len(files), "Looking for the next steps")
        table = pyarrow.parquet.ParquetFile(file).read(columns=list(columns), use_threads=False)
        worth, rows = worth_of(table), np.asarray(table["row"].to_numpy())
        known = np.flatnonzero(np.isfinite(worth))
        identities = table["identity"].to_pylist()
        seen: set[bytes | int] = set()
        taken: list[int] = []
        for place in known[np.lexsort((rows[known], -worth[known]))].tolist():
            polymer = identities[place] or int(rows[place])
            if polymer in seen or polymer in without:
                continue
            seen.add(polymer)
            taken.append(place)
            if len(taken) == most:
                break
        found = table.take(taken).to_pylist() if taken else []  # an empty list has no type to take by
        for place, cells in zip(taken, found, strict=True):
            best.append((-float(worth[place]), cells["row"], cells["identity"] or cells["row"], cells))
        best = _one_of_each(best)[:most]
    return [cells for *_, cells in best]


def _one_of_each(best: list[tuple[float, int, bytes | int, Cells]]) -> list[tuple[float, int, bytes | int, Cells]]:
    found: dict[bytes | int, tuple[float, int, bytes | int, Cells]] = {}
    for one in sorted(best, key=lambda one: one[:2]):
        found.setdefault(one[2], one)
    return list(found.values())


def columns_read(quantities: Sequence[Property], wished: Sequence[Property], *, with_probability: bool) -> list[str]:
    """Return the columns of a partition that say what is known of some of its properties."""
    own = [column(name, quantity, quantities) for quantity in wished for name in OF_EACH]
    return [*IN_EVERY_ROW, *own, *([PROBABILITY] if with_probability else [])]


def screened_again(table: "pyarrow.Table", quantity: Property, quantities: Sequence[Property]) -> Screened:
    """Return what the columns of a partition say of one property."""

    def numbers(name: str) -> FloatArray:
        return np.asarray(table[column(name, quantity, quantities)].to_numpy(), dtype=np.float64)

    origin = table[column("origin", quantity, quantities)].to_pylist()
    unknown: list[bool | None] = [None] * len(origin)
    values, lower, upper, md = map(numbers, ("value", "lower", "upper", "md"))
    return Screened(values, lower, upper, md, origin, unknown, [OK] * len(origin))
