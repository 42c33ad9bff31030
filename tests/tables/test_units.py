"""Units in the spellings that people use, and the suspicion of a wrong one."""

import contextlib
import math
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.matching.unit_suspicion import suspect_unit, suspected_unit
from affinecal_gui.tables.units.properties import PROPERTIES, find_property, own_property
from affinecal_gui.tables.units.property_names import property_by_name
from affinecal_gui.tables.units.units import (
    UnitProblem,
    conversion,
    is_unit_text,
)
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.making import polymers


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        *[
            (text, 1.0)
            for text in (
                "J/(kg K)",
                "J/kg/K",
                "J kg-1 K-1",
                "J·kg⁻¹·K⁻¹",
                "J kg^-1 K^-1",
                "J/kg·K",
                "J/kg*K",
                "[J/(kg·K)]",
            )
        ],
        *[
            (text, 1000.0)
            for text in (
                "kJ/(kg K)",
                "kJ/kg K",
                "kJ/kg·K",
                "kJ/(kg・K)",
                "kJ/(kg･K)",
                "kJ/kg/C",
                "J/g/K",
                "J/gK",
                "J/g.K",
                "J/g-K",
                "J/(g·°C)",
                "J K^{-1} g^{-1}",
            )
        ],
        *[(text, 4184.0) for text in ("cal/g/°C", "cal/(g °C)", "cal g-1 degC-1", "cal/g℃", "cal/(g K)")],
        # 1 Btu(IT)/(lb °F) is 4186.8 J/(kg K) by definition of the international table calorie.
        ("BTU/lb/degF", 4186.8),
    ],
)
def test_specific_heat_units(unit: str, factor: float) -> None:
    way = conversion(unit, find_property("Cp"))
    assert way.factor == pytest.approx(factor, rel=1e-5)
    assert not way.needs_molar_mass
    assert way.offset == 0


@pytest.mark.parametrize(
    "unit", ["J/mol/K", "J/(mol K)", "J mol-1 K-1", "J/molK", "J/(mol of repeat unit K)", "J/(mol r.u. K)"]
)
def test_molar_units_need_the_molar_mass(unit: str) -> None:
    way = conversion(unit, find_property("Cp"))
    assert way.needs_molar_mass
    # Polyethylene, 60.5 J/(mol K) for C2H4 of 28.05 g/mol.
    assert way.apply(np.array([60.5]), np.array([28.054]))[0] == pytest.approx(2156.6, rel=1e-4)


def test_a_named_group_brings_its_own_mass() -> None:
    way = conversion("J/(mol CH2 K)", find_property("Cp"))
    assert not way.needs_molar_mass
    assert way.per_mole_of == "CH2"
    # 30.3 J/(mol K) per CH2 of 14.027 g/mol: the same polyethylene.
    assert way.apply(np.array([30.25]))[0] == pytest.approx(2156.6, rel=1e-4)


@pytest.mark.parametrize(
    ("unit", "key", "value", "expected"),
    [
        ("kg/m3", "density", 950.0, 0.95),
        ("kg m⁻³", "density", 950.0, 0.95),
        ("g/cc", "density", 0.95, 0.95),
        ("g cm-3", "density", 0.95, 0.95),
        ("g·cm−3", "density", 0.95, 0.95),
        ("g cm3", "density", 0.95, 0.95),
        ("g/ml", "density", 0.95, 0.95),
        ("°C", "glass_transition", 100.0, 373.15),
        ("℃", "glass_transition", 100.0, 373.15),
        ("C", "glass_transition", 100.0, 373.15),
        ("degF", "glass_transition", 212.0, 373.15),
        ("K", "glass_transition", 373.15, 373.15),
        ("W/mK", "thermal_conductivity", 0.2, 0.2),
        ("W/m-K", "thermal_conductivity", 0.2, 0.2),
        ("W m-1 K-1", "thermal_conductivity", 0.2, 0.2),
        ("mW/(m K)", "thermal_conductivity", 200.0, 0.2),
        ("Pa", "bulk_modulus", 2.7e9, 2.7),
        ("10^9 Pa", "bulk_modulus", 2.7, 2.7),
        ("MPa", "bulk_modulus", 2700.0, 2.7),
        ("1/Pa", "compressibility", 3.7e-10, 0.37),
        ("ppm/K", "linear_expansion", 70.0, 7e-5),
        ("10^-6/K", "linear_expansion", 70.0, 7e-5),
        ("10^-6 1/K", "linear_expansion", 70.0, 7e-5),
        ("10^-6·1/K", "linear_expansion", 70.0, 7e-5),
        ("mm2/s", "thermal_diffusivity", 0.1, 1e-7),
        ("nm", "radius_of_gyration", 2.0, 20.0),
        ("-", "refractive_index", 1.5, 1.5),
    ],
)
def test_other_properties(unit: str, key: str, value: float, expected: float) -> None:
    assert conversion(unit, find_property(key)).apply(np.array([value]))[0] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("unit", "key"),
    [("g/cm3", "Cp"), ("K", "Cp"), ("furlong", "Cp"), ("", "Cp"), ("J/g", "Cp"), ("K", "refractive_index")],
)
def test_units_of_something_else_are_refused_with_a_reason(unit: str, key: str) -> None:
    with pytest.raises(UnitProblem, match=r".{10}"):
        conversion(unit, find_property(key))


