"""The report of a calibration, as one HTML file or one PDF."""

from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.figures.report.corrected_content import CorrectedReport, corrected_document
from affinecal_gui.figures.report.report_content import report_document
from affinecal_gui.figures.report.report_data import ReportData
from affinecal_gui.figures.report.report_html import html_report
from affinecal_gui.figures.report.report_pdf import pdf_report
from affinecal_gui.files import write_atomically
from affinecal_gui.task import UNWATCHED, Task

SUFFIXES = (".html", ".htm", ".pdf")
"""File endings that reports can be saved with."""

_MOST_ROWS = {".html": 2000, ".htm": 2000, ".pdf": 200}  # of a table of polymers; the exported CSV has them all


def save_report(
    data: ReportData | CorrectedReport,
    path: str | Path,
    *,
    overwrite: bool = False,
    task: Task = UNWATCHED,
) -> Path:
    """Write the report of a calibration, or of corrected values; the file is there whole or not at all.

    Parameters
    ----------
    data
        What to report.
    path
        Ending in .html or .pdf. The folder must exist.
    overwrite
        Replace a file of that name.
    task
        As for every service.

    Raises
    ------
    UserError
        The ending is unknown, the file exists, the folder is missing or may not be written to, the disk is full.
    Cancelled
        The caller asked for a stop; nothing was written.
    """
    path = Path(path)
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        named = f'the ending "{path.suffix}"' if path.suffix else "a file name without an ending"
        raise UserError(f"Reports cannot be saved with {named}. Use .html or .pdf.")
    most_rows = _MOST_ROWS[suffix]
    if isinstance(data, CorrectedReport):
        document = corrected_document(data, most_rows=most_rows)
    else:
        document = report_document(data, most_rows=most_rows)
    write = pdf_report if suffix == ".pdf" else html_report
    write_atomically(path, write(document, task=task), overwrite=overwrite, task=task)
    return path
