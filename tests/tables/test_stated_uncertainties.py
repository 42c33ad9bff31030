"""Uncertainties of a table become those of the values in the unit of the property, however they are written."""

import math
from datetime import date, time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from xlsxwriter import Workbook  # type: ignore[import-untyped, unused-ignore]

from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumn
from tests.tables.making import pasted

UNITS = ("*CC*", "*CC(*)C", "*CCO*", "*CC(*)O", "*CC(*)F")
VALUES = (1100.0, 1200.0, 1300.0, 1400.0, 1500.0)
CP = "Cp [J/(kg K)]"


def table_of(heading: str, *columns: tuple[str, list[str]]) -> PolymerTable:
    """Read a table of repeat units and further columns; ``heading`` is that of the first of these."""
    headings = "\t".join(["smiles", heading, *(name for name, _ in columns[1:])])
    cells = zip(UNITS, *(texts for _, texts in columns), strict=True)
    raw = pasted("\n".join([headings, *("\t".join(row) for row in cells)]) + "\n", "measured.tsv")
    return to_polymer_table(raw, guess_roles(raw).with_kind("measured"))


def read(heading: str, values: list[str], beside: str = "", uncertainties: list[str] | None = None) -> ValueColumn:
    columns = [(heading, values)]
    if uncertainties is not None:
        columns.append((beside, uncertainties))
    table = table_of(heading, *columns)
    return next(iter(table.values.values()))


def texts(numbers: tuple[float, ...]) -> list[str]:
    return [f"{number:g}" for number in numbers]


IN_PER_CENT = (
    "Cp uncertainty [%]", "error [%]", "rel. std (%)", "u(Cp) / %", "SD %", "RSD (%)", "RSD", "CV [%]", "COV, %", "% error",
    "%RSD", "uncertainty, %", "uncertainty in %", "Cp_err_pct", "± %", "±%", "rel. unc.", "Messunsicherheit [%]",
    "Fehler in %", "相対標準偏差 (%)", "误差 (%)", "变异系数 (%)", "u_rel(Cp)", "Cp_rsd", "uncertainty (percent)",
    "Unsicherheit in Prozent", "écart-type relatif (%)", "coefficient of variation", "relative standard deviation",
)  # fmt: skip


@pytest.mark.parametrize("heading", IN_PER_CENT)
def test_per_cent_are_shares_of_the_value(heading: str) -> None:
    column = read(CP, texts(VALUES), heading, ["1", "20", "1", "20", "0.5"])
    np.testing.assert_allclose(column.uncertainty, [11.0, 240.0, 13.0, 280.0, 7.5], rtol=1e-12)


@pytest.mark.parametrize("heading", ["relative uncertainty", "RSD", "Cp rel. error", "coefficient of variation"])
def test_fractions_are_told_from_per_cent_by_their_size_and_said(heading: str) -> None:
    column = read(CP, texts(VALUES), heading, ["0.01", "0.2", "0.01", "0.2", ""])
    np.testing.assert_allclose(column.uncertainty, [11.0, 240.0, 13.0, 280.0, math.nan], rtol=1e-12)
    assert "fractions of the values" in " ".join(column.remarks)


def test_shares_that_may_be_either_are_not_used_and_said() -> None:
    column = read(CP, texts(VALUES), "relative uncertainty", ["0.4", "0.2", "0.3", "0.2", "0.4"])
    assert np.isnan(column.uncertainty).all()
    assert "per cent or fractions" in " ".join(column.remarks)


@pytest.mark.parametrize("cells", [["1 %"] * 5, ["1%"] * 5, ["±1 %"] * 5, ["± 1%"] * 5, ["+/- 1 %"] * 5])
def test_a_per_cent_sign_in_the_cells_of_uncertainties_counts(cells: list[str]) -> None:
    column = read(CP, texts(VALUES), "uncertainty", cells)
    np.testing.assert_allclose(column.uncertainty, [11.0, 12.0, 13.0, 14.0, 15.0], rtol=1e-12)


