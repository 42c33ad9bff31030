"""Rows of cells with the headings somewhere among them, as workbooks and lists of lists have them -> raw tables."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.text.layout import Layout, Row, find_layout
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.text.table_builder import TableBuilder, unique_headings
from affinecal_gui.tables.units.property_names import simplified

SAMPLE_ROWS = 400
"""Rows by which the headings are found."""
MOST_FILLED = 2_000_000
"""Cells that are filled at most from merged ones."""


class MergedCells(NamedTuple):
    """A cell that stands for those below it as well; numbers from 0."""

    column: int
    first: int
    last: int


def table_of_rows(
    rows: list[list[str]],
    *,
    path: str,
    name: str,
    format: str,  # noqa: A002 - the word for it
    options: ReadOptions,
    notes: Sequence[str] = (),
    sheet: str = "",
    sheets: Sequence[str] = (),
    merged: Sequence[MergedCells] = (),
) -> RawTable:
    """Find the headings and return what lies below them; rows are numbered from 1.

    Names and repeat units in ``merged`` cells are those of every row beside them, and that is told; ``rows`` is changed.
    """
    sample = [
        Row(number, cells, " | ".join(filter(None, cells)), comment=bool(cells) and cells[0].startswith("#"))
        for number, cells in enumerate(rows[:SAMPLE_ROWS], 1)
    ]
    layout = find_layout(sample, options.header_line)
    header = list(layout.header)
    width = max((len(row) for row in rows), default=0)
    header += [""] * (width - len(header))
    filled = _filled(rows, merged, layout)
    builder = TableBuilder(unique_headings(header), header, layout.units)
    builder.skip_titles((row.number, row.text, row.comment) for row in layout.titles)
    for number, cells in enumerate(rows, 1):
        if number >= layout.data_from:
            builder.add(number, cells)
    return builder.table(
        path=path,
        name=name,
        format=format,
        header_line=layout.header_line,
        notes=[*notes, *_about_filled(filled, builder.headings, name)],
        options=options,
        sheet=sheet,
        sheets=sheets,
    )


def _filled(rows: list[list[str]], merged: Iterable[MergedCells], layout: Layout) -> dict[int, int]:
    """Write what merged cells hold into each row beside them; return how many cells by column.

    Not values: one number over several rows is one measurement. Nor rows that hold nothing else.
    """
    found: dict[int, int] = {}
    places = [cells for cells in merged if cells.first + 1 >= layout.data_from and cells.first < len(rows)]
    own = {row: any(rows[row]) for cells in places for row in range(cells.first + 1, min(cells.last + 1, len(rows)))}
    left = MOST_FILLED
    for column, first, last in places:
        text = rows[first][column] if column < len(rows[first]) else ""
        heading = layout.header[column] if column < len(layout.header) else ""
        if not text or (looks_numeric(text) and simplified(split_heading(heading)[0]) not in HEADINGS["id"]):
            continue
        for row in range(first + 1, min(last + 1, len(rows))):
            if own[row] and column < len(rows[row]) and not rows[row][column] and left:
                rows[row][column] = text
                found[column] = found.get(column, 0) + 1
                left -= 1
    return found


def _about_filled(filled: dict[int, int], headings: Sequence[str], name: str) -> list[str]:
    if not filled:
        return []
    columns = ", ".join(headings[column] for column in sorted(filled))
    return [f"{name}: merged cells in {columns} were read as standing in each of their rows."]
