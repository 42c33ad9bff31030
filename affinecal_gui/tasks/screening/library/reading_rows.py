"""What the columns of a library are for, and its rows as polymers with MD values, or with the reason why they are none."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.errors import UserError
from affinecal_gui.study.importing.merging import in_unit
from affinecal_gui.study.md_conditions import MDConditions
from affinecal_gui.tables.advice import of_no_study
from affinecal_gui.tables.evidence.copolymer_columns import PolymerColumns, polymer_columns
from affinecal_gui.tables.evidence.rows_below import SAVE_APART
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import CONDITIONS_IN_WORDS, TACTICITIES
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role
from affinecal_gui.tables.headings.stated_pressures import is_pressure_heading
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.row_stream import StreamedRow, table_of_rows
from affinecal_gui.tables.simulations.checked_table import columns_of_runs
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.rejected_rows import rejected_rows
from affinecal_gui.tables.values.value_conditions import pressures_of_rows, temperatures_of_rows
from affinecal_gui.tasks.reading.data_files import understood_as
from affinecal_gui.tasks.reading.missing_md import told_without_md

ReasonCode = Literal[
    "ok",
    "broken_row",
    "no_polymer",
    "invalid_repeat_unit",
    "not_described",
    "too_slow",
    "process_died",
    "no_md_value",
    "md_not_read",
    "md_not_usable",
    "extrapolation",
]
"""What became of a row; all but "ok" leave it without a value."""

IN_WORDS: Mapping[str, str] = {
    "broken_row": "too many cells, or part of another table",
    "no_polymer": "no repeat unit is given",
    "invalid_repeat_unit": "the repeat unit cannot be read",
    "not_described": "the force field has no parameters for them",
    "too_slow": "describing them takes too long",
    "process_died": "describing them ended the process",
    "no_md_value": "no MD value, and none can be predicted",
    "md_not_read": "the MD value is no number",
    "md_not_usable": "the MD value cannot be used",
    "extrapolation": "too unlike the polymers of the fit",
}

_NOT_LOOKED_AT: frozenset[Role] = frozenset(("detail", "ignored", "source", "phase"))


class Reason(NamedTuple):
    """Why a row has no value."""

    code: ReasonCode
    sentence: str


OK = Reason("ok", "")

NOTHING_FITTED: Mapping[str, MDConditions] = {}


@dataclass(frozen=True, slots=True, eq=False)
class RowLayout:
    """How the rows of a library are read: the same in every process."""

    table: RawTable  # without rows; the columns that are looked at
    roles: Roles
    quantities: tuple[Property, ...]  # that are calibrated
    columns: tuple[int, ...]  # of the library that are kept
    wanted: tuple[
        str, ...
    ]  # names of the descriptors that a calibrator of ready ones asks for; () where all are computed

    @property
    def polymer(self) -> PolymerColumns | None:
        """Where a row says what its polymer is."""
        return polymer_columns(self.roles)

    def has_md(self, quantity: Property) -> bool:
        """Whether the library brings MD values of a property."""
        return any(
            column.role == "md" and column.quantity is not None and column.quantity.key == quantity.key
            for column in self.roles.values
        )

    def kept(self, row: StreamedRow) -> StreamedRow:
        """Return a row of the library with its cells that are looked at."""
        cells = tuple(row.cells[number] if number < len(row.cells) else "" for number in self.columns)
        return StreamedRow(row.line, cells, row.problem)

    def read(self, rows: Sequence[StreamedRow]) -> PolymerTable:
        """Return rows as a table whose lines count them from 1; rows without a value are kept."""
        numbered = [replace(row, line=number) for number, row in enumerate(rows, 1)]
        raw = table_of_rows(self.table, numbered)
        table = to_polymer_table(raw, self.roles, allow_empty=True, keep_unreadable=True)
        for quantity in self.quantities:
            if table.has("md", quantity.key):
                table = in_unit(table, "md", quantity, among="the calibrator")
        return table


def layout_of(
    sample: RawTable,
    quantities: Sequence[Property],
    wanted: Sequence[str],
    *,
    fitted: Mapping[str, MDConditions] = NOTHING_FITTED,
) -> tuple[RowLayout, list[str]]:
    """Find out how a library is read.

    Parameters
    ----------
    sample
        Its first rows.
    quantities
        The properties that are calibrated; columns of others are left unread.
    wanted
        Names of ready descriptors.
    fitted
        By property: under which conditions the MD values of the fit hold.

    Returns
    -------
    (Layout, list of str)
        And which columns were taken where there was a choice, or that there are no MD values of a property, in sentences.

    Raises
    ------
    UserError
        It has no repeat units, or can be read in more than one way with different results.
    """
    roles = guess_roles(sample)
    keys = {quantity.key for quantity in quantities}
    unread = {
        column.column
        for column in roles.columns
        if (column.role in _NOT_LOOKED_AT and not _is_of_conditions(column.heading))
        or (column.role in VALUE_ROLES and (column.quantity is None or column.quantity.key not in keys))
    }
    unread |= {column.column for column in roles.columns if column.of in unread}
    unread -= columns_of_runs(sample)
    columns = tuple(number for number in range(len(sample.headings)) if number not in unread)
    kept = replace(
        sample,
        headings=tuple(sample.headings[number] for number in columns),
        columns=tuple(sample.columns[number] for number in columns),
        units=tuple(sample.units[number] for number in columns) if sample.units else (),
    )
    if polymer_columns(roles) is None:
        raise UserError(
            f"{sample.name} has no column of repeat units among {', '.join(sample.headings[:6])}. Give it a column “smiles”."
        )
    read = understood_as(kept, "md")
    assert read.table.roles is not None
    layout = RowLayout(kept.head(0), read.table.roles, tuple(quantities), columns, tuple(wanted))
    notes = [note for column in read.table.roles.all("smiles") for note in column.notes]
    remarks = [remark for key in keys if read.table.has("md", key) for remark in read.table.remarks(key)]
    unused = [one for one in roles.values if one.quantity is None or one.quantity.key not in keys]
    without = [told_without_md(sample.name, one, unused) for one in quantities if not layout.has_md(one)]
    told = [note for key, one in fitted.items() for note in one.notes_on(read.table, key)]
    of_table = [of_no_study(remark, md_column=False) for remark in (*read.table.notes, *remarks)]
    return layout, list(dict.fromkeys([*without, *notes, *of_table, *told]))


def _is_of_conditions(heading: str) -> bool:
    return simplified(heading) in CONDITIONS_IN_WORDS | TACTICITIES or is_pressure_heading(*split_heading(heading))


class TableBelow:
    """Notices where other headings begin a further table below, and marks its rows, as a table that is read whole does."""

    def __init__(self, layout: RowLayout) -> None:
        self._layout, self._problem = layout, ""
        polymer = layout.polymer
        self._units = () if polymer is None else polymer.units

    def marked(self, row: StreamedRow) -> StreamedRow:
        """Return the row, with a problem where it stands in such a table."""
        if self._problem:
            return StreamedRow(row.line, row.cells, self._problem)
        if row.problem or any("*" in row.cells[number] for number in self._units):
            return row
        listed = [one for one in self._layout.read([row]).problems if one.suggestion == SAVE_APART]
        if not listed:
            return row
        self._problem = listed[0].reason
        return StreamedRow(row.line, row.cells, self._problem)


@dataclass(frozen=True, slots=True, eq=False)
class PolymersRead:
    """k rows of a library; whatever cannot be read is "" or nan, and has a reason."""

    ids: list[str]
    names: list[str]
    smiles: list[str]
    reasons: list[Reason]  # of the row as a whole
    md: Mapping[str, FloatArray]  # by property: (k,) in its unit; nan where there is none
    md_not_read: Mapping[str, dict[int, str]]  # by property and position: cells that hold no usable value, and why
    temperatures: Mapping[str, FloatArray]  # by property: (k,) K, of the simulations; nan where none is stated
    pressures: Mapping[str, FloatArray]  # likewise, MPa
    ready: FloatArray | None  # (k, d) descriptors that the library brings


def polymers_of(layout: RowLayout, rows: Sequence[StreamedRow]) -> PolymersRead:
    """Read rows; every one of them is in the result, at its place."""
    count, table = len(rows), layout.read(rows)
    found = PolymersRead(
        [""] * count,
        [""] * count,
        [""] * count,
        [Reason("no_polymer", "The row holds no polymer.")] * count,
        {quantity.key: np.full(count, np.nan) for quantity in layout.quantities},
        {quantity.key: {} for quantity in layout.quantities},
        {quantity.key: np.full(count, np.nan) for quantity in layout.quantities},
        {quantity.key: np.full(count, np.nan) for quantity in layout.quantities},
        np.full((count, len(layout.wanted)), np.nan)
        if layout.wanted == table.descriptor_names and layout.wanted
        else None,
    )
    places = [line - 1 for line in table.lines]
    for row, place in enumerate(places):
        found.ids[place], found.names[place], found.smiles[place] = table.ids[row], table.names[row], table.smiles[row]
        found.reasons[place] = OK
        if not table.smiles[row] and found.ready is None:
            found.reasons[place] = Reason("no_polymer", "The library gives no repeat unit for it.")
    if found.ready is not None and table.descriptors is not None:
        found.ready[places] = table.descriptors
    for quantity in layout.quantities:
        if not table.has("md", quantity.key):
            continue
        column = table.values["md", quantity.key]
        found.md[quantity.key][places] = column.values
        found.temperatures[quantity.key][places] = temperatures_of_rows(table, "md", quantity.key)
        found.pressures[quantity.key][places] = pressures_of_rows(table, "md", quantity.key)
        found.md_not_read[quantity.key].update({bad.line - 1: _sentence(bad.reason) for bad in column.problems})
    for problem in table.problems:
        if problem.rejects_row:
            found.reasons[problem.line - 1] = Reason("no_polymer", _sentence(problem.reason))
    raw = table_of_rows(layout.table, [replace(row, line=number) for number, row in enumerate(rows, 1)])
    failed = {problem.line for problem in raw.set_aside}  # simulations that failed a check of their own
    for rejected in rejected_rows(raw, table):
        place = rejected.line - 1
        found.ids[place], found.names[place], found.smiles[place] = rejected.id, rejected.name, rejected.smiles
        if rejected.line in failed:
            found.reasons[place] = Reason("md_not_usable", _sentence(rejected.reason))
        elif rejected.smiles:
            found.reasons[place] = Reason("invalid_repeat_unit", _sentence(rejected.reason))
    for place, given in enumerate(rows):
        if given.problem:
            found.reasons[place] = Reason("broken_row", _sentence(given.problem))
    return found


def _sentence(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip('.')}."
