"""What stands behind a number and says how exact it is: "± 0.2", "(4)", "(sd 0.02)", "(± 2 %)", "+0.1/-0.2", a range.

A number in brackets can be a deviation, a number of samples or a reference. It is taken as a deviation where it says so
itself (by ±, by a word such as "sd", by a per cent sign), where it stands right behind the last digit as in 1.23(4), and
where it has decimals and is not larger than the value; every such reading carries a note.
"""

import math
import re
from dataclasses import dataclass

from affinecal_gui.tables.single_numbers import (
    Misfit,
    Number,
    NumberFormat,
    exponent_behind,
    power_behind,
    scaled,
    take_number,
)

IN_BRACKETS = "deviation in brackets"
NOT_USED = "number in brackets not used"
RANGE = "middle of a range"
UNEVEN = "uneven deviations"

_POWER_OF_WHAT = "{} has a power of ten behind its last number; put what it belongs to in brackets, as in (1.5 ± 0.2)e3"

_PLUS_MINUS = re.compile(r"\s*(?:±|\+\s?/\s?-|\+-|\+\\-|\\pm\b)\s*")
_UNEVEN = re.compile(r"\s*\(?\s*\^?\{?\s*\+\s*([\d.,]+)\s*\}?\s*[/,;_]?\s*\{?\s*-\s*([\d.,]+)\s*\}?\s*\)?")
_RANGE = re.compile(r"\s*(?:-|–|—|~|〜|～|∼|\.\.\.?|…|\bto\b|\bbis\b)\s*")
_MAY_BE_MINUS = re.compile(r"\s*[-–—]")
"""What is read as the dash of a range and may be the sign of its end: "-30-20", "-30 -20"; not "-30 - 20", "-30 to 20"."""
_CONCISE = re.compile(r"\((\d{1,3})\)")
_BRACKET = re.compile(r"\s*(?:\(([^()]{1,60})\)|\[([^\[\]]{1,60})\]|\{([^{}]{1,60})\})")
_COUNT = re.compile(r"(?:^|\s*[,;/]\s*)[nN]\s*=\s*\d+(?:\s*[,;]\s*)?")
_RELATIVE_WORD = r"r\.?s\.?d\.?|%\s*rsd|c\.?o?\.?v\.?|rel\.?(?:ative)?(?:\s*(?:std\.?|sd|dev\.?|err(?:or|\.)?|unc\.?))?"
_WORD = re.compile(
    rf"(?:(?P<relative>{_RELATIVE_WORD})|s\.?\s?d\.?|s\.?e\.?m?\.?|std\.?(?:\s?dev\.?|\s?err\.?)?|st\.?\s?dev\.?|stdev|stdabw\.?"
    r"|standard (?:deviation|error|uncertainty)|standardabweichung|err(?:or|\.)?|fehler|unc(?:ertainty|\.)?|dev(?:iation|\.)?"
    r"|u_?c?|σ|s|δ|Δ|標準偏差|誤差|标准差|标准偏差|误差)\s*[:=]?\s*(?=[\d.,±+])",
    re.IGNORECASE,
)
_UNIT_THEN_DEVIATION = re.compile(r"(?P<unit>[^±+\d()\[\]{}]{0,3}[^±+]{0,30}?)\s*(?:±|\+/-|\+-)\s*(?=[\d.,])")


@dataclass(frozen=True, slots=True)
class Deviation:
    """A number with what is known of its exactness."""

    value: float
    rest: str  # of the text: a unit, footnotes
    uncertainty: float = math.nan  # in the unit of the value
    percent: float = math.nan  # the uncertainty in per cent, of the value or of whatever its unit makes of them
    note: str = ""


def with_deviation(first: Number, style: NumberFormat) -> Deviation | Misfit:
    """Read what stands behind a number, up to its unit.

    Returns
    -------
    Deviation
        Without ``uncertainty`` and ``percent`` where nothing is said; the value is the middle where it was the lower end
        of a range.
    Misfit
        What stands there can mean several things.
    """
    concise = _CONCISE.match(first.rest)
    if concise:
        exponent, rest = exponent_behind(first.rest[concise.end() :])
        last_digit = scaled(float(int(concise[1])), exponent - first.decimals)
        return Deviation(scaled(first.value, exponent), rest, last_digit, note=IN_BRACKETS)
    exponent, rest = power_behind(first.rest)
    value, decimals = scaled(first.value, exponent), first.decimals - exponent
    for reader in (_behind_plus_minus, _uneven, _in_bracket):
        found = reader(value, rest, style)
        if found is not None:
            break
    else:
        found = _range(value, decimals, rest, style) or _behind_unit(value, rest, style) or Deviation(value, rest)
    if isinstance(found, Misfit):
        return found
    stray, _ = power_behind(found.rest)
    written_with_power = bool(exponent or first.exponent)
    if stray and (math.isfinite(found.uncertainty) or math.isfinite(found.percent)):
        return Misfit(_POWER_OF_WHAT)
    if (
        found.uncertainty > abs(value) > 0
        and not written_with_power
        and re.search(r"[±-]\s*[\d.,]+[eE]\+?0*[1-9]", rest)
    ):
        return Misfit(_POWER_OF_WHAT)
    return found


