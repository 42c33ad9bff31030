"""A file as it stands: headings and cells of text, before anybody decides what they mean."""

import dataclasses
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, overload

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.invisible import without_invisible
from affinecal_gui.tables.flagged_runs import FlaggedRuns
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.simulation_jobs import SimulationJob
from affinecal_gui.task import UNWATCHED, Task

CELL_SEPARATOR = "\x1f"
"""Never part of a cell: readers replace it by a space."""

CHUNK_ROWS = 4096

Delimiter = Literal[",", ";", "\t", "|", "whitespace", "none"]
"""How cells are told apart; "whitespace": runs of blanks, "none": the file has one column."""

DecimalMark = Literal[".", ","]


class Cells(Protocol):
    """Some consecutive cells of one column, kept in a compact form."""

    def __len__(self) -> int: ...

    def cells(self) -> list[str]:
        """Return the cells."""
        ...

    def are_empty(self) -> bool:
        """Whether no cell holds any text."""
        ...


class JoinedCells:
    """Cells joined to one string by a character that no cell contains."""

    __slots__ = ("_count", "_text")

    def __init__(self, cells: Sequence[str]) -> None:
        self._count = len(cells)
        self._text = CELL_SEPARATOR.join(cells)

    def __len__(self) -> int:
        return self._count

    def cells(self) -> list[str]:
        """Return the cells."""
        return self._text.split(CELL_SEPARATOR) if self._count else []

    def are_empty(self) -> bool:
        """Whether no cell holds any text."""
        return not self._text.strip(CELL_SEPARATOR)


class TextColumn(Sequence[str]):
    """The cells of one column, kept in chunks.

    A list of 200,000 short strings costs ten times their text, and a file has up to thousands of such columns, of which
    few are ever looked at: the chunks keep the text and take it apart on demand.
    """

    __slots__ = ("_cached", "_chunks", "_starts")

    def __init__(self, chunks: Sequence[Cells]) -> None:
        self._chunks = tuple(chunks)
        sizes = np.array([0, *(len(chunk) for chunk in self._chunks)], dtype=np.int64)
        self._starts = np.cumsum(sizes)
        self._cached: tuple[int, list[str]] = (-1, [])

    @classmethod
    def of(cls, cells: Iterable[str]) -> "TextColumn":
        """Make a column of single cells."""
        listed = [cell.replace(CELL_SEPARATOR, " ") for cell in cells]
        return cls([JoinedCells(listed[start : start + CHUNK_ROWS]) for start in range(0, len(listed), CHUNK_ROWS)])

    def __len__(self) -> int:
        return int(self._starts[-1])

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return self._slice(index)
        position = index + len(self) if index < 0 else index
        if not 0 <= position < len(self):
            raise IndexError(index)
        number = int(np.searchsorted(self._starts, position, side="right")) - 1
        held, cells = self._cached
        if held != number:
            cells = self._chunks[number].cells()
            self._cached = (number, cells)
        return cells[position - int(self._starts[number])]

    def __iter__(self) -> Iterator[str]:
        for chunk in self._chunks:
            yield from chunk.cells()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextColumn) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TextColumn({len(self)} cells)"

    def chunks(self) -> Iterator[list[str]]:
        """Yield the cells chunk by chunk, for work on many cells at once."""
        for chunk in self._chunks:
            yield chunk.cells()

    def all_cells(self, *, task: Task = UNWATCHED) -> list[str]:
        """Return every cell; raises :class:`~affinecal_gui.errors.Cancelled` when the task was cancelled."""
        found: list[str] = []
        for cells in self.chunks():
            task.check()
            found += cells
        return found

    def are_empty(self) -> bool:
        """Whether no cell holds any text."""
        return all(chunk.are_empty() for chunk in self._chunks)

    def _slice(self, wanted: slice) -> list[str]:
        start, stop, step = wanted.indices(len(self))
        if step != 1:
            return [self[i] for i in range(start, stop, step)]
        found: list[str] = []
        number = int(np.searchsorted(self._starts, start, side="right")) - 1
        while number < len(self._chunks) and self._starts[number] < stop:
            offset = int(self._starts[number])
            found += self._chunks[number].cells()[max(start - offset, 0) : stop - offset]
            number += 1
        return found


