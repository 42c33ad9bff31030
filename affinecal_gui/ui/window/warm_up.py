"""What is imported behind the first window, in a thread of its own: what its workings rest on, then what works on studies."""

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

FOUNDATIONS = (
    "numpy",
    "affinecal_gui.study.study",
    "affinecal_gui.study.stored.recovery",
    "affinecal_gui.study.results.reproducing",
    "affinecal_gui.study.words.flagged_words",
    "affinecal_gui.study.words.result_sentence",
    "affinecal_gui.study.data.row_columns",
    "affinecal_gui.study.describing.descriptor_cache",
    "affinecal_gui.study.words.correction_words",
    "affinecal_gui.study.words.explanations",
    "affinecal_gui.study.shown.next_measurements",
    "affinecal_gui.study.shown.row_values",
    "affinecal_gui.study.shown.inspector_content",
    "affinecal_gui.study.shown.parity_points",
    "affinecal_gui.study.shown.residuals",
    "affinecal_gui.study.results.study_figures",
)
"""What the session, the desks and the views of a window import of the floors below it."""

MODULES = (
    "affinecal_gui.tables.reading",
    "affinecal_gui.study.importing.loading",
    "affinecal_gui.study.importing.importing",
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

    is_founded = Signal()  # the foundations are there, or cannot be imported
    progressed = Signal(float)  # share of the rest that is done
    finished = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._is_prepared = False
        self._has_begun = False
        self.jobs = JobRunner(self)
        self.jobs.ended.connect(self._on_ended)
        self.jobs.progressed.connect(self._on_progressed)
        # A module that cannot be imported is in the log; who needs it meets the same fault and tells the user.
        self.jobs.failed.connect(self._on_failed)

    @property
    def is_running(self) -> bool:
        """Whether something is still to be imported."""
        return (self._is_prepared and not self._has_begun) or self.jobs.is_busy

    def prepare(self) -> bool:
        """Import the foundations, and let jobs wait for the rest; returns False when that has been done before."""
        if self._is_prepared:
            return False
        self._is_prepared = True
        imports_at_rest.clear()
        self.jobs.start(LayFoundations())
        return True

    def await_foundations(self) -> None:
        """Wait, in the main thread, until the foundations that are being laid are there."""
        thread = self.jobs.thread_of(LayFoundations)
        if thread is not None:
            thread.wait()

    @Slot()
    def begin(self) -> None:
        """Import the rest in a thread."""
        if self._is_prepared and not self._has_begun:
            self._has_begun = True
            self.await_foundations()
            self.jobs.start(ImportAhead())

    def stop(self) -> None:
        """Import nothing more, also later; a module that is being imported is waited for."""
        self._is_prepared = self._has_begun = True
        self.jobs.shut_down()
        imports_at_rest.set()

    @Slot(float, str)
    def _on_progressed(self, fraction: float, _sentence: str) -> None:
        self.progressed.emit(fraction)

    @Slot(object, object)
    def _on_failed(self, job: object, _error: object) -> None:
        self._on_ended(job)

    @Slot(object)
    def _on_ended(self, job: object) -> None:
        if isinstance(job, LayFoundations):
            self.is_founded.emit()
        else:
            self.finished.emit()


class LayFoundations(Job[None]):
    """Import what the workings of a window rest on."""

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Import without asking whether to go on: everything else waits for this."""
        keep_fortran_out()
        for name in FOUNDATIONS:
            importlib.import_module(name)


class ImportAhead(Job[None]):
    """Import everything that works on studies."""

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Import one module after the other."""
        try:
            for number, name in enumerate(MODULES):
                task.check()
                task.report(number / len(MODULES), SENTENCE)
                importlib.import_module(name)
                time.sleep(_BREATH)
        finally:
            give_back()  # what the imports leave behind
            imports_at_rest.set()
