"""Cells that are read although they are more than a number: what is said of them, once for each column and kind."""

import math
from collections.abc import Container

from affinecal_gui.numbers import shortest
from affinecal_gui.tables.cells.deviations import IN_BRACKETS, NOT_USED, RANGE, UNEVEN
from affinecal_gui.tables.cells.numbers import (
    APPROXIMATE,
    BRACKETED,
    CONDITION,
    MINUS_BEHIND,
    NOTE_LETTER,
    NumberColumn,
    NumberReading,
)
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.column_roles import ColumnRole
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.words import is_missing_word

_NOT_COUNTED = {
    RANGE: ("ranges", "a range"),
    APPROXIMATE: ("approximate", "approximate"),
    BRACKETED: ("in brackets", "in brackets"),
}
"""Notes about numbers that somebody may not want to count, and what is said of several such cells, and of one."""

_IN_PERCENT = "uncertainty in per cent"
_READ_AS = {
    MINUS_BEHIND: "a minus behind the number, which was read as its sign",
    CONDITION: "a condition behind the number, which is left out of it",
    NOTE_LETTER: "a letter behind the number, which was taken for the mark of a note",
    IN_BRACKETS: "a number in brackets, which was read as the uncertainty",
    NOT_USED: "a number in brackets, which was not used; write ± before it if it is the uncertainty",
    UNEVEN: "two uncertainties, of which the mean is used",
    _IN_PERCENT: "an uncertainty in per cent, which was read as a share of the value",
}

OWN_UNIT = "in a unit of its own"
"""Note of a cell that is not in the unit of its column; which one it is in is said of the column."""

EXPLAINED = frozenset((*_NOT_COUNTED, *_READ_AS, OWN_UNIT))
"""Notes of cells about which the remarks of their column say more."""


def doubtful_cells(
    raw: RawTable,
    column: ColumnRole,
    numbers: NumberColumn,
    unused: Container[int],
    *,
    percent_is_share: bool,
) -> list[str]:
    """Say in one sentence for each kind how many cells are no plain numbers, with an example.

    Parameters
    ----------
    raw, column, numbers
        The file, the column and what was read in it.
    unused
        Rows whose value is not used.
    percent_is_share
        Whether an uncertainty in per cent is a share of its value.
    """
    of_kind: dict[str, list[int]] = {}
    for row, reading in numbers.odd.items():
        if row not in unused:
            for note in _notes_of(reading, percent_is_share=percent_is_share):
                of_kind.setdefault(note, []).append(row)
    heading, cells = shortened(column.heading), raw.columns[column.column]

    def example(row: int, count: int, exactness: str = "") -> str:
        which = f"{'e.g. ' if count > 1 else ''}line {raw.lines[row]}, “{shortened(cells[row])}”"
        return f"{which} as {shortest(numbers.values[row])}{exactness}"

    said: list[str] = []
    not_counted = {note: of_kind[note] for note in _NOT_COUNTED if note in of_kind}
    if not_counted:
        count = len(set().union(*not_counted.values()))
        words = " or ".join(", ".join(_NOT_COUNTED[note][count == 1] for note in not_counted).rsplit(", ", 1))
        middle = ": the middle is used" if RANGE in not_counted else " and used all the same"
        values = "1 value is" if count == 1 else f"{count} values are"
        said.append(f"{heading}: {values} {words}{middle}, {example(next(iter(not_counted.values()))[0], count)}.")
    for note, words in _READ_AS.items():
        rows = of_kind.get(note, [])
        if rows:
            values = "1 value has" if len(rows) == 1 else f"{len(rows)} values have"
            exactness = _exactness(numbers, rows[0], percent_is_share=percent_is_share)
            said.append(f"{heading}: {values} {words}: {example(rows[0], len(rows), exactness)}.")
    return said


def _exactness(numbers: NumberColumn, row: int, *, percent_is_share: bool) -> str:
    uncertainty = numbers.uncertainty[row]
    if percent_is_share and math.isfinite(numbers.percent[row]):
        uncertainty = abs(numbers.values[row]) * numbers.percent[row] / 100.0
    return f" ± {shortest(uncertainty, 3)}" if math.isfinite(uncertainty) else ""


def _notes_of(reading: NumberReading, *, percent_is_share: bool) -> list[str]:
    notes = reading.note.split(", ") if reading.note else []
    return [*notes, _IN_PERCENT] if percent_is_share and math.isfinite(reading.percent) else notes


def unreadable_cells(
    raw: RawTable, column: ColumnRole, numbers: NumberColumn, one: str, several: str, *, with_digits: bool = False
) -> list[str]:
    """Say how many cells of a column beside the values are neither empty nor a number, and are not used.

    Parameters
    ----------
    raw, column, numbers
        The file, the column, and what was read of it.
    one, several
        What its cells are: "uncertainty", "uncertainties".
    with_digits
        Pass over cells without a digit, where words are usual: "ambient".
    """
    cells = raw.columns[column.column]
    rows = [
        row for row, reading in numbers.odd.items() if reading.state == "problem" and not is_missing_word(cells[row])
    ]
    if with_digits:
        rows = [row for row in rows if any(map(str.isdigit, cells[row]))]
    if not rows:
        return []
    count = f"{len(rows)} {several} are" if len(rows) > 1 else f"1 {one} is"
    first = f"line {raw.lines[rows[0]]}: {numbers.odd[rows[0]].reason}"
    return [f"{shortened(column.heading)}: {count} not used, {first}."]