def test_every_unit_that_is_offered_can_be_converted() -> None:
    for quantity in PROPERTIES:
        assert conversion(quantity.unit, quantity).is_identity
        for unit in (*quantity.other_units, *([quantity.bare_unit] if quantity.bare_unit is not None else [])):
            assert conversion(unit, quantity).factor > 0


def test_own_properties_keep_their_unit_and_refuse_others() -> None:
    own = own_property("dipole", "debye")
    assert conversion("debye", own).is_identity
    with pytest.raises(UnitProblem):
        conversion("J/g", own)
    with pytest.raises(UnitProblem):
        conversion("J/g", own_property("score"))


@pytest.mark.parametrize(
    ("heading", "label", "unit"),
    [
        ("Cp [J/(kg K)]", "Cp", "J/(kg K)"),
        ("Cp (J/kg/K)", "Cp", "J/kg/K"),
        ("Cp / J kg⁻¹ K⁻¹", "Cp", "J kg⁻¹ K⁻¹"),
        ("Cp / (J/(kg K))", "Cp", "J/(kg K)"),
        ("Cp, J/(kg K)", "Cp", "J/(kg K)"),
        ("cp_J/gK", "cp", "J/gK"),
        ("Cp_J_per_g_K", "Cp", "J/g K"),
        ("density g/cm3", "density", "g/cm3"),
        ("ρ in g/cm³", "ρ", "g/cm³"),
        ("Tg_C", "Tg", "C"),
        ("Tg(K)", "Tg", "K"),
        ("T_K", "T", "K"),
        ("密度（g/cm3）", "密度", "g/cm3"),
        ("Density [g/cm3] exp", "Density exp", "g/cm3"),
        ("Cp(MD) [J/kg K]", "Cp(MD)", "J/kg K"),
        ("Cp (solid) J/mol K", "Cp (solid)", "J/mol K"),
        ("Cp (300 K)", "Cp (300 K)", ""),
        ("Cp_min", "Cp_min", ""),
        ("n_mol", "n_mol", ""),
        ("mass_C", "mass_C", ""),
        ("k_bond_0", "k_bond_0", ""),
        ("polymer class", "polymer class", ""),
        ("source", "source", ""),
        ("Cp (2)", "Cp (2)", ""),
    ],
)
def test_headings_are_divided_into_name_and_unit(heading: str, label: str, unit: str) -> None:
    assert split_heading(heading) == (label, unit)


