"""Cells of workbooks that are seen otherwise than they are stored: in per cent, in thousands, with a sign or a unit beside.

A number format changes what a person reads: 1500000000 may be seen as "1.5", under a heading in GPa, and 195 as "<195".
"""

import re
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar
from xml.etree import ElementTree

from affinecal_gui.tables.formats.ods_cells import ods_cells

Kind = TypeVar("Kind")

LARGEST_SHEET = 200_000_000
"""Bytes of unpacked XML that are searched."""
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
_PARTS = STYLES, _WORKBOOK, _RELATIONS = "xl/styles.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
_PERCENT_FORMATS = ("9", "10")  # that every workbook knows: 0% and 0.00%


@dataclass(frozen=True, slots=True)
class Shown:
    """What a number format makes of a number."""

    power: int = 0  # of ten, by which the number is multiplied: 2 in per cent, -3 in thousands
    before: str = ""  # a sign such as "<"
    behind: str = ""  # "%", or a unit
    hides_zero: bool = False


IN_PERCENT = Shown(2, "", "%")

_TOKENS = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*)\]|E[+-]?(?=0)|(?P<digits>General|[0#?.,/]+)'
    r"|(?P<percent>%)|(?P<other>.)",
    re.IGNORECASE,
)
_LITERAL = re.compile(r'"[^"]*"|\\.')
_SIGN = re.compile(r"[<>≤≥~≈]=?")


def shown_by(code: str) -> Shown | None:
    """Return what a number format shows beside or instead of the number, by its part for positive ones; None for nothing.

    >>> shown_by("0.00,,"), shown_by('0.0" °C"'), shown_by("#,##0.00")
    (Shown(power=-6, before='', behind='', hides_zero=False), Shown(power=0, before='', behind=' °C', hides_zero=False), None)
    """
    sections = _LITERAL.sub(lambda found: "" if found[0] == '""' else "_", code).split(";")
    hides_zero = len(sections) > 2 and not sections[2].strip()  # the third one is that for zero
    before, behind, power, seen = "", "", 0, False
    for found in _TOKENS.finditer(_first_part(code)):
        text = found["quoted"] or found["escaped"] or found["other"] or ""
        if found["bracket"] is not None and found["bracket"][:1] in "<>=":
            return None  # a format for some numbers alone
        if found["percent"]:
            power, text = power + 2, "%"
        if found["digits"]:
            seen, digits = True, found["digits"]
            power -= 3 * (len(digits) - len(digits.rstrip(",")))
        elif seen:
            behind += text
        else:
            before += text
    sign = before.strip() if _SIGN.fullmatch(before.strip()) else ""
    unit = behind if re.search(r"[^\W\d_]|[°%‰]", behind) else ""
    found_any = Shown(power, sign, unit.rstrip(), hides_zero)
    return found_any if seen and found_any != Shown() else None


def _first_part(code: str) -> str:
    """Return a number format up to its first semicolon, which divides positive from negative numbers."""
    return re.match(r'(?:"[^"]*"|\\.|[^;"\\])*', code)[0]  # type: ignore[index]


def shown_text(number: float, shown: Shown) -> str:
    """Write a number as it is seen, without the rounding error of a multiplication.

    >>> shown_text(0.086, IN_PERCENT), shown_text(1.5e9, Shown(-9)), shown_text(195.0, Shown(0, "<"))
    ('8.6%', '1.5', '<195')
    """
    if shown.hides_zero and number == 0:
        return ""
    return f"{shown.before}{(Decimal(repr(number)).scaleb(shown.power)).normalize():f}{shown.behind}"


def shown_cells(path: str, sheet: str, height: int, width: int) -> Mapping[tuple[int, int], Shown]:
    """Return by row and column, from 0, what number formats make of the cells of a sheet; no cell that is seen as stored.

    Parameters
    ----------
    path
        The workbook; of OpenDocument only cells in per cent are found, of the old binary format none.
    sheet
        Name of the sheet.
    height, width
        Its rows and columns that hold anything; cells beyond are not looked at.
    """
    if not zipfile.is_zipfile(path):
        return {}
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        if set(_PARTS) <= names:
            styles = _styles(archive)
            return dict(cells_by_style(archive, member_of(archive, sheet), styles)) if styles else {}
        return dict.fromkeys(_of_open_document(archive, sheet, height, width), IN_PERCENT)


def _styles(archive: zipfile.ZipFile) -> Mapping[str, Shown]:
    """Return what the cell styles show that do not show the stored number alone, by their numbers."""
    root = ElementTree.fromstring(archive.read(STYLES))
    formats = dict.fromkeys(_PERCENT_FORMATS, IN_PERCENT)
    for found in root.iter(f"{MAIN}numFmt"):
        shown = shown_by(found.get("formatCode", ""))
        if shown is not None:
            formats[found.get("numFmtId", "")] = shown
    styles = root.find(f"{MAIN}cellXfs")
    numbers = [style.get("numFmtId", "") for style in (() if styles is None else styles)]
    return {str(n): formats[number] for n, number in enumerate(numbers) if number in formats}


def member_of(archive: zipfile.ZipFile, sheet: str) -> str:
    """Return the name of the file of a sheet in the archive; "" where it is not found."""
    named = {
        found.get("name"): found.get(_RELATION)
        for found in ElementTree.fromstring(archive.read(_WORKBOOK)).iter(f"{MAIN}sheet")
    }
    relations = ElementTree.fromstring(archive.read(_RELATIONS))
    target = next((one.get("Target", "") for one in relations if one.get("Id") == named.get(sheet)), "")
    member = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
    return member if member in archive.namelist() else ""


def cells_by_style(
    archive: zipfile.ZipFile, member: str, styles: Mapping[str, Kind]
) -> Iterator[tuple[tuple[int, int], Kind]]:
    """Yield row and column, from 0, of the cells of a sheet that have one of these styles, and what that is mapped to."""
    if not member or archive.getinfo(member).file_size > LARGEST_SHEET:
        return
    row, column = -1, -1
    with archive.open(member) as content:
        for event, element in ElementTree.iterparse(content, events=("start", "end")):
            if element.tag == f"{MAIN}row":
                if event == "end":
                    element.clear()
                    continue
                row, column = int(element.get("r", row + 2)) - 1, -1
            elif element.tag == f"{MAIN}c" and event == "start":
                letters = element.get("r", "").rstrip("0123456789")
                column = _column_of(letters) if letters else column + 1
                shown = styles.get(element.get("s", ""))
                if shown is not None:
                    yield (row, column), shown


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
