"""One column of values with its unit, uncertainties and ranges -> numbers in the canonical unit of the property."""

from collections.abc import Callable, Collection, Container, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.magnitudes import within_reach
from affinecal_gui.numbers import shortest
from affinecal_gui.tables.cells.numbers import BRACKETED, NumberColumn, read_number_column
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.evidence.unit_columns import NO_UNITS_BY_ROW, row_units
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.relative_uncertainties import is_percent
from affinecal_gui.tables.headings.stated_deviations import stated_deviation
from affinecal_gui.tables.headings.stated_pressures import pressure_in_heading
from affinecal_gui.tables.headings.stated_temperatures import temperature_in_heading
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import Conversion, UnitProblem, conversion
from affinecal_gui.tables.values.doubtful_cells import OWN_UNIT, doubtful_cells
from affinecal_gui.tables.values.note_letters import without_note_letters
from affinecal_gui.tables.values.stated_uncertainties import (
    StatedUncertainties,
    are_larger,
    uncertainties_in_cells,
    uncertainties_in_column,
)
from affinecal_gui.tables.values.value_columns import FloatArray, ValueColumn
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task


def unit_assumed(heading: str, unit: str) -> str:
    """Say that a heading names no unit, and which one its values were read in."""
    return f"No unit is named in the heading “{shortened(heading)}”; its values are read as {unit}."


@dataclass(frozen=True, slots=True)
class ReadColumn:
    """A value column of all rows of a file, and the cells of it that hold no usable value."""

    column: ValueColumn
    bad: Mapping[int, RowProblem]  # by row


class ColumnsBeside:
    """The columns that other columns need to be read: looked up once, because a file may have thousands of columns."""

    def __init__(self, roles: Roles) -> None:
        self.columns = roles.columns
        self.has_units = roles.first("unit") is not None
        self.statistics: dict[int, list[ColumnRole]] = {}
        for column in roles.columns:
            if column.of is not None and column.role in ("uncertainty", "lowest", "highest", "range", "repeats"):
                self.statistics.setdefault(column.of, []).append(column)


