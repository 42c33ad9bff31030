"""The jobs about the file of a study: opening, saving, autosaving, and the lists of studies."""

from abc import ABC
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.study.derived import Derived
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.stored.recent import RecentStudies, RecentStudy
from affinecal_gui.study.stored.recovery import Recoverable, RecoveryFile, find_recoverable
from affinecal_gui.task import Task
from affinecal_gui.ui.running.job import Job

if TYPE_CHECKING:  # imports the chemistry, which the first window does not wait for
    from affinecal_gui.study.stored.study_file import KnownMembers, OpenedStudy

Present = tuple[StudyState, Derived | None]
"""A study, and what was derived from it where that is up to date."""


@dataclass(frozen=True, eq=False)
class OpenStudy(Job["OpenedStudy"]):
    """Open a study file."""

    path: str

    def run(self, task: Task, publish: "Callable[[OpenedStudy], None]") -> "OpenedStudy":
        """Open it."""
        task.report(0.0, f"Opening {Path(self.path).name}")
        from affinecal_gui.study.stored.study_file import open_study

        return open_study(self.path, task=task)


class WrittenParts:
    """What the last save has written, so that only what has changed is made anew; heavy, and therefore made by a job."""

    def __init__(self) -> None:
        self.known: KnownMembers | None = None

    def forget(self) -> None:
        """Keep nothing of a study that has left the window."""
        self.known = None


@dataclass(frozen=True, eq=False)
class SaveStudy(Job[str]):
    """Write a study; what was written before and is the same now is copied. The result is its summary."""

    path: str
    state: StudyState
    derived: Derived | None
    written: WrittenParts

    def run(self, task: Task, publish: Callable[[str], None]) -> str:
        """Write it."""
        task.report(0.0, f"Saving {Path(self.path).name}")
        from affinecal_gui.study.stored.study_file import KnownMembers, save_study

        known = self.written.known = self.written.known or KnownMembers()
        return save_study(self.path, self.state, self.derived, overwrite=True, known=known, task=task).summary


class Autosaving(Job[Present | None], ABC):
    """Keeping the recovery file up to date; the result is what it holds."""


@dataclass(frozen=True, eq=False)
class Autosave(Autosaving):
    """Keep the present state of a study, for nobody who waits."""

    is_background = True
    recovery: RecoveryFile
    present: Present
    original: str  # path of the study that it is the next state of

    def run(self, task: Task, publish: Callable[[Present | None], None]) -> Present:
        """Write the recovery file."""
        self.recovery.save(*self.present, original=self.original, task=task)
        return self.present


@dataclass(frozen=True, eq=False)
class ClearAutosave(Autosaving):
    """Keep nothing."""

    recovery: RecoveryFile

    def run(self, task: Task, publish: Callable[[Present | None], None]) -> None:
        """Remove the recovery file."""
        self.recovery.clear(task=task)


@dataclass(frozen=True, eq=False)
class FindRecoverable(Job[None]):
    """Find what windows that are gone have kept, and claim it."""

    folder: Path
    claimed: list[Recoverable]

    def run(self, task: Task, publish: Callable[[None], None]) -> None:
        """Claim them."""
        self.claimed.extend(find_recoverable(self.folder))  # here: known even if the window closes meanwhile


class RecentList(Job[tuple[RecentStudy, ...]], ABC):
    """Reading or changing the list of recent studies; the result is the list."""


@dataclass(frozen=True, eq=False)
class ListRecent(RecentList):
    """Read the list."""

    recent: RecentStudies

    def run(self, task: Task, publish: "Callable[[tuple[RecentStudy, ...]], None]") -> tuple[RecentStudy, ...]:
        """Read it."""
        return tuple(self.recent.listed())


@dataclass(frozen=True, eq=False)
class RememberRecent(RecentList):
    """Put a study at the top of the list."""

    recent: RecentStudies
    path: str
    subtitle: str

    def run(self, task: Task, publish: "Callable[[tuple[RecentStudy, ...]], None]") -> tuple[RecentStudy, ...]:
        """Write the list."""
        return tuple(self.recent.remember(self.path, self.subtitle))


@dataclass(frozen=True, eq=False)
class ForgetRecent(RecentList):
    """Take a study off the list."""

    recent: RecentStudies
    path: str

    def run(self, task: Task, publish: "Callable[[tuple[RecentStudy, ...]], None]") -> tuple[RecentStudy, ...]:
        """Write the list."""
        return tuple(self.recent.forget(self.path))
