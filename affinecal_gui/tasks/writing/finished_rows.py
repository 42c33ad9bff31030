"""What a run over a file does with the rows that an earlier run has finished: count them, and pass over them."""

import itertools
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from affinecal_gui.study.describing.pace import Pace
from affinecal_gui.task import Task

ROWS_BETWEEN_CHECKS = 10_000  # of rows that are only counted


class RowOfFile(Protocol):
    """A row that knows where it stands."""

    @property
    def line(self) -> int:
        """Its line in the file."""


Row = TypeVar("Row", bound=RowOfFile)


def counting(take: Callable[[bytes], None], task: Task) -> Callable[[bytes], None]:
    """Return what hands every finished line of a table to ``take``, tells how many there are, and can be stopped."""
    numbers = itertools.count()

    def found(line: bytes) -> None:
        number = next(numbers)
        if number % ROWS_BETWEEN_CHECKS == 0:
            task.check()
            task.report(0.0, f"Found {number:,} finished rows")
        take(line)

    return found


def finished_rows(rows: Iterator[Row], finished: int, pace: Pace, task: Task) -> Iterator[Row]:
    """Take the first ``finished`` rows of a file, and let the pace count from behind them."""
    for number, row in enumerate(itertools.islice(rows, finished)):
        if number % ROWS_BETWEEN_CHECKS == 0:
            task.check()
        pace.start(row.line, number + 1)
        yield row
