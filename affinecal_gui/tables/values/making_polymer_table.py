"""A raw table and its roles -> a table of polymers with values in canonical units; what cannot be used is listed."""

import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.copolymers.composition import Composition, parse_composition
from affinecal_gui.polymers.copolymers.composition_text import holds_several_units
from affinecal_gui.polymers.copolymers.molar_mass import mean_molar_mass
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tables.cells.formula_texts import restored
from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.evidence.column_evidence import refuse_turned
from affinecal_gui.tables.evidence.copolymer_columns import polymer_texts
from affinecal_gui.tables.evidence.rows_below import SAVE_APART, rows_below
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles, taken_instead
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.problems import LIKE_TOTALS, RowProblem
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.simulations.known_columns import CLASS_BY_NUMBER, class_name
from affinecal_gui.tables.units.properties import Property, own_property
from affinecal_gui.tables.values.missing_marks import about_missing_mark
from affinecal_gui.tables.values.other_texts import refuse_other_texts
from affinecal_gui.tables.values.outlying_values import AMONG_VALUES, comparison, far_off, not_positive
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.reading_pressures import read_pressures
from affinecal_gui.tables.values.reading_temperatures import read_temperatures
from affinecal_gui.tables.values.reading_values import ColumnsBeside, ReadColumn, read_value_column
from affinecal_gui.tables.values.value_columns import FloatArray, ValueColumn, ValueColumns, ValueKey
from affinecal_gui.tables.words import is_missing_word, looks_like_total
from affinecal_gui.task import UNWATCHED, Task

ROWS_AT_ONCE = 10_000  # between two questions whether to stop
OWN_AT_ONCE = 16
"""How many columns of unknown properties are read at once where no property is known by name."""

MOST_OUTLYING = 3
"""Values of a column that are probably mistakes and are told one by one; of more, the number is told."""

FAR_OFF = "far from the other values"

MOST_NAMING = 12
"""Columns of text that are searched for words that say what the polymers are."""

LONGEST_NAME = 80
_MIXTURE = re.compile(
    r"(?<![^\W\d_])(?:co|ter)polymere?s?(?![^\W\d_])|(?<![^\W\d_])blends?(?![^\W\d_])"
    r"|\w[)\]]?-(?:co|stat|ran|block|graft|b)-[(\[]?\w|共重合体|共聚物",
    re.IGNORECASE,
)

LINES_OF_TOTALS = 6
"""How many lines of totals a table may have below its polymers."""

CHECKED_AT_ONCE = 20_000
"""Repeat units up to this number are parsed when the table is made; in longer tables, when they are
matched or described."""


def to_polymer_table(
    raw: RawTable,
    roles: Roles,
    *,
    allow_empty: bool = False,
    keep_without_value: bool = False,
    keep_unreadable: bool = False,
    described_at_once: bool = False,
    task: Task = UNWATCHED,
) -> PolymerTable:
    """Read the cells of a raw table by their roles.

    Bad cells never stop the rest: a row without usable value or with an invalid repeat unit is listed in ``problems``.

    Parameters
    ----------
    raw
        The file.
    roles
        What its columns are for, guessed or chosen.
    allow_empty
        Return a table without rows, for a preview, where no row can be used.
    keep_without_value
        Keep the polymers that have no value of any property, too; not those with values that cannot be used.
    keep_unreadable
        Keep these as well: their columns list the cells that cannot be used.
    described_at_once
        Leave the repeat units of rows with values unread: whoever describes them reads them again, and says what is wrong.

    Raises
    ------
    TableError
        The file has no rows, no column that tells the polymers apart, or not one usable row.
    """
    return _Making(raw, roles, task).table(
        allow_empty=allow_empty,
        keep_without_value=keep_without_value,
        keep_unreadable=keep_unreadable,
        described_at_once=described_at_once,
    )


