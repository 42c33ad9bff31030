"""Texts of cells -> numbers with uncertainty; what is not certainly a number is handed back with the reason.

Nothing is guessed in silence: decimal and thousands mark are settled for a whole column, see
:mod:`affinecal_gui.tables.cells.number_formats`, and a cell that does not fit is listed with a way out. Blanks and
apostrophes between groups of three digits can be nothing but thousands marks.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.cells.deviations import Deviation, bracketed_pair, with_deviation
from affinecal_gui.tables.cells.formula_texts import as_shown
from affinecal_gui.tables.cells.no_numbers import limited, why_no_number
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.headings.heading_conditions import without_condition_behind
from affinecal_gui.tables.raw_table import TextColumn
from affinecal_gui.tables.single_numbers import PLAIN_NUMBERS, Misfit, Number, NumberFormat, take_number, typed_plainly
from affinecal_gui.tables.words import is_missing_word
from affinecal_gui.task import UNWATCHED, Task

NumberState = Literal["value", "missing", "problem"]

APPROXIMATE = "approximate"
BRACKETED = "in brackets"
MINUS_BEHIND = "minus behind the number"
CONDITION = "condition behind the number"
NOTE_LETTER = "letter behind the number"

_FORMULA = re.compile(r"[=']\s*(?=[\d.,+-])")
_APPROXIMATE = re.compile(
    r"(?:[~≈≃≅∼〜～]|ca\.?|c\.|approx\.?|around|roughly|etwa|circa|env\.?|environ|około|около|≒|約|约)\s*",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\(\s*(?=[\d.,+-])([^()]*)\s*\)")
_MINUS_BEHIND = re.compile(r"-(?=\s*$|\s+[^\W\d_]|\s*[%°])")
_DASH_BEHIND = re.compile(r"\s*[-–—]\s*$")
_FROM = re.compile(r"(?:from|between|von|zwischen)\s+(?=[\d.,+-])", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|und)\s+(?=[\d.,+-])", re.IGNORECASE)
_DOTS = re.compile(r"\s*\.{2,}\s*(?=[\d+-])")
_FOOTNOTES = re.compile(  # any run of marks: "*", "* a)", "†, b", "[3][4]"
    r"\s*(?:(?:\(\s*[a-zA-Z*†‡§]{1,2}\s*\)|\[\s*[a-zA-Z\d*]{1,3}(?:\s*[,–-]\s*[a-zA-Z\d]{1,3})*\s*\]|[a-z]\)|[*†‡§¶#?]|\^\s*\{?[a-zA-Z*†‡§]\}?"
    r"|\(\s*(?:[nN]\s*=\s*)?\d{1,3}\s*\)|\(\s*est(?:\.|imated)?\s*\)|[¹²³⁴⁵⁶⁷⁸⁹⁰ᵃᵇᶜᵈᵉ]|(?<=[\s,;*†‡§¶#?)\]])[a-z])(?:\s*[,;])?\s*)+"
)
ODD_AT_ONCE = 100  # cells between two questions whether to stop
LONGEST_BEHIND = 80
"""Characters behind a number in which marks of footnotes are looked for."""
_TWO_WORDS = re.compile(r"(?<!\w)[a-z]\s+[a-z](?![\w)])")  # "m s": letters without a comma between them are a unit
_BEHIND_UNIT = re.compile(r"(?<=[^\s,;])(?:\s*[*†‡§¶]|\s+[a-z]\)|\s*\[\d{1,3}\])+")


@dataclass(frozen=True, slots=True)
class NumberReading:
    """One cell, read."""

    state: NumberState
    value: float = math.nan
    uncertainty: float = math.nan
    percent: float = math.nan  # the uncertainty where the cell gives it in per cent; ``uncertainty`` is nan then
    note: str = ""  # how the text was understood where it is more than a plain number: "range", "approximate" ...
    suffix: str = ""  # text behind the number that is neither a footnote nor an uncertainty: a unit, perhaps
    reason: str = ""  # why it is not a number
    suggestion: str = ""  # what the user may have meant, as a sentence


MISSING = NumberReading("missing")


def read_number(text: str, style: NumberFormat = PLAIN_NUMBERS) -> NumberReading:
    """Read one cell.

    Understands scientific notation, ``1.2 ± 0.1``, ``1.30(2)``, ``(1.5 ± 0.2)×10³`` and what else
    :mod:`affinecal_gui.tables.cells.deviations` knows, ranges (their middle, with half their width as uncertainty), ``~1.3``,
    footnotes (``6772(r)``, ``1.9 b)``), percent, a minus behind the number, the quotation marks and the sign of equality
    by which spreadsheets keep texts, full-width digits and the minus signs of typesetters. Limits (``<5``), dates and times
    are no values.

    Parameters
    ----------
    text
        The cell.
    style
        Decimal and thousands mark of its column.

    Returns
    -------
    NumberReading
        The value as written; percent is left as the number before the sign, with "%" as suffix.

    Examples
    --------
    >>> read_number("1.0-1.2").value
    1.1
    >>> read_number("0,9").state
    'problem'
    """
    if is_missing_word(text):
        return MISSING
    plain = re.sub(r"^[–—]\s*(?=[\d.,])", "-", typed_plainly(text))
    plain = _FORMULA.sub("", as_shown(plain), count=1) if plain[:1] in ("=", "'", '"') else plain
    if is_missing_word(plain):
        return MISSING
    shown = shortened(text)
    reason = why_no_number(plain)
    if reason:
        return NumberReading("problem", reason=f"“{shown}” {reason}")
    notes: list[str] = []
    approximate = _APPROXIMATE.match(plain)
    if approximate:
        plain = plain[approximate.end() :]
        notes.append(APPROXIMATE)
    if ".." in plain:
        plain = _DOTS.sub("…", plain)
    lead = _FROM.match(plain)
    if lead:
        plain = _AND.sub("–", plain[lead.end() :], count=1)
    read = _read_pair(plain, style, notes)
    if read is None:
        return NumberReading("problem", reason=f"“{shown}” is not a number")
    if isinstance(read, Misfit):
        return NumberReading("problem", reason=read.reason.replace("{}", f"“{shown}”"), suggestion=read.suggestion)
    if read.note:
        notes.append(read.note)
    rest = read.rest.strip() if not read.rest.startswith(" ") else " " + read.rest.strip()
    if rest.strip():
        rest, marks = _without_footnotes(rest)
        if marks:
            notes.append(f"read without “{marks}”")
        rest, condition = without_condition_behind(rest)
        if condition:
            notes.append(CONDITION)
    if not math.isfinite(read.value):
        return NumberReading("problem", reason=f"“{shown}” is too large")
    return NumberReading("value", read.value, read.uncertainty, read.percent, ", ".join(notes), rest.strip())


def _read_pair(plain: str, style: NumberFormat, notes: list[str]) -> Deviation | Misfit | None:
    """Read a number with its deviation, in brackets or not; say in ``notes`` where the brackets or a minus are odd."""
    pair = bracketed_pair(plain, style)
    if pair is not None:
        return pair
    bracketed = _BRACKETED.fullmatch(plain)
    if bracketed:
        plain = bracketed[1].strip()
        notes.append(BRACKETED)
    first = take_number(plain, style)
    if not isinstance(first, Number):
        return first
    minus = _MINUS_BEHIND.match(first.rest)
    if minus and not first.signed:
        notes.append(MINUS_BEHIND)
        return Deviation(-first.value, first.rest[minus.end() :])
    if minus or _DASH_BEHIND.fullmatch(first.rest):
        return Misfit("{} has a dash behind the number, which may be a minus sign or the beginning of a range")
    return with_deviation(first, style)


def _without_footnotes(rest: str) -> tuple[str, str]:
    """Divide what stands behind a number into the unit, if there is one, and the marks of footnotes."""
    if len(rest) > LONGEST_BEHIND:
        return rest, ""
    if _FOOTNOTES.fullmatch(rest) and not _TWO_WORDS.search(rest):
        return "", rest.strip()
    for found in _BEHIND_UNIT.finditer(rest):
        unit = rest[: found.start()]
        if found.end() == len(rest.rstrip()) and unit.count("(") == unit.count(")"):
            return unit, found[0].strip()
    return rest, ""


ALL_STYLES = (NumberFormat(), NumberFormat(","), NumberFormat(".", ","), NumberFormat(",", "."))
_USUAL_UNITS = frozenset(("", "%", "°C", "℃", "K"))
LONGEST_NUMERIC = 60
"""Characters of a cell that can still be a number."""


@lru_cache(maxsize=16_384)  # a column is looked at by everyone who asks what a table may be
def looks_numeric(text: str) -> bool:
    """Whether a cell is a number or a limit, perhaps with a deviation, a range or a footnote; the marks are left open."""
    if not text or len(text) > LONGEST_NUMERIC:
        return False
    try:
        float(text)
    except ValueError:
        plain = typed_plainly(text)
        if not any(character.isdigit() for character in plain):
            return False
        plain = limited(re.sub(r"^\s*(?:±|\+/?-)\s*", "", plain))
        readings = (read_number(plain, style) for style in ALL_STYLES)
        return any(reading.state == "value" and reading.suffix in _USUAL_UNITS for reading in readings)
    return text[-1].isdigit() or text[-1] == "."


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers; arrays are read-only and nan where there is no number."""

    values: NDArray[np.float64]  # (rows,)
    uncertainty: NDArray[np.float64]  # (rows,) in the unit of the value
    percent: NDArray[np.float64]  # (rows,) the uncertainty where cells give it in per cent
    odd: dict[int, NumberReading]  # by row: every cell that is more than a plain number with a plain deviation, or none


