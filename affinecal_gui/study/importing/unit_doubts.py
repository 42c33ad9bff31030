"""Whether the values of a measured table are in another unit than the table says, judged by the MD values found."""

import dataclasses
import math
from collections.abc import Sequence
from functools import partial

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest
from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.polymers.copolymers.molar_mass import mean_molar_mass
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.study.importing.merging import MergedTable
from affinecal_gui.study.snapshot import UnitDoubt
from affinecal_gui.study.state import LoadedTable
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.evidence.unit_guesses import power_of, with_inverse_power
from affinecal_gui.tables.headings.role_names import ValueKind
from affinecal_gui.tables.matching.matching import MatchReport
from affinecal_gui.tables.matching.unit_suspicion import (
    suspect_factor,
    suspect_unit,
    suspect_unnamed_unit,
    suspected_unit,
)
from affinecal_gui.tables.units.properties import Property, own_property
from affinecal_gui.tables.units.units import conversion, rounded
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.reading_values import unit_assumed
from affinecal_gui.tables.values.value_columns import (
    FloatArray,
    ValueColumn,
    ValueColumns,
    ValueKey,
    cells_of,
    column_of,
)


def find_unit_doubts(
    report: MatchReport, measured: MergedTable, md: MergedTable, tables: Sequence[LoadedTable]
) -> tuple[UnitDoubt, ...]:
    """Look for a wrong unit in each measured table by itself, and for units that nobody names and that cannot be the same.

    Parameters
    ----------
    report
        The result of matching ``measured`` with ``md``.
    measured, md
        The measured tables as one, and those of MD values.
    tables
        All tables of the study.
    """
    key = report.property_key
    unnamed_md = [
        loaded for loaded in tables if loaded.table.has("md", key) and not _column(loaded, "md", key).unit_is_named
    ]
    doubts = []
    for loaded in tables:
        if not loaded.table.has("measured", key):
            continue
        # Of several tables each may have a unit of its own; a polymer that two of them report says nothing about either.
        prefix = f"{loaded.key}."
        own = tuple(
            link
            for link in report.links
            if all(measured.keys[row].startswith(prefix) for row in report.measured[link.measured].rows)
        )
        pairs = [(report.measured[link.measured], report.library[link.library]) for link in own]
        values, simulated = [one.value for one, _ in pairs], [other.value for _, other in pairs]
        column = _column(loaded, "measured", key)
        if len(own) == len(report.links):
            suspicion = suspected_unit(report, measured.table)
        else:
            suspicion = suspect_unit(
                values,
                simulated,
                _molar_masses([measured.table.smiles[one.rows[0]] for one, _ in pairs]),
                column.quantity,
                column.unit_as_written or column.quantity.unit,
            )
        quantity = measured.table.values[("measured", key)].quantity
        if quantity.unit == "":
            quantity = md.table.values[("md", key)].quantity
        unnamed = not column.unit_is_named
        if suspicion is not None:
            found = UnitDoubt(loaded.key, suspicion.unit, suspicion.sentence, unnamed=unnamed)
        elif unnamed or unnamed_md:
            suspicion = suspect_unnamed_unit(values, simulated, quantity)
            if suspicion is None:
                continue
            where = loaded if unnamed else unnamed_md[0]
            found = UnitDoubt(where.key, suspicion.unit if unnamed else "", suspicion.sentence, unnamed=True)
        else:
            doubt = _either_way_up(
                loaded, column, [one for one in tables if one.table.has("md", key)], values, simulated
            )
            if doubt is not None:
                doubts.append(doubt)
            continue
        if found.unnamed:
            silent = column if unnamed else _column(unnamed_md[0], "md", key)
            sentence = f"no unit is named in “{shortened(silent.heading)}”. {found.sentence}"
            found = dataclasses.replace(found, sentence=sentence)
        doubts.append(found)
    return tuple(doubts)


def _either_way_up(
    loaded: LoadedTable,
    column: ValueColumn,
    of_md: Sequence[LoadedTable],
    values: Sequence[float],
    simulated: Sequence[float],
) -> UnitDoubt | None:
    """Doubt a unit with a positive power of ten in front, "x 1e8 cm2/s", where twice that power lies between the tables.

    Such numbers are times 10⁸ cm²/s by the rules, and were multiplied by 10⁸ where people mean it so: a factor of 10¹⁶.
    """
    suspicion = suspect_unnamed_unit(values, simulated, column.quantity)
    if suspicion is None or not math.isfinite(suspicion.factor):
        return None
    apart = round(math.log10(suspicion.factor))
    quantity = column.quantity.key
    columns = [(loaded, column, -1), *((one, _column(one, "md", quantity), 1) for one in of_md)]
    for where, read, sign in columns:
        inverse = with_inverse_power(read.unit_as_written)
        if inverse and apart == sign * 2 * power_of(read.unit_as_written):
            sentence = (
                f"the unit “{shortened(read.unit_as_written)}” of “{shortened(read.heading)}” may mean numbers that were "
                f"multiplied by the power of ten. {suspicion.sentence} Are they in {inverse}?"
            )
            return UnitDoubt(where.key, inverse if sign < 0 else "", sentence, unnamed=True)
    return None


