"""The uncertainties of a value column, in the unit in which its values are written: those in per cent become shares."""

import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.cells.numbers import NumberColumn, read_number_column
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.relative_uncertainties import coverage_factor, is_percent, share_kind
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import UnitProblem, conversion, unbracketed
from affinecal_gui.tables.values.doubtful_cells import unreadable_cells
from affinecal_gui.task import UNWATCHED, Task

FloatArray = NDArray[np.float64]

_LEADING_SIGN = re.compile(r"^\s*(?:±|\+\s?/?\s?-|\\pm)\s*(?=[\d.,])")


@dataclass(slots=True)
class StatedUncertainties:
    """What a column of uncertainties states, by how it has to be converted; arrays are (rows,), nan where nothing is said."""

    as_value: FloatArray  # in the unit in which the value of the row is written
    of_column: FloatArray  # in the unit of the column of uncertainties
    of_cells: dict[str, FloatArray] = field(default_factory=dict)  # by the unit that the cells themselves name
    remarks: list[str] = field(default_factory=list)
    are_shares: bool = False  # of the values


def uncertainties_in_cells(numbers: NumberColumn, in_percent: NDArray[np.bool_]) -> FloatArray:
    """Return the uncertainties that stand beside the values in their cells, in the unit of the values.

    Parameters
    ----------
    numbers
        The values.
    in_percent
        (rows,) whether a value is in per cent itself: "45 ± 2 %" of a crystallinity is 2 per cent more or less, of a heat
        capacity 2 per cent of it.
    """
    shares = np.abs(numbers.values) * numbers.percent / 100.0
    relative = np.where(in_percent, numbers.percent, shares)
    return np.where(np.isfinite(numbers.uncertainty), numbers.uncertainty, relative)


def are_larger(uncertainty: FloatArray, values: FloatArray) -> bool:
    """Whether the typical uncertainty of a column is larger than its typical value, both (rows,) in one unit."""
    known = np.isfinite(uncertainty) & np.isfinite(values)
    return bool(known.any() and np.median(uncertainty[known]) > np.median(np.abs(values[known])))


def uncertainties_in_column(
    raw: RawTable,
    column: ColumnRole,
    quantity: Property,
    values: FloatArray,
    in_percent: NDArray[np.bool_],
    *,
    task: Task = UNWATCHED,
) -> StatedUncertainties:
    """Read a column of uncertainties.

    Parameters
    ----------
    raw, column
        The file and the column.
    quantity
        Property of the values.
    values
        (rows,) as written.
    in_percent
        (rows,) whether a value is in per cent itself.
    """
    cells = raw.columns[column.column]
    numbers = read_number_column(TextColumn.of(_LEADING_SIGN.sub("", cell) for cell in cells), column.style, task=task)
    heading = shortened(column.heading)
    nothing = np.full(len(values), np.nan)
    stated = StatedUncertainties(nothing.copy(), nothing.copy())
    coverage = coverage_factor(column.heading)
    if coverage is None:
        stated.remarks.append(
            f"{heading}: these are expanded uncertainties, and by which factor is not said; they are not used. Write it into "
            "the heading, as (k=2)."
        )
        return stated
    if coverage != 1.0:
        stated.remarks.append(
            f"{heading}: its numbers are read as expanded uncertainties and divided by k = {coverage:g}."
        )
    size = numbers.values / coverage
    negative = np.flatnonzero(size < 0.0)
    size[negative] = np.nan
    kind = share_kind(column.unit, size, value_in_percent=bool(in_percent.any()))
    if kind == "unclear":
        stated.remarks.append(
            f"{heading}: whether its numbers are per cent or fractions of the values is not clear, and they are not used. "
            "Write (%) into the heading, or give them in the unit of the values."
        )
        return stated
    if kind == "none" and not is_percent(column.unit) and not _is_unit(column.unit, quantity):
        stated.remarks.append(
            f"{heading}: “{shortened(column.unit)}” is no unit of {quantity.title.lower()}; these uncertainties are not used."
        )
        return stated
    share = {"percent": 0.01, "fraction": 1.0}.get(kind, 0.0)
    if share:
        stated.as_value = np.abs(values) * size * share
        stated.are_shares = True
    elif is_percent(column.unit):
        stated.as_value = size
    else:
        stated.of_column = size
    if kind == "percent" and not is_percent(column.unit):
        stated.remarks.append(f"{heading}: its numbers are read as per cent of the values.")
    elif kind == "fraction":
        stated.remarks.append(f"{heading}: its numbers are read as fractions of the values (0.01 is 1 %).")
    elif kind == "none" and is_percent(column.unit):
        stated.remarks.append(
            f"{heading}: its numbers are read in the unit of the values, which are in per cent themselves."
        )
    if not share:
        _take_units_of_cells(stated, numbers, size, quantity, values, in_percent, heading)
    stated.remarks += unreadable_cells(raw, column, numbers, "uncertainty", "uncertainties")
    if len(negative):
        count = f"{len(negative)} uncertainties are" if len(negative) > 1 else "1 uncertainty is"
        stated.remarks.append(f"{heading}: {count} negative and not used, first in line {raw.lines[negative[0]]}.")
    return stated


def _take_units_of_cells(
    stated: StatedUncertainties,
    numbers: NumberColumn,
    sizes: FloatArray,
    quantity: Property,
    values: FloatArray,
    in_percent: NDArray[np.bool_],
    heading: str,
) -> None:
    """Give the uncertainties with a unit behind them, "1 %" or "0.02 g/cm3", the meaning of that unit."""
    of_no_use: list[str] = []
    for row, reading in numbers.odd.items():
        unit = unbracketed(reading.suffix)
        if reading.state != "value" or not unit:
            continue
        size = float(sizes[row])
        stated.of_column[row] = np.nan
        if is_percent(unit):
            stated.as_value[row] = size if in_percent[row] else abs(values[row]) * size / 100.0
            stated.are_shares = stated.are_shares or not in_percent[row]
        elif _is_unit(unit, quantity):
            stated.of_cells.setdefault(unit, np.full(len(values), np.nan))[row] = size
        else:
            stated.as_value[row] = np.nan
            of_no_use.append(unit)
    if of_no_use:
        named = " and ".join(f"“{shortened(unit)}”" for unit in dict.fromkeys(of_no_use[:3]))
        stated.remarks.append(
            f"{heading}: {named} is no unit of {quantity.title.lower()}; such uncertainties are not used."
        )


def _is_unit(unit: str, quantity: Property) -> bool:
    try:
        conversion(unit or quantity.unit, quantity)
    except UnitProblem:
        return False
    return True
