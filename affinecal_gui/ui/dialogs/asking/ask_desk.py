"""Opens the box in which one asks about any polymer, and has it answered in the background."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import AskPolymer, Derive, LearnAnswers

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.asking.answering import Answers
    from affinecal_gui.study.asking.asked_polymer import AskedPolymer
    from affinecal_gui.ui.dialogs.asking.ask_dialog import AskDialog

FOLLOWS = "The study has changed; the answer follows when it is calibrated again."
STOPPED = "Stopped before MD values could be predicted. Press Enter in the field to go on."


class AskDesk(QObject):
    """The questions of one window. What answers them is prepared once for each calibration, while the box is open."""

    selected = Signal(str)  # key of a row that the user wants to see

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._dialogs, self._window = session, dialogs, window
        self._answers: Answers | None = None
        self._prepared: tuple[object, ...] = ()  # of what the answers are, or will be
        self._text = ""  # asked last, also while the box is closed
        self.dialog: AskDialog | None = None
        session.snapshot_changed.connect(self._follow)
        session.jobs.cancelled.connect(self._on_end)
        session.jobs.failed.connect(self._on_end)

    def open(self) -> None:
        """Show the box, or bring it to the front."""
        if self.dialog is None:
            from affinecal_gui.ui.dialogs.asking.ask_dialog import AskDialog

            dialog = AskDialog(self._window)
            if not self._dialogs.show_dialog(dialog):
                dialog.deleteLater()
                return
            dialog.asked.connect(self._ask)
            dialog.selected.connect(self.selected)
            dialog.finished.connect(self._close)
            self.dialog = dialog
            self._follow(self._session.study.snapshot())
            dialog.ask(self._text)
            dialog.field.selectAll()
        self.dialog.raise_()
        self.dialog.activateWindow()

    def shut_down(self) -> None:
        """Close the box."""
        if self.dialog is not None:
            self.dialog.close()

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours."""
        if self.dialog is not None:
            self.dialog.apply_theme(theme)

    @Slot(object)
    def _follow(self, snapshot: Snapshot) -> None:
        """Prepare anew when the answers belong to another state of the study."""
        present = (self._session.study.derived, snapshot.settings)
        if present == self._prepared:
            return
        self._prepared = ()
        for kind in (AskPolymer, LearnAnswers):
            self._session.jobs.drop(kind)
        if self.dialog is None:
            if not snapshot.tables:
                self._answers = None  # of a study that is gone
            return
        if snapshot.stale or self._session.jobs.is_running(Derive):
            self.dialog.say(FOLLOWS)
            return
        self._prepared = present
        job = LearnAnswers(snapshot, self._session.study.derived, self._answers)
        self._session.jobs.start(job, self._take_answers, self._take_answers)

    @Slot(str)
    def _ask(self, text: str) -> None:
        self._text = text
        answers = self._answers
        if not self._prepared:
            self._follow(self._session.study.snapshot())  # it was stopped
        elif answers is not None:
            self._session.jobs.start(AskPolymer(answers, text), self._take_answer)

    def _take_answers(self, answers: "Answers") -> None:
        if self.dialog is not None and answers is not self._answers:
            self._answers = answers
            self.dialog.ask_again()

    def _take_answer(self, answer: "AskedPolymer") -> None:
        if self.dialog is not None:
            self.dialog.show_answer(answer)

    @Slot(object)
    def _on_end(self, job: AnyJob) -> None:
        """Go on where another Cancel was meant; what takes long goes on when it is asked for."""
        if self.dialog is None:
            return
        if isinstance(job, Derive):
            self._follow(self._session.study.snapshot())
        elif isinstance(job, AskPolymer):
            QTimer.singleShot(0, self.dialog, self.dialog.ask_again)
        elif isinstance(job, LearnAnswers):
            self._prepared = ()
            self.dialog.say(STOPPED)

    @Slot()
    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.inspector.close_thumbnails()
            dialog.deleteLater()
        self._prepared = ()
        for kind in (AskPolymer, LearnAnswers):
            self._session.jobs.drop(kind)
