"""MD values from several sources are told apart, compared, and brought to one level where that helps."""

import math

import numpy as np
import pytest

from affinecal_gui.tables.matching.md_sources import SourceOffset, brought_to_one_level, compare_sources, sources_of
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.making import polymers

CP = find_property("Cp")
DENSITY = find_property("density")
UNITS = [f"*CC(*){'C' * number}" for number in range(12)]


def two_force_fields(shift: float, noise: float, *, common: int = 10, heading: str = "forcefield") -> PolymerTable:
    """Return densities of 12 polymers with one force field, and of some with another, further up by ``shift``."""
    generator = np.random.default_rng(1)
    rows = [(f"P{n}", unit, "GAFF2", f"{0.85 + 0.01 * n:.5f}") for n, unit in enumerate(UNITS)]
    for n, unit in enumerate(UNITS[:common]):
        rows.append((f"Q{n}", unit, "OPLS", f"{0.85 + 0.01 * n + shift + noise * generator.standard_normal():.5f}"))
    return polymers(rows, "md", f"id,smiles,{heading},density")


def the_offset(table: PolymerTable, *, shift: bool = True) -> SourceOffset:
    (offset,) = compare_sources(table, DENSITY, shift=shift)
    return offset


def test_a_source_that_lies_above_another_is_told_and_brought_down() -> None:
    table = two_force_fields(0.05, 0.002)
    offset = the_offset(table)
    assert (offset.source, offset.reference, offset.common, offset.disagrees) == ("OPLS", "GAFF2", 10, True)
    assert offset.difference == pytest.approx(0.05, abs=0.003)
    assert offset.removed == pytest.approx(offset.difference, rel=0.01)
    told = offset.told(DENSITY)
    assert told.startswith("MD values from OPLS lie 0.0")
    assert "above those from GAFF2 on 10 polymers" in told
    assert "beyond their noise" in told
    assert "taken away" in told
    values = brought_to_one_level(table, DENSITY, [offset]).values[("md", "density")].values
    assert values[:12] == pytest.approx(table.values[("md", "density")].values[:12], abs=0)
    assert values[12:] == pytest.approx([0.85 + 0.01 * n for n in range(10)], abs=0.006)


def test_a_difference_within_the_noise_is_told_and_shrunk() -> None:
    offset = the_offset(two_force_fields(0.004, 0.02))
    assert not offset.disagrees
    assert "within their noise" in offset.told(DENSITY)
    assert abs(offset.removed) < abs(offset.difference)


def test_values_are_left_as_they_come_where_that_is_wished() -> None:
    table = two_force_fields(0.05, 0.002)
    offset = the_offset(table, shift=False)
    assert offset.removed == 0.0
    assert "as they come" in offset.told(DENSITY)
    assert brought_to_one_level(table, DENSITY, [offset]) is table


def test_sources_without_common_polymers_cannot_be_compared_and_that_is_told() -> None:
    offset = the_offset(two_force_fields(0.05, 0.002, common=2))
    assert (offset.common, offset.removed) == (2, 0.0)
    assert "cannot be compared: only 2 polymers are in both" in offset.told(DENSITY)


def test_what_can_hardly_be_one_quantity_in_one_unit_is_asked_about_and_left() -> None:
    offset = the_offset(two_force_fields(1.5, 0.002))
    assert offset.removed == 0.0
    assert "same unit?" in offset.told(DENSITY)


def test_ratios_are_removed_of_a_property_on_a_logarithmic_scale() -> None:
    rows = [(f"P{n}", unit, "A", str(3000 + 50 * n)) for n, unit in enumerate(UNITS)]
    rows += [(f"Q{n}", unit, "B", str(1.1 * (3000 + 50 * n) * (1 + 0.002 * (-1) ** n))) for n, unit in enumerate(UNITS)]
    table = polymers(rows, "md", "id,smiles,force field,Cp")
    (offset,) = compare_sources(table, CP)
    assert math.exp(offset.removed) == pytest.approx(1.1, rel=2e-3)
    assert "10 %" in offset.told(CP)
    values = brought_to_one_level(table, CP, [offset]).values[("md", "Cp")].values
    assert values[12:] == pytest.approx(values[:12], rel=4e-3)


