"""The choices made for a file, so that they can be used again for files of the same shape, or of the same cells."""

import hashlib
import json
from typing import Any, get_args

from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.role_names import Role
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.units.properties import find_property, own_property
from affinecal_gui.task import UNWATCHED, Task


def shape_of(raw: RawTable) -> str:
    """Return a text that is equal for files with the same headings in the same order, whatever their rows."""
    headings = json.dumps([heading.casefold() for heading in raw.headings], ensure_ascii=False)
    return hashlib.sha256(headings.encode()).hexdigest()[:32]


def content_of(raw: RawTable, *, task: Task = UNWATCHED) -> str:
    """Return a text that is equal for tables with the same headings and cells in the same lines, wherever they lie."""
    found = hashlib.sha256(json.dumps([raw.headings, raw.units], ensure_ascii=False).encode("utf-8", "surrogatepass"))
    found.update(raw.lines.astype("<i8").tobytes())
    for column in raw.columns:
        for cells in column.chunks():
            task.check()
            found.update(json.dumps(cells, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return found.hexdigest()


def choices_of(roles: Roles) -> dict[str, Any]:
    """Return the roles as plain data for a settings file."""
    return {
        "version": 1,
        "kind": roles.kind,
        "columns": [
            {
                "heading": column.heading,
                "role": column.role,
                "property": column.quantity.key if column.quantity is not None else "",
                "unit": column.unit,
                "decimal": column.style.decimal,
                "thousands": column.style.thousands,
                "of": column.of,
            }
            for column in roles.columns
        ],
    }


def with_choices(roles: Roles, choices: Any) -> Roles | None:
    """Return roles as chosen before for a file with these headings; None when the choices do not fit or are damaged.

    The choices come from a settings file that anybody may have edited: nothing in them is trusted.
    """
    try:
        listed = choices["columns"]
        if choices["version"] != 1 or [entry["heading"] for entry in listed] != [c.heading for c in roles.columns]:
            return None
        columns = tuple(_column(number, entry, len(listed)) for number, entry in enumerate(listed))
        kind = choices["kind"]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError):
        return None
    kinds = {column.role for column in columns if column.role in ("measured", "md")}
    if kind != ("both" if len(kinds) == 2 else next(iter(kinds), "none")):
        return None
    return Roles(columns, kind, 1.0, "as chosen before")


def _column(number: int, entry: Any, count: int) -> ColumnRole:
    role, key, unit, of = entry["role"], entry["property"], entry["unit"], entry["of"]
    if (
        role not in get_args(Role)
        or entry["decimal"] not in (".", ",")
        or entry["thousands"] not in ("", ",", ".", " ", "'")
    ):
        raise ValueError(role)
    if not all(isinstance(text, str) for text in (key, unit)):
        raise TypeError(key)
    if of is not None and not (isinstance(of, int) and 0 <= of < count):
        raise ValueError(of)
    quantity = None
    if key:
        known = find_property(key)
        quantity = known if known.is_known else own_property(key, unit)
    style = NumberFormat(entry["decimal"], entry["thousands"])
    return ColumnRole(number, entry["heading"], role, quantity, unit, style, of, 1.0, "as chosen before")
