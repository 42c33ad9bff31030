"""Workbooks (XLSX, XLSM, ODS, XLS) -> raw tables, by python-calamine; no formula is run, stored values are read.

A workbook of some kilobytes can unpack to gigabytes, or spread two cells over the whole sheet; both are measured before
the library is allowed to fill memory.
"""

import contextlib
import multiprocessing
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from affinecal_gui.fresh_process import FreshProcess
from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats.workbook_process import serve
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.text.cell_rows import MergedCells, table_of_rows
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.words import looks_like_repeat_unit
from affinecal_gui.task import UNWATCHED, Task

MAXIMUM_UNPACKED = 1024**3
"""Bytes of XML that are unpacked at most."""
MAXIMUM_AREA = 60_000_000
"""Cells between the first and the last filled one, empty ones included: they are held in memory at 24 bytes each."""
LONGEST_TEXT = 4 << 20
"""Bytes of the text of one cell; spreadsheets allow 32,767 characters."""
SHEETS_TOLD = 5
HIDDEN_TOLD = 5
OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"


def read_workbook(path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
    """Read one sheet of a workbook: the chosen one, else the first visible one that looks like a table of polymers.

    Raises
    ------
    TableError
        The workbook is locked, damaged, too large, or has no such sheet or no filled one.
    """
    task.report(0.0, f"Opening {name}")
    _measure(path, name, task)
    with _Workbook(path, name, task) as workbook:
        visible, hidden = workbook.visible, workbook.hidden
        if options.sheet is not None and options.sheet not in (*visible, *hidden):
            raise TableError(f"{name} has no sheet “{options.sheet}”. It has {', '.join(visible)}.")
        candidates = [options.sheet] if options.sheet is not None else visible or hidden
        best: tuple[float, _Sheet] | None = None
        for position, sheet in enumerate(candidates):
            task.report(0.1 + 0.8 * position / len(candidates), f"Reading sheet {sheet} of {name}")
            found = workbook.read(sheet)
            score = _score(found.rows)
            if found.rows and (best is None or score > best[0]):
                best = (score, found)
            if score >= 2:
                break
    if best is None:
        where = f"The sheet {options.sheet} of {name}" if options.sheet is not None else name
        raise TableError(f"{where} is empty. Choose another.")
    _, chosen = best
    sheet = chosen.name
    notes = [*_told_of_hidden(chosen, name), *_told_of_struck(chosen, name)]
    if options.sheet is None and len(visible) > 1:
        others = [other for other in visible if other != sheet]
        listed = ", ".join(others[:SHEETS_TOLD]) + (" and others" if len(others) > SHEETS_TOLD else "")
        notes.append(f"The sheet {sheet} of {name} was read, one of {len(visible)}. Not read: {listed}.")
    unfinished = _formulas_without_value(path)
    if unfinished:
        notes.append(
            f"{name} has {unfinished} formulas without a stored value; they read as empty cells. "
            "Open it in a spreadsheet and save it again."
        )
    return table_of_rows(
        chosen.rows,
        path=path,
        name=name,
        format=_kind(path),
        options=options,
        notes=notes,
        sheet=sheet,
        sheets=(*visible, *hidden),
        merged=chosen.merged,
    )


def _told_of_hidden(sheet: "_Sheet", name: str) -> Iterator[str]:
    """Say which rows and columns that hold anything are hidden in the spreadsheet."""
    rows = [row for row in sheet.hidden_rows if row < len(sheet.rows) and any(sheet.rows[row])]
    within = [column for column in sheet.hidden_columns if column >= sheet.left]
    columns = [c for c in within if any("".join(row[c - sheet.left : c - sheet.left + 1]) for row in sheet.rows)]
    if rows:
        listed = ", ".join(str(row + 1) for row in rows[:HIDDEN_TOLD]) + (" ..." if len(rows) > HIDDEN_TOLD else "")
        parts = f"1 row that is hidden ({listed})" if len(rows) == 1 else f"{len(rows)} rows that are hidden ({listed})"
        advice = "Hidden rows are read like the others; delete what is not to count."
        yield f"The sheet {sheet.name} of {name} has {parts}. {advice}"
    if columns:
        letters = ", ".join(map(_letters_of, columns[:HIDDEN_TOLD])) + (" ..." if len(columns) > HIDDEN_TOLD else "")
        yield f"The sheet {sheet.name} of {name} has hidden columns ({letters}), which are read like the others."


def _told_of_struck(sheet: "_Sheet", name: str) -> Iterator[str]:
    """Say which cells that hold anything are struck through."""
    places = [(r, c) for r, c in sheet.struck if r < len(sheet.rows) and "".join(sheet.rows[r][c - sheet.left :][:1])]
    if places:
        listed = ", ".join(f"{_letters_of(column)}{row + 1}" for row, column in places[:HIDDEN_TOLD])
        cells = "a cell" if len(places) == 1 else f"{len(places)} cells"
        more = " ..." if len(places) > HIDDEN_TOLD else ""
        yield (
            f"The sheet {sheet.name} of {name} has {cells} struck through ({listed}{more}), read like the others; empty what "
            "is not to count."
        )


def _letters_of(column: int) -> str:
    """Return what a spreadsheet calls a column, counted from 0: "A", "AB"."""
    first, last = divmod(column, 26)
    return (_letters_of(first - 1) if first else "") + chr(ord("A") + last)


def sheet_names(path: str, name: str, *, task: Task = UNWATCHED) -> tuple[str, ...]:
    """Return the names of the sheets of a workbook, hidden ones last; see :func:`read_workbook` for the errors."""
    _measure(path, name, task)
    with _Workbook(path, name, task) as workbook:
        return (*workbook.visible, *workbook.hidden)


def is_workbook(head: bytes, path: str) -> bool:
    """Whether a file is a workbook by its content: a ZIP archive with sheets in it, or the older binary format."""
    if head.startswith(OLE_SIGNATURE):
        return True
    if not head.startswith(b"PK"):
        return False
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            if "xl/workbook.xml" in names or "xl/workbook.bin" in names:
                return True
            if "mimetype" in names:
                with archive.open("mimetype") as file:
                    return b"opendocument.spreadsheet" in file.read(100)
    except (zipfile.BadZipFile, OSError, EOFError, NotImplementedError, ValueError, RuntimeError):
        return path.lower().endswith((".xlsx", ".xlsm", ".ods"))
    return False


def _kind(path: str) -> str:
    """Return the kind of a workbook by its content."""
    if not zipfile.is_zipfile(path):
        return "xls"
    with zipfile.ZipFile(path) as archive:
        return "xlsx" if "xl/workbook.xml" in archive.namelist() else "ods"


def _measure(path: str, name: str, task: Task) -> None:
    """Refuse what would fill memory: too much XML, or a sheet whose filled cells are too far apart."""
    with Path(path).open("rb") as file:
        head = file.read(8)
        if head == OLE_SIGNATURE:
            file.seek(0)
            if "EncryptedPackage".encode("utf-16-le") in file.read(1 << 20):
                raise TableError(f"{name} is locked with a password. Remove the password, or save the data as CSV.")
            return
    try:
        with zipfile.ZipFile(path) as archive:
            if "xl/workbook.bin" in archive.namelist():
                raise TableError(f"{name} is a binary workbook (XLSB). Save it as XLSX or CSV.")
            left = MAXIMUM_UNPACKED
            members = [member for member in archive.infolist() if _is_read(member)]
            if sum(member.file_size for member in members) > left:
                raise _too_large(name)  # by the archive's own word, so that nobody waits for it to be unpacked
            for member in members:
                if _is_sheet(member):
                    left -= _measure_sheet(archive, member, name, left, task)
                elif member.filename == "content.xml":
                    left -= _measure_open_document(archive, member, name, left, task)
                else:
                    for block in unpacked(archive, member, name, left, task):
                        left -= len(block)
    except (zipfile.BadZipFile, EOFError, OSError, RuntimeError, NotImplementedError, ValueError) as error:
        if isinstance(error, RuntimeError) and "password" in str(error):
            raise TableError(f"{name} is locked with a password. Remove it, or save the data as CSV.") from None
        raise _damaged(name) from None


def _is_sheet(member: zipfile.ZipInfo) -> bool:
    """Whether a member of an archive is a sheet of an XLSX workbook."""
    return re.fullmatch(r"xl/worksheets/[^/]+\.xml", member.filename) is not None


def _is_read(member: zipfile.ZipInfo) -> bool:
    """Whether a member is among those that are read; pictures and the like may be of any size."""
    name = member.filename
    return (
        _is_sheet(member) or name == "content.xml" or name.endswith(("sharedStrings.xml", "styles.xml", "workbook.xml"))
    )


def unpacked(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, left: int, task: Task) -> Iterator[bytes]:
    """Yield the unpacked bytes of a member; stop when they are too many, whatever the archive says of its size.

    Text without a tag is the text of one cell: a cell of hundreds of megabytes would be built by the library, copied and
    sent before anybody could see that it is no value.
    """
    without_tag = 0
    try:
        with archive.open(member) as file:
            while block := file.read(1 << 20):
                task.check()
                left -= len(block)
                if left < 0:
                    raise _too_large(name)
                without_tag = 0 if b"<" in block else without_tag + len(block)
                if without_tag > LONGEST_TEXT:
                    raise TableError(
                        f"{name} has a cell of more than {LONGEST_TEXT >> 20} MB of text, a hundred times what a spreadsheet "
                        "allows. Leave it out, or save the table as CSV."
                    )
                yield block
    except zlib.error:
        raise _damaged(name) from None


_ROW = re.compile(rb'<(?:\w+:)?row\s[^>]*?\br="(\d{1,7})"')
_LETTERS = (re.compile(rb'\br="[A-Z]{3}\d'), re.compile(rb'\br="[A-Z]{2}\d'))
_FILLED_CELL = re.compile(rb'<(?:\w+:)?c\s[^>]*?\br="([A-Z]{1,3})(\d{1,7})"[^>]*(?<!/)>')


def _measure_sheet(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, left: int, task: Task) -> int:
    """Return the unpacked size of a sheet of an XLSX workbook; refuse it when its filled cells span too large an area.

    Rows and the letters of columns give a quick upper bound; only where that is too large are the cells themselves
    looked at, because a spreadsheet may have written a million rows of formatted but empty cells.
    """
    size = rows = 0
    letters = 1
    rest = b""
    for block in unpacked(archive, member, name, left, task):
        size += len(block)
        text = rest + block
        rows = max([rows, *map(int, _ROW.findall(text))])
        for number, pattern in zip((3, 2), _LETTERS, strict=True):
            if letters < number and pattern.search(text):
                letters = number
        rest = text[-200:]
    if rows * {1: 26, 2: 702, 3: 16_384}[letters] <= MAXIMUM_AREA:
        return size
    last_row = last_column = 0
    rest = b""
    for block in unpacked(archive, member, name, left, task):
        text = rest + block
        found = _FILLED_CELL.findall(text)
        if found:
            last_row = max(last_row, max(int(row) for _, row in found))
            last_column = max(last_column, max(map(_column_number, {column for column, _ in found})))
        rest = text[-200:]
    if last_row * last_column > MAXIMUM_AREA:
        raise TableError(
            f"{name} has a sheet of {last_row:,} rows and {last_column:,} columns, most of them empty. "
            "Copy the table into a new sheet, or save it as CSV."
        )
    return size


def _column_number(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


_ODS_TOKEN = re.compile(rb"<table:(table-row|table-cell|covered-table-cell)\b([^>]*?)(/?)>")
LONGEST_TAG = 1 << 16
"""Bytes of a tag of ODS that are looked at: without a limit, a tag that never ends would be copied with every block."""
_REPEATED = re.compile(rb'number-(?:rows|columns)-repeated="(\d{1,9})\d*"')


def _measure_open_document(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str, left: int, task: Task) -> int:
    """Return the unpacked size of an ODS workbook; refuse it when repeated cells would fill memory."""
    size, area, rows, columns, filled = 0, 0, 1, 0, False
    rest = b""
    for block in unpacked(archive, member, name, left, task):
        size += len(block)
        text = rest + block
        end = text.rfind(b">") + 1
        begun = text.find(b"<", end)  # a tag that goes on in the next block; text between tags is of no use here
        rest = text[begun : begun + LONGEST_TAG] if begun >= 0 else b""
        for kind, attributes, _closed in _ODS_TOKEN.findall(text[:end]):
            repeated = _REPEATED.search(attributes)
            times = int(repeated[1]) if repeated else 1
            if kind == b"table-row":
                area += rows * columns if filled else 0
                rows, columns, filled = times, 0, False
            else:
                value = b"value-type" in attributes
                filled = filled or value
                columns += times if value or times < 1000 else 0
        if area > MAXIMUM_AREA:
            break
    area += rows * columns if filled else 0
    if area > MAXIMUM_AREA:
        raise TableError(f"{name} has a sheet of {area:,} cells. Copy the table into a new sheet, or save it as CSV.")
    return size


def _too_large(name: str) -> TableError:
    return TableError(f"{name} unpacks to more than {MAXIMUM_UNPACKED // 1024**3} GB. Save the sheet as CSV.")


def _damaged(name: str) -> TableError:
    return TableError(f"{name} is a damaged workbook. Open it in a spreadsheet, save it again, or save it as CSV.")


class _Sheet(NamedTuple):
    """What was read of a sheet."""

    name: str
    rows: list[list[str]]
    merged: list[MergedCells]
    hidden_rows: tuple[int, ...]  # from 0
    hidden_columns: tuple[int, ...]
    struck: tuple[tuple[int, int], ...]  # row and column, from 0, of cells that are struck through
    left: int  # the column of the sheet with which rows begin


class _Workbook:
    """A workbook that a process of its own holds open; it ends with the ``with`` block."""

    def __init__(self, path: str, name: str, task: Task) -> None:
        self._name, self._task = name, task
        self._connection, other = multiprocessing.get_context("spawn").Pipe()
        self._process = FreshProcess(target=serve, args=(other, path, MAXIMUM_AREA), daemon=True)
        self._process.start()
        other.close()

    def __enter__(self) -> "_Workbook":
        try:
            _, self.visible, self.hidden = self._receive("sheets")
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            self._connection.send(None)
        self._end()

    def read(self, sheet: str) -> _Sheet:
        """Return a sheet with its cells as text, without rows when all are empty."""
        self._connection.send(sheet)
        rows: list[list[str]] = []
        while (part := self._receive("rows", "end"))[0] == "rows":
            rows += part[1]
        _, merged, (hidden_rows, hidden_columns), struck, left = part
        filled = rows if any(any(row) for row in rows) else []
        joined = [MergedCells(*cells) for cells in merged]
        return _Sheet(sheet, filled, joined, hidden_rows, hidden_columns, struck, left)

    def _receive(self, *kinds: str) -> tuple[Any, ...]:
        """Wait for a message of one of these kinds and return it; a process that ended without one met a damaged file."""
        while not self._connection.poll(0.05):
            self._task.check()
            if not self._process.is_alive() and not self._connection.poll(0):
                raise _damaged(self._name)
        try:
            kind, *content = self._connection.recv()
        except (EOFError, OSError):
            raise _damaged(self._name) from None
        if kind in kinds:
            return (kind, *content)
        if kind == "locked":
            raise TableError(f"{self._name} is locked with a password. Remove it, or save the data as CSV.")
        if kind == "too large":
            raise TableError(f"A sheet of {self._name} has too many cells. Save it as CSV.")
        if kind == "missing":
            raise TableError("The package python-calamine, which reads workbooks, is missing. Save the data as CSV.")
        raise _damaged(self._name)

    def _end(self) -> None:
        self._connection.close()
        self._process.join(0.5)
        if self._process.is_alive():
            self._process.kill()
            self._process.join(5)
        self._process.close()


def _score(rows: Sequence[Sequence[str]]) -> float:
    """How much a sheet looks like a table of polymers: 2 with repeat units and numbers, 1 with either."""
    cells = [cell for row in rows[:200] for cell in row if cell]
    return float(any(map(looks_like_repeat_unit, cells))) + float(any(map(looks_numeric, cells)))


_WITHOUT_VALUE = re.compile(rb"(?:</f>|<f\b[^>]*/>)(?:<v\s*/>|<v></v>)?</c>")


def _formulas_without_value(path: str) -> int:
    """Count formula cells whose result was never stored, as programs leave them that do not calculate."""
    count = 0
    if not zipfile.is_zipfile(path):
        return 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if _is_sheet(member) and member.file_size < 50_000_000:
                with archive.open(member) as file:
                    count += len(_WITHOUT_VALUE.findall(file.read(50_000_000)))
    return count
