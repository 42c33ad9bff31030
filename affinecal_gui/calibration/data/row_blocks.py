"""A long table in portions: what is worked out row by row needs no second table of its size."""

from collections.abc import Iterator

from affinecal_gui.task import UNWATCHED, Task

ROWS_AT_ONCE = 512
"""Of 190 numbers these are 0.8 MB, and what fifty fits make of them some 20 MB."""


def row_blocks(rows: int, *, task: Task = UNWATCHED) -> Iterator[slice]:
    """Yield consecutive portions of so many rows; before each the task is asked whether to stop."""
    for start in range(0, rows, ROWS_AT_ONCE):
        task.check()
        yield slice(start, min(start + ROWS_AT_ONCE, rows))
