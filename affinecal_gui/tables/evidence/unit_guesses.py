"""Which unit each value column has, by its heading and by what values of polymers can be."""

import dataclasses
import re
from collections.abc import Callable, Sequence

import numpy as np

from affinecal_gui.numbers import shortest
from affinecal_gui.tables.cells.numbers import read_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import Profile
from affinecal_gui.tables.evidence.rows_below import rows_above
from affinecal_gui.tables.evidence.unit_columns import NO_UNITS_BY_ROW, row_units
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.unit_spelling import plainly_spelled
from affinecal_gui.tables.units.units import UnitProblem, conversion


def settle_units(
    raw: RawTable, columns: list[ColumnRole], profiles: Sequence[Profile]
) -> tuple[list[ColumnRole], list[Question]]:
    """Give every value column a unit, and ask where the file does not tell it or the numbers contradict it."""
    has_units = bool(raw.units) or any(column.role == "unit" for column in columns)
    only_one = sum(column.role in VALUE_ROLES for column in columns) == 1
    questions: list[Question] = []
    settled: list[ColumnRole] = []
    above = rows_above(raw, columns)
    for column in columns:
        quantity = column.quantity
        if column.role not in VALUE_ROLES or quantity is None:
            settled.append(column)
            continue
        beside = row_units(raw, column, quantity, columns) if has_units else NO_UNITS_BY_ROW
        if beside.contradiction:
            sentence = f"{beside.contradiction[:1].upper()}{beside.contradiction[1:]}. Which is right?"
            questions.append(Question(sentence, column.column))
        if not quantity.is_known or beside.column is not None:
            settled.append(column)
            continue
        cells = profiles[column.column].cells if above == raw.row_count else raw.columns[column.column][:above]
        typical = _median(cells, column.style)
        unit, confidence, question = _unit_of(column, quantity, typical)
        if question and (quantity.key in _MAIN or only_one or confidence == NOT_UNDERSTOOD):
            questions.append(Question(question, column.column))
        settled.append(
            dataclasses.replace(
                column,
                unit=unit,
                confidence=min(column.confidence, confidence),
                unit_is_guessed=not column.unit and bool(unit),
                notes=(*column.notes, question) if question and confidence == UNUSUAL else column.notes,
            )
        )
    by_number = {column.column: column for column in settled}
    for position, column in enumerate(settled):
        owner = by_number.get(column.of) if column.of is not None else None
        if owner is not None and column.role in ("uncertainty", "lowest", "highest", "range") and not column.unit:
            settled[position] = dataclasses.replace(column, unit=owner.unit)
    return settled, questions


def fits_heading(unit: str, quantity: Property | None) -> Callable[[float], bool | None]:
    """Return whether a value as written can be right under a heading with this unit; None when nothing tells."""

    def fits(value: float) -> bool | None:
        if not unit or quantity is None or quantity.plausible is None:
            return None
        try:
            way = conversion(unit, quantity)
        except UnitProblem:
            return None
        return None if way.needs_molar_mass else quantity.is_plausible(value * way.factor + way.offset)

    return fits


NOT_UNDERSTOOD = 0.2
"""How sure a unit is that cannot be read."""

UNUSUAL = 0.5
"""How sure a unit is that makes the values those of no polymer: said even where it cannot be asked."""

_MAIN = frozenset(("Cp", "density", "refractive_index", "thermal_conductivity", "glass_transition", "abbe_number"))


def _median(cells: Sequence[str], style: NumberFormat) -> float:
    readings = [read_number(cell, style).value for cell in cells[:200]]
    finite = [value for value in readings if np.isfinite(value)]
    return float(np.median(finite)) if finite else float("nan")


def power_of(unit: str) -> int:
    """Return the exponent of the positive power of ten in front of a unit; 0 where there is none.

    >>> power_of("x 1e8 cm2/s"), power_of("10^-6 1/K")
    (8, 0)
    """
    found = _POWER_IN_FRONT.fullmatch(plainly_spelled(unit))
    return 0 if found is None else int(found[1])


_POWER_IN_FRONT = re.compile(r"1e(\d{1,2})\*?(.+)")


def with_inverse_power(unit: str) -> str:
    """Return the unit of numbers that were multiplied by the power of ten in front of a unit; "" where there is none.

    >>> with_inverse_power("×10⁶ K⁻¹"), with_inverse_power("10^-6 1/K")
    ('10^-6 K^-1', '')
    """
    found = _POWER_IN_FRONT.fullmatch(plainly_spelled(unit))
    if found is None:
        return ""
    return f"10^-{found[1]} {'1' if found[2].startswith('/') else ''}{found[2]}"


def _unit_of(column: ColumnRole, quantity: Property, typical: float) -> tuple[str, float, str]:
    """Return the unit of a value column, how sure it is, and what to ask."""
    if column.unit:
        try:
            way = conversion(column.unit, quantity)
        except UnitProblem as problem:
            return column.unit, NOT_UNDERSTOOD, f"{shortened(column.heading)}: {problem}."
        if way.needs_molar_mass or quantity.is_plausible(typical * way.factor + way.offset):
            return column.unit, 1.0, ""
        converted = typical * way.factor + way.offset
        inverse = with_inverse_power(column.unit)
        if inverse and quantity.is_plausible(typical * conversion(inverse, quantity).factor):
            return (
                inverse,
                UNUSUAL,
                f"{shortened(column.heading)}: its numbers are read as multiplied by the power of ten, in {inverse}, since "
                f"{shortest(converted, 4)} {quantity.unit} is unusual for a polymer. Are they?",
            )
        return (
            column.unit,
            UNUSUAL,
            f"{shortened(column.heading)}: a typical value of {shortest(converted, 4)} {quantity.unit} is unusual for a "
            f"polymer. Is the unit {column.unit}?",
        )
    if column.role == "md" and quantity.bare_unit is not None:
        way = conversion(quantity.bare_unit, quantity)
        if quantity.is_plausible(typical * way.factor):
            return quantity.bare_unit, 0.9, ""
    if quantity.is_plausible(typical):
        return quantity.unit, 0.85, ""
    if quantity.is_dimensionless:
        words = f"a typical value of {shortest(typical, 4)} is unusual for {quantity.title.lower()}. Is it that?"
        return quantity.unit, UNUSUAL, f"{shortened(column.heading)}: {words}"
    for unit in quantity.other_units:
        way = conversion(unit, quantity)
        if not way.needs_molar_mass and quantity.is_plausible(typical * way.factor + way.offset):
            return unit, 0.4, f"{shortened(column.heading)} gives no unit. Is it {unit}?"
    return quantity.unit, 0.3, f"{shortened(column.heading)} gives no unit. Is it {quantity.unit or 'without unit'}?"