def test_the_unit_row_below_the_headings_may_say_per_cent() -> None:
    rows = "\n".join(f"{unit}\t{value:g}\t2" for unit, value in zip(UNITS, VALUES, strict=True))
    raw = pasted(f"smiles\tCp\tuncertainty\n\tJ/(kg K)\t%\n{rows}\n")
    column = next(iter(to_polymer_table(raw, guess_roles(raw)).values.values()))
    np.testing.assert_allclose(column.uncertainty, [22.0, 24.0, 26.0, 28.0, 30.0], rtol=1e-12)


@pytest.mark.parametrize("form", ["{} ± 2 %", "{} ±2%", "{} (2 %)", "{} (± 2 %)", "{} (RSD 2)"])
def test_per_cent_beside_the_value_are_shares_and_said(form: str) -> None:
    column = read(CP, [form.format(f"{value:g}") for value in VALUES])
    np.testing.assert_allclose(column.uncertainty, [22.0, 24.0, 26.0, 28.0, 30.0], rtol=1e-12)
    assert "share of the value" in " ".join(column.remarks)


def test_shares_are_those_of_the_converted_value() -> None:
    column = read("Cp [J/(g K)]", ["1.1", "1.2", "1.3", "1.4", "1.5"], "error [%]", ["1"] * 5)
    np.testing.assert_allclose(column.uncertainty, [11.0, 12.0, 13.0, 14.0, 15.0], rtol=1e-12)


def test_per_cent_of_degrees_are_taken_of_the_number_as_written_and_said() -> None:
    column = read("Tg [°C]", ["100", "-50", "0", "80", "120"], "Tg error [%]", ["1"] * 5)
    np.testing.assert_allclose(column.uncertainty, [1.0, 0.5, 0.0, 0.8, 1.2], rtol=1e-12)
    assert "numbers as written" in " ".join(column.remarks)


@pytest.mark.parametrize(
    ("heading", "cells", "expected"),
    [("error [%]", ["2"] * 5, 2.0), ("RSD [%]", ["2"] * 5, 0.8), ("error", ["2 %"] * 5, 2.0)],
)
def test_of_values_in_per_cent_only_a_relative_uncertainty_is_a_share(
    heading: str, cells: list[str], expected: float
) -> None:
    column = read("crystallinity [%]", ["40"] * 5, heading, cells)
    np.testing.assert_allclose(column.uncertainty, [expected] * 5, rtol=1e-12)


@pytest.mark.parametrize("cell", ["40 ± 2 %", "40 % ± 2 %", "(40 ± 2) %", "40 ± 2"])
def test_a_value_in_per_cent_carries_its_deviation_in_the_same_unit(cell: str) -> None:
    column = read("crystallinity [%]", [cell] * 5)
    np.testing.assert_allclose(column.values, [40.0] * 5)
    np.testing.assert_allclose(column.uncertainty, [2.0] * 5)


@pytest.mark.parametrize(
    "beside",
    [
        *("погрешность", "niepewność", "incerteza", "Cp погрешность", "desvio padrão", "odchylenie standardowe", "СКО"),
        *("s.d.", "dev. std.", "σ", "+/-", "Cp +/-"),
    ],
)
def test_uncertainties_are_known_in_more_languages(beside: str) -> None:
    column = read(CP, texts(VALUES), beside, ["11"] * 5)
    assert column.uncertainty.tolist() == [11.0] * 5


def test_units_in_the_cells_of_uncertainties_are_converted() -> None:
    column = read(
        "density [g/cm3]", ["1.0", "1.1", "1.2", "1.3", "1.4"], "error", ["20 kg/m3", "0.02", "1 %", "3 MPa", "0.03"]
    )
    np.testing.assert_allclose(column.uncertainty, [0.02, 0.02, 0.012, math.nan, 0.03], rtol=1e-12)
    assert "“MPa” is no unit of density" in " ".join(column.remarks)


def test_uncertainties_that_are_no_numbers_are_said() -> None:
    column = read(
        "density [g/cm3]", ["1.0", "1.1", "1.2", "1.3", "1.4"], "error", ["0.02", "0.02", "small", "n.d.", "0.03"]
    )
    np.testing.assert_array_equal(np.isnan(column.uncertainty), [False, False, True, True, False])
    assert "1 uncertainty is not used, line 4: “small” is not a number" in " ".join(column.remarks)


