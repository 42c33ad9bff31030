"""Units as people write them, beside conditions, in columns and in other tables: converted, or quoted and refused."""

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.assembly import Assembly, assemble
from affinecal_gui.study.importing.unit_doubts import refuse_unnamed_units, with_measured_unit
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.units.properties import Property, find_property, own_property
from affinecal_gui.tables.units.property_names import property_by_name
from affinecal_gui.tables.units.units import UnitProblem, conversion
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tasks.reading.data_files import DataFiles, read_study, understood_as
from tests.tables.making import pasted

FOLDER = Path(__file__).parent.parent / "data" / "units"
SMILES = ("*CC*", "*CC(*)C", "*CCO*", "*CC(*)Cl")


def table(heading: str, *cells: str, name: str = "measured.csv") -> str:
    """Return a table as text; ``heading`` may hold several, and each cell of ``cells`` as many, divided by tabs."""
    rows = [f"{smiles}\t{cells[row % len(cells)]}" for row, smiles in enumerate(SMILES)]
    return "\n".join([f"smiles\t{heading}", *rows]) + "\n"


def understood(heading: str, *cells: str) -> PolymerTable:
    return understood_as(pasted(table(heading, *cells), "measured.csv"), "measured").table


def assembled(measured: Path, md: Path) -> Assembly:
    state, _ = read_study(DataFiles(measured, md))
    return assemble(state.tables, state.quantity, state.settings.matching)


def error_of_md(found: Assembly) -> float:
    """Return the root mean square difference of MD and measured values."""
    linked = found.measured_library >= 0
    return float(np.sqrt(np.mean((found.library_md[found.measured_library[linked]] - found.measured[linked]) ** 2)))


@pytest.mark.parametrize(
    ("measured", "md", "error"),
    [
        # Computed by hand from the files, after conversion to the unit that the measured values are kept in.
        ("td_celsius.csv", "td_kelvin.csv", 17.4),
        ("tg_ordinal_sign.csv", "tg_kelvin.csv", 17.9),
        ("tg_dots_of_r.csv", "tg_kelvin.csv", 17.9),
        ("tg_unit_column.csv", "tg_kelvin.csv", 17.9),
        ("modulus_mpa_at_23.csv", "modulus_gpa.csv", 0.25),
        ("cte_power_of_ten.csv", "cte_ppm.csv", 3.6e-6),
        ("permittivity_at_1_ghz.csv", "permittivity.csv", 0.56),
    ],
)
def test_two_tables_that_write_their_units_in_different_ways_are_compared_in_one(
    measured: str, md: str, error: float
) -> None:
    found = assembled(FOLDER / measured, FOLDER / md)
    assert len(found.measured) == 9
    assert error_of_md(found) == pytest.approx(error, rel=0.02)


