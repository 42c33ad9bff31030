"""Rows and columns of a sheet that are hidden, as a filter hides rows: nobody sees them, and they are read all the same."""

import re
import zipfile

from affinecal_gui.tables.formats.ods_cells import hidden_in_ods
from affinecal_gui.tables.formats.shown_cells import LARGEST_SHEET, member_of

_ROW = re.compile(rb"<(?:\w+:)?row\s([^>]*)>")
_COLUMN = re.compile(rb"<(?:\w+:)?col\s([^>]*)>")
_HIDDEN = re.compile(rb"\bhidden=\"(?:1|true)\"")
_AT = re.compile(rb"\br=\"(\d{1,7})\"")
_FROM_TO = (re.compile(rb"\bmin=\"(\d{1,5})\""), re.compile(rb"\bmax=\"(\d{1,5})\""))
BLOCK = 1 << 20
MOST_COLUMNS = 16_384

Hidden = tuple[tuple[int, ...], tuple[int, ...]]
"""Rows and columns, from 0."""


def hidden_parts(path: str, sheet: str) -> Hidden:
    """Return the rows and the columns, from 0, of a sheet that are hidden; none for workbooks of the old binary format."""
    if not zipfile.is_zipfile(path):
        return (), ()
    with zipfile.ZipFile(path) as archive:
        if "content.xml" in archive.namelist():
            return hidden_in_ods(archive, sheet)
        member = member_of(archive, sheet) if "xl/workbook.xml" in archive.namelist() else ""
        if not member or archive.getinfo(member).file_size > LARGEST_SHEET:
            return (), ()
        rows: list[int] = []
        columns: list[int] = []
        rest = b""
        with archive.open(member) as content:
            while block := content.read(BLOCK):
                text = rest + block
                end = text.rfind(b">") + 1
                rest = text[end:][-BLOCK:]
                for tag in _ROW.findall(text[:end]):
                    at = _AT.search(tag) if _HIDDEN.search(tag) else None
                    if at is not None:
                        rows.append(int(at[1]) - 1)
                for tag in _COLUMN.findall(text[:end]):
                    first, last = (pattern.search(tag) for pattern in _FROM_TO)
                    if _HIDDEN.search(tag) and first is not None and last is not None:
                        columns += range(int(first[1]) - 1, min(int(last[1]), MOST_COLUMNS))
        return tuple(rows), tuple(columns)
