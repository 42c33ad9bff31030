"""The studies used last, for the welcome page: a small JSON file in the user's configuration folder."""

import datetime
import logging
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.own_folders import own_folder
from affinecal_gui.study.records.file_lock import alone_with
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain
from affinecal_gui.study.stored.study_names import study_name

logger = logging.getLogger(__name__)

MOST_RECENT = 8
LARGEST_FILE = 1 << 20
SECONDS_TO_WAIT = 1.0  # for another program that is changing the list


@dataclass(frozen=True, slots=True)
class RecentStudy:
    """A study that was opened or saved lately."""

    path: str
    title: str
    subtitle: str  # "61 polymers, affine, RMSE 258 J/(kg K)"
    used: str  # date and time, ISO 8601

    def day(self, today: datetime.date | None = None) -> str:
        """Return when it was used: "today", "yesterday", "12 May"; "" if that is not known."""
        try:
            used = datetime.datetime.fromisoformat(self.used).astimezone().date()
        except (ValueError, OverflowError, OSError):
            return ""
        return day_in_words(used, datetime.datetime.now().astimezone().date() if today is None else today)


@dataclass(frozen=True, slots=True)
class _List:
    """What the file holds."""

    version: int
    studies: tuple[RecentStudy, ...]


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def day_in_words(day: datetime.date, today: datetime.date) -> str:
    """Return a day as people say it: "today", "yesterday", "12 May", "12 May 2024"."""
    age = (today - day).days
    if age in (0, 1):
        return ("today", "yesterday")[age]
    text = f"{day.day} {_MONTHS[day.month - 1]}"
    return text if day.year == today.year else f"{text} {day.year}"


def default_path() -> Path:
    """Return where the list lies on this system."""
    return own_folder("config") / "recent.json"


class RecentStudies:
    """The list. Whatever is wrong with its file, the worst that happens is that the list is empty."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = default_path() if path is None else path

    def listed(self) -> tuple[RecentStudy, ...]:
        """Return the studies that still exist, newest first."""
        return tuple(study for study in self._read() if _may_exist(study.path))

    def remember(self, path: str | os.PathLike[str], subtitle: str) -> tuple[RecentStudy, ...]:
        """Put a study at the top of the list; returns the list."""
        now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
        text = os.path.abspath(path)  # noqa: PTH100
        newest = RecentStudy(text, study_name(text), subtitle, now)
        return self._change(lambda known: (newest, *(study for study in known if not _same(study.path, text))))

    def forget(self, path: str | os.PathLike[str]) -> tuple[RecentStudy, ...]:
        """Take a study off the list; returns the list."""
        text = os.path.abspath(path)  # noqa: PTH100
        return self._change(lambda known: tuple(study for study in known if not _same(study.path, text)))

    def _change(
        self, change: "Callable[[tuple[RecentStudy, ...]], tuple[RecentStudy, ...]]"
    ) -> tuple[RecentStudy, ...]:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_with(self.path, SECONDS_TO_WAIT):
                studies = change(self.listed())[:MOST_RECENT]
                write_atomically(self.path, to_json(to_plain(_List(1, studies))), overwrite=True)
        except (OSError, UserError) as error:
            logger.warning("The list of recent studies cannot be kept: %s", error)
            return change(self.listed())[:MOST_RECENT]
        return studies

    def _read(self) -> tuple[RecentStudy, ...]:
        try:
            if self.path.stat().st_size > LARGEST_FILE:
                return ()
            return from_plain(_List, from_json(self.path.read_bytes(), self.path.name), self.path.name).studies
        except (OSError, DamagedContent):
            return ()


def _same(one: str, other: str) -> bool:
    return os.path.normcase(one) == os.path.normcase(other)


def _may_exist(path: str) -> bool:
    """Whether a file exists; one on another computer may, and asking could take half a minute."""
    if path.startswith(("\\\\", "//")):
        return True
    try:
        return Path(path).is_file()
    except (OSError, ValueError):
        return False
