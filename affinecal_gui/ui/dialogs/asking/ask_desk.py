"""Opens the box in which one asks about any polymer, and has it answered in the background."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.ui.dialogs.dialog_desk import DialogDesk
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


class AskDesk(DialogDesk["AskDialog"]):
    """The questions of one window. What answers them is prepared once for each calibration."""

    selected = Signal(str)  # key of a row that the user wants to see

    def __init__(self, session: Session, answers: StudyAnswers, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(dialogs, window)
        self._session, self._answers = session, answers
        self._text = ""  # asked last, also while the box is closed
        answers.changed.connect(self._take_answers)
        answers.outdated.connect(self._drop_question)
        answers.held_up.connect(self._say_held_up)
        answers.stopped.connect(self._say_stopped)
        session.jobs.cancelled.connect(self._on_end)
        session.jobs.failed.connect(self._on_end)

    def make(self, window: QWidget) -> "AskDialog":
        """Return the box."""
        from affinecal_gui.ui.dialogs.asking.ask_dialog import AskDialog

        dialog = AskDialog(window)
        dialog.asked.connect(self._ask)
        dialog.selected.connect(self.selected)
        return dialog

    def opened(self, dialog: "AskDialog") -> None:
        """Ask anew what was asked last."""
        self._answers.ask()
        dialog.box.ask(self._text)
        dialog.box.field.selectAll()

    def closed(self) -> None:
        """Answer no more."""
        self._drop_question()
        self._answers.ask_no_more()

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
            self.dialog.box.ask_again()

    def _take_answer(self, answer: "AskedPolymer") -> None:
        if self.dialog is not None:
            self.dialog.box.show_answer(answer)

    @Slot()
    def _drop_question(self) -> None:
        self._session.jobs.drop(AskPolymer)

    @Slot()
    def _say_held_up(self) -> None:
        if self.dialog is not None:
            self.dialog.box.say(FOLLOWS)

    @Slot()
    def _say_stopped(self) -> None:
        if self.dialog is not None:
            self.dialog.box.say(STOPPED)

    @Slot(object)
    def _on_end(self, job: AnyJob) -> None:
        """Ask again where another Cancel was meant."""
        if self.dialog is not None and isinstance(job, AskPolymer):
            QTimer.singleShot(0, self.dialog, self.dialog.box.ask_again)
