"""The temperatures of the rows of a table: from their column, else from words about the conditions, which are told."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.cells.numbers import CONDITION, read_number, read_number_column
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.heading_words import CONDITIONS_IN_WORDS, REMARKS
from affinecal_gui.tables.headings.stated_temperatures import (
    may_state_temperature,
    temperature_in_heading,
    temperature_in_line,
)
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import TEMPERATURES, find_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.values.doubtful_cells import unreadable_cells
from affinecal_gui.tables.values.value_columns import FloatArray, possible, read_only
from affinecal_gui.task import UNWATCHED, Task

COLDEST = 120.0
"""K; a column of temperatures that names no unit and is typically below is in °C."""

ROOM, FAR = 298.15, 10.0  # K
ROWS_OF_REMARKS = 2_000  # that are looked at


def read_temperatures(
    raw: RawTable, roles: Roles, kept: NDArray[np.int64], *, task: Task = UNWATCHED
) -> tuple[FloatArray | None, list[str]]:
    """Return the temperatures of the rows that are kept, K, and what was assumed of them, in sentences.

    They are nan where a row states none, and None where no row does.
    """
    column = roles.first("temperature")
    if column is not None:
        return _of_column(raw, column, kept, task)
    for column in roles.columns:
        in_words = simplified(column.heading) in CONDITIONS_IN_WORDS
        if in_words or column.role == "phase":
            cells = raw.columns[column.column].all_cells(task=task)
            read = temperature_in_heading if in_words else temperature_in_line  # "melt at 450 K"
            stated_by = {cell: read(cell) for cell in set(cells)}
            found = np.array([stated_by[cell] for cell in cells], dtype=np.float64)[kept]
            if np.isfinite(found).any():
                told = f"The temperatures in “{shortened(column.heading)}” are taken to be those of its values."
                return read_only(found), [told]
    behind = _behind_numbers(raw, roles, task)
    if behind is not None:
        heading, of_cells = behind
        told = f"The temperatures behind the numbers of “{shortened(heading)}” are taken to be those of its values."
        return read_only(of_cells[kept]), [told]
    remarks = _told_of_remarks(raw, roles)
    of_table = [
        line for line in raw.skipped if line.kind == "comment" or (line.kind == "title" and line.line < raw.header_line)
    ]
    stated = {at: line for line in of_table if np.isfinite(at := temperature_in_line(line.text))}
    if len(stated) != 1:
        return None, remarks
    ((of_all, line),) = stated.items()
    told = f"Its values are taken to hold at {of_all:g} K, by line {line.line} (“{shortened(line.text.strip())}”)."
    return read_only(np.full(len(kept), of_all)), [told]


def _behind_numbers(raw: RawTable, roles: Roles, task: Task) -> tuple[str, FloatArray] | None:
    """Return the temperatures in the cells of the only values that can have one, "2200 at 450 K", and their heading."""
    values = [
        column
        for column in roles.values
        if column.is_known and column.quantity is not None and column.quantity.key not in TEMPERATURES
    ]
    if len(values) != 1:
        return None
    (column,) = values
    cells = raw.columns[column.column].all_cells(task=task)
    stated = {
        cell: temperature_in_heading(cell)
        for cell in set(cells)
        if may_state_temperature(cell) and CONDITION in read_number(cell, column.style).note
    }
    found = np.array([stated.get(cell, np.nan) for cell in cells], dtype=np.float64)
    return (column.heading, found) if np.isfinite(found).any() else None


def _told_of_remarks(raw: RawTable, roles: Roles) -> list[str]:
    """Say where remarks name temperatures far from that of the room: they may be those of values, or of something else."""
    for column in roles.columns:
        if simplified(column.heading) not in REMARKS:
            continue
        for cell in raw.columns[column.column][:ROWS_OF_REMARKS]:
            if abs(temperature_in_line(cell) - ROOM) > FAR:
                return [
                    f"“{shortened(column.heading)}” names temperatures (“{shortened(cell)}”), which are not compared with "
                    "those of other values."
                ]
    return []


def _of_column(raw: RawTable, column: ColumnRole, kept: NDArray[np.int64], task: Task) -> tuple[FloatArray, list[str]]:
    numbers = read_number_column(raw.columns[column.column], column.style, task=task)
    notes = unreadable_cells(raw, column, numbers, "temperature", "temperatures", with_digits=True)
    own = {row: found.suffix.strip() for row, found in numbers.odd.items() if found.suffix.strip()}
    of_column = np.array(numbers.values)
    of_column[list(own)] = np.nan
    unit, known = column.unit, of_column[np.isfinite(of_column)]
    if not unit and known.size and float(np.median(known)) < COLDEST:
        unit = "°C"
        notes.append(f"No unit is named in “{shortened(column.heading)}”; its temperatures are read as °C.")
    kelvin = _in_kelvin(of_column, unit) if unit else of_column
    if kelvin is None:
        notes.append(f"{column.heading}: “{unit}” is not a unit of temperature.")
        kelvin = of_column
    for row, text in own.items():  # "25 °C"
        of_cell = _in_kelvin(numbers.values[[row]], text)
        if of_cell is not None:
            kelvin[row] = of_cell[0]
    notes += _told_impossible(raw, column, kelvin)
    return read_only(kelvin[kept]), notes


def _told_impossible(raw: RawTable, column: ColumnRole, kelvin: FloatArray) -> list[str]:
    """Say which temperatures, (rows,) K, cannot be, such as marks of missing ones: see :func:`possible`."""
    rows = np.flatnonzero(np.isfinite(kelvin) & np.isnan(possible(kelvin))).tolist()
    if not rows:
        return []
    count = f"{len(rows)} temperatures are" if len(rows) > 1 else "1 temperature is"
    cell = shortened(raw.columns[column.column][rows[0]])
    return [f"{shortened(column.heading)}: {count} not used, line {raw.lines[rows[0]]}: “{cell}” is not above 0 K."]


def _in_kelvin(values: FloatArray, unit: str) -> FloatArray | None:
    """Return temperatures in K; None where their unit is none of temperature."""
    try:
        return np.array(conversion(unit, find_property("glass_transition")).apply(values))
    except UnitProblem:
        return None
