"""Which columns hold pressures at which values hold, and what a pressure is in megapascal, and in words."""

from functools import lru_cache

from affinecal_gui.tables.headings.heading_words import PRESSURES
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion

ATMOSPHERE = 0.101325  # MPa

_PER_GIGAPASCAL = 1000.0  # MPa


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


def pressure_in_words(megapascal: float) -> str:
    """Return a pressure as it stands in a sentence: that of the air as 1 atm."""
    return "1 atm" if abs(megapascal - ATMOSPHERE) < 0.002 else f"{megapascal:.3g} MPa"
