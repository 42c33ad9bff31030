"""Exports as jobs: each function takes what the window shows and returns the work that writes one file."""

from collections.abc import Callable
from pathlib import Path

from affinecal_gui.progress import CancelCheck, Progress
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.worker import Publish, Work

CSV_FILTER = "Comma-separated values (*.csv)"
FIGURE_FILTER = "SVG drawing (*.svg);;PDF document (*.pdf);;PNG picture (*.png);;TIFF picture (*.tiff)"


def export_predictions(snapshot: Snapshot, path: Path) -> Work:
    """Write the calibrated value of every polymer of the MD table."""

    def work(progress: Progress, cancelled: CancelCheck, publish: Publish) -> object:
        from affinecal_gui.study.exporting import write_predictions

        return (str(write_predictions(snapshot, path, overwrite=True)),)

    return work


def export_coefficients(snapshot: Snapshot, path: Path) -> Work:
    """Write the coefficients of the chosen calibrator."""

    def work(progress: Progress, cancelled: CancelCheck, publish: Publish) -> object:
        from affinecal_gui.study.exporting import write_coefficients

        return (str(write_coefficients(snapshot, path, overwrite=True)),)

    return work


def export_figure(name: str) -> Callable[[Snapshot, Path], Work]:
    """Draw one of the figures of :data:`affinecal_gui.study.exporting.FIGURES` into a file."""

    def make(snapshot: Snapshot, path: Path) -> Work:
        def work(progress: Progress, cancelled: CancelCheck, publish: Publish) -> object:
            from affinecal_gui.study.exporting import write_figure

            return (str(write_figure(name, snapshot, path, overwrite=True)),)

        return work

    return make
