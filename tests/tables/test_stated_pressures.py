"""The pressure at which values hold is read where a heading states it, and never taken from the unit of the values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.headings.stated_pressures import pressure_in_heading
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.units.properties import PROPERTIES, Property
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.value_conditions import pressures_of_values
from tests.tables.making import pasted


@pytest.mark.parametrize(
    ("heading", "megapascal"),
    [
        ("density at 100 MPa (g/cm3)", 100.0),
        ("ρ(100 MPa)", 100.0),
        ("ρ(100 MPa, 300 K)", 100.0),
        ("density [g/cm3], 200 bar", 20.0),
        ("density (g/cm3) 100 MPa", 100.0),
        ("density_100MPa", 100.0),
        ("density_100_MPa_g_cm3", 100.0),
        ("density (p = 100 MPa)", 100.0),
        ("density, p=1 kbar", 100.0),
        ("density (1,013 bar)", 0.1013),
        ("density at 1 atm", 0.101325),
        ("density, 100 ± 2 MPa (g/cm³)", 100.0),
        ("Dichte bei 1000 bar / g cm-3", 100.0),
        ("V(150 MPa) [cm3/g]", 150.0),
        ("Cp at 450 K, 50 MPa (J/(kg K))", 50.0),
        ("Tg (K) @ 1 kbar", 100.0),
        ("bulk modulus at 100 MPa (GPa)", 100.0),
        ("Bulk modulus (GPa), 100 MPa", 100.0),
        ("bulk modulus at 0.1 MPa", 0.1),
    ],
)
def test_a_heading_states_a_pressure(heading: str, megapascal: float) -> None:
    assert pressure_in_heading(heading) == pytest.approx(megapascal)


@pytest.mark.parametrize(
    "heading",
    [
        *("E (GPa)", "modulus (GPa)", "strength_MPa", "E (10^3 MPa)", "E (×10 MPa)", "E (× 10 MPa)", "E (10-3 MPa)"),
        *("E / 10 MPa", "E 100 MPa", "E (1000 MPa)", "E [10 GPa]", "modulus (100 MPa)", "M300 MPa", "modulus_300_MPa"),
        *(
            "Bulk modulus, 100 MPa",
            "Tensile strength 50 MPa",
            "E ± 5 MPa (GPa)",
            "E' at 1 Hz (MPa)",
            "σ at 100 % (MPa)",
        ),
        *("viscosity (10 mPa s)", "K_IC (10 MPa m^0.5)", "compressibility (10^-4 1/MPa)", "κ (10^-4 bar-1)"),
        *("solubility parameter (MPa^0.5)", "δ (10 MPa^1/2)", "P (cm3 cm/(cm2 s 10 bar))", "Tg (10 MPa/s) (K)"),
    ],
)
def test_units_of_values_are_none(heading: str) -> None:
    assert np.isnan(pressure_in_heading(heading))


@pytest.mark.parametrize(
    "heading",
    [
        *("density 0.1-100 MPa", "density 0.1 to 100 MPa (g/cm3)", "density at 10 MPa and 100 MPa"),
        *("density (moulded at 10 MPa)", "HDT (1.8 MPa) (°C)", "creep at 10 MPa (%)"),
    ],
)
def test_ranges_loads_and_what_was_done_before_are_none(heading: str) -> None:
    assert np.isnan(pressure_in_heading(heading))


@given(
    st.sampled_from(PROPERTIES),
    st.sampled_from(["{} ({})", "{} [{}]", "{}, {}", "{} / {}", "{} in {}", "{}_{}"]),
    st.sampled_from(["", "10^3 ", "10 ", "100 ", "10^-6 "]),
    st.sampled_from(["MPa", "GPa", "Pa", "bar"]),
)
def test_no_unit_of_a_pressure_is_a_condition_of_it(quantity: Property, pattern: str, power: str, unit: str) -> None:
    heading = pattern.format(quantity.title, f"{power if quantity.unit == 'GPa' else ''}{unit}")
    assert np.isnan(pressure_in_heading(heading))


@given(
    st.sampled_from(PROPERTIES), st.integers(1, 999), st.sampled_from(["{} at {} ({})", "{} ({}) [{}]", "{}, {} ({})"])
)
def test_a_pressure_beside_a_unit_is_a_condition_of_every_property(
    quantity: Property, megapascal: int, pattern: str
) -> None:
    heading = pattern.format(quantity.title, f"{megapascal} MPa", quantity.unit or "1")
    assert pressure_in_heading(heading) == pytest.approx(megapascal)


def test_a_column_of_pressures_counts_more_than_the_heading() -> None:
    raw = pasted("smiles,density at 100 MPa (g/cm3),P (MPa)\n*CC*,0.9,50\n*CC(*)C,0.9,\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("md"))
    assert pressures_of_values(table, "md", "density") == pytest.approx([50.0, 100.0])
    assert pressures_of_values(table, "md", "Cp") == pytest.approx([50.0, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    "heading", ["density_100MPa", "density_1000bar", "density_1kbar", "density_300K_100MPa", "ρ(100 MPa)"]
)
def test_a_heading_with_a_pressure_is_known_by_its_property(heading: str) -> None:
    raw = pasted(f"smiles,{heading}\n*CC*,0.9\n*CC(*)C,0.9\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("md"))
    assert pressures_of_values(table, "md", "density") == pytest.approx([100.0, 100.0])
    assert table.has("md", "density")


@pytest.mark.parametrize("heading", ["Young's modulus_MPa", "E (MPa)", "tensile strength_GPa"])
def test_a_heading_with_a_unit_of_pressure_states_none(heading: str) -> None:
    raw = pasted(f"smiles,{heading}\n*CC*,900\n*CC(*)C,800\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("md"))
    for kind, key in table.values:
        assert pressures_of_values(table, kind, key) is None
