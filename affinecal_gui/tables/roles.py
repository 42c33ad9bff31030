"""What each column of a table is for, guessed from headings and contents, with a confidence; all can be changed."""

import dataclasses
import re
from collections.abc import Sequence
from typing import Literal

from affinecal_gui.progress import CancelCheck, never, stop_if
from affinecal_gui.tables.column_evidence import Label, Profile, label_of, profile_of, quantity_of, statistic_of
from affinecal_gui.tables.column_roles import (
    VALUE_ROLES,
    ColumnRole,
    FileKind,
    Question,
    Role,
    Roles,
    ValueKind,
)
from affinecal_gui.tables.copolymer_columns import copolymer_roles
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.file_kind import settle_kind
from affinecal_gui.tables.heading_words import HEADINGS, SETTINGS
from affinecal_gui.tables.numbers import PLAIN_NUMBERS, FormatGuess, NumberFormat, guess_number_format
from affinecal_gui.tables.properties import own_property, property_by_name, simplified
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.unit_guesses import settle_units
from affinecal_gui.tables.words import is_missing_word

__all__ = ["VALUE_ROLES", "ColumnRole", "FileKind", "Question", "Role", "Roles", "ValueKind", "guess_roles"]

CERTAIN = 0.75


def guess_roles(raw: RawTable, *, others: Sequence[Roles] = (), cancelled: CancelCheck = never) -> Roles:
    """Guess the role of every column.

    Parameters
    ----------
    raw
        The file.
    others
        Roles of the files that are loaded already: a file that could be either is taken as what is still missing.
    cancelled
        Asked before every column is looked at.

    Raises
    ------
    Cancelled
        ``cancelled()`` became true.
    """
    profiles = []
    for column in raw.columns:
        stop_if(cancelled)
        profiles.append(profile_of(column))
    labels = [label_of(raw, number) for number in range(len(raw.headings))]
    columns: list[ColumnRole | None] = [None] * len(raw.headings)
    for number in _descriptor_columns(raw.headings, profiles):
        columns[number] = ColumnRole(
            number, raw.headings[number], "descriptor", confidence=0.95, reason="one of a series"
        )
    _find_smiles(raw, profiles, labels, columns)
    for number, role in copolymer_roles(raw.headings, [profile.cells for profile in profiles]).items():
        columns[number] = ColumnRole(number, raw.headings[number], role, unit=labels[number].unit, confidence=0.95)
    _find_named_roles(raw, profiles, labels, columns)
    statistics, doubts = _find_values(raw, profiles, labels, columns)
    _attach_statistics(raw, labels, columns, statistics)
    for number, heading in enumerate(raw.headings):
        if columns[number] is None:
            filled = profiles[number].filled > 0
            columns[number] = ColumnRole(number, heading, "detail" if filled else "ignored", confidence=0.8)
    complete = [column for column in columns if column is not None]
    complete = _name_from_text(complete, profiles)
    complete, kind, confidence, reason = settle_kind(raw, complete, others)
    complete, unit_questions = settle_units(complete, profiles)
    known = [column for column in complete if column.role in VALUE_ROLES and column.is_known]
    asked = {column.column for column in known or [c for c in complete if c.role in VALUE_ROLES]}
    questions = [question for question in (*doubts, *unit_questions) if question.about in asked]
    if "decimal" in raw.chosen:
        questions = [question for question in questions if question not in doubts]
    if not known:
        questions += [
            Question(f"Which property is {shortened(column.heading)}?", column.column)
            for column in complete
            if column.role in VALUE_ROLES
        ][:3]
    smiles = next((column for column in complete if column.role == "smiles"), None)
    if smiles is not None and smiles.confidence < CERTAIN:
        questions.append(Question(f"Does {shortened(smiles.heading)} hold the repeat units?", smiles.column))
    if kind in ("measured", "md") and confidence < 0.3:
        questions.append(Question("Are the values of this file measured, or from MD?", "kind"))
    return Roles(tuple(complete), kind, confidence, reason, tuple(questions))


