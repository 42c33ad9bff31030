"""Copying rows of the polymer table as text for a spreadsheet: few at once, many in the background."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QGuiApplication

from affinecal_gui.task import Task
from affinecal_gui.ui.parts.clipboard import copy_long_text, decimal_mark
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.views.polymers.table.polymer_cells import CopiedCells

COPIED_AT_ONCE = 500  # lines; more are put together in the background


class RowCopier(QObject):
    """Puts rows on the clipboard; of several wishes the last one counts."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)

    @property
    def is_busy(self) -> bool:
        """Whether rows are still being put together."""
        return self._jobs.is_busy

    def shut_down(self) -> bool:
        """Copy no more; returns whether the thread ended in time."""
        return self._jobs.shut_down()

    def copy(self, cells: CopiedCells, line_count: int) -> None:
        """Copy these cells of so many lines."""
        if line_count <= COPIED_AT_ONCE:
            self._jobs.drop(WriteCells)
            QGuiApplication.clipboard().setText(cells.text(mark=decimal_mark()))
        else:
            self._jobs.start(WriteCells(cells, decimal_mark()), copy_long_text)


@dataclass(frozen=True, eq=False)
class WriteCells(Job[bytes]):
    """Put cells together as tab-separated text, UTF-8."""

    cells: CopiedCells
    mark: str  # between the whole and the decimal part of a number

    def run(self, task: Task, publish: Callable[[bytes], None]) -> bytes:
        """Put them together."""
        return self.cells.text(mark=self.mark, task=task).encode()
