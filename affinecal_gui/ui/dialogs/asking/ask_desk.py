"""Opens the box in which one asks about any polymer, and has it answered in the background."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_answers import StudyAnswers
from affinecal_gui.ui.session.study_jobs import AskPolymer

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.asking.answering import Answers
    from affinecal_gui.study.asking.asked_polymer import AskedPolymer
    from affinecal_gui.ui.dialogs.asking.ask_dialog import AskDialog

FOLLOWS = "The study has changed; the answer follows when it is calibrated again."
STOPPED = "Stopped before MD values could be predicted. Press Enter in the field to go on."


class AskDesk(QObject):
    """The questions of one window. What answers them is prepared once for each calibration."""

    selected = Signal(str)  # key of a row that the user wants to see

    def __init__(self, session: Session, answers: StudyAnswers, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._answers, self._dialogs, self._window = session, answers, dialogs, window
        self._text = ""  # asked last, also while the box is closed
        self.dialog: AskDialog | None = None
        answers.changed.connect(self._take_answers)
        answers.outdated.connect(self._drop_question)
        answers.held_up.connect(self._say_held_up)
        answers.stopped.connect(self._say_stopped)
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
            self._answers.ask()
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

    @Slot(str)
    def _ask(self, text: str) -> None:
        self._text = text
        answers = self._answers.answers
        if answers is not None:
            self._session.jobs.start(AskPolymer(answers, text), self._take_answer)
        else:
            self._answers.ask()  # it was stopped, or is prepared already

    @Slot(object)
    def _take_answers(self, _answers: "Answers") -> None:
        if self.dialog is not None:
            self.dialog.ask_again()

    def _take_answer(self, answer: "AskedPolymer") -> None:
        if self.dialog is not None:
            self.dialog.show_answer(answer)

    @Slot()
    def _drop_question(self) -> None:
        self._session.jobs.drop(AskPolymer)

    @Slot()
    def _say_held_up(self) -> None:
        if self.dialog is not None:
            self.dialog.say(FOLLOWS)

    @Slot()
    def _say_stopped(self) -> None:
        if self.dialog is not None:
            self.dialog.say(STOPPED)

    @Slot(object)
    def _on_end(self, job: AnyJob) -> None:
        """Ask again where another Cancel was meant."""
        if self.dialog is not None and isinstance(job, AskPolymer):
            QTimer.singleShot(0, self.dialog, self.dialog.ask_again)

    @Slot()
    def _close(self) -> None:
        dialog, self.dialog = self.dialog, None
        if dialog is not None:
            dialog.inspector.close_thumbnails()
            dialog.deleteLater()
        self._drop_question()
        self._answers.ask_no_more()
