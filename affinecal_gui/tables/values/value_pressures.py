"""At which pressure each value of a table holds: by the columns of pressures, in any unit, of the heading or of a cell."""

from collections.abc import Collection, Iterable

import numpy as np

from affinecal_gui.tables.cells.numbers import NumberReading, read_number
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.stated_pressures import in_megapascal, is_pressure_heading
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import FloatArray

ATMOSPHERE = 0.101325  # MPa

_OF_THE_AIR = (
    ("MPa", 0.1),
    ("MPa", 0.101325),
    ("kPa", 101.325),
    ("Pa", 101325.0),
    ("Pa", 100_000.0),
    ("mbar", 1013.25),
)
"""Units with the number that the pressure of the air is in them: a column without a unit that holds it is in that unit."""

_STYLES = (NumberFormat(), NumberFormat(".", ","), NumberFormat(","), NumberFormat(",", "."))

_OF_RADONPY = "press"  # in atmospheres, which nobody needs to be told


def pressures_of_values(table: PolymerTable) -> tuple[FloatArray, tuple[str, ...]] | None:
    """Return the pressures at which the values of a table hold, and what was assumed of them.

    Returns
    -------
    (array of shape (rows,), tuple of str) or None
        MPa, nan where a row states none, and sentences; None where no row states one.
    """
    pressures, assumed = np.full(len(table), np.nan), list[str]()
    for heading, cells in table.details.items():
        name, unit = split_heading(heading)
        if not is_pressure_heading(name, unit):
            continue
        read = _readings(set(cells))
        if not unit:
            unit = _unit_of(read.values())
            if (name, unit) != (_OF_RADONPY, "atm"):
                assumed.append(f"No unit is named in “{heading}” of {table.name}; its pressures are read as {unit}.")
        # The unit of a cell comes before that of the heading.
        by_cell = {cell: in_megapascal(one.value, one.suffix.strip() or unit) for cell, one in read.items()}
        column = np.array([by_cell[cell] for cell in cells], dtype=np.float64)
        pressures = np.where(np.isnan(pressures), column, pressures)
    return (pressures, tuple(assumed)) if np.isfinite(pressures).any() else None


def pressures_of_rows(table: PolymerTable) -> FloatArray:
    """(rows,) MPa, as :func:`pressures_of_values`; nan in every row where nothing states them."""
    found = pressures_of_values(table)
    return np.full(len(table), np.nan) if found is None else found[0]


def pressure_in_words(megapascal: float) -> str:
    """Return a pressure as it stands in a sentence: that of the air as 1 atm."""
    return "1 atm" if abs(megapascal - ATMOSPHERE) < 0.002 else f"{megapascal:.3g} MPa"


def _readings(cells: Collection[str]) -> dict[str, NumberReading]:
    """Return what cells say, with the marks of numbers with which all can be read, if there are such."""
    in_each = ({cell: read_number(cell, style) for cell in cells} for style in _STYLES)
    return next((found for found in in_each if all(map(_is_clear, found.values()))), {c: read_number(c) for c in cells})


def _is_clear(reading: NumberReading) -> bool:
    return reading.state != "problem"


def _unit_of(readings: Iterable[NumberReading]) -> str:
    """Return the unit of pressures that name none."""
    values = {one.value for one in readings}
    return next((unit for unit, air in _OF_THE_AIR if any(abs(value / air - 1.0) < 0.004 for value in values)), "atm")