class _Making:
    """One conversion: reads column by column, collects problems, then keeps the rows that are left."""

    def __init__(self, raw: RawTable, roles: Roles, task: Task) -> None:
        self.raw, self.roles, self.task = raw, roles, task
        self.rejected = np.zeros(raw.row_count, dtype=bool)
        self.problems: list[RowProblem] = []
        self.notes: list[str] = [*raw.notes, *(note for column in roles.all("smiles") for note in column.notes)]
        self.units: dict[int, Composition] = {}
        self.set_aside: dict[str, list[RowProblem]] = {}
        for problem in raw.set_aside:
            self.set_aside.setdefault(problem.column, []).append(problem)
        aside = {problem.line for problem in raw.set_aside}
        self.row_of = {line: row for row, line in enumerate(raw.lines.tolist()) if line in aside} if aside else {}
        self.read: dict[ValueKey, ReadColumn] = {}
        self.waiting: dict[ValueKey, Callable[[Task], ReadColumn]] = {}

    def table(
        self, *, allow_empty: bool, keep_without_value: bool, keep_unreadable: bool, described_at_once: bool
    ) -> PolymerTable:
        raw, roles = self.raw, self.roles
        self._list_ragged_rows()
        for problem in self.set_aside.get("", ()):
            self.reject(self.row_of[problem.line], "", problem.text, problem.reason, problem.suggestion)
        refuse_turned(raw)
        if not allow_empty:
            refuse_other_texts(raw, roles)
        if raw.row_count == 0 and not allow_empty:
            why = f" Line {self.problems[0].line}: {self.problems[0].reason}." if self.problems else ""
            raise TableError(f"{raw.name} has headings, but no row of data.{why}")
        smiles, ids = polymer_texts(raw, roles), self._texts("id")
        if smiles is None and ids is None:
            raise TableError(
                f"{raw.name} has no column of repeat units and none of ids among its headings "
                f"({', '.join(map(shortened, raw.headings[:6]))}). Add a column “smiles” with repeat units such as *CC*."
            )
        names = self._texts("name")
        self._reject_what_is_below()
        self._reject_without_polymer(smiles, ids, names)
        to_check = smiles if raw.row_count <= CHECKED_AT_ONCE else None
        if to_check is not None and not described_at_once:
            self._check_repeat_units(to_check, range(len(to_check)))
        self._read_values(smiles)
        if self.read and not keep_unreadable:
            if to_check is not None and described_at_once:
                self._check_repeat_units(to_check, self._without_value())
            self._reject_without_value(but_of_missing=keep_without_value)
        self.task.check()
        kept = np.flatnonzero(~self.rejected)
        if len(kept) == 0 and not allow_empty:
            first = next((problem for problem in self.problems if problem.rejects_row), None)
            why = f" Line {first.line}: {first.reason}." if first is not None else ""
            what = "its only row cannot" if raw.row_count == 1 else f"none of the {raw.row_count} rows can"
            raise TableError(f"{raw.name}: {what} be used.{why}")
        if smiles is not None and raw.row_count <= CHECKED_AT_ONCE:
            self._tell_mixtures(smiles, kept)
        self.task.check()
        temperature, assumed = read_temperatures(raw, roles, kept, task=self.task)
        self.notes += assumed
        details = self._details(kept)
        pressure, assumed = read_pressures(details, roles)
        self.notes += assumed
        phase = self._texts("phase")
        names_of_descriptors, descriptors = self._descriptors(kept)
        problems = tuple(sorted(self.problems, key=lambda problem: problem.line))
        return PolymerTable(
            name=raw.name,
            path=raw.path,
            lines=tuple(raw.lines[kept].tolist()),
            ids=self._kept(ids, kept),
            names=self._kept(names, kept),
            smiles=self._kept(smiles, kept),
            values=self._value_columns(kept),
            details=MappingProxyType(details),
            temperature=temperature,
            phase=None if phase is None else self._kept(phase, kept),
            descriptor_names=names_of_descriptors,
            descriptors=descriptors,
            problems=problems,
            rows_read=raw.row_count + raw.ragged_rows,
            rows_rejected=int(self.rejected.sum()) + raw.ragged_rows,
            notes=tuple(self.notes),
            roles=roles,
            again=raw.again,
            flagged=raw.flagged,
            pressure=pressure,
        )

    def _list_ragged_rows(self) -> None:
        for skipped in self.raw.skipped:
            if skipped.kind == "ragged":
                advice = "Put cells that hold delimiters in quotation marks"
                self.problems.append(RowProblem(skipped.line, "", skipped.text, skipped.reason, advice))

    def _reject_what_is_below(self) -> None:
        """Reject the rows of a further table below, or of another unit, and say so."""
        key = self.roles.first("smiles") or self.roles.first("id")
        if key is None or not self.roles.values:
            return
        below, notes = rows_below(self.raw, key, self.roles.values, self.task)
        self.notes += notes
        for row, reason in below.items():
            self.reject(row, key.heading, self.raw.columns[key.column][row], reason, SAVE_APART)

    def reject(self, row: int, column: str, text: str, reason: str, suggestion: str = "") -> None:
        """List a row that cannot be used; only its first reason counts."""
        if not self.rejected[row]:
            self.rejected[row] = True
            self.problems.append(RowProblem(int(self.raw.lines[row]), column, text[:200], reason, suggestion))

    def _texts(self, role: str) -> list[str] | None:
        column = self.roles.first(role)  # type: ignore[arg-type]
        self.task.check()
        return None if column is None else self.raw.columns[column.column].all_cells(task=self.task)

    def _kept(self, cells: Sequence[str] | None, kept: NDArray[np.int64]) -> tuple[str, ...]:
        if cells is None:
            return ("",) * len(kept)
        known: dict[str, str] = {}  # most columns repeat a few texts, which need not be there a hundred thousand times
        texts = []
        for row in self.task.each(kept.tolist(), ROWS_AT_ONCE):
            cell = cells[row]
            text = known.get(cell)
            if text is None:
                text = known[cell] = restored(cell)
            texts.append(text)
        return tuple(texts)

    def _heading(self, role: str) -> str:
        column = self.roles.first(role)  # type: ignore[arg-type]
        return "" if column is None else column.heading

    def _reject_without_polymer(self, smiles: list[str] | None, ids: list[str] | None, names: list[str] | None) -> None:
        heading = self._heading("smiles") or self._heading("id")
        for row in self.task.each(range(self.raw.row_count), ROWS_AT_ONCE):
            unit = smiles[row] if smiles is not None else ""
            if unit and "*" in unit:
                continue
            identifier = ids[row] if ids is not None else ""
            label = names[row] if names is not None else ""
            first = label or next((cell for cell in self.raw.row(row) if cell), "")
            # Ids may be any text: without repeat units only the last lines can be totals.
            is_late = smiles is not None or row >= self.raw.row_count - LINES_OF_TOTALS
            total = next((text for text in (unit, identifier, first) if looks_like_total(text)), "")
            if total and is_late:
                self.reject(row, heading, first, f"{LIKE_TOTALS} (“{shortened(total)}”), not like a polymer")
            elif not unit and not identifier:
                self.reject(row, heading, label, "no repeat unit and no id", "Add the repeat unit")

    def _check_repeat_units(self, smiles: Sequence[str], rows: Sequence[int]) -> None:
        known: dict[str, Composition | str] = {}
        heading = self._heading("smiles")
        for row in rows:
            text = smiles[row]
            if row % 20 == 0:
                self.task.check()
                self.task.report(0.8 * row / len(smiles), f"Checking the repeat units of {self.raw.name}")
            if self.rejected[row] or not text:
                continue
            if text not in known:
                try:
                    known[text] = parse_composition(text)
                except InvalidRepeatUnit as problem:
                    known[text] = str(problem)
            read = known[text]
            if isinstance(read, str):
                self.reject(row, heading, text, read.rstrip("."), "Edit the repeat unit")
            else:
                self.units[row] = read

    def _molar_masses(self, smiles: Sequence[str] | None, task: Task) -> FloatArray:
        """(rows,) molar mass of the repeat unit as written, g/mol; nan where unknown."""
        masses = np.full(self.raw.row_count, np.nan)
        for row in task.each(range(self.raw.row_count), 20):
            unit = self.units.get(row)
            if unit is None and smiles is not None and smiles[row] and not self.rejected[row]:
                try:
                    unit = parse_composition(smiles[row])
                except InvalidRepeatUnit:
                    continue
            if unit is not None:
                masses[row] = mean_molar_mass(unit)
        return masses

    def _read_values(self, smiles: Sequence[str] | None) -> None:
        """Read the properties known by name; other numeric columns wait until somebody asks for them."""
        columns = self.roles.values
        beside = ColumnsBeside(self.roles)
        rivals: dict[ValueKey, list[str]] = {}
        known = [column for column in columns if column.quantity is not None and column.quantity.is_known]
        at_once = {column.column for column in known or columns[:OWN_AT_ONCE]}
        for position, column in enumerate(columns):
            self.task.check()
            quantity = column.quantity or own_property(column.heading, column.unit)
            kind: ValueKind = "md" if column.role == "md" else "measured"
            key = (kind, quantity.key)
            if key in self.read or key in self.waiting:
                taken = next(c for c in columns if (c.role == "md", c.quantity) == (column.role == "md", quantity))
                rivals.setdefault(key, []).append(taken_instead(taken.heading, column.heading, quantity))
                continue

            def read(task: Task, column: ColumnRole = column, quantity: Property = quantity) -> ReadColumn:
                read = read_value_column(
                    self.raw,
                    column,
                    quantity,
                    beside,
                    lambda: self._molar_masses(smiles, task),
                    task=task,
                )
                return self._with_set_aside(read)

            if column.column not in at_once:
                self.waiting[key] = read
                continue
            self.task.report(0.8 + 0.2 * position / len(columns), f"Reading {column.heading} of {self.raw.name}")
            self.read[key] = read(self.task)
        for key, sentences in rivals.items():
            if key in self.read:
                self._remark(key, sentences)

    def _with_set_aside(self, read: ReadColumn) -> ReadColumn:
        """List the values that the reader has left out beside the cells that hold none."""
        found = {self.row_of[problem.line]: problem for problem in self.set_aside.get(read.column.heading, ())}
        return dataclasses.replace(read, bad={**read.bad, **found}) if found else read

    def _remark(self, key: ValueKey, sentences: Sequence[str]) -> None:
        """Add sentences about a column that was read."""
        self.read[key] = _remarked(self.read[key], sentences)

    def _value_columns(self, kept: NDArray[np.int64]) -> Mapping[ValueKey, ValueColumn]:
        is_kept = np.zeros(self.raw.row_count, dtype=bool)
        is_kept[kept] = True

        def taken(read: ReadColumn) -> ValueColumn:
            problems = tuple(problem for row, problem in read.bad.items() if is_kept[row])
            return read.column.taken(kept, problems)

        def later(read: Callable[[Task], ReadColumn]) -> Callable[[Task], ValueColumn]:
            return lambda task: taken(self._with_doubtful_values(read(task), kept))

        ready = {key: taken(self._with_doubtful_values(read, kept)) for key, read in self.read.items()}
        order = (*self.read, *self.waiting)
        self.read = {}  # columns that wait hold on to what makes them, and are not to hold the others twice
        return ValueColumns(order, ready, {key: later(read) for key, read in self.waiting.items()}, self.raw)

    def _without_value(self) -> list[int]:
        any_value = np.zeros(self.raw.row_count, dtype=bool)
        for read in self.read.values():
            any_value |= np.isfinite(read.column.values)
        return [int(row) for row in np.flatnonzero(~any_value)]

    def _reject_without_value(self, *, but_of_missing: bool) -> None:
        """Reject rows that have no value of any property, unless none was written; list bad cells of the other rows."""
        bad: dict[int, list[RowProblem]] = {}
        for read in self.read.values():
            for row, problem in read.bad.items():
                bad.setdefault(row, []).append(problem)
        columns = self.roles.values
        headings = {read.column.heading for read in self.read.values()}
        others = [column.column for column in columns if column.heading not in headings]
        first = columns[0]
        for row in self._without_value():
            if self.rejected[row] or any(not is_missing_word(self.raw.columns[number][row]) for number in others):
                continue
            known = bad.pop(row, [])
            if known:
                self.reject(row, known[0].column, known[0].text, known[0].reason, known[0].suggestion)
            elif not but_of_missing:
                text = self.raw.columns[first.column][row]
                self.reject(row, first.heading, text, f"“{text}” stands for no value" if text else "no value")
        for row, listed in bad.items():
            if not self.rejected[row]:
                self.problems += listed

    def _with_doubtful_values(self, read: ReadColumn, kept: NDArray[np.int64]) -> ReadColumn:
        """Say which values are probably mistakes, or marks of missing ones; they are used as they stand."""
        column = read.column
        values = column.values[kept]
        number = self.raw.headings.index(column.heading)
        cells = self.raw.columns[number]
        every = np.full(self.raw.row_count, np.nan)
        every[kept] = values
        marks = about_missing_mark(column.heading, cells, every, column.unit_as_written)
        reasons = {
            int(kept[row]): comparison(float(values[row]), values, column.quantity.unit)
            for row in far_off(values, AMONG_VALUES).tolist()
        }
        reasons |= {int(kept[row]): "not positive, unlike all others" for row in not_positive(values).tolist()}
        sentences = []
        for row, reason in list(reasons.items())[:MOST_OUTLYING]:
            where = f"{self.raw.name}, line {self.raw.lines[row]}, {shortened(column.heading)}"
            text = shortened(cells[row])
            sentences.append(f"{where}: “{text}” is {reason}. It is used as it stands; is it right?")
        if len(reasons) > MOST_OUTLYING:
            more = len(reasons) - MOST_OUTLYING
            words = "value is" if more == 1 else "values are"
            sentences.append(f"{shortened(column.heading)}: {more} more {words} as far from the others.")
        return _remarked(read, [*marks, *sentences], dict.fromkeys(reasons, FAR_OFF))

    def _tell_mixtures(self, smiles: Sequence[str], kept: NDArray[np.int64]) -> None:
        """Say which rows with a single repeat unit are called copolymers or blends in their own words."""
        single = [row for row in kept.tolist() if smiles[row] and not holds_several_units(smiles[row])]
        told_by = [c for c in self.roles.columns if c.role in ("name", "detail")][:MOST_NAMING]
        for column in told_by:
            self.task.check()
            cells = self.raw.columns[column.column].all_cells(task=self.task)
            found = [row for row in single if len(cells[row]) <= LONGEST_NAME and _MIXTURE.search(cells[row])]
            if found:
                count = "1 row a copolymer or blend" if len(found) == 1 else f"{len(found)} rows copolymers or blends"
                self.notes.append(
                    f"“{shortened(column.heading)}” calls {count} (line {self.raw.lines[found[0]]}: "
                    f"“{shortened(cells[found[0]])}”), but a single repeat unit stands there. Read as homopolymers; are they?"
                )

    def _details(self, kept: NDArray[np.int64]) -> dict[str, tuple[str, ...]]:
        few = len(self.roles.values) <= 2
        shown = ("detail", "source", "temperature", "phase", "fraction", "repeats", "lowest", "highest", "range")
        found = {
            column.heading: self._kept(self.raw.columns[column.column].all_cells(task=self.task), kept)
            for column in self.roles.columns
            if column.role in shown and (column.of is None or few)
        }
        by_number = {column.heading for column in self.roles.columns if column.meaning == CLASS_BY_NUMBER}
        return {
            heading: tuple(class_name(cell) or cell for cell in cells) if heading in by_number else cells
            for heading, cells in found.items()
        }

    def _descriptors(self, kept: NDArray[np.int64]) -> tuple[tuple[str, ...], FloatArray | None]:
        columns = self.roles.all("descriptor")
        if not columns:
            return (), None
        array = np.column_stack(
            [read_number_column(self.raw.columns[c.column], c.style, task=self.task).values[kept] for c in columns]
        )
        array.setflags(write=False)
        return tuple(column.heading for column in columns), array


def _remarked(read: ReadColumn, sentences: Sequence[str], notes: Mapping[int, str] | None = None) -> ReadColumn:
    """Add sentences about a column that was read, and notes about single rows of it."""
    if not sentences and not notes:
        return read
    old = read.column
    joined = dict(old.notes)
    for row, note in (notes or {}).items():
        joined[row] = ", ".join(part for part in (joined.get(row, ""), note) if part)
    column = dataclasses.replace(old, remarks=(*old.remarks, *sentences), notes=joined)
    return dataclasses.replace(read, column=column)
