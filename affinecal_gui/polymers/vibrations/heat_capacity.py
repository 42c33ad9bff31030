"""What quantum mechanics takes from the heat capacity of a classical simulation, from the normal modes.

A classical harmonic mode holds R whatever its wavenumber, a quantum one R E(x), with E(x) = x² e^-x / (1 - e^-x)² and
x = h c nu / (k T). Of what a simulation gives, R (1 - E) of every mode that it moves is classical surplus; a mode that it
holds rigid lacks R E. What it knows beyond the harmonic model stays as it is.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.errors import UserError
from affinecal_gui.numbers import shortest, significant
from affinecal_gui.polymers.vibrations.constraint import Constraint
from affinecal_gui.polymers.vibrations.normal_modes import Spectrum, Vibrations

FloatArray = NDArray[np.float64]

GAS_CONSTANT = 8.31446261815324  # J/(mol K), exact in the SI
_SECOND_RADIATION_CONSTANT = 1.438776877  # h c / k in cm K
_LARGEST_HALF = 350.0  # of x; sinh squared overflows beyond, E is zero long before


class HeatCapacityError(UserError):
    """A heat capacity cannot be corrected; the text says why."""


@dataclass(frozen=True, slots=True)
class Surplus:
    """What is classical in the heat capacity of a simulation."""

    heat_capacity: float  # J/(kg K): to be taken off
    quantum: float  # J/(kg K): of all harmonic modes by quantum mechanics
    classical: float  # J/(kg K): R for each mode that the simulation moves

    @property
    def ratio(self) -> float:
        """The heat capacity of the modes by quantum mechanics over that in the simulation."""
        return self.quantum / self.classical


def quantum_fraction(wavenumbers: FloatArray, temperature: float) -> FloatArray:
    """Return E, the fraction of its classical heat capacity that each mode (cm^-1) holds at a temperature (K)."""
    half = np.minimum(0.5 * _SECOND_RADIATION_CONSTANT * wavenumbers / temperature, _LARGEST_HALF)
    return np.asarray(np.where(half > 1e-6, half / np.sinh(np.maximum(half, 1e-6)), 1.0) ** 2)


def classical_surplus(of: Spectrum, temperature: float, constraint: Constraint = "hydrogen") -> Surplus:
    """Return what a simulation at a temperature holds too much, for what it holds rigid.

    Raises
    ------
    HeatCapacityError
        When the temperature is not a positive number.
    """
    check_temperature(temperature)
    fraction = quantum_fraction(of.wavenumbers, temperature)
    moved = of.moved(constraint)
    per_mass = GAS_CONSTANT / (of.molar_mass / 1000.0)
    quantum = per_mass * float(of.weights @ fraction)
    classical = per_mass * float(of.weights @ moved)
    return Surplus(classical - quantum, quantum, classical)


def check_temperature(temperature: float) -> None:
    """Raise HeatCapacityError when a temperature is not a positive number of kelvin."""
    if not (np.isfinite(temperature) and temperature > 0.0):
        raise HeatCapacityError(
            f"The temperature of a heat capacity must be a positive number of kelvin, not {shortest(temperature)}."
        )


def corrected_heat_capacity(simulated: float, surplus: Surplus) -> float:
    """Return the heat capacity of a simulation, J/(kg K), without what is classical in it.

    Raises
    ------
    HeatCapacityError
        When nothing would be left: the value is not that of a classical simulation in this unit.
    """
    if not simulated > surplus.heat_capacity:
        raise HeatCapacityError(
            f"The MD value {shortest(simulated)} J/(kg K) is not above the quantum correction of "
            f"{significant(surplus.heat_capacity, 4)} J/(kg K), so nothing would be left of it. Check its unit, and which "
            "modes the simulation moves."
        )
    return simulated - surplus.heat_capacity


def heat_capacity_curve(
    simulated: float,
    of: Spectrum,
    temperatures: FloatArray,
    constraint: Constraint = "hydrogen",
) -> FloatArray:
    """Return the heat capacity (t,) at other temperatures, J/(kg K): E at each, all else as in the simulation.

    nan where the correction leaves nothing.
    """
    surplus = np.array([classical_surplus(of, float(one), constraint).heat_capacity for one in temperatures])
    return np.asarray(np.where(simulated > surplus, simulated - surplus, np.nan))


def surplus_of_sites(of: Vibrations, temperature: float, constraint: Constraint = "hydrogen") -> FloatArray:
    """Return the part (S,) of each site of the unit in the surplus, in J/(kg K): by its share in the eigenvectors."""
    check_temperature(temperature)
    spectrum = of.spectrum
    surplus = spectrum.moved(constraint) - quantum_fraction(spectrum.wavenumbers, temperature)
    return np.asarray(GAS_CONSTANT / (spectrum.molar_mass / 1000.0) * ((spectrum.weights * surplus) @ of.shares))
