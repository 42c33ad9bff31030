"""Rows as a reader delivers them -> a raw table; every row that cannot be one is accounted for."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.invisible import without_invisible
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.raw_table import (
    CHUNK_ROWS,
    Cells,
    Delimiter,
    JoinedCells,
    RawTable,
    SkippedKind,
    SkippedLine,
    TextColumn,
)
from affinecal_gui.tables.text.options import GUESS, ReadOptions


def unique_headings(headings: Iterable[str]) -> tuple[str, ...]:
    """Name unnamed columns and number repeated names, so that every heading stands for one column.

    >>> unique_headings(["Cp", "", "Cp"])
    ('Cp', 'column 2', 'Cp (2)')
    """
    visible = (" ".join(without_invisible(heading).split()) for heading in headings)
    cleaned = [heading or f"column {number}" for number, heading in enumerate(visible, 1)]
    taken = set(cleaned)
    following: dict[str, int] = {}  # by heading: the number that its next repetition gets
    result = []
    for heading in cleaned:
        name = heading
        if heading in following:
            number = following[heading]
            while (name := f"{heading} ({number})") in taken:
                number += 1
            taken.add(name)
            following[heading] = number + 1
        else:
            following[heading] = 2
        result.append(name)
    return tuple(result)


def cells_beside(cells: Sequence[str], width: int) -> list[str]:
    """Return what is written beside the row of a table, with at least one empty cell between; else nothing.

    Cells that touch the table may as well be its own, divided by a mark too many.
    """
    return [cell for cell in cells[width:] if cell] if len(cells) > width and not cells[width] else []


class TableBuilder:
    """Collects rows, checks their width and packs them into columns.

    Rows that repeat the headings, blank rows and rows with more cells than headings are kept out and accounted for; so
    are single cells that somebody wrote beside the table.
    """

    MAX_LISTED = 1000  # skipped lines kept with their text; a file of nothing but bad lines stays small in memory
    MAX_CELLS = 1_000_000  # held one by one before they are packed
    SHARE_BESIDE = 0.2  # of the rows that may have a cell in a column without heading that is no column of the table

    def __init__(
        self, headings: Sequence[str], header: Sequence[str], units: Sequence[str] = (), ragged_hint: str = ""
    ) -> None:
        self.headings = tuple(headings)  # unique
        self.header = tuple(map(without_invisible, header))  # as they stand in the file
        self._units = tuple(units)
        self._hint = ragged_hint
        self.width = len(headings)
        self._chunks: list[list[Cells]] = [[] for _ in headings]
        self._lines: list[NDArray[np.int64]] = []
        self._rows: list[Sequence[str]] = []
        self._row_lines: list[int] = []
        self.skipped: list[SkippedLine] = []
        self.ragged_rows = 0
        self.blank_rows = 0
        self.rows = 0
        self._beside: list[tuple[int, str]] = []  # line, text: cells that are no part of the table

    def skip(self, line: int, text: str, reason: str, kind: SkippedKind) -> None:
        """Note a line that is not a row of the table."""
        self.ragged_rows += kind == "ragged"
        if len(self.skipped) < self.MAX_LISTED:
            self.skipped.append(SkippedLine(line, text[:200], reason, kind))

    def skip_titles(self, rows: Iterable[tuple[int, str, bool]]) -> None:
        """Note the lines above the headings: number, text and whether it is a comment."""
        for line, text, comment in rows:
            if comment:
                self.skip(line, text, "is a comment", "comment")
            else:
                self.skip(line, text, "stands above the table", "title")

    def add(self, line: int, cells: Sequence[str]) -> None:
        """Take one row; cells are stripped already."""
        if not any(cells):
            self.blank_rows += 1
            return
        if not all(map(str.isascii, cells)):
            cells = [without_invisible(cell) for cell in cells]
        width = self.width
        if len(cells) > width:
            if beside := cells_beside(cells, width):
                self._beside += [(line, cell) for cell in beside]
            elif any(cells[width:]):
                self.skip(line, ", ".join(cells), f"{len(cells)} cells, but {width} headings{self._hint}", "ragged")
                return
            cells = cells[:width]
        elif len(cells) < width:
            cells = [*cells, *[""] * (width - len(cells))]
        if cells[0] == self.header[0] and tuple(cells) == self.header:
            self.skip(line, ", ".join(cells), "repeats the headings", "heading")
            return
        self._rows.append(cells)
        self._row_lines.append(line)
        self.rows += 1
        if len(self._rows) >= CHUNK_ROWS or len(self._rows) * width >= self.MAX_CELLS:
            self._pack_rows()

    def add_block(self, first_line: int, count: int, columns: Sequence[Cells]) -> None:
        """Take many consecutive, complete rows as columns."""
        self._pack_rows()
        for chunks, cells in zip(self._chunks, columns, strict=True):
            chunks.append(cells)
        self._lines.append(np.arange(first_line, first_line + count, dtype=np.int64))
        self.rows += count

    def finish(self) -> tuple[tuple[str, ...], tuple[TextColumn, ...], tuple[str, ...], tuple[int, ...]]:
        """Return headings, columns and units, without unnamed columns that are empty, as trailing delimiters make.

        Nor with those behind the table that only a few rows have something in. The last ones returned are the numbers of the
        columns before which such columns stood.
        """
        self._pack_rows()
        units = (*self._units, *[""] * self.width)[: self.width] if self._units else ()
        columns = [TextColumn(chunks) for chunks in self._chunks]
        named = [bool((i < len(self.header) and self.header[i]) or (units and units[i])) for i in range(self.width)]
        last = max((i for i, has_name in enumerate(named) if has_name), default=self.width)
        kept = []
        for i, column in enumerate(columns):
            if named[i] or not (column.are_empty() or (i > last and self._stands_beside(column))):
                kept.append(i)
        return (
            tuple(self.headings[i] for i in kept),
            tuple(columns[i] for i in kept),
            tuple(units[i] for i in kept) if units else (),
            tuple(number for number, (before, i) in enumerate(pairwise(kept), 1) if i > before + 1),
        )

    def _stands_beside(self, column: TextColumn) -> bool:
        """Whether a column is no more than a few cells beside the table; they are noted."""
        most = max(1.0, self.SHARE_BESIDE * self.rows) if self.rows > 2 else 0
        found: list[tuple[int, str]] = []
        for line, cell in zip(self.lines().tolist(), column, strict=True):
            if cell:
                found.append((line, cell))
                if len(found) > most:
                    return False
        self._beside += found
        return True

    def _note_beside(self, name: str) -> list[str]:
        if not self._beside:
            return []
        shown = ", ".join(
            f"“{shortened(text)}” (line {line})" for line, text in sorted(self._beside, key=itemgetter(0))[:3]
        )
        more = " and others" if len(self._beside) > 3 else ""
        verb = "stands" if len(self._beside) == 1 else "stand"
        return [f"{name}: {shown}{more} {verb} beside the table and {'is' if verb == 'stands' else 'are'} not read."]

    def table(
        self,
        *,
        path: str,
        name: str,
        format: str,  # noqa: A002 - the word for it
        header_line: int,
        notes: Sequence[str] = (),
        options: ReadOptions = GUESS,
        delimiter: Delimiter = "none",
        encoding: str = "",
        sheet: str = "",
        sheets: Sequence[str] = (),
    ) -> RawTable:
        """Return what was collected."""
        headings, columns, units, gaps = self.finish()
        return RawTable(
            path=path,
            name=name,
            format=format,
            headings=headings,
            columns=columns,
            lines=self.lines(),
            units=units,
            gaps=gaps,
            delimiter=delimiter,
            decimal=options.decimal,
            thousands=options.thousands or "",
            encoding=encoding,
            header_line=header_line,
            sheet=sheet,
            sheets=tuple(sheets),
            skipped=tuple(sorted(self.skipped, key=lambda skipped: skipped.line)),
            ragged_rows=self.ragged_rows,
            blank_rows=self.blank_rows,
            notes=(*notes, *self._note_beside(name)),
            chosen=options.chosen,
        )

    def lines(self) -> NDArray[np.int64]:
        """Return the line of each row, read-only."""
        self._pack_rows()
        lines = np.concatenate(self._lines) if self._lines else np.zeros(0, dtype=np.int64)
        lines.setflags(write=False)
        return lines

    def _pack_rows(self) -> None:
        if self._rows:
            for chunks, cells in zip(self._chunks, zip(*self._rows, strict=True), strict=True):
                chunks.append(JoinedCells(cells))
            self._lines.append(np.asarray(self._row_lines, dtype=np.int64))
            self._rows, self._row_lines = [], []
