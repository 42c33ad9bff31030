"""What is learned from the study of a window to answer for polymers that nobody has simulated, while somebody wants it."""

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, Slot

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Derive, LearnAnswers

if TYPE_CHECKING:  # this imports the chemistry, which the first window does not wait for
    from affinecal_gui.study.asking.answering import Answers


class StudyAnswers(QObject):
    """Learns once for each calibration, in the background, for the box that is asked and for the table of polymers.

    What is learned of the polymers of the table becomes part of what is shown of the study.
    """

    changed = Signal(object)  # Answers
    outdated = Signal()  # those at hand are of an earlier state of the study
    held_up = Signal()  # until the study is calibrated
    stopped = Signal()  # by the user; it goes on when it is wanted again
    predicting_changed = Signal(bool)  # whether values of polymers of the table are on their way

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._asked = False  # whether somebody asks about polymers
        self._wanted_of: object | None = None  # assembly whose polymers without an MD value are to have values
        self._answers: Answers | None = None
        self._prepared: tuple[object, ...] = ()  # of what the answers are, or will be
        self._predicting = False
        session.snapshot_changed.connect(self._follow)
        session.jobs.cancelled.connect(self._on_end)
        session.jobs.failed.connect(self._on_end)

    @property
    def answers(self) -> "Answers | None":
        """What polymers are asked of; None until it is prepared, and while it belongs to an earlier state."""
        return self._answers if self._prepared else None

    def ask(self) -> None:
        """Prepare for questions about polymers, now and whenever the study changes."""
        self._asked = True
        self._follow(self._session.study.snapshot())

    def ask_no_more(self) -> None:
        """Let go of what is only learned for questions."""
        self._asked = False
        if self._wanted_of is None:
            self._let_go()

    def predict_rows(self) -> None:
        """Give the measured polymers without an MD value their values, and again whenever others follow from the study."""
        self._wanted_of = self._session.study.derived.assembly
        self._follow(self._session.study.snapshot())

    def _let_go(self) -> None:
        self._prepared = ()
        self._session.jobs.drop(LearnAnswers)
        self._tell_whether_predicting(False)

    @Slot(object)
    def _follow(self, snapshot: Snapshot) -> None:
        """Prepare anew when the answers belong to another state of the study."""
        derived = self._session.study.derived
        present = (derived, snapshot.settings)
        if present == self._prepared:
            return
        self._let_go()
        self.outdated.emit()
        if self._wanted_of is not derived.assembly:
            self._wanted_of = None  # those were the polymers of other tables
        if not self._asked and self._wanted_of is None:
            if not snapshot.tables:
                self._answers = None  # of a study that is gone
            return
        if snapshot.stale or self._session.jobs.is_running(Derive):
            self.held_up.emit()
            return
        self._prepared = present
        self._tell_whether_predicting(self._wanted_of is not None)
        job = LearnAnswers(snapshot, derived, self._answers)
        self._session.jobs.start(job, self._take_learned, self._take)

    def _take(self, answers: "Answers") -> None:
        if answers is not self._answers:
            self._answers = answers
            self.changed.emit(answers)

    def _take_learned(self, answers: "Answers") -> None:
        self._take(answers)
        self._tell_whether_predicting(False)
        derived = self._session.study.derived
        if answers.of_rows is not derived.snapshot.predicted_md:
            shown = replace(derived, snapshot=replace(derived.snapshot, predicted_md=answers.of_rows))
            self._prepared = (shown, *self._prepared[1:])
            self._session.study.accept(shown)

    def _tell_whether_predicting(self, predicting: bool) -> None:
        if predicting != self._predicting:
            self._predicting = predicting
            self.predicting_changed.emit(predicting)

    @Slot(object)
    def _on_end(self, job: AnyJob) -> None:
        """Go on where another Cancel was meant; what takes long goes on when it is asked for."""
        if isinstance(job, Derive):
            self._follow(self._session.study.snapshot())
        elif isinstance(job, LearnAnswers):
            self._wanted_of = None
            self._let_go()
            self.stopped.emit()
