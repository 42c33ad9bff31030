"""Conditions and remarks in headings -> what is left to be a unit: "MPa, 23 °C" is megapascal, "1 GHz" no unit at all."""

import re
from collections.abc import Sequence

from affinecal_gui.tables.headings.brackets import outermost_brackets
from affinecal_gui.tables.headings.heading_words import NO_UNITS, STATISTICS, WAYS_TO_MEASURE, words_of
from affinecal_gui.tables.units.units import is_unit_text

_POWER = r"(?:\s*[×x*·]?\s*10\s*\^?\s*[{(]?[+\-−–]?\d{1,2}[)}]?|\s*[×x*·]\s*10[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[eE][+-]?\d{1,2})?"
_NUMBER = rf"[~≈<>≤≥±+\-−–]?\s*\d+(?:[.,]\d+)?{_POWER}"
_LEAD = (
    r"(?:(?:at|bei|à|a|en|with|mit|@|for|para|measured at|gemessen bei)\s+|@\s*"
    r"|[^\W\d]{1,2}(?:_?[^\W_]{1,4})?\s*=\s*|(?:strain rate|rate|frequency|freq\.?|temp\.?|temperature)\s*[=:]?\s*)?"
)
_AMOUNT = re.compile(
    rf"{_LEAD}(?P<first>{_NUMBER})(?:\s*(?:-|–|—|to|bis|\.\.\.?|…)\s*{_NUMBER})?\s*(?P<unit>.*)",
    re.IGNORECASE | re.DOTALL,
)
_POWER_OF_TEN = re.compile(
    r"[×x*·]?\s*(?:10\s*(?:\^\s*[({]?\s*)?[+\-−–]?\s*\d{1,2}\s*[)}]?|10[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+|1[eE][+-]?\d{1,2})"
)
_OF_CONDITIONS = frozenset(
    ("rh", "%rh", "%relativehumidity", "relativehumidity", "%rf", "%relfeuchte", "rpm", "min", "h", "°", "mol%")
)
_CAPITALS = re.compile(r"[A-Z][A-Z\d-]{2,7}")
_OF_UNITS = re.compile(r"[/^*·⋅²³⁻½%°º˚√]|\d\s*[-−]\s*\d|10\s*[-−]\s*\d")
_OF_STANDARDS = re.compile(r"[A-Z]{1,3}-?\d{2,6}(?:-\d+)?")  # "D638"
_STANDARD = re.compile(
    r"(?:(?:DIN|EN|ISO|ASTM|IEC|JIS|GB|BS|NF|UNE|UNI|ANSI|GOST|ГОСТ)(?:[\s/-]+|(?=[A-Z]?\d)))+[A-Z]{0,2}[\s/-]*\d[\d\s:./-]*\d?[a-z]?"
)
"""The standard by which something was measured: "ISO 527", "DIN EN ISO 11357-2", "ASTM D638", "GB/T 1040.2"."""
_BY_STANDARD = re.compile(rf"(?<![^\W_]){_STANDARD.pattern}(?![^\W_])")
_YEAR = re.compile(r"(?:18|19|20)\d\d[a-z]?")
LONGEST_REMARK = 60


def is_condition(text: str) -> bool:
    """Whether a text says at which temperature, frequency, rate, humidity or wavelength something was measured.

    >>> [is_condition(text) for text in ("23 °C", "1 GHz", "10 K/min", "at 0.1 s-1", "T = 298 K", "MPa", "10^-6 1/K")]
    [True, True, True, True, True, False, False]
    """
    stripped = text.strip()
    if len(stripped) > LONGEST_REMARK or is_unit_text(stripped):  # "1/K" and "10-7 m2/s" are units
        return False
    if _STANDARD.fullmatch(stripped):
        return True
    found = _AMOUNT.fullmatch(stripped)
    if found is None or _POWER_OF_TEN.fullmatch(stripped):
        return False
    unit = found["unit"].strip().rstrip(".")
    if re.match(r"10\b", found["first"].strip()) and re.match(
        r"[eE^]|\s*[-−–⁻]\s*\d", found["first"].strip()[2:] + unit
    ):
        return False  # a power of ten with something that is no unit
    if not unit or re.sub(r"[.\s]", "", unit).casefold() in _OF_CONDITIONS:
        return True
    return is_unit_text(unit) and unit[0] not in "/^*·⋅×-–—1"


