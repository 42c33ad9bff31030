"""What is classical in the heat capacity of a simulation: Einstein's function, limits, shares, and measured values."""

import csv
import math

import numpy as np
import pytest

from affinecal_gui.bundled import resources
from affinecal_gui.calibration.einstein import einstein_ratio
from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.copolymers.composition_spectrum import spectrum_of
from affinecal_gui.polymers.vibrations.heat_capacity import (
    GAS_CONSTANT,
    HeatCapacityError,
    Surplus,
    classical_surplus,
    corrected_heat_capacity,
    heat_capacity_curve,
    quantum_fraction,
    surplus_of_sites,
)
from affinecal_gui.polymers.vibrations.normal_modes import Spectrum, vibrations


def one_mode(wavenumber: float) -> Spectrum:
    free, none = np.ones(1), np.zeros(1, dtype=bool)
    return Spectrum(np.array([wavenumber]), free, none, none, 1000.0)


@pytest.mark.parametrize("wavenumber", [1.0, 100.0, 1000.0, 3000.0])
def test_a_mode_holds_what_einstein_says(wavenumber: float) -> None:
    u = 1.438776877 * wavenumber / 300.0
    assert quantum_fraction(np.array([wavenumber]), 300.0)[0] == pytest.approx(einstein_ratio(u), rel=1e-12)
    # One mode in a unit of 1 kg/mol: its surplus is R (1 - E), in J/(kg K).
    found = classical_surplus(one_mode(wavenumber), 300.0)
    assert found.heat_capacity == pytest.approx(GAS_CONSTANT * (1 - einstein_ratio(u)), rel=1e-9)


def test_a_mode_without_frequency_has_no_surplus_and_a_frozen_one_is_all_surplus() -> None:
    assert quantum_fraction(np.array([0.0, 1e9]), 300.0) == pytest.approx([1.0, 0.0])
    assert classical_surplus(one_mode(0.0), 300.0).heat_capacity == pytest.approx(0.0)
    assert classical_surplus(one_mode(1e9), 300.0).heat_capacity == pytest.approx(GAS_CONSTANT)


def test_polyethylene_at_room_temperature() -> None:
    """By hand from the 18 modes of C2H4 at k = 0 and pi: R (14 - sum E) / 28.054 g/mol is about 2.6 kJ/(kg K)."""
    assert classical_surplus(spectrum_of("*CC*"), 300.0).heat_capacity == pytest.approx(2618.4, abs=0.2)


def test_what_is_held_rigid_counts_as_missing() -> None:
    spectrum = spectrum_of("*CC*")
    free, held = (classical_surplus(spectrum, 300.0, name) for name in ("none", "hydrogen"))
    assert free.quantum == held.quantum
    assert free.classical - held.classical == pytest.approx(4 * GAS_CONSTANT / 0.028054, rel=1e-6)


def test_the_surplus_vanishes_when_it_is_hot() -> None:
    spectrum = spectrum_of("*CC(*)c1ccccc1")
    cold, warm, hot = (classical_surplus(spectrum, kelvin, "none").heat_capacity for kelvin in (100.0, 300.0, 1e6))
    assert cold > warm > hot
    assert hot == pytest.approx(0.0, abs=0.1)


def test_the_shares_of_atoms_add_up_to_the_surplus() -> None:
    found = vibrations("*CC(*)(C)C(=O)OC")
    parts = surplus_of_sites(found, 300.0)
    assert parts.sum() == pytest.approx(classical_surplus(found.spectrum, 300.0).heat_capacity)
    assert np.all(parts > 0.0)


def test_a_copolymer_is_the_mean_of_its_homopolymers_by_mass() -> None:
    first, second = spectrum_of("*CC*"), spectrum_of("*CC(*)c1ccccc1")
    mixed = spectrum_of("*CC*|*CC(*)c1ccccc1|0.7|0.3")
    masses = np.array([0.7 * first.molar_mass, 0.3 * second.molar_mass])
    parts = np.array([classical_surplus(one, 300.0).heat_capacity for one in (first, second)])
    assert classical_surplus(mixed, 300.0).heat_capacity == pytest.approx(parts @ masses / masses.sum())


@pytest.mark.parametrize("kelvin", [0.0, -25.0, math.nan, math.inf])
def test_a_temperature_that_is_not_positive_is_refused(kelvin: float) -> None:
    with pytest.raises(HeatCapacityError, match="must be a positive number of kelvin"):
        classical_surplus(one_mode(1000.0), kelvin)


def test_a_value_below_the_correction_is_refused() -> None:
    with pytest.raises(
        HeatCapacityError, match=r"The MD value 1\.5 J/\(kg K\) is not above the quantum correction of 2618"
    ):
        corrected_heat_capacity(1.5, Surplus(2618.0, 1000.0, 3618.0))


def test_the_curve_rises_with_temperature_and_goes_through_the_corrected_value() -> None:
    spectrum = spectrum_of("*CC*")
    curve = heat_capacity_curve(4699.0, spectrum, np.array([100.0, 300.0, 600.0]))
    assert np.all(np.diff(curve) > 0.0)
    assert curve[1] == pytest.approx(corrected_heat_capacity(4699.0, classical_surplus(spectrum, 300.0)))


def test_the_bundled_measured_values_are_met_with_nothing_fitted() -> None:
    """Root mean square error of ln Cp over the 62 polymers of the example with an MD value: 0.826 as it is."""
    examples = resources() / "examples"
    with (examples / "md_radonpy.csv").open(encoding="utf-8", newline="") as file:
        simulated = {identity_of(row["smiles"]).key: row for row in csv.DictReader(file) if row["Cp"]}
    errors = []
    with (examples / "heat_capacity_measured.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            partner = simulated.get(identity_of(row["smiles"]).key)
            if partner is not None:
                surplus = classical_surplus(spectrum_of(partner["smiles"]), float(partner["temp"]))
                corrected = corrected_heat_capacity(float(partner["Cp"]), surplus)
                errors.append(math.log(corrected / float(row["Cp [J/(kg K)]"])))
    assert len(errors) == 62
    assert math.sqrt(np.mean(np.square(errors))) < 0.185
