"""Guessed roles and the user's choices -> the roles that a table is read with."""

import dataclasses
from collections.abc import Sequence
from itertools import islice

from affinecal_gui.study.table_source import ColumnChoice, ImportChoices
from affinecal_gui.tables.cells.number_formats import guess_number_format
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.unit_guesses import fits_heading
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question, Roles
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role
from affinecal_gui.tables.meaning.named_columns import with_table_of
from affinecal_gui.tables.raw_table import DecimalMark, RawTable
from affinecal_gui.tables.single_numbers import NumberFormat
from affinecal_gui.tables.units.properties import Property, own_property
from affinecal_gui.tables.units.property_names import property_by_name
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.words import is_missing_word

ONE_COLUMN_EACH: frozenset[Role] = frozenset(
    ("id", "name", "smiles", "unit", "temperature", "phase", "source", "fraction")
)
"""Roles that one column of a table has; whoever had it before keeps its cells as a detail."""

BELONGS_TO_A_VALUE: frozenset[Role] = frozenset(("uncertainty", "lowest", "highest", "range", "repeats"))

SAMPLE_CELLS = 400


def settled_roles(raw: RawTable, guess: Roles, choices: ImportChoices) -> Roles:
    """Return the roles to read a table with.

    Parameters
    ----------
    raw
        The table.
    guess
        What was guessed of it.
    choices
        What the user chose; what does not fit the headings of this table is passed over.
    """
    roles = guess
    if choices.base is not None and [c.heading for c in choices.base.columns] == list(raw.headings):
        roles = _on_base(raw, guess, choices)
    if choices.kind is not None and roles.kind != "none":
        roles = roles.with_kind(choices.kind)
    for choice in choices.columns:
        if choice.column < len(raw.headings) and raw.headings[choice.column] == choice.heading:
            roles = _with_choice(raw, roles, choice)
    return roles


def _on_base(raw: RawTable, guess: Roles, choices: ImportChoices) -> Roles:
    """Take the roles of before; the number format follows the marks that are chosen now."""
    assert choices.base is not None
    columns = choices.base.columns
    if choices.options.decimal is not None or choices.options.thousands is not None:
        columns = tuple(
            dataclasses.replace(column, style=number_format_of(raw, column.column, guess.columns))
            if column.role in VALUE_ROLES or column.role in BELONGS_TO_A_VALUE
            else column
            for column in columns
        )
    roles = dataclasses.replace(choices.base, columns=columns)
    return _with_doubt_about_kind(roles, guess) if choices.known_shape and not choices.known_content else roles


def _with_choice(raw: RawTable, roles: Roles, choice: ColumnChoice) -> Roles:
    if choice.role is not None and choice.role not in ("detail", "ignored"):
        roles = with_table_of(raw, roles, choice.column)
    column = roles.columns[choice.column]
    role = choice.role if choice.role is not None else column.role
    if choice.role in ONE_COLUMN_EACH and choice.role != column.role:
        for other in roles.all(choice.role):
            if other.column != choice.column:
                roles = roles.with_column(other.column, role="detail")
    quantity, unit, style, of = choice.quantity, choice.unit, None, None
    if role in VALUE_ROLES:
        quantity = quantity or column.quantity or property_by_name(column.heading)
        quantity = quantity or own_property(column.heading, column.unit)
        if unit is None:
            unit = _fitting_unit(column, quantity)
        if not quantity.is_known:
            quantity = own_property(column.heading, unit)
    elif role in BELONGS_TO_A_VALUE:
        of = _nearest_value(roles, choice.column)
    if role in VALUE_ROLES or role in BELONGS_TO_A_VALUE or role == "temperature":
        style = number_format_of(raw, choice.column, roles.columns)
    chosen = roles.with_column(choice.column, role=role, quantity=quantity, unit=unit, style=style, of=of)
    if role in VALUE_ROLES and choice.unit is None and quantity is not None:
        return _with_assumed_unit(chosen, column, quantity)
    return chosen


def _fitting_unit(column: ColumnRole, quantity: Property) -> str:
    """Return the unit written for a column, if it is one of the property that it is to hold now."""
    return column.unit if _is_assumed_for(column, quantity) is False else quantity.unit


def _is_assumed_for(column: ColumnRole, quantity: Property) -> bool | None:
    """Whether the unit written for a column is none of a property, so that another is assumed; None where none is written."""
    if not column.unit:
        return None
    try:
        conversion(column.unit, quantity)
    except UnitProblem:
        return True
    return False


def _with_assumed_unit(roles: Roles, before: ColumnRole, quantity: Property) -> Roles:
    """Say of a column whose unit is none of the property chosen for it that its numbers are taken in another one."""
    column = roles.columns[before.column]
    if not _is_assumed_for(before, quantity) or before.unit == column.unit:
        return roles
    why = (
        "no unit is named"
        if before.unit_is_guessed
        else f"{shortened(before.unit)} is no unit of {quantity.title.lower()}"
    )
    note = (
        f"“{shortened(before.heading)}”: {why}; its values are read "
        f"{f'as {column.unit}' if column.unit else 'as numbers without unit'}. Choose the unit if that is wrong."
    )
    columns = (
        *roles.columns[: column.column],
        dataclasses.replace(column, notes=(note,)),
        *roles.columns[column.column + 1 :],
    )
    return dataclasses.replace(roles, columns=columns)


def _nearest_value(roles: Roles, number: int) -> int | None:
    """Return the value column that a column beside it belongs to: the next to the left, else to the right."""
    values = [column.column for column in roles.values if column.column != number]
    before = [column for column in values if column < number]
    return max(before) if before else min(values, default=None)


def number_format_of(raw: RawTable, number: int, columns: Sequence[ColumnRole]) -> NumberFormat:
    """Return how a column writes numbers, by the marks that were chosen, the other columns, and its cells."""
    others = [c.style.decimal for c in columns if c.role in VALUE_ROLES and c.column != number]
    known: DecimalMark | None = "," if others and all(mark == "," for mark in others) else None
    chosen = raw.decimal
    if chosen is None and raw.thousands in (",", "."):
        chosen = "." if raw.thousands == "," else ","
    cells = list(islice((cell for cell in raw.columns[number] if not is_missing_word(cell)), SAMPLE_CELLS))
    column = columns[number]
    guess = guess_number_format(
        cells,
        known=known,
        chosen=chosen,
        delimiter=raw.delimiter if raw.format == "text" else None,
        fits=fits_heading(column.unit, column.quantity),
    ).format
    if raw.thousands in (",", ".", " ", "'") and raw.thousands != guess.decimal:
        return NumberFormat(guess.decimal, raw.thousands)  # type: ignore[arg-type]
    return guess


def _with_doubt_about_kind(roles: Roles, guess: Roles) -> Roles:
    """Ask whether remembered values are measured or from MD, where this file speaks for the other.

    Two files of the same shape are often the two sides of a study.
    """
    if roles.kind not in ("measured", "md") or guess.kind not in ("measured", "md") or roles.kind == guess.kind:
        return roles
    question = Question("Are the values of this file measured, or from MD?", "kind")
    return dataclasses.replace(roles, open=(*roles.open, question))
