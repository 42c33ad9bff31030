"""Copying rows of the polymer table as text for a spreadsheet: few at once, many in the background."""

from PySide6.QtCore import QLocale, QObject, Slot
from PySide6.QtGui import QGuiApplication

from affinecal_gui.task import Task
from affinecal_gui.ui.parts.clipboard import copy_long_text
from affinecal_gui.ui.running.worker import JobRunner, Publish, Work
from affinecal_gui.ui.views.polymers.polymer_cells import CopiedCells

COPIED_AT_ONCE = 500  # lines; more are put together in the background


class RowCopier(QObject):
    """Puts rows on the clipboard; of several wishes the last one counts."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)
        self._jobs.done.connect(self._take_text)

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
            self._jobs.drop("copy")
            QGuiApplication.clipboard().setText(cells.text(mark=decimal_mark()))
        else:
            self._jobs.start("copy", _write(cells))

    @Slot(str, object)
    def _take_text(self, _purpose: str, text: object) -> None:
        if isinstance(text, bytes):
            copy_long_text(text)


def decimal_mark() -> str:
    """Return the decimal mark of this computer's language, which its spreadsheet takes numbers with."""
    return str(QLocale().decimalPoint())


def _write(cells: CopiedCells) -> Work:
    mark = decimal_mark()

    def work(task: Task, publish: Publish) -> object:
        return cells.text(mark=mark, task=task).encode()

    return work
