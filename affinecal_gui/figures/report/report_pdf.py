"""A report as a PDF of A4 pages: text that can be searched, vector figures, one typeface embedded once."""

import io
from collections.abc import Iterator, Sequence

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from affinecal_gui.figures.releasing import drawn
from affinecal_gui.figures.report.page_breaking import Placed, break_pages
from affinecal_gui.figures.report.report_boxes import (
    PAGE_HEIGHT,
    PAGE_WIDTH,
    SIDE,
    TEXT_HEIGHT,
    TEXT_WIDTH,
    TOP,
    Box,
    report_boxes,
)  # fmt: skip
from affinecal_gui.figures.report.report_document import Document
from affinecal_gui.figures.sheet import figure_of, new_figure, shortened
from affinecal_gui.figures.style import MUTED, NOTE, journal_style, plain
from affinecal_gui.task import UNWATCHED, Task

_SPARE = 5.0  # mm of the lower margin that the end of a table may use rather than stand alone on the next page
_FOOTER = 10.0  # mm above the edge of the paper
_MEASURED = 0.2  # share of the work that is done when all is placed


def pdf_report(document: Document, *, task: Task = UNWATCHED) -> bytes:
    """Return ``document`` as a PDF file.

    Raises
    ------
    Cancelled
        The caller asked for a stop.
    """
    task.check()
    task.report(0.0, "Laying out the report")
    with journal_style():
        boxes, pages = _laid_out(document)
        stream = io.BytesIO()
        metadata = {"Title": plain(document.title), "Creator": "AffineCal", "CreationDate": None}
        with PdfPages(stream, metadata=metadata) as pdf:
            for number, page in enumerate(_drawn_pages(document, boxes, pages)):
                with drawn(page):
                    task.check()
                    share = _MEASURED + (1.0 - _MEASURED) * number / len(pages)
                    task.report(share, f"Writing page {number + 1} of {len(pages)}")
                    pdf.savefig(page)
    task.report(1.0, "The report is written")
    return stream.getvalue()


def report_pages(document: Document) -> list[Figure]:
    """Return the pages of ``document`` as figures of the size of a page."""
    with journal_style():
        return list(_drawn_pages(document, *_laid_out(document)))


def _laid_out(document: Document) -> tuple[list[Box], list[list[Placed]]]:
    boxes = report_boxes(document)
    return boxes, break_pages([box.block for box in boxes], TEXT_HEIGHT, spare=_SPARE)


def _drawn_pages(document: Document, boxes: Sequence[Box], pages: Sequence[Sequence[Placed]]) -> Iterator[Figure]:
    """Draw one page after the other, so that only one of them is in memory."""
    title = shortened(plain(document.title), NOTE + 1, TEXT_WIDTH - 30.0)
    for number, placed in enumerate(pages, start=1):
        sheet = new_figure(PAGE_WIDTH, PAGE_HEIGHT)
        for one in placed:
            boxes[one.block].draw(sheet, PAGE_HEIGHT - TOP - one.top, one.start, one.stop)
        footer = f"{number} of {len(pages)}"
        sheet.write(PAGE_WIDTH - SIDE, _FOOTER, footer, size=NOTE + 1, colour=MUTED, ha="right")
        sheet.write(SIDE, _FOOTER, title, size=NOTE + 1, colour=MUTED, parse_math=False)
        yield figure_of(sheet)