@pytest.mark.parametrize(
    ("heading", "key", "cell", "expected"),
    [
        *[
            (heading, "glass_transition", "100", 373.15)
            for heading in (
                *("Tg (˚C)", "Tg (⁰C)", "Tg (ᵒC)", "Tg (∘C)", "Tg (oC)", "Tg/oC", "Tg_oC", "Tg [º C]", "Tg (°с)", "Tg (Â°C)"),
                *("Tg (deg. C)", "Tg deg C", "Tg_degC", "Tg (DegC)", "Tg, CELSIUS", "Tg (celcius)", "Tg (centigrade)"),
                *("Tg,°C", "Tg:C", "Tg_C", "tg_c", "Tg_C_exp", "exp_Tg_C", "Tg.C", "Tg (°C)*", "Tg [°C]†", "Tg (unit: °C)"),
                *("Tg..C.", "Tg...C.", "Tg..degC.", "Tg..Celsius.", "X.Tg..C.", "Tg..C..DSC.", "$T_g$ ($^\\circ$C)"),
                *("Tg (°C, DSC)", "Tg (DSC; °C)", "Tg (°C DSC)", "Tg [20 K/min, °C]", "Tg in °C bei 10 K/min", "Tg/°C (DSC)"),
                *("Tg (°C) DSC 2nd heating", "Glasübergang in Grad Celsius", "Transition vitreuse (en °C)"),
                *("temperatura de transición vítrea (grados Celsius)", "玻璃化转变温度（摄氏度）", "Tg(섭씨)"),
                *("ガラス転移温度[℃]", "T<sub>g</sub> (°C)"),
                *("Tg (°C)¹", "Tg (°C)ᵃ", "Tg [°C]a", "Tg (°C)^b", "Tg (°C)¶", "Tg* [°C]", "Tg (゜C)", "Tg (ﾟC)", "Tg (°Cel)"),
                *("Tg (${}^{\\circ}$C)", "Tg (degs C)", "Tg (Gr. C)", "Tg, Cels.", "Tg.in..C", "Tg (tan δ, °C)"),
                *("Ｔｇ（℃）", "Tg (\\u00b0C)", "Tg °C ↓"),
                *("temperatura zeszklenia [st. C]", "Tg / stopnie Celsjusza", "Tg, град. С", "Tg_градусы Цельсия"),
            )
        ],
        *[("Tg (°F)", "glass_transition", "212", 373.15), ("Tg (Rankine)", "glass_transition", "671.67", 373.15)],
        *[
            (heading, "youngs_modulus", "2100", 2.1)
            for heading in (
                *("Young's modulus (MPa, 23 °C)", "E (MPa, 23 °C, 1 Hz)", "Young's modulus (23 °C, MPa)"),
                "E (MPa; 50 % RH; 23 °C)",
                *("Young's modulus / MPa (23 °C)", "Young's modulus [MPa] @ 23 °C", "E-Modul in MPa bei 23 °C"),
                *("Young's modulus (MPa at 1 s-1)", "Young.s.modulus..MPa..23..C.", "tensile modulus, MPa (ISO)"),
                *("E (MN/m2)", "E (N/mm²)"),
            )
        ],
        *[
            (heading, "youngs_modulus", "0.3", gigapascals)
            for heading, gigapascals in (
                *(("E (Msi)", 2.0684271879504), ("E (10^6 psi)", 2.0684271879504)),  # 1 psi = 6894.757293168 Pa
                ("E (daN/mm²)", 0.003),
                *(("E (Mpsi)", 2.0684271879504), ("E (kpsi)", 0.0020684271879504), ("E kpsi", 0.0020684271879504)),
                *(("E (KN/mm²)", 0.3), ("E (lbf/in2)", 2.0684271879504e-6), ("модуль упругости (ГПа)", 0.3)),
            )
        ],
        *[
            (heading, "linear_expansion", "6.4", 6.4e-5)
            for heading in (
                *("CTE (10-5/K)", "CTE (10⁻⁵ K⁻¹)", "CTE (×10⁻⁵ K⁻¹)", "CTE [10^-5 1/K]", "CTE, 10–5/K", "CTE (1E-5/K)"),
                *("CTE (E-5/K)", "CTE, e-5 K-1"),
                *("CTE (10**-5/K)", "CTE (10 -5 /K)", "CTE/10⁻⁵ K⁻¹", "CTE (x10-5 1/°C)", "CTE (1e-05 °C-1)"),
                "CTE (K⁻¹ × 10⁻⁵)",
                *("CTE × 10^5 (1/K)", "10^5 CTE (1/K)", "CTE·10^5, 1/K", "CTE (25-100 °C, 10-5/K)", "CTE at 25 °C, 10-5/K"),
            )
        ],
        *[
            (heading, "linear_expansion", "64", 6.4e-5)
            for heading in ("CTE..ppm.K.", "CTE (µm m⁻¹ °C⁻¹)", "CTE, µm/m·°C", "CTE (um/m/C)", "CTE (ppm K⁻¹, 25 °C)")
        ],
        *[
            (heading, "Cp", "1.5", 1500.0)
            for heading in (
                *("Cp..J.g.1.K.1.", "Cp..J..g.K..", "Cp (J/(g·K), 25 °C)", "Cp [kJ kg⁻¹ K⁻¹; 298 K]"),
                "Cp(298 K), J/(g K)",
            )
        ],
        *[
            (heading, "density", "0.95", 0.95)
            for heading in ("density..g.cm3.", "density..g.cm.3.", "Dichte [g/cm³] bei 23 °C", "density (10^3 kg/m^3)")
        ],
        *[
            (heading, "thermal_conductivity", "0.2", 0.2)
            for heading in ("thermal.conductivity..W..m.K..", "thermal conductivity (W/m°C)", "导热系数 (W/mK, 25 °C)")
        ],
        *[
            (heading, "dielectric_constant", "2.3", 2.3)
            for heading in (
                *("dielectric constant (1 MHz)", "dielectric constant at 1 kHz", "介电常数 (1 GHz)", "誘電率（60 Hz）"),
                *("dielectric constant (10^6 Hz)", "dielectric constant [1 MHz, 23 °C]", "permittivity @ 1 GHz"),
            )
        ],
        *[
            (heading, "density", "68.5", 1.09726474112)  # 0.45359237 kg, 0.3048 m
            for heading in ("density (lb/ft3)", "d (lb/ft3)")
        ],
        ("density (lb/in3)", "density", "0.04", 1.10719618841),  # 453.59237 g, 2.54 cm
        *[
            (heading, "density", "1.2", 1.2)
            for heading in (
                *("плотность, г/см3", "density t/m3", "density_gcm3", "density_gcc", "d (g/cc)", "ρ exp (t/m³)"),
                "density (gram per cubic centimetre)",
            )
        ],
        *[("плотность (кг/м3)", "density", "1200", 1.2), ("теплоемкость, кДж/(кг К)", "Cp", "1.2", 1200.0)],
        *[
            (heading, "Cp", "0.3", 1256.04)  # the international British thermal unit: 4186.8 J/(kg K)
            for heading in ("Cp (Btu/lb°F)", "Cp [BTU/(lb °F)]")
        ],
        *[
            (heading, "thermal_conductivity", "0.2", 0.2)
            for heading in (
                *("k [W/m-K]", "kappa (W/m K)", "TC (W m-1 K-1)", "κ / W m-1 K-1", "k exp (W/(m K))"),
                "теплопроводность, Вт/(м·К)",
            )
        ],
        ("κ (1/GPa)", "compressibility", "0.3", 0.3),
        *[
            (heading, "linear_expansion", "6.4e-5", 6.4e-5)
            for heading in (
                *("CLTE (1/K)", "linear thermal expansion coefficient (in/in/°C)", "thermal expansion coefficient (K-1)"),
            )
        ],
        ("Tg (K, DSC at 10 °C/min)", "glass_transition", "373.15", 373.15),
        ("thermal diffusivity (10-7 m2/s)", "thermal_diffusivity", "1.1", 1.1e-7),
        ("refractive index at 589 nm, 20 °C", "refractive_index", "1.5", 1.5),
    ],
)  # fmt: skip
def test_the_unit_of_a_heading_is_understood_however_it_is_written(
    heading: str, key: str, cell: str, expected: float
) -> None:
    column = understood(heading, cell).values[("measured", key)]
    assert column.values == pytest.approx(np.full(4, expected), rel=1e-12)
    assert column.unit_is_named or key in ("dielectric_constant", "refractive_index")


