"""The temperature at which values hold is read where a table states it: in a column, a heading, a line above, in words."""

import numpy as np
import pytest

from affinecal_gui.tables.headings.stated_temperatures import temperature_in_heading, temperature_in_line
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.value_conditions import comparable_temperatures, temperatures_of_values
from tests.tables.making import pasted, polymers


@pytest.mark.parametrize(
    ("heading", "kelvin"),
    [
        ("Cp at 450 K (J/(kg K))", 450.0),
        ("Cp [J/(kg·K)] @450K", 450.0),
        ("Cp_450K_J_kgK", 450.0),
        ("Cp300K", 300.0),
        ("density_25C", 298.15),
        ("rho at −20 °C", 253.15),
        ("density (g/cm3), 77 °F", 298.15),
        ("E' (23 °C, 50 % RH)", 296.15),
        ("Cp, 298 ± 2 K", 298.0),
        ("Cp at 450 K / J g-1 K-1", 450.0),
    ],
)
def test_a_heading_states_a_temperature(heading: str, kelvin: float) -> None:
    assert temperature_in_heading(heading) == pytest.approx(kelvin)


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Tg (DSC, 10 K/min)",
            "Cp (10 K min^-1)",
            "Cp (10 K / min)",
            "CTE 25-100 °C",
            "CTE 25 to 100 °C",
            "T (K)",
            "α (10^-6 K^-1)",
        ),
        *("C6 (C)", "Cp at 300 K and 350 K", "J/(kg K)", "n_D^20", "2 C-C bonds"),
    ],
)
def test_rates_ranges_and_units_are_none(heading: str) -> None:
    assert np.isnan(temperature_in_heading(heading))


def test_in_prose_a_temperature_is_introduced_by_words() -> None:
    assert temperature_in_line("# simulated at 450 K, 1 atm") == 450.0
    assert temperature_in_line("NPT, T = 300 K") == 300.0
    assert np.isnan(temperature_in_line("# cooled from 600 K at 10 K/min"))
    assert np.isnan(temperature_in_line("densities at 300 K, heat capacities at 450 K"))


@pytest.mark.parametrize(
    "text", ["equilibrated at 600 K", "dried at 80 °C", "# annealed at 450 K", "cured at 120 °C, 2 h"]
)
def test_temperatures_of_what_was_done_before_are_not_those_of_values(text: str) -> None:
    assert np.isnan(temperature_in_line(text))


@pytest.mark.parametrize(
    "text",
    [
        "smiles,Cp (J/(kg K)),T (K)\n*CC*,2300,450\n*CC(*)C,1900,450\n",
        "smiles,Cp at 450 K (J/(kg K))\n*CC*,2300\n*CC(*)C,1900\n",
        "# simulated at 450 K\nsmiles,Cp (J/(kg K))\n*CC*,2300\n*CC(*)C,1900\n",
        "smiles,Cp (J/(kg K)),conditions\n*CC*,2300,NPT; 450 K\n*CC(*)C,1900,NPT; 450 K\n",
    ],
)
def test_every_way_to_state_it_counts_and_words_are_told(text: str) -> None:
    raw = pasted(text)
    table = to_polymer_table(raw, guess_roles(raw).with_kind("md"))
    kelvin = temperatures_of_values(table, "md", "Cp")
    assert kelvin is not None
    assert kelvin.tolist() == [450.0, 450.0]
    is_in_words = "#" in text or "conditions" in text
    assert any("450 K, by line 1" in note or "“conditions”" in note for note in table.notes) == is_in_words


def test_a_column_of_temperatures_counts_more_than_the_heading_and_no_condition_is_one_of_a_glass_transition() -> None:
    table = polymers([("PE", "*CC*", "2300", "310")], "md", "name,smiles,Cp at 450 K,T (K)")
    kelvin = temperatures_of_values(table, "md", "Cp")
    assert kelvin is not None
    assert kelvin.tolist() == [310.0]
    table = polymers([("PE", "*CC*", "250")], "md", "name,smiles,Tg at 1 GPa 450 K (K)")
    assert temperatures_of_values(table, "md", "glass_transition") is None


