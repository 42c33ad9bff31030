"""The columns of a result of RadonPy: which of them are values of a property."""

from affinecal_gui.tables.simulations.known_columns import known_column
from affinecal_gui.tables.units.properties import Property, find_property
from affinecal_gui.tables.units.property_names import property_by_name

_CONDUCTIVITY = frozenset(("thermal_conductivity", "thermal_diffusivity"))


def of_conductivity(heading: str) -> bool:
    """Whether a column comes from the run for thermal conductivity, which has checks of its own."""
    return heading in _CONDUCTIVITY or heading.startswith("TC_")


def value_quantity(heading: str) -> Property | None:
    """Return the property under a heading of a result; None for ids, flags, settings and whatever is not known by name."""
    known = known_column(heading)
    if known is not None and known.use != "property":
        return None
    return find_property(known.quantity) if known is not None and known.quantity else property_by_name(heading)