def _descriptor_columns(headings: Sequence[str], profiles: Sequence[Profile]) -> list[int]:
    """Columns of ready descriptors: numbered series of at least ten numeric columns, and masses by element symbol."""
    series: dict[str, list[tuple[int, int]]] = {}
    masses: list[int] = []
    for number, heading in enumerate(headings):
        if profiles[number].numeric < 0.9 and profiles[number].filled:
            continue
        match = re.fullmatch(r"(.*\D)[_\- ]?(\d+)", heading)
        if match:
            series.setdefault(match[1], []).append((int(match[2]), number))
        elif re.fullmatch(r"mass_[A-Z][a-z]?", heading):
            masses.append(number)
    found = masses if len(masses) >= 5 else []
    for members in series.values():
        numbers = sorted(index for index, _ in members)
        if len(numbers) >= 10 and numbers == list(range(numbers[0], numbers[0] + len(numbers))):
            found = [*found, *(column for _, column in members)]
    return sorted(found)


def _find_smiles(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> None:
    best, best_score = None, 0.0
    for number, profile in enumerate(profiles):
        if columns[number] is not None:
            continue
        named = 0.5 if labels[number].name in HEADINGS["smiles"] else 0.3 if "smiles" in labels[number].name else 0.0
        if named and profile.numeric > 0.5:
            continue
        score = profile.repeat_units + named
        if score > best_score + 1e-9:
            best, best_score = number, score
    if best is None or best_score < 0.3:
        return
    if not profiles[best].filled and best_score >= 0.5:
        best_score = 1.0  # the heading says it, and no cell contradicts
    reason = "heading and contents" if best_score > 1 else "contents" if best_score > 0.5 else "heading"
    columns[best] = ColumnRole(best, raw.headings[best], "smiles", confidence=min(1.0, best_score + 0.2), reason=reason)
    for number, profile in enumerate(profiles):
        if columns[number] is None and (profile.repeat_units > 0.6 or "smiles" in labels[number].name):
            columns[number] = ColumnRole(
                number, raw.headings[number], "detail", confidence=0.7, reason="a second column of repeat units"
            )


def _find_named_roles(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> None:
    """Give out the roles that a heading names outright."""
    taken: set[Role] = set()
    wanted: tuple[Role, ...] = ("unit", "id", "name", "temperature", "phase", "source", "fraction")
    for role in wanted:
        for number, label in enumerate(labels):
            if columns[number] is not None or label.name not in HEADINGS[role]:
                continue
            profile = profiles[number]
            if role == "unit" and profile.units < 0.5:
                continue
            if role in ("name", "phase", "source") and profile.numeric > 0.8 and profile.filled:
                continue
            if role == "id" and profile.running:
                columns[number] = ColumnRole(
                    number, raw.headings[number], "ignored", confidence=0.9, reason="counts the rows"
                )
                continue
            confidence = 0.95 if role not in taken else 0.8
            given: Role = role if role not in taken else "detail"
            columns[number] = ColumnRole(
                number, raw.headings[number], given, unit=label.unit, confidence=confidence, reason="heading"
            )
            taken.add(role)
    for number, label in enumerate(labels):
        if columns[number] is None and label.name in SETTINGS:
            columns[number] = ColumnRole(number, raw.headings[number], "detail", confidence=0.9, reason="a setting")


def _find_values(
    raw: RawTable, profiles: Sequence[Profile], labels: Sequence[Label], columns: list[ColumnRole | None]
) -> tuple[dict[int, tuple[Role, str]], list[Question]]:
    """Find the value columns.

    Returns the columns that are statistics of a value, with the name of the value; and what the cells leave open.
    """
    doubts: list[Question] = []
    statistics: dict[int, tuple[Role, str]] = {}
    decimal = raw.decimal or _decimal_of_file(profiles)
    common_unit = _common_unit(raw, columns)
    for number, label in enumerate(labels):
        if columns[number] is not None:
            continue
        profile = profiles[number]
        role, rest = statistic_of(label)
        if role is not None and (profile.numeric > 0.5 or not profile.filled):
            statistics[number] = (role, rest)
            continue
        if profile.running:
            columns[number] = ColumnRole(
                number, raw.headings[number], "ignored", confidence=0.85, reason="counts the rows"
            )
            continue
        if not label.unit and common_unit:
            label = dataclasses.replace(label, unit=common_unit)
        quantity, kind = quantity_of(label)
        if quantity is None and (profile.numeric < 0.7 or not profile.filled):
            continue
        if quantity is not None and profile.filled and profile.numeric < 0.3:
            doubts.append(
                Question(f"{shortened(raw.headings[number])} holds few numbers. Does it hold values?", number)
            )
        known = quantity is not None
        guess = guess_number_format(profile.cells, known=decimal, chosen_thousands=bool(raw.thousands))
        if not guess.certain:
            doubts.append(Question(f"{shortened(raw.headings[number])}: {guess.question}", number))
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            kind or "measured",
            quantity or own_property(label.text, label.unit),
            label.unit,
            _with_thousands(guess, raw),
            confidence=(0.95 if known else 0.5) if guess.certain else 0.3,
            reason="heading" if known else "numbers",
        )
    return statistics, doubts


def _decimal_of_file(profiles: Sequence[Profile]) -> Literal[",", None]:
    """Return the comma when some numeric columns can only have decimal commas and none can only have points."""
    commas = points = 0
    for profile in profiles:
        if profile.numeric < 0.7:
            continue
        guess = guess_number_format(profile.cells)
        if guess.certain and guess.format.decimal == ",":
            commas += 1
        elif any("." in cell for cell in profile.cells) and guess.certain and not guess.format.thousands:
            points += 1
    return "," if commas and not points else None


def _common_unit(raw: RawTable, columns: Sequence[ColumnRole | None]) -> str:
    """Return the unit that every row names in its unit column; "" when there is none or they differ."""
    column = next((column for column in columns if column is not None and column.role == "unit"), None)
    if column is None:
        return ""
    units = {cell for cell in raw.columns[column.column] if not is_missing_word(cell)}
    return units.pop() if len(units) == 1 else ""


def _with_thousands(guess: FormatGuess, raw: RawTable) -> NumberFormat:
    if raw.thousands in (",", ".", " ", "'") and raw.thousands != guess.format.decimal:
        return NumberFormat(guess.format.decimal, raw.thousands)  # type: ignore[arg-type]
    return guess.format


def _attach_statistics(
    raw: RawTable,
    labels: Sequence[Label],
    columns: list[ColumnRole | None],
    statistics: dict[int, tuple[Role, str]],
) -> None:
    names: dict[str, int] = {}
    for number, column in enumerate(columns):
        if column is not None and column.role in VALUE_ROLES:
            names.setdefault(labels[number].name, number)
            if column.quantity is not None:
                names.setdefault(simplified(column.quantity.key), number)
    before: list[int | None] = []  # by column: the value column before it
    for number, column in enumerate(columns):
        before.append(before[-1] if before else None)
        if column is not None and column.role in VALUE_ROLES:
            before[-1] = number
    for number, (role, rest) in statistics.items():
        owner = names.get(rest)
        if owner is None and rest:
            named = property_by_name(rest)
            owner = names.get(simplified(named.key)) if named is not None else None
        if owner is None and not rest:
            owner = before[number]
        if owner is None:
            columns[number] = ColumnRole(number, raw.headings[number], "detail", confidence=0.6)
            continue
        value = columns[owner]
        columns[number] = ColumnRole(
            number,
            raw.headings[number],
            role,
            None,
            labels[number].unit or (value.unit if value is not None and role != "repeats" else ""),
            value.style if value is not None else PLAIN_NUMBERS,
            owner,
            0.9,
            f"of {raw.headings[owner]}",
        )


def _name_from_text(columns: list[ColumnRole], profiles: Sequence[Profile]) -> list[ColumnRole]:
    """Take the first column of distinct short texts as the name where no heading says which it is."""
    if any(column.role in ("name", "id") for column in columns):
        return columns
    for column in columns:
        profile = profiles[column.column]
        if (
            column.role == "detail"
            and not column.reason
            and profile.distinct > 0.8
            and profile.numeric < 0.3
            and 2 <= profile.length <= 60
        ):
            return [
                dataclasses.replace(other, role="name", confidence=0.6, reason="distinct texts")
                if other is column
                else other
                for other in columns
            ]
    return columns
