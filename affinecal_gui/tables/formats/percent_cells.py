"""Cells of workbooks that are shown in per cent: their stored number is the hundredth of what is seen."""

import re
import zipfile
from collections.abc import Iterator
from decimal import Decimal
from xml.etree import ElementTree

from affinecal_gui.tables.formats.ods_cells import ods_cells

LARGEST_SHEET = 200_000_000
"""Bytes of unpacked XML that are searched."""
_MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PARTS = _STYLES, _WORKBOOK, _RELATIONS = "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_PERCENT_FORMATS = frozenset(("9", "10"))  # that every workbook knows: 0% and 0.00%
_QUOTED = re.compile(r'"[^"]*"|\\.')


def percent_cells(path: str, sheet: str, height: int, width: int) -> frozenset[tuple[int, int]]:
    """Return row and column, from 0, of the cells of a sheet that are shown in per cent; none for other kinds of workbook.

    Parameters
    ----------
    path
        The workbook.
    sheet
        Name of the sheet.
    height, width
        Its rows and columns that hold anything; cells beyond are not looked at.
    """
    if not zipfile.is_zipfile(path):
        return frozenset()
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if set(_PARTS) <= names:
            styles = _percent_styles(archive)
            return frozenset(_of_sheet(archive, _member_of(archive, sheet), styles)) if styles else frozenset()
        return frozenset(_of_open_document(archive, sheet, height, width))


def percent_text(number: float) -> str:
    """Write a number as it is shown in per cent, without the rounding error of a multiplication.

    >>> percent_text(0.086), percent_text(1.1), percent_text(0.07)
    ('8.6%', '110%', '7%')
    """
    return f"{(Decimal(repr(number)) * 100).normalize():f}%"


def _percent_styles(archive: zipfile.ZipFile) -> frozenset[str]:
    """Return the numbers of the cell styles that show numbers in per cent."""
    root = ElementTree.fromstring(archive.read(_STYLES))
    formats = {
        found.get("numFmtId", "")
        for found in root.iter(f"{_MAIN}numFmt")
        if "%" in _QUOTED.sub("", found.get("formatCode", ""))
    } | _PERCENT_FORMATS
    styles = root.find(f"{_MAIN}cellXfs")
    return frozenset(
        str(n) for n, style in enumerate(() if styles is None else styles) if style.get("numFmtId") in formats
    )


def _member_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the name of the file of a sheet in the archive; "" where it is not found."""
    named = {
        found.get("name"): found.get(_RELATION)
        for found in ElementTree.fromstring(archive.read(_WORKBOOK)).iter(f"{_MAIN}sheet")
    }
    relations = ElementTree.fromstring(archive.read(_RELATIONS))
    target = next((one.get("Target", "") for one in relations if one.get("Id") == named.get(sheet)), "")
    member = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return member if member in archive.namelist() else ""


def _of_sheet(archive: zipfile.ZipFile, member: str, styles: frozenset[str]) -> Iterator[tuple[int, int]]:
    if not member or archive.getinfo(member).file_size > LARGEST_SHEET:
        return
    row, column = -1, -1
    with archive.open(member) as content:
        for event, element in ElementTree.iterparse(content, events=("start", "end")):
            if element.tag == f"{_MAIN}row":
                if event == "end":
                    element.clear()
                    continue
                row, column = int(element.get("r", row + 2)) - 1, -1
            elif element.tag == f"{_MAIN}c" and event == "start":
                letters = element.get("r", "").rstrip("0123456789")
                column = _column_of(letters) if letters else column + 1
                if element.get("s") in styles:
                    yield row, column


def _column_of(letters: str) -> int:
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - 64
    return number - 1


def _of_open_document(archive: zipfile.ZipFile, sheet: str, height: int, width: int) -> Iterator[tuple[int, int]]:
    """Yield the cells within so many rows and columns: what is repeated beyond has no bounds."""
    for cell in ods_cells(archive, sheet):
        if cell.in_percent:
            rows = range(cell.row, min(cell.row + cell.rows, height))
            columns = range(cell.column, min(cell.column + cell.columns, width))
            yield from ((row, column) for row in rows for column in columns)
