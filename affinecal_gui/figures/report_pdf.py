"""A report as a PDF of A4 pages: text that can be searched, vector figures, one typeface embedded once."""

import io
from collections.abc import Sequence
from functools import singledispatchmethod

import numpy as np
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from affinecal_gui.figures.releasing import drawn
from affinecal_gui.figures.report_document import (
    Command,
    Document,
    Element,
    Equation,
    Heading,
    Paragraph,
    Picture,
    Table,
)  # fmt: skip
from affinecal_gui.figures.sheet import Sheet, figure_of, line_height, new_figure, shortened, text_width, wrap
from affinecal_gui.figures.style import FRAME, GRID, MUTED, NOTE, journal_style, plain
from affinecal_gui.progress import CancelCheck, Progress, never, part_of, silent, stop_if

PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0  # mm, A4
_SIDE, _TOP, _BOTTOM = 20.0, 18.0, 20.0
_WIDTH = PAGE_WIDTH - 2 * _SIDE

_BODY, _HEAD, _TITLE, _TABLE = 9.5, 12.5, 18.0, 8.0  # points
_CELL = 3.5  # mm between columns
_HEAD_WIDTH = 21.0  # mm; shorter headings of columns stay on one line
_BESIDE = 8.0  # mm between the halves of a narrow table that is set in two columns
_MANY = 16  # rows from which on that is done
_ROW_GAP = 1.0  # mm
_SPARE = 5.0  # mm that a last row may reach into the lower margin rather than stand alone on the next page
_TOGETHER = 3  # lines of a table that a new page begins with, at least


def pdf_report(document: Document, *, progress: Progress = silent, cancelled: CancelCheck = never) -> bytes:
    """Return ``document`` as a PDF file.

    Raises
    ------
    Cancelled
        The caller asked for a stop.
    """
    with journal_style():
        pages = report_pages(document, progress=part_of(progress, 0.0, 0.5), cancelled=cancelled)
        stream = io.BytesIO()
        metadata = {"Title": plain(document.title), "Creator": "AffineCal", "CreationDate": None}
        with PdfPages(stream, metadata=metadata) as pdf:
            for number, page in enumerate(pages):
                stop_if(cancelled)
                progress(0.5 + 0.5 * number / len(pages), f"Writing page {number + 1} of {len(pages)}")
                with drawn(page):
                    pdf.savefig(page)
    progress(1.0, "The report is written")
    return stream.getvalue()


def report_pages(document: Document, *, progress: Progress = silent, cancelled: CancelCheck = never) -> list[Figure]:
    """Return the pages of ``document`` as figures of the size of a page.

    Raises
    ------
    Cancelled
        The caller asked for a stop.
    """
    with journal_style():
        pages = _Pages(document)
        for number, element in enumerate(document.elements):
            stop_if(cancelled)
            progress(number / len(document.elements), "Laying out the report")
            pages.add(element)
        return pages.finished()


