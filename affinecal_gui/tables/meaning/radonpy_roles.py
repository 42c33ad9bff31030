"""The roles of columns that RadonPy writes: their headings name no unit, but what they hold is known."""

import dataclasses

from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.simulations.known_columns import KnownColumn, is_of_radonpy, known_column
from affinecal_gui.tables.units.properties import Property, find_property, own_property
from affinecal_gui.tables.units.property_names import property_by_name

_WHOLE, _OF_DIPOLES = "dielectric_const_dc", "static_dielectric_const"


def take_settings(raw: RawTable, columns: list[ColumnRole | None]) -> None:
    """Put in the roles of the columns that hold no value of a property, where the table is one of RadonPy's.

    Ids, repeat units and the temperature are told like those of any table.
    """
    if not _is_of_radonpy(raw):
        return
    for number, heading in enumerate(raw.headings):
        known = known_column(heading)
        if columns[number] is not None or known is None or heading == "temp" or known.use not in ("setting", "record"):
            continue
        role = "detail" if known.use == "setting" and not raw.columns[number].are_empty() else "ignored"
        columns[number] = ColumnRole(number, heading, role, confidence=0.95, reason="a column of RadonPy")  # type: ignore[arg-type]


def with_known_quantities(raw: RawTable, columns: list[ColumnRole | None]) -> frozenset[int]:
    """Give values that RadonPy writes their property and unit; return their columns, about which nothing is to be asked."""
    if not _is_of_radonpy(raw):
        return frozenset()
    found = set()
    for number, column in enumerate(columns):
        known = known_column(raw.headings[number])
        if column is None or known is None:
            continue
        if column.role in VALUE_ROLES and known.use == "property":
            found.add(number)
            quantity = _quantity(raw, column.heading, known)
            notes = column.notes
            if column.heading == _OF_DIPOLES and quantity.is_known:
                notes = (
                    *notes,
                    f"“{_OF_DIPOLES}” lacks what electrons add (refractive_index² - 1), and there is no “{_WHOLE}” that has "
                    "it: a measured dielectric constant is larger.",
                )
            if column.heading == _WHOLE and _OF_DIPOLES in raw.headings:
                notes = (
                    *notes,
                    f"“{_WHOLE}” was read as the static dielectric constant, and not “{_OF_DIPOLES}”, which lacks what "
                    "electrons add (refractive_index² - 1).",
                )
            column = dataclasses.replace(column, quantity=quantity, unit=known.unit, notes=notes)
        columns[number] = dataclasses.replace(column, meaning=known.meaning)
    return frozenset(found)


def _is_of_radonpy(raw: RawTable) -> bool:
    return raw.format == "radonpy" or is_of_radonpy(raw.headings)


def _quantity(raw: RawTable, heading: str, known: KnownColumn) -> Property:
    """Return the property of a value column: of two dielectric constants the one that can be compared with experiment."""
    if heading == _OF_DIPOLES and _WHOLE in raw.headings:
        return own_property(heading)
    if known.quantity:
        return find_property(known.quantity)
    return property_by_name(heading) or own_property(heading, known.unit)