def test_uncertainties_in_a_unit_of_something_else_are_not_used_and_said() -> None:
    column = read("density [g/cm3]", ["1.0"] * 5, "density error [K]", ["20"] * 5)
    assert np.isnan(column.uncertainty).all()
    assert "“K” is no unit of density" in " ".join(column.remarks)


@pytest.mark.parametrize(
    "cells", [["0.95 (0.02)"] * 5, ['="0.95 (0.02)"'] * 5, ["0.95 (sd 0.02)"] * 5, ["0.950(20)"] * 5]
)
def test_a_deviation_in_brackets_is_read_and_said(cells: list[str]) -> None:
    column = read("density [g/cm3]", cells)
    np.testing.assert_allclose(column.values, [0.95] * 5)
    np.testing.assert_allclose(column.uncertainty, [0.02] * 5)
    assert "5 values have a number in brackets, which was read as the uncertainty" in " ".join(column.remarks)


def test_a_whole_number_in_brackets_is_no_deviation_and_said() -> None:
    column = read("density [g/cm3]", ["0.95 (12)", "0.96 (3)", "0.97 (7)", "0.98", "0.99"])
    assert np.isnan(column.uncertainty).all()
    assert "3 values have a number in brackets, which was not used" in " ".join(column.remarks)


def test_a_minus_behind_the_number_is_its_sign_and_said() -> None:
    column = read("log10 permeability", ["1.1-", "1.2-", "1.3-", "1.4", "0"])
    np.testing.assert_array_equal(column.values, [-1.1, -1.2, -1.3, 1.4, 0.0])
    assert "a minus behind the number, which was read as its sign: e.g. line 2, “1.1-” as −1.1" in " ".join(
        column.remarks
    )


@pytest.mark.parametrize(
    ("heading", "cells", "used"),
    [
        ("log10 permeability", ["(1.1)", "1.2", "1.3", "1.4", "1.5"], 4),
        ("Tg [°C]", ["(11)", "20", "30", "40", "50"], 4),
        ("zeta potential [mV]", ["(1.1)", "-1.2", "1.3", "1.4", "1.5"], 5),  # a minus is written otherwise here
        ("density [g/cm3]", ["(1.1)", "1.2", "1.3", "1.4", "1.5"], 5),  # cannot be negative
    ],
)
def test_a_number_in_brackets_that_may_be_negative_is_left_out(heading: str, cells: list[str], used: int) -> None:
    table = table_of(heading, (heading, cells))
    column = next(iter(table.values.values()))
    assert np.isfinite(column.values).sum() == used
    if used == 4:
        assert "may be negative" in " ".join(problem.reason for problem in (*table.problems, *column.problems))


@given(st.lists(st.integers(100, 9999), min_size=5, max_size=5), st.integers(1, 99))
def test_per_cent_and_absolute_uncertainties_say_the_same(numbers: list[int], percent: int) -> None:
    relative = read(CP, [str(number) for number in numbers], "error [%]", [str(percent)] * 5)
    absolute = read(CP, [str(number) for number in numbers], "error", [f"{n * percent / 100:.6f}" for n in numbers])
    np.testing.assert_allclose(relative.uncertainty, absolute.uncertainty, rtol=1e-9)


@pytest.mark.parametrize(
    ("headings", "row"),
    [
        ("Cp [J/(kg K)],uncertainty,unit", "{value:g},2,%"),
        ("Cp,unit,uncertainty,unit", "{value:g},J/(kg K),2,%"),
        ("Cp [J/(kg K)],Cp error,error unit", "{value:g},2,%"),
    ],
)
def test_a_column_of_units_behind_the_uncertainties_may_say_per_cent(headings: str, row: str) -> None:
    rows = [f"{unit},{row.format(value=value)}" for unit, value in zip(UNITS, VALUES, strict=True)]
    raw = pasted("\n".join([f"smiles,{headings}", *rows]) + "\n")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "Cp")]
    np.testing.assert_allclose(column.values, VALUES)
    np.testing.assert_allclose(column.uncertainty, [22.0, 24.0, 26.0, 28.0, 30.0], rtol=1e-12)


