"""What is imported behind the first window: chemistry, mathematics and tables, in a thread of its own."""

import importlib
import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Signal, Slot

from affinecal_gui.lean_scipy import keep_fortran_out
from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.memory import give_back
from affinecal_gui.ui.running.worker import JobRunner, imports_at_rest

SENTENCE = "Getting the chemistry ready. Files can be opened already."

MODULES = (
    "affinecal_gui.tables.reading",
    "affinecal_gui.study.importing.loading",
    "affinecal_gui.tables.meaning.remembered",
    "rdkit.Chem",
    "affinecal_gui.polymers.descriptors.descriptors",
    "affinecal_gui.polymers.drawing.drawing",
    "affinecal_gui.study.data.assembly",
    "scipy.linalg",
    "scipy.stats",
    "affinecal_gui.study.fitting.calibrating",
    "affinecal_gui.study.derive",
    "affinecal_gui.study.shown.inspection",
)
"""Nothing of Qt: its classes come into being when they are first used, and must not do so in two threads at once."""

_BREATH = 0.005  # seconds between two modules, in which the window gets a word in


class WarmUp(QObject):
    """Imports once, and says how far it is. From :meth:`prepare` on, jobs that wait for imports wait for this one."""

    progressed = Signal(float)  # share of the work that is done
    finished = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_prepared = False
        self._has_begun = False
        self.jobs = JobRunner(self)
        self.jobs.progressed.connect(self._on_progressed)
        # A module that cannot be imported is in the log; who needs it meets the same fault and tells the user.
        self.jobs.failed.connect(self._on_failed)

    @property
    def is_running(self) -> bool:
        """Whether something is still to be imported."""
        return (self._is_prepared and not self._has_begun) or self.jobs.is_busy

    def prepare(self) -> bool:
        """Let jobs wait for the imports that will begin soon; returns False when that has been done before."""
        if self._is_prepared:
            return False
        self._is_prepared = True
        imports_at_rest.clear()
        return True

    @Slot()
    def begin(self) -> None:
        """Import in a thread."""
        if self._is_prepared and not self._has_begun:
            self._has_begun = True
            self.jobs.start(ImportAhead(), self._on_done)

    def stop(self) -> None:
        """Import nothing more, also later; a module that is being imported is waited for."""
        self._is_prepared = self._has_begun = True
        self.jobs.shut_down()
        imports_at_rest.set()

    @Slot(float, str)
    def _on_progressed(self, fraction: float, _sentence: str) -> None:
        self.progressed.emit(fraction)

    @Slot(object, object)
    def _on_failed(self, _job: object, _error: object) -> None:
        self.finished.emit()

    def _on_done(self, _nothing: None) -> None:
        self.finished.emit()


class ImportAhead(Job[None]):
    """Import everything that works on studies."""

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Import one module after the other."""
        keep_fortran_out()
        try:
            for number, name in enumerate(MODULES):
                task.check()
                task.report(number / len(MODULES), SENTENCE)
                importlib.import_module(name)
                time.sleep(_BREATH)
        finally:
            give_back()  # what the imports leave behind
            imports_at_rest.set()
