"""Tables -> one Excel workbook, a sheet each; no cell is ever a formula."""

import io
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import xlsxwriter
from xlsxwriter.worksheet import Worksheet

from affinecal_gui.files import file_name, write_atomically
from affinecal_gui.tables.cells.formula_texts import neutralised
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.writing.csv_export import Cell, cleaned_text
from affinecal_gui.task import UNWATCHED, Task

MOST_ROWS = 1_048_576  # of a sheet, heading included
_WIDEST = 48  # characters
_LOOKED_AT = 200  # rows that decide how wide a column is
_CHECKED = 1000  # rows between two questions whether to go on


@dataclass(frozen=True, slots=True)
class WorkbookSheet:
    r"""One sheet: its name (at most 31 characters, none of ``[]:*?/\``), headings, and lines of cells."""

    name: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


def write_workbook(
    path: str | os.PathLike[str],
    sheets: Iterable[WorkbookSheet],
    *,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> None:
    """Write sheets as an XLSX file; the file is there whole or not at all.

    Numbers are stored as numbers, texts as texts: a text that looks like a formula is none, and is moreover written with
    the leading apostrophe that CSV files get (see :func:`affinecal_gui.tables.writing.csv_export.neutralised`), so that
    it stays a text when a spreadsheet saves it in another format. Missing numbers are empty cells.

    Raises
    ------
    UserError
        A table has more rows than a sheet can hold, or the file cannot be written or exists already.
    Cancelled
        The caller asked for a stop; nothing was written.
    """
    sheets = tuple(sheets)
    for sheet in sheets:
        if len(sheet.rows) >= MOST_ROWS:
            raise TableError(
                f"{file_name(os.fspath(path))} was not written: {sheet.name} has {len(sheet.rows)} rows, more than a "
                "sheet can hold. Save it as CSV instead."
            )
    stream = io.BytesIO()
    options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False, "nan_inf_to_errors": False}
    with xlsxwriter.Workbook(stream, options) as book:
        heading = book.add_format({"bold": True, "bottom": 1, "text_wrap": True, "valign": "top"})
        for number, sheet in enumerate(sheets):
            task.report(number / len(sheets), f"Writing the sheet {sheet.name}")
            page = book.add_worksheet(sheet.name)
            page.freeze_panes(1, 0)
            for column, text in enumerate(sheet.columns):
                page.write_string(0, column, _safe(text), heading)
                page.set_column(column, column, _width(sheet, column))
            for line, cells in enumerate(sheet.rows, start=1):
                if line % _CHECKED == 0:
                    task.check()
                for column, cell in enumerate(cells):
                    _write(page, line, column, cell)
        task.check()
    task.check()
    write_atomically(path, stream.getvalue(), overwrite=overwrite, task=task)
    task.report(1.0, "The workbook is written")


def _write(page: Worksheet, line: int, column: int, cell: Cell) -> None:
    if cell is None:
        return
    if isinstance(cell, bool):
        page.write_string(line, column, "yes" if cell else "no")
    elif isinstance(cell, str):
        text = _safe(cell)
        if text:
            page.write_string(line, column, text)
    elif math.isfinite(cell):
        page.write_number(line, column, float(cell))


def _safe(text: str) -> str:
    # A lone surrogate, from a file name that is not UTF-8, cannot be stored.
    return neutralised(cleaned_text(text)).encode("utf-8", errors="replace").decode("utf-8")


def _width(sheet: WorkbookSheet, column: int) -> float:
    """Return a width in characters at which most of the column is read; long headings break into two lines."""
    longest = max(len(word) for word in sheet.columns[column].split(" "))
    longest = max(longest, math.ceil(len(sheet.columns[column]) / 2))
    for row in sheet.rows[:_LOOKED_AT]:
        cell = row[column]
        if isinstance(cell, str):
            longest = max(longest, len(cell))
        elif cell is not None and not isinstance(cell, bool) and math.isfinite(cell):
            longest = max(longest, min(len(repr(cell)), 11))
    return min(longest, _WIDEST) + 2.0
