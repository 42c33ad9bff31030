"""What the cells of the polymer table say, copy and sort by, whatever line a polymer stands in."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.data.row_columns import STATES, RowColumns, TextColumn, columns_of, is_measured, state_text
from affinecal_gui.study.md_origin import MD_ORIGINS, MDOrigin
from affinecal_gui.study.shown.next_measurements import NextMeasurement, measurement_sentence, next_measurements
from affinecal_gui.study.shown.row_values import RowValues, largest_value, md_origins, origin_text, shown_values
from affinecal_gui.study.snapshot import PolymerRow, RowState, Snapshot
from affinecal_gui.tables.cells.formula_texts import pasted_cell
from affinecal_gui.task import UNWATCHED, Task
from affinecal_gui.ui.parts.clipboard import copied_number
from affinecal_gui.ui.parts.number_text import decimals_for, number_text, range_text
from affinecal_gui.ui.views.polymers.table.polymer_order import Group, Sorting

_COPIED_AT_ONCE = 200  # rows between two questions whether to stop, about a millisecond


class Column(IntEnum):
    """Columns in the order in which they are shown at first."""

    RANK = 0  # of those worth measuring next
    STRUCTURE = 1
    POLYMER = 2
    MEASURED = 3
    MD = 4
    CALIBRATED = 5
    INTERVAL = 6
    RESIDUAL = 7
    GAIN = 8  # what measuring it would do
    STATE = 9
    ORIGIN = 10  # of the MD value behind the calibrated one


class Head(NamedTuple):
    """The two lines of a table head."""

    title: str
    unit: str


STATE_ROLES: dict[RowState, str] = {
    "used": "good",
    "left out": "caution",
    "no MD value": "muted",
    "predicted": "good",
    "invalid": "bad",
    "waiting": "muted",
}
"""Palette role in which the word for a state is written."""


SORTED_TEXTS: dict[int, TextColumn] = {Column.STRUCTURE: "smiles", Column.POLYMER: "label", Column.STATE: "state"}
"""Columns that are sorted by a text."""


@dataclass(frozen=True, slots=True)
class Decimals:
    """Decimals of the value columns, one number for all, and of the residual in per cent."""

    value: int = 0
    residual: int = 1


@dataclass(frozen=True, slots=True, eq=False)
class PolymerCells:
    """The polymers of one snapshot; they are called by the number of their row."""

    source: Snapshot
    columns: RowColumns
    values: RowValues  # with those that follow from predicted MD values
    origins: NDArray[np.int8]  # (r,) of the MD value behind each calibrated one, positions in MD_ORIGINS; -1 without
    suggestions: Mapping[int, NextMeasurement]  # by the number of the row, the best first
    counts: Counter[tuple[bool, RowState]]  # of the polymers, by whether they are measured and by state
    decimals: Decimals
    _widest: dict[int, tuple[str, ...]] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, snapshot: Snapshot, before: "PolymerCells | None" = None) -> "PolymerCells":
        """Take a snapshot over; what is the same as in the cells of before is not worked out again."""
        if before is None or snapshot.rows is not before.source.rows:
            columns, values = columns_of(snapshot), shown_values(snapshot)
            decimals = Decimals(decimals_for([largest_value(snapshot)]))
            origins = md_origins(snapshot, values)
            suggested = _suggested(snapshot, columns)
            return cls(snapshot, columns, values, origins, suggested, _counted(columns), decimals)
        new_results = (
            snapshot.calibration is not before.source.calibration or snapshot.corrected is not before.source.corrected
        )
        predicted_again = snapshot.predicted_md is not before.source.predicted_md
        if not new_results and not predicted_again and snapshot.settings.model == before.source.settings.model:
            return replace(before, source=snapshot)
        found = _suggested(snapshot, before.columns) if new_results else before.suggestions
        values = shown_values(snapshot)
        origins = md_origins(snapshot, values)
        return replace(before, source=snapshot, values=values, origins=origins, suggestions=found, _widest={})

    def stand_as(self, other: "PolymerCells") -> bool:
        """Whether all that lines are filtered and sorted by is the same."""
        same = self.columns is other.columns and self.values is other.values
        return same and self.suggestions is other.suggestions

    @property
    def unit(self) -> str:
        """Unit of the property."""
        return self.source.quantity.unit if self.source.quantity is not None else ""

    @property
    def level(self) -> float:
        """Level of the intervals, 0 to 1."""
        calibration = self.source.calibration
        return calibration.interval_level if calibration is not None else self.source.settings.interval_level

    def row(self, key: str) -> PolymerRow | None:
        """Return the polymer with a key; None if there is none."""
        number = self.columns.number_of.get(key, -1)
        return self.columns.rows[number] if number >= 0 else None

    def count(self, group: Group) -> int:
        """Return how many polymers a list has without any filter."""
        if group == "next":
            return len(self.suggestions)
        return sum(count for (measured, _), count in self.counts.items() if measured == (group == "measured"))

    def state_counts(self, group: Group) -> dict[RowState, int]:
        """Return how many polymers of a list are in each state that occurs, in the order of :data:`STATE_ROLES`."""
        if group == "next":
            states = Counter(found.row.state for found in self.suggestions.values())
            return {state: states[state] for state in STATE_ROLES if states[state]}
        return {state: count for state in STATE_ROLES if (count := self.counts[group == "measured", state])}

    def origin_counts(self, group: Group) -> dict[MDOrigin, int]:
        """Return how many calibrated values of a list come from each kind of MD value that occurs."""
        if group == "next":
            listed = self.origins[list(self.suggestions)]
        else:
            listed = self.origins[is_measured(self.columns) == (group == "measured")]
        counts = np.bincount(listed[listed >= 0], minlength=len(MD_ORIGINS)).tolist()
        return {origin: count for origin, count in zip(MD_ORIGINS, counts, strict=True) if count}

    @property
    def tells_origins(self) -> bool:
        """Whether there is a calibrated value that does not come from a simulated MD value."""
        return bool((self.origins > MD_ORIGINS.index("simulated")).any())

    def sorting(self, column: int, *, descending: bool) -> Sorting:
        """Return how the polymers are sorted by a column; -1 is the order of the file."""
        if column < 0:
            return Sorting()
        if column in SORTED_TEXTS:
            return Sorting(SORTED_TEXTS[column], descending=descending)
        return Sorting(numbers=lambda: self._sorted_numbers(column), descending=descending)

    def _sorted_numbers(self, column: int) -> FloatArray:
        values = self.values
        match column:
            case Column.MEASURED:
                return values.measured
            case Column.MD:
                return values.md
            case Column.CALIBRATED:
                return values.calibrated
            case Column.INTERVAL:  # the narrowest first: those that are known best
                return values.upper - values.lower
            case Column.ORIGIN:
                return np.where(self.origins < 0, np.nan, self.origins)
            case Column.RESIDUAL:  # by size, whatever the sign: what is furthest off is looked for
                return np.abs(values.residual_percent)
            case _:
                ranks = np.full(len(self.columns.rows), np.nan)
                for number, found in self.suggestions.items():
                    ranks[number] = found.rank if column == Column.RANK else found.narrower
                return ranks

    def head(self, column: int) -> Head:
        """Return the two lines above a column."""
        match column:
            case Column.RANK:
                return Head("No.", "")
            case Column.STRUCTURE:
                return Head("Structure", "repeat unit")
            case Column.POLYMER:
                return Head("Polymer", "name, id")
            case Column.MEASURED:
                return Head("Measured", self.unit)
            case Column.MD:
                return Head("MD", self.unit)
            case Column.CALIBRATED:
                return Head("Calibrated", self.unit)
            case Column.INTERVAL:
                return Head(f"{100 * self.level:g} % interval", self.unit)
            case Column.RESIDUAL:
                return Head("Residual", "%")
            case Column.GAIN:
                return Head("If measured", "mean interval")
            case Column.ORIGIN:
                return Head("MD value", "from")
            case _:
                return Head("State", "")

    def copied_head(self, column: int) -> str:
        """Return the head of a column for a spreadsheet: with its unit, and saying what the figures below it are."""
        if column == Column.STRUCTURE:
            return "SMILES"
        if column == Column.GAIN:
            return "Narrows the mean interval by [%]"
        if column == Column.ORIGIN:
            return "MD value from"
        head = self.head(column)
        return f"{head.title} [{head.unit}]" if head.unit and column >= Column.MEASURED else head.title

    def widest_texts(self, column: int) -> tuple[str, ...]:
        """Return the longest texts a number column can show, for its width."""
        known = self._widest.get(column)
        if known is None:
            known = self._widest[column] = self._find_widest(column)
        return known

    def _find_widest(self, column: int) -> tuple[str, ...]:
        decimals, values = self.decimals.value, self.values
        by_column: dict[int, tuple[FloatArray, ...]] = {
            Column.MEASURED: (values.measured,),
            Column.MD: (values.md,),
            Column.CALIBRATED: (values.calibrated,),
            Column.INTERVAL: (values.lower, values.upper),
            Column.RESIDUAL: (values.residual_percent,),
        }
        arrays = by_column.get(column, ())
        ends = [(float(np.nanmin(array)), float(np.nanmax(array))) for array in arrays if np.isfinite(array).any()]
        if not ends:
            return ()
        if column == Column.INTERVAL:
            return (range_text(ends[0][1], ends[-1][1], decimals), range_text(ends[0][0], ends[-1][1], decimals))
        if column == Column.RESIDUAL:
            return tuple(number_text(end, self.decimals.residual, signed=True) for end in ends[0])
        return tuple(number_text(end, decimals) for end in ends[0])

    def text(self, number: int, column: int) -> str:
        """Return what a cell says."""
        values, decimals = self.values, self.decimals
        match column:
            case Column.STRUCTURE:
                return self.columns.rows[number].smiles
            case Column.POLYMER:
                return self.columns.rows[number].label
            case Column.MEASURED:
                return number_text(values.measured[number], decimals.value)
            case Column.MD:
                return number_text(values.md[number], decimals.value)
            case Column.CALIBRATED:
                return number_text(values.calibrated[number], decimals.value)
            case Column.INTERVAL:
                return range_text(values.lower[number], values.upper[number], decimals.value)
            case Column.RESIDUAL:
                return number_text(values.residual_percent[number], decimals.residual, signed=True)
            case Column.RANK:
                return str(self.suggestions[number].rank) if number in self.suggestions else ""
            case Column.GAIN:
                return ", ".join(filter(None, self.gain(number)))
            case Column.ORIGIN:
                return origin_text(int(self.origins[number]))
            case _:
                row = self.columns.rows[number]
                note = self.source.settings.note_of(row.key)
                return f"{state_text(row)}. Note: {note}" if note else state_text(row)

    def spoken_text(self, number: int, column: int) -> str:
        """Return what is read out of a cell: its head as well, and the unit."""
        head = self.head(column)
        return f"{head.title}: {self.text(number, column)} {head.unit if column >= Column.MEASURED else ''}".strip()

    def gain(self, number: int) -> tuple[str, str]:
        """Return what measuring a polymer would do, and in all with those above it; "" when unknown."""
        return self.suggestions[number].words if number in self.suggestions else ("", "")

    def details(self, number: int) -> str:
        """Return everything known about a polymer, as a small rich-text table."""
        row, unit = self.columns.rows[number], self.unit
        lines = [("Id", row.id), ("Repeat unit", row.smiles)]
        for column in (Column.MEASURED, Column.MD, Column.CALIBRATED, Column.INTERVAL):
            text = self.text(number, column)
            if text != number_text(float("nan"), 0):
                lines.append((self.head(column).title, f"{text} {unit}".strip()))
        if self.values.out_of_fold[number]:
            lines.append(("", "calibrated out of fold: without its own measured value"))
        lines.extend(self._predicted_lines(number))
        if number in self.suggestions:
            lines.append(("If measured", measurement_sentence(self.source, self.suggestions[number])))
        lines.append(("State", state_text(row)))
        lines.append(("Note", self.source.settings.note_of(row.key)))
        lines.extend(row.details)
        body = "".join(
            f"<tr><td style='padding-right:8px'>{_escape(name)}</td><td>{_escape(_shortened(text))}</td></tr>"
            for name, text in lines
            if text
        )
        return f"<b>{_escape(row.label)}</b><table>{body}</table>"

    def _predicted_lines(self, number: int) -> list[tuple[str, str]]:
        """Say of a value from a predicted MD value that it is one, and what was predicted."""
        found = self.source.predicted_md
        if found is None or not self.values.from_predicted[number]:
            return [("MD value from", self.text(number, Column.ORIGIN))]
        if self.text(number, Column.ORIGIN) == "no MD used":
            return [("MD value from", "no MD used: by the structure alone")]
        md = f"{number_text(float(found.md[number]), self.decimals.value)} {self.unit}".strip()
        return [("MD value from", f"{md}, predicted from the MD table, not simulated")]


@dataclass(frozen=True, slots=True, eq=False)
class CopiedCells:
    """Cells as a spreadsheet takes them, whatever the table shows meanwhile: every figure, a plain minus, no dash."""

    cells: PolymerCells
    numbers: NDArray[np.intp]  # of the rows that are copied
    columns: tuple[Column, ...]

    def text(self, *, mark: str = ".", task: Task = UNWATCHED) -> str:
        """Return tab-separated lines below their head; the id stands behind the name, an interval in two columns.

        Parameters
        ----------
        mark
            The decimal mark of the spreadsheet that the cells are for.
        task
            Is asked whether to stop.
        """
        heads = [pasted_cell(head) for column in self.columns for head in self._heads(column)]
        parts = ["\t".join(heads)]
        for start in range(0, self.numbers.size, _COPIED_AT_ONCE):
            task.check()
            task.report(start / self.numbers.size, "Copying the list")
            numbers = self.numbers[start : start + _COPIED_AT_ONCE]
            columns = [texts for column in self.columns for texts in self._texts(numbers, column, mark)]
            parts.append("\n".join(map("\t".join, zip(*columns, strict=True))))
        return "\n".join((*parts, ""))

    def _rows(self, numbers: NDArray[np.intp]) -> list[PolymerRow]:
        rows = self.cells.columns.rows
        return [rows[number] for number in numbers.tolist()]

    def _is_hidden(self, numbers: NDArray[np.intp], column: Column) -> NDArray[np.bool_]:
        """Whether cells stay empty: lists that leave the window have the rows of the exported files, and no more."""
        if column in (Column.MEASURED, Column.MD):
            return np.zeros(numbers.size, dtype=np.bool_)
        return self.cells.values.from_predicted[numbers]

    def _heads(self, column: Column) -> tuple[str, ...]:
        """Return the heads of the columns that one of the table becomes."""
        head = self.cells.copied_head(column)
        if column == Column.POLYMER:
            return head, "Id"
        if column == Column.INTERVAL:
            return f"{head}, from", f"{head}, to"
        return (head,)

    def _texts(self, numbers: NDArray[np.intp], column: Column, mark: str) -> tuple[list[str], ...]:
        """Return the cells of some rows in the columns that one of the table becomes."""
        values, suggestions = self.cells.values, self.cells.suggestions
        by_column: dict[Column, tuple[FloatArray, ...]] = {
            Column.MEASURED: (values.measured,),
            Column.MD: (values.md,),
            Column.CALIBRATED: (values.calibrated,),
            Column.INTERVAL: (values.lower, values.upper),
            Column.RESIDUAL: (values.residual_percent,),
        }
        if column in by_column:
            hidden = self._is_hidden(numbers, column)
            return tuple(_figures(np.where(hidden, np.nan, found[numbers]), mark) for found in by_column[column])
        match column:
            case Column.ORIGIN:
                hidden = self._is_hidden(numbers, column)
                return (
                    [
                        "" if out else self.cells.text(number, column)
                        for number, out in zip(numbers.tolist(), hidden.tolist(), strict=True)
                    ],
                )
            case Column.STRUCTURE:
                return ([pasted_cell(row.smiles) for row in self._rows(numbers)],)
            case Column.POLYMER:
                rows = self._rows(numbers)
                return [pasted_cell(row.label) for row in rows], [pasted_cell(row.id) for row in rows]
            case Column.RANK:
                return (
                    [str(suggestions[number].rank) if number in suggestions else "" for number in numbers.tolist()],
                )
            case Column.GAIN:
                found = [suggestions.get(number) for number in numbers.tolist()]
                return (_figures(np.array([np.nan if one is None else one.narrower for one in found]), mark),)
            case _:
                return ([pasted_cell(self.cells.text(number, Column.STATE)) for number in numbers.tolist()],)


def _figures(values: FloatArray, mark: str) -> list[str]:
    return [copied_number(value, mark) for value in values.tolist()]


def copied(cells: PolymerCells, numbers: NDArray[np.intp], columns: Sequence[int]) -> CopiedCells:
    """Return the cells of some rows, in the order of ``numbers``, for a spreadsheet."""
    return CopiedCells(cells, numbers, tuple(map(Column, columns)))


def _suggested(snapshot: Snapshot, columns: RowColumns) -> dict[int, NextMeasurement]:
    return {columns.number_of[one.row.key]: one for one in next_measurements(snapshot)}


def _counted(columns: RowColumns) -> Counter[tuple[bool, RowState]]:
    codes = is_measured(columns) * len(STATES) + columns.states
    counted = np.bincount(codes, minlength=2 * len(STATES)).reshape(2, len(STATES))
    return Counter(
        {
            (measured, state): int(counted[int(measured), number])
            for measured in (False, True)
            for number, state in enumerate(STATES)
        }
    )


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _shortened(text: str, limit: int = 160) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