def read_number_column(
    column: Sequence[str], style: NumberFormat = PLAIN_NUMBERS, *, task: Task = UNWATCHED
) -> NumberColumn:
    """Read a whole column; plain cells take a quick way, so that only the odd ones cost time."""
    values = np.full(len(column), np.nan)
    uncertainty = np.full(len(column), np.nan)
    percent = np.full(len(column), np.nan)
    odd: dict[int, NumberReading] = {}
    source = column if isinstance(column, TextColumn) else TextColumn.of(column)
    start = 0
    for cells in source.chunks():
        task.check()
        plain = _plain_values(cells) if style.decimal == "." and not style.thousands else None
        if plain is not None:
            values[start : start + len(cells)] = plain
            start += len(cells)
            continue
        for row, cell in enumerate(task.each(cells, ODD_AT_ONCE), start):
            reading = _read_quickly(cell, style)
            values[row] = reading.value
            if reading.state == "value":
                uncertainty[row] = reading.uncertainty
                percent[row] = reading.percent
            if reading.state != "value" or reading.note or reading.suffix or not math.isnan(reading.percent):
                odd[row] = reading
        start += len(cells)
    for array in (values, uncertainty, percent):
        array.setflags(write=False)
    return NumberColumn(values, uncertainty, percent, odd)


def _plain_values(cells: Sequence[str]) -> NDArray[np.float64] | None:
    """Return the values of cells that are all plain numbers with a decimal point, else None."""
    try:
        values = np.array([float(cell) for cell in cells])
    except ValueError:
        return None
    # float() also takes "nan", "inf" and "1_000", which are no values here.
    if not np.isfinite(values).all() or "_" in "".join(cells):
        return None
    return values


_PLAIN_CELL = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d{1,2})?")


def _read_quickly(cell: str, style: NumberFormat) -> NumberReading:
    if cell == "":
        return MISSING
    if style.decimal == "." and not style.thousands and cell.isascii() and _PLAIN_CELL.fullmatch(cell):
        return NumberReading("value", float(cell))
    return read_number(cell, style)
