"""A file as it stands: headings and cells of text, before anybody decides what they mean."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, overload

import numpy as np
from numpy.typing import NDArray

CELL_SEPARATOR = "\x1f"
"""Never part of a cell: readers replace it by a space."""

CHUNK_ROWS = 4096

Delimiter = Literal[",", ";", "\t", "|", "whitespace", "none"]
"""How cells are told apart; "whitespace": runs of blanks, "none": the file has one column."""

DecimalMark = Literal[".", ","]


class TextColumn(Sequence[str]):
    """The cells of one column, kept as a few long strings.

    A list of 200,000 short strings costs ten times their text; joined chunks cost the text itself and are as quick to
    take apart.
    """

    __slots__ = ("_cached", "_chunks", "_starts")

    def __init__(self, chunks: Sequence[str], sizes: Sequence[int]) -> None:
        self._chunks = tuple(chunks)
        self._starts = np.concatenate(([0], np.cumsum(np.asarray(sizes, dtype=np.int64)))).astype(np.int64)
        self._cached: tuple[int, list[str]] = (-1, [])

    @classmethod
    def of(cls, cells: Iterable[str]) -> "TextColumn":
        """Make a column of single cells."""
        listed = [cell.replace(CELL_SEPARATOR, " ") for cell in cells]
        parts = [listed[start : start + CHUNK_ROWS] for start in range(0, len(listed), CHUNK_ROWS)]
        return cls([CELL_SEPARATOR.join(part) for part in parts], [len(part) for part in parts])

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
            cells = self._chunks[number].split(CELL_SEPARATOR)
            self._cached = (number, cells)
        return cells[position - int(self._starts[number])]

    def __iter__(self) -> Iterator[str]:
        for number in range(len(self._chunks)):
            yield from self._cells(number)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextColumn) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"TextColumn({len(self)} cells)"

    def chunks(self) -> Iterator[tuple[str, list[str]]]:
        """Yield the joined text and the cells of each chunk, for work on many cells at once."""
        for number, chunk in enumerate(self._chunks):
            yield chunk, self._cells(number)

    def _slice(self, wanted: slice) -> list[str]:
        start, stop, step = wanted.indices(len(self))
        if step != 1:
            return [self[i] for i in range(start, stop, step)]
        found: list[str] = []
        number = int(np.searchsorted(self._starts, start, side="right")) - 1
        while number < len(self._chunks) and self._starts[number] < stop:
            offset = int(self._starts[number])
            found += self._cells(number)[max(start - offset, 0) : stop - offset]
            number += 1
        return found

    def _cells(self, number: int) -> list[str]:
        if self._starts[number + 1] == self._starts[number]:
            return []
        return self._chunks[number].split(CELL_SEPARATOR)


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
    """Headings and cells of text; nothing is interpreted yet, and no cell is changed but for blanks around it."""

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
    notes: tuple[str, ...] = ()  # what had to be put right while reading, in sentences
    chosen: frozenset[str] = frozenset()  # options that the user chose: nothing to ask about

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


def unique_headings(headings: Iterable[str]) -> tuple[str, ...]:
    """Name unnamed columns and number repeated names, so that every heading stands for one column.

    >>> unique_headings(["Cp", "", "Cp"])
    ('Cp', 'column 2', 'Cp (2)')
    """
    cleaned = [" ".join(heading.split()) or f"column {number}" for number, heading in enumerate(headings, 1)]
    taken = set(cleaned)
    seen: set[str] = set()
    result = []
    for heading in cleaned:
        name, number = heading, 2
        while name in seen or (name != heading and name in taken):
            name, number = f"{heading} ({number})", number + 1
        seen.add(name)
        result.append(name)
    return tuple(result)


class TableBuilder:
    """Collects rows, checks their width and packs them into columns.

    Rows that repeat the headings, blank rows and rows with more cells than headings are kept out and accounted for.
    """

    MAX_LISTED = 1000  # skipped lines kept with their text; a file of nothing but bad lines stays small in memory

    def __init__(
        self, headings: Sequence[str], header: Sequence[str], units: Sequence[str] = (), ragged_hint: str = ""
    ) -> None:
        self.headings = tuple(headings)  # unique
        self.header = tuple(header)  # as they stand in the file
        self._units = tuple(units)
        self._hint = ragged_hint
        self.width = len(headings)
        self._chunks: list[list[str]] = [[] for _ in headings]
        self._sizes: list[int] = []
        self._lines: list[NDArray[np.int64]] = []
        self._rows: list[Sequence[str]] = []
        self._row_lines: list[int] = []
        self.skipped: list[SkippedLine] = []
        self.ragged_rows = 0
        self.blank_rows = 0
        self.rows = 0

    def skip(self, line: int, text: str, reason: str, kind: SkippedKind) -> None:
        """Note a line that is not a row of the table."""
        self.ragged_rows += kind == "ragged"
        if len(self.skipped) < self.MAX_LISTED:
            self.skipped.append(SkippedLine(line, text[:200], reason, kind))

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Take one row; cells are stripped already."""
        if not any(cells):
            self.blank_rows += 1
            return
        width = self.width
        if len(cells) > width:
            if any(cells[width:]):
                self.skip(line, ", ".join(cells), f"{len(cells)} cells, but {width} headings{self._hint}", "ragged")
                return
            cells = cells[:width]
        elif len(cells) < width:
            cells = [*cells, *[""] * (width - len(cells))]
        if tuple(cells) == self.header:
            self.skip(line, ", ".join(cells), "repeats the headings", "heading")
            return
        self._rows.append(cells)
        self._row_lines.append(line)
        self.rows += 1
        if len(self._rows) >= CHUNK_ROWS:
            self._pack_rows()

    def add_block(self, first_line: int, columns: Sequence[Sequence[str]]) -> None:
        """Take many consecutive, complete rows as columns."""
        self._pack_rows()
        count = len(columns[0])
        self._pack(columns, np.arange(first_line, first_line + count, dtype=np.int64))
        self.rows += count

    def finish(self) -> tuple[tuple[str, ...], tuple[TextColumn, ...], tuple[str, ...]]:
        """Return headings, columns and units, without unnamed columns that are empty, as trailing delimiters make."""
        self._pack_rows()
        units = (*self._units, *[""] * self.width)[: self.width] if self._units else ()
        kept = [
            i
            for i in range(self.width)
            if (i < len(self.header) and self.header[i])
            or (units and units[i])
            or any(chunk.strip(CELL_SEPARATOR) for chunk in self._chunks[i])
        ]
        return (
            tuple(self.headings[i] for i in kept),
            tuple(TextColumn(self._chunks[i], self._sizes) for i in kept),
            tuple(units[i] for i in kept) if units else (),
        )

    def lines(self) -> NDArray[np.int64]:
        """Return the line of each row, read-only."""
        self._pack_rows()
        lines = np.concatenate(self._lines) if self._lines else np.zeros(0, dtype=np.int64)
        lines.setflags(write=False)
        return lines

    def _pack_rows(self) -> None:
        if self._rows:
            self._pack(list(zip(*self._rows, strict=True)), np.asarray(self._row_lines, dtype=np.int64))
            self._rows, self._row_lines = [], []

    def _pack(self, columns: Sequence[Sequence[str]], lines: NDArray[np.int64]) -> None:
        for chunks, cells in zip(self._chunks, columns, strict=True):
            chunks.append(CELL_SEPARATOR.join(cells))
        self._sizes.append(len(lines))
        self._lines.append(lines)
