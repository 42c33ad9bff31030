"""The molar mass of a repeat unit, for values that are given per mole of it."""

from affinecal_gui.polymers.copolymers.composition import Composition
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

_HYDROGEN = 1.008  # g/mol


def molar_mass(unit: RepeatUnit) -> float:
    """Return the molar mass of a repeat unit as it is written, in g/mol; its attachment points weigh nothing."""
    return float(sum(atom.GetMass() + _HYDROGEN * atom.GetTotalNumHs() for atom in unit.molecule.GetAtoms()))


def mean_molar_mass(composition: Composition) -> float:
    """Return the mean molar mass of the repeat units of a polymer by their mole fractions, in g/mol."""
    pairs = zip(composition.units, composition.fractions, strict=True)
    return sum(fraction * molar_mass(unit) for unit, fraction in pairs)
