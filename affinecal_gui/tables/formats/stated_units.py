"""Units that a file states beside its columns and not in their headings: in the fields of a schema, or in one list."""

from collections.abc import Mapping
from typing import Any

UNIT_NAMES = ("unit", "units", "pint_unit", "uom")
"""What people call such a statement, in lower case."""
LONGEST_STATED = 100


def unit_in(stated: Any) -> str:
    """Return the unit that the metadata of one column states; "" where there is none.

    >>> unit_in({"description": "by DSC", "Units": "K"}), unit_in({"units": 3}), unit_in(None)
    ('K', '', '')
    """
    if not isinstance(stated, Mapping):
        return ""
    for name, value in stated.items():
        if isinstance(value, str) and str(name).casefold() in UNIT_NAMES and len(value) <= LONGEST_STATED:
            return value.strip()
    return ""


def units_in(stated: Any) -> dict[str, str]:
    """Return the units that the metadata of a table state, by heading.

    >>> units_in({"units": {"Tg": "°C"}}), units_in({"fields": [{"name": "Tg", "unit": "K"}]}), units_in([])
    ({'Tg': '°C'}, {'Tg': 'K'}, {})
    """
    if not isinstance(stated, Mapping):
        return {}
    found: dict[str, str] = {}
    fields = stated.get("fields")
    for field in fields if isinstance(fields, list) else ():
        if isinstance(field, Mapping) and (unit := unit_in(field)):
            found[str(field.get("name"))] = unit
    for name, value in stated.items():
        if str(name).casefold() in UNIT_NAMES and isinstance(value, Mapping):
            found |= {str(of): unit_in({"unit": unit}) for of, unit in value.items()}
        elif unit := unit_in(value):  # {"Tg": {"unit": "K"}}
            found[str(name)] = unit
    return {name: unit for name, unit in found.items() if unit}
