"""A raw table and its roles -> a table of polymers with values in canonical units; what cannot be used is listed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit, RepeatUnit, parse_repeat_unit
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.molar_mass import molar_mass
from affinecal_gui.tables.numbers import NumberColumn, read_number_column
from affinecal_gui.tables.properties import Property, find_property
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.roles import ColumnRole, Roles, ValueKind
from affinecal_gui.tables.units import Conversion, UnitProblem, conversion
from affinecal_gui.tables.words import is_missing_word

FloatArray = NDArray[np.float64]
ValueKey = tuple[ValueKind, str]
"""("measured" or "md", property key)."""

CHECKED_AT_ONCE = 20_000
"""Repeat units up to this number are parsed when the table is made; in longer tables, when they are
matched or described."""

_TOTALS = frozenset(
    word
    for line in (
        "mean|average|median|total|sum|std|stdev|standard deviation|min|max|minimum|maximum|count|n",
        "mittelwert|mittel|summe|gesamt|anzahl|standardabweichung",
        "平均|平均値|合計|標準偏差|総計|平均值|合计|总计|标准差",
    )
    for word in line.split("|")
)


@dataclass(frozen=True, slots=True)
class RowProblem:
    """A row, or one value of it, that is not used."""

    line: int  # 1-based, in the file
    column: str  # heading; "" when it concerns the row
    text: str  # what stands there
    reason: str  # a clause: "the repeat unit has one end mark, it needs two"
    suggestion: str = ""
    rejects_row: bool = True  # False: the row is used, but not this value of it


@dataclass(frozen=True, slots=True)
class ValueColumn:
    """The values of one property; arrays are read-only, one entry per used row, nan where there is none."""

    quantity: Property
    values: FloatArray  # (rows,) canonical unit
    uncertainty: FloatArray  # (rows,) canonical unit, as given or as read from the cell
    heading: str
    unit_as_written: str
    lowest: FloatArray | None = None  # (rows,) range of the reports, canonical unit
    highest: FloatArray | None = None
    repeats: FloatArray | None = None  # (rows,) number of reports behind each value
    notes: Mapping[int, str] = field(default_factory=dict)  # by row: how a cell that is more than a number was read


@dataclass(frozen=True, slots=True)
class PolymerTable:
    """Polymers and their values, as one file gives them. Every sequence has one entry per used row."""

    name: str  # of the file
    path: str
    lines: tuple[int, ...]  # line of the file
    ids: tuple[str, ...]  # "" where there is none
    names: tuple[str, ...]
    smiles: tuple[str, ...]  # as written
    values: Mapping[ValueKey, ValueColumn]
    details: Mapping[str, tuple[str, ...]]  # further columns by heading, as text
    temperature: FloatArray | None  # (rows,) K
    phase: tuple[str, ...] | None
    descriptor_names: tuple[str, ...]
    descriptors: FloatArray | None  # (rows, d) ready descriptors
    problems: tuple[RowProblem, ...]
    rows_read: int  # rows of the file, used and rejected
    rows_rejected: int
    notes: tuple[str, ...] = ()  # what was put right or assumed, in sentences
    roles: Roles | None = None

    @property
    def row_count(self) -> int:
        """Number of used rows; with :attr:`rows_rejected` it adds up to :attr:`rows_read`."""
        return len(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    def properties(self, kind: ValueKind) -> tuple[Property, ...]:
        """Return the properties of which the table holds measured, or MD, values; those known by name come first."""
        found = [column.quantity for (of, _), column in self.values.items() if of == kind]
        return tuple(sorted(found, key=lambda quantity: not quantity.is_known))

    def has(self, kind: ValueKind, property_key: str) -> bool:
        """Whether the table has such a column."""
        return (kind, property_key) in self.values

    def label(self, row: int) -> str:
        """Name a row by its name, else its id, else its repeat unit."""
        return self.names[row] or self.ids[row] or self.smiles[row]


def to_polymer_table(
    raw: RawTable, roles: Roles, *, progress: Progress = silent, cancelled: CancelCheck = never
) -> PolymerTable:
    """Read the cells of a raw table by their roles.

    Bad cells never stop the rest: a row without usable value or with an invalid repeat unit is listed in ``problems``.

    Parameters
    ----------
    raw
        The file.
    roles
        What its columns are for, guessed or chosen.

    Raises
    ------
    TableError
        The file has no rows, no column that tells the polymers apart, or not one usable row.
    """
    return _Making(raw, roles, progress, cancelled).table()


class _Making:
    """One conversion: reads column by column, collects problems, then keeps the rows that are left."""

    def __init__(self, raw: RawTable, roles: Roles, progress: Progress, cancelled: CancelCheck) -> None:
        self.raw, self.roles, self.progress, self.cancelled = raw, roles, progress, cancelled
        self.rejected = np.zeros(raw.row_count, dtype=bool)
        self.problems: list[RowProblem] = []
        self.notes: list[str] = list(raw.notes)
        self.units: dict[int, RepeatUnit] = {}
        self.unit_of_row: dict[int, str] = {}  # of the column being read
        self.unit_problems: dict[str, str] = {}
        self.value_problems: dict[int, dict[int, RowProblem]] = {}  # by column and row

    def table(self) -> PolymerTable:
        raw, roles = self.raw, self.roles
        if raw.row_count == 0:
            hint = f" {raw.skipped[-1].reason} (line {raw.skipped[-1].line})." if raw.skipped else ""
            raise TableError(f"{raw.name} has no rows of data.{hint}")
        smiles, ids = self._texts("smiles"), self._texts("id")
        if smiles is None and ids is None:
            raise TableError(
                f"{raw.name} has no column of repeat units and none of ids among its headings "
                f"({', '.join(raw.headings[:6])}). Add a column “smiles” with repeat units such as *CC*."
            )
        names = self._texts("name")
        self._reject_without_polymer(smiles, ids, names)
        if smiles is not None and raw.row_count <= CHECKED_AT_ONCE:
            self._check_repeat_units(smiles)
        values = self._values(smiles)
        if values:
            self._reject_without_value(values)
        kept = np.flatnonzero(~self.rejected)
        if len(kept) == 0:
            first = next((problem for problem in self.problems if problem.rejects_row), None)
            why = f" Line {first.line}: {first.reason}." if first is not None else ""
            raise TableError(f"{raw.name}: none of the {raw.row_count} rows can be used.{why}")
        phase = self._texts("phase")
        names_of_descriptors, descriptors = self._descriptors(kept)
        problems = tuple(sorted(self.problems, key=lambda problem: problem.line))
        return PolymerTable(
            name=raw.name,
            path=raw.path,
            lines=tuple(int(line) for line in raw.lines[kept]),
            ids=_kept(ids, kept),
            names=_kept(names, kept),
            smiles=_kept(smiles, kept),
            values=MappingProxyType({key: _kept_values(column, kept) for key, column in values.items()}),
            details=MappingProxyType(self._details(kept)),
            temperature=self._temperature(kept),
            phase=None if phase is None else _kept(phase, kept),
            descriptor_names=names_of_descriptors,
            descriptors=descriptors,
            problems=problems,
            rows_read=raw.row_count,
            rows_rejected=int(self.rejected.sum()),
            notes=tuple(self.notes),
            roles=roles,
        )

    def reject(self, row: int, column: str, text: str, reason: str, suggestion: str = "") -> None:
        """List a row that cannot be used; only its first reason counts."""
        if not self.rejected[row]:
            self.rejected[row] = True
            self.problems.append(RowProblem(int(self.raw.lines[row]), column, text[:200], reason, suggestion))

    def _texts(self, role: str) -> list[str] | None:
        column = self.roles.first(role)  # type: ignore[arg-type]
        return None if column is None else list(self.raw.columns[column.column])

    def _heading(self, role: str) -> str:
        column = self.roles.first(role)  # type: ignore[arg-type]
        return "" if column is None else column.heading

    def _reject_without_polymer(self, smiles: list[str] | None, ids: list[str] | None, names: list[str] | None) -> None:
        heading = self._heading("smiles") or self._heading("id")
        for row in range(self.raw.row_count):
            if (smiles is not None and smiles[row]) or (ids is not None and ids[row]):
                continue
            label = names[row] if names is not None else ""
            first = label or next((cell for cell in self.raw.row(row) if cell), "")
            if first.casefold().strip(" :.") in _TOTALS:
                self.reject(row, heading, first, f"no repeat unit; it looks like a {first.lower()} of the column")
            else:
                self.reject(row, heading, label, "no repeat unit and no id", "Add the repeat unit")

    def _check_repeat_units(self, smiles: Sequence[str]) -> None:
        known: dict[str, RepeatUnit | str] = {}
        heading = self._heading("smiles")
        for row, text in enumerate(smiles):
            if row % 200 == 0:
                stop_if(self.cancelled)
                self.progress(0.8 * row / len(smiles), f"Checking the repeat units of {self.raw.name}")
            if self.rejected[row] or not text:
                continue
            if text not in known:
                try:
                    known[text] = parse_repeat_unit(text)
                except InvalidRepeatUnit as problem:
                    known[text] = str(problem)
            read = known[text]
            if isinstance(read, str):
                self.reject(row, heading, text, read.rstrip("."), "Edit the repeat unit")
            else:
                self.units[row] = read

    def _molar_masses(self, smiles: Sequence[str] | None) -> FloatArray:
        """(rows,) molar mass of the repeat unit as written, g/mol; nan where unknown."""
        masses = np.full(self.raw.row_count, np.nan)
        for row in range(self.raw.row_count):
            unit = self.units.get(row)
            if unit is None and smiles is not None and smiles[row] and not self.rejected[row]:
                try:
                    unit = parse_repeat_unit(smiles[row])
                except InvalidRepeatUnit:
                    continue
            if unit is not None:
                masses[row] = molar_mass(unit)
        return masses

    def _values(self, smiles: Sequence[str] | None) -> dict[ValueKey, ValueColumn]:
        found: dict[ValueKey, ValueColumn] = {}
        columns = self.roles.values
        for position, column in enumerate(columns):
            stop_if(self.cancelled)
            self.progress(0.8 + 0.2 * position / len(columns), f"Reading {column.heading} of {self.raw.name}")
            quantity = column.quantity or find_property(column.heading)
            kind: ValueKind = "md" if column.role == "md" else "measured"
            key = (kind, quantity.key)
            if key in found:
                self.notes.append(
                    f"{column.heading} was left out: {found[key].heading} holds the same property already."
                )
                continue
            found[key] = self._value_column(column, quantity, smiles)
        return found

    def _value_column(self, column: ColumnRole, quantity: Property, smiles: Sequence[str] | None) -> ValueColumn:
        raw = self.raw
        numbers = read_number_column(raw.columns[column.column], column.style)
        ways = self._conversions(column, quantity, numbers)
        masses = self._molar_masses(smiles) if any(way.needs_molar_mass for way in ways.values()) else None
        values = self._converted(numbers.values, ways, masses)
        bad = self._bad_cells(column, quantity, numbers, values)
        values[list(bad)] = np.nan
        notes = {row: reading.note for row, reading in numbers.odd.items() if reading.note and row not in bad}
        uncertainty = self._converted(numbers.uncertainty, ways, masses, difference=True)
        extra: dict[str, FloatArray] = {}
        for other in self.roles.columns:
            if other.of != column.column or other.role not in ("uncertainty", "lowest", "highest", "repeats"):
                continue
            read = read_number_column(raw.columns[other.column], other.style).values
            if other.role == "repeats":
                extra["repeats"] = read
                continue
            own = self._one_conversion(other, quantity)
            by_row = dict.fromkeys(ways, own) if own is not None and self.roles.first("unit") is None else ways
            converted = self._converted(read, by_row, masses, difference=other.role == "uncertainty")
            if other.role == "uncertainty":
                uncertainty = np.where(np.isfinite(converted), converted, uncertainty)
            else:
                extra[other.role] = converted
        if any(way.per_mole_of == "repeat unit" for way in ways.values()):
            self.notes.append(
                f"{column.heading}: values per mole were divided by the molar mass of the repeat unit as written."
            )
        return ValueColumn(
            quantity,
            values,
            uncertainty,
            column.heading,
            column.unit,
            extra.get("lowest"),
            extra.get("highest"),
            extra.get("repeats"),
            notes,
        )

    def _one_conversion(self, column: ColumnRole, quantity: Property) -> Conversion | None:
        try:
            return conversion(column.unit, quantity)
        except UnitProblem:
            return None

    def _conversions(self, column: ColumnRole, quantity: Property, numbers: NumberColumn) -> dict[str, Conversion]:
        """Return the conversion of every unit text that occurs, and "" for the unit of the column."""
        ways: dict[str, Conversion] = {}
        unit_column = self.roles.first("unit")
        self.unit_of_row, self.unit_problems = {}, {}
        try:
            ways[""] = conversion(column.unit, quantity)
        except UnitProblem as problem:
            if unit_column is None and (column.unit or quantity.unit):
                raise TableError(
                    f"{self.raw.name}, column {column.heading}: {problem}. Choose the unit of the column."
                ) from None
            ways[""] = Conversion("", 1.0)
        if unit_column is not None:
            for row, text in enumerate(self.raw.columns[unit_column.column]):
                if not is_missing_word(text):
                    self.unit_of_row[row] = text
        for row, reading in numbers.odd.items():
            if reading.suffix:
                self.unit_of_row[row] = reading.suffix
        for text in set(self.unit_of_row.values()):
            try:
                ways[text] = conversion(text, quantity)
            except UnitProblem as problem:
                self.unit_problems[text] = str(problem)
        return ways

    def _converted(
        self,
        values: FloatArray,
        ways: Mapping[str, Conversion],
        masses: FloatArray | None,
        *,
        difference: bool = False,
    ) -> FloatArray:
        """Convert values by the unit of their rows; a difference (an uncertainty) takes no offset."""

        def apply(way: Conversion, part: FloatArray, mass: FloatArray | None) -> FloatArray:
            if difference:
                way = Conversion(way.written, way.factor, 0.0, way.per_mole_of)
            return part if way.is_identity else way.apply(part, mass)

        converted = np.array(apply(ways[""], values, masses), dtype=float)
        rows: dict[str, list[int]] = {}
        for row, text in self.unit_of_row.items():
            rows.setdefault(text, []).append(row)
        for text, members in rows.items():
            if text in ways:
                converted[members] = apply(ways[text], values[members], None if masses is None else masses[members])
            else:
                converted[members] = np.nan
        return converted

    def _bad_cells(
        self, column: ColumnRole, quantity: Property, numbers: NumberColumn, values: FloatArray
    ) -> dict[int, RowProblem]:
        """List the cells that hold no usable value; they reject their row only if it has no other value."""
        bad: dict[int, RowProblem] = {}
        cells = self.raw.columns[column.column]

        def note(row: int, reason: str, suggestion: str = "") -> None:
            line = int(self.raw.lines[row])
            bad[row] = RowProblem(line, column.heading, cells[row][:200], reason, suggestion, rejects_row=False)

        for row, reading in numbers.odd.items():
            if reading.state == "problem":
                note(row, reading.reason, reading.suggestion or "Type a value")
        for row, text in self.unit_of_row.items():
            if text in self.unit_problems and row not in bad and np.isfinite(numbers.values[row]):
                note(row, self.unit_problems[text], "Correct the unit")
        lost = np.isfinite(numbers.values) & ~np.isfinite(values)
        for row in np.flatnonzero(lost).tolist():
            if row not in bad:
                note(row, "a value per mole needs the repeat unit to know its molar mass")
        if quantity.positive and quantity.is_known:
            for row in np.flatnonzero(values <= 0).tolist():
                kind = "zero" if values[row] == 0 else "negative"
                note(row, f"{cells[row]} is {kind}; {quantity.title.lower()} is positive", "Type a value")
        self.value_problems.setdefault(column.column, {}).update(bad)
        return bad

    def _reject_without_value(self, values: Mapping[ValueKey, ValueColumn]) -> None:
        """Reject rows that have no value of any property; list bad cells of the other rows."""
        any_value = np.zeros(self.raw.row_count, dtype=bool)
        for column in values.values():
            any_value |= np.isfinite(column.values)
        by_row: dict[int, list[RowProblem]] = {}
        for of_column in self.value_problems.values():
            for row, problem in of_column.items():
                by_row.setdefault(row, []).append(problem)
        first = self.roles.values[0]
        for row in np.flatnonzero(~any_value).tolist():
            if self.rejected[row]:
                continue
            known = by_row.pop(row, [])
            if known:
                self.reject(row, known[0].column, known[0].text, known[0].reason, known[0].suggestion)
            else:
                text = self.raw.columns[first.column][row]
                self.reject(row, first.heading, text, f"“{text}” stands for no value" if text else "no value")
        for row, listed in by_row.items():
            if not self.rejected[row]:
                self.problems += listed

    def _details(self, kept: NDArray[np.int64]) -> dict[str, tuple[str, ...]]:
        shown = ("detail", "source", "temperature", "phase", "fraction", "repeats", "lowest", "highest")
        return {
            column.heading: _kept(list(self.raw.columns[column.column]), kept)
            for column in self.roles.columns
            if column.role in shown and (column.of is None or self._is_shown_statistic(column))
        }

    def _is_shown_statistic(self, column: ColumnRole) -> bool:
        return len(self.roles.values) <= 2 and column.role in ("repeats", "lowest", "highest")

    def _temperature(self, kept: NDArray[np.int64]) -> FloatArray | None:
        column = self.roles.first("temperature")
        if column is None:
            return None
        read = read_number_column(self.raw.columns[column.column], column.style)
        kelvin = np.array(read.values)
        written = column.unit
        if written:
            try:
                way = conversion(written, find_property("glass_transition"))
                kelvin = way.apply(kelvin)
            except UnitProblem:
                self.notes.append(f"{column.heading}: “{written}” is not a unit of temperature.")
        kelvin = kelvin[kept]
        kelvin.setflags(write=False)
        return kelvin

    def _descriptors(self, kept: NDArray[np.int64]) -> tuple[tuple[str, ...], FloatArray | None]:
        columns = self.roles.all("descriptor")
        if not columns:
            return (), None
        array = np.column_stack([read_number_column(self.raw.columns[c.column], c.style).values[kept] for c in columns])
        array.setflags(write=False)
        return tuple(column.heading for column in columns), array


def _kept(cells: Sequence[str] | None, kept: NDArray[np.int64]) -> tuple[str, ...]:
    return ("",) * len(kept) if cells is None else tuple(cells[row] for row in kept)


def _kept_values(column: ValueColumn, kept: NDArray[np.int64]) -> ValueColumn:
    def part(array: FloatArray | None) -> FloatArray | None:
        if array is None:
            return None
        taken = array[kept]
        taken.setflags(write=False)
        return taken

    position = {int(row): index for index, row in enumerate(kept)}
    values, uncertainty = part(column.values), part(column.uncertainty)
    assert values is not None and uncertainty is not None  # noqa: PT018 - both arrays exist
    return ValueColumn(
        column.quantity,
        values,
        uncertainty,
        column.heading,
        column.unit_as_written,
        part(column.lowest),
        part(column.highest),
        part(column.repeats),
        MappingProxyType({position[row]: note for row, note in column.notes.items() if row in position}),
    )
