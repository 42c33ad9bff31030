"""Exports as jobs: each function takes what the window shows and returns the work that writes one file."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.task import Task
from affinecal_gui.ui.running.worker import Publish, Work

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


def export_predictions(snapshot: Snapshot, path: Path) -> Work:
    """Write the calibrated value of every polymer of the MD table."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.results.exporting import write_predictions

        return (str(write_predictions(snapshot, path, overwrite=True, task=task)),)

    return work


def export_coefficients(snapshot: Snapshot, path: Path) -> Work:
    """Write the coefficients of the chosen calibrator."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.results.exporting import write_coefficients

        return (str(write_coefficients(snapshot, path, overwrite=True, task=task)),)

    return work


def export_measure_next(snapshot: Snapshot, path: Path) -> Work:
    """Write the polymers to measure next."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.results.exporting import write_measure_next

        return (str(write_measure_next(snapshot, path, overwrite=True, task=task)),)

    return work


def export_workbook(snapshot: Snapshot, path: Path) -> Work:
    """Write every table of the study as one workbook."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.study.results.workbook import write_study_workbook

        written = write_study_workbook(snapshot, path, overwrite=True, task=task)
        return (str(written),)

    return work


def export_report(state: StudyState, study_name: str) -> Callable[[Snapshot, Path], Work]:
    """Write the report of the study; the ending of the file says whether as PDF or as HTML."""

    def make(snapshot: Snapshot, path: Path) -> Work:
        def work(task: Task, publish: Publish) -> object:
            from affinecal_gui.study.results.reporting import write_report

            written = write_report(
                snapshot,
                state,
                path,
                study_name=study_name,
                overwrite=True,
                task=task,
            )
            return (str(written),)

        return work

    return make


def export_calibrator(state: StudyState, derived: "Derived", grade: "Grade") -> Callable[[Snapshot, Path], Work]:
    """Write the chosen calibrator as a file of its own; it is calibrated anew first where it comes out of a file."""

    def make(snapshot: Snapshot, path: Path) -> Work:
        def work(task: Task, publish: Publish) -> object:
            from affinecal_gui.study.calibrator_files.calibrator_file import save_calibrator_file
            from affinecal_gui.study.calibrator_files.making import calibrated_here, calibrator_file_of
            from affinecal_gui.study.describing.descriptor_cache import DescriptorCache
            from affinecal_gui.study.stored.study_names import with_calibrator_suffix

            here = calibrated_here(state, derived, cache=DescriptorCache(), task=task.part(0.0, 0.9))
            written = with_calibrator_suffix(path)
            one = calibrator_file_of(here, snapshot.settings.model, grade)
            # The dialog asked about the name that was given, not about that with the ending.
            save_calibrator_file(written, one, overwrite=written == path, task=task.silent)
            return (str(written),)

        return work

    return make


def export_figure(
    name: str, options: "FigureOptions | None" = None, dpi: float = 300
) -> Callable[[Snapshot, Path], Work]:
    """Draw one of the figures of :data:`affinecal_gui.study.results.study_figures.FIGURES` into a file."""

    def make(snapshot: Snapshot, path: Path) -> Work:
        def work(task: Task, publish: Publish) -> object:
            from affinecal_gui.study.results.study_figures import write_figure

            task.report(0.0, "Drawing the figure")
            return (str(write_figure(name, snapshot, path, options, overwrite=True, dpi=dpi, task=task)),)

        return work

    return make


@dataclass(frozen=True, slots=True)
class CopiedFigure:
    """A figure for the clipboard."""

    title: str
    png: bytes  # at 300 dpi
    svg: bytes
    image: QImage


def copy_figure(name: str, snapshot: Snapshot, options: "FigureOptions") -> Work:
    """Draw a figure for the clipboard, both as pixels and as outlines; the result is a :class:`CopiedFigure`."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.figures.releasing import drawn
        from affinecal_gui.figures.saving import render_figure
        from affinecal_gui.study.results.study_figures import FIGURES, draw_figure

        task.report(0.0, "Drawing the figure")
        with drawn(draw_figure(name, snapshot, options)) as figure:
            task.check()
            png = render_figure(figure, ".png", dpi=COPIED_DPI)
            task.report(0.6, "Copying the figure")
            task.check()
            svg = render_figure(figure, ".svg", dpi=COPIED_DPI)
        return CopiedFigure(FIGURES[name].title, png, svg, QImage.fromData(png))

    return work


@dataclass(frozen=True, slots=True)
class FigurePreview:
    """A figure as it will be saved, small enough for the screen."""

    image: QImage
    width_mm: float
    height_mm: float


def preview_figure(name: str, snapshot: Snapshot, options: "FigureOptions", room: QSize) -> Work:
    """Draw a figure so that it fits ``room`` (pixels of the screen); the result is a :class:`FigurePreview`."""

    def work(task: Task, publish: Publish) -> object:
        from affinecal_gui.figures.releasing import drawn
        from affinecal_gui.figures.saving import render_figure
        from affinecal_gui.study.results.study_figures import draw_figure

        task.check()
        with drawn(draw_figure(name, snapshot, options)) as figure:
            task.check()
            width, height = (float(inches) for inches in figure.get_size_inches())
            dpi = min(room.width() / width, room.height() / height, _SHARPEST_PREVIEW)
            image = QImage.fromData(render_figure(figure, ".png", dpi=max(dpi, 20.0)))
        return FigurePreview(image, 25.4 * width, 25.4 * height)

    return work