@pytest.mark.parametrize("heading", ["forcefield", "force field", "source", "software"])
def test_sources_are_told_by_the_columns_that_name_them(heading: str) -> None:
    assert set(sources_of(two_force_fields(0.0, 0.0, heading=heading))) == {"GAFF2", "OPLS"}


def test_references_of_single_values_are_no_sources() -> None:
    rows = [(f"P{n}", unit, f"doi {n}", "0.9") for n, unit in enumerate(UNITS)]
    assert sources_of(polymers(rows, "md", "id,smiles,source,density")) == ()
    rows = [(f"P{n}", unit, "GAFF2" if n % 2 else "OPLS", "0.9") for n, unit in enumerate(UNITS)]
    assert sources_of(polymers(rows, "measured", "id,smiles,source,density")) == ()


@pytest.mark.parametrize("heading", ["source", "Quelle", "Kraftfeld", "Methode", "力場", "MD engine"])
def test_a_source_of_one_row_beside_others_is_a_source(heading: str) -> None:
    rows = [(f"P{n}", unit, "GAFF2", f"{0.85 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    rows += [(f"Q{n}", unit, "OPLS", f"{0.9 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    table = polymers([*rows, ("R", UNITS[0], "PCFF", "1.2")], "md", f"id,smiles,{heading},density")
    opls, pcff = compare_sources(table, DENSITY)
    assert (opls.source, opls.common, round(opls.difference, 6)) == ("OPLS", 12, 0.05)
    assert (pcff.source, pcff.common, pcff.removed) == ("PCFF", 1, 0.0)
    assert "cannot be compared: 1 polymer is in both" in pcff.told(DENSITY)


@pytest.mark.parametrize("condition", ["press", "tacticity", "temp"])
def test_values_of_two_sources_under_other_conditions_are_not_compared(condition: str) -> None:
    one, other = {"press": ("1", "1000"), "tacticity": ("atactic", "isotactic"), "temp": ("300", "400")}[condition]
    rows = [(f"P{n}", unit, "GAFF2", one, f"{0.85 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    rows += [(f"Q{n}", unit, "OPLS", other, f"{0.9 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    (offset,) = compare_sources(polymers(rows, "md", f"id,smiles,forcefield,{condition},density"), DENSITY)
    assert (offset.common, offset.removed) == (0, 0.0)


@pytest.mark.parametrize(("kelvin", "common"), [("298", 12), ("", 12), ("310", 12), ("320", 0)])
def test_sources_that_hold_within_the_tolerance_of_temperature_are_compared(kelvin: str, common: int) -> None:
    rows = [(f"P{n}", unit, "GAFF2", "300", f"{0.85 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    rows += [(f"Q{n}", unit, "OPLS", kelvin, f"{0.9 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    (offset,) = compare_sources(polymers(rows, "md", "id,smiles,forcefield,temp,density"), DENSITY)
    assert offset.common == common
    assert (round(offset.removed, 6) == 0.05) == bool(common)


def test_one_source_may_be_written_in_several_ways_and_rows_may_name_none() -> None:
    spellings = ("GAFF2", "gaff2 ", "Gaff2")
    rows = [(f"P{n}", unit, spellings[n % 3], f"{0.85 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    rows += [(f"Q{n}", unit, "n/a" if n % 2 else "", f"{0.9 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    rows += [(f"R{n}", unit, "OPLS", f"{0.87 + 0.01 * n:.2f}") for n, unit in enumerate(UNITS)]
    table = polymers(rows, "md", "id,smiles,source,density")
    assert set(sources_of(table)) == {"GAFF2", "OPLS", "an unnamed source"}
    offset, _ = compare_sources(table, DENSITY)
    assert (offset.reference, offset.common, round(offset.difference, 6)) == ("GAFF2", 12, 0.05)
    assert offset.told(DENSITY).startswith("MD values from an unnamed source lie 0.05 g/cm³")
