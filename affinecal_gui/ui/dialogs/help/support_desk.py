"""What a user does about the program itself: asking for a newer one, and saving what failed for those who mend it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QGuiApplication
from PySide6.QtWidgets import QWidget

from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.session.session import Session

if TYPE_CHECKING:  # imported when it is first asked for
    from affinecal_gui.support.releases import Answer

ARCHIVE_FILTER = "Crash report (*.zip)"


@dataclass(frozen=True, eq=False)
class CheckForUpdates(Job["Answer"]):
    """Ask the release page for the newest version."""

    def run(self, task: Task, publish: "Callable[[Answer], None]") -> "Answer":
        """Ask, or say that there is nobody to ask."""
        from affinecal_gui.errors import UserError
        from affinecal_gui.support.releases import Answer, check_for_updates, release_address

        try:
            return check_for_updates(release_address(), task=task)
        except UserError as error:  # no problem of the study
            return Answer(str(error))


@dataclass(frozen=True, eq=False)
class SaveCrashReport(Job[tuple[str, ...]]):
    """Write a crash report; the result is its path."""

    path: str
    window: dict[str, str]

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write it."""
        from affinecal_gui.support.crash_report import write_crash_report

        write_crash_report(self.path, window=self.window, task=task)
        return (self.path,)


class SupportDesk(QObject):
    """Serves one window; nothing happens before somebody asks."""

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(window)
        self._session, self._dialogs = session, dialogs

    @Slot()
    def check_for_updates(self) -> None:
        """Ask in the background whether there is a newer version, and say so in one sentence."""
        self._session.jobs.start(CheckForUpdates(), self._tell)

    @Slot()
    def save_crash_report(self) -> None:
        """Ask where to save the report, and save it there."""
        name = f"affinecal-crash-report-{datetime.now().astimezone():%Y-%m-%d}.zip"
        path = self._dialogs.save_file("Save a crash report", name, ARCHIVE_FILTER)
        if path:
            self._session.jobs.start(SaveCrashReport(path, _window_facts()), self._session.exported.emit)

    def _tell(self, answer: "Answer") -> None:
        action = None
        if answer.page:
            action = NoticeAction("Open the release page", lambda: QDesktopServices.openUrl(QUrl(answer.page)))
        self._session.noticed.emit(Notice("answer", answer.sentence, action=action))


def _window_facts() -> dict[str, str]:
    screens = QGuiApplication.screens()
    sizes = (f"{one.size().width()} x {one.size().height()} at {one.devicePixelRatio():g}" for one in screens)
    return {"platform of the window": QGuiApplication.platformName(), "screens": ", ".join(sizes)}
