"""The rows of a library, divided into partitions: what is screened together, and written to one file."""

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from affinecal_gui.tables.row_stream import StreamedRow
from affinecal_gui.task import Task
from affinecal_gui.tasks.screening.library.library import Library
from affinecal_gui.tasks.screening.library.reading_rows import Reason, RowLayout, TableBelow

FEWEST_ROWS = 1_000
MOST_ROWS = 20_000
USUAL_PARTITIONS = 1_000
"""A library of a million rows has so many; longer ones have longer partitions, up to :data:`MOST_ROWS`."""


@dataclass(frozen=True, slots=True)
class Partition:
    """Some rows of a library that follow one another."""

    number: int  # from 0
    first_row: int  # of the library, from 1
    rows: tuple[StreamedRow, ...]  # with the cells that the layout has kept
    given_up: dict[int, Reason] = field(default_factory=dict)  # by position: polymers that end the process, or its time
    looked_at: bool = False  # whether each of its other polymers has been described in its time

    @property
    def file_name(self) -> str:
        """Of its table."""
        return f"part-{self.number:06d}.parquet"

    def without(self, given_up: dict[int, Reason]) -> "Partition":
        """Return the partition with polymers that are not described; all others have been."""
        return replace(self, given_up={**self.given_up, **given_up}, looked_at=True)


def rows_together(expected: int) -> int:
    """Return how many rows a partition has; it depends on the library alone, so that every run makes the same files."""
    wanted = -(-expected // USUAL_PARTITIONS)
    return min(max(-(-wanted // FEWEST_ROWS) * FEWEST_ROWS, FEWEST_ROWS), MOST_ROWS)


def partitions_of(library: Library, layout: RowLayout, *, task: Task) -> Iterator[Partition]:
    """Divide the rows of a library, as they are taken from it."""
    size, first = rows_together(library.expected), 1
    below = TableBelow(layout)
    rows = map(below.marked, map(layout.kept, library.rows))
    for number in itertools.count():
        task.check()
        part = tuple(itertools.islice(rows, size))
        if not part:
            return
        yield Partition(number, first, part)
        first += len(part)
