"""Where a table comes from, and what the user chose about reading it. Light: nothing here reads anything yet."""

import contextlib
import stat
from collections.abc import Collection, Hashable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from affinecal_gui.files import file_name
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.task import UNWATCHED, Task

if TYPE_CHECKING:  # the first window does not wait for what reads tables
    from affinecal_gui.tables.headings.column_roles import Roles
    from affinecal_gui.tables.headings.role_names import Role, ValueKind
    from affinecal_gui.tables.raw_table import RawTable


@dataclass(frozen=True, slots=True)
class TableSource:
    """A file, or text that was pasted. ``path`` names it in the study: no two tables have the same."""

    path: str
    text: str | None = field(default=None, repr=False)  # None: a file

    @property
    def name(self) -> str:
        """What to call it."""
        return file_name(self.path)

    def origin(self, options: ReadOptions) -> Hashable:
        """Return what the cells of a file depend on; None where that is not known, as of a folder, or a text."""
        if self.text is not None:
            return None
        with contextlib.suppress(OSError, ValueError):
            state = Path(self.path).stat()
            if stat.S_ISREG(state.st_mode):
                return self.path, state.st_mtime_ns, state.st_size, options
        return None

    def read(self, options: ReadOptions = GUESS, *, task: Task = UNWATCHED) -> "RawTable":
        """Read headings and cells; see :func:`affinecal_gui.tables.reading.read_table` for the errors."""
        if self.text is None:
            from affinecal_gui.tables.reading import read_table

            origin = self.origin(options)  # before it is read: what is written meanwhile may be in it or not
            return replace(read_table(self.path, options, task=task), origin=origin)
        if not self.text:
            raise TableError(f"The text of {self.name} is not here any more. Paste it again to change how it is read.")
        from affinecal_gui.tables.formats.text_tables import read_pasted_text
        from affinecal_gui.tables.shapes.polymer_by_row import with_polymer_by_row

        pasted = replace(read_pasted_text(self.text, self.name, options), path=self.path)
        return with_polymer_by_row(pasted, task=task)


@dataclass(frozen=True, slots=True)
class ColumnChoice:
    """What the user chose about one column; what is None was not chosen."""

    column: int
    heading: str  # the choice holds only while the column is called so
    role: "Role | None" = None
    quantity: Property | None = None
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class ImportChoices:
    """Everything chosen about how one table is read; later choices about the same thing win."""

    options: ReadOptions = GUESS
    base: "Roles | None" = None  # roles of an earlier time, in the place of guessed ones
    columns: tuple[ColumnChoice, ...] = ()
    kind: "ValueKind | None" = None
    edits: tuple[tuple[int, str, str], ...] = ()  # line, heading, text: cells as the user typed them
    known_shape: str = ""  # by which the remembered choices were found
    known_content: str = ""  # by which corrections were found that were made by hand of these very cells

    def with_column(self, choice: ColumnChoice) -> "ImportChoices":
        """Add a choice about a column."""
        return replace(self, columns=(*self.columns, choice))

    def using_flagged(self, reasons: Collection[str]) -> "ImportChoices":
        """Choose for which reasons values of simulations are used though a check says no."""
        return replace(self, options=self.options.replace(use_flagged=tuple(reasons) or None))

    @property
    def are_corrected(self) -> bool:
        """Whether cells were typed, or columns chosen, by hand."""
        return bool(self.edits or self.columns or self.kind or self.base)

    def uncorrected(self) -> "ImportChoices":
        """Take back what was chosen by hand of cells and columns."""
        return replace(self, base=None, columns=(), kind=None, edits=(), known_shape="", known_content="")

    def with_edit(self, line: int, heading: str, text: str) -> "ImportChoices":
        """Put a text in the place of a cell."""
        others = tuple(edit for edit in self.edits if edit[:2] != (line, heading))
        return replace(self, edits=(*others, (line, heading, text)))


NOTHING_CHOSEN = ImportChoices()


PASTED = "pasted table"
"""What a table that came as text is called, with a number."""


def source_of_pasted(text: str, names: Collection[str], called: str = PASTED) -> TableSource:
    """Return the source of a table that came as text; it is called what none of ``names`` is."""
    number = 1
    while f"{called} {number}" in names:
        number += 1
    return TableSource(f"{called} {number}", text)
