"""Opens the matching report, keeps it up to date, and passes its wishes on."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Signal, Slot
from PySide6.QtWidgets import QWidget

from affinecal_gui.study.snapshot import MatchingChoices, Snapshot
from affinecal_gui.task import Task
from affinecal_gui.ui.dialogs.dialog_desk import DialogDesk
from affinecal_gui.ui.dialogs.exporting.exports import CSV_FILTER
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import Notice
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Export, ReportMatching

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.shown.matching_content import MatchingContent
    from affinecal_gui.ui.dialogs.matching.match_dialog import MatchDialog


class MatchDesk(DialogDesk["MatchDialog"]):
    """The matching report of one window."""

    selected = Signal(str)  # key of a row that the user looks at in the report
    left = Signal()  # the report was closed

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(dialogs, window)
        self._session = session
        self._shown: tuple[object, frozenset[str]] | None = None  # what the report was asked for
        session.matching_reported.connect(self._show)
        session.snapshot_changed.connect(self._follow)
        session.jobs.cancelled.connect(self._ask_again)

    def open(self, *, only_without_partner: bool = False) -> None:
        """Show the report, or bring it to the front."""
        if self._session.study.derived.assembly is None:
            text = "There is nothing to compare yet. Load measured values and MD values first."
            self._session.noticed.emit(Notice("caution", text, stands_while=lambda shown: not shown.compared))
            return
        super().open()
        if self.dialog is not None and only_without_partner:
            self.dialog.show_without_partner()
        self._follow(None)

    def make(self, window: QWidget) -> "MatchDialog":
        """Return the report, with nothing in it."""
        from affinecal_gui.ui.dialogs.matching.match_dialog import MatchDialog

        dialog = MatchDialog(window)
        dialog.choices_changed.connect(self._choose)
        dialog.link_wanted.connect(self._link)
        dialog.unlink_wanted.connect(self._unlink)
        dialog.selected.connect(self.selected)
        dialog.export_wanted.connect(self._export)
        return dialog

    def closed(self) -> None:
        """Forget what was reported, and say so."""
        self._shown = None
        self.left.emit()

    @Slot(object)
    def _follow(self, _snapshot: Snapshot | None) -> None:
        """Ask for a new report when something that it says has changed."""
        if self.dialog is None:
            return
        study = self._session.study
        wanted = (study.derived.assembly, study.state.settings.left_out)
        if study.derived.assembly is None:
            self.dialog.close()
        elif self._shown is None or wanted[0] is not self._shown[0] or wanted[1] != self._shown[1]:
            self._shown = wanted
            self._session.report_matching()

    @Slot(object)
    def _ask_again(self, job: AnyJob) -> None:
        """Work the report out after all: Cancel is meant for what the window calculates, and stops everything."""
        if isinstance(job, ReportMatching):
            self._shown = None
            QTimer.singleShot(0, self, self._follow_now)

    @Slot()
    def _follow_now(self) -> None:
        self._follow(None)

    @Slot(object)
    def _show(self, content: "MatchingContent") -> None:
        if self.dialog is not None:
            self.dialog.show_content(content)

    @Slot(str, object)
    def _choose(self, label: str, choices: MatchingChoices) -> None:
        # Links may have been made since the report was shown.
        present = self._session.study.state.settings.matching
        self._session.change_matching(label, _with_links(choices, present))

    @Slot(str, str)
    def _link(self, measured: str, md: str) -> None:
        self._session.link_by_hand(measured, md)

    @Slot(str)
    def _unlink(self, measured: str) -> None:
        self._session.link_by_hand(measured, None)

    @Slot()
    def _export(self) -> None:
        content = self.dialog.content if self.dialog is not None else None
        if content is None:
            return
        path = self._dialogs.save_file("Save the matching report", "matching.csv", CSV_FILTER)
        if path:
            self._session.export(ExportMatches(content, Path(path)))


def _with_links(choices: MatchingChoices, present: MatchingChoices) -> MatchingChoices:
    return replace(choices, by_hand=present.by_hand)


@dataclass(frozen=True, eq=False)
class ExportMatches(Export):
    """Write the matching report as CSV."""

    content: "MatchingContent"
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write it."""
        from affinecal_gui.tables.matching.match_report import write_match_report
        from affinecal_gui.tables.writing.csv_export import CsvStyle

        style = CsvStyle(byte_order_mark=True)
        write_match_report(self.path, self.content.match_lines, style=style, overwrite=True, task=task)
        return (str(self.path),)