def read_value_column(
    raw: RawTable,
    column: ColumnRole,
    quantity: Property,
    others: ColumnsBeside,
    molar_masses: Callable[[], FloatArray],
    *,
    task: Task = UNWATCHED,
) -> ReadColumn:
    """Read one value column with the statistics that belong to it.

    Parameters
    ----------
    raw
        The file.
    column, quantity
        The column and the property it holds.
    others
        The columns of units and of statistics.
    molar_masses
        Gives the molar mass of the repeat unit of every row, (rows,) in g/mol with nan where unknown; only called for
        values per mole.

    Raises
    ------
    TableError
        The unit of the column is not a unit of the property.
    Cancelled
        When the task was cancelled.
    """
    numbers = read_number_column(raw.columns[column.column], column.style, task=task)
    numbers = without_note_letters(numbers, quantity)
    beside = row_units(raw, column, quantity, others.columns) if others.has_units or raw.units else NO_UNITS_BY_ROW
    if beside.refused:
        raise TableError(f"{raw.name}: {beside.contradiction}. Correct the one that is wrong.")
    units = _Units(raw, beside.column, column, quantity, numbers, molar_masses, task)
    values = units.converted(numbers.values)
    bad = _bad_cells(raw, column, quantity, numbers, values, units)
    values[list(bad)] = np.nan
    in_percent = units.in_percent()
    uncertainty = units.converted(uncertainties_in_cells(numbers, in_percent), difference=True)
    extra: dict[str, FloatArray] = {}
    remarks = list(column.notes)
    for other in others.statistics.get(column.column, ()):
        if other.role == "uncertainty":
            stated = uncertainties_in_column(raw, other, quantity, numbers.values, in_percent, task=task)
            for given in units.converted_uncertainties(stated, other.unit):
                uncertainty = np.where(np.isfinite(given), given, uncertainty)
            remarks += stated.remarks
            if stated.are_shares and units.have_offset:
                remarks.append(
                    f"{shortened(other.heading)}: its shares are those of the numbers as written, which do not count from "
                    f"zero {quantity.unit}."
                )
            continue
        cells = read_number_column(raw.columns[other.column], other.style, task=task)
        read = cells.values
        if other.role == "repeats":
            extra["repeats"] = read
        elif other.role == "range":  # read as its middle, with half its width as uncertainty
            for end, side in (("lowest", -1.0), ("highest", 1.0)):
                extra[end] = units.converted(read + side * cells.uncertainty, written=other.unit)
        else:
            extra[other.role] = units.converted(read, written=other.unit)
    of_all = stated_deviation(column.heading)
    if of_all is not None and not np.isfinite(uncertainty).any():
        size, is_share = of_all
        sizes = (
            np.abs(numbers.values) * size / 100.0 if is_share else np.where(np.isfinite(numbers.values), size, np.nan)
        )
        uncertainty = units.converted(sizes, difference=True)
        remarks.append(
            f"{shortened(column.heading)}: ±{size:g}{' %' if is_share else ''} is read as the uncertainty of every value."
        )
    if quantity.positive and are_larger(uncertainty, values):
        remarks.append(
            f"{shortened(column.heading)}: its uncertainties are larger than the values. Is their unit right?"
        )
    without_unit = np.isfinite(numbers.values)
    without_unit[list(units.of_row)] = False
    is_assumed = column.unit_is_guessed and bool(without_unit.any())
    if is_assumed:
        remarks.append(unit_assumed(column.heading, column.unit))
    if beside.contradiction:
        remarks.append(f"{beside.contradiction[:1].upper()}{beside.contradiction[1:]}: the heading is followed.")
    remarks += [f"{shortened(column.heading)}: {words}." for words in units.assumed]
    remarks += units.remarks
    remarks += units.of_few_cells(raw, column)
    remarks += units.of_no_polymer(column, values)
    remarks += doubtful_cells(raw, column, numbers, bad, percent_is_share=not in_percent.any())
    if units.per_mole:
        per_mole = " and ".join(dict.fromkeys(way.written for way in units.ways if way.needs_molar_mass))
        remarks.append(
            f"{shortened(column.heading)}: converted from {per_mole} to {quantity.unit} with the molar mass of each repeat "
            "unit as written."
        )
    return ReadColumn(
        ValueColumn(
            quantity,
            values,
            uncertainty,
            column.heading,
            column.unit,
            extra.get("lowest"),
            extra.get("highest"),
            extra.get("repeats"),
            _notes_of_cells(numbers, units.in_own_unit, bad),
            unit_is_named=not is_assumed and bool(column.unit or units.of_row or quantity.is_dimensionless),
            remarks=tuple(remarks),
            kelvin=temperature_in_heading(column.heading),
            megapascal=pressure_in_heading(column.heading),
        ),
        bad,
    )


def _notes_of_cells(numbers: NumberColumn, in_own_unit: Collection[int], bad: Container[int]) -> dict[int, str]:
    notes = {
        row: ", ".join(filter(None, (reading.note, OWN_UNIT if row in in_own_unit else "")))
        for row, reading in numbers.odd.items()
        if row not in bad
    }
    return {row: note for row, note in notes.items() if note}


