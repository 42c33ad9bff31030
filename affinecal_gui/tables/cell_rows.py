"""Rows of cells with the headings somewhere among them, as workbooks and lists of lists have them -> raw tables."""

from collections.abc import Sequence

from affinecal_gui.tables.layout import Row, find_layout
from affinecal_gui.tables.options import ReadOptions
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.table_builder import TableBuilder, unique_headings

SAMPLE_ROWS = 400
"""Rows by which the headings are found."""


def table_of_rows(
    rows: Sequence[Sequence[str]],
    *,
    path: str,
    name: str,
    format: str,  # noqa: A002 - the word for it
    options: ReadOptions,
    notes: Sequence[str] = (),
    sheet: str = "",
    sheets: Sequence[str] = (),
) -> RawTable:
    """Find the headings and return what lies below them; rows are numbered from 1."""
    sample = [
        Row(number, cells, " | ".join(filter(None, cells)), comment=bool(cells) and cells[0].startswith("#"))
        for number, cells in enumerate(rows[:SAMPLE_ROWS], 1)
    ]
    layout = find_layout(sample, options.header_line)
    header = list(layout.header)
    width = max((len(row) for row in rows), default=0)
    header += [""] * (width - len(header))
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
        notes=notes,
        options=options,
        sheet=sheet,
        sheets=sheets,
    )
