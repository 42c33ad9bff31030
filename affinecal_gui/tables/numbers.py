"""Texts of cells -> numbers with uncertainty; what is not certainly a number is handed back with the reason.

Nothing is guessed in silence: decimal and thousands mark are settled for a whole column, see
:mod:`affinecal_gui.tables.number_formats`, and a cell that does not fit is listed with a way out. Blanks and apostrophes
between groups of three digits can be nothing but thousands marks.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.progress import CancelCheck, never, stop_if, stoppable
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.raw_table import DecimalMark, TextColumn
from affinecal_gui.tables.words import fold_digits, is_missing_word

NumberState = Literal["value", "missing", "problem"]

_THIN_SPACES = "\u00a0\u2007\u2009\u202f\u2002\u2003\u2006\u2008\u200a"
_MINUS_SIGNS = "−‒﹣"
_EDITED = str.maketrans({**dict.fromkeys(_THIN_SPACES, " "), **dict.fromkeys(_MINUS_SIGNS, "-"), "’": "'", "´": "'"})
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

_APPROXIMATE = re.compile(r"(?:[~≈≃≅∼〜～]|ca\.?|c\.|approx\.?|about|約|约)\s*", re.IGNORECASE)
_LIMIT = re.compile(r"(?:[<>≤≥]=?|bis zu|up to|over|under|above|below)\s*(?=[\d.,+-])", re.IGNORECASE)
_MANTISSA = r"\d[\d.,' ]*\d|\d|[.,]\d+"
_SPACED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}([ '])\d{3}(?:\1\d{3})*(?! ?\d)")
_POWER = re.compile(r"\s*(?:[x×*·]\s*10\s*(?:\^|\*\*)?\s*([+-]?\d{1,3})|[x×*·]\s*10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)")
_NUMBER = re.compile(rf"([+-]?)\s*({_MANTISSA})(\.(?!\d))?(?:[eEdD]([+-]?\d{{1,4}})(?![\d.]))?")
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-|\+\\-)\s*")
_RANGE = re.compile(r"\s*(?:-|–|—|~|〜|～|∼|\.\.\.?|…|\bto\b|\bbis\b)\s*")
_FROM = re.compile(r"(?:from|between|von|zwischen)\s+(?=[\d.,+-])", re.IGNORECASE)
_AND = re.compile(r"\s+(?:and|und)\s+(?=[\d.,+-])", re.IGNORECASE)
_DOTS = re.compile(r"\s*\.{2,}\s*(?=[\d+-])")
_RANGE_BEHIND = re.compile(r"\s*[(\[]([^()\[\]]{3,40})[)\]]\s*")
_CONCISE = re.compile(r"\((\d{1,3})\)")
_FOOTNOTES = re.compile(  # any run of marks: "*", "* a)", "†, b", "[3][4]"
    r"\s*(?:(?:\(\s*[a-zA-Z*†‡§]{1,2}\s*\)|\[\s*[a-zA-Z\d*]{1,3}(?:\s*[,–-]\s*[a-zA-Z\d]{1,3})*\s*\]|[a-z]\)|[*†‡§¶#?]|\^\s*\{?[a-zA-Z*†‡§]\}?"
    r"|\(\s*[nN]\s*=\s*\d+\s*\)|\(\s*est(?:\.|imated)?\s*\)|[¹²³⁴⁵⁶⁷⁸⁹⁰ᵃᵇᶜᵈᵉ]|(?<=[\s,;*†‡§¶#?)\]])[a-z])(?:\s*[,;])?\s*)+"
)
_BRACKETED_PLUS_MINUS = re.compile(r"^\s*\(\s*(±|\+/?-|\+-)\s*([\d.,'\s]+%?)\s*\)")
_MONTHS = r"(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*\.?"
_DATE = re.compile(
    rf"(?:18|19|20)\d\d-\d\d-\d\d(?:[ T]\d\d:\d\d(?::\d\d)?)?|\d{{1,2}}[./]\d{{1,2}}[./](?:19|20)\d\d"
    rf"|\d{{1,2}}[.\- ]+{_MONTHS}(?:[\- ]+\d{{2,4}})?|{_MONTHS}[\- ]+\d{{1,4}}",
    re.IGNORECASE,
)
ODD_AT_ONCE = 100  # cells between two questions whether to stop
LONGEST_BEHIND = 80
"""Characters behind a number in which marks of footnotes are looked for."""
_TWO_WORDS = re.compile(r"(?<!\w)[a-z]\s+[a-z](?![\w)])")  # "m s": letters without a comma between them are a unit
_BEHIND_UNIT = re.compile(r"(?<=[^\s,;])(?:\s*[*†‡§¶]|\s+[a-z]\)|\s*\[\d{1,3}\])+")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a column writes its numbers."""

    decimal: DecimalMark = "."
    thousands: Literal["", ",", ".", " ", "'"] = ""


