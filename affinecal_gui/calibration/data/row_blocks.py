"""A long table in portions: what is worked out row by row needs no second table of its size."""

from collections.abc import Iterator

from affinecal_gui.task import UNWATCHED, Task

ROWS_AT_ONCE = 1024
"""Of 190 numbers these are 1.5 MB, which a processor keeps at hand."""


def row_blocks(rows: int, *, task: Task = UNWATCHED) -> Iterator[slice]:
    """Yield consecutive portions of so many rows; before each the task is asked whether to stop."""
    for start in range(0, rows, ROWS_AT_ONCE):
        task.check()
        yield slice(start, min(start + ROWS_AT_ONCE, rows))