@pytest.mark.parametrize(
    ("heading", "label", "unit"),
    [
        ("Specific volume V / cm3/g", "Specific volume V", "cm3/g"),
        ("V / cm3 g-1", "V", "cm3 g-1"),
        ("c_p / J/(kg K)", "c_p", "J/(kg K)"),
        ("c_p/(J kg−1 K−1)", "c_p", "J kg−1 K−1"),
        ("C_p,m / J mol⁻¹ K⁻¹", "C_p,m", "J mol⁻¹ K⁻¹"),
        ("ρ/g cm⁻³", "ρ", "g cm⁻³"),
        ("Density ρ / (g/cm³)", "Density ρ", "g/cm³"),
        ("T_g / K", "T_g", "K"),
        ("T_g/°C", "T_g", "°C"),
        ("glass transition temperature T_g/K", "glass transition temperature T_g", "K"),
        ("λ/W m−1 K−1", "λ", "W m−1 K−1"),
        ("M_w / g/mol", "M_w", "g/mol"),
        ("n / 1", "n", "1"),
        # The number in the cell is the quantity times the power, divided by the unit.
        ("10^3 ρ / kg m-3", "ρ", "10^-3 kg m-3"),
        ("10³ρ/(kg/m³)", "ρ", "10^-3 kg/m³"),
        ("αl × 10^6 (1/K)", "αl", "10^-6 1/K"),
        ("κ / 10^-10 Pa-1", "κ", "10^-10 Pa-1"),
        ("αl (×10^-6 1/K)", "αl", "10^-6 1/K"),
        ("Cp/1000 [J/(kg K)]", "Cp", "10^3 J/(kg K)"),
        ("Density × 1000 (kg/m3)", "Density", "10^-3 kg/m3"),
        ("αl × 10^-6 (1/K)", "αl × 10^-6", "1/K"),  # which some mean in one way and some in the other
        ("Cp x 10^-3 J/(kg K)", "Cp x 10^-3", "J/(kg K)"),
        # What stands behind a number is a condition.
        ("Density at 25 °C (g/cm3)", "Density at 25 °C", "g/cm3"),
        ("ρ(20 °C) / g·cm⁻³", "ρ(20 °C)", "g·cm⁻³"),
        # What stands before the slash is the beginning of the unit.
        ("Cp J / (kg K)", "Cp", "J / (kg K)"),
        ("density g / cm3", "density", "g / cm3"),
        ("thermal conductivity W / m K", "thermal conductivity", "W / m K"),
        ("density_g/cm3", "density", "g/cm3"),
        ("Density (g / cm3)", "Density", "g / cm3"),
        ("A/B ratio", "A/B ratio", ""),
    ],
)
def test_a_slash_divides_the_symbol_from_the_unit(heading: str, label: str, unit: str) -> None:
    assert split_heading(heading) == (label, unit)


@pytest.mark.parametrize(
    ("heading", "label", "unit"),
    [
        ("Mass m / kg", "Mass m", "kg"),
        ("m / kg", "m", "kg"),
        ("m/kg", "m", "kg"),
        ("Volume V / L", "Volume V", "L"),
        ("Area A / m²", "Area A", "m²"),
        ("Length l / mm", "Length l", "mm"),
        ("Time t / s", "Time t", "s"),
        ("Enthalpy H / J", "Enthalpy H", "J"),
        ("Force F / N", "Force F", "N"),
        ("Temperature T / K", "Temperature T", "K"),
        ("Temperatur T/°C", "Temperatur T", "°C"),
        ("M_w / kDa", "M_w", "kDa"),
        ("Mn / kg", "Mn", "kg"),
        ("k / W m-1 K-1", "k", "W m-1 K-1"),
        ("rho / g cm-3", "rho", "g cm-3"),
        ("T/K", "T", "K"),
        # The letter is the beginning of the unit where the quantity of that symbol cannot have the rest as its unit.
        ("speed m / s", "speed", "m / s"),
        ("mass kg / mol", "mass", "kg / mol"),
        ("field V / m", "field", "V / m"),
        ("Cp J / K", "Cp", "J / K"),
        ("viscosity Pa / s", "viscosity", "Pa / s"),
    ],
)
def test_the_symbol_of_a_quantity_is_no_unit(heading: str, label: str, unit: str) -> None:
    assert split_heading(heading) == (label, unit)


@pytest.mark.parametrize("unit", ["J/(kg K)", "g/cm3", "kg m⁻³", "W / m K", "cal / g K", "J/mol/K"])
def test_a_heading_can_be_nothing_but_a_unit(unit: str) -> None:
    assert split_heading(unit) == ("", unit)


@pytest.mark.parametrize("heading", ["N/C", "C/N ratio", "min/max", "m / s", "V / m", "W/K"])
def test_what_may_be_a_unit_or_a_ratio_stays_whole(heading: str) -> None:
    assert split_heading(heading) == (heading, "")


@pytest.mark.parametrize("heading", ["10^3 ρ / kg m-3", "10³ρ/(kg/m³)", "ρ × 10^3 (kg/m3)"])
def test_a_power_of_ten_beside_the_symbol_is_divided_by(heading: str) -> None:
    label, unit = split_heading(heading)
    assert property_by_name(label) is find_property("density")
    assert conversion(unit, find_property("density")).factor == pytest.approx(1e-6)  # 950000 stands for 0.95 g/cm³


@given(st.text(max_size=25))
def test_any_text_can_be_asked_about(text: str) -> None:
    is_unit_text(text)
    label, unit = split_heading(text)
    assert len(label) + len(unit) <= len(text) + 2
    for quantity in (find_property("Cp"), find_property("refractive_index")):
        with contextlib.suppress(UnitProblem):
            assert math.isfinite(conversion(text, quantity).factor)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("cp", "Cp"),
        ("Heat Capacity", "Cp"),
        ("Specific heat capacity", "Cp"),
        ("比熱", "Cp"),
        ("refractive-index", "refractive_index"),
        ("Abbe number", "abbe_number"),
        ("T_g", "glass_transition"),
        ("thermal_conductivity", "thermal_conductivity"),
        ("Dichte", "density"),
    ],
)
def test_properties_are_found_by_the_names_people_use(name: str, key: str) -> None:
    found = property_by_name(name)
    assert found is not None
    assert found.key == key


