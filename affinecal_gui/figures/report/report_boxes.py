"""The elements of a report as boxes: how high each is before it is placed, and how it is drawn on its page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import singledispatch
from typing import NoReturn, Protocol

from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpec

from affinecal_gui.figures.report.page_breaking import PageBlock
from affinecal_gui.figures.report.report_columns import CELL_SIZE, Columns
from affinecal_gui.figures.report.report_document import (
    Command,
    Document,
    Element,
    Formula,
    Heading,
    Paragraph,
    Picture,
    Structures,
    Table,
)  # fmt: skip
from affinecal_gui.figures.report.structure_grid import GridRows
from affinecal_gui.figures.sheet import OpenSheet, Sheet, line_height, shortened, wrap
from affinecal_gui.figures.style import FRAME, GRID, MUTED, NOTE, TEXT, plain

PAGE_WIDTH, PAGE_HEIGHT = 210.0, 297.0  # mm, A4
SIDE, TOP, BOTTOM = 20.0, 18.0, 20.0  # mm, margins
TEXT_WIDTH, TEXT_HEIGHT = PAGE_WIDTH - 2 * SIDE, PAGE_HEIGHT - TOP - BOTTOM

_BODY, _HEAD, _TITLE, _CAPTION = 9.5, 12.5, 18.0, NOTE + 1.5  # points
_LEADING = 1.08  # of texts, on top of that of a line
_INDENT = 6.0  # mm, of commands and formulas
_WHOSE = 48.0  # mm, before a formula
_BESIDE = 8.0  # mm between the halves of a narrow table that is set in two columns
_MANY = 16  # rows from which on that is done
_ROW_GAP = 1.0  # mm
_TOGETHER = 3  # rows of a table at either side of a page break
_MOST_LINES = 12  # of a cell


class Box(Protocol):
    """One element, measured."""

    @property
    def block(self) -> PageBlock:
        """How high it is, and where it may be broken."""

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Draw the steps ``start`` to ``stop`` on a page, the upper edge ``y`` mm above its lower one."""


def report_boxes(document: Document) -> list[Box]:
    """Measure everything that ``document`` holds, its title first; call it inside ``journal_style()``."""
    title = wrap(plain(document.title), _TITLE, TEXT_WIDTH, bold=True) or [""]
    subtitle = wrap(plain(document.subtitle), _BODY, TEXT_WIDTH) or [""]
    return [
        _Lines(title, _TITLE, bold=True, after=1.0, together=len(title), joined=True),
        _Lines(subtitle, _BODY, colour=MUTED, after=3.0),
        *(_box(element) for element in document.elements),
    ]


@singledispatch
def _box(element: Element) -> Box:
    raise TypeError(f"no box for {type(element).__name__}")


@_box.register
def _(element: Heading) -> Box:
    lines = wrap(plain(element.text), _HEAD, TEXT_WIDTH, bold=True) or [""]
    return _Lines(lines, _HEAD, bold=True, before=4.0, after=0.8, together=len(lines), joined=True)


@_box.register
def _(element: Paragraph) -> Box:
    lines = wrap(plain(element.text), _BODY, TEXT_WIDTH) or [""]
    return _Lines(lines, _BODY, after=1.6, together=2, joined=element.introduces)


@_box.register
def _(element: Command) -> Box:
    lines = wrap(plain(element.text), _BODY, TEXT_WIDTH - _INDENT) or [""]
    return _Lines(lines, _BODY, after=1.6, together=2, indent=_INDENT)


@_box.register
def _(element: Formula) -> Box:
    return _Formula(element.mathematics, plain(element.title))


@_box.register
def _(element: Table) -> Box:
    half = Columns(element, (TEXT_WIDTH - _BESIDE) / 2)
    if len(element.rows) >= _MANY and half.all_fits:
        return _Rows(half, element, halves=2)
    return _Rows(Columns(element, TEXT_WIDTH), element, halves=1)


@_box.register
def _(element: Picture) -> Box:
    return _Figure(element)


@_box.register
def _(element: Structures) -> Box:
    return _Grid(element)


# ---------------------------------------------------------------- texts


class _Lines:
    """Lines of text in one size."""

    def __init__(
        self,
        lines: Sequence[str],
        size: float,
        *,
        bold: bool = False,
        colour: str = TEXT,
        before: float = 0.0,
        after: float = 0.0,
        together: int = 1,
        joined: bool = False,
        indent: float = 0.0,
    ) -> None:
        self._lines, self._size, self._bold, self._colour, self._indent = lines, size, bold, colour, indent
        steps = (_step(size),) * len(lines)
        self.block = PageBlock(steps, before=before, after=after, together=together, joined=joined)

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Write some of the lines."""
        _write(page, y, self._lines[start:stop], self._size, self._colour, bold=self._bold, indent=self._indent)


def _step(size: float) -> float:
    return line_height(size) * _LEADING


def _write(
    page: Sheet,
    y: float,
    lines: Sequence[str],
    size: float,
    colour: str = MUTED,
    *,
    bold: bool = False,
    indent: float = 0.0,
) -> None:
    step = _step(size)
    for number, line in enumerate(lines, start=1):
        baseline = y - step * (number - 0.26)
        page.write(SIDE + indent, baseline, line, size=size, bold=bold, colour=colour, parse_math=False)


@dataclass(frozen=True)
class _Formula:
    mathematics: str
    title: str

    @property
    def block(self) -> PageBlock:
        return PageBlock((self._above + self._below,), after=1.0)

    @property
    def _above(self) -> float:
        return line_height(_BODY) * 1.05

    @property
    def _below(self) -> float:
        return line_height(_BODY) * (0.75 if "_k" in self.mathematics and "sum" in self.mathematics else 0.45)

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Write the formula, and before it whose it is."""
        baseline = y - self._above
        left = SIDE + _INDENT
        if self.title:
            title = shortened(self.title, _BODY, _WHOSE - 2.0)
            page.write(left, baseline, title, size=_BODY, parse_math=False)
            left += _WHOSE
        page.write(left, baseline, self.mathematics, size=_BODY + 1.5)


