"""Whether the values of a measured table are in another unit than the table says, judged by the MD values found."""

import dataclasses
from collections.abc import Sequence
from functools import partial

import numpy as np

from affinecal_gui.polymers.composition import parse_composition
from affinecal_gui.polymers.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.merging import MergedTable
from affinecal_gui.study.snapshot import UnitDoubt
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.matching import MatchReport
from affinecal_gui.tables.molar_mass import mean_molar_mass
from affinecal_gui.tables.polymer_table import PolymerTable
from affinecal_gui.tables.unit_suspicion import suspect_unit, suspected_unit
from affinecal_gui.tables.units import conversion, rounded
from affinecal_gui.tables.value_columns import FloatArray, ValueColumn, ValueColumns, ValueKey, column_of


def find_unit_doubts(
    report: MatchReport, measured: MergedTable, tables: Sequence[LoadedTable]
) -> tuple[UnitDoubt, ...]:
    """Look for a wrong unit in each measured table by itself.

    Parameters
    ----------
    report
        The result of matching ``measured`` with the MD values.
    measured
        The measured tables as one.
    tables
        All tables of the study.
    """
    doubts = []
    for loaded in tables:
        if not loaded.table.has("measured", report.property_key):
            continue
        # Of several tables each may have a unit of its own; a polymer that two of them report says nothing about either.
        prefix = f"{loaded.key}."
        own = tuple(
            link
            for link in report.links
            if all(measured.keys[row].startswith(prefix) for row in report.measured[link.measured].rows)
        )
        if len(own) == len(report.links):
            suspicion = suspected_unit(report, measured.table)
        else:
            column = loaded.table.values[("measured", report.property_key)]
            pairs = [(report.measured[link.measured], report.library[link.library]) for link in own]
            suspicion = suspect_unit(
                [one.value for one, _ in pairs],
                [other.value for _, other in pairs],
                _molar_masses([measured.table.smiles[one.rows[0]] for one, _ in pairs]),
                column.quantity,
                column.unit_as_written or column.quantity.unit,
            )
        if suspicion is not None:
            doubts.append(UnitDoubt(loaded.key, suspicion.unit, suspicion.sentence))
    return tuple(doubts)


def with_measured_unit(table: PolymerTable, property_key: str, unit: str) -> PolymerTable:
    """Return the table with its measured values read in another unit than they were.

    The values are converted back to the numbers of the file and read again, so nothing has to be read from a file that may
    not be there any more.

    Raises
    ------
    TableError
        The values had a unit per mole, or the table has units by row: then they cannot be converted as a whole.
    UnitProblem
        ``unit`` is no unit of the property.
    """
    key: ValueKey = ("measured", property_key)
    column = table.values[key]
    before = conversion(column.unit_as_written or column.quantity.unit, column.quantity)
    after = conversion(unit, column.quantity)
    if before.per_mole_of or (table.roles is not None and table.roles.first("unit") is not None):
        raise TableError(
            f"The unit of {table.name} is not the same for all rows. Choose it with Adjust… in the table list."
        )
    masses = _molar_masses(table.smiles) if after.needs_molar_mass else None

    def again(values: FloatArray | None, *, difference: bool = False) -> FloatArray | None:
        if values is None:
            return None
        written = values / before.factor if difference else (values - before.offset) / before.factor
        if not before.is_identity:
            written = rounded(written)  # what stands in the file, without the rounding error of there and back
        way = dataclasses.replace(after, offset=0.0) if difference else after
        converted = way.apply(written, masses)
        converted.setflags(write=False)
        return converted

    values, uncertainty = again(column.values), again(column.uncertainty, difference=True)
    assert values is not None
    assert uncertainty is not None
    changed: ValueColumn = dataclasses.replace(
        column,
        values=values,
        uncertainty=uncertainty,
        lowest=again(column.lowest),
        highest=again(column.highest),
        unit_as_written=unit,
        remarks=(),
    )
    roles = table.roles
    if roles is not None:
        number = next(
            (c.column for c in roles.all("measured") if c.quantity is not None and c.quantity.key == property_key), None
        )
        roles = roles if number is None else roles.with_column(number, unit=unit)
    others = {name: partial(column_of, table.values, name) for name in table.values if name != key}
    return dataclasses.replace(table, values=ValueColumns(tuple(table.values), {key: changed}, others), roles=roles)


def _molar_masses(texts: Sequence[str]) -> FloatArray:
    """(n,) molar mass of each repeat unit as written, g/mol; nan where it cannot be read."""
    masses = np.full(len(texts), np.nan)
    for row, text in enumerate(texts):
        try:
            masses[row] = mean_molar_mass(parse_composition(text))
        except InvalidRepeatUnit:
            continue
    return masses