def bracketed_pair(text: str, style: NumberFormat) -> Deviation | Misfit | None:
    """Read "(1.5 ± 0.2)×10³ kg": a number with its deviation in brackets, and a power of ten or unit of both behind them.

    None where the text is none; a mere number in brackets is none either.
    """
    if not text.startswith(("(", "[")):
        return None
    depth, end = 0, 0
    for end, character in enumerate(text, start=1):  # noqa: B007 - where the first bracket closes
        depth += (character in "([") - (character in ")]")
        if depth == 0:
            break
    if depth:
        return None
    inside, behind = text[1 : end - 1].strip(), text[end:]
    first = take_number(inside, style)
    if not isinstance(first, Number):
        return first
    exponent, rest = exponent_behind(behind)
    pair = with_deviation(first, style)
    if isinstance(pair, Misfit):
        return pair
    if pair.rest.strip() or not (exponent or math.isfinite(pair.uncertainty) or math.isfinite(pair.percent)):
        return None
    return Deviation(scaled(pair.value, exponent), rest, scaled(pair.uncertainty, exponent), pair.percent, pair.note)


def _behind_plus_minus(value: float, rest: str, style: NumberFormat) -> Deviation | Misfit | None:
    plus_minus = _PLUS_MINUS.match(rest)
    if plus_minus is None:
        return None
    second = take_number(rest[plus_minus.end() :], style)
    if not isinstance(second, Number):
        return Misfit("{} has no number behind ±")
    return _of(value, abs(second.value), second.rest)


def _of(value: float, size: float, rest: str, note: str = "") -> Deviation:
    """Take a deviation as per cent where the sign follows it."""
    if rest.lstrip().startswith("%"):
        return Deviation(value, rest.lstrip()[1:], percent=size, note=note)
    return Deviation(value, rest, size, note=note)


def _uneven(value: float, rest: str, style: NumberFormat) -> Deviation | None:
    """Read "+0.2/-0.1": the mean of both is the uncertainty."""
    found = _UNEVEN.match(rest)
    if found is None:
        return None
    up, down = (take_number(text.strip(".,"), style) for text in found.groups())
    if not (isinstance(up, Number) and isinstance(down, Number)) or up.rest or down.rest:
        return None
    digits = max(up.decimals, down.decimals, 0) + 1
    return Deviation(value, rest[found.end() :], round((up.value + down.value) / 2, digits), note=UNEVEN)


def _in_bracket(value: float, rest: str, style: NumberFormat) -> Deviation | None:
    """Read a bracket behind a number: a deviation, a range, or a number that is none."""
    bracket = _BRACKET.match(rest)
    if bracket is None:
        return None
    content = next(filter(None, bracket.groups())).strip()
    is_round, behind = bracket[1] is not None, rest[bracket.end() :]
    ends = _ends_of_range(content, style)
    if ends is not None and ends[0] <= value <= ends[1]:
        return Deviation(value, behind, ends[2], note="value with its range")
    plain = _COUNT.sub("", content).strip()
    word = _WORD.match(plain)
    bare = plain[word.end() :] if word else plain
    plus_minus = _PLUS_MINUS.match(bare)
    number = take_number(bare[plus_minus.end() :] if plus_minus else bare, style)
    if not isinstance(number, Number):
        return None
    percent = number.rest.strip() == "%"
    if not percent and number.rest.strip():
        return None
    size = abs(number.value)
    if percent or (word and word["relative"]):
        return Deviation(value, behind, percent=size, note=IN_BRACKETS)
    if word or plus_minus or (number.marked and not number.signed and size <= abs(value)):
        return Deviation(value, behind, size, note=IN_BRACKETS)
    if is_round or number.marked:
        return Deviation(value, behind, note=NOT_USED)
    return None  # "[12]" is a reference


def _range(value: float, decimals: int, rest: str, style: NumberFormat) -> Deviation | Misfit | None:
    between = _RANGE.match(rest)
    second = take_number(rest[between.end() :], style) if between and between.end() else None
    if isinstance(second, Misfit) or second is None:
        return second
    if not value <= second.value:
        return Misfit("{} is neither a number nor a range from low to high")
    assert between is not None
    if value < 0.0 < second.value and not second.signed and _MAY_BE_MINUS.fullmatch(between[0]):
        return Misfit(
            "{} may end at a negative number or at a positive one",
            f"Write “{value:g} to {second.value:g}” or “{value:g} to {-second.value:g}”",
        )
    # To as many digits as both ends have, and one for the half.
    digits = max(decimals, second.decimals, 0) + 1
    middle, half = (value + second.value) / 2, (second.value - value) / 2
    return Deviation(round(middle, digits), second.rest, round(half, digits), note=RANGE)


def _ends_of_range(text: str, style: NumberFormat) -> tuple[float, float, float] | None:
    """Return both ends of a range such as "1.1–1.3" or "1.1; 1.3", and half its width; None when it is none."""
    first = take_number(re.sub(r",\s+", "; ", text.strip()), style)  # "1.1, 1.3" are two numbers
    if not isinstance(first, Number):
        return None
    between = re.match(r"\s*[;,]\s*", first.rest) or _RANGE.match(first.rest)
    second = take_number(first.rest[between.end() :], style) if between and between.end() else None
    if not isinstance(second, Number) or second.rest.strip() or second.value < first.value:
        return None
    digits = max(first.decimals, second.decimals, 0) + 1
    return first.value, second.value, round((second.value - first.value) / 2, digits)


def _behind_unit(value: float, rest: str, style: NumberFormat) -> Deviation | Misfit | None:
    """Read "1.05 g/cm3 ± 0.02": the unit stands between the value and its deviation, and perhaps behind it again."""
    found = _UNIT_THEN_DEVIATION.match(rest)
    if found is None:
        return None
    unit = found["unit"]
    second = take_number(rest[found.end() :], style)
    if not isinstance(second, Number):
        return Misfit("{} has no number behind ±")
    deviation = _of(value, abs(second.value), second.rest)
    if deviation.rest.strip() not in ("", unit.strip()):
        return Misfit("{} has a unit or a text behind ± that does not belong to the value")
    return Deviation(value, unit, deviation.uncertainty, deviation.percent)
