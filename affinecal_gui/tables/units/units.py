"""Units of headings, cells and choices -> factors to the canonical unit of a property.

Pint does the conversion; what this module adds is reading the many ways in which people write a unit. Pint is loaded
when the first unit is converted, not when the program starts.
"""

import dataclasses
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.units.properties import Property
from affinecal_gui.tables.units.unit_spelling import in_kelvin, plainly_spelled
from affinecal_gui.tables.units.unit_symbols import GLUED, SYMBOLS
from affinecal_gui.tables.units.usual_meanings import BRIDGES, meant_instead, power_with_e

if TYPE_CHECKING:
    import pint

DIMENSIONLESS = frozenset(("", "-", "–", "—", "1", "[-]", "(-)", "dimensionless", "none", "ohne", "無次元", "n/a"))
_REPEAT_UNIT = re.compile(
    r"(?:of\s+)?(?:the\s+)?(?:repeat(?:ing)?[\s-]*units?|monomer(?:[\s-]*units?)?|r\.?u\.?|ru|unit)\b", re.IGNORECASE
)
_FORMULA = re.compile(r"mol(?:\s*of)?\s*\(?((?:[A-Z][a-z]?\d*){1,8})\)?(?![a-z])")
_ATOMIC_MASSES = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998, "S": 32.06, "Cl": 35.45, "Si": 28.085}


LONGEST_UNIT = 200  # letters; a longer text, as of a damaged file, is no unit


class UnitProblem(Exception):  # noqa: N818 - becomes a row problem or a question, with its text
    """A unit text that cannot be understood, or does not belong to the property."""


@dataclass(frozen=True, slots=True)
class Conversion:
    """How values in a written unit become values in the canonical unit: ``value * factor + offset``.

    ``per_mole_of`` says whether the result has yet to be divided by a molar mass in g/mol: "" no, "repeat unit", or a
    formula whose mass is in ``factor`` already.
    """

    written: str
    factor: float
    offset: float = 0.0
    per_mole_of: str = ""
    assumed: str = ""  # what was taken to be meant by the text, in words; "" where it says it

    @property
    def needs_molar_mass(self) -> bool:
        """Whether each value must be divided by the molar mass of its repeat unit in g/mol."""
        return self.per_mole_of == "repeat unit"

    @property
    def is_identity(self) -> bool:
        """Whether nothing changes."""
        return self.factor == 1.0 and self.offset == 0.0 and not self.per_mole_of

    def apply(self, values: NDArray[np.float64], molar_mass: NDArray[np.float64] | None = None) -> NDArray[np.float64]:
        """Convert values; ``molar_mass`` (g/mol) is needed when :attr:`needs_molar_mass`."""
        converted = values * self.factor + self.offset
        if self.needs_molar_mass:
            if molar_mass is None:
                raise ValueError("a molar unit needs the molar mass of the repeat unit")
            converted = converted / molar_mass
        return converted if self.is_identity else rounded(converted)


SIGNIFICANT_DIGITS = 12
"""Digits that a converted value keeps: more than anybody measures, fewer than the rounding error of a multiplication."""


