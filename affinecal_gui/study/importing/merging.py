"""Several tables that hold values of the same kind count as one, in the order in which they were added.

Rows of temperatures and phases that the user does not want are left out here, before polymers are compared.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.study.snapshot import MatchingChoices
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.matching.md_sources import TABLE_COLUMN
from affinecal_gui.tables.problems import RowProblem
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import UnitProblem
from affinecal_gui.tables.values.filters import only
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumn, ValueColumns, column_of
from affinecal_gui.tables.values.value_conditions import pressures_of_rows, temperatures_of_rows
from affinecal_gui.task import UNWATCHED, Task


@dataclass(frozen=True, slots=True, eq=False)
class MergedTable:
    """One table, and for each of its rows the key that names it in the study."""

    table: PolymerTable
    keys: tuple[str, ...]
    left_out: tuple[RowProblem, ...] = ()  # rows of other temperatures or phases


class TablePart(NamedTuple):
    """A table of the study without the rows that are left out."""

    table: PolymerTable
    keys: tuple[str, ...]
    left_out: tuple[RowProblem, ...]


def wanted_rows(
    tables: Sequence[LoadedTable], choices: MatchingChoices, *, task: Task = UNWATCHED
) -> dict[str, TablePart]:
    """Leave out rows by temperature and phase; by key of the table, so that each is looked at once.

    Phases and temperatures belong to measurements. A table that is simulated only keeps its phases, and its rows at any
    temperature if they are all at the same one.
    """
    return {loaded.key: _part(loaded, choices, task) for loaded in tables}


def _part(loaded: LoadedTable, choices: MatchingChoices, task: Task) -> TablePart:
    table = loaded.table
    measured = any(kind == "measured" for kind, _ in table.values)
    shorter = only(
        table,
        temperatures=choices.temperatures if measured or _has_several_temperatures(table) else None,
        phases=choices.phases if measured else None,
        keep_unknown=choices.keep_unknown,
        task=task,
    )
    if shorter is table:
        return TablePart(
            table,
            tuple(f"{loaded.key}.{row}" for row in task.each(range(len(table)))),
            (),
        )
    row_of = {line: row for row, line in enumerate(table.lines)}
    before = set(map(id, table.problems))
    return TablePart(
        shorter,
        tuple(f"{loaded.key}.{row_of[line]}" for line in task.each(shorter.lines)),
        tuple(problem for problem in shorter.problems if id(problem) not in before),
    )


def _has_several_temperatures(table: PolymerTable) -> bool:
    if table.temperature is None:
        return False
    known = table.temperature[np.isfinite(table.temperature)]
    return bool(known.size) and float(known.max() - known.min()) > 1.0


def merge_tables(parts_by_key: Mapping[str, TablePart], kind: ValueKind, quantity: Property) -> MergedTable | None:
    """Put together the tables that have values of this kind and property, in its unit; None when there are none.

    A single such table is returned itself, so that a file with values of both kinds is recognised as one.

    Parameters
    ----------
    parts_by_key
        As :func:`wanted_rows` returns them.

    Raises
    ------
    UserError
        A table gives the property in a unit that cannot be converted.
    """
    property_key = quantity.key
    wanted = [part for part in parts_by_key.values() if part.table.has(kind, property_key)]
    if not wanted:
        return None
    wanted = [part._replace(table=in_unit(part.table, kind, quantity, parts_by_key.values())) for part in wanted]
    keys = sum((part.keys for part in wanted), ())
    left_out = sum((part.left_out for part in wanted), ())
    if len(wanted) == 1:
        return MergedTable(wanted[0].table, keys, left_out)
    parts = [part.table for part in wanted]
    columns = [part.values[(kind, property_key)] for part in parts]
    headings = list(dict.fromkeys(heading for part in parts for heading in part.details))
    same_descriptors = len({part.descriptor_names for part in parts}) == 1
    pressures = np.concatenate([pressures_of_rows(part, kind, property_key) for part in parts])
    merged = replace(
        parts[0],
        name=" and ".join(part.name for part in parts),
        path="",
        lines=sum((part.lines for part in parts), ()),
        ids=sum((part.ids for part in parts), ()),
        names=sum((part.names for part in parts), ()),
        smiles=sum((part.smiles for part in parts), ()),
        values=MappingProxyType({(kind, property_key): _joined(columns, [len(part) for part in parts])}),
        details=MappingProxyType(
            (
                {TABLE_COLUMN: tuple(part.name for part in parts for _ in range(len(part)))}
                if kind == "md"
                else dict[str, tuple[str, ...]]()
            )
            | {
                heading: tuple(cell for part in parts for cell in part.details.get(heading, ("",) * len(part)))
                for heading in headings
            }
        ),
        temperature=np.concatenate([temperatures_of_rows(part, kind, property_key) for part in parts]),
        pressure=pressures if np.isfinite(pressures).any() else None,
        phase=None,
        descriptor_names=parts[0].descriptor_names if same_descriptors else (),
        descriptors=(
            np.vstack([part.descriptors for part in parts if part.descriptors is not None])
            if same_descriptors and all(part.descriptors is not None for part in parts)
            else None
        ),
        problems=sum((part.problems for part in parts), ()),
        rows_read=sum(part.rows_read for part in parts),
        rows_rejected=sum(part.rows_rejected for part in parts),
        notes=sum((part.notes for part in parts), ()),
        roles=None,
        again=sum((part.again for part in parts), ()),
        flagged=sum((part.flagged for part in parts), ()),
    )
    return MergedTable(merged, keys, left_out)


def in_unit(
    table: PolymerTable, kind: ValueKind, quantity: Property, others: Iterable[TablePart] = (), *, among: str = ""
) -> PolymerTable:
    """Return a table with its values of a property in the unit of ``quantity``.

    Tables name the unit of a property that is not known by name as they like. One that names none is taken at its numbers;
    whether that can be right is for the values to say.

    Parameters
    ----------
    table, kind, quantity
        The table, and which of its values to convert.
    others
        Where the unit of ``quantity`` comes from, for the message.
    among
        How to call that place instead.

    Raises
    ------
    UserError
        The unit of the table cannot be converted.
    """
    if quantity.is_known:
        return table
    column = table.values[(kind, quantity.key)]
    if column.quantity.unit == quantity.unit or not (column.quantity.unit and quantity.unit):
        return table
    try:
        converted = column.in_unit_of(quantity)
    except UnitProblem:
        name = among or next((p.table.name for p in others if _names(p.table, quantity)), "another table")
        raise UserError(
            f"{table.name} gives “{shortened(quantity.title)}” in {shortened(column.quantity.unit)}, {name} in "
            f"{shortened(quantity.unit)}; the one cannot be converted to the other. Give both the same unit in the heading."
        ) from None
    others_of_table = {
        key: partial(column_of, table.values, key) for key in table.values if key != (kind, quantity.key)
    }
    values = ValueColumns(tuple(table.values), {(kind, quantity.key): converted}, others_of_table)
    return replace(table, values=values)


def _names(table: PolymerTable, quantity: Property) -> bool:
    return any(table.has(kind, quantity.key) and quantity in table.properties(kind) for kind in _KINDS)


_KINDS: tuple[ValueKind, ...] = ("measured", "md")


def _joined(columns: Sequence[ValueColumn], lengths: Sequence[int]) -> ValueColumn:
    def optional(name: str) -> np.ndarray[tuple[int], np.dtype[np.float64]] | None:
        arrays = [getattr(column, name) for column in columns]
        if all(array is None for array in arrays):
            return None
        return np.concatenate(
            [array if array is not None else np.full(n, np.nan) for array, n in zip(arrays, lengths, strict=True)]
        )

    starts = np.concatenate(([0], np.cumsum(lengths)))
    return replace(
        columns[0],
        values=np.concatenate([column.values for column in columns]),
        uncertainty=np.concatenate([column.uncertainty for column in columns]),
        lowest=optional("lowest"),
        highest=optional("highest"),
        repeats=optional("repeats"),
        remarks=sum((column.remarks for column in columns), ()),
        kelvin=float("nan"),  # the heading is that of the first; the conditions of all are in the table
        megapascal=float("nan"),
        notes={
            int(start) + row: note
            for start, column in zip(starts, columns, strict=False)
            for row, note in column.notes.items()
        },
    )