@pytest.mark.parametrize(
    ("heading", "cell", "kelvin"),
    [
        ("T", "27", 300.15),
        ("T", "25 °C", 298.15),
        ("T", "300", 300.0),
        ("T_meas (°C)", "150", 423.15),
        ("Temperature of measurement (K)", "450", 450.0),
        ("T_sim (K)", "450", 450.0),
        ("T (°C)", "23 ± 2", 296.15),
        ("state", "melt at 450 K", 450.0),
    ],
)
def test_a_column_of_temperatures_is_read_in_its_own_unit_or_that_of_its_cells(
    heading: str, cell: str, kelvin: float
) -> None:
    raw = pasted(f"smiles,Cp (J/(kg K)),{heading}\n*CC*,2300,{cell}\n*CC(*)C,1900,{cell}\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.temperature is not None
    assert table.temperature.tolist() == pytest.approx([kelvin] * 2)
    assert any("its temperatures are read as °C" in note for note in table.notes) == (cell == "27")


@pytest.mark.parametrize(
    ("heading", "cells", "kelvin", "told"),
    [
        (
            "T",
            ["300", "-5", "300"],
            [300.0, np.nan, 300.0],
            "T: 1 temperature is not used, line 3: “-5” is not above 0 K.",
        ),
        (
            "T",
            ["0", "300", "310"],
            [np.nan, 300.0, 310.0],
            "T: 1 temperature is not used, line 2: “0” is not above 0 K.",
        ),
        (
            "T (K)",
            ["300", "0", "-10 K"],
            [300.0, np.nan, np.nan],
            "T (K): 2 temperatures are not used, line 3: “0” is not above 0 K.",
        ),
        (
            "T (°C)",
            ["25", "-300", "-5"],
            [298.15, np.nan, 268.15],
            "T (°C): 1 temperature is not used, line 3: “-300” is not above 0 K.",
        ),
        ("T", ["-5 °C", "0 °C", "300"], [268.15, 273.15, 300.0], ""),
    ],
)
def test_temperatures_that_cannot_be_are_not_used_and_told(
    heading: str, cells: list[str], kelvin: list[float], told: str
) -> None:
    rows = zip(["*CC*", "*CC(*)C", "*CC(*)CC"], cells, strict=True)
    raw = pasted(f"smiles,Cp (J/(kg K)),{heading}\n" + "".join(f"{unit},2300,{cell}\n" for unit, cell in rows))
    table = to_polymer_table(raw, guess_roles(raw).with_kind("md"))
    assert comparable_temperatures(table, "md", "Cp") == pytest.approx(kelvin, nan_ok=True)
    assert [note for note in table.notes if "not used" in note] == ([told] if told else [])


def test_a_line_below_the_table_counts_and_remarks_are_told() -> None:
    raw = pasted("smiles,Cp (J/(kg K))\n*CC*,2300\n*CC(*)C,1900\n# measured at 450 K\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.temperature is not None
    assert table.temperature.tolist() == [450.0, 450.0]
    raw = pasted("smiles,Cp (J/(kg K)),remarks\n*CC*,2300,at 450 K\n*CC(*)C,1900,\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.temperature is None
    assert any("“remarks” names temperatures (“at 450 K”), which are not compared" in note for note in table.notes)


@pytest.mark.parametrize("cell", ["2300 at 450 K", "2300 (450 K)", "2.3 kJ/(kg K) at 450 K"])
def test_temperatures_behind_numbers_are_those_of_the_values(cell: str) -> None:
    raw = pasted(f"smiles,Cp (J/(kg K)),Tg (K)\n*CC*,{cell},250\n*CC(*)C,1900,260\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.temperature is not None
    np.testing.assert_array_equal(table.temperature, [450.0, np.nan])
    assert "The temperatures behind the numbers of “Cp (J/(kg K))” are taken to be those of its values." in table.notes
    assert table.values[("measured", "Cp")].values.tolist() == pytest.approx([2300.0, 1900.0])


def test_a_temperature_behind_one_of_two_properties_is_not_that_of_the_other() -> None:
    raw = pasted("smiles,Cp (J/(kg K)),density (g/cm3)\n*CC*,2300 at 450 K,0.9\n*CC(*)C,1900,0.9\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.temperature is None
    assert any("a condition behind the number, which is left out of it" in one for one in table.remarks("Cp"))
