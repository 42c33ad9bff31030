"""Properties of the user's own that two tables call differently: "surface_tension" and "surface tension (25 °C)" are one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_conditions import without_conditions
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.units.properties import is_known_property, own_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumn, ValueColumns, ValueKey, cells_of, column_of
from affinecal_gui.task import Task


def called_alike(table: PolymerTable, others: Sequence[PolymerTable]) -> PolymerTable:
    """Return a table whose own properties have the names that other tables give them, with a note where that is not plain.

    Names are alike where they differ in blanks, underscores and the case of letters, and in the conditions that they state.
    Nothing is renamed where the same name is there, or where several are alike.

    Parameters
    ----------
    table
        The table.
    others
        Those that it is compared with.
    """
    renamed = table
    for kind in _KINDS:
        own = _by_plain_name(key for of, key in table.values if of == kind)
        sources = {key: other for other in others for of, key in other.values if of != kind}
        theirs = _by_plain_name(sources)
        for plain in own.keys() & theirs.keys():
            names, known = own[plain], theirs[plain]
            if len(names) == 1 and len(known) == 1 and names != known:
                renamed = _with_name(renamed, (kind, names[0]), known[0], sources[known[0]].name)
    return renamed


def _by_plain_name(keys: Iterable[str]) -> dict[str, list[str]]:
    """Group the keys of properties that are not known by name; there may be thousands."""
    found: dict[str, list[str]] = {}
    for key in keys:
        if not is_known_property(key):
            found.setdefault(simplified(without_conditions(key)), []).append(key)
    return found


_KINDS: tuple[ValueKind, ...] = ("measured", "md")


def _with_name(table: PolymerTable, key: ValueKey, name: str, other: str) -> PolymerTable:
    note: tuple[str, ...] = ()
    if simplified(name) != simplified(key[1]):
        note = (
            f"“{shortened(key[1])}” is taken for the same property as “{shortened(name)}” of {other}; the conditions that "
            "one of them states may not be those of the other.",
        )
    ways: dict[ValueKey, Callable[[Task], ValueColumn]] = {}
    for old in table.values:
        read = partial(column_of, table.values, old)
        ways[(old[0], name) if old == key else old] = partial(_called, read, name, note) if old == key else read
    roles = table.roles
    if roles is not None:
        columns = tuple(
            replace(column, quantity=own_property(name, column.quantity.unit))
            if column.quantity is not None and (column.role, column.quantity.key) == key
            else column
            for column in roles.columns
        )
        roles = replace(roles, columns=columns)
    return replace(table, values=ValueColumns(tuple(ways), {}, ways, cells_of(table.values)), roles=roles)


def _called(read: Callable[[Task], ValueColumn], name: str, note: tuple[str, ...], task: Task) -> ValueColumn:
    column = read(task)
    quantity = own_property(name, column.quantity.unit)
    return replace(column, quantity=quantity, remarks=(*column.remarks, *note))
