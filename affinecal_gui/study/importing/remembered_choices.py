"""Choices made in the import preview, kept for files of the same shape in a JSON file in the user's folder."""

import logging
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.study.records.file_lock import alone_with
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain
from affinecal_gui.study.table_source import ImportChoices
from affinecal_gui.tables.text.options import ReadOptions

if TYPE_CHECKING:  # the first window does not wait for what reads tables
    from affinecal_gui.tables.headings.column_roles import Roles
    from affinecal_gui.tables.raw_table import RawTable

logger = logging.getLogger(__name__)

MOST_SHAPES = 100
MOST_COLUMNS = 2000
LARGEST_FILE = 8 << 20
SECONDS_TO_WAIT = 1.0


@dataclass(frozen=True, slots=True)
class _Entry:
    """What was chosen for one shape; ``shape`` is that of the file as it is read without any choice."""

    shape: str
    options: ReadOptions
    headings: int
    choices: Any


@dataclass(frozen=True, slots=True)
class _File:
    version: int
    entries: tuple[_Entry, ...]


def default_path() -> Path:
    """Return where the choices lie on this system."""
    return Path(platformdirs.user_config_dir("AffineCal", appauthor=False)) / "imports.json"


class RememberedChoices:
    """The choices by shape, newest first. Whatever is wrong with the file, the worst is that the user is asked again."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = default_path() if path is None else path

    def options_for(self, raw: "RawTable") -> ReadOptions | None:
        """Return how a file of this shape, read without any choice, was to be read; None when that is not known."""
        from affinecal_gui.tables.meaning.remembered import shape_of

        entry = self._find(shape_of(raw))
        return None if entry is None else entry.options

    def choices_for(self, shape: str, guess: "Roles") -> ImportChoices | None:
        """Return what was chosen for this shape, if it fits the guessed roles."""
        from affinecal_gui.tables.meaning.remembered import with_choices

        entry = self._find(shape)
        if entry is None:
            return None
        roles = with_choices(guess, entry.choices)
        return None if roles is None else ImportChoices(options=entry.options, base=roles)

    def remember(self, shape: str, options: ReadOptions, roles: "Roles") -> None:
        """Keep choices for the next file of this shape; a question that was left open is not asked again."""
        from affinecal_gui.tables.meaning.remembered import choices_of

        if len(roles.columns) > MOST_COLUMNS:
            return
        options = options.replace(use_flagged=None)  # that was said of one file, not of others like it
        entry = _Entry(shape, options, len(roles.columns), choices_of(roles.without_rivals()))
        self._change(entry, shape)

    def forget(self, shape: str) -> None:
        """Ask again for files of this shape."""
        if self._find(shape) is not None:
            self._change(None, shape)

    def _change(self, entry: _Entry | None, shape: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_with(self.path, SECONDS_TO_WAIT):
                others = tuple(known for known in self._read() if known.shape != shape)
                entries = (others if entry is None else (entry, *others))[:MOST_SHAPES]
                content = to_json(to_plain(_File(1, entries)))
                while len(content) > LARGEST_FILE and len(entries) > 1:
                    entries = entries[: len(entries) // 2]
                    content = to_json(to_plain(_File(1, entries)))
                write_atomically(self.path, content, overwrite=True)
        except (OSError, UserError) as error:
            logger.warning("The choices of imports cannot be kept: %s", error)

    def _find(self, shape: str) -> _Entry | None:
        return next((entry for entry in self._read() if entry.shape == shape), None)

    def _read(self) -> tuple[_Entry, ...]:
        try:
            if self.path.stat().st_size > LARGEST_FILE:
                return ()
            return from_plain(_File, from_json(self.path.read_bytes(), self.path.name), self.path.name).entries
        except (OSError, DamagedContent, KeyError):
            return ()
