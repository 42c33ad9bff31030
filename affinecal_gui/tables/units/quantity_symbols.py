"""Symbols of base quantities, as ISO 80000 writes them, and the units that each can have.

"Mass m / kg" divides at the slash and "speed m / s" does not: only what the symbol stands for tells a quantity in front of a
unit from the beginning of a unit.
"""

import re

_MASS = "kg g mg ug µg μg Mg"
_LENGTH = "m dm cm mm um µm μm nm pm km Å Angstrom angstrom"
_AREA = "m2 dm2 cm2 mm2 um2 µm2 μm2 nm2 Å2"
_VOLUME = "m3 dm3 cm3 mm3 nm3 Å3 L l mL ml cc ccm"
_TIME = "s ms us µs μs ns ps fs min h"
_TEMPERATURE = "K C °C ℃ degC"
_PRESSURE = "Pa kPa MPa GPa bar mbar kbar atm psi"
_FORCE = "N kN mN"
_ENERGY = "J kJ MJ mJ eV cal kcal"
_AMOUNT = "mol mmol kmol"
_POWER = "W kW mW"

_UNITS: dict[str, frozenset[str]] = {
    symbol: frozenset(units.split())
    for symbols, units in (
        ("m", _MASS),
        ("M", f"{_MASS} Da kDa"),
        ("l L d D h r R", _LENGTH),
        ("A", _AREA),
        ("V", _VOLUME),
        ("t τ", _TIME),
        ("T θ ϑ", _TEMPERATURE),
        ("p", _PRESSURE),
        ("P", f"{_PRESSURE} {_POWER}"),
        ("F", _FORCE),
        ("E", f"{_ENERGY} {_PRESSURE}"),  # energy, or Young's modulus
        ("H Q U", _ENERGY),  # no W for work, which is a watt in "W / m K"
        ("n", _AMOUNT),
    )
    for symbol in symbols.split()
}

_FIGURES = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def is_quantity_symbol(symbol: str) -> bool:
    """Whether a text is the symbol of a base quantity."""
    return symbol in _UNITS


def has_unit(symbol: str, unit: str) -> bool:
    """Whether a quantity with this symbol, with or without a subscript, can have this unit.

    >>> has_unit("m", "kg"), has_unit("M_w", "kg"), has_unit("m", "s")
    (True, True, False)
    """
    base = re.sub(r"_\{?\w{1,4}\}?$|(?<=^M)[nvwz]$", "", symbol)
    plain = re.sub(r"[\s^]", "", unit.translate(_FIGURES))
    return plain in _UNITS.get(base, ())
