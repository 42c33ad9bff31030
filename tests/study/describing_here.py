"""Describing a file in one process and quickly, for tests of everything around the description itself."""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from affinecal_gui.study import describing_files
from affinecal_gui.study.describing_files import DescribedCells


def results_here(function: Callable[[Any], Any], chunks: Iterable[Sequence[Any]], **_options: object) -> Iterator[Any]:
    """Do in this process what workers do."""
    for chunk in chunks:
        for item in chunk:
            yield function(item)


def quick_cells(text: str, force_field: str = "") -> DescribedCells:
    """Stand for a description: the same for the same text, and some fail."""
    time.sleep(0.0005)
    if "bad" in text:
        return None, f'"{text}" is bad, as the test wants it.'
    return ",".join([str(len(text) / 7)] * 190).encode(), ""


def describe_quickly(source: Path, output: Path) -> None:
    """Describe a file until killed, continuing what is there."""
    describing_files.results_in_order = results_here  # type: ignore[assignment]
    describing_files.described_cells = quick_cells
    describing_files.describe_file(source, output, resume=True)
