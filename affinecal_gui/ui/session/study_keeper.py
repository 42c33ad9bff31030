"""The file of the window's study: opening and saving, autosaving and recovery, and the list of studies used last."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal

from affinecal_gui.errors import UserError
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.recent import RecentStudies, RecentStudy
from affinecal_gui.study.stored.recovery import Recoverable, RecoveryFile
from affinecal_gui.study.stored.study_names import study_name
from affinecal_gui.ui.running.job import AnyJob
from affinecal_gui.ui.running.user_presence import signs_of_user
from affinecal_gui.ui.running.worker import JobRunner
from affinecal_gui.ui.session.file_jobs import (
    Autosave,
    Autosaving,
    ClearAutosave,
    FindRecoverable,
    ForgetRecent,
    ListRecent,
    OpenStudy,
    Present,
    RememberRecent,
    SaveStudy,
    WrittenParts,
)
from affinecal_gui.ui.session.notices import Notice, notice_of
from affinecal_gui.ui.session.session import Session

if TYPE_CHECKING:  # imports the chemistry, which the first window does not wait for
    from affinecal_gui.study.stored.study_file import OpenedStudy

logger = logging.getLogger(__name__)

AUTOSAVE_MILLISECONDS = 2000  # after the last change, and the last sign of the user
LONGEST_WAIT = 10_000  # milliseconds after which a study is autosaved beside a user or a calculation without a pause

Then = Callable[[], object]


@dataclass(frozen=True, slots=True, eq=False)
class Offers:
    """The studies that a window can open without asking for a file."""

    recent: tuple[RecentStudy, ...] = ()
    recoverable: tuple[Recoverable, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class _Saving:
    """A save that is under way."""

    path: str
    state: StudyState
    then: Then | None


@dataclass(frozen=True, slots=True, eq=False)
class _Opening:
    """A study that is being opened."""

    path: str
    recoverable: Recoverable | None
    then: Then | None


class StudyKeeper(QObject):
    """Knows where the study of the window is stored, and whether that is its present state.

    Opening and saving are jobs of the session, with progress; autosaving and the lists are jobs of their own, which
    nobody sees or waits for.
    """

    changed = Signal()  # the name of the study, or whether something is unsaved
    saved = Signal(str)  # path
    opened = Signal(str)  # path
    autosaved = Signal(bool)  # True: the present state is kept; False: not any more
    offers_changed = Signal(object)  # Offers

    def __init__(self, session: Session, folder: Path | None = None, parent: QObject | None = None) -> None:
        """Watch a session; ``folder`` takes the place of the user's own for recovery files and lists."""
        super().__init__(parent)
        self._session = session
        self.jobs = JobRunner(self)
        self.jobs.failed.connect(self._on_quiet_failed)
        self._recent = RecentStudies(None if folder is None else folder / "recent.json")
        self._recovery = RecoveryFile(None if folder is None else folder / "recovery")
        self._written = WrittenParts()
        self.path = ""
        self.offers = Offers()
        self._saved_state: StudyState | None = StudyState()  # None: the study is in no file of the user's
        self._autosaved: tuple[StudyState, Derived | None] | None = None  # what the recovery file holds
        self._has_recovery_file = False  # or is about to have one
        self._claimed: list[Recoverable] = []  # filled by the job that looks for them
        self._signature: tuple[int, int] | None = None  # of the file when it was opened or saved
        self._saving: _Saving | None = None
        self._opening: _Opening | None = None
        self._told: tuple[str, bool] = ("", False)
        self._has_warned = False
        self._is_closed = False
        self._outlives_window = False
        self.autosave_timer = QTimer(self, interval=AUTOSAVE_MILLISECONDS, singleShot=True)
        self.autosave_timer.timeout.connect(self._autosave)
        self._waiting = QElapsedTimer()
        self._signs: object = None  # of the user
        session.snapshot_changed.connect(self._watch)
        session.started_anew.connect(self._start_anew)
        session.example_opened.connect(self._take_as_saved)
        session.jobs.failed.connect(self._on_failed)
        session.jobs.cancelled.connect(self._on_cancelled)
        QTimer.singleShot(0, self, self._look_around)  # after the window is on the screen

    # -- what it knows --------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """The study as the title bar calls it; "" when there is none."""
        if self.path:
            return study_name(self.path)
        return "New study" if self._session.study.state.tables else ""

    @property
    def is_modified(self) -> bool:
        """Whether something would be lost if the window closed."""
        state = self._session.study.state
        return bool(state.tables or self.path) and state != self._saved_state

    @property
    def suggested_name(self) -> str:
        """A file name for a study that has none yet."""
        if self.path:
            return Path(self.path).name
        return f"{self._session.study.state.quantity.title}.affinecal"

    def was_changed_outside(self) -> bool:
        """Whether another program has changed the file since it was opened or saved here."""
        return self._signature is not None and _signature(self.path) not in (None, self._signature)

    # -- wishes ---------------------------------------------------------------------------------------------------

    def open(self, path: str, then: Then | None = None) -> None:
        """Open a study in the place of the present one; afterwards do something more."""
        self._opening = _Opening(path, None, then)
        self._session.jobs.start(OpenStudy(path), self._take_opened)

    def recover(self, recoverable: Recoverable) -> None:
        """Open the study of a window that is gone; what it holds stays kept until it is saved or given up."""
        self._opening = _Opening(str(recoverable.path), recoverable, None)
        self._session.jobs.start(OpenStudy(str(recoverable.path)), self._take_opened)

    def save(self, path: str, then: Then | None = None) -> None:
        """Save the study to a file, which is replaced if it exists; afterwards do something more."""
        state, derived = self._present()
        self._saving = _Saving(path, state, then)
        self._session.jobs.start(SaveStudy(path, state, derived, self._written), self._take_saved)

    def forget_recent(self, path: str) -> None:
        """Take a study off the list."""
        self.jobs.start(ForgetRecent(self._recent, path), self._take_recent)

    def keep_for_next_start(self) -> None:
        """Keep what is not saved beyond the window, which is about to be closed without having been asked."""
        if self._is_closed or not self.is_modified:
            return
        self.autosave_timer.stop()
        self.jobs.shut_down()
        present = self._present()
        try:
            if self._autosaved is None or not _same(self._autosaved, present):
                self._recovery.save(*present, original=self.path)
        except UserError as error:
            logger.warning("%s", error)  # what was kept before stands
        self._outlives_window = True

    def stop(self) -> None:
        """Begin nothing more, and stop what is under way: the window is about to close."""
        self._is_closed = True
        self.autosave_timer.stop()
        self.jobs.stop_all()

    def close(self) -> None:
        """Forget what was kept for a crash: the window closes as it should."""
        self._is_closed = True
        self.autosave_timer.stop()
        self.jobs.shut_down()
        self._recovery.close(remove=not self._outlives_window)
        for recoverable in self._claimed:
            recoverable.leave()
        self._claimed.clear()
        self.offers = Offers()

    # -- the session ----------------------------------------------------------------------------------------------

    def _present(self) -> tuple[StudyState, Derived | None]:
        study = self._session.study
        return study.state, None if study.needs_work else study.derived

    def _watch(self, _snapshot: object) -> None:
        if self._is_closed:
            return
        self._tell()
        if not self.is_modified:
            self._forget_autosave()
            return
        if self._autosaved is None or not _same(self._autosaved, self._present()):
            if not self.autosave_timer.isActive():
                self._waiting.start()
            if self._waiting.elapsed() < LONGEST_WAIT:
                self._wait()
            self.autosaved.emit(False)

    def _tell(self) -> None:
        told = (self.name, self.is_modified)
        if told != self._told:
            self._told = told
            self.changed.emit()

    def _start_anew(self) -> None:
        self._written.forget()
        self._settle("", StudyState())

    def _take_as_saved(self) -> None:
        """Count a bundled example, which can be opened again at any time, as no unsaved work."""
        self._settle("", self._session.study.state)

    def _settle(self, path: str, saved_state: StudyState | None) -> None:
        self.path, self._saved_state = path, saved_state
        self._signature = _signature(path) if path and saved_state is not None else None
        if not self.is_modified:
            self._forget_autosave()
        self._tell()

    def _take_saved(self, summary: str) -> None:
        saving, self._saving = self._saving, None
        if saving is None:
            return
        self._settle(saving.path, saving.state)
        self._remember_recent(saving.path, summary)
        path = Path(saving.path)
        self._session.noticed.emit(Notice("done", f"Saved {path.name} in {path.parent}."))
        self.saved.emit(saving.path)
        if saving.then is not None:
            saving.then()

    def _take_opened(self, opened: "OpenedStudy") -> None:
        opening, self._opening = self._opening, None
        if opening is None:
            return
        self._show(opening, opened)
        if opening.then is not None:
            opening.then()

    def _show(self, opening: _Opening, result: "OpenedStudy") -> None:
        self._written.forget()
        recoverable = opening.recoverable
        if recoverable is None:
            path, text = opening.path, f"Opened {Path(opening.path).name}."
            self._session.replace_study(result.state, result.derived)
            self._settle(path, result.state)
            self._remember_recent(path, result.manifest.summary)
        else:
            path, text = recoverable.original, "The study is as it was when AffineCal ended. It is not saved yet."
            self.jobs.drop(Autosave)  # it is about the study that leaves
            self._recovery.adopt(recoverable)
            self._claimed.remove(recoverable)
            self._session.replace_study(result.state, result.derived)
            self._has_recovery_file = True
            self._settle(path, None)
            self._offer(self.offers.recent, tuple(self._claimed))
        kind = "caution" if result.notes else "done"
        self._session.noticed.emit(Notice(kind, " ".join((text, *result.notes))))
        self.opened.emit(path)

    def _on_failed(self, job: AnyJob, error: object) -> None:
        if isinstance(job, OpenStudy) and self._opening is not None:
            path = self._opening.path
            self._opening = None
            if any(study.path == path for study in self.offers.recent) and not Path(path).exists():
                self.forget_recent(path)
        elif isinstance(job, SaveStudy):
            self._saving = None

    def _on_cancelled(self, job: AnyJob) -> None:
        self._on_failed(job, None)

    # -- autosave -------------------------------------------------------------------------------------------------

    def _wait(self) -> None:
        self._signs = signs_of_user()
        self.autosave_timer.start()

    def _autosave(self) -> None:
        present = self._present()
        if self._is_closed or not self.is_modified or (self._autosaved and _same(self._autosaved, present)):
            return
        if self._waiting.elapsed() < LONGEST_WAIT and (self._session.is_busy or signs_of_user() != self._signs):
            self._wait()
            return
        self._has_recovery_file = True
        self.jobs.start(Autosave(self._recovery, present, self.path), self._take_autosaved)

    def _forget_autosave(self) -> None:
        """Remove what is kept; a job for the same purpose stops the one that may be writing it."""
        self.autosave_timer.stop()
        self._autosaved = None
        if self._has_recovery_file:
            self._has_recovery_file = False
            self.jobs.start(ClearAutosave(self._recovery))
            self.autosaved.emit(False)

    def _take_autosaved(self, kept: Present | None) -> None:
        self._autosaved = kept
        self._has_warned = False
        self.autosaved.emit(True)

    def _on_quiet_failed(self, job: AnyJob, error: BaseException) -> None:
        if isinstance(job, Autosaving) and not self._has_warned:
            self._has_warned = True  # once, until it works again
            notice = notice_of(error)
            kind = "caution" if isinstance(error, UserError) else notice.kind
            self._session.noticed.emit(Notice(kind, notice.text, notice.details))

    # -- lists ----------------------------------------------------------------------------------------------------

    def _look_around(self) -> None:
        if not self._is_closed:
            self.jobs.start(ListRecent(self._recent), self._take_recent)
            self.jobs.start(FindRecoverable(self._recovery.folder, self._claimed), self._take_recoverable)

    def _remember_recent(self, path: str, summary: str) -> None:
        self.jobs.start(RememberRecent(self._recent, path, summary), self._take_recent)

    def _take_recent(self, recent: tuple[RecentStudy, ...]) -> None:
        self._offer(recent, self.offers.recoverable)

    def _take_recoverable(self, _found: None) -> None:
        self._offer(self.offers.recent, tuple(self._claimed))

    def _offer(self, recent: tuple[RecentStudy, ...], recoverable: tuple[Recoverable, ...]) -> None:
        self.offers = Offers(recent, recoverable)
        self.offers_changed.emit(self.offers)


def _same(one: tuple[StudyState, Derived | None], other: tuple[StudyState, Derived | None]) -> bool:
    """Whether nothing has changed; what was derived is compared by identity."""
    return one[0] == other[0] and one[1] is other[1]


def _signature(path: str) -> tuple[int, int] | None:
    """Return what changes when a file is written; None when it cannot be seen."""
    try:
        found = Path(path).stat()
    except (OSError, ValueError):
        return None
    return found.st_mtime_ns, found.st_size
