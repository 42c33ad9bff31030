"""The temperatures of the rows of a table: from their column, else from words about the conditions, which are told."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.cells.numbers import read_number_column
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.heading_words import CONDITIONS_IN_WORDS
from affinecal_gui.tables.headings.stated_temperatures import temperature_in_heading, temperature_in_line
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.values.value_columns import FloatArray, read_only
from affinecal_gui.task import UNWATCHED, Task


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
        if simplified(column.heading) in CONDITIONS_IN_WORDS:
            cells = raw.columns[column.column].all_cells(task=task)
            found = np.array([temperature_in_heading(cell) for cell in cells], dtype=np.float64)[kept]
            if np.isfinite(found).any():
                told = f"the temperatures in “{shortened(column.heading)}” are taken to be those of its values."
                return read_only(found), [told]
    above = [line for line in raw.skipped if line.kind in {"title", "comment"} and line.line < raw.header_line]
    stated = {at: line for line in above if np.isfinite(at := temperature_in_line(line.text))}
    if len(stated) != 1:
        return None, []
    ((of_all, line),) = stated.items()
    told = f"its values are taken to hold at {of_all:g} K, by line {line.line} (“{shortened(line.text.strip())}”)."
    return read_only(np.full(len(kept), of_all)), [told]


def _of_column(raw: RawTable, column: ColumnRole, kept: NDArray[np.int64], task: Task) -> tuple[FloatArray, list[str]]:
    kelvin, notes = np.array(read_number_column(raw.columns[column.column], column.style, task=task).values), []
    if column.unit:
        try:
            kelvin = conversion(column.unit, find_property("glass_transition")).apply(kelvin)
        except UnitProblem:
            notes.append(f"{column.heading}: “{column.unit}” is not a unit of temperature.")
    return read_only(kelvin[kept]), notes
