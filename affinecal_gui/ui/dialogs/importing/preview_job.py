"""Works out, beside the window, what a table is under the choices of the import preview; one run at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from affinecal_gui.errors import UserError
from affinecal_gui.study.importing.importing import Examined, examine
from affinecal_gui.study.importing.loading import OpenTable
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.study.table_source import ImportChoices, TableSource
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import AnyJob, Job
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.session.notices import notice_of


class PreviewJob(QObject):
    """Answers the newest question; a question that is asked meanwhile stops the run under way."""

    examined = Signal(object)  # Examined: partial ones first, then the whole
    failed = Signal(str)  # why the table cannot be read so
    progressed = Signal(float, str)
    busy_changed = Signal(bool)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs = JobRunner(self)
        self._jobs.failed.connect(self._on_failed)
        self._jobs.cancelled.connect(self._on_cancelled)
        self._jobs.progressed.connect(self.progressed)
        self._source = TableSource("")
        self._beside: tuple[LoadedTable, ...] = ()
        self._opened: OpenTable | None = None
        self._wanted: ImportChoices | None = None  # asked while a run was under way
        self._last: Examined | None = None
        self._is_open = False

    def begin(
        self,
        source: TableSource,
        choices: ImportChoices,
        beside: Sequence[LoadedTable],
        opened: OpenTable | None = None,
    ) -> None:
        """Go over to another table; ``opened`` is what was read of it already."""
        self._source, self._beside, self._opened, self._last = source, tuple(beside), opened, None
        self._is_open = True
        self.ask(choices)

    def ask(self, choices: ImportChoices) -> None:
        """Work out what the table is under these choices."""
        if self._jobs.is_running(ExamineTable):
            self._wanted = choices
            self._jobs.cancel_all()
            return
        self._wanted = None
        raw = None
        if self._opened is not None and self._opened.choices.options == choices.options:
            raw = self._opened.raw
        job = ExamineTable(self._source, choices, self._beside, self._last, raw)
        self._jobs.start(job, self._take, self._take_part)
        self.busy_changed.emit(True)

    def end(self) -> None:
        """Forget the table; what is still running is stopped."""
        self._is_open, self._wanted, self._last, self._opened = False, None, None, None
        self._jobs.cancel_all()

    @property
    def is_busy(self) -> bool:
        """Whether an answer is still to come."""
        return self._jobs.is_busy

    def shut_down(self) -> bool:
        """End the thread; returns whether it ended in time."""
        self.end()
        return self._jobs.shut_down()

    def _goes_on(self) -> bool:
        """Start the newest question, if there is one; returns whether the run that ended counts no more."""
        if not self._is_open:
            return True
        if self._wanted is not None:
            self.ask(self._wanted)
            return True
        self.busy_changed.emit(False)
        return False

    def _take_part(self, partial: Examined) -> None:
        if self._is_open and self._wanted is None:
            self._last = partial if partial.complete else self._last
            self.examined.emit(partial)

    def _take(self, result: Examined) -> None:
        if self._is_open:
            self._last = result
        if not self._goes_on():
            self.examined.emit(result)

    def _on_failed(self, _job: AnyJob, error: BaseException) -> None:
        if not self._goes_on():
            self.failed.emit(str(error) if isinstance(error, UserError) else notice_of(error).text)

    def _on_cancelled(self, _job: AnyJob) -> None:
        self._goes_on()


@dataclass(frozen=True, eq=False)
class ExamineTable(Job[Examined]):
    """Work out what a table is under some choices; partial answers are published."""

    source: TableSource
    choices: ImportChoices
    beside: tuple[LoadedTable, ...]
    previous: Examined | None
    raw: RawTable | None  # its cells, where they have been read with the same options already

    def run(self, task: Task, publish: Callable[[Examined], None]) -> Examined:
        """Work it out."""
        return examine(
            self.source,
            self.choices,
            beside=self.beside,
            previous=self.previous,
            raw=self.raw,
            publish=publish,
            task=task,
        )
