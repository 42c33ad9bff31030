"""Describing a file in one process and quickly, for tests of everything around the description itself."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from affinecal_gui.study.describing import describing_rows
from affinecal_gui.study.describing.describing_rows import DescribedCells
from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
from affinecal_gui.tables.writing.csv_export import number_text
from affinecal_gui.tasks.describing import describing_files
from affinecal_gui.tasks.writing import resumable_table
from tests.killed_at_a_line import kill_at_line

AT_ONCE = -1.0
"""Seconds between writes with which each row is written as soon as it is there."""

WRITING = "tasks"
"""The folder of the program before whose lines it is killed: what reads, divides and writes the rows."""


def results_here(function: Callable[[Any], Any], chunks: Iterable[Sequence[Any]], **_options: object) -> Iterator[Any]:
    """Do in this process what workers do."""
    for chunk in chunks:
        for item in chunk:
            yield function(item)


def quick_cells(text: str, force_field: str = "") -> DescribedCells:
    """Stand for a description: the same for the same text, and some fail."""
    if "bad" in text:
        return None, f'"{text}" is bad, as the test wants it.'
    return ",".join([number_text(len(text) / 7)] * 190).encode(), ""


def describe_quickly(source: Path, output: Path, cache: Path | None = None, last_line: int = 0) -> None:
    """Describe a file, continuing what is there; until killed before that line of :data:`WRITING`, if one is given.

    Every row is written at once, so that there is something to continue however early that is.
    """
    describing_rows.results_in_order = results_here  # type: ignore[assignment]
    describing_rows.described_cells = quick_cells
    resumable_table.SECONDS_BETWEEN_WRITES = AT_ONCE
    if last_line:
        kill_at_line(last_line, WRITING)
    describing_files.describe_file(source, output, resume=True, cache=None if cache is None else DescriptorCache(cache))
