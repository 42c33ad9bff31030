"""The tables of a study file: plain CSV with one heading line, numbers that come back identical, and bounded reading.

Cells follow RFC 4180. A text that a spreadsheet would run as a formula gets a leading apostrophe, which is taken off
again; a number that does not exist (nan) is an empty cell.
"""

import csv
import io
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, repeat
from typing import BinaryIO

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.study.records.decimal_text import MANY, joined_rows
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.tables.cells.formula_texts import neutralised, restored
from affinecal_gui.tables.errors import shortened
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]

LONGEST_CELL = 131_000  # characters; Python's reader stops at 131,072
LONGEST_ROW = 16 << 20  # characters
CELLS_AT_ONCE = 8_000  # one call of the writer keeps other threads waiting for some milliseconds
LARGE_TABLE = 1_000_000  # cells from which on a table is packed quickly
_LINE_END = "\r\n"

Cells = Callable[[int, int], list[str]]
"""``cells(start, stop)`` are the texts of these rows."""


@dataclass(frozen=True, slots=True)
class CsvColumn:
    """A column to write: its heading, and either its cells as text or its numbers, (rows,)."""

    heading: str
    cells: Cells | None = None
    numbers: FloatArray | None = None


def text_column(heading: str, texts: Sequence[str]) -> CsvColumn:
    """Return a column of texts."""
    return CsvColumn(heading, lambda start, stop: [neutralised(text) for text in texts[start:stop]])


def number_column(heading: str, values: FloatArray) -> CsvColumn:
    """Return a column of numbers, each with as many digits as bring back the very same number."""
    return CsvColumn(heading, numbers=values)


def integer_column(heading: str, values: Sequence[int] | IntArray | NDArray[np.bool_]) -> CsvColumn:
    """Return a column of whole numbers; truth values become 0 and 1."""
    return CsvColumn(heading, lambda start, stop: [str(int(value)) for value in values[start:stop]])


def to_csv(columns: Sequence[CsvColumn], rows: int, *, task: Task = UNWATCHED) -> bytes:
    """Return a table as the bytes of a CSV file."""
    return b"".join(csv_parts(columns, rows, task=task))


def csv_parts(columns: Sequence[CsvColumn], rows: int, *, task: Task = UNWATCHED) -> Iterator[bytes]:
    """Yield the bytes of a CSV file, some rows at a time.

    Columns of numbers that stand beside each other are written together, see :mod:`affinecal_gui.study.records.decimal_text`.

    Raises
    ------
    ValueError
        A cell is too long to be read again.
    """
    yield _line(neutralised(column.heading) for column in columns)
    runs = [(kind, list(run)) for kind, run in groupby(columns, lambda column: column.numbers is not None)]
    at_once = _rows_at_once(len(columns))
    of_many = rows * sum(column.numbers is not None for column in columns) >= MANY

    def numbers(run: Sequence[CsvColumn], start: int, stop: int) -> list[bytes]:
        return _numbers(run, start, stop, of_many=of_many)

    for start in range(0, rows, at_once):
        task.report(start / rows, "Writing the tables")
        stop = min(start + at_once, rows)
        beside = [(numbers if kind else _texts)(run, start, stop) for kind, run in task.each(runs, 1)]
        task.check()
        if len(columns) == 1:  # a line of nothing is no row: the reader is told of the cell by quotation marks
            beside[0] = [cell if cell != b"," else b'"",' for cell in beside[0]]
        yield b"".join([row[:-1] + b"\r\n" for row in map(b"".join, zip(*beside, strict=True))])


def _numbers(columns: Sequence[CsvColumn], start: int, stop: int, *, of_many: bool) -> list[bytes]:
    """Return the cells of these rows, a comma behind each."""
    arrays = [column.numbers[start:stop] for column in columns if column.numbers is not None]
    return joined_rows(np.column_stack(arrays), of_many=of_many)


def _texts(columns: Sequence[CsvColumn], start: int, stop: int) -> list[bytes]:
    """Return the cells of these rows, a comma behind each."""
    parts = [column.cells(start, stop) for column in columns if column.cells is not None]
    for column, part in zip(columns, parts, strict=True):
        longest = max(map(len, part))
        if longest > LONGEST_CELL:
            raise ValueError(f"a cell of {shortened(column.heading)} has {longest} characters")
    lines = _Lines()
    # An empty column behind the others makes the last comma.
    csv.writer(lines, lineterminator=_LINE_END).writerows(zip(*parts, repeat(""), strict=False))
    return [line[: -len(_LINE_END)].encode(errors="replace") for line in lines.written]


def _line(cells: Iterable[str]) -> bytes:
    lines = _Lines()
    csv.writer(lines, lineterminator=_LINE_END).writerow(cells)
    return lines.written[0].encode(errors="replace")


