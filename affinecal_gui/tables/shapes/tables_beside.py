"""Tables side by side in one sheet: where one ends and the next begins, and the roles of one of them."""

import dataclasses
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import (
    SAMPLE_CELLS,
    Label,
    Profile,
    label_of,
    profile_of,
    quantity_of,
    statistic_of,
)
from affinecal_gui.tables.evidence.composition_columns import find_composition
from affinecal_gui.tables.evidence.polymer_roles import different_polymers
from affinecal_gui.tables.headings.column_roles import ColumnRole, Question, Roles
from affinecal_gui.tables.headings.heading_words import HEADINGS, SETTINGS
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.words import is_missing_word

MOST_COLUMNS = 200
"""A sheet with more columns is a table of descriptors rather than several tables."""

BESIDE = "of a table beside"
"""The reason of a column that is left unread because it belongs to another table of the sheet."""


@dataclass(frozen=True, slots=True)
class TableBeside:
    """One of several tables of a sheet."""

    columns: tuple[int, ...]
    key: int  # the column that tells its polymers
    sure: bool = True  # False: its rows may as well be of the polymers of the table before it


def find_tables(raw: RawTable) -> tuple[TableBeside, ...]:
    """Return the tables that stand side by side in a sheet; empty where it is a single one, as nearly always.

    They are several where columns of repeat units, or of ids or names under the same heading, hold different polymers in
    one row, and each has values or repeat units of its own; or where empty columns stand between them, and what tells the
    polymers of the one does not tell those of the other. They may be several where polymers are told again behind values,
    by another column, and values of these follow: "smiles, Tg, name, density".
    """
    if not 4 <= len(raw.headings) <= MOST_COLUMNS or not raw.row_count:
        return ()
    labels = [label_of(raw, number) for number in range(len(raw.headings))]
    profiles = [profile_of(column) for column in raw.columns]
    keys = _keys(raw, labels, profiles)
    if len(keys) < 2:
        return (_parted_by_gaps if raw.gaps else _parted_by_values)(raw, labels, profiles)
    numbers = {n for n, profile in enumerate(profiles) if profile.filled and _says_something(profile) and n not in keys}
    empty = [number for number, profile in enumerate(profiles) if not profile.filled]
    after_keys = [0, *(key + 1 for key in keys[:-1])]  # where repeat units stand last
    for starts in (
        _after_empty(empty, len(labels)),
        _at_repeated(labels, keys),
        _after_values(keys, numbers),
        after_keys,
    ):
        tables = _divided(starts, keys, numbers, len(labels))
        if tables:
            return tables
    return ()


def _keys(raw: RawTable, labels: Sequence[Label], profiles: Sequence[Profile]) -> list[int]:
    """Return the columns that tell polymers, several of them; empty where they tell the same ones."""
    units = [number for number, profile in enumerate(profiles) if profile.repeat_units > 0.6]
    if len(units) > 1:
        if find_composition(raw.headings, [column[:SAMPLE_CELLS] for column in raw.columns]):
            return []
        return units if different_polymers(raw, units[0], units[1]) is not None else []
    for role in ("id", "name"):
        named = [number for number, label in enumerate(labels) if label.name in HEADINGS[role]]
        again = [number for number in named if labels[number].name == labels[named[0]].name and profiles[number].filled]
        if len(again) == 1:  # as pandas numbers them: "id.1"
            first = labels[again[0]].text
            again += [n for n, heading in enumerate(raw.headings) if re.fullmatch(rf"{re.escape(first)}\.\d", heading)]
        if len(again) > 1:
            pairs = zip(raw.columns[again[0]], raw.columns[again[1]], strict=True)
            if any(one != other and not is_missing_word(one) and not is_missing_word(other) for one, other in pairs):
                return again
    return []


def _says_something(profile: Profile) -> bool:
    """Whether a column holds values or repeat units: what a table says of the polymers that its key tells."""
    return profile.numeric >= 0.5 or profile.repeat_units > 0.6


def _parted_by_gaps(raw: RawTable, labels: Sequence[Label], profiles: Sequence[Profile]) -> tuple[TableBeside, ...]:
    """Return the parts between empty columns as tables, where each has values and a key that no other part repeats."""
    tables = []
    found: list[dict[str, int]] = []
    for start, end in pairwise((0, *raw.gaps, len(labels))):
        own: dict[str, int] = {}
        for number in range(start, end):
            kind = _kind_of_key(labels[number], profiles[number])
            if kind:
                own.setdefault(kind, number)
        numeric = [n for n in range(start, end) if profiles[n].numeric >= 0.5 and profiles[n].filled]
        if not set(numeric) - set(own.values()):
            continue  # notes beside a table, or a legend
        if not own:
            return ()
        found.append(own)
        tables.append(TableBeside(tuple(range(start, end)), own.get("smiles", next(iter(own.values())))))
    first, *others = found or [{}]
    for other in others:
        shared = [(first[kind], other[kind]) for kind in first if kind in other]
        if any(_same_cells(raw, *pair) for pair in shared):
            return ()
    return tuple(tables) if len(tables) > 1 else ()


def _parted_by_values(raw: RawTable, labels: Sequence[Label], profiles: Sequence[Profile]) -> tuple[TableBeside, ...]:
    """Return what may be tables where polymers are told again behind values, and have values behind them in turn."""
    kinds = {number: kind for number, kind in enumerate(map(_kind_of_key, labels, profiles)) if kind}
    if len(kinds) < 2 or list(kinds.values()).count("smiles") > 1:
        return ()
    values = {n for n, label in enumerate(labels) if n not in kinds and _is_value(label, profiles[n])}
    starts, has_values = [0], False
    for number in range(len(labels)):
        if number in kinds and has_values:
            starts.append(number)
            has_values = False
        has_values = has_values or number in values
    parts = [range(start, end) for start, end in pairwise((*starts, len(labels)))]
    keys = [[number for number in part if number in kinds] for part in parts]
    if len(parts) < 2 or not all(keys) or not all(values & set(part) for part in parts):
        return ()
    if any(_same_cells(raw, one, other) for other in keys[1] for one in keys[0]):
        return ()
    return tuple(
        TableBeside(tuple(part), next((n for n in own if kinds[n] == "smiles"), own[0]), sure=False)
        for part, own in zip(parts, keys, strict=True)
    )


