"""At which temperature each value of a table holds: by a column of temperatures, else by the heading of the values."""

import numpy as np

from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.units.properties import TEMPERATURES
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import FloatArray, column_of
from affinecal_gui.task import UNWATCHED


def temperatures_of_values(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray | None:
    """(rows,) K, of the values of one property; nan where nothing states it, None where it does so for no row."""
    if property_key in TEMPERATURES or not table.has(kind, property_key):
        return table.temperature
    kelvin = column_of(table.values, (kind, property_key), UNWATCHED).kelvin
    if not np.isfinite(kelvin):
        return table.temperature
    if table.temperature is None:
        return np.full(len(table), kelvin)
    return np.where(np.isfinite(table.temperature), table.temperature, kelvin)


def temperatures_of_rows(table: PolymerTable, kind: ValueKind, property_key: str) -> FloatArray:
    """(rows,) K, as :func:`temperatures_of_values`; nan in every row where nothing states them."""
    kelvin = temperatures_of_values(table, kind, property_key)
    return np.full(len(table), np.nan) if kelvin is None else kelvin
