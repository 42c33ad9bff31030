"""Cells of XLSX workbooks that their font strikes through, as people do with what is not to count; they are read."""

import zipfile
from xml.etree import ElementTree

from affinecal_gui.tables.formats.shown_cells import MAIN, STYLES, cells_by_style, member_of

MOST_STRUCK = 1000
"""Cells of a sheet that are returned."""


def struck_cells(path: str, sheet: str) -> tuple[tuple[int, int], ...]:
    """Return row and column, from 0, of the cells of a sheet that are struck through; none for other kinds of workbooks.

    A sheet is looked through only where a style of the workbook strikes through.
    """
    if not zipfile.is_zipfile(path):
        return ()
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        if STYLES not in names or "xl/workbook.xml" not in names:
            return ()
        styles = dict.fromkeys(_striking(ElementTree.fromstring(archive.read(STYLES))), True)
        if not styles:
            return ()
        found = (place for place, _ in cells_by_style(archive, member_of(archive, sheet), styles))
        return tuple(place for place, _ in zip(found, range(MOST_STRUCK), strict=False))


def _striking(root: ElementTree.Element) -> list[str]:
    """Return the numbers of the cell styles whose font strikes through."""
    fonts, styles = root.find(f"{MAIN}fonts"), root.find(f"{MAIN}cellXfs")
    struck = {
        str(number)
        for number, font in enumerate(() if fonts is None else fonts)
        if any((mark := font.find(MAIN + tag)) is not None and mark.get("val", "1") in ("1", "true") for tag in _TAGS)
    }
    return [
        str(number) for number, style in enumerate(() if styles is None else styles) if style.get("fontId") in struck
    ]


_TAGS = ("strike", "dstrike")