def _is_value(label: Label, profile: Profile) -> bool:
    """Whether a column holds values of a property by its heading: known by name, or with a unit."""
    if not profile.filled or profile.numeric < 0.5 or profile.running or statistic_of(label)[0] is not None:
        return False
    if label.name in SETTINGS or any(label.name in HEADINGS[role] for role in ("temperature", "fraction")):
        return False
    quantity = quantity_of(label)[0]
    return bool(label.unit) or (quantity is not None and quantity.is_known)


def _kind_of_key(label: Label, profile: Profile) -> str:
    """Return what a column tells polymers by: "smiles", "name" or "id"; "" where it tells none."""
    if profile.repeat_units > 0.6:
        return "smiles"
    if label.name in HEADINGS["name"] and profile.filled and profile.numeric < 0.5:
        return "name"
    return "id" if label.name in HEADINGS["id"] and profile.filled and not profile.running else ""


def _same_cells(raw: RawTable, one: int, other: int) -> bool:
    pairs = zip(raw.columns[one], raw.columns[other], strict=True)
    return all(first == second for first, second in pairs)


def _after_empty(empty: Sequence[int], count: int) -> list[int]:
    return [0, *(number + 1 for number in empty if number + 1 < count and number + 1 not in empty)]


def _at_repeated(labels: Sequence[Label], keys: Sequence[int]) -> list[int]:
    """Return where headings begin again: at the heading of the first column, if it comes once for each key."""
    starts = [number for number, label in enumerate(labels) if label.name == labels[0].name]
    return starts if len(starts) == len(keys) else [0]


def _after_values(keys: Sequence[int], numbers: set[int]) -> list[int]:
    """Return the places behind the last values before each key."""
    between = [[number for number in numbers if before < number < key] for before, key in pairwise(keys)]
    return [0, *(max(found) + 1 for found in between if found)]


def _divided(starts: Sequence[int], keys: Sequence[int], numbers: set[int], count: int) -> tuple[TableBeside, ...]:
    """Divide the columns; empty unless every part has one key and values."""
    parts = [range(start, end) for start, end in zip(starts, [*starts[1:], count], strict=True)]
    tables = []
    for part in parts:
        own = [key for key in keys if key in part]
        if len(own) != 1 or not numbers & set(part):
            return ()
        tables.append(TableBeside(tuple(part), own[0]))
    return tuple(tables) if len(tables) > 1 else ()


def roles_of_table(raw: RawTable, chosen: TableBeside, guess: Callable[[RawTable], Roles]) -> Roles:
    """Guess the roles of one of several tables; the columns of the others are left unread.

    Parameters
    ----------
    raw
        The sheet.
    chosen
        The table to read.
    guess
        Guesses the roles of a table that stands alone.
    """
    numbers = chosen.columns
    alone = dataclasses.replace(
        raw,
        headings=tuple(raw.headings[number] for number in numbers),
        columns=tuple(raw.columns[number] for number in numbers),
        units=tuple(raw.units[number] for number in numbers) if raw.units else (),
        gaps=(),
    )
    own = guess(alone)
    read = {
        numbers[column.column]: dataclasses.replace(
            column, column=numbers[column.column], of=None if column.of is None else numbers[column.of]
        )
        for column in own.columns
    }
    columns = tuple(
        read[number] if number in read else ColumnRole(number, heading, "detail", confidence=0.7, reason=BESIDE)
        for number, heading in enumerate(raw.headings)
    )
    return dataclasses.replace(
        own,
        columns=columns,
        open=tuple(
            question if question.about == "kind" else dataclasses.replace(question, about=numbers[question.about])
            for question in own.open
        ),
    )


def which_table(raw: RawTable, tables: Sequence[TableBeside]) -> Question:
    """Ask which of several tables is to be read."""
    listed = [
        "“" + ", ".join(shortened(raw.headings[n]) for n in table.columns if not raw.columns[n].are_empty()) + "”"
        for table in tables
    ]
    keys = [table.key for table in tables[:2]]
    row = next(
        (
            row
            for row, cells in enumerate(zip(*(raw.columns[key] for key in keys), strict=True))
            if cells[0] != cells[1] and not any(map(is_missing_word, cells))
        ),
        0,
    )
    cells = " and ".join(f"“{shortened(raw.columns[key][row])}”" for key in keys)
    where = f"(line {raw.lines[row]}: {cells})"
    advice = "Save each table as a file of its own, or name the column of values with --value-column or --md-column"
    if all(table.sure for table in tables):
        seen = f"{' and '.join(listed)} stand side by side with different polymers {where}"
        return Question(f"{seen}. Which of these tables is to be read?", tables[0].key, True, f"{seen}. {advice}.")
    seen = f"{' and '.join(listed)} may be tables side by side, whose rows are of different polymers {where}"
    moved = " and ".join(f"“{shortened(raw.headings[table.key])}”" for table in tables[1:])
    return Question(
        f"{seen}. Which of them is to be read?",
        tables[0].key,
        profile_of(raw.columns[tables[0].key]).repeat_units <= 0.6,  # else the polymers are right in either case
        f"{seen}. {advice}; if they are one table, put {moved} before the values.",
    )