class _Pages:
    """Pages being filled from top to bottom."""

    def __init__(self, document: Document) -> None:
        self._title = plain(document.title)
        self._sheets: list[Sheet] = []
        self._y = 0.0  # mm from the bottom of the page; everything above is taken
        self._heading: list[str] = []  # lines of a heading that is not placed yet
        self._new_page()
        self._lines(wrap(self._title, _TITLE, _WIDTH, bold=True), _TITLE, bold=True)
        self._y -= 1.0
        self._lines(wrap(plain(document.subtitle), _BODY, _WIDTH), _BODY, colour=MUTED)
        self._y -= 3.0

    # ------------------------------------------------------------ elements

    @singledispatchmethod
    def add(self, element: Element) -> None:
        """Put ``element`` where there is room for it."""
        raise TypeError(f"no page for {type(element).__name__}")

    @add.register
    def _(self, element: Heading) -> None:
        self._heading = wrap(plain(element.text), _HEAD, _WIDTH, bold=True)

    @add.register
    def _(self, element: Paragraph) -> None:
        lines = wrap(plain(element.text), _BODY, _WIDTH)
        announces = 2.5 * line_height(_BODY) if element.text.endswith(":") else 0.0  # what follows stays with it
        self._need(line_height(_BODY) * 1.08 * min(len(lines), 4) + announces)
        self._lines(lines, _BODY)
        self._y -= 1.6

    @add.register
    def _(self, element: Equation) -> None:
        height = line_height(_BODY) * 1.5
        self._need(height)
        self._y -= height
        self._page.write(_SIDE + 8.0, self._y + 1.5, element.mathematics, size=_BODY + 1.5)
        self._y -= 1.2

    @add.register
    def _(self, element: Command) -> None:
        lines = wrap(plain(element.text), _BODY, _WIDTH - 6.0)
        self._lines(lines, _BODY, indent=6.0)
        self._y -= 1.6

    @add.register
    def _(self, element: Picture) -> None:
        caption = wrap(plain(element.caption), NOTE + 1.5, _WIDTH)
        below = line_height(NOTE + 1.5) * len(caption) + 4.0

        def open_sheet(width: float, height: float) -> Sheet:
            self._need(min(height + below, PAGE_HEIGHT - _TOP - _BOTTOM - 15.0))
            self._y -= height + 1.0
            return self._part(_SIDE, self._y, width, height)

        element.draw(open_sheet)
        self._y -= 1.0
        self._lines(caption, NOTE + 1.5, colour=MUTED)
        self._y -= 3.0

    @add.register
    def _(self, element: Table) -> None:
        self._y -= 1.0
        half = _Columns(element, (_WIDTH - _BESIDE) / 2)
        if len(element.rows) >= _MANY and half.all_fits:
            self._two_columns(half, element.rows)
        else:
            self._one_column(_Columns(element, _WIDTH), element.rows)
        self._y -= 1.0
        if element.caption:
            self._lines(wrap(plain(element.caption), NOTE + 1.5, _WIDTH), NOTE + 1.5, colour=MUTED)
        self._y -= 3.0

    # ------------------------------------------------------------ parts

    @property
    def _page(self) -> Sheet:
        return self._sheets[-1]

    def _new_page(self) -> None:
        self._sheets.append(new_figure(PAGE_WIDTH, PAGE_HEIGHT))
        self._y = PAGE_HEIGHT - _TOP

    def _need(self, height: float) -> None:
        """Make room, on a new page if must be. A heading waits until it is known where what follows it stands."""
        heading, self._heading = self._heading, []
        above = 4.0 + line_height(_HEAD) * 1.08 * len(heading) + 0.8 if heading else 0.0
        if self._y - above - height < _BOTTOM:
            self._new_page()
        if heading:
            self._y -= 4.0 if self._y < PAGE_HEIGHT - _TOP else 0.0
            self._lines(heading, _HEAD, bold=True)
            self._y -= 0.8

    def _lines(
        self, lines: list[str], size: float, *, bold: bool = False, colour: str = "#1B1F23", indent: float = 0.0
    ) -> None:
        step = line_height(size) * 1.08
        for line in lines:
            self._need(step)
            self._y -= step
            y = self._y + step * 0.26
            self._page.write(_SIDE + indent, y, line, size=size, bold=bold, colour=colour, parse_math=False)

    def _one_column(self, columns: "_Columns", rows: Sequence[tuple[str, ...]]) -> None:
        step = line_height(_TABLE)
        broken = [columns.broken(row) for row in rows]
        heights = [step * max(len(cell) for cell in cells) + _ROW_GAP for cells in broken]
        first = heights if len(rows) < 2 * _TOGETHER else heights[:_TOGETHER]
        self._need(columns.head_height + min(sum(first), (PAGE_HEIGHT - _TOP - _BOTTOM) / 2))
        self._table_head(columns)
        done = 0
        while done < len(rows):
            if done:
                self._new_page()
                self._table_head(columns)
            for at in range(done, done + self._rows_here(heights[done:])):
                self._row(columns, broken[at], heights[at])
                done += 1

    def _rows_here(self, heights: Sequence[float]) -> int:
        """Return how many rows of these heights stand on this page, at least one; those left over are at least three."""
        ends = np.cumsum(heights)
        if self._y - ends[-1] >= _BOTTOM - _SPARE:
            return len(heights)
        fitting = int(np.count_nonzero(self._y - ends >= _BOTTOM))
        return max(1, min(fitting, len(heights) - _TOGETHER))

    def _two_columns(self, columns: "_Columns", rows: Sequence[tuple[str, ...]]) -> None:
        """Set a narrow table in two columns a page, the first one to its end before the second one begins."""
        height = line_height(_TABLE) + _ROW_GAP
        self._need(columns.head_height + 3 * height)
        done = 0
        while done < len(rows):
            if done:
                self._new_page()
            free = self._y - columns.head_height - _BOTTOM
            most = int((free + _SPARE) / height)
            if len(rows) - done > 2 * most:
                most = max(1, int(free / height))
            shown = min(len(rows) - done, 2 * most)
            if 0 < len(rows) - done - shown < 2 * _TOGETHER:  # rows left over are not left alone
                shown = max(2, len(rows) - done - 2 * _TOGETHER)
            first = (shown + 1) // 2
            top = self._y
            for left, part in (
                (0.0, rows[done : done + first]),
                (columns.width + _BESIDE, rows[done + first : done + shown]),
            ):
                self._y = top
                if part:
                    self._table_head(columns, left)
                for row in part:
                    self._row(columns, columns.broken(row), height, left)
            done += shown
            self._y = top - columns.head_height - height * first

    def _table_head(self, columns: "_Columns", left: float = 0.0) -> None:
        self._cells(columns, columns.head, left, bold=True)
        self._y -= columns.head_height
        ends = [_SIDE + left, _SIDE + left + columns.width]
        self._page.line(ends, [self._y, self._y], color=FRAME, linewidth=0.6)

    def _row(self, columns: "_Columns", cells: list[list[str]], height: float, left: float = 0.0) -> None:
        self._cells(columns, cells, left, bold=False)
        self._y -= height
        ends = [_SIDE + left, _SIDE + left + columns.width]
        self._page.line(ends, [self._y, self._y], color=GRID, linewidth=0.5)

    def _cells(self, columns: "_Columns", cells: list[list[str]], left: float, *, bold: bool) -> None:
        step = line_height(_TABLE)
        for at, cell in enumerate(cells):
            right = columns.align[at] == "right"
            x = _SIDE + left + columns.starts[at] + (columns.widths[at] if right else 0.0)
            for number, line in enumerate(cell):
                y = self._y - 0.5 - step * (number + 0.78)
                self._page.write(x, y, line, size=_TABLE, bold=bold, ha="right" if right else "left", parse_math=False)

    def _part(self, left: float, bottom: float, width: float, height: float) -> Sheet:
        """Open a rectangle of the page as a sheet of its own."""
        tiny = 1e-6
        page = self._page.container
        if not isinstance(page, Figure):
            raise TypeError("a page is a figure")
        grid = GridSpec(
            3,
            3,
            figure=page,
            width_ratios=[left, width, max(PAGE_WIDTH - left - width, tiny)],
            height_ratios=[max(PAGE_HEIGHT - bottom - height, tiny), height, max(bottom, tiny)],
        )
        part = page.add_subfigure(grid[1, 1])
        part.set_facecolor("none")
        return Sheet(part, width, height)

    def finished(self) -> list[Figure]:
        """Write the footers and return all pages."""
        if self._heading:  # nothing follows it
            self._need(0.0)
        for number, sheet in enumerate(self._sheets):
            footer = f"{number + 1} of {len(self._sheets)}"
            sheet.write(PAGE_WIDTH - _SIDE, 10.0, footer, size=NOTE + 1, colour=MUTED, ha="right")
            title = shortened(self._title, NOTE + 1, _WIDTH - 30.0)
            sheet.write(_SIDE, 10.0, title, size=NOTE + 1, colour=MUTED, parse_math=False)
        return [figure_of(sheet) for sheet in self._sheets]


