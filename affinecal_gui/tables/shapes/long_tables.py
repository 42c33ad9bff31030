"""Long tables, with a row for each value and a column that names its property or kind -> tables with a column for each.

A row stays a row, and keeps its line: its value moves to the column of its property, and the cells of the other properties
stay empty. Rows of one polymer come together when polymers are compared, as those of any table do.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.evidence.column_evidence import (
    Label,
    Profile,
    kinds_of_rows,
    label_of,
    profile_of,
    quantity_of,
    statistic_of,
)
from affinecal_gui.tables.headings.heading_words import (
    HEADINGS,
    MD_WORDS,
    MEASURED_WORDS,
    NAMING_WORDS,
    VALUE_WORDS,
    words_of,
)
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.text.table_builder import unique_headings
from affinecal_gui.tables.units.property_names import property_by_name
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

MOST_PROPERTIES = 60
"""Different names in a column that may be those of properties."""


@dataclass(frozen=True, slots=True)
class LongTable:
    """Which columns of a long table are which."""

    naming: int | None  # names the property of each row
    values: tuple[int, ...]
    statistics: tuple[int, ...] = ()  # deviations and numbers of repeats that belong to them
    units: int | None = None  # names the unit of each row, where it is the same in all rows of a property
    kinds: int | None = None  # says of each row whether its value is measured or from MD


def spread(raw: RawTable, *, task: Task = UNWATCHED) -> RawTable:
    """Return a long table with a column for each property, and a note that says so; other tables as they are."""
    found = _long_table(raw, task)
    if found is None:
        return raw
    titles = _titles(raw, found, task)
    different = list(dict.fromkeys(title for title in titles if title))
    units = _units_of(raw, found, titles) or {}
    headings: list[str] = []
    columns: list[TextColumn] = []
    below: list[str] = []
    for number, heading in enumerate(raw.headings):
        if number in (found.naming, found.kinds) or (units and number == found.units):
            continue
        unit_below = raw.units[number] if raw.units else ""
        if number not in (*found.values, *found.statistics):
            headings.append(heading)
            columns.append(raw.columns[number])
            below.append(unit_below)
            continue
        cells = raw.columns[number].all_cells(task=task)
        for title in different:
            task.check()
            headings.append(_heading(title, units.get(title, ""), raw, number, found))
            columns.append(TextColumn.of(cell if own == title else "" for cell, own in zip(cells, titles, strict=True)))
            below.append(unit_below)
    listed = ", ".join(f"“{shortened(title)}”" for title in different[:6])
    told_by = found.naming if found.naming is not None else found.kinds
    assert told_by is not None
    what = "names the property" if found.naming is not None else "says what is measured and what is from MD"
    note = (
        f"{raw.name} has a row for each value: “{shortened(raw.headings[told_by])}” {what}, and "
        f"“{shortened(raw.headings[found.values[0]])}” is read as {listed}{' ...' if len(different) > 6 else ''}."
    )
    return dataclasses.replace(
        raw,
        headings=tuple(unique_headings(headings)),
        columns=tuple(columns),
        units=tuple(below) if raw.units else (),
        notes=(*raw.notes, note),
    )


def _titles(raw: RawTable, found: LongTable, task: Task) -> list[str]:
    """Return of every row which property its value is of: "Tg", or "Tg exp" where each row says its kind."""
    parts = [raw.columns[found.naming].all_cells(task=task)] if found.naming is not None else []
    if found.kinds is not None:
        parts.append([_kind_of_row(cell) for cell in raw.columns[found.kinds].all_cells(task=task)])
    return [" ".join(part for part in row if not is_missing_word(part)) for row in zip(*parts, strict=True)]


def _kind_of_row(cell: str) -> str:
    """Return the cell of a column of kinds as a heading understands it: "exp" for "DSC"."""
    words = words_of(cell)
    says_it = not words or all(word in MEASURED_WORDS | MD_WORDS for word in words)
    return cell if says_it or is_missing_word(cell) else "exp"


def _units_of(raw: RawTable, found: LongTable, titles: Sequence[str]) -> dict[str, str] | None:
    """Return the unit of each property where all its rows name the same; None where one has rows of several units."""
    if found.units is None:
        return None
    units: dict[str, str] = {}
    for title, unit in zip(titles, raw.columns[found.units], strict=True):
        text = "" if is_missing_word(unit) else unit
        if units.setdefault(title, text) != text:
            return None
    return units


def names_properties(profile: Profile) -> bool:
    """Whether a column names properties, at least two of them known ones; single letters may be the names of samples."""
    names = set(profile.cells)
    if not 2 <= len(names) <= MOST_PROPERTIES or profile.numeric:
        return False
    found = [_property_of(name) for name in names if len(name) > 1]
    known = [key for key in found if key is not None]
    return len(set(known)) > 1 and len(known) >= 0.5 * len(names)


def _property_of(name: str) -> str | None:
    label = label_of_text(name)
    quantity = property_by_name(name) or quantity_of(label)[0]
    return None if quantity is None else quantity.key


def label_of_text(text: str) -> Label:
    """Divide a cell as a heading is divided."""
    empty = RawTable("", "", "text", (text,), (TextColumn.of(()),), np.zeros(0, dtype=np.int64))
    return label_of(empty, 0)


def _long_table(raw: RawTable, task: Task) -> LongTable | None:
    if raw.row_count < 2 or len(raw.headings) < 2:
        return None
    labels = [label_of(raw, number) for number in range(len(raw.headings))]
    called = [number for number, label in enumerate(labels) if label.name in NAMING_WORDS]
    few = len(raw.headings) <= 30  # a table with many columns is none of one value a row
    for number in called or (range(len(raw.headings)) if few else ()):
        task.check()
        profile = profile_of(raw.columns[number])
        if profile.numeric > 0.1 or not profile.filled or profile.repeat_units > 0.1:
            continue
        alone = number in called and _names_one(profile)
        if not names_properties(profile) and not (number in called and _repeats(profile)) and not alone:
            continue
        statistics, values = _value_columns(raw, labels, number, certain=number in called)
        if not values:
            continue
        every = raw.columns[number].all_cells(task=task)
        if not 2 - alone <= len({cell for cell in every if not is_missing_word(cell)}) <= MOST_PROPERTIES:
            continue
        if alone and not all(_is_value_heading(labels[value]) for value in values):
            continue
        units = next((n for n, label in enumerate(labels) if label.name in HEADINGS["unit"]), None)
        return LongTable(number, values, statistics, units, _kind_column(raw, {number, *values}))
    return _of_both_kinds(raw, labels) if few else None


def _of_both_kinds(raw: RawTable, labels: Sequence[Label]) -> LongTable | None:
    """Find a table whose rows say whether their values are measured or from MD."""
    kinds = _kind_column(raw, set())
    if kinds is None:
        return None
    statistics, values = _value_columns(raw, labels, kinds, certain=False)
    named = [n for n, label in enumerate(labels) if quantity_of(label)[0] is not None and n not in statistics]
    found = tuple(sorted({*values, *(n for n in named if profile_of(raw.columns[n]).numeric > 0.7)}))
    return LongTable(None, found, statistics, None, kinds) if found else None


def _repeats(profile: Profile) -> bool:
    """Whether a column that is called as one of properties holds names that come again, some of them of known properties."""
    names = set(profile.cells)
    return len(names) > 1 and len(names) < profile.filled and any(_property_of(name) is not None for name in names)


def _names_one(profile: Profile) -> bool:
    """Whether a column names one known property, the same in all rows."""
    names = set(profile.cells)
    return len(names) == 1 and _property_of(names.pop()) is not None


def _value_columns(
    raw: RawTable, labels: Sequence[Label], naming: int, *, certain: bool
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the columns of deviations and numbers of repeats, and those of values that they belong to."""
    numeric = [
        number
        for number, column in enumerate(raw.columns)
        if number != naming and profile_of(column).numeric > (0.3 if certain else 0.7)
    ]
    statistics = tuple(number for number in numeric if statistic_of(labels[number])[0] is not None)
    known = {word for role in ("id", "name", "temperature", "phase", "source") for word in HEADINGS[role]}
    values = [number for number in numeric if number not in statistics and _is_value_heading(labels[number])]
    if not values:
        others = [n for n in numeric if n not in statistics and labels[n].name not in known]
        values = others if len(others) == 1 else []
    return statistics, tuple(values)


def _is_value_heading(label: Label) -> bool:
    return bool(label.words) and all(word in VALUE_WORDS | MEASURED_WORDS | MD_WORDS for word in label.words)


def _kind_column(raw: RawTable, without: set[int]) -> int | None:
    """Return the column that says of each row whether its value is measured or from MD, if both occur."""
    columns = (number for number in range(len(raw.headings)) if number not in without)
    return next((n for n in columns if kinds_of_rows(profile_of(raw.columns[n])) == {"measured", "md"}), None)


def _heading(title: str, unit: str, raw: RawTable, number: int, found: LongTable) -> str:
    """Return the heading of the values of one property that stood in a column."""
    label = label_of(raw, number)
    unit = label.unit or unit
    said = [word for word in label.words if word in MEASURED_WORDS | MD_WORDS]
    several = sum(_is_value_heading(label_of(raw, other)) for other in found.values) > 1
    text = title
    if found.naming is None or number in found.statistics:
        text = f"{title} {label.text}"
    elif said or several:
        text = f"{title} {' '.join(said) or label.text}"
    return f"{text} [{unit}]" if unit else text