def test_names_of_properties_are_unambiguous() -> None:
    for quantity in PROPERTIES:
        for name in (quantity.key, quantity.title, quantity.symbol, *quantity.aliases):
            found = property_by_name(name)
            assert found is quantity, f"{name!r} of {quantity.key} is also a name of {found and found.key}"


MEASURED = np.array([1200.0, 1900.0, 2100.0, 1500.0, 1300.0])
MD = MEASURED * np.array([2.1, 2.3, 2.0, 2.4, 2.2])


@pytest.mark.parametrize(
    ("factor", "unit", "suspected"),
    [(4184.0, "J/(kg K)", "cal/(g K)"), (1000.0, "J/(kg K)", "J/(g K)"), (1 / 1000, "J/(g K)", "J/(kg K)")],
)
def test_a_wrong_unit_is_suspected(factor: float, unit: str, suspected: str) -> None:
    found = suspect_unit(MEASURED / factor, MD, None, find_property("Cp"), unit)
    assert found is not None
    assert found.factor == pytest.approx(factor, rel=1e-9)
    assert conversion(found.unit, find_property("Cp")).factor == conversion(suspected, find_property("Cp")).factor
    assert found.unit in found.sentence


def test_values_per_mole_are_suspected_by_their_molar_masses() -> None:
    masses = np.array([28.0, 104.0, 42.0, 254.0, 68.0])
    found = suspect_unit(MEASURED * masses / 1000, MD, masses, find_property("Cp"), "J/(kg K)")
    assert found is not None
    assert found.unit == "J/(mol K)"


def test_the_usual_bias_of_md_is_no_sign_of_a_wrong_unit() -> None:
    assert suspect_unit(MEASURED, MD, None, find_property("Cp"), "J/(kg K)") is None
    assert suspect_unit(MEASURED[:2] / 1000, MD[:2], None, find_property("Cp"), "J/(kg K)") is None


def test_a_table_in_the_wrong_unit_is_suspected_after_matching() -> None:
    smiles = ["*CC*", "*CC(*)C", "*CC(*)c1ccccc1", "*CC(*)Cl"]
    real = [2300.0, 1900.0, 1250.0, 950.0]
    md = polymers([(f"m{i}", s, str(2.2 * v)) for i, (s, v) in enumerate(zip(smiles, real, strict=True))], "md")

    def table(factors: list[float]) -> PolymerTable:
        rows = [(s, s, str(v * f)) for s, v, f in zip(smiles, real, factors, strict=True)]
        return polymers(rows, "measured", "name,smiles,Cp [J/(kg K)]")

    right = table([1.0] * 4)
    assert suspected_unit(match(right, md, "Cp"), right) is None
    calories = table([1 / 4184] * 4)
    found = suspected_unit(match(calories, md, "Cp"), calories)
    assert found is not None
    assert found.unit == "cal/(g K)"
    # Molar masses of the repeat units, g/mol: values per mole.
    per_mole = table([mass / 1000 for mass in (28.054, 42.081, 104.152, 62.498)])
    found = suspected_unit(match(per_mole, md, "Cp"), per_mole)
    assert found is not None
    assert found.unit == "J/(mol K)"


@given(st.decimals(min_value="0.001", max_value="100000", places=3), st.sampled_from(["kg/m3", "kg/L", "mg/cm3"]))
def test_converted_values_carry_no_rounding_errors(number: Decimal, unit: str) -> None:
    way = conversion(unit, find_property("density"))
    converted = float(way.apply(np.array([float(number)]))[0])
    exact = number * {"kg/m3": Decimal("0.001"), "kg/L": Decimal(1), "mg/cm3": Decimal("0.001")}[unit]
    assert converted == float(exact)
    assert Decimal(repr(converted)) == exact


def test_conversion_keeps_twelve_digits_and_leaves_canonical_values_alone() -> None:
    heat = find_property("Cp")
    third = np.array([1 / 3, np.nan, -0.0, 1e-300])
    np.testing.assert_array_equal(conversion("J/(kg K)", heat).apply(third), third)
    np.testing.assert_allclose(
        conversion("J/(g K)", heat).apply(third), 1000 * third, rtol=5e-12
    )  # half of the twelfth digit