class _Columns:
    """Widths of a table's columns in a given width: numbers as wide as they are, texts share what is left.

    A text column that is narrower than its share keeps its width and leaves the rest to the others, whose cells break into
    lines. ``all_fits`` tells whether no cell has to.
    """

    def __init__(self, table: Table, width: float) -> None:
        self.align, self.width = table.align, width
        natural = [self._natural(table, at) for at in range(len(table.head))]
        room = width - _CELL * (len(natural) - 1)
        texts = [at for at, side in enumerate(table.align) if side == "left"]
        widths = list(natural)
        for at, side in enumerate(table.align):
            if side == "right":
                widths[at] = min(natural[at], room / len(natural) * 1.6)
        left_over = room - sum(widths[at] for at in range(len(widths)) if at not in texts)
        self.all_fits = widths == natural and sum(natural[at] for at in texts) <= left_over
        for number, at in enumerate(sorted(texts, key=lambda at: natural[at])):
            share = max(12.0, left_over / (len(texts) - number))
            widths[at] = min(natural[at], share)
            left_over -= widths[at]
        if texts and sum(widths) < room:
            widths[texts[-1]] += room - sum(widths)
        self.widths = widths
        self.starts = [sum(widths[:at]) + _CELL * at for at in range(len(widths))]
        self.head = [wrap(plain(text), _TABLE, cell, bold=True) for text, cell in zip(table.head, widths, strict=True)]
        self.head_height = line_height(_TABLE) * max(len(cell) for cell in self.head) + 1.4

    @staticmethod
    def _natural(table: Table, at: int) -> float:
        head = plain(table.head[at])
        words = max((text_width(word, _TABLE, bold=True) for word in head.split(" ")), default=0.0)
        words = max(words, min(text_width(head, _TABLE, bold=True), _HEAD_WIDTH))
        cells = max((text_width(plain(row[at]), _TABLE, parse_math=False) for row in table.rows), default=0.0)
        return max(words, cells) + 0.2

    def broken(self, row: tuple[str, ...]) -> list[list[str]]:
        """Break the cells of a row into lines."""
        return [wrap(plain(text), _TABLE, width) or [""] for text, width in zip(row, self.widths, strict=True)]
