"""Columns of numbers beside values of which nothing is made: each may be a value, an uncertainty or a condition."""

import dataclasses
from collections.abc import Sequence

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import Label, Profile
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.heading_words import CONDITIONS_IN_WORDS, HEADINGS, SELDOM_CONDITIONS
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.headings.stated_pressures import is_pressure_heading

MOST_NAMED = 4
"""Columns that are named; of more, the number is told."""

ARE_NUMBERS = 0.5
"""Share of the filled cells of a column, from which on it is one of numbers."""


def with_unused_named(
    columns: Sequence[ColumnRole], labels: Sequence[Label], profiles: Sequence[Profile]
) -> list[ColumnRole]:
    """Add to each column of values which columns of numbers are not used with it.

    Parameters
    ----------
    columns
        All columns of a table, with their final roles.
    labels, profiles
        Of every column.
    """
    told = "\n".join(note for column in columns for note in column.notes)
    unused = [
        column
        for column in columns
        if _is_unused(column, labels[column.column], profiles[column.column])
        and f"“{shortened(column.heading)}”" not in told
    ]
    if not unused:
        return list(columns)
    return [_with_named(column, unused) if column.role in VALUE_ROLES else column for column in columns]


def _is_unused(column: ColumnRole, label: Label, profile: Profile) -> bool:
    """Whether a column holds numbers of which neither the heading nor the program that wrote them says what they are."""
    if column.role not in ("detail", *VALUE_ROLES) or column.is_known or column.meaning or column.says is not None:
        return False
    if not profile.filled or profile.numeric < ARE_NUMBERS:
        return False
    if label.name == "dp" and all(map(str.isdecimal, profile.cells)) and max(map(len, profile.cells)) > 1:
        return False  # degrees of polymerisation, and no deviations of a pressure or something else
    if is_pressure_heading(label.name, label.unit):
        return False
    told_elsewhere = SELDOM_CONDITIONS | CONDITIONS_IN_WORDS | HEADINGS["id"] | HEADINGS["source"]
    return label.name not in told_elsewhere


def _with_named(column: ColumnRole, unused: Sequence[ColumnRole]) -> ColumnRole:
    others = [
        other
        for other in unused
        if other.column != column.column and (other.quantity is None or other.quantity != column.quantity)
    ]
    if not others:
        return column
    named = ", ".join(f"“{shortened(other.heading)}”" for other in others[:MOST_NAMED])
    more = f" and {len(others) - MOST_NAMED} more" if len(others) > MOST_NAMED else ""
    note = f"Beside “{shortened(column.heading)}”, columns of numbers are not used: {named}{more}."
    return dataclasses.replace(column, notes=(*column.notes, note))
