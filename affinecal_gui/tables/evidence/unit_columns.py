"""Columns that name the unit of each row: which values they belong to, and when the heading of the values is followed."""

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import Label, Profile, label_of, quantity_of
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.headings.heading_conditions import unit_among
from affinecal_gui.tables.headings.heading_words import HEADINGS, MD_WORDS, MEASURED_WORDS, VALUE_WORDS, words_of
from affinecal_gui.tables.headings.role_names import VALUE_ROLES
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import Conversion, UnitProblem, conversion, is_unit_text, unbracketed
from affinecal_gui.tables.words import is_missing_word

LONGEST_CELL = 40
"""Characters of a cell that may be a unit, on average; a column of notes is none of units."""


MOST_UNITS = 4
"""Different ones in a column that is known to give units by its cells alone."""


def names_units(label: Label, profile: Profile) -> str | None:
    """Return of what a column gives the unit, by its heading: "Tg" for "Tg_unit", "" for "unit"; None if it gives none."""
    if not profile.filled or profile.numeric >= 0.5 or profile.repeat_units >= 0.5 or profile.length > LONGEST_CELL:
        return None
    if label.name in HEADINGS["unit"]:
        return "" if profile.units >= 0.5 or label.name != "dimension" else None
    words = list(label.words)
    rest = [word for word in words if word not in HEADINGS["unit"] or word == "dimension"]
    if len(rest) == len(words) or "repeat" in words or "repeating" in words:
        return "" if _holds_units(profile) and not any(label.name in names for names in HEADINGS.values()) else None
    joining = rest and rest[0] in ("of", "der", "de", "von", "for")  # "unit of Tg"
    return " ".join(rest[1:] if joining else rest)


_SIGN_OF_A_UNIT = re.compile(r"[/°℃℉·⋅²³⁻^]|(?:Pa|Hz)$")


def _holds_units(profile: Profile) -> bool:
    """Whether a column holds nothing but units, whatever it is called; letters alone may be codes, as PA and PS are."""
    texts = set(profile.cells)
    signed = any(_SIGN_OF_A_UNIT.search(text) for text in texts)
    return signed and len(texts) <= MOST_UNITS and all(map(is_unit_text, texts))


def given_units(raw: RawTable, number: int) -> tuple[str, ...]:
    """Return the different units that a column of units names, in the order of the file."""
    return tuple(dict.fromkeys(cell for cell in raw.columns[number] if not is_missing_word(cell)))


def owner_of(rest: str, labels: Sequence[Label], values: Sequence[ColumnRole]) -> int | None:
    """Return the value column that a column of units is called after; None when there is none."""
    for column in values:
        if simplified(labels[column.column].text) == rest or labels[column.column].words == tuple(rest.split()):
            return column.column
    if len(values) == 1 and set(words_of(rest)) <= VALUE_WORDS | MEASURED_WORDS | MD_WORDS:
        return values[0].column
    named = quantity_of(Label(rest, "", words_of(rest)))[0]
    return next((column.column for column in values if named is not None and column.quantity == named), None)


def attached(columns: Sequence[ColumnRole], labels: Sequence[Label], profiles: Sequence[Profile]) -> list[ColumnRole]:
    """Say of each column of units to which value column it belongs: to the one it names; of several, to the one before it.

    A single column called "unit" belongs to all.
    """
    values = [column for column in columns if column.role in VALUE_ROLES]
    rests = {c.column: names_units(labels[c.column], profiles[c.column]) or "" for c in columns if c.role == "unit"}
    general = [number for number, rest in rests.items() if not rest]
    placed = []
    for column in columns:
        owner: int | None = None
        if column.role == "unit" and rests[column.column]:
            owner = owner_of(rests[column.column], labels, values)
            if owner is None:
                column = dataclasses.replace(column, role="detail")
        elif column.role == "unit" and len(general) > 1:
            before = [value.column for value in values if value.column < column.column]
            behind = [value.column for value in values if value.column > column.column]
            unit_first = general[0] < min((value.column for value in values), default=0)
            owner = min(behind, default=None) if unit_first else max(before, default=None)
        placed.append(dataclasses.replace(column, of=owner) if owner is not None else column)
    return placed


@dataclass(frozen=True, slots=True)
class RowUnits:
    """What a column of units says about one value column."""

    column: ColumnRole | None  # followed row by row; None where the heading of the values is
    contradiction: str = ""  # why the two do not agree, in a sentence
    refused: bool = False  # both say it of these very values, so that neither can be followed


_ANSWERED = ("chosen", "as chosen before")
"""Reasons of columns about which the user was asked."""

NO_UNITS_BY_ROW = RowUnits(None)


def row_units(raw: RawTable, value: ColumnRole, quantity: Property, columns: Sequence[ColumnRole]) -> RowUnits:
    """Settle whether the unit of a value column is that of its heading or of a column of units.

    A column of units that is called after the values is followed; of one for all values that of the heading is better.
    """
    label = label_of(raw, value.column)
    below = unbracketed(raw.units[value.column]) if raw.units else ""
    if label.unit and not is_missing_word(below) and not _says_the_same(below, label.unit, quantity):
        sentence = (
            f"the heading “{shortened(value.heading)}” names {shortened(label.unit)}, and the row of units below it "
            f"{shortened(below)}"
        )
        return RowUnits(None, sentence, refused=value.reason not in _ANSWERED)
    own = next((c for c in columns if c.role == "unit" and c.of == value.column), None)
    common = next((c for c in columns if c.role == "unit" and c.of is None), None)
    found = own if own is not None else common
    if found is None:
        return NO_UNITS_BY_ROW
    texts = given_units(raw, found.column)
    several = sum(c.role in VALUE_ROLES for c in columns) > 1
    if not label.unit:
        fits = quantity.is_known is False or any(_way(text, quantity) is not None for text in texts)
        return RowUnits(found if fits or own is not None or not several else None)
    by_heading = _way(label.unit, quantity)
    is_alone = own is not None or not several
    others = [
        text
        for text in texts
        if not _agree(_way(text, quantity), by_heading, is_alone or not is_unit_text(text), text, label.unit)
    ]
    if not others:
        return RowUnits(None)
    sentence = (
        f"the heading “{shortened(value.heading)}” names {shortened(label.unit)}, and the column "
        f"“{shortened(found.heading)}” {' and '.join(shortened(text) for text in others[:3])}"
    )
    return RowUnits(None, sentence, refused=own is not None and value.reason not in _ANSWERED)


def _way(text: str, quantity: Property) -> Conversion | None:
    try:
        return conversion(text, quantity)
    except UnitProblem:
        return None


def _says_the_same(below: str, written: str, quantity: Property) -> bool:
    """Whether a row of units repeats the unit of the heading, perhaps with a condition, or holds words of no unit."""
    among = unit_among(below)
    text = among[0] if among is not None else below
    return not is_unit_text(text) or _agree(_way(text, quantity), _way(written, quantity), True, text, written)


def _agree(one: Conversion | None, other: Conversion | None, is_own: bool, text: str, written: str) -> bool:
    """Whether a cell of units says the same as the heading; of several value columns, another unit may be that of others."""
    if one is None or other is None:
        return not is_own or re.sub(r"\s", "", text) == re.sub(r"\s", "", written)
    return (one.factor, one.offset, one.per_mole_of) == (other.factor, other.offset, other.per_mole_of)
