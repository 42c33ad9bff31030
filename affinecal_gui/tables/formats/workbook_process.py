"""The process that reads workbooks for the program.

The library that reads them is compiled; what a damaged file makes of it can end the process it runs in, or ask for any
amount of memory. So it runs in one of its own, with a limit, and hands over plain texts. This module is all that the
process needs, and imports next to nothing.
"""

import contextlib
import datetime
import os
import sys
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from affinecal_gui.tables.formats.hidden_parts import hidden_parts
from affinecal_gui.tables.formats.ods_cells import merged_over_rows
from affinecal_gui.tables.formats.shown_cells import shown_cells, shown_text
from affinecal_gui.tables.formats.struck_cells import struck_cells

MEMORY_LIMIT = 4 * 1024**3
"""Bytes; where the system knows such limits."""
ROWS_AT_ONCE = 2000

Message = tuple[Any, ...]
"""What the process sends: ("sheets", visible, hidden), ("rows", rows), ("end", merged, hidden, struck, left), ("locked",) or
("damaged",).

``merged`` are (column, first row, last row), from 0, of cells that were merged over several rows; ``hidden`` are
the rows, and the columns, from 0, that are not shown; ``struck`` are (row, column) of cells that are struck through.
"""
MOST_MERGED = 20_000


def serve(connection: Connection, path: str, maximum_area: int) -> None:
    """Open a workbook, send the names of its sheets, then the rows of every sheet that is asked for."""
    _be_quiet_and_modest()
    try:
        import python_calamine
    except ImportError:
        connection.send(("missing",))
        return
    try:
        workbook = python_calamine.CalamineWorkbook.from_path(path)
        connection.send(("sheets", *_sheet_names(workbook)))
        while (sheet := connection.recv()) is not None:
            _send_rows(connection, workbook.get_sheet_by_name(sheet), path, maximum_area)
    except python_calamine.PasswordError:
        connection.send(("locked",))
    except (EOFError, BrokenPipeError):
        return  # the program has no further wish
    except BaseException:  # noqa: BLE001 - a panic of the library is no Exception
        with contextlib.suppress(OSError):
            connection.send(("damaged",))


def _be_quiet_and_modest() -> None:
    """Keep the library's own cries off the terminal, and its memory within bounds."""
    with contextlib.suppress(OSError, ValueError):
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 2)
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(resource.RLIMIT_AS)
            limit = MEMORY_LIMIT if hard == resource.RLIM_INFINITY else min(MEMORY_LIMIT, hard)
            resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _sheet_names(workbook: Any) -> tuple[list[str], list[str]]:
    """Return the names of the visible and of the hidden sheets."""
    import python_calamine

    visible: list[str] = []
    hidden: list[str] = []
    for sheet in workbook.sheets_metadata:
        if sheet.typ == python_calamine.SheetTypeEnum.WorkSheet:
            shown = sheet.visible == python_calamine.SheetVisibleEnum.Visible
            (visible if shown else hidden).append(sheet.name)
    return visible, hidden


def _send_rows(connection: Connection, sheet: Any, path: str, maximum_area: int) -> None:
    """Send the cells of a sheet as text, from its first row on."""
    if sheet.height * sheet.width > maximum_area:
        connection.send(("too large",))
        return
    rows: list[list[str]] = []
    top, left = sheet.start or (0, 0)
    shown = shown_cells(path, sheet.name, top + sheet.height, left + sheet.width)
    for number, cells in enumerate(sheet.iter_rows()):
        texts = [text_of(cell) for cell in cells]
        if shown:
            for column, cell in enumerate(cells):
                if isinstance(cell, float) and (how := shown.get((number, column + left))) is not None:
                    texts[column] = shown_text(cell, how)
        rows.append(texts)
        if len(rows) >= ROWS_AT_ONCE:
            connection.send(("rows", rows))
            rows = []
    connection.send(("rows", rows))
    hidden, struck = hidden_parts(path, sheet.name), struck_cells(path, sheet.name)
    connection.send(("end", _merged_over_rows(sheet, path), hidden, struck, left))


def _merged_over_rows(sheet: Any, path: str) -> list[tuple[int, int, int]]:
    """Return the left column, first and last row of merged cells."""
    left = sheet.start[1] if sheet.start else 0
    ranges = sheet.merged_cell_ranges
    if ranges is None:  # of OpenDocument
        found = islice(merged_over_rows(path, sheet.name), MOST_MERGED)
        return [(column - left, first, last) for column, first, last in found]
    return [(first[1] - left, first[0], last[0]) for first, last in ranges if last[0] > first[0]][:MOST_MERGED]


def text_of(cell: object) -> str:
    """Write a cell as a person would type it: whole numbers without a point, dates as in ISO 8601."""
    if isinstance(cell, str):
        return cell.replace("\x1f", " ").strip()
    if isinstance(cell, bool):
        return "TRUE" if cell else "FALSE"
    if isinstance(cell, float):
        return str(int(cell)) if abs(cell) < 1e15 and cell == int(cell) else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.date().isoformat() if cell.time() == datetime.time() else cell.isoformat(" ")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    return str(cell)