@pytest.mark.parametrize(
    ("heading", "quoted"),
    [
        *[("Tg (ºX)", "ºX"), ("Tg [?C]", "?C"), ("Tg (0C)", "0C"), ("Tg (°)", "°"), ("Tg..foo.", "foo")],
        ("Tg (K/°C)", "K/°C"),
        *[("Tg (K or °C)", "K or °C"), ("Tg (кел)", "кел"), ("Tg [furlong]", "furlong"), ("CTE (10-5)", "10-5")],
        *[("CTE..10..5.K.", "10..5.K"), ("CTE (10⁻⁵)", "10⁻⁵"), ("density..g.cm..", "g.cm")],
        *[("Young's modulus (10 MPa)", "10 MPa"), ("dielectric constant (F/m)", "F/m")],
    ],
)  # fmt: skip
def test_a_unit_that_is_not_understood_is_quoted_in_a_question_and_in_the_refusal(heading: str, quoted: str) -> None:
    raw = pasted(table(heading, "300"), "measured.csv")
    questions = guess_roles(raw).questions
    assert any(f"“{quoted}”" in question for question in questions)
    with pytest.raises(UserError, match=r"measured\.csv") as refusal:
        understood_as(raw, "measured")
    assert f"“{quoted}”" in str(refusal.value)