SkippedKind = Literal["title", "comment", "heading", "ragged"]


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A line of the file that is not a row of the table; a "ragged" one should have been."""

    line: int  # 1-based
    text: str
    reason: str
    kind: SkippedKind = "title"


@dataclass(frozen=True, slots=True)
class RawTable:
    """Headings and cells of text; nothing is interpreted yet.

    No cell is changed but for blanks around it and characters that cannot be seen.
    """

    path: str  # as given; "" for pasted text
    name: str  # file name as shown
    format: str  # "text", "xlsx", "ods" ...
    headings: tuple[str, ...]  # made unique
    columns: tuple[TextColumn, ...]  # one per heading, all of the same length
    lines: NDArray[np.int64]  # (rows,) 1-based line, or row of the sheet, of each row
    units: tuple[str, ...] = ()  # texts of a second heading row that holds units; empty when there is none
    delimiter: Delimiter = ","
    decimal: DecimalMark | None = None  # as chosen, or as the delimiter implies; None: each column tells
    thousands: str = ""  # as chosen; "" when none may occur
    encoding: str = "utf-8"
    header_line: int = 1  # 0 when the file has no headings
    sheet: str = ""
    sheets: tuple[str, ...] = ()
    skipped: tuple[SkippedLine, ...] = ()  # rows with text that are not used: titles, comments, ragged rows
    ragged_rows: int = 0  # of very many such rows only the first are kept in ``skipped``
    blank_rows: int = 0
    gaps: tuple[int, ...] = ()  # columns before which the file has empty ones without heading, between others
    notes: tuple[str, ...] = ()  # what had to be put right while reading, in sentences
    set_aside: tuple[RowProblem, ...] = ()  # values of simulations that failed a check: their cells are empty
    again: tuple[SimulationJob, ...] = ()  # polymers without such values, to simulate again
    flagged: tuple[FlaggedRuns, ...] = ()  # how many there are, by reason
    chosen: frozenset[str] = frozenset()  # options that the user chose: nothing to ask about
    origin: Hashable = None  # equal where reading again would give the same cells; None where that is not known

    @property
    def row_count(self) -> int:
        """Number of rows of the table."""
        return len(self.lines)

    def column(self, heading: str) -> TextColumn:
        """Return the column under a heading."""
        return self.columns[self.headings.index(heading)]

    def row(self, index: int) -> tuple[str, ...]:
        """Return the cells of one row."""
        return tuple(column[index] for column in self.columns)

    def head(self, rows: int) -> "RawTable":
        """Return the table with its first rows only, for a preview."""
        lines = self.lines[:rows]
        kept = set(lines.tolist()) if self.set_aside else set()
        return dataclasses.replace(
            self,
            columns=tuple(TextColumn.of(column[:rows]) for column in self.columns),
            lines=lines,
            origin=None,
            set_aside=tuple(problem for problem in self.set_aside if problem.line in kept),
        )

    def edited(self, edits: Iterable[tuple[int, str, str]]) -> "RawTable":
        """Return the table with some cells as the user typed them: line, heading, text; without any, the table itself."""
        cells = {(line, heading): text for line, heading, text in edits}
        return self.with_cells(cells) if cells else self

    def with_cells(self, edits: Mapping[tuple[int, str], str]) -> "RawTable":
        """Return the table with some cells as the user typed them, by line and heading; others are left out."""
        row_of = {line: row for row, line in enumerate(self.lines.tolist())}
        by_column: dict[str, dict[int, str]] = {}
        for (line, heading), text in edits.items():
            if line in row_of:
                by_column.setdefault(heading, {})[row_of[line]] = without_invisible(text).strip()
        columns = []
        for heading, column in zip(self.headings, self.columns, strict=True):
            cells = by_column.get(heading)
            if cells:
                column = TextColumn.of(cells.get(row, cell) for row, cell in enumerate(column))
            columns.append(column)
        return dataclasses.replace(self, columns=tuple(columns), origin=None)
