"""The rows of a table of MD values that a calibrator is applied to: at once for short files, part by part for long ones.

Files up to :data:`READ_AT_ONCE` lines are read as a study reads them. The rows
of longer ones are read by the roles that their first rows have, some thousand at a time, so that no file is too long.
"""

import contextlib
import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError
from affinecal_gui.study.describing.describing_rows import RowToDescribe
from affinecal_gui.study.importing.merging import in_unit
from affinecal_gui.study.md_conditions import UNKNOWN_CONDITIONS, MDConditions
from affinecal_gui.tables.evidence.rows_below import SAVE_APART
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.row_stream import FileFacts, RowStream, open_rows, table_of_rows
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.rejected_rows import rejected_rows
from affinecal_gui.tables.values.value_conditions import temperatures_of_rows
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.tasks.predicting.predicted_rows import without_md_value
from affinecal_gui.tasks.reading.data_files import NOTHING_NAMED, DataSource, ReadFile, read_as, understood_as
from affinecal_gui.tasks.reading.missing_md import lacks_md

READ_AT_ONCE = 5_000
"""Lines of a file that is read as a whole; its rows take some 10 kB each while they wait to be described."""

ROWS_AT_ONCE = 2_000


@dataclass(frozen=True, slots=True, eq=False)
class RowToApply(RowToDescribe):
    """A row of the file: what it says of its polymer, and why it cannot be calibrated where it cannot."""

    name: str = ""
    smiles: str = ""
    md: float = math.nan
    temperature: float = math.nan  # K, of the simulation; nan where the table states none
    descriptors: FloatArray | None = None  # (d,) where the table brings them


@dataclass(frozen=True, slots=True, eq=False)
class TableToApply:
    """A table of MD values whose rows can be taken once."""

    first: PolymerTable  # all of a short file; of a long one its first rows, which decide how it is read
    rows: Iterator[RowToApply]  # in the order of the file
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True)
class WantedValues:
    """Which values of a table are calibrated."""

    quantity: Property  # whose MD values are wanted, in its unit
    columns: tuple[str, ...]  # names of the descriptors that the calibrator looks at
    among: str  # what to call the calibrator in a sentence
    predicts_md: bool = False  # whether polymers without an MD value are calibrated, too
    conditions: MDConditions = UNKNOWN_CONDITIONS  # of the MD values of its fit


@contextlib.contextmanager
def open_table(
    path: Path,
    options: ReadOptions,
    facts: FileFacts,
    wanted: WantedValues,
    task: Task,
    *,
    named: Mapping[str, ValueKind] = NOTHING_NAMED,
) -> Iterator[TableToApply]:
    """Open a table for taking its rows.

    Parameters
    ----------
    path, options, facts
        The file, how it is read, and what one pass over it has told.
    wanted
        Which of its values are calibrated.
    named
        Headings of columns that hold the values, and of which kind they are.

    Raises
    ------
    UserError
        The file cannot be read, has no such values where they are needed, or has them in a unit that cannot be converted.
    """
    if facts.lines <= READ_AT_ONCE:
        yield whole_table(path, wanted, named=named, options=options, task=task)
        return
    made = _Making(wanted)
    with open_rows(path, options, facts=facts, task=task) as stream:
        read = understood_as(stream.sample, "md", named, keep_without_value=wanted.predicts_md, task=task.silent)
        first = made.checked(read)
        assert first.roles is not None
        yield TableToApply(first, made.rows_of_stream(stream, first.roles, task), stream.first_line, stream.last_line)


def whole_table(
    source: DataSource,
    wanted: WantedValues,
    *,
    named: Mapping[str, ValueKind] = NOTHING_NAMED,
    options: ReadOptions = GUESS,
    task: Task = UNWATCHED,
) -> TableToApply:
    """Read a table at once, or take one that was read already; parameters and errors as those of :func:`open_table`."""
    made = _Making(wanted)
    read = read_as(source, "md", named, options, keep_without_value=wanted.predicts_md, task=task.silent)
    first = made.checked(read)
    lines = read.raw.lines
    return TableToApply(first, made.rows(read.raw, first), int(lines[0]), int(lines[-1]))


class _Making:
    """Makes rows of tables that are read in the same way."""

    def __init__(self, wanted: WantedValues) -> None:
        self._quantity, self._columns, self._among = wanted.quantity, wanted.columns, wanted.among
        self._predicts_md, self._conditions = wanted.predicts_md, wanted.conditions

    def checked(self, read: ReadFile) -> PolymerTable:
        """Return the table in the unit of the property; raise where it has no MD values of it, and needs them."""
        if not (self._predicts_md or read.table.has("md", self._quantity.key)):
            raise UserError(
                f"{lacks_md(read.table.name, self._quantity)}, which {self._among} calibrates. Give it one whose heading "
                "names the property; the calibrator cannot predict MD values."
            )
        return self._in_unit(read.table)

    def _in_unit(self, table: PolymerTable) -> PolymerTable:
        return in_unit(table, "md", self._quantity, among=self._among) if self._has_md(table) else table

    def _has_md(self, table: PolymerTable) -> bool:
        return table.has("md", self._quantity.key)

    def rows(self, raw: RawTable, table: PolymerTable) -> Iterator[RowToApply]:
        """Yield the polymers of a table and the rows without any, in the order of their lines."""
        column = (
            table.values[("md", self._quantity.key)].values if self._has_md(table) else np.full(len(table), math.nan)
        )
        ready = table.descriptors if tuple(table.descriptor_names) == self._columns else None
        kelvin = temperatures_of_rows(table, "md", self._quantity.key).tolist()
        beyond = self._conditions.reasons_in(table, self._quantity.key)
        polymers = (
            self._polymer(table, row, md, kelvin[row], beyond[row], None if ready is None else ready[row])
            for row, md in enumerate(column.tolist())
        )
        rejected = (
            RowToApply(row.line, row.id, "", f"Not used: {row.reason}.", row.name, row.smiles)
            for row in rejected_rows(raw, table)
        )
        yield from sorted([*polymers, *rejected], key=lambda row: row.line)

    def _polymer(
        self, table: PolymerTable, row: int, md: float, kelvin: float, beyond: str, ready: FloatArray | None
    ) -> RowToApply:
        smiles, problem = table.smiles[row], ""
        if ready is not None and not np.isfinite(ready).all():
            problem = "It has no complete descriptors."
        elif ready is None and not smiles:
            problem = "The table gives no repeat unit for it."
        elif not (self._predicts_md or math.isfinite(md)):
            problem = without_md_value(md)
        elif beyond and math.isfinite(md):
            problem = beyond
        called, name = table.ids[row], table.names[row]
        return RowToApply(table.lines[row], called, smiles, problem, name, smiles, md, kelvin, ready)

    def rows_of_stream(self, stream: RowStream, roles: Roles, task: Task) -> Iterator[RowToApply]:
        """Yield the rows of a file some thousand at a time, read by the roles of the first ones."""
        other = ""
        while part := list(itertools.islice(stream.rows, ROWS_AT_ONCE)):
            raw = table_of_rows(stream.sample, part)
            table = to_polymer_table(
                raw,
                roles,
                allow_empty=True,
                keep_without_value=self._predicts_md,
                described_at_once=not roles.all("descriptor"),
                task=task.silent,
            )
            if other:  # the whole rest of the file stands in another table below
                yield from (RowToApply(row.line, "", "", other) for row in part)
                continue
            yield from self.rows(raw, self._in_unit(table))
            below = [problem for problem in table.problems if problem.suggestion == SAVE_APART]
            other = f"Not used: {below[0].reason}." if below else ""