class _Units:
    """The unit of every row of a value column: of the cell, else of the row's unit cell, else of the column."""

    def __init__(
        self,
        raw: RawTable,
        unit_column: ColumnRole | None,
        column: ColumnRole,
        quantity: Property,
        numbers: NumberColumn,
        molar_masses: Callable[[], FloatArray],
        task: Task,
    ) -> None:
        self._quantity = quantity
        self._rows = raw.row_count
        self._column_unit = column.unit or quantity.unit
        self.of_row: dict[int, str] = {}
        self.problems: dict[str, str] = {}  # by unit text: why it cannot be used
        self.unknown: set[int] = set()  # rows whose unit nothing tells
        self.remarks: list[str] = []
        self._ways: dict[str, Conversion] = {}
        if unit_column is not None:
            self._by_column(raw, unit_column, column, numbers, task)
        for row, reading in numbers.odd.items():
            if reading.suffix:
                self.of_row[row] = reading.suffix
        for text in dict.fromkeys(self.of_row.values()):  # in the order of the file, every time the same
            try:
                self._ways[text] = conversion(text, quantity)
            except UnitProblem as problem:
                self.problems[text] = str(problem)
        self._column_way = self._of_column(raw, column, by_row=unit_column is not None)
        self.in_own_unit = self._in_own_unit(numbers)
        self.ways = (self._column_way, *self._ways.values())
        self.per_mole = any(way.needs_molar_mass for way in self.ways)
        self._masses = molar_masses() if self.per_mole else None

    def _by_column(
        self, raw: RawTable, unit_column: ColumnRole, column: ColumnRole, numbers: NumberColumn, task: Task
    ) -> None:
        without = []
        for row, text in enumerate(task.each(raw.columns[unit_column.column])):
            if not is_missing_word(text):
                self.of_row[row] = text
            elif np.isfinite(numbers.values[row]):
                without.append(row)
        given = set(self.of_row.values())
        if len(given) > 1:
            self.unknown.update(without)
        elif given and without:
            named, (unit,) = shortened(unit_column.heading), given
            first = f"line {raw.lines[without[0]]}" + (f" and {len(without) - 1} more" if len(without) > 1 else "")
            self.remarks.append(
                f"{shortened(column.heading)}: “{named}” is empty in {first}; read as {shortened(unit)} like the others."
            )

    def _of_column(self, raw: RawTable, column: ColumnRole, *, by_row: bool) -> Conversion:
        try:
            return conversion(column.unit or self._quantity.unit, self._quantity)
        except UnitProblem as problem:
            if by_row:
                return Conversion("", 1.0)
            raise TableError(
                f"{raw.name}, column {shortened(column.heading)}: {problem}. Correct the unit in the heading, or choose "
                "it in the import preview."
            ) from None

    def _in_own_unit(self, numbers: NumberColumn) -> tuple[int, ...]:
        """Return the rows of the few cells that name another unit than the column; none where most cells do."""
        column = self._column_way
        rows = tuple(
            row
            for row, reading in numbers.odd.items()
            if (way := self._ways.get(reading.suffix)) is not None
            and (way.factor, way.offset) != (column.factor, column.offset)
        )
        return rows if 2 * len(rows) <= np.isfinite(numbers.values).sum() else ()

    def of_few_cells(self, raw: RawTable, column: ColumnRole) -> Iterator[str]:
        """Say where single cells have another unit than the others, which a mark of a note may look like: "354C"."""
        rows = self.in_own_unit
        if not rows:
            return
        first = rows[0]
        where = f"line {raw.lines[first]}" + (f" and {len(rows) - 1} more" if len(rows) > 1 else "")
        is_named = column.unit and not column.unit_is_guessed
        yield (
            f"{shortened(column.heading)}: {where} ({shortened(raw.columns[column.column][first])}) "
            f"{'is' if len(rows) == 1 else 'are'} read in the unit of the cell, {shortened(self.of_row[first])}, and not in "
            f"that of {'the heading' if is_named else 'the others'}."
        )

    def of_no_polymer(self, column: ColumnRole, values: FloatArray) -> Iterator[str]:
        """Say where units of cells, or per mole, make values that no polymer has; those of headings are looked at before."""
        finite = np.isfinite(values)
        by_cell = finite[list(self.of_row)].sum() if self.of_row else 0
        if not self._quantity.is_known or not finite.any() or not (self.per_mole or 2 * by_cell >= finite.sum()):
            return
        typical = float(np.median(values[finite]))
        if not self._quantity.is_plausible(typical):
            yield (
                f"{shortened(column.heading)}: a typical value of {shortest(typical, 4)} {self._quantity.unit} is unusual "
                "for a polymer. Are the units right?"
            )

    @property
    def assumed(self) -> tuple[str, ...]:
        """What was taken to be meant by units that do not say it, in words."""
        return tuple(dict.fromkeys(way.assumed for way in self.ways if way.assumed))

    @property
    def have_offset(self) -> bool:
        """Whether the zero of a unit is not that of the property, as with °C."""
        return any(way.offset for way in self.ways)

    def in_percent(self) -> NDArray[np.bool_]:
        """(rows,) whether a value is written in per cent."""
        found = np.full(self._rows, is_percent(self._column_unit))
        for row, text in self.of_row.items():
            found[row] = is_percent(text)
        return found

    def converted_uncertainties(self, stated: StatedUncertainties, column_unit: str) -> Iterator[FloatArray]:
        """Yield uncertainties in the canonical unit, (rows,) each, nan where nothing is stated in that way."""
        yield self.converted(stated.as_value, difference=True)
        yield self.converted(stated.of_column, difference=True, written=column_unit)
        for unit, sizes in stated.of_cells.items():
            yield self._apply(conversion(unit, self._quantity), sizes, self._masses, difference=True)

    def converted(self, values: FloatArray, *, difference: bool = False, written: str | None = None) -> FloatArray:
        """Convert values to the canonical unit.

        Parameters
        ----------
        values
            (rows,) as written.
        difference
            True for uncertainties: no offset is added.
        written
            The own unit of a column of uncertainties or bounds, where it can be used.
        """
        default = self._column_way
        if written and not self.of_row:
            try:
                default = conversion(written, self._quantity)
            except UnitProblem:
                default = self._column_way
        converted = self._apply(default, values, self._masses, difference=difference)
        if self.unknown:
            converted[list(self.unknown - self.of_row.keys())] = np.nan
        rows: dict[str, list[int]] = {}
        for row, text in self.of_row.items():
            rows.setdefault(text, []).append(row)
        for text, members in rows.items():
            masses = None if self._masses is None else self._masses[members]
            way = self._ways.get(text)
            converted[members] = (
                np.nan if way is None else self._apply(way, values[members], masses, difference=difference)
            )
        return converted

    def _apply(self, way: Conversion, values: FloatArray, masses: FloatArray | None, *, difference: bool) -> FloatArray:
        offset = 0.0 if difference else way.offset
        if way.needs_molar_mass and masses is None:  # a bound in another unit than its value
            return np.full(len(values), np.nan)
        converted = Conversion(way.written, way.factor, offset, way.per_mole_of).apply(values, masses)
        return np.array(converted, dtype=np.float64)


