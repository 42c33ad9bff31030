"""Which properties are corrected for quantum effects. Nothing heavy is imported: the window asks before its first picture."""

from collections.abc import Mapping
from typing import Final

from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.tables.units.properties import Property

HEAT_CAPACITIES: Final = ("Cp", "Cv")
ESTIMATED: Final = ("thermal_conductivity",)
UNIT_OF_SURPLUS: Final = "J/(kg K)"
"""In which the surplus of heat capacities is known."""


MOVED_WORDS: Final[Mapping[Constraint, str]] = {
    "hydrogen": "all of them but the stretching of bonds to hydrogen",
    "all": "all of them but the stretching of bonds",
    "none": "all of them",
}
"""Which vibrations a simulation moves, by what it holds rigid."""


def is_corrected(quantity: Property) -> bool:
    """Whether the MD values of a property hold something classical that is known."""
    return quantity.key in ESTIMATED or (quantity.key in HEAT_CAPACITIES and quantity.unit == UNIT_OF_SURPLUS)