def assumed_units(tables: Sequence[LoadedTable], quantity: Property) -> tuple[str, ...]:
    """Say which tables name no unit of a property of the user's own, and are read in that of the others."""
    if quantity.is_known or not quantity.unit:
        return ()
    kinds: tuple[ValueKind, ...] = ("measured", "md")
    silent = [
        (loaded, kind)
        for loaded in tables
        for kind in kinds
        if loaded.table.has(kind, quantity.key) and not _column(loaded, kind, quantity.key).unit_is_named
    ]
    return tuple(
        f"{loaded.table.name}: no unit is named in the heading “{shortened(_column(loaded, kind, quantity.key).heading)}”; "
        f"its values are read as {quantity.unit}, like those of the other table."
        for loaded, kind in silent
    )


def scales_apart(report: MatchReport, quantity: Property, doubts: Sequence[UnitDoubt]) -> tuple[str, ...]:
    """Say where measured and MD values look as if a unit that is named were wrong, though no other unit explains it."""
    if doubts:
        return ()
    measured = [report.measured[link.measured].value for link in report.links]
    simulated = [report.library[link.library].value for link in report.links]
    suspicion = suspect_unnamed_unit(measured, simulated, quantity) or suspect_factor(measured, simulated, quantity)
    return () if suspicion is None else (f"{shortened(quantity.title)}: {suspicion.sentence}",)


def doubts_in_words(doubts: Sequence[UnitDoubt], tables: Sequence[LoadedTable]) -> tuple[str, ...]:
    """Return the doubts as sentences that name the tables."""
    names = {loaded.key: loaded.table.name for loaded in tables}
    return tuple(f"{names.get(doubt.table, '')}: {doubt.sentence}" for doubt in doubts)


def refuse_unnamed_units(doubts: Sequence[UnitDoubt], tables: Sequence[LoadedTable]) -> None:
    """Stop where nobody can be asked: two tables do not agree, as if in different units, one of which is not clear.

    Raises
    ------
    UserError
        With the doubt, and what to do.
    """
    unnamed = [doubt for doubt in doubts if doubt.unnamed]
    if unnamed:
        sentence = doubts_in_words(unnamed[:1], tables)[0]
        raise UserError(f"{sentence} Write the unit into the heading, whichever it is; then the values are used.")


def unit_notes_beside(tables: Sequence[LoadedTable], table: PolymerTable, quantity: Property) -> tuple[str, ...]:
    """Say what is assumed of a further table of MD values that names no unit, and whether its scale looks like another.

    Parameters
    ----------
    tables, quantity
        The tables of the study, and the property that they calibrate.
    table
        The further table.
    """
    return unit_notes_of(table.name, table.values[("md", quantity.key)], quantity, typical_md(tables, quantity))


def typical_md(tables: Sequence[LoadedTable], quantity: Property) -> float:
    """Return the median of the MD values of a study."""
    known = [_column(loaded, "md", quantity.key) for loaded in tables if loaded.table.has("md", quantity.key)]
    return float(np.nanmedian(np.concatenate([one.values for one in known])))


def unit_notes_of(name: str, column: ValueColumn, quantity: Property, typical: float) -> tuple[str, ...]:
    """Say what is assumed of MD values that name no unit, and whether their scale looks like another than a typical value.

    Parameters
    ----------
    name
        Of their table.
    column, quantity
        The values, and the property that is calibrated.
    typical
        The median of the MD values that it was calibrated with.
    """
    if column.unit_is_named:
        return ()
    notes = []
    if not quantity.is_known and quantity.unit:
        notes.append(unit_assumed(column.heading, quantity.unit))
    own = np.nanmedian(column.values)
    if suspicion := suspect_unnamed_unit([own] * 3, [typical] * 3, quantity):
        words = "about 273 lower or higher" if math.isnan(suspicion.factor) else "a power of ten smaller or larger"
        notes.append(
            f"{name}: its values ({shortest(own, 4)} typically) are {words} than the MD values of the study "
            f"({shortest(typical, 4)}). Have they the same unit?"
        )
    return tuple(notes)


def _column(loaded: LoadedTable, kind: ValueKind, property_key: str) -> ValueColumn:
    return loaded.table.values[(kind, property_key)]


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
    if (
        not column.quantity.is_known and not column.quantity.unit
    ):  # nothing to convert yet: other tables are, to this unit
        column = dataclasses.replace(column, quantity=own_property(property_key, unit), unit_as_written=unit)
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
        unit_is_named=True,
        remarks=(),
    )
    roles = table.roles
    if roles is not None:
        number = next(
            (c.column for c in roles.all("measured") if c.quantity is not None and c.quantity.key == property_key), None
        )
        roles = roles if number is None else roles.with_column(number, quantity=column.quantity, unit=unit)
    others = {name: partial(column_of, table.values, name) for name in table.values if name != key}
    columns = ValueColumns(tuple(table.values), {key: changed}, others, cells_of(table.values))
    return dataclasses.replace(table, values=columns, roles=roles)


def _molar_masses(texts: Sequence[str]) -> FloatArray:
    """(n,) molar mass of each repeat unit as written, g/mol; nan where it cannot be read."""
    masses = np.full(len(texts), np.nan)
    for row, text in enumerate(texts):
        try:
            masses[row] = mean_molar_mass(parse_composition(text))
        except InvalidRepeatUnit:
            continue
    return masses
