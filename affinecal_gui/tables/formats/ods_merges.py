"""Cells that are merged over several rows in workbooks of OpenDocument, which the library that reads them does not tell."""

import zipfile
from collections.abc import Iterator
from xml.etree import ElementTree

_TABLE = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_CELLS = frozenset((f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell"))
LARGEST_CONTENT = 200_000_000
"""Bytes of unpacked XML that are searched."""


def merged_over_rows(path: str, sheet: str) -> Iterator[tuple[int, int, int]]:
    """Yield column, first and last row, from 0, of every merged cell of a sheet; nothing for workbooks of other kinds.

    Parameters
    ----------
    path
        The workbook.
    sheet
        Name of the sheet.
    """
    if not zipfile.is_zipfile(path):
        return
    with zipfile.ZipFile(path) as archive:
        if "content.xml" not in archive.namelist() or archive.getinfo("content.xml").file_size > LARGEST_CONTENT:
            return
        with archive.open("content.xml") as content:
            inside, row, column = False, 0, 0
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
                        column = 0
                    else:
                        row += int(element.get(f"{_TABLE}number-rows-repeated", "1"))
                        element.clear()
                elif element.tag in _CELLS and event == "start":
                    spanned = int(element.get(f"{_TABLE}number-rows-spanned", "1"))
                    if spanned > 1:
                        yield column, row, row + spanned - 1
                    column += int(element.get(f"{_TABLE}number-columns-repeated", "1"))
