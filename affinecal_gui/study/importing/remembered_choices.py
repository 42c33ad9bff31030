"""Choices made in the import preview, kept in a JSON file in the user's folder.

What columns are for is kept for files of the same shape. Cells that were corrected by hand are kept for a file with the very
same cells, together with what its columns were then; they are never applied to another one.
"""

import logging
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from affinecal_gui.errors import UserError
from affinecal_gui.files import write_atomically
from affinecal_gui.own_folders import own_folder
from affinecal_gui.study.records.file_lock import alone_with
from affinecal_gui.study.records.stored_errors import DamagedContent
from affinecal_gui.study.records.stored_records import from_json, from_plain, to_json, to_plain
from affinecal_gui.study.table_source import ImportChoices, TableSource
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # the first window does not wait for what reads tables
    from affinecal_gui.tables.headings.column_roles import Roles
    from affinecal_gui.tables.raw_table import RawTable

logger = logging.getLogger(__name__)

MOST_SHAPES = 100
MOST_COLUMNS = 2000
LARGEST_FILE = 8 << 20
SECONDS_TO_WAIT = 1.0
MOST_EDITS = 1000  # cells corrected by hand, of one file
LONGEST_EDITS = 100_000  # characters of all of them


@dataclass(frozen=True, slots=True)
class _Entry:
    """What was chosen for one shape, or one content; ``shape`` is that of the file as it is read without any choice."""

    shape: str
    options: ReadOptions
    headings: int
    choices: Any
    content: str = ""  # of the table as it is read with ``options``; "" for any file of the shape
    edits: tuple[tuple[int, str, str], ...] = ()  # line, heading, text


@dataclass(frozen=True, slots=True)
class _File:
    version: int
    entries: tuple[_Entry, ...]


def default_path() -> Path:
    """Return where the choices lie on this system."""
    return own_folder("config") / "imports.json"


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
        self._change(entry, shape, "")

    def remember_corrections(
        self, shape: str, raw: "RawTable", choices: ImportChoices, roles: "Roles", *, task: Task = UNWATCHED
    ) -> None:
        """Keep what was corrected by hand for the file with these very cells; without any correction, forget earlier ones.

        Parameters
        ----------
        shape
            Of the file as it is read without any choice.
        raw
            The table as it was read with the options of ``choices``, without the corrections.
        choices, roles
            The corrections, and what the columns are with them.
        task
            Is asked whether to stop.
        """
        from affinecal_gui.tables.meaning.remembered import choices_of, content_of

        content = content_of(raw, task=task)
        length = sum(len(heading) + len(text) for _, heading, text in choices.edits)
        too_large = max(len(roles.columns) - MOST_COLUMNS, len(choices.edits) - MOST_EDITS, length - LONGEST_EDITS) > 0
        if not choices.are_corrected or too_large:
            self.forget(shape, content)
            return
        options = choices.options.replace(use_flagged=None)  # which is to be decided each time
        kept = choices_of(roles.without_rivals())
        self._change(_Entry(shape, options, len(roles.columns), kept, content, choices.edits), shape, content)

    def corrections_for(
        self, source: TableSource, raw: "RawTable", *, task: Task = UNWATCHED
    ) -> "tuple[RawTable, ImportChoices] | None":
        """Return a table as it was read when cells were corrected by hand, with the corrections; None if none were.

        Parameters
        ----------
        source, raw
            The file, and what it holds when it is read without any choice.
        """
        from affinecal_gui.tables.meaning.remembered import content_of, shape_of

        entries = [entry for entry in self._read() if entry.content]
        shape = shape_of(raw) if entries else ""
        for entry in entries:
            if entry.shape != shape:
                continue
            try:
                read = source.read(entry.options, task=task.silent) if entry.options.chosen else raw
            except UserError:  # it has no such sheet, for example: it is another file
                continue
            if content_of(read, task=task) == entry.content:
                made = ImportChoices(options=entry.options, edits=entry.edits)
                return read, replace(made, known_shape=shape, known_content=entry.content)
        return None

    def roles_of(self, choices: ImportChoices, guess: "Roles") -> "Roles | None":
        """Return what the columns were when the corrections were made that these choices hold."""
        from affinecal_gui.tables.meaning.remembered import with_choices

        entry = self._find(choices.known_shape, choices.known_content)
        return None if entry is None else with_choices(guess, entry.choices)

    def forget(self, shape: str, content: str = "") -> None:
        """Ask again for files of this shape; with a content, forget what was corrected in the file with these cells."""
        if self._find(shape, content) is not None:
            self._change(None, shape, content)

    def forget_file(self, shape: str, raw: "RawTable", *, task: Task = UNWATCHED) -> None:
        """Forget all that would be chosen for this file: what is known of its shape, and of its cells."""
        from affinecal_gui.tables.meaning.remembered import content_of

        self.forget(shape)
        self.forget(shape, content_of(raw, task=task))

    def _change(self, entry: _Entry | None, shape: str, content: str) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with alone_with(self.path, SECONDS_TO_WAIT):
                others = tuple(known for known in self._read() if (known.shape, known.content) != (shape, content))
                entries = (others if entry is None else (entry, *others))[:MOST_SHAPES]
                written = to_json(to_plain(_File(1, entries)))
                while len(written) > LARGEST_FILE and len(entries) > 1:
                    entries = entries[: len(entries) // 2]
                    written = to_json(to_plain(_File(1, entries)))
                write_atomically(self.path, written, overwrite=True)
        except (OSError, UserError) as error:
            logger.warning("The choices of imports cannot be kept: %s", error)

    def _find(self, shape: str, content: str = "") -> _Entry | None:
        return next((entry for entry in self._read() if (entry.shape, entry.content) == (shape, content)), None)

    def _read(self) -> tuple[_Entry, ...]:
        try:
            if self.path.stat().st_size > LARGEST_FILE:
                return ()
            return from_plain(_File, from_json(self.path.read_bytes(), self.path.name), self.path.name).entries
        except (OSError, DamagedContent, KeyError):
            return ()
