"""Rows of data frames by the names that their users know: lines of those that were read from a file, labels of others."""

import re
from collections.abc import Hashable, Sequence

import numpy as np
import pandas as pd

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.problems import RowProblem

LINE = "line"
"""Name of the index of a frame that was read from a file: the lines of its rows."""

_LINE_OF = re.compile(r"\b([Ll])ine (\d+)\b")


def lines_of(frame: pd.DataFrame) -> list[int]:
    """Return the number by which sentences name each row: its label where these rise as numbers, else its place."""
    index = frame.index
    rises = pd.api.types.is_integer_dtype(index) and index.is_monotonic_increasing and index.is_unique
    if rises and len(index) and index[0] >= 0 and index[-1] <= np.iinfo(np.int64).max:
        return [int(label) for label in index]
    return list(range(1, len(index) + 1))


def labels_of(frame: pd.DataFrame) -> dict[int, Hashable]:
    """Return the label of each row by the number that sentences give it."""
    return dict(zip(lines_of(frame), frame.index.tolist(), strict=True))


class Places:
    """Names the rows of a frame: by their lines if it was read from a file, else by their labels."""

    def __init__(self, name: str, frame: pd.DataFrame) -> None:
        self.name, self._labels = name, labels_of(frame)
        self._word = "line" if frame.index.name == LINE else "row"

    def __call__(self, line: int) -> str:
        """Return a row with the name of its frame before it: "measured, row PE"."""
        return f"{self.name}, {self.row(line)}"

    def row(self, line: int) -> str:
        """Return a row by the number that sentences give it, as its user calls it: "row PE"."""
        return f"{self._word} {shortened(str(self._labels.get(line, line)))}"

    def sentence(self, problem: RowProblem) -> str:
        """Say in a sentence what is the matter with a row or a value."""
        parts = [self(problem.line), problem.column]
        if problem.text and problem.text not in problem.reason:
            parts.append(f"“{shortened(problem.text)}”")
        return f"{', '.join(part for part in parts if part)}: {problem.reason}."


def with_rows_named(sentence: str, frames: Sequence[Places]) -> str:
    """Return a sentence of the services, which know lines only, with the rows of these frames as their users call them.

    A line belongs to the frame whose name stands last before it, or to the only one.
    """

    def named(found: "re.Match[str]") -> str:
        before = {sentence.rfind(places.name, 0, found.start()): places for places in frames}
        last = max(before, default=-1)
        if last < 0 and len(frames) != 1:
            return found[0]
        row = before[last].row(int(found[2]))
        return row[0].upper() + row[1:] if found[1] == "L" else row

    return _LINE_OF.sub(named, sentence)
