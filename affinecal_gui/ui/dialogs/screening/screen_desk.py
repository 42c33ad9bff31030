"""Opens the dialog that screens a library, runs the screening, and writes the best as jobs for RadonPy."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl, Slot
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from affinecal_gui.calibration.names import calibrator_title
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.task import Task
from affinecal_gui.ui.dialogs.calibrators.calibrator_jobs import OpenCalibrator, OpenedCalibrator
from affinecal_gui.ui.dialogs.dialog_desk import DialogDesk
from affinecal_gui.ui.dialogs.exporting.exports import CSV_FILTER
from affinecal_gui.ui.dialogs.screening.screen_job import ScreeningChoice, ScreeningNews, ScreenLibrary
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.session.dialogs import Dialogs
from affinecal_gui.ui.session.notices import notice_of
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Export

if TYPE_CHECKING:  # these import the chemistry, which the first window does not wait for
    from affinecal_gui.study.derived import Derived
    from affinecal_gui.tables.units.properties import Property
    from affinecal_gui.tasks.screening.results.so_far import Candidate
    from affinecal_gui.ui.dialogs.screening.screen_dialog import ScreenDialog

NO_CALIBRATION = "There is no calibration yet: load measured and MD values first."
STOPPED = "Stopped. What is finished is kept: Start goes on from there."
NOTHING_TO_ADD = (
    "There is nothing to add: the study knows these polymers, or their MD values are predicted. Save those as RadonPy "
    "jobs, and add what the simulations give."
)
ALL_SIMULATED = "There is nothing to save: the MD values of these polymers are known."


class ScreenDesk(DialogDesk["ScreenDialog"]):
    """The screenings of one window, one at a time."""

    def __init__(self, session: Session, dialogs: Dialogs, window: QWidget) -> None:
        super().__init__(dialogs, window)
        self._session = session
        self._ranked = ""  # by what, of what is shown
        self._screened: Property | None = None  # of what is shown
        self._calibrated: Derived | None = None  # for a screening, of a study that comes out of a file
        session.snapshot_changed.connect(self._follow)
        session.jobs.cancelled.connect(self._on_cancelled)
        session.jobs.failed.connect(self._on_failed)

    def make(self, window: QWidget) -> "ScreenDialog":
        """Return the dialog."""
        from affinecal_gui.ui.dialogs.screening.screen_dialog import ScreenDialog

        dialog, choose_folder = ScreenDialog(window), self._dialogs.choose_folder
        dialog.library_wanted.connect(lambda: dialog.choose_library(self._dialogs.open_library("Library to screen")))
        dialog.library_folder_wanted.connect(lambda: dialog.choose_library(choose_folder("Library to screen")))
        dialog.calibrator_wanted.connect(self._choose_calibrator)
        dialog.output_wanted.connect(lambda: dialog.choose_output(choose_folder("Folder of the results")))
        dialog.start_wanted.connect(self._start)
        dialog.cancel_wanted.connect(self._cancel)
        dialog.jobs_wanted.connect(self._save_jobs)
        dialog.study_wanted.connect(self._add_to_study)
        dialog.folder_wanted.connect(self._open_folder)
        return dialog

    def opened(self, dialog: "ScreenDialog") -> None:
        """Say what it would screen with."""
        self._follow(self._session.study.snapshot())

    def closed(self) -> None:
        """Forget what another screening would have used."""
        self._calibrated = None

    @Slot(object)
    def _follow(self, snapshot: Snapshot) -> None:
        """Say which calibrator the next screening is done with."""
        calibration, quantity = snapshot.calibration, snapshot.quantity
        if self._calibrated is not None and self._calibrated.state != self._session.study.state:
            self._calibrated = None
        if self.dialog is None:
            return
        if calibration is None or quantity is None:
            self.dialog.show_calibrator(NO_CALIBRATION, None, 0.9)
            return
        name = calibrator_title(snapshot.settings.model, log_scale=calibration.log_scale)
        text = f"{name}, for {quantity.title.lower()}, as it is shown in the window"
        self.dialog.show_calibrator(text, quantity, calibration.interval_level)

    @Slot(object)
    def _start(self, choice: ScreeningChoice) -> None:
        study, dialog = self._session.study, self.dialog
        snapshot = study.snapshot()
        if dialog is None:
            return
        if snapshot.calibration is None or snapshot.quantity is None or study.needs_work:
            dialog.say(
                "caution", NO_CALIBRATION if snapshot.calibration is None else "Wait until it is calibrated again."
            )
            return
        dialog.begin()
        dialog.name_values(snapshot.quantity.title, snapshot.quantity.unit, snapshot.calibration.interval_level)
        self._screened = snapshot.quantity
        bound = "lower bound" if choice.highest_first else "upper bound"
        best = "highest" if choice.highest_first else "lowest"
        by = {"value": f"{best} value", "bound": f"{best} {bound}", "probability": "probability of meeting the wishes"}
        self._ranked = by[choice.ranked_by]
        if choice.ranked_by != "probability":
            self._ranked += f" of {snapshot.quantity.title.lower()}"
        job = ScreenLibrary(study.state, self._calibrated or study.derived, snapshot, choice)
        self._session.jobs.start(job, self._take_end, self._take_news)

    @Slot()
    def _choose_calibrator(self) -> None:
        path = self._dialogs.open_calibrator("Calibrator of another property")
        if path:
            self._session.jobs.start(OpenCalibrator(path), self._add_calibrator)

    def _add_calibrator(self, opened: OpenedCalibrator) -> None:
        """Screen with another calibrator as well."""
        if self.dialog is not None:
            refused = self.dialog.wishes.add(opened.file.facts.quantity, Path(opened.path))
            self.dialog.say("caution" if refused else "info", refused)

    @Slot()
    def _cancel(self) -> None:
        self._session.jobs.cancel(ScreenLibrary)

    def _take_news(self, news: ScreeningNews) -> None:
        self._keep(news)
        if self.dialog is not None:
            self.dialog.show_news(news)

    def _keep(self, news: ScreeningNews) -> None:
        """Keep what the next screening of the same study would calibrate anew."""
        if news.calibrated is not None and news.calibrated.state == self._session.study.state:
            self._calibrated = news.calibrated

    def _take_end(self, news: ScreeningNews) -> None:
        self._keep(news)
        if self.dialog is not None:
            self.dialog.show_found(news.found)
            self.dialog.show_trade_off(news.trade_off, news.beside)
            self.dialog.show_steps(news.steps, news.of)
            self.dialog.end("check", news.sentence)

    @Slot(object)
    def _on_cancelled(self, job: AnyJob) -> None:
        if self.dialog is not None and isinstance(job, ScreenLibrary):
            self.dialog.end("info", STOPPED)

    @Slot(object, object)
    def _on_failed(self, job: AnyJob, error: BaseException) -> None:
        if self.dialog is not None and isinstance(job, ScreenLibrary):
            self.dialog.end("bad", notice_of(error).text)

    @Slot(object)
    def _save_jobs(self, candidates: "list[Candidate]") -> None:
        from affinecal_gui.tasks.screening.candidate_jobs import to_simulate

        wanted = to_simulate(candidates)
        if not wanted:
            if self.dialog is not None:
                self.dialog.say("info", ALL_SIMULATED)
            return
        path = self._dialogs.save_file("Save as RadonPy jobs", "input_data.csv", CSV_FILTER)
        if path:
            left_out = len(candidates) - len(wanted)
            others = f" {left_out:,} are left out, as they come again or were simulated." if left_out else ""
            words = f"Saved {len(wanted):,} jobs, at 300 K and 1 atm, as {Path(path).name}.{others}"
            job = ExportCandidates(tuple(wanted), f"screening: {self._ranked}", Path(path))
            self._session.jobs.start(job, partial(self._tell_saved, words))

    @Slot(object)
    def _add_to_study(self, candidates: "list[Candidate]") -> None:
        """Add the polymers that the library has simulated as a table of MD values, which can be undone."""
        from affinecal_gui.tasks.screening.candidates_for_study import table_for_study, to_add

        wanted = to_add(candidates)
        if self.dialog is None or self._screened is None:
            return
        if not wanted:
            self.dialog.say("info", NOTHING_TO_ADD)
            return
        self._session.open_text(table_for_study(wanted, self._screened), called="candidates")
        left_out = len(candidates) - len(wanted)
        others = (
            f" {left_out:,} are left out: they come again, the study knows them, or their MD values are predicted."
            if left_out
            else ""
        )
        them = "1 polymer is" if len(wanted) == 1 else f"{len(wanted):,} polymers are"
        self.dialog.say("check", f"{them} added to the study, which is calibrated again.{others}")

    def _tell_saved(self, words: str, paths: tuple[str, ...]) -> None:
        self._session.exported.emit(paths)
        if self.dialog is not None:
            self.dialog.say("check", words)

    @Slot(object)
    def _open_folder(self, folder: Path) -> None:
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))


@dataclass(frozen=True, eq=False)
class ExportCandidates(Export):
    """Write the best polymers of a screening as RadonPy takes its jobs."""

    candidates: "tuple[Candidate, ...]"
    why: str
    path: Path

    def run(self, task: Task, publish: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
        """Write the file."""
        from affinecal_gui.tables.writing.simulation_jobs import write_simulation_jobs
        from affinecal_gui.tasks.screening.candidate_jobs import candidate_jobs

        write_simulation_jobs(self.path, candidate_jobs(self.candidates, self.why), overwrite=True, task=task)
        return (str(self.path),)
