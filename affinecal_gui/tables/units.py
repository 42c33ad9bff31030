"""Units of headings, cells and choices -> factors to the canonical unit of a property.

Pint does the conversion; what this module adds is reading the many ways in which people write a unit. Pint is loaded
when the first unit is converted, not when the program starts.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.errors import shortened
from affinecal_gui.tables.properties import Property

if TYPE_CHECKING:
    import pint

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")

# Symbols as they are written -> names for Pint. Longer ones are tried first when symbols are glued together.
_SYMBOLS: Mapping[str, str] = {
    **{
        name: name
        for name in ("J", "kJ", "MJ", "mJ", "g", "kg", "mg", "K", "mol", "kmol", "mmol", "m", "cm", "mm", "nm")
    },
    **{
        name: name
        for name in ("Pa", "kPa", "MPa", "GPa", "bar", "kbar", "mbar", "atm", "W", "mW", "kW", "s", "ms", "ps")
    },
    **{
        name: name
        for name in ("fs", "ns", "V", "kV", "MV", "Hz", "kHz", "MHz", "GHz", "N", "mN", "kN", "eV", "psi", "dm")
    },
    **{name: name for name in ("pm", "km", "min", "h", "F", "C", "mK", "ppm", "percent", "ksi", "kgf", "lb", "ft")},
    "Mg": "Mg",
    "um": "um",
    "µm": "um",
    "μm": "um",
    "µW": "uW",
    "μW": "uW",
    "µs": "us",
    "μs": "us",
    "joule": "J",
    "joules": "J",
    "kelvin": "K",
    "k": "K",  # a mere k is Boltzmann's constant elsewhere; in a unit it is a careless kelvin
    "gram": "g",
    "grams": "g",
    "gm": "g",
    "kilogram": "kg",
    "Kg": "kg",
    "KG": "kg",
    "KJ": "kJ",
    "mole": "mol",
    "moles": "mol",
    "Mol": "mol",
    "MOL": "mol",
    "cal": "cal",
    "kcal": "kcal",
    "Kcal": "kcal",
    "L": "L",
    "l": "L",
    "mL": "mL",
    "ml": "mL",
    "cc": "cm**3",
    "ccm": "cm**3",
    "degC": "degC",
    "degF": "degF",
    "\u00c5": "angstrom",
    "\u212b": "angstrom",
    "angstrom": "angstrom",
    "Angstrom": "angstrom",
    "A": "angstrom",
    "%": "percent",
    "°": "degree",
    "deg": "degree",
    "Da": "Da",
    "amu": "Da",
    "dyn": "dyn",
    "erg": "erg",
    "BTU": "BTU",
    "Btu": "BTU",
}
_GLUED = tuple(sorted((s for s in _SYMBOLS if s.isalpha() and s not in ("mK",)), key=len, reverse=True))
DIMENSIONLESS = frozenset(("", "-", "–", "—", "1", "[-]", "(-)", "dimensionless", "none", "ohne", "無次元", "n/a"))
_REPEAT_UNIT = re.compile(
    r"(?:of\s+)?(?:the\s+)?(?:repeat(?:ing)?[\s-]*units?|monomer(?:[\s-]*units?)?|r\.?u\.?|ru|unit)\b", re.IGNORECASE
)
_FORMULA = re.compile(r"mol(?:\s*of)?\s*\(?((?:[A-Z][a-z]?\d*){1,8})\)?(?![a-z])")
_ATOMIC_MASSES = {"H": 1.008, "C": 12.011, "N": 14.007, "O": 15.999, "F": 18.998, "S": 32.06, "Cl": 35.45, "Si": 28.085}


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
    return _conversion(written, quantity.unit, quantity.title, quantity.other_units)


@lru_cache(maxsize=4096)
def _conversion(written: str, canonical: str, title: str, others: tuple[str, ...]) -> Conversion:
    if written in DIMENSIONLESS:
        raise UnitProblem(f"a value without unit cannot become {canonical}")
    readings = _readings(written)
    if not readings:
        units = " or ".join(", ".join((canonical, *others)).rsplit(", ", 1))
        accepted = f"; {title.lower()} can be in {units}" if canonical else "; it is a number without unit"
        raise UnitProblem(f"“{shortened(written)}” is not a unit that is known here{accepted}")
    wanted = _readings(canonical) if canonical else ()
    if canonical and not wanted:
        raise UnitProblem(
            f"the unit {shortened(canonical)} of {shortened(title)} is not one that others can be converted to"
        )
    registry = _registry()
    target = registry.Quantity(registry.parse_expression(wanted[0].expression)) if wanted else registry.Quantity(1.0)
    for reading in readings:
        if reading.expression in ("degC", "degF"):
            if target.dimensionality != registry.kelvin.dimensionality:
                continue
            zero = registry.Quantity(0.0, reading.expression).to(target.units).magnitude
            one = registry.Quantity(1.0, reading.expression).to(target.units).magnitude
            return Conversion(written, round(float(one - zero), 12), float(zero))
        try:
            quantity: Any = registry.Quantity(registry.parse_expression(reading.expression))
        except Exception as error:  # noqa: BLE001 - Pint raises many kinds for texts that are no unit
            del error
            continue
        if quantity.dimensionality == target.dimensionality and not reading.per_mole_of:
            return Conversion(written, _tidy(float((quantity / target).to("dimensionless").magnitude)))
        per_mass = quantity * registry.Quantity(1.0, "mol/g")
        if per_mass.dimensionality == target.dimensionality:
            factor = float((per_mass / target).to("dimensionless").magnitude)
            if reading.formula_mass:
                return Conversion(written, factor / reading.formula_mass, 0.0, reading.per_mole_of)
            return Conversion(written, _tidy(factor), 0.0, "repeat unit")
    raise UnitProblem(
        f"“{shortened(written)}” is not a unit of {title.lower()}; "
        + (f"{canonical} or its like is needed" if canonical else "it is a number without unit")
    )


def _tidy(factor: float) -> float:
    """Remove the rounding error of a factor that is a short decimal number."""
    short = float(f"{factor:.12g}")
    return short if math.isclose(short, factor, rel_tol=1e-13) else factor


def unbracketed(text: str) -> str:
    """Take away the brackets around a unit, and blanks."""
    stripped = " ".join(text.split())
    pairs = {"[": "]", "(": ")", "{": "}", "<": ">", "（": "）", "【": "】", "［": "］"}
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


LONGEST_UNIT = 200  # letters


@lru_cache(maxsize=4096)
def _readings(written: str) -> tuple[_Reading, ...]:
    """Return every sensible reading of a unit text, the most literal one first; of one that is too long for a unit none."""
    if len(written) > LONGEST_UNIT:
        return ()
    text = written.replace("℃", "°C").replace("℉", "°F").replace("（", "(").replace("）", ")").replace("／", "/")
    text = re.sub(r"(?:°\s*|\bdegrees?\s*|\bdeg\.?\s*)([CFK])\b", lambda m: "K" if m[1] == "K" else f"deg{m[1]}", text)
    text = re.sub(r"\b[Cc]elsius\b", "degC", text)
    text = re.sub(r"([⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+)", lambda m: "^" + m[1].translate(_SUPERSCRIPTS), text)
    text = re.sub(r"[·⋅•∙×＊・･]", "*", text).replace("−", "-").replace("–", "-").replace("**", "^")
    text = re.sub(r"\^\s*\{\s*([+-]?\d+)\s*\}|\^\s*\(\s*([+-]?\d+)\s*\)", lambda m: "^" + (m[1] or m[2]), text)
    text = re.sub(r"\bper\b", "/", text)
    text = re.sub(r"^(\s*(?:1e[+-]?\d+|10\s*\^\s*[+-]?\d+))[\s*]*1\s*/", r"\1 /", text)  # "10^-6 1/K"
    text = re.sub(r"^\s*(?:1e([+-]?\d+)|10\s*\^\s*([+-]?\d+))\s*(?=[A-Za-z/(*°])\*?", _power_of_ten, text)
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
    for variant in (text, _denominator_gathered(text), _slash_assumed(text)):
        for glue in (False, True):
            expression = _expression(variant, glue=glue)
            if expression is not None and all(expression != reading.expression for reading in found):
                found.append(_Reading(expression, per_mole_of, mass))
    return tuple(found)


def _power_of_ten(match: re.Match[str]) -> str:
    following = match.string[match.end() : match.end() + 1]
    return f"1e{match[1] or match[2]}" + ("" if following == "/" else "*")


def _formula_mass(formula: str) -> float:
    total = 0.0
    for element, count in re.findall(r"([A-Z][a-z]?)(\d*)", formula):
        if element not in _ATOMIC_MASSES:
            return 0.0
        total += _ATOMIC_MASSES[element] * int(count or 1)
    return total


def _denominator_gathered(text: str) -> str:
    """Put everything behind the first slash below the line, as in "kJ/kg·K", "W/m-K" and "J/g.K"."""
    above, slash, below = text.partition("/")
    if not slash:
        return text
    below = re.sub(r"[()]", " ", below)
    below = re.sub(r"(?<=[A-Za-z°\d])\s*[-.](?=\s*[A-Za-z])", "*", below).replace("/", "*")
    below = re.sub(r"\s*\*\s*|\s+", "*", below.strip()).strip("*")
    return f"{above.strip() or '1'}/({below})"


def _slash_assumed(text: str) -> str:
    """Read "g cm3", as headings without special characters spell it, as "g/cm3"."""
    words = text.split()
    if len(words) < 2 or any(mark in text for mark in "/-(^*"):
        return text
    return f"{words[0]}/({'*'.join(words[1:])})"


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?P<word>[A-Za-zÅÅµμ°%]+)|(?P<power>\^\s*[+-]?\d+)|(?P<mark>[*/().]))"
)


def _expression(text: str, *, glue: bool) -> str | None:
    """Return the text as an expression for Pint, or None when it has a part that is no unit symbol."""
    parts: list[str] = []
    position = 0
    symbols = 0
    compound = bool(re.search(r"[/^*\s]", text.strip()))
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
            parts[-1] += f"**{int(match['power'][1:].strip())}"
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


def _symbol_names(word: str, *, glue: bool, compound: bool) -> str | None:
    """Return the Pint names of one word: a symbol, or several written without a space when ``glue``."""
    if not glue:
        if word in ("degC", "C") and compound:
            return "K"  # a difference of temperatures
        if word == "degF" and compound:
            return "delta_degF"
        if word == "C":
            return "degC"
        if word == "k" and not compound:
            return None
        if word in ("A", "F", "h", "s", "N", "V", "m", "L", "l") and not compound:
            return _SYMBOLS[word] if word in ("m", "s", "V", "N", "L", "l") else None
        return _SYMBOLS.get(word)
    names: list[str] = []
    rest = word
    while rest:
        symbol = next((s for s in (("degC", "C") if rest in ("degC", "C") else _GLUED) if rest.startswith(s)), None)
        if symbol is None or len(names) > 3:
            return None
        names.append("K" if symbol in ("degC", "C") else _SYMBOLS[symbol])
        rest = rest[len(symbol) :]
    return names[0] if len(names) == 1 else f"({'*'.join(names)})"