def rounded(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return values without the rounding errors of a conversion: 954 kg/m³ are 0.954 g/cm³, not 0.9540000000000001.

    Each value becomes the double nearest to its decimal text with :data:`SIGNIFICANT_DIGITS` digits.
    """
    given = np.asarray(values, dtype=np.float64)
    texts = (f"{value:.{SIGNIFICANT_DIGITS}g}" for value in given.ravel().tolist())
    return np.fromiter(map(float, texts), np.float64, given.size).reshape(given.shape)


@lru_cache(maxsize=1)
def _registry() -> "pint.UnitRegistry[Any]":
    import pint  # half a second that only files with units other than ours should pay

    return pint.UnitRegistry(autoconvert_offset_to_baseunit=False)


def is_unit_text(text: str) -> bool:
    """Whether a text is made of unit symbols and nothing else; does not load Pint."""
    stripped = unbracketed(text)
    if stripped in DIMENSIONLESS:
        return True
    return len(stripped) <= 40 and bool(_readings(stripped))


def conversion(unit_text: str, quantity: Property) -> Conversion:
    """Find the way from a written unit to the canonical unit of a property.

    Among the possible readings of a text ("kJ/kg·K", "W/mK") the one is taken that has the dimension of the property;
    a unit per mole is accepted where the property is per mass.

    Raises
    ------
    UnitProblem
        The text is no unit, or a unit of something else.
    """
    written = unbracketed(unit_text)
    if written == quantity.unit or (written in DIMENSIONLESS and quantity.unit == ""):
        return Conversion(written, 1.0)
    for meant in (meant_instead(written, quantity.unit), power_with_e(written)):
        if meant is not None:
            return dataclasses.replace(conversion(meant[0], quantity), written=written, assumed=meant[1])
    return _conversion(written, quantity.unit, quantity.title, quantity.other_units, quantity.is_known)


@lru_cache(maxsize=4096)
def _conversion(written: str, canonical: str, title: str, others: tuple[str, ...], is_known: bool) -> Conversion:
    if written in DIMENSIONLESS:
        raise UnitProblem(f"a value without unit cannot become {canonical}")
    readings = _readings(written)
    if not readings:
        units = " or ".join(", ".join((canonical, *others)).rsplit(", ", 1))
        accepted = f"; {title.lower()} can be in {units}" if canonical else "; it is a number without unit"
        raise UnitProblem(f"“{shortened(written)}” is not a unit that is known here{accepted}")
    wanted = () if canonical in DIMENSIONLESS else _readings(canonical)
    if canonical not in DIMENSIONLESS and not wanted:
        raise UnitProblem(
            f"the unit {shortened(canonical)} of {shortened(title)} is not one that others can be converted to"
        )
    targets = [_scale_of(reading.expression) for reading in wanted] or [_Scale({}, 1.0)]
    for reading in readings:
        scale = _scale_of(reading.expression)
        if scale is None:
            continue
        for target in targets:
            if target is None:
                continue
            factor = scale.factor / target.factor
            if scale.dimensions == target.dimensions and not reading.per_mole_of:
                return Conversion(written, _tidy(factor), _tidy((scale.offset - target.offset) / target.factor))
            if is_known and _per_mole_of_mass(scale.dimensions) == target.dimensions and not scale.offset:
                factor *= 1000.0  # mol/g in mol/kg
                if reading.formula_mass:
                    return Conversion(written, factor / reading.formula_mass, 0.0, reading.per_mole_of)
                return Conversion(written, _tidy(factor), 0.0, "repeat unit")
    bridged = _bridged(written, canonical, readings, targets, is_known=is_known)
    if bridged is not None:
        return bridged
    raise UnitProblem(
        f"“{shortened(written)}” is not a unit of {title.lower()}; "
        + (f"{canonical} or its like is needed" if canonical else "it is a number without unit")
    )


@dataclass(frozen=True, slots=True)
class _Scale:
    """A unit in base units: ``value * factor + offset``."""

    dimensions: Mapping[str, float]
    factor: float
    offset: float = 0.0


def _bridged(
    written: str, canonical: str, readings: Sequence["_Reading"], targets: Sequence[_Scale | None], *, is_known: bool
) -> Conversion | None:
    """Return the way between units of different dimensions where the one is usually written for the other."""
    for reading, target in product(readings, targets):
        scale = _scale_of(reading.expression)
        if scale is None or target is None or scale.offset or target.offset or reading.per_mole_of:
            continue
        for bridge in BRIDGES:
            if bridge.leads(scale.dimensions, target.dimensions, (written, canonical), is_known=is_known):
                factor = scale.factor * bridge.factor / target.factor
                return Conversion(written, _tidy(factor), assumed=bridge.words)
    return None


@lru_cache(maxsize=4096)
def _scale_of(expression: str) -> _Scale | None:
    registry = _registry()
    if expression in _ZERO_IN_KELVIN:
        return _Scale({"[temperature]": 1.0}, 5 / 9 if expression == "degF" else 1.0, _ZERO_IN_KELVIN[expression])
    try:
        base: Any = registry.Quantity(registry.parse_expression(expression)).to_base_units()
    except Exception as error:  # noqa: BLE001 - Pint raises many kinds for texts that are no unit
        del error
        return None
    return _Scale({name: float(power) for name, power in base.dimensionality.items() if power}, float(base.magnitude))


_ZERO_IN_KELVIN = {"degC": 273.15, "degF": 459.67 * 5 / 9}


def _per_mole_of_mass(dimensions: Mapping[str, float]) -> dict[str, float]:
    """Return the dimensions of a unit after its values were divided by a molar mass."""
    powers = dict(dimensions)
    for name, power in (("[substance]", 1.0), ("[mass]", -1.0)):
        powers[name] = powers.get(name, 0.0) + power
    return {name: power for name, power in powers.items() if power}


def _tidy(factor: float) -> float:
    """Remove the rounding error of a factor that is a short decimal number."""
    short = float(f"{factor:.12g}")
    return short if math.isclose(short, factor, rel_tol=1e-13) else factor


def unbracketed(text: str) -> str:
    """Take away the brackets around a unit, and blanks."""
    stripped = " ".join(text.split())
    pairs = {
        "[": "]",
        "(": ")",
        "{": "}",
        "<": ">",
        "（": "）",
        "【": "】",
        "［": "］",
        "〔": "〕",
        "『": "』",
        "〈": "〉",
    }
    if len(stripped) > LONGEST_UNIT:
        return stripped  # no unit: to take pair after pair away costs the square of the length
    while len(stripped) >= 2 and pairs.get(stripped[0]) == stripped[-1] and _closes_at_end(stripped):
        stripped = stripped[1:-1].strip()
    return stripped


def _closes_at_end(text: str) -> bool:
    depth = 0
    for position, character in enumerate(text):
        depth += (character == text[0]) - (character == text[-1])
        if depth == 0:
            return position == len(text) - 1
    return False


@dataclass(frozen=True, slots=True)
class _Reading:
    expression: str  # for Pint
    per_mole_of: str = ""
    formula_mass: float = 0.0


@lru_cache(maxsize=4096)
def _readings(written: str) -> tuple[_Reading, ...]:
    """Return every sensible reading of a unit text, the most literal one first; of one that is too long for a unit none."""
    if len(written) > LONGEST_UNIT:
        return ()
    meant = power_with_e(written)
    text = plainly_spelled(written if meant is None else meant[0])
    per_mole_of, mass = "", 0.0
    whole = _REPEAT_UNIT.search(text)
    if whole and "mol" in text:
        text, per_mole_of = text.replace(whole[0], ""), "repeat unit"
    else:
        formula = _FORMULA.search(text)
        known = formula and _formula_mass(formula[1])
        if formula and known and formula[1] not in ("K", "C", "F", "N", "H", "S"):
            text = text.replace(formula[0], "mol")
            per_mole_of, mass = formula[1], known
    found: list[_Reading] = []
    spelled = (text, _denominator_gathered(text), _slash_assumed(text), _dots_assumed(text))
    for variant in dict.fromkeys((*spelled, *(in_kelvin(variant) for variant in spelled))):
        for glue in (False, True):
            expression = _expression(variant, glue=glue)
            if expression is not None and all(expression != reading.expression for reading in found):
                found.append(_Reading(expression, per_mole_of, mass))
    return tuple(found)


def _formula_mass(formula: str) -> float:
    total = 0.0
    for element, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        if element not in _ATOMIC_MASSES:
            return 0.0
        total += _ATOMIC_MASSES[element] * int(count or 1)
    return total


_HYPHEN = re.compile(r"(?<=[A-Za-zΩ])-(?=[A-Za-z])")


def _denominator_gathered(text: str) -> str:
    """Put everything behind the first slash below the line, as in "kJ/kg·K", "W/m-K" and "J/g.K"."""
    above, slash, below = text.partition("/")
    above = _HYPHEN.sub("*", above)  # "ft-lb/in", "ohm-cm"
    if not slash:
        return above
    below = re.sub(r"[()]", " ", below)
    below = re.sub(r"(?<=[A-Za-z°\d])\s*[-.](?=\s*[A-Za-z])", "*", below).replace("/", "*")
    below = re.sub(r"\s*\*\s*|\s+", "*", below.strip()).strip("*")
    return f"{above.strip() or '1'}/({below})"


def _slash_assumed(text: str) -> str:
    """Read "g cm3", as headings without special characters spell it, as "g/cm3"."""
    words = text.split()
    if len(words) < 2 or words[0][0].isdigit() or any(mark in text for mark in "/-(^*"):  # "1 GHz" is a condition
        return text
    return f"{words[0]}/({'*'.join(words[1:])})"


def _dots_assumed(text: str) -> str:
    """Read "J.g.1.K.1" and "W..m.K", which R makes of "J g-1 K-1" and "W/(m K)", as a quotient."""
    words = [word for word in text.split(".") if word]
    if len(words) < 2 or not re.fullmatch(r"[A-Za-zµμÅ%\d.]+", text) or text.replace(".", "").isdigit():
        return text
    below: list[str] = []
    for word in words[1:]:
        if not word.isdigit():
            below.append(word)
        elif below and len(word) == 1:
            below[-1] += word
        else:
            return text
    return f"{words[0]}/({'*'.join(below)})"


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<word>[A-Za-zÅÅµμ°%‰Ω]+)|(?P<power>\^\s*[+-]?\d+(?:\.\d+)?)|(?P<mark>[*/().]))"
)


def _expression(text: str, *, glue: bool) -> str | None:
    """Return the text as an expression for Pint, or None when it has a part that is no unit symbol."""
    parts: list[str] = []
    position = 0
    symbols = 0
    compound = bool(re.search(r"[/^*\s\d-]", text.strip()))
    stripped = text.strip()
    while position < len(stripped):
        match = _TOKEN.match(stripped, position)
        if match is None:
            signed = re.compile(r"\s*([+-]\d+)").match(stripped, position)
            if signed and parts and parts[-1][-1:].isalpha():
                parts[-1] += f"**{int(signed[1])}"
                position = signed.end()
                continue
            return None
        if match["word"]:
            names = _symbol_names(match["word"], glue=glue, compound=compound)
            if names is None:
                return None
            if parts and parts[-1] not in ("*", "/", "("):
                parts.append("*")
            parts.append(names)
            symbols += 1
            attached = re.compile(r"([+-]?\d+)(?![\d.]*e)").match(stripped, match.end())
            if attached:
                parts[-1] = f"{parts[-1]}**{int(attached[1])}"
                position = attached.end()
                continue
        elif match["power"]:
            if not parts or not (parts[-1][-1].isalnum() or parts[-1] == ")"):
                return None
            parts.append(f"**{_power(match['power'][1:])}")
        elif match["number"]:
            # "1/K" and powers of ten belong to a unit; "300 K" is a condition.
            if parts or not re.fullmatch(r"1(?:\.0)?(?:e[+-]?\d+)?", match["number"]):
                return None
            if match["number"] == "1" and not stripped[match.end() :].lstrip().startswith(("/", "*")):
                return None
            parts.append(match["number"])
        else:
            mark = "*" if match["mark"] == "." else match["mark"]
            if mark == "(" and parts and parts[-1] not in ("*", "/", "("):
                parts.append("*")
            if mark in "*/" and (not parts or parts[-1] in ("*", "/", "(")):
                if mark == "/" and not parts:
                    parts.append("1")
                else:
                    return None
            parts.append(mark)
        position = match.end()
    if not symbols or parts[-1] in ("*", "/") or parts.count("(") != parts.count(")"):
        return None
    return "".join(parts)


def _power(text: str) -> str:
    number = text.strip()
    return str(float(number)) if "." in number else str(int(number))


_DIFFERENCES = {"degC": "K", "C": "K", "degF": "delta_degF"}
"""Scales of temperature within a compound unit, where they can only mean a difference of temperatures."""


def _symbol_names(word: str, *, glue: bool, compound: bool) -> str | None:
    """Return the Pint names of one word: a symbol, or several written without a space when ``glue``."""
    if not glue:
        if word in _DIFFERENCES and compound:
            return _DIFFERENCES[word]
        if word == "C":
            return "degC"
        if word == "k" and not compound:
            return None
        if word in ("A", "F", "h", "hr", "s", "t", "N", "V", "m", "L", "l", "S", "oz") and not compound:
            return SYMBOLS[word] if word in ("m", "s", "V", "N", "L", "l") else None
        return SYMBOLS.get(word)
    names: list[str] = []
    rest = word
    while rest:
        last = _DIFFERENCES.get(rest)
        symbol = rest if last else next((s for s in GLUED if rest.startswith(s)), None)
        if symbol is None or len(names) > 3:
            return None
        names.append(last or SYMBOLS[symbol])
        rest = rest[len(symbol) :]
    return names[0] if len(names) == 1 else f"({'*'.join(names)})"
