"""What the library that reads workbooks does not tell of OpenDocument: cells merged or in per cent, what is hidden."""

import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

LARGEST_CONTENT = 200_000_000
"""Bytes of unpacked XML that are searched."""
_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_VALUE_TYPE = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}value-type"
_ROW_TAG, _COLUMN_TAG = f"{_TABLE}table-row", f"{_TABLE}table-column"
_REPEATED = {_ROW_TAG: f"{_TABLE}number-rows-repeated", _COLUMN_TAG: f"{_TABLE}number-columns-repeated"}
_CELLS = frozenset((f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"))


@dataclass(frozen=True, slots=True)
class OdsCell:
    """A cell as it is written, which may stand for many alike: from its row and column on, counted from 0."""

    row: int
    column: int
    rows: int  # that its row is repeated
    columns: int  # that it is repeated
    rows_spanned: int  # by a merged cell
    in_percent: bool


def ods_cells(archive: zipfile.ZipFile, sheet: str) -> Iterator[OdsCell]:
    """Yield the cells of the sheet of this name; none for workbooks of other kinds, or of more than can be searched."""
    if "content.xml" not in archive.namelist() or archive.getinfo("content.xml").file_size > LARGEST_CONTENT:
        return
    inside, row, column, rows = False, 0, 0, 1
    with archive.open("content.xml") as content:
        for event, element in ElementTree.iterparse(content, events=("start", "end")):
            if element.tag == f"{_TABLE}table":
                if event == "start":
                    inside, row = element.get(f"{_TABLE}name") == sheet, 0
                elif inside:
                    return
            elif not inside:
                if event == "end":
                    element.clear()
            elif element.tag == f"{_TABLE}table-row":
                if event == "start":
                    column, rows = 0, int(element.get(f"{_TABLE}number-rows-repeated", "1"))
                else:
                    row += rows
                    element.clear()
            elif element.tag in _CELLS and event == "start":
                columns = int(element.get(f"{_TABLE}number-columns-repeated", "1"))
                spanned = int(element.get(f"{_TABLE}number-rows-spanned", "1"))
                yield OdsCell(row, column, rows, columns, spanned, element.get(_VALUE_TYPE) == "percentage")
                column += columns


_HIDDEN_TOO = 2000  # of repeated rows or columns: a filter may hide all that are left of the sheet


def hidden_in_ods(archive: zipfile.ZipFile, sheet: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the rows and the columns, from 0, of a sheet that are hidden, by hand or by a filter."""
    rows: list[int] = []
    columns: list[int] = []
    if archive.getinfo("content.xml").file_size > LARGEST_CONTENT:
        return (), ()
    inside = False
    at = {_ROW_TAG: 0, _COLUMN_TAG: 0}
    with archive.open("content.xml") as content:
        for event, element in ElementTree.iterparse(content, events=("start", "end")):
            if element.tag == f"{_TABLE}table":
                if inside and event == "end":
                    break
                inside = element.get(f"{_TABLE}name") == sheet
            elif event == "end":
                element.clear()
            elif inside and element.tag in at:
                first = at[element.tag]
                times = int(element.get(_REPEATED[element.tag], "1"))
                if element.get(f"{_TABLE}visibility") in ("collapse", "filter"):
                    (rows if element.tag == _ROW_TAG else columns).extend(range(first, first + min(times, _HIDDEN_TOO)))
                at[element.tag] = first + times
    return tuple(rows), tuple(columns)


def merged_over_rows(path: str, sheet: str) -> Iterator[tuple[int, int, int]]:
    """Yield column, first and last row, from 0, of every merged cell of a sheet; nothing for workbooks of other kinds."""
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        for cell in ods_cells(archive, sheet):
            if cell.rows_spanned > 1:
                yield cell.column, cell.row, cell.row + cell.rows_spanned - 1