def without_conditions(text: str) -> str:
    """Take away what says how something was measured: "(DSC, 10 K/min)", "at 1 MHz"; no word of it names a quantity."""
    kept, position = [], 0
    for start, end in outermost_brackets(text):
        parts = re.split(r"[,;]\s*", text[start + 1 : end - 1])
        if any(is_condition(part) and not part.strip().isdigit() for part in parts):
            kept.append(text[position:start])
            position = end
    rest = _BY_STANDARD.sub(" ", " ".join((*kept, text[position:])))
    for lead in _LEADS.finditer(rest):
        tail = rest[lead.end() :].strip()
        if (
            lead.start()
            and tail
            and all(is_condition(part) for part in re.split(r"[,;]\s+", tail))
            and not tail.isdigit()
        ):
            return rest[: lead.start()]
    return rest


_BEHIND = re.compile(
    r"(?P<before>[^@]*?)\s*(?:[(\[]\s*(?P<inside>[^()\[\]]*)\s*[)\]]|(?:@|(?<!\S)(?:at|bei|à)\s)\s*(?P<behind>.+)|[,;]\s(?P<listed>.+))\s*"
)


def without_condition_behind(text: str) -> tuple[str, str]:
    """Divide what stands behind a number into its unit, if there is one, and the condition under which it was measured.

    >>> without_condition_behind("(10 K/min)"), without_condition_behind(" g/cm3 at 25 °C"), without_condition_behind("g/cm3")
    (('', '10 K/min'), ('g/cm3', '25 °C'), ('g/cm3', ''))
    """
    found = _BEHIND.fullmatch(text) if len(text) <= LONGEST_REMARK else None
    if found is None:
        return text, ""
    condition = (found["inside"] or found["behind"] or found["listed"] or "").strip()
    parts = re.split(r"[,;]\s*", condition)
    before = found["before"].strip()
    is_said = any(is_condition(part) and re.search(r"[^\W\d_]|[°%]", part) for part in parts) or (
        found["inside"] is not None and all(set(words_of(part)) <= WAYS_TO_MEASURE for part in parts)
    )
    if not is_said or not all(is_remark(part, known_words=True) for part in parts) or before.endswith(("/", "*", "·")):
        return text, ""
    return before, condition


_LEADS = re.compile(r"\s*[,;@]\s*|\s+(?:at|bei|à|a|en)\s+|\s+(?=\d)")


_BEFORE_A_NUMBER = re.compile(r"(?<=[^\W\d_])\s+(?:(?:at|bei|à|a|en|with|mit|@)\s+)?(?=\d)")


def is_remark(text: str, *, known_words: bool = False) -> bool:
    """Whether a text in a heading says how or by whom something was measured, and holds no unit: "DSC", "Brandrup 1999".

    With ``known_words``, only words of which that is known count: in square brackets any other may be a unit.
    """
    stripped = text.strip(" ,;:.")
    if not stripped or is_condition(stripped):
        return True
    parts = re.split(r"[,;，；、]\s+", stripped)
    if len(parts) > 1:
        return len(stripped) <= LONGEST_REMARK and all(is_remark(part, known_words=known_words) for part in parts)
    behind_words = _BEFORE_A_NUMBER.search(stripped)  # "DSC at 10 K/min"
    if behind_words is not None and is_condition(stripped[behind_words.end() :]):
        return is_remark(stripped[: behind_words.start()], known_words=known_words)
    if len(stripped) > LONGEST_REMARK or _OF_UNITS.search(stripped):
        return False
    return all(_says_no_unit(word, known_words) for word in re.split(r"[\s,;:&+]+", stripped) if word)


