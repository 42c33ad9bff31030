"""The pressures at which the rows of a table hold: by its columns of pressures, in any unit, of the heading or of a cell."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from affinecal_gui.tables.cells.numbers import NumberReading, read_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import Roles
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.stated_pressures import in_megapascal, is_pressure_heading
from affinecal_gui.tables.values.value_columns import FloatArray, read_only

_OF_THE_AIR = (
    ("MPa", 0.1),
    ("MPa", 0.101325),
    ("kPa", 101.325),
    ("Pa", 101325.0),
    ("Pa", 100_000.0),
    ("mbar", 1013.25),
)
"""Units with the number that the pressure of the air is in them: a column without a unit that holds it is in that unit."""

_OF_RADONPY = ("press", "atm")  # which nobody needs to be told


def read_pressures(details: Mapping[str, Sequence[str]], roles: Roles | None) -> tuple[FloatArray | None, list[str]]:
    """Return the pressures of rows, MPa, and what was assumed of them, in sentences.

    They are nan where a row states none, and None where no row does.

    Parameters
    ----------
    details
        Columns that hold no value of a property, by heading.
    roles
        How their numbers are written.
    """
    columns, assumed = [], list[str]()
    styles = {} if roles is None else {column.heading: column.style for column in roles.columns}
    for heading, cells in details.items():
        name, unit = split_heading(heading)
        if not is_pressure_heading(name, unit):
            continue
        read = {
            cell: read_number(cell, styles[heading]) if heading in styles else read_number(cell) for cell in set(cells)
        }
        if not unit:
            unit = _unit_of(read.values())
            is_bare = any(np.isfinite(one.value) and not one.suffix.strip() for one in read.values())
            if is_bare and (name, unit) != _OF_RADONPY:
                assumed.append(f"No unit is named in “{shortened(heading)}”; its pressures are read as {unit}.")
        # The unit of a cell comes before that of the heading.
        by_cell = {cell: in_megapascal(one.value, one.suffix.strip() or unit) for cell, one in read.items()}
        columns.append(np.array([by_cell[cell] for cell in cells], dtype=np.float64))
        # Words, such as “ambient”, say that it is the pressure of the air.
        unread = sorted(cell for cell, value in by_cell.items() if np.isnan(value) and any(map(str.isdigit, cell)))
        if unread:
            assumed.append(f"“{shortened(unread[0])}” in “{shortened(heading)}” is no pressure that can be read.")
    pressures = columns[0] if columns else np.zeros(0)
    for column in columns[1:]:
        pressures = np.where(np.isnan(pressures), column, pressures)
    return read_only(pressures) if np.isfinite(pressures).any() else None, assumed


def _unit_of(readings: Iterable[NumberReading]) -> str:
    """Return the unit of pressures that name none."""
    values = {one.value for one in readings}
    return next((unit for unit, air in _OF_THE_AIR if any(abs(value / air - 1.0) < 0.004 for value in values)), "atm")