def _bad_cells(
    raw: RawTable,
    column: ColumnRole,
    quantity: Property,
    numbers: NumberColumn,
    values: FloatArray,
    units: _Units,
) -> dict[int, RowProblem]:
    """List the cells without a usable value; they reject their row only if it has no other value."""
    bad: dict[int, RowProblem] = {}
    cells = raw.columns[column.column]

    def note(row: int, reason: str, suggestion: str = "Type a value") -> None:
        if row not in bad:
            line = int(raw.lines[row])
            bad[row] = RowProblem(line, column.heading, cells[row][:200], reason, suggestion, rejects_row=False)

    for row, reading in numbers.odd.items():
        if reading.state == "problem":
            note(row, reading.reason, reading.suggestion or "Type a value")
    signed = not (quantity.positive and quantity.is_known) or units.have_offset
    if signed and not (numbers.values < 0).any():  # where others have a minus, brackets stand for something else
        for row, reading in numbers.odd.items():
            if BRACKETED in reading.note.split(", "):
                said = f"“{shortened(cells[row])}” may be negative, as accounts write it, or a value in doubt"
                note(row, said, "Write it without brackets, with its sign")
    for row, text in units.of_row.items():
        if text in units.problems and np.isfinite(numbers.values[row]):
            note(row, units.problems[text], "Correct the unit")
    for row in sorted(units.unknown - units.of_row.keys()):
        note(row, "no unit is given for it, and those of the other rows differ", "Add the unit")
    for row in np.flatnonzero(np.isfinite(numbers.values) & ~np.isfinite(values)).tolist():
        note(row, "a value per mole needs a valid repeat unit, for its molar mass", "Edit the repeat unit")
    for row in np.flatnonzero(~within_reach(values)).tolist():
        size = "large" if abs(values[row]) > 1.0 else "small"
        note(row, f"“{shortened(cells[row])}” is too {size} for any property")
    if quantity.positive and quantity.is_known:
        for row in np.flatnonzero(values <= 0).tolist():
            kind = "zero" if values[row] == 0 else "negative"
            note(row, f"{cells[row]} is {kind}; {quantity.title.lower()} is positive")
    return bad