PLAIN_NUMBERS = NumberFormat()


@dataclass(frozen=True, slots=True)
class NumberReading:
    """One cell, read."""

    state: NumberState
    value: float = math.nan
    uncertainty: float = math.nan
    note: str = ""  # how the text was understood where it is more than a plain number: "range", "approximate" ...
    suffix: str = ""  # text behind the number that is neither a footnote nor an uncertainty: a unit, perhaps
    reason: str = ""  # why it is not a number
    suggestion: str = ""  # what the user may have meant, as a sentence


MISSING = NumberReading("missing")


def read_number(text: str, style: NumberFormat = PLAIN_NUMBERS) -> NumberReading:
    """Read one cell.

    Understands scientific notation, ``1.2 ± 0.1``, ``1.30(2)``, ranges (their middle, with half their width as
    uncertainty), ``~1.3``, footnotes (``6772(r)``, ``1.9 b)``), percent, full-width digits and the minus signs of
    typesetters. Limits (``<5``) are no values.

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
    shown = shortened(text)
    notes: list[str] = []
    limit = _LIMIT.match(plain)
    if limit:
        return NumberReading("problem", reason=f"“{shown}” is a limit, not a value")
    if _DATE.fullmatch(plain):
        return NumberReading(
            "problem", reason=f"“{shown}” is a date; spreadsheets make dates of numbers such as 1.18: write the number"
        )
    approximate = _APPROXIMATE.match(plain)
    if approximate:
        plain = plain[approximate.end() :]
        notes.append("approximate")
    bracketed = re.fullmatch(r"\(\s*([^()]*)\s*\)", plain)
    if bracketed and _NUMBER.match(bracketed[1]):
        plain = bracketed[1].strip()
        notes.append("in brackets")
    if ".." in plain:
        plain = _DOTS.sub("…", plain)
    lead = _FROM.match(plain)
    if lead:
        plain = _AND.sub("–", plain[lead.end() :], count=1)
    first = _take_number(plain, style)
    if first is None:
        return NumberReading("problem", reason=f"“{shown}” is not a number")
    if isinstance(first, NumberReading):
        return _with_text(first, shown)
    value, decimals, rest = first
    rest = _BRACKETED_PLUS_MINUS.sub(r" \1 \2", rest, count=1)
    uncertainty = math.nan
    concise = _CONCISE.match(rest)
    plus_minus = _PLUS_MINUS.match(rest)
    if concise:
        uncertainty = int(concise[1]) * 10.0**-decimals
        rest = rest[concise.end() :]
        power = _POWER.match(rest)
        if power:
            factor = 10.0 ** _exponent(power)
            value, uncertainty, rest = value * factor, uncertainty * factor, rest[power.end() :]
    elif plus_minus:
        second = _take_number(rest[plus_minus.end() :], style)
        if second is None or isinstance(second, NumberReading):
            return NumberReading("problem", reason=f"“{shown}” has no number behind ±")
        uncertainty, rest = abs(second[0]), second[2]
        if rest.lstrip().startswith("%"):
            uncertainty, rest = abs(value) * uncertainty / 100, rest.lstrip()[1:]
    else:
        power = _POWER.match(rest)
        if power:
            value, rest = value * 10.0 ** _exponent(power), rest[power.end() :]
        between = _RANGE.match(rest)
        second = _take_number(rest[between.end() :], style) if between and between.end() else None
        if isinstance(second, NumberReading):
            return _with_text(second, shown)
        if between and second is not None:
            lower, upper = value, second[0]
            if not lower <= upper:
                return NumberReading("problem", reason=f"“{shown}” is neither a number nor a range from low to high")
            # To as many digits as both ends have, and one for the half.
            digits = max(first[1], second[1], 0) + 1
            value, uncertainty, rest = round((lower + upper) / 2, digits), round((upper - lower) / 2, digits), second[2]
            notes.append("middle of a range")
    behind = _RANGE_BEHIND.fullmatch(rest)
    ends = _ends_of_range(behind[1], style) if behind and math.isnan(uncertainty) else None
    if ends is not None and ends[0] <= value <= ends[1]:
        uncertainty, rest = ends[2], ""
        notes.append("value with its range")
    rest = rest.strip() if not rest.startswith(" ") else " " + rest.strip()
    if rest.strip():
        rest, marks = _without_footnotes(rest)
        if marks:
            notes.append(f"read without “{marks}”")
    if not math.isfinite(value):
        return NumberReading("problem", reason=f"“{shown}” is too large")
    return NumberReading("value", value, uncertainty, ", ".join(notes), rest.strip())


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


def _ends_of_range(text: str, style: NumberFormat) -> tuple[float, float, float] | None:
    """Return both ends of a range such as "1.1–1.3" or "1.1; 1.3", and half its width; None when it is none."""
    first = _take_number(re.sub(r",\s+", "; ", text.strip()), style)  # "1.1, 1.3" are two numbers
    if not isinstance(first, tuple):
        return None
    between = re.match(r"\s*[;,]\s*", first[2]) or _RANGE.match(first[2])
    second = _take_number(first[2][between.end() :], style) if between and between.end() else None
    if not isinstance(second, tuple) or second[2].strip() or second[0] < first[0]:
        return None
    return first[0], second[0], round((second[0] - first[0]) / 2, max(first[1], second[1], 0) + 1)


def typed_plainly(text: str) -> str:
    """Return a cell with plain digits, minus signs, apostrophes and blanks."""
    return fold_digits(text).translate(_EDITED).strip()


def closed_groups(text: str) -> str:
    """Take the blanks and apostrophes out between groups of three digits.

    >>> closed_groups("1 467.5"), closed_groups("1'234'567"), closed_groups("10 25")
    ('1467.5', '1234567', '10 25')
    """
    return _SPACED.sub(lambda match: match[0].replace(match[1], ""), text)


def _exponent(power: re.Match[str]) -> int:
    return int((power[1] or power[2]).translate(_SUPERSCRIPTS))


def _with_text(reading: NumberReading, shown: str) -> NumberReading:
    return NumberReading("problem", reason=reading.reason.replace("{}", f"“{shown}”"), suggestion=reading.suggestion)


def _take_number(text: str, style: NumberFormat) -> tuple[float, int, str] | NumberReading | None:
    """Return value, decimals and the text behind it; a reading that says what is wrong; None when there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    sign, mantissa, _, exponent = match.groups()
    rest = text[match.end() :]
    plain = _plain_mantissa(mantissa, style)
    if isinstance(plain, NumberReading):
        return plain
    value = float(f"{sign}{plain}e{exponent or 0}")
    decimals = len(plain.partition(".")[2]) - int(exponent or 0)
    return value, decimals, rest