@pytest.mark.parametrize("times", [30, 1000])
def test_a_heading_too_long_for_a_unit_is_refused_and_not_read_as_another(times: int) -> None:
    with pytest.raises(UserError, match=r"“J/\(kg K\)J/\(kg K\)|“\[J/\(kg K\)J"):
        understood("Cp [" + "J/(kg K)" * times + "]", "1500")


@pytest.mark.parametrize(
    ("heading", "cell"), [("CTE x 10^-5 (1/K)", "6.4"), ("CTE ×10⁻⁵ K⁻¹", "6.4"), ("alpha x 10^5 /K", "6.4")]
)
def test_a_power_that_may_belong_to_the_quantity_or_to_its_unit_is_no_known_property(heading: str, cell: str) -> None:
    assert [found.is_known for found in understood(heading, cell).properties("measured")] == [False]
    assert guess_roles(pasted(table(heading, cell))).questions


def test_a_unit_that_makes_the_values_those_of_no_polymer_is_told() -> None:
    found = understood("CTE (10^5/K)", "6.4")
    assert any("unusual for a polymer" in remark for remark in found.remarks("linear_expansion"))


@pytest.mark.parametrize("heading", ["CTE (×10⁶ K⁻¹)", "CTE (x10^6 1/K)", "CTE [x 1e6 /K]", "CTE (*10^6/K)"])
def test_numbers_multiplied_by_a_power_of_ten_are_told_by_their_size(heading: str) -> None:
    found = understood(heading, "64")
    assert found.values[("measured", "linear_expansion")].values == pytest.approx(np.full(4, 64e-6))
    assert any("read as multiplied by the power of ten" in remark for remark in found.remarks("linear_expansion"))


@pytest.mark.parametrize("heading", ["CTE*1e6 (1/K)", "CTE*1E6 [1/K]", "CTE*1e+06 (1/K)"])
def test_a_star_before_a_power_of_ten_marks_no_end_of_a_repeat_unit(heading: str) -> None:
    found = understood(heading, "64")
    assert found.values[("measured", "linear_expansion")].values == pytest.approx(np.full(4, 64e-6))


def test_each_row_is_converted_from_the_unit_beside_it() -> None:
    found = understood("Tg\tunit", "100\t°C", "373.15\tK", "212\t°F")
    assert found.values[("measured", "glass_transition")].values == pytest.approx(np.full(4, 373.15))


@pytest.mark.parametrize("heading", ["Tg_unit", "unit of Tg", "Tg Einheit", "Unit (Tg)", "units_Tg"])
def test_a_column_of_units_is_known_by_the_values_it_is_called_after(heading: str) -> None:
    found = understood(f"Tg\tdensity [g/cm3]\t{heading}", "100\t0.9\tºC")
    assert found.values[("measured", "glass_transition")].values == pytest.approx(np.full(4, 373.15))
    assert found.values[("measured", "density")].values == pytest.approx(np.full(4, 0.9))


def test_two_columns_of_units_belong_to_the_values_before_them() -> None:
    found = understood("Tg\tunit\tdensity\tunit", "100\t°C\t900\tkg/m3")
    assert found.values[("measured", "glass_transition")].values == pytest.approx(np.full(4, 373.15))
    assert found.values[("measured", "density")].values == pytest.approx(np.full(4, 0.9))


def test_rows_without_unit_are_read_like_the_others_with_a_word_or_not_at_all_where_those_differ() -> None:
    alike = understood("Tg\tunit", "100\t°C", "101\t")
    column = alike.values[("measured", "glass_transition")]
    assert column.values == pytest.approx([373.15, 374.15, 373.15, 374.15])
    assert any("“unit” is empty in line 3" in remark.replace("unit is", "“unit” is") for remark in column.remarks)
    mixed = understood("Tg\tunit", "100\t°C", "101\t", "373\tK")
    assert len(mixed) == 3
    assert mixed.problems[0].reason == "no unit is given for it, and those of the other rows differ"


def test_a_unit_of_a_row_that_is_not_understood_is_quoted() -> None:
    found = understood("Tg\tunit", "100\t°C", "101\tfoo")
    assert len(found) == 2
    assert "“foo” is not a unit that is known here" in found.problems[0].reason


