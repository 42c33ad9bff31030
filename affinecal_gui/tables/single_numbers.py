"""One number in a text: its digits, its decimal and thousands mark, and the power of ten behind it."""

import html
import re
from dataclasses import dataclass
from typing import Literal

from affinecal_gui.tables.raw_table import DecimalMark
from affinecal_gui.tables.words import fold_digits

_THIN_SPACES = "\u00a0\u2007\u2009\u202f\u2002\u2003\u2006\u2008\u200a"
_MINUS_SIGNS = "−‒﹣\u2010\u2011"
_APOSTROPHES = "’´٬"  # the last one parts the groups of three digits in Arabic
_EDITED = str.maketrans(
    {
        **dict.fromkeys(_THIN_SPACES, " "),
        **dict.fromkeys(_MINUS_SIGNS, "-"),
        **dict.fromkeys(_APOSTROPHES, "'"),
        "٫": ".",
    }
)
_RAISED_POINT = re.compile(
    r"(?<=\d)[·⋅](?=\d)(?!10)"
)  # before 10 it may be a power of ten, of whatever became the exponent
_RAISED_MARK = re.compile(r"(?<=\d)<sup>\s*([a-zA-Z*†‡§])\s*</sup>", re.IGNORECASE)
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

_MANTISSA = r"\d[\d.,' ]*\d|\d|[.,]\d+"
_SPACED = re.compile(r"(?<![\d.,])[1-9]\d{0,2}([ '])\d{3}(?:\1\d{3})*(?! ?\d)")
_NUMBER = re.compile(rf"([+-]?)\s*({_MANTISSA})(\.(?!\d))?(?:[eEdD]([+-]?\d{{1,4}})(?![\d.]))?")
_POWER = re.compile(
    r"\s*[x×*·⋅]\s*10(?:\s*(?:\^|\*\*)?\s*[({]?\s*([+-]?\d{1,3})\s*[)}]?|([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{1,3}))(?!\d)"
)
_WRITTEN_OUT = re.compile(r"\s*[x×*·⋅]\s*1(0{2,9})(?!\d)")
_EXPONENT = re.compile(r"\s*[eE]([+-]?\d{1,3})(?![\d.])")


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How a column writes its numbers."""

    decimal: DecimalMark = "."
    thousands: Literal["", ",", ".", " ", "'"] = ""


PLAIN_NUMBERS = NumberFormat()


@dataclass(frozen=True, slots=True)
class Number:
    """The number that a text begins with."""

    value: float
    decimals: int  # behind the mark, less the exponent: the last digit stands for 10 to the minus this
    rest: str  # of the text
    marked: bool  # whether it has a decimal mark or an exponent
    signed: bool
    exponent: int = 0


@dataclass(frozen=True, slots=True)
class Misfit:
    """Why the marks of a number do not fit its column; "{}" stands for the cell."""

    reason: str
    suggestion: str = ""


def take_number(text: str, style: NumberFormat = PLAIN_NUMBERS) -> Number | Misfit | None:
    """Return the number that a text begins with; a :class:`Misfit` where its marks are wrong; None when there is none."""
    match = _NUMBER.match(text)
    if match is None:
        return None
    sign, mantissa, _, exponent = match.groups()
    plain = _plain_mantissa(mantissa, style)
    if isinstance(plain, Misfit):
        return plain
    power = int(exponent or 0)
    value = float(f"{sign}{plain}e{power}")
    fraction = plain.partition(".")[2]
    return Number(value, len(fraction) - power, text[match.end() :], bool(fraction or exponent), bool(sign), power)


def power_behind(text: str) -> tuple[int, str]:
    """Return the exponent of "×10^3" or "x1000" at the beginning of a text, and the rest; 0 where there is none."""
    whole = _WRITTEN_OUT.match(text)
    if whole is not None:  # "x1000": its zeros are no exponent
        return len(whole[1]), text[whole.end() :]
    power = _POWER.match(text)
    if power is None:
        return 0, text
    return int((power[1] or power[2]).translate(_SUPERSCRIPTS)), text[power.end() :]


def exponent_behind(text: str) -> tuple[int, str]:
    """As :func:`power_behind`, and for "e3": behind brackets that mean the number before them as well as what they hold."""
    exponent = _EXPONENT.match(text)
    return (int(exponent[1]), text[exponent.end() :]) if exponent else power_behind(text)


def scaled(value: float, exponent: int) -> float:
    """Return a value times a power of ten, rounded once: 1.1 and 3 give 1100, not 1100.0000000000002."""
    return float(f"{value!r}e{exponent}") if exponent and "e" not in repr(value) else value * 10.0**exponent


def typed_plainly(text: str) -> str:
    """Return a cell with plain digits, minus signs, decimal points, apostrophes and blanks.

    >>> typed_plainly("−1·25"), typed_plainly("&minus;1.5"), typed_plainly("٣٫١٤"), typed_plainly("1.2·10³")
    ('-1.25', '-1.5', '3.14', '1.2·10³')
    """
    if "&" in text and ";" in text:
        text = html.unescape(text)
    if "<" in text:
        text = _RAISED_MARK.sub(r"^\1", text)
    plain = fold_digits(text).translate(_EDITED).strip()
    return plain if plain.isascii() else _RAISED_POINT.sub(".", plain)


def closed_groups(text: str) -> str:
    """Take the blanks and apostrophes out between groups of three digits.

    >>> closed_groups("1 467.5"), closed_groups("1'234'567"), closed_groups("10 25")
    ('1467.5', '1234567', '10 25')
    """
    return _SPACED.sub(lambda match: match[0].replace(match[1], ""), text)


def _plain_mantissa(mantissa: str, style: NumberFormat) -> str | Misfit:
    """Return digits with a point, or why the marks do not fit the column."""
    if " " in mantissa or "'" in mantissa:
        mantissa = closed_groups(mantissa)
    if mantissa.isdigit() and mantissa.isascii():
        return mantissa
    decimal, thousands = style.decimal, style.thousands
    whole, mark, fraction = mantissa.partition(decimal)
    if mark and decimal in fraction:
        return Misfit("{} has more than one decimal mark")
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
        return Misfit(f"{{}} has a {name}, but the column has decimal {needed}", f"Read as {turned}")
    return Misfit("{} mixes decimal and thousands marks")