@pytest.mark.parametrize("heading", ["density [g/cm3] (SD)", "density, mean ± SD [g/cm3]", "density ± u [g/cm3]"])
def test_a_heading_may_name_value_and_deviation_of_one_cell(heading: str) -> None:
    for cells in (["0.95 (0.02)"] * 5, ["0.95 ± 0.02"] * 5):
        column = read(heading, cells)
        assert column.quantity.key == "density"
        np.testing.assert_allclose(column.values, [0.95] * 5)
        np.testing.assert_allclose(column.uncertainty, [0.02] * 5)


def test_texts_kept_as_formulas_are_read_as_shown_in_every_column() -> None:
    rows = "".join(f'="00{number}",="{unit}",="{1 + number / 10}"\n' for number, unit in enumerate(UNITS))
    raw = pasted(f'="id",="smiles",="density [g/cm3]"\n{rows}')
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.ids[:2] == ("000", "001")
    assert table.smiles == UNITS
    np.testing.assert_allclose(table.values[("measured", "density")].values, [1.0, 1.1, 1.2, 1.3, 1.4])


def test_dates_times_and_truth_values_of_a_workbook_are_told_and_never_numbers(tmp_path: Path) -> None:
    units = (*UNITS, "*CCS*", "*CC(*)Cl", "*CC(*)OC", "*CC(*)C#N", "*CC(*)CC", "*CCCO*")
    cells: list[object] = [1.1, 1.2, date(2024, 5, 1), 0, -1.4, time(1, 30), 1.7, True, 1.9, 2.0, 2.1]
    with Workbook(tmp_path / "book.xlsx") as book:
        sheet = book.add_worksheet()
        formats = {date: book.add_format({"num_format": "dd. mmm"}), time: book.add_format({"num_format": "hh:mm"})}
        sheet.write_row(0, 0, ["smiles", "zeta potential [mV]"])
        for number, (unit, cell) in enumerate(zip(units, cells, strict=True), start=1):
            sheet.write_string(number, 0, unit)
            sheet.write(number, 1, cell, formats.get(type(cell)))
    raw = read_table(tmp_path / "book.xlsx")
    table = to_polymer_table(raw, guess_roles(raw))
    column = next(iter(table.values.values()))
    np.testing.assert_array_equal(column.values, [1.1, 1.2, 0.0, -1.4, 1.7, 1.9, 2.0, 2.1])
    reasons = {problem.line: problem.reason for problem in (*table.problems, *column.problems)}
    assert set(reasons) == {4, 7, 9}
    assert "is a date" in reasons[4]
    assert "is a time" in reasons[7]
    assert "is not a number" in reasons[9]


DENSITY = "density (g/cm3)"
DENSITIES = ["0.86", "0.91", "1.39", "1.12", "1.36"]


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "St. Dev.",
            "S.E.",
            "s.e.m.",
            "±SD",
            "± SD",
            "Error (±)",
            "uncert.",
            "Messunsicherheit u",
            "Std.-Abw.",
            "e.s.d.",
        ),
        *(
            "ecart type",
            "desv. est.",
            "odch. stand.",
            "標準差",
            "abs. error",
            "bootstrap SE",
            "std error mean",
            "stdev.s",
        ),
        *("SE (n=3)", "SD, n=5", "SD (n = 3)"),
    ],
)
def test_a_word_for_an_uncertainty_is_understood_with_what_stands_beside_it(heading: str) -> None:
    column = read(DENSITY, DENSITIES, heading, ["0.01"] * 5)
    assert column.uncertainty.tolist() == [0.01] * 5
    assert not column.remarks


@pytest.mark.parametrize(
    "heading",
    [
        "Δρ",
        "Δρ (g/cm3)",
        "δ",
        "s",
        "S",
        "Δ",
        "±s",
        "uc(ρ)",
        "u_c",
        "d_rho",
        "drho",
        "delta rho",
        "s_rho",
        "sρ",
        "s(ρ)",
        "Δ(ρ)",
    ],
)
def test_a_symbol_beside_values_is_their_uncertainty_where_it_is_small_and_that_is_told(heading: str) -> None:
    column = read(DENSITY, DENSITIES, heading, ["0.01"] * 5)
    assert column.uncertainty.tolist() == [0.01] * 5
    assert f"is read as the uncertainty of “{DENSITY}”" in " ".join(column.remarks)