def test_the_unit_of_the_heading_is_better_than_that_of_a_common_column_and_the_contradiction_is_told() -> None:
    found = understood("Tg [K]\tunit", "373.15\t°C")
    column = found.values[("measured", "glass_transition")]
    assert column.values == pytest.approx(np.full(4, 373.15))
    assert any("“Tg [K]” names K, and the column “unit” °C" in remark for remark in column.remarks)
    assert any("Which is right?" in text for text in guess_roles(pasted(table("Tg [K]\tunit", "373.15\t°C"))).questions)


def test_a_column_of_units_of_other_values_is_not_taken_for_a_contradiction() -> None:
    found = understood("Tg [K]\tdensity\tunit", "373.15\t900\tkg/m3")
    assert found.values[("measured", "density")].values == pytest.approx(np.full(4, 0.9))
    assert found.values[("measured", "glass_transition")].remarks == ()


def test_a_column_of_units_for_these_very_values_must_not_contradict_their_heading() -> None:
    with pytest.raises(UserError, match=r"“Tg \[K\]” names K, and the column “Tg_unit” °C"):
        understood("Tg [K]\tTg_unit", "100\t°C")


@pytest.mark.parametrize("row", ["\tºC", "\t[ºC]", "text\t(deg C)", "\tin °C", "-\tCelsius"])
def test_units_in_a_row_below_the_headings_are_understood(row: str) -> None:
    lines = table("Tg", "100").splitlines()
    found = understood_as(pasted("\n".join([lines[0], row, *lines[1:]]) + "\n"), "measured").table
    assert found.values[("measured", "glass_transition")].values == pytest.approx(np.full(4, 373.15))


def test_a_row_of_units_that_are_not_understood_is_refused() -> None:
    lines = table("Tg", "100").splitlines()
    with pytest.raises(UserError, match="“foo”"):
        understood_as(pasted("\n".join([lines[0], "\t[foo]", *lines[1:]]) + "\n"), "measured")


@pytest.mark.parametrize(
    ("written", "canonical", "factor", "offset"),
    [
        ("°C", "K", 1.0, 273.15),
        ("K", "°C", 1.0, -273.15),
        ("°F", "°C", 5 / 9, -160 / 9),
        ("mN/m", "N/m", 1e-3, 0.0),
        ("dyn/cm", "mN/m", 1.0, 0.0),
        ("cP", "Pa·s", 1e-3, 0.0),
        ("Pa.s", "mPa s", 1e3, 0.0),
        ("(cal/cm3)^0.5", "MPa½", math.sqrt(4.184), 0.0),
        ("J^0.5 cm^-1.5", "MPa^1/2", 1.0, 0.0),
        ("Barrer", "cm3(STP)cm/(cm2 s cmHg)", 1e-10, 0.0),
        ("10^-10 cm³(STP)·cm/(cm²·s·cmHg)", "Barrer", 1.0, 0.0),
        # 1 Barrer is 3.35e-16 mol m/(m2 s Pa): IUPAC, Terminology for membranes, 1996.
        ("Barrer", "mol m/(m2 s Pa)", 3.346e-16, 0.0),
        ("10-7 m2/s", "cm2/s", 1e-3, 0.0),
        ("%", "1", 0.01, 0.0),
    ],
)
def test_units_of_properties_that_are_not_known_by_name_are_converted(
    written: str, canonical: str, factor: float, offset: float
) -> None:
    way = conversion(written, own_property("own", canonical))
    assert way.factor == pytest.approx(factor, rel=1e-4 if "mol" in canonical else 1e-12)
    assert way.offset == pytest.approx(offset, rel=1e-12)


@pytest.mark.parametrize(
    ("written", "canonical"), [("m", "N/m"), ("furlong", "K"), ("K", "1/K"), ("J/(mol K)", "J/(kg K)")]
)
def test_units_of_different_things_are_not_converted(written: str, canonical: str) -> None:
    with pytest.raises(UnitProblem):
        conversion(written, own_property("own", canonical))


def files(folder: Path, measured: tuple[str, ...], md: tuple[str, ...]) -> tuple[Path, Path]:
    """Write two tables, each a heading and its cells."""
    paths = folder / "measured.csv", folder / "md.csv"
    for path, content in zip(paths, (measured, md), strict=True):
        path.write_text(table(*content), encoding="utf-8")
    return paths


