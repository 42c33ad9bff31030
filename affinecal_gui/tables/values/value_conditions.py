"""At which temperature and pressure each value of a table holds: by a column of them, else by the heading of the values."""

import numpy as np

from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.units.properties import TEMPERATURES
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import FloatArray, column_of, possible
from affinecal_gui.task import UNWATCHED


def temperatures_of_values(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray | None:
    """(rows,) K, of the values of one property; nan where nothing states it, None where it does so for no row."""
    if property_key in TEMPERATURES or not table.has(kind, property_key):
        return table.temperature
    return _by_row(table.temperature, column_of(table.values, (kind, property_key), UNWATCHED).kelvin, len(table))


def comparable_temperatures(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray | None:
    """(rows,) K, as :func:`temperatures_of_values`, without those that cannot be."""
    stated = temperatures_of_values(table, kind, property_key)
    return None if stated is None else possible(stated)


def temperatures_of_rows(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray:
    """(rows,) K, as :func:`temperatures_of_values`; nan in every row where nothing states them."""
    return _or_nan(temperatures_of_values(table, kind, property_key), len(table))


def pressures_of_values(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray | None:
    """(rows,) MPa, of the values of one property; nan where nothing states it, None where it does so for no row."""
    if not table.has(kind, property_key):
        return table.pressure
    return _by_row(table.pressure, column_of(table.values, (kind, property_key), UNWATCHED).megapascal, len(table))


def pressures_of_rows(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray:
    """(rows,) MPa, as :func:`pressures_of_values`; nan in every row where nothing states them."""
    return _or_nan(pressures_of_values(table, kind, property_key), len(table))


def _by_row(of_column: FloatArray | None, of_heading: float, rows: int) -> FloatArray | None:
    """Return what the column states, and where it states nothing what the heading does."""
    if not np.isfinite(of_heading):
        return of_column
    return np.full(rows, of_heading) if of_column is None else np.where(np.isfinite(of_column), of_column, of_heading)


def _or_nan(stated: FloatArray | None, rows: int) -> FloatArray:
    return np.full(rows, np.nan) if stated is None else stated