def test_a_relative_deviation_by_symbols_is_a_share() -> None:
    for heading, cells in (("Δρ/ρ", ["0.01"] * 5), ("Δρ/ρ (%)", ["1"] * 5), ("ur(ρ)", ["0.01"] * 5)):
        column = read(DENSITY, DENSITIES, heading, cells)
        assert column.uncertainty == pytest.approx([0.01 * float(value) for value in DENSITIES])


@pytest.mark.parametrize(
    "heading", ["accuracy", "variance", "s²", "MAD", "half-width", "tol.", "Genauigkeit", "max. error"]
)
def test_a_column_that_says_how_exact_values_are_in_another_way_is_told_and_not_used(heading: str) -> None:
    column = read(DENSITY, DENSITIES, heading, ["0.01"] * 5)
    assert np.isnan(column.uncertainty).all()
    assert f"“{heading}” may say how exact “{DENSITY}” is; it is not used" in " ".join(column.remarks)


@pytest.mark.parametrize(
    ("values", "heading", "cells"),
    [
        (DENSITY, "δ (MPa^0.5)", ["16", "17", "18", "19", "20"]),
        (DENSITY, "δ", ["16", "17", "18", "19", "20"]),
        (DENSITY, "s", ["16", "17", "18", "19", "20"]),
        (DENSITY, "Δρ", ["-0.01", "0.02", "0.01", "-0.03", "0.02"]),
        ("Cp (J/(g K))", "ΔCp (J/(g K))", ["0.03"] * 5),
        ("Tg (K)", "ΔTg (K)", ["0.05"] * 5),
    ],
)
def test_what_is_a_quantity_by_itself_is_no_uncertainty(values: str, heading: str, cells: list[str]) -> None:
    table = table_of(values, (values, DENSITIES), (heading, cells))
    assert np.isnan(table.values[next(iter(table.values))].uncertainty).all()


def test_deviations_behind_several_values_are_of_these_in_their_order() -> None:
    columns = (("Tg (K)", ["200"] * 5), (DENSITY, DENSITIES), ("SD", ["2"] * 5), ("SD", ["0.01"] * 5))
    table = table_of("Tg (K)", *columns)
    assert table.values[("measured", "glass_transition")].uncertainty.tolist() == [2.0] * 5
    assert table.values[("measured", "density")].uncertainty.tolist() == [0.01] * 5


def test_uncertainties_larger_than_their_values_are_told() -> None:
    said = "its uncertainties are larger than the values. Is their unit right?"
    assert said in " ".join(read(DENSITY, DENSITIES, "SD", ["10"] * 5).remarks)
    assert said not in " ".join(read(DENSITY, DENSITIES, "SD (kg/m3)", ["10"] * 5).remarks)


def test_an_uncertainty_below_zero_is_none_and_said() -> None:
    column = read(CP, texts(VALUES), "Cp uncertainty [J/(kg K)]", ["11", "-12", "13", "-14", ""])
    np.testing.assert_array_equal(column.uncertainty, [11.0, math.nan, 13.0, math.nan, math.nan])
    assert "Cp uncertainty [J/(kg K)]: 2 uncertainties are negative and not used, first in line 3." in column.remarks


def test_a_temperature_that_is_no_number_is_not_used_and_said() -> None:
    table = table_of(CP, (CP, texts(VALUES)), ("temperature [K]", ["300", "2024-01-01", "n.d.", "", "ambient"]))
    assert table.temperature is not None
    np.testing.assert_array_equal(table.temperature, [300.0, math.nan, math.nan, math.nan, math.nan])
    (note,) = [note for note in table.notes if note.startswith("temperature")]
    assert note.startswith("temperature [K]: 1 temperature is not used, line 3: “2024-01-01” is a date")