class _Lines:
    """Takes what a writer writes, line by line."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.write = self.written.append


def _rows_at_once(width: int) -> int:
    return max(1, CELLS_AT_ONCE // max(width, 1))


class StoredRows:
    """The rows of a CSV member, read in parts; every complaint names the member and the line.

    Parameters
    ----------
    stream
        Its bytes.
    where
        Its name.
    width, rows
        How many columns and rows it must have.
    """

    def __init__(
        self,
        stream: BinaryIO,
        where: str,
        width: int,
        rows: int,
        *,
        task: Task = UNWATCHED,
    ) -> None:
        self._where, self._width, self._rows = where, width, rows
        self._task = task
        self._text = io.TextIOWrapper(stream, encoding="utf-8-sig", newline="")
        self._of_this_row = 0
        self._reader = csv.reader(self._lines(), strict=True)

    def headings(self) -> list[str]:
        """Return the cells of the first line; call it once, before :meth:`parts`."""
        return [restored(cell) for cell in self._next() or ()]

    def parts(self) -> Iterator[tuple[int, list[tuple[str, ...]]]]:
        """Yield the number of the first row of each part, and the part as columns of cells."""
        done, at_once = 0, _rows_at_once(self._width)
        part: list[list[str]] = []
        while (row := self._next()) is not None:
            if len(row) != self._width:
                raise DamagedContent(f"{self._line()} has {len(row)} cells instead of {self._width}")
            if done + len(part) >= self._rows:
                raise DamagedContent(f"{self._where} has more than the {self._rows} rows it should have")
            part.append(row)
            if len(part) == at_once:
                self._task.check()
                self._task.report(done / self._rows, "Reading the tables")
                yield done, list(zip(*part, strict=True))
                done += len(part)
                part = []
        if done + len(part) != self._rows:
            raise DamagedContent(f"{self._where} has {done + len(part)} rows instead of {self._rows}")
        if part:
            yield done, list(zip(*part, strict=True))

    def _next(self) -> list[str] | None:
        try:
            self._of_this_row = 0
            while True:
                row = next(self._reader, None)
                if row != []:  # a blank line is no row
                    return row
        except (csv.Error, UnicodeDecodeError) as error:
            raise DamagedContent(f"{self._line()} cannot be read ({shortened(str(error), 80)})") from None

    def _lines(self) -> Iterator[str]:
        while line := self._text.readline(LONGEST_ROW):
            # Quotation marks may join any number of lines to one row.
            self._of_this_row += len(line)
            if self._of_this_row > LONGEST_ROW:
                raise DamagedContent(f"{self._where} has a row that is too long")
            yield line

    def _line(self) -> str:
        return f"{self._where}, line {self._reader.line_num},"


def numbers_of(cells: Sequence[str], where: str, *, infinite: bool = False) -> FloatArray:
    """Return a part of a column of numbers; empty cells are nan. With ``infinite`` inf and -inf are numbers too.

    Raises
    ------
    DamagedContent
        A cell holds something else, or a number that is not finite.
    """
    empty = cells.count("")
    try:
        if empty:
            values = np.array([float(cell) if cell else np.nan for cell in cells], dtype=np.float64)
        else:
            values = np.fromiter(map(float, cells), dtype=np.float64, count=len(cells))
    except ValueError:
        bad = next(cell for cell in cells if cell and not _is_number(cell))
        raise DamagedContent(f"{where}: “{shortened(bad)}” is no number") from None
    expected = len(cells) - empty
    known = (
        len(values) - int(np.count_nonzero(np.isnan(values)))
        if infinite
        else int(np.count_nonzero(np.isfinite(values)))
    )
    if known != expected:
        bad = next(cell for cell in cells if cell and not _is_allowed(float(cell), infinite))
        raise DamagedContent(f"{where}: “{shortened(bad)}” is not a finite number")
    return values


def _is_allowed(value: float, infinite: bool) -> bool:
    return not math.isnan(value) if infinite else math.isfinite(value)


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True


def integers_of(cells: Sequence[str], where: str, least: int, most: int) -> list[int]:
    """Return a part of a column of whole numbers between two bounds."""
    try:
        values = [int(cell) if len(cell) < 20 else most + 1 for cell in cells]
    except ValueError:
        raise DamagedContent(f"{where} holds something that is no whole number") from None
    if values and not (least <= min(values) and max(values) <= most):
        raise DamagedContent(f"{where} holds a number that is not between {least} and {most}")
    return values


def texts_of(cells: Sequence[str]) -> list[str]:
    """Return a part of a column of texts."""
    return [restored(cell) for cell in cells]