def test_own_properties_of_two_tables_are_compared_in_the_unit_of_the_measured_one(tmp_path: Path) -> None:
    measured, md = files(tmp_path, ("stickiness [mN/m]", "10", "20"), ("stickiness [N/m]", "0.011", "0.022"))
    found = assembled(measured, md)
    assert found.quantity.unit == "mN/m"
    assert found.library_md == pytest.approx([11.0, 22.0, 11.0, 22.0], rel=1e-12)


def test_units_that_cannot_be_converted_are_refused_with_both(tmp_path: Path) -> None:
    measured, md = files(tmp_path, ("stickiness [mN/m]", "10"), ("stickiness [foo]", "11"))
    with pytest.raises(UserError, match=r"md.csv gives “stickiness” in foo, measured.csv in mN/m"):
        assembled(measured, md)


def test_the_same_unit_needs_not_be_understood(tmp_path: Path) -> None:
    measured, md = files(tmp_path, ("stickiness [foo]", "10"), ("stickiness [foo]", "11"))
    assert assembled(measured, md).library_md == pytest.approx(np.full(4, 11.0))


@pytest.mark.parametrize(("measured_unit", "md_unit"), [("", " [K]"), (" [K]", "")])
def test_an_own_property_without_unit_is_read_like_the_other_with_a_word(
    tmp_path: Path, measured_unit: str, md_unit: str
) -> None:
    measured, md = files(tmp_path, (f"Td{measured_unit}", "600", "650"), (f"Td{md_unit}", "610", "655"))
    found = assembled(measured, md)
    assert found.quantity.unit == "K"
    assert not found.unit_doubts
    assert any("no unit is named in the heading “Td”" in note for note in found.notes)


