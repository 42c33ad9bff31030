"""Exports as jobs: each takes what the window shows and writes one file, or draws one figure."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.session.study_jobs import Export

if TYPE_CHECKING:  # imports the chemistry
    from affinecal_gui.study.calibrator_files.description import Grade
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.study.results.study_figures import FigureOptions

CSV_FILTER = "Comma-separated values (*.csv)"
WORKBOOK_FILTER = "Excel workbook (*.xlsx)"
CALIBRATOR_FILTER = "AffineCal calibrator (*.affinecal-model)"
REPORT_FILTER = "PDF document (*.pdf);;Web page (*.html)"
FIGURE_FILTERS = {
    ".svg": "SVG drawing (*.svg)",
    ".pdf": "PDF document (*.pdf)",
    ".png": "PNG picture (*.png)",
    ".tiff": "TIFF picture (*.tiff)",
}
"""File formats of figures, by their ending."""
FIGURE_FILTER = ";;".join(FIGURE_FILTERS.values())

COPIED_DPI = 300
_SHARPEST_PREVIEW = 220.0  # dpi


@dataclass(frozen=True, eq=False)
class ExportPredictions(Export):
    """Write the calibrated value of every polymer of the MD table."""

    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.exporting import write_predictions

        return (str(write_predictions(self.snapshot, self.path, overwrite=True, task=task)),)


@dataclass(frozen=True, eq=False)
class ExportCoefficients(Export):
    """Write the coefficients of the chosen calibrator."""

    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.exporting import write_coefficients

        return (str(write_coefficients(self.snapshot, self.path, overwrite=True, task=task)),)


@dataclass(frozen=True, eq=False)
class ExportMeasureNext(Export):
    """Write the polymers to measure next."""

    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.exporting import write_measure_next

        return (str(write_measure_next(self.snapshot, self.path, overwrite=True, task=task)),)


@dataclass(frozen=True, eq=False)
class ExportWorkbook(Export):
    """Write every table of the study as one workbook."""

    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.workbook import write_study_workbook

        return (str(write_study_workbook(self.snapshot, self.path, overwrite=True, task=task)),)


@dataclass(frozen=True, eq=False)
class ExportReport(Export):
    """Write the report of the study; the ending of the file says whether as PDF or as HTML."""

    state: StudyState
    study_name: str
    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.reporting import write_report

        written = write_report(
            self.snapshot,
            self.state,
            self.path,
            study_name=self.study_name,
            overwrite=True,
            task=task,
        )
        return (str(written),)


@dataclass(frozen=True, eq=False)
class ExportCalibrator(Export):
    """Write the chosen calibrator as a file of its own; it is calibrated anew first where it comes out of a file."""

    state: StudyState
    derived: "Derived"
    grade: "Grade"
    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
        from affinecal_gui.study.calibrator_files.making import calibrated_here, calibrator_file_of
        from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
        from affinecal_gui.study.stored.study_names import with_calibrator_suffix

        here = calibrated_here(self.state, self.derived, cache=DescriptorCache(), task=task.part(0.0, 0.9))
        written = with_calibrator_suffix(self.path)
        one = calibrator_file_of(here, self.snapshot.settings.model, self.grade)
        # The dialog asked about the name that was given, not about that with the ending.
        save_calibrator_file(written, one, overwrite=written == self.path, task=task.silent)
        return (str(written),)


@dataclass(frozen=True, eq=False)
class ExportFigure(Export):
    """Draw one of the figures of :data:`affinecal_gui.study.results.study_figures.FIGURES` into a file."""

    name: str
    options: "FigureOptions | None"
    dpi: float
    snapshot: Snapshot
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.study.results.study_figures import write_figure

        task.report(0.0, "Drawing the figure")
        written = write_figure(
            self.name, self.snapshot, self.path, self.options, overwrite=True, dpi=self.dpi, task=task
        )
        return (str(written),)


@dataclass(frozen=True, slots=True)
class CopiedFigure:
    """A figure for the clipboard."""

    title: str
    png: bytes  # at 300 dpi
    svg: bytes
    image: QImage


@dataclass(frozen=True, eq=False)
class CopyFigure(Job[CopiedFigure]):
    """Draw a figure for the clipboard, both as pixels and as outlines."""

    name: str
    snapshot: Snapshot
    options: "FigureOptions"

    def run(self, task: Task, publish: Callable[[CopiedFigure], None]) -> CopiedFigure:
        """Draw it."""
        from affinecal_gui.figures.releasing import drawn
        from affinecal_gui.figures.saving import render_figure
        from affinecal_gui.study.results.study_figures import FIGURES, draw_figure

        task.report(0.0, "Drawing the figure")
        with drawn(draw_figure(self.name, self.snapshot, self.options)) as figure:
            task.check()
            png = render_figure(figure, ".png", dpi=COPIED_DPI)
            task.report(0.6, "Copying the figure")
            task.check()
            svg = render_figure(figure, ".svg", dpi=COPIED_DPI)
        return CopiedFigure(FIGURES[self.name].title, png, svg, QImage.fromData(png))


@dataclass(frozen=True, slots=True)
class FigurePreview:
    """A figure as it will be saved, small enough for the screen."""

    image: QImage
    width_mm: float
    height_mm: float


@dataclass(frozen=True, eq=False)
class PreviewFigure(Job[FigurePreview]):
    """Draw a figure so that it fits into so many pixels of the screen."""

    name: str
    snapshot: Snapshot
    options: "FigureOptions"
    room: QSize

    def run(self, task: Task, publish: Callable[[FigurePreview], None]) -> FigurePreview:
        """Draw it."""
        from affinecal_gui.figures.releasing import drawn
        from affinecal_gui.figures.saving import render_figure
        from affinecal_gui.study.results.study_figures import draw_figure

        task.check()
        with drawn(draw_figure(self.name, self.snapshot, self.options)) as figure:
            task.check()
            width, height = (float(inches) for inches in figure.get_size_inches())
            dpi = min(self.room.width() / width, self.room.height() / height, _SHARPEST_PREVIEW)
            image = QImage.fromData(render_figure(figure, ".png", dpi=max(dpi, 20.0)))
        return FigurePreview(image, 25.4 * width, 25.4 * height)