# ---------------------------------------------------------------- tables


class _Rows:
    """A table; in two halves side by side, the left one is read to its end on each page before the right one begins."""

    def __init__(self, columns: Columns, table: Table, *, halves: int) -> None:
        self._columns, self._halves = columns, halves
        step = line_height(CELL_SIZE)
        most = 1 if table.when_shortened else _MOST_LINES
        self._cells = [columns.broken(row, most_lines=most) for row in table.rows]
        self._heights = [step * max(len(cell) for cell in cells) + _ROW_GAP for cells in self._cells]
        said = table.caption
        if table.when_shortened and any(line.endswith("…") for row in self._cells for cell in row for line in cell):
            said = f"{table.when_shortened} {said}".strip()
        self._caption = wrap(plain(said), _CAPTION, TEXT_WIDTH)
        caption = 1.0 + _step(_CAPTION) * len(self._caption) if self._caption else 0.0
        self.block = PageBlock(
            tuple(self._heights[::halves]) or (0.0,),  # in halves every row is one line high
            head=columns.head_height,
            tail=caption,
            before=1.0,
            after=4.0,
            together=_TOGETHER,
            unbroken=True,
        )

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Draw some of the rows, below the head of the table."""
        first, end = start * self._halves, min(stop * self._halves, len(self._cells))
        middle = first + -(-(end - first) // self._halves)
        bottom = self._draw_rows(page, 0.0, y, first, middle)
        if end > middle:
            self._draw_rows(page, self._columns.width + _BESIDE, y, middle, end)
        if end == len(self._cells):
            _write(page, bottom - 1.0, self._caption, _CAPTION)

    def _draw_rows(self, page: Sheet, left: float, y: float, first: int, end: int) -> float:
        columns = self._columns
        self._draw_cells(page, columns.head, left, y, bold=True)
        y -= columns.head_height
        ends = [SIDE + left, SIDE + left + columns.width]
        page.line(ends, [y, y], color=FRAME, linewidth=0.6)
        for at in range(first, end):
            self._draw_cells(page, self._cells[at], left, y, bold=False)
            y -= self._heights[at]
            page.line(ends, [y, y], color=GRID, linewidth=0.5)
        return y

    def _draw_cells(self, page: Sheet, cells: Sequence[list[str]], left: float, y: float, *, bold: bool) -> None:
        columns, step = self._columns, line_height(CELL_SIZE)
        for at, cell in enumerate(cells):
            right = columns.align[at] == "right"
            x = SIDE + left + columns.starts[at] + (columns.widths[at] if right else 0.0)
            for number, line in enumerate(cell):
                baseline = y - 0.5 - step * (number + 0.78)
                page.write(
                    x, baseline, line, size=CELL_SIZE, bold=bold, ha="right" if right else "left", parse_math=False
                )


# ---------------------------------------------------------------- figures


class _SizeKnown(Exception):  # noqa: N818 - no error: it ends a drawing that was only to be measured
    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height


def _only_measured(width: float, height: float) -> NoReturn:
    raise _SizeKnown(width, height)


class _Figure:
    """A figure with its caption, which waits for a page with room for it."""

    def __init__(self, picture: Picture) -> None:
        self._picture = picture
        self._caption = wrap(plain(picture.caption), _CAPTION, TEXT_WIDTH)
        try:
            picture.draw(_only_measured)
        except _SizeKnown as size:
            self._height = size.height
        else:
            raise RuntimeError("a picture opens the sheet on which it is drawn")
        height = 1.0 + self._height + 1.0 + _step(_CAPTION) * len(self._caption)
        self.block = PageBlock((height,), before=1.0, after=4.0, floats=True)

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Draw the figure and write its caption."""
        bottom = y - 1.0 - self._height

        def open_sheet(width: float, height: float) -> Sheet:
            return _part(page, SIDE, bottom, width, height)

        opener: OpenSheet = open_sheet
        self._picture.draw(opener)
        _write(page, bottom - 1.0, self._caption, _CAPTION)


class _Grid:
    """Structures side by side; a page may end between two rows of them."""

    def __init__(self, grid: Structures) -> None:
        self._rows = GridRows(grid, TEXT_WIDTH)
        self._caption = wrap(plain(grid.caption), _CAPTION, TEXT_WIDTH)
        self.block = PageBlock(
            self._rows.heights or (0.0,),
            tail=_step(_CAPTION) * len(self._caption),
            before=2.0,
            after=4.0,
            unbroken=True,
        )

    def draw(self, page: Sheet, y: float, start: int, stop: int) -> None:
        """Draw some of the rows; below the last one stands the caption."""
        stop = min(stop, len(self._rows.heights))
        bottom = self._rows.draw(page, SIDE, y, start, stop)
        if stop == len(self._rows.heights):
            _write(page, bottom, self._caption, _CAPTION)


def _part(page: Sheet, left: float, bottom: float, width: float, height: float) -> Sheet:
    """Open a rectangle of the page as a sheet of its own."""
    tiny = 1e-6
    figure = page.container
    if not isinstance(figure, Figure):
        raise TypeError("a page is a figure")
    grid = GridSpec(
        3,
        3,
        figure=figure,
        width_ratios=[left, width, max(page.width - left - width, tiny)],
        height_ratios=[max(page.height - bottom - height, tiny), height, max(bottom, tiny)],
    )
    part = figure.add_subfigure(grid[1, 1])
    part.set_facecolor("none")
    return Sheet(part, width, height)