@pytest.mark.parametrize(
    ("measured", "md", "word"),
    [
        (("Td", "305", "310", "330"), ("Td [K]", "596", "600", "622"), "273.15"),
        (("Td [°C]", "305", "310", "330"), ("Td", "596", "600", "622"), "273.15"),
        (("Tg", "165", "180", "201"), ("Tg [K]", "456", "472", "490"), "273.15"),
        (("stickiness", "10", "21", "30"), ("stickiness [N/m]", "0.0101", "0.0203", "0.0305"), "1000"),
        (("Young's modulus", "21", "22"), ("Young's modulus [GPa]", "0.023", "0.024"), "MPa"),
    ],
)
def test_a_missing_unit_that_cannot_be_that_of_the_other_table_is_told_before_anything_is_fitted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], measured: tuple[str, ...], md: tuple[str, ...], word: str
) -> None:
    paths = files(tmp_path, measured, md)
    (doubt,) = assembled(*paths).unit_doubts
    assert doubt.unnamed
    words = ["fit", "--experiment", str(paths[0]), "--md", str(paths[1]), "--output", str(tmp_path / "out"), "--quiet"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert word in said
    assert "no unit is named in" in said


def test_predict_converts_the_unit_of_its_table_or_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = tmp_path / "new.csv"
    words = ["predict", str(new), "--experiment", str(FOLDER / "td_celsius.csv")]
    words += ["--md", str(FOLDER / "td_kelvin.csv"), "--quiet"]
    results = {}
    for unit, cell in (("K", "613.15"), ("°C", "340"), ("foo", "340")):
        new.write_text(f"smiles\tTd [{unit}]\n*CC(*)F\t{cell}\n", encoding="utf-8")
        output = tmp_path / f"{unit}.csv"
        results[unit] = main([*words, "--output", str(output)])
    assert results == {"K": 0, "°C": 0, "foo": 2}
    assert "new.csv gives “Td” in foo, the study of td_celsius.csv in °C" in capsys.readouterr().err
    values = []
    for unit in ("K", "°C"):
        with (tmp_path / f"{unit}.csv").open(encoding="utf-8") as file:
            values.append(float(next(csv.DictReader(file))["calibrated value"]))
    assert values[0] == pytest.approx(values[1], rel=1e-9)


def test_a_property_without_unit_is_not_dimensionless_until_somebody_says_so() -> None:
    own: Property = own_property("score")
    assert not own.is_dimensionless


@pytest.mark.parametrize("unit", ["N/m × 10³", "N/m x 10^3", "N/m·10^3"])
def test_a_positive_power_of_ten_behind_the_unit_may_mean_two_things_and_is_refused(tmp_path: Path, unit: str) -> None:
    measured, md = files(tmp_path, (f"stickiness ({unit})", "10"), ("stickiness (mN/m)", "11"))
    with pytest.raises(UserError, match="stickiness"):
        assembled(measured, md)


@pytest.mark.parametrize(
    ("heading", "values", "words"),
    [
        ("stickiness (mPa)", ("10", "12"), "divided by 1\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}10⁶"),
        ("stickiness (kPa)", ("0.1", "0.12"), "100 times the measured ones"),
        ("stickiness (kPa)", ("10", "12"), ""),
    ],
)
def test_a_named_unit_that_sets_own_values_powers_of_ten_apart_is_told(
    tmp_path: Path, heading: str, values: tuple[str, str], words: str
) -> None:
    measured, md = files(tmp_path, ("stickiness (kPa)", *values), (heading, "11", "13"))
    notes = [note for note in assembled(measured, md).notes if "a power of ten" in note]
    assert len(notes) == bool(words)
    assert all(words in note for note in notes)


@pytest.mark.parametrize("unit", ["x 1e8 cm2/s", "×10⁸ cm²/s", "10^8 cm2/s"])
def test_a_positive_power_of_ten_in_front_of_a_unit_that_may_mean_two_things_is_asked_and_refused(
    tmp_path: Path, unit: str
) -> None:
    rows = ("2", "30", "40"), ("2.1e-8", "3.2e-7", "4.3e-7")
    measured, md = files(tmp_path, (f"D ({unit})", *rows[0]), ("D (cm2/s)", *rows[1]))
    state, _ = read_study(DataFiles(measured, md))
    (doubt,) = assemble(state.tables, state.quantity).unit_doubts
    assert doubt.unit.startswith("10^-8 cm")
    with pytest.raises(UserError, match="may mean numbers that were multiplied by the power of ten"):
        refuse_unnamed_units([doubt], state.tables)
    corrected = with_measured_unit(state.tables[0].table, "D", doubt.unit).values[("measured", "D")]
    assert corrected.in_unit_of(own_property("D", "cm2/s")).values[:2] == pytest.approx([2e-8, 3e-7])


def test_a_positive_power_of_ten_that_both_tables_name_or_agree_with_is_not_asked_about(tmp_path: Path) -> None:
    for heading, cells in (("D (x 1e8 cm2/s)", ("2.1", "32")), ("D (cm2/s)", ("2.1e8", "3.2e9"))):
        measured, md = files(tmp_path, ("D (x 1e8 cm2/s)", "2", "30"), (heading, *cells))
        assert not assembled(measured, md).unit_doubts


@pytest.mark.parametrize(
    ("heading", "factor"),
    [
        ("CTE x10^6 /K", 1e-6),
        ("CTE × 10⁵ 1/K", 1e-5),
        ("CTE·10^6/°C", 1e-6),
        ("CTE x1e6 /K", 1e-6),
        ("CTE x10^6/K^-1", None),
        ("CTE x 10^-6 /K", None),
    ],
)
def test_a_quantity_times_a_power_of_ten_per_kelvin_is_divided_by_it(heading: str, factor: float | None) -> None:
    text, unit = split_heading(heading)
    if factor is None:  # a negative power may be that of the quantity or of the unit
        assert (text, unit) != ("CTE", "1/K")
    else:
        assert text == "CTE"
        assert conversion(unit, find_property("linear_expansion")).factor == pytest.approx(factor)


@pytest.mark.parametrize("unit", ["amu/Å³", "u/Å^3", "Da/Å3", "amu/A^3"])
def test_atomic_mass_units_per_volume_are_a_density(unit: str) -> None:
    way = conversion(unit, find_property("density"))
    assert way.factor == pytest.approx(1.66053906892, rel=1e-8)  # CODATA 2022: kg · 1e27
    assert "is read as the atomic mass unit" in way.assumed


@pytest.mark.parametrize("heading", ["specific gravity", "spec. gravity", "ρ_a (g/cm3)", "ρ_a", "amorphous density"])
def test_densities_relative_to_water_and_of_the_amorphous_part_are_densities(heading: str) -> None:
    text, unit = split_heading(heading)
    named = property_by_name(text)
    assert named is find_property("density")
    assert unit in ("", "g/cm3")