def _plain_mantissa(mantissa: str, style: NumberFormat) -> str | NumberReading:
    """Return digits with a point, or why the marks do not fit the column."""
    if " " in mantissa or "'" in mantissa:
        mantissa = closed_groups(mantissa)
    if mantissa.isdigit() and mantissa.isascii():
        return mantissa
    decimal, thousands = style.decimal, style.thousands
    whole, mark, fraction = mantissa.partition(decimal)
    if mark and decimal in fraction:
        return NumberReading("problem", reason="{} has more than one decimal mark")
    groups = whole.split(thousands) if thousands else [whole]
    sound = all(group.isdigit() for group in groups) or (whole == "" and bool(fraction))
    if thousands and len(groups) > 1:
        sound = sound and 1 <= len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if sound and (fraction.isdigit() or not fraction):
        return "".join(groups) + mark.replace(decimal, ".") + fraction
    other = "," if decimal == "." else "."
    if mantissa.count(other) == 1 and decimal not in mantissa and re.fullmatch(r"[\d.,]+", mantissa):
        name, needed = ("point", "commas") if other == "." else ("comma", "points")
        turned = mantissa.replace(other, decimal)
        return NumberReading(
            "problem", reason=f"{{}} has a {name}, but the column has decimal {needed}", suggestion=f"Read as {turned}"
        )
    return NumberReading("problem", reason="{} mixes decimal and thousands marks")


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers; arrays are read-only and nan where there is no number."""

    values: NDArray[np.float64]  # (rows,)
    uncertainty: NDArray[np.float64]  # (rows,)
    odd: dict[int, NumberReading]  # by row: every cell that is more than a plain number, or none


def read_number_column(
    column: Sequence[str], style: NumberFormat = PLAIN_NUMBERS, *, cancelled: CancelCheck = never
) -> NumberColumn:
    """Read a whole column; plain cells take a quick way, so that only the odd ones cost time.

    Raises
    ------
    Cancelled
        When ``cancelled()`` became true.
    """
    values = np.full(len(column), np.nan)
    uncertainty = np.full(len(column), np.nan)
    odd: dict[int, NumberReading] = {}
    source = column if isinstance(column, TextColumn) else TextColumn.of(column)
    start = 0
    for cells in source.chunks():
        stop_if(cancelled)
        plain = _plain_values(cells) if style.decimal == "." and not style.thousands else None
        if plain is not None:
            values[start : start + len(cells)] = plain
            start += len(cells)
            continue
        for row, cell in enumerate(stoppable(cells, cancelled, ODD_AT_ONCE), start):
            reading = _read_quickly(cell, style)
            values[row] = reading.value
            if reading.state == "value":
                uncertainty[row] = reading.uncertainty
            if reading.state != "value" or reading.note or reading.suffix:
                odd[row] = reading
        start += len(cells)
    values.setflags(write=False)
    uncertainty.setflags(write=False)
    return NumberColumn(values, uncertainty, odd)


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