def _says_no_unit(word: str, known_words: bool) -> bool:
    parts = words_of(word)
    if all(part in NO_UNITS or part in STATISTICS or part.isdigit() or _YEAR.fullmatch(part) for part in parts):
        return True
    if _OF_STANDARDS.fullmatch(word):
        return True
    if is_unit_text(word) or is_unit_text(word.casefold()) or word.casefold() in UNITS_BY_NAME:
        return False
    bare = word.strip(".'’")
    if _CAPITALS.fullmatch(bare):
        return bare.casefold() not in _UNITS_IN_CAPITALS
    return not known_words and len(bare) > 3 and re.fullmatch(r"[^\W\d_][^\W\d]*(?:[.'’-][^\W\d]+)*", bare) is not None


_UNITS_IN_CAPITALS = frozenset(
    ("mpa", "gpa", "kpa", "psi", "kcal", "ppm", "kbar", "ghz", "mhz", "khz", "degc", "kg", "mol")
)
UNITS_BY_NAME = frozenset(
    (
        *("barrer", "barrers", "gpu", "debye", "poise", "cps", "denier", "tex", "dtex", "phr", "rpm", "mmhg", "torr"),
        *("hildebrand", "rankine", "reaumur", "réaumur", "newton", "newtons", "pascal", "pascals", "joule", "joules"),
        *(
            "watt",
            "watts",
            "siemens",
            "hertz",
            "volt",
            "volts",
            "gauss",
            "tesla",
            "weber",
            "einstein",
            "stokes",
            "dalton",
        ),
    )
)
"""Units that are known to be units, so that round brackets around them hold no remark."""


_INTRODUCED = re.compile(
    r"^(?:(?:in|en|units?|einheit|unité|unidad|unità)\s*(?:[:：]\s*|\s+)|(?:单位|単位)\s*[:：]?\s*)", re.IGNORECASE
)


def unit_among(inside: str) -> tuple[str, str] | None:
    """Divide what stands in brackets into the one unit and the conditions beside it; None where there is no such unit.

    >>> unit_among("MPa, 23 °C"), unit_among("DSC; °C"), unit_among("K, °C")
    (('MPa', '23 °C'), ('°C', 'DSC'), None)
    >>> unit_among("GPa at 1 Hz"), unit_among("in °C")
    (('GPa', 'at 1 Hz'), ('°C', ''))
    """
    text = _INTRODUCED.sub("", inside.strip())
    for parts in _ways_to_part(text):
        units = [part for part in parts if not is_condition(part) and is_unit_text(part)]
        others = [part for part in parts if part not in units]
        if parts[-1] in units and any(part[-1].isdigit() for part in others if text.endswith(f"{part} {units[0]}")):
            continue  # "25 °C", parted in its middle
        if len(units) == 1 and units[0] not in ("", "-", "–", "—", "1") and all(map(is_remark, others)):
            return units[0], ", ".join(others)
    return None


def _ways_to_part(text: str) -> list[Sequence[str]]:
    """Return the text whole, parted at commas, and at the words that introduce a condition."""
    ways: list[Sequence[str]] = [[text]]
    by_comma = [part.strip() for part in re.split(r"[,;，；、|]\s*", text)]
    if len(by_comma) > 1:
        ways.append([part for part in by_comma if part])
    if " " in text:
        ways += [text.split(None, 1), text.rsplit(None, 1)]
    for mark in re.finditer(r"\s+(?:at|bei|à|a|en|@)\s*(?=\d)|\s*@\s*|\s+(?=\d)|\s*[(\[]", text):
        ways.append([text[: mark.start()].strip(" ,;"), text[mark.end() :].strip(" ,;)]")])
    return ways
