"""Columns that the user names: the values of a property, or a column of another table of the sheet."""

import dataclasses
from collections.abc import Sequence

from affinecal_gui.tables.cells.number_formats import decimal_of_file
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.evidence.column_evidence import Label, could_be, label_of, own_name, profile_of, quantity_of
from affinecal_gui.tables.evidence.column_formats import guessed_format
from affinecal_gui.tables.evidence.unit_guesses import settle_units
from affinecal_gui.tables.headings.column_roles import ColumnRole, Roles
from affinecal_gui.tables.headings.role_names import VALUE_ROLES, Role, ValueKind
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.shapes.tables_beside import BESIDE, find_tables, roles_of_table
from affinecal_gui.tables.units.properties import own_property
from affinecal_gui.tables.units.property_names import simplified


def with_table_of(raw: RawTable, roles: Roles, number: int) -> Roles:
    """Return the roles of the table that a column belongs to, where several tables stand side by side in a sheet.

    They are those given if that table is read already, or there is only one.
    """
    if roles.columns[number].reason != BESIDE:
        return roles
    tables = find_tables(raw)
    table = next((table for table in tables if number in table.columns), None)
    return roles if table is None else roles_of_table(raw, table, guess_roles)


def with_value_column(raw: RawTable, roles: Roles, name: str, kind: ValueKind | None = None) -> Roles:
    """Return roles in which the column that the user names holds the values of its property, and no other column does.

    Parameters
    ----------
    raw, roles
        The file and the roles of its columns.
    name
        The heading, with or without its unit, in upper or lower case.
    kind
        Whether it holds measured or MD values; None leaves that to the file.

    Raises
    ------
    TableError
        There is no such column, or more than one, or it holds no numbers.
    """
    labels = [label_of(raw, number) for number in range(len(raw.headings))]
    number = _column_called(raw, labels, name)
    roles = _with_table_of_values(raw, roles, number, kind)
    profile = profile_of(raw.columns[number])
    if profile.filled and not profile.numeric:
        what = "repeat units" if profile.repeat_units > 0.5 else "texts"
        raise TableError(
            f"{raw.name}, column “{shortened(raw.headings[number])}” holds {what} such as “{shortened(profile.cells[0])}”, "
            "no values. Name a column of numbers."
        )
    old, values = roles.columns[number], roles.values
    quantity = old.quantity if old.is_known else None
    if quantity is None:
        known = [column.quantity for column in values if column.is_known and column.quantity is not None]
        quantity = next((found for found in known if could_be(labels[number], found)), None) or old.quantity
    if quantity is None:
        label = labels[number]
        quantity = quantity_of(label)[0] or own_property(own_name(label) or raw.headings[number], label.unit)
    role: Role = kind or (old.role if old.role in VALUE_ROLES else "md" if roles.kind == "md" else "measured")
    decimal = decimal_of_file([profile_of(column).cells for column in raw.columns])
    guess = guessed_format(raw, profile, decimal, labels[number], quantity)
    notes = (f"{shortened(raw.headings[number])}: {guess.note}.",) if guess.note else ()
    chosen = ColumnRole(
        number, raw.headings[number], role, quantity, labels[number].unit, guess.format, None, 1.0, "chosen", notes
    )
    others = {c.column for c in values if c.role == role and c.quantity == quantity and c.column != number}
    columns = [
        chosen
        if column.column == number
        else dataclasses.replace(column, role="detail", quantity=None, of=None)
        if column.column in others or column.of in others
        else column
        for column in roles.columns
    ]
    settled, questions = settle_units(raw, columns, [profile_of(column) for column in raw.columns])
    left = [question for question in roles.open if question.about not in (number, *others)]
    new = [question for question in questions if question.about == number]
    kinds = {column.role for column in settled if column.role in VALUE_ROLES}
    return dataclasses.replace(
        roles, columns=tuple(settled), kind="both" if len(kinds) == 2 else roles.kind, open=(*left, *new)
    )


def _with_table_of_values(raw: RawTable, roles: Roles, number: int, kind: ValueKind | None) -> Roles:
    """Settle which of several tables of a sheet is read: that of the column of values which the user names."""
    found = with_table_of(raw, roles, number)
    if found is not roles:
        return found.with_kind(kind).only(kind) if kind is not None else found
    tables = find_tables(raw)
    asked = {table.key for table in tables}
    left = tuple(question for question in roles.open if not (question.refusal and question.about in asked))
    return dataclasses.replace(roles, open=left)


def _column_called(raw: RawTable, labels: Sequence[Label], name: str) -> int:
    """Return the number of the column with this heading."""
    wanted = simplified(name)
    for found in (
        [number for number, heading in enumerate(raw.headings) if heading == name],
        [number for number, heading in enumerate(raw.headings) if simplified(heading) == wanted],
        [number for number, label in enumerate(labels) if label.name == wanted],
    ):
        if len(found) == 1:
            return found[0]
        if found:
            both = " and ".join(f"“{raw.headings[number]}”" for number in found[:3])
            raise TableError(
                f"{raw.name} has several columns called “{shortened(name)}”: {both}. Give the whole heading."
            )
    listed = ", ".join(f"“{shortened(heading)}”" for heading in raw.headings[:12])
    raise TableError(f"{raw.name} has no column “{shortened(name)}”; it has {listed}.")
