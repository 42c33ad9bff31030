"""Which columns hold pressures at which values hold, and what a pressure is in megapascal."""

from functools import lru_cache

from affinecal_gui.tables.headings.heading_words import PRESSURES
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.units.units import UnitProblem, conversion

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
