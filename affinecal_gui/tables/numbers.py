"""Texts of cells -> numbers with uncertainty; what is not certainly a number is handed back with the reason.

Nothing is guessed in silence: a decimal mark is settled for a whole column, thousands marks count only when they were
chosen or cannot be anything else, and a cell that does not fit is listed with a way out.
"""

import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

import numpy as np
from numpy.typing import NDArray

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
_SPACED = re.compile(r"\s*[+-]?\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3})+(?:[.,]\d+)?\s*")
_POWER = re.compile(r"\s*(?:[x×*·]\s*10\s*(?:\^|\*\*)?\s*([+-]?\d{1,3})|[x×*·]\s*10([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)")
_NUMBER = re.compile(rf"([+-]?)\s*({_MANTISSA})(\.(?!\d))?(?:[eEdD]([+-]?\d{{1,4}})(?![\d.]))?")
_PLUS_MINUS = re.compile(r"\s*(?:±|\+/-|\+-|\+\\-)\s*")
_RANGE = re.compile(r"\s*(?:-|–|—|~|〜|～|∼|\.\.\.?|…|\bto\b|\bbis\b)\s*")
_CONCISE = re.compile(r"\((\d{1,3})\)")
_FOOTNOTE = re.compile(
    r"\s*(?:\(\s*[a-zA-Z*†‡§]{1,2}\s*\)|\[\s*[a-zA-Z\d*]{1,3}(?:\s*[,–-]\s*[a-zA-Z\d]{1,3})*\s*\]|[a-z]\)|[*†‡§¶#]+"
    r"|[¹²³⁴⁵⁶⁷⁸⁹⁰ᵃᵇᶜᵈᵉ]+(?:[,][¹²³⁴⁵⁶⁷⁸⁹⁰]+)*|\s[a-z])"
)


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a column writes its numbers."""

    decimal: DecimalMark = "."
    thousands: Literal["", ",", ".", " ", "'"] = ""


PLAIN_NUMBERS = NumberFormat()


@dataclass(frozen=True, slots=True)
class FormatGuess:
    """The number format of a column and whether its cells leave no doubt."""

    format: NumberFormat
    certain: bool
    question: str = ""  # what to ask when they leave doubt


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
    plain = re.sub(r"^[–—]\s*(?=[\d.,])", "-", fold_digits(text).translate(_EDITED).strip())
    shown = shortened(text)
    notes: list[str] = []
    limit = _LIMIT.match(plain)
    if limit:
        return NumberReading("problem", reason=f"“{shown}” is a limit, not a value")
    approximate = _APPROXIMATE.match(plain)
    if approximate:
        plain = plain[approximate.end() :]
        notes.append("approximate")
    bracketed = re.fullmatch(r"\(\s*([^()]*)\s*\)", plain)
    if bracketed and _NUMBER.match(bracketed[1]):
        plain = bracketed[1].strip()
        notes.append("in brackets")
    first = _take_number(plain, style)
    if first is None:
        return NumberReading("problem", reason=f"“{shown}” is not a number")
    if isinstance(first, NumberReading):
        return _with_text(first, shown)
    value, decimals, rest = first
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
            value, uncertainty, rest = (lower + upper) / 2, (upper - lower) / 2, second[2]
            notes.append("middle of a range")
    rest = rest.strip() if not rest.startswith(" ") else " " + rest.strip()
    if rest.strip():
        footnote = _FOOTNOTE.fullmatch(rest)
        if footnote:
            notes.append(f"read without “{rest.strip()}”")
            rest = ""
    if not math.isfinite(value):
        return NumberReading("problem", reason=f"“{shown}” is too large")
    return NumberReading("value", value, uncertainty, ", ".join(notes), rest.strip())


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
    spaced = re.fullmatch(r"\d{1,3}(?:[ '](?:\d{3}))+(?:[.,]\d+)?", mantissa)
    if spaced:
        closed = mantissa.replace(" ", "").replace("'", "")
        return NumberReading(
            "problem", reason="{} may hold a thousands mark, and none is chosen", suggestion=f"Read as {closed}"
        )
    if mantissa.count(other) == 1 and decimal not in mantissa and re.fullmatch(r"[\d.,]+", mantissa):
        name, needed = ("point", "commas") if other == "." else ("comma", "points")
        turned = mantissa.replace(other, decimal)
        return NumberReading(
            "problem", reason=f"{{}} has a {name}, but the column has decimal {needed}", suggestion=f"Read as {turned}"
        )
    return NumberReading("problem", reason="{} mixes decimal and thousands marks")


def guess_number_format(
    cells: Iterable[str], *, known: DecimalMark | None = None, chosen_thousands: bool = False, limit: int = 20_000
) -> FormatGuess:
    """Settle the decimal mark of a column from its cells.

    A comma before one, two, four or more digits, or behind a leading zero, is a decimal comma. ``1,234`` alone can be
    both and is asked about, unless the file itself settles it (``known``).

    Parameters
    ----------
    cells
        The texts of the column.
    known
        The decimal mark that the rest of the file shows, or that the user chose.
    chosen_thousands
        Whether the user chose a thousands mark, so that blanks and apostrophes need no question.
    limit
        How many cells are looked at.
    """
    points = commas = either_comma = either_point = 0
    thousands_comma = thousands_point = 0
    spaced = ""
    for cell in islice(cells, limit):
        if not spaced and _SPACED.fullmatch(cell):
            spaced = cell
        if "," not in cell and "." not in cell and "，" not in cell and "．" not in cell:
            continue
        for number in re.findall(r"(?<![\d.,])\d*(?:[.,]\d+)+(?![\d.,])", fold_digits(cell)):
            comma, point = number.count(","), number.count(".")
            if comma and point:
                if comma == 1 and number.rindex(",") > number.rindex("."):
                    commas, thousands_point = commas + 1, thousands_point + 1
                elif point == 1 and number.rindex(".") > number.rindex(","):
                    points, thousands_comma = points + 1, thousands_comma + 1
            elif comma > 1:
                thousands_comma += 1
            elif point > 1:
                thousands_point += 1
            elif re.fullmatch(r"[1-9]\d{0,2},\d{3}", number):
                either_comma += 1
            elif comma:
                commas += 1
            elif re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", number):
                either_point += 1
            else:
                points += 1
    if spaced and not chosen_thousands:
        comma = commas > points or known == ","
        question = f"Is the mark in “{spaced}” a thousands mark?"
        return FormatGuess(NumberFormat("," if comma else "."), False, question)
    if known == "," and either_point and not commas:
        return FormatGuess(NumberFormat(","), False, "Is the point in “1.234” a decimal mark or a thousands mark?")
    if known == "," or (known is None and commas > points):
        doubtful = known is None and points > 0
        style = NumberFormat(",", "." if thousands_point else "")
        return FormatGuess(
            style, not doubtful, "Some numbers have a decimal comma, others a point." if doubtful else ""
        )
    if known == ".":
        return FormatGuess(NumberFormat(".", "," if thousands_comma else ""), True)
    if either_comma and not commas:
        if thousands_comma and not points + either_point:
            return FormatGuess(NumberFormat(".", ","), True)
        if thousands_comma:
            return FormatGuess(NumberFormat(".", ","), True)
        if either_point and not points:
            return FormatGuess(NumberFormat("."), False, "“1,234” and “1.234” both occur: which mark is decimal?")
        return FormatGuess(NumberFormat("."), False, "Is the comma in “1,234” a decimal mark or a thousands mark?")
    if commas:
        return FormatGuess(NumberFormat("."), False, "Some numbers have a decimal point, others a comma.")
    return FormatGuess(NumberFormat(".", "," if thousands_comma else ""), True)


@dataclass(frozen=True, slots=True)
class NumberColumn:
    """A column of numbers; arrays are read-only and nan where there is no number."""

    values: NDArray[np.float64]  # (rows,)
    uncertainty: NDArray[np.float64]  # (rows,)
    odd: dict[int, NumberReading]  # by row: every cell that is more than a plain number, or none


def read_number_column(column: Sequence[str], style: NumberFormat = PLAIN_NUMBERS) -> NumberColumn:
    """Read a whole column; plain cells take a quick way, so that only the odd ones cost time."""
    values = np.full(len(column), np.nan)
    uncertainty = np.full(len(column), np.nan)
    odd: dict[int, NumberReading] = {}
    source = column if isinstance(column, TextColumn) else TextColumn.of(column)
    start = 0
    for cells in source.chunks():
        plain = _plain_values(cells) if style.decimal == "." and not style.thousands else None
        if plain is not None:
            values[start : start + len(cells)] = plain
            start += len(cells)
            continue
        for row, cell in enumerate(cells, start):
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
