"""Which columns hold pressures of values, which one a heading states, and what a pressure is in megapascal, and in words."""

import re
from functools import lru_cache

from affinecal_gui.tables.headings.heading_conditions import without_conditions
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import PRESSURES
from affinecal_gui.tables.headings.stated_amounts import NO_RATE, OF_HISTORY, as_prose, the_only
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion

ATMOSPHERE = 0.101325  # MPa

_PER_GIGAPASCAL = 1000.0  # MPa
_SAME = 0.02  # MPa

_UNIT = (
    r"(?:[MGkh]?Pa|M[Pp][Aa]|mpa|gpa|[km]?bar|atm|psi|PSI|ksi|[tT]orr|mmHg)"  # no millipascal: that is of viscosities
)
_NUMBER = r"\d+(?:[.,]\d+)?"
_STATED = re.compile(
    rf"(?P<introduced>\b(?:at|bei|à|a|en|under|unter|sous)\s+|@\s*|\b(?:[pP]|press\.?|pressure|Druck|pression)\s*[=:]\s*)?"
    rf"(?<![\w.,^+\-−–±×*·⋅/<>≤≥])(?<!\d\s)(?<![×x*·⋅/^±]\s)(?P<number>{_NUMBER})\s*(?P<unit>{_UNIT})"
    rf"{NO_RATE}(?!\s*(?:m\b|m1|√))"  # "10 MPa m^0.5" is a toughness
)
_RANGE = re.compile(rf"\d\s*{_UNIT}?\s*(?:[-−–—~]|to|bis|\.\.\.?|…)\s*{_NUMBER}\s*{_UNIT}")
_IN_DIVISOR = re.compile(r"/\s*\([^()]*$")  # "cm3/(s 10 bar)"
_EMPTY = re.compile(r"[(\[]\W*[)\]]|(?<=[(\[])[\s,;]+|[\s,;]+(?=[)\]])")
_OF_LOADS = re.compile(
    r"\b(?:HDT|DTUL|load|stress|creep|deflection|fatigue|last|spannung|kriech|wärmeform|contrainte|charge|fluage)",
    re.IGNORECASE,
)
"""What pulls or bends a specimen, at the pressure of the air: "HDT (1.8 MPa)"."""


@lru_cache(maxsize=1024)
def is_pressure_heading(name: str, unit: str) -> bool:
    """Whether a heading names the pressure; a mere p does so with a unit of pressure beside it.

    >>> is_pressure_heading("Druck", ""), is_pressure_heading("p", "bar"), is_pressure_heading("P", "")
    (True, True, False)
    """
    plain = simplified(name)
    return plain in PRESSURES or (plain == "p" and in_megapascal(1.0, unit) == in_megapascal(1.0, unit))


@lru_cache(maxsize=4096)
def in_megapascal(value: float, unit: str) -> float:
    """Return a pressure in MPa; nan where the unit is none of pressure.

    >>> round(in_megapascal(1.0, "atm"), 6), in_megapascal(1.0, "K")
    (0.101325, nan)
    """
    try:
        return (
            value * conversion(unit, find_property("bulk_modulus")).factor * _PER_GIGAPASCAL if unit else float("nan")
        )
    except UnitProblem:
        return float("nan")


@lru_cache(maxsize=4096)
def pressure_in_heading(heading: str) -> float:
    """Return the one pressure at which the values below a heading hold, MPa; nan where it states none, several, or a range.

    A number before the unit of the values is none of them: it takes a word such as "at", another unit, or a quantity that
    is no pressure itself.

    >>> pressure_in_heading("density at 100 MPa (g/cm3)"), pressure_in_heading("ρ(100 MPa)")
    (100.0, 100.0)
    >>> pressure_in_heading("modulus (GPa)"), pressure_in_heading("E (1000 MPa)"), pressure_in_heading("HDT (1.8 MPa)")
    (nan, nan, nan)
    """
    text = as_prose(heading)
    stated = [] if _RANGE.search(text) or OF_HISTORY.search(text) or _OF_LOADS.search(text) else _stated(text)
    return the_only([in_megapascal(float(found["number"].replace(",", ".")), found["unit"]) for found in stated], _SAME)


def _stated(text: str) -> list["re.Match[str]"]:
    """Return where a text states pressures."""
    found = [one for one in _STATED.finditer(text) if not _IN_DIVISOR.search(text[: one.start()])]
    if not found or any(one["introduced"] for one in found):
        return found
    name, unit = split_heading(_EMPTY.sub(" ", _STATED.sub(" ", text)).strip(" ,;:"))
    quantity = property_by_name(name) or property_by_name(without_conditions(name))
    is_apart = bool(unit) or (quantity is not None and not in_megapascal(1.0, quantity.unit) > 0.0)
    return found if is_apart else []


def pressure_in_words(megapascal: float) -> str:
    """Return a pressure as it stands in a sentence: that of the air as 1 atm."""
    return "1 atm" if abs(megapascal - ATMOSPHERE) < 0.002 else f"{megapascal:.3g} MPa"
