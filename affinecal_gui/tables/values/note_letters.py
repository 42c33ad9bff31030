"""Letters of notes that stand at numbers without a sign: "354a", "206b". They are told from units by their alphabet."""

import dataclasses
import re
import string

from affinecal_gui.tables.cells.numbers import NOTE_LETTER, NumberColumn
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.units import UnitProblem, conversion

_LETTERS = re.compile(r"[a-z](?:\s*,\s*[a-z])*")

_WITH_A_SIGN = re.compile(r"read without “[\s^({[]*([a-z])[\s)}\]]*”")


def without_note_letters(numbers: NumberColumn, quantity: Property) -> NumberColumn:
    """Take the letters of notes away from the numbers of a column.

    A letter is that of a note where no unit of the property is written so, and where the letters of the column are those at
    the beginning of the alphabet, without a gap: a "b" alone may be anything.

    Parameters
    ----------
    numbers
        Of the column, as read cell by cell.
    quantity
        The property they are values of.
    """
    found = {
        row: reading
        for row, reading in numbers.odd.items()
        if reading.state == "value" and _LETTERS.fullmatch(reading.suffix) and not _is_unit(reading.suffix, quantity)
    }
    if not found:
        return numbers
    letters = {mark[1] for reading in numbers.odd.values() if (mark := _WITH_A_SIGN.search(reading.note)) is not None}
    letters |= {letter for reading in found.values() for letter in re.findall("[a-z]", reading.suffix)}
    if letters != set(string.ascii_lowercase[: len(letters)]):
        return numbers
    read = {
        row: dataclasses.replace(reading, suffix="", note=", ".join(filter(None, (reading.note, NOTE_LETTER))))
        for row, reading in found.items()
    }
    return dataclasses.replace(numbers, odd=numbers.odd | read)


def _is_unit(text: str, quantity: Property) -> bool:
    try:
        conversion(text, quantity)
    except UnitProblem:
        return False
    return True
