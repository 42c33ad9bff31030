"""Headings, units and numbers as programs and people usually write them are read rightly, without being refused."""

import zipfile
from pathlib import Path

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.units.properties import own_property
from affinecal_gui.tables.units.units import conversion
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.value_columns import ValueColumn
from tests.tables.making import pasted
from tests.tables.said_of import MD, MD_TG, POLYMERS, TG, said_of, table

CELSIUS = [round(value - 273.15, 2) for value in TG]
FAHRENHEIT = [round((value - 273.15) * 9 / 5 + 32, 2) for value in TG]


def column_of(heading: str, cells: list[object]) -> ValueColumn:
    """Return the only column of values of a table."""
    raw = pasted(table(("smiles", heading), POLYMERS, cells))
    read = to_polymer_table(raw, guess_roles(raw))
    (found,) = read.values
    return read.values[found]


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Tg (°C.)",
            "Tg (C°)",
            "Tg (&deg;C)",
            "Tg (&#176;C)",
            "Tg (\\textcelsius)",
            "Tg (\\textdegree C)",
            "Tg<br>(°C)",
        ),
        *("Tg<br/>[°C]", "Tg °Celsius", "Tg (°Celsius)", "Tg (C deg)", "Tg (C degrees)", "Tg (deg-C)", "Tg [C°]"),
        *("('Tg', '°C')", "('Tg','°C')", '("Tg", "°C")', "('Tg', 'C')", "('Tg', '[°C]')", "Tg\\n(°C)", "Tg_C°"),
        *("Tg.in.Celsius", "Tg.in.degC", "Tg–°C", "Tg|°C", "Tg(°C) [1]", "T_{g} (°C) [b]", "玻璃轉移溫度 (攝氏)"),
        *("температура стеклования (°C)", "Tg (ISO 11357-2) / °C", "Tg, °C (ASTM D3418)", "Tg (°C, DIN EN ISO 11357)"),
    ],
)
def test_degrees_celsius_are_known_in_every_spelling(heading: str) -> None:
    column = column_of(heading, CELSIUS)
    assert column.quantity.key == "glass_transition"
    assert column.values.tolist() == pytest.approx(list(TG))
    assert column.remarks == ()


@pytest.mark.parametrize("heading", ["Tg_F", "Tg (F)", "Tg F", "Tg [F]", "Tg / F"])
def test_degrees_fahrenheit_are_read_by_their_letter_and_told(heading: str) -> None:
    column = column_of(heading, FAHRENHEIT)
    assert column.values.tolist() == pytest.approx(list(TG), abs=0.01)  # as rounded above
    assert "F is read as degrees Fahrenheit" in " ".join(column.remarks)


SMALL = [30.0, 31.5, 33.0, 34.5, 36.0, 37.5, 39.0, 40.5, 42.0]


@pytest.mark.parametrize(
    ("heading", "unit", "factor"),
    [
        ("surface_tension_mN_per_m", "mN/m", 1.0),
        ("surface_tension_dyne_per_cm", "mN/m", 1.0),
        ("surface tension (dyne/cm)", "mN/m", 1.0),
        ("surface tension [dynes/cm]", "mN/m", 1.0),
        ("surface tension (dyn/cm)", "mN/m", 1.0),
        ("density_kg_per_m3", "g/cm3", 1e-3),
        ("viscosity_mPa_s", "Pa s", 1e-3),
        ("melt viscosity (mpa s)", "Pa s", 1e-3),
        ("entanglement mass (kDa)", "g/mol", 1e3),
        ("entanglement mass (kg/mol)", "Da", 1e3),
        ("uptake (wt%)", "%", 1.0),
        ("uptake (wt.-%)", "%", 1.0),
        ("uptake (% w/w)", "wt%", 1.0),
        ("cohesion (MPA)", "Pa", 1e6),
        ("cohesion (mpa)", "MPa", 1.0),
    ],
)
def test_units_are_known_in_the_letters_people_write(heading: str, unit: str, factor: float) -> None:
    column = column_of(heading, SMALL)
    if not column.quantity.is_known:
        column = column.in_unit_of(own_property(column.quantity.key, unit))
    assert column.values.tolist() == pytest.approx([value * factor for value in SMALL])


@pytest.mark.parametrize(
    ("unit", "factor"),
    [
        ("Mpa", 1e-3),
        ("MPA", 1e-3),
        ("mpa", 1e-3),
        ("Gpa", 1.0),
        ("GPA", 1.0),
        ("gpa", 1.0),
        ("KPa", 1e-6),
        ("kpa", 1e-6),
    ],
)
@pytest.mark.parametrize("heading", ["Young's modulus ({})", "Young's modulus [{}]", "Young's modulus, {}"])
def test_pascals_are_known_in_letters_of_any_case(unit: str, factor: float, heading: str) -> None:
    assert column_of(heading.format(unit), SMALL).values.tolist() == pytest.approx([value * factor for value in SMALL])


@pytest.mark.parametrize("minus", ["\u2010", "\u2011", "\u2012", "\u2013", "\u2212", "\ufe63", "\uff0d"])
def test_every_sign_of_minus_is_one(minus: str) -> None:
    cells = [str(value).replace("-", minus) for value in CELSIUS]
    assert column_of("Tg (°C)", list(cells)).values.tolist() == pytest.approx(list(TG))


@pytest.mark.parametrize(
    "behind",
    [
        "(10 K/min)",
        "(DSC, 10 K/min)",
        "@ 298 K",
        "at 25 °C",
        "(25 °C)",
        "K at 10 K/min",
        "K (20 K/min)",
        "[1 Hz]",
        "bei 1 Hz",
    ],
)
def test_a_condition_behind_a_number_is_told_and_the_number_read(behind: str) -> None:
    column = column_of("Tg (K)", [f"{value} {behind}" for value in TG])
    assert column.values.tolist() == pytest.approx(list(TG))
    (remark,) = column.remarks
    assert "9 values have a condition behind the number" in remark
    assert f"“195.0 {behind}” as 195" in remark


@pytest.mark.parametrize("behind", ["GPa", "(something else)", "(kg/m3)", "@ home", "at noon"])
def test_what_is_no_condition_behind_a_number_is_not_passed_over(behind: str) -> None:
    raw = pasted(table(("smiles", "Tg (K)"), POLYMERS, [f"{value} {behind}" for value in TG]))
    with pytest.raises(UserError, match="none of the 9 rows can be used"):
        to_polymer_table(raw, guess_roles(raw))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("viscosity (25 °C)", "viscosity"),
        ("viscosity at 200 °C (Pa s)", "viscosity (Pa s)"),
        ("loss modulus (1 Hz, 25 °C)", "loss_modulus (10 Hz)"),
    ],
)
def test_a_property_under_different_conditions_is_one_and_that_is_told(one: str, other: str) -> None:
    said = said_of(table(("smiles", one), POLYMERS, TG), table(("smiles", other), POLYMERS, MD_TG))
    assert "is taken for the same property as" in said


def test_blanks_and_underscores_make_no_two_properties() -> None:
    one, other = "surface tension (mN/m)", "Surface_Tension_mN_per_m"
    assert said_of(table(("smiles", one), POLYMERS, TG), table(("smiles", other), POLYMERS, MD_TG)) == ""


def test_the_same_quantity_under_two_conditions_in_one_table_stays_two_properties() -> None:
    measured = table(("smiles", "viscosity (25 °C)", "viscosity (90 °C)"), POLYMERS, TG, MD_TG)
    with pytest.raises(UserError, match="no property is in both"):
        said_of(measured, table(("smiles", "viscosity"), POLYMERS, MD_TG))


def test_a_property_of_ones_own_may_have_its_unit_in_each_cell() -> None:
    column = column_of(
        "gloss", [f"{value} {unit}" for value, unit in zip(SMALL, ["MPa", "kPa", "MPa"] * 3, strict=True)]
    )
    factors = [1.0, 1e-3, 1.0] * 3
    assert column.quantity.unit == "MPa"
    assert column.values.tolist() == pytest.approx(
        [value * factor for value, factor in zip(SMALL, factors, strict=True)]
    )


@pytest.mark.parametrize("unit", ["[H]CC[H]", "[H]CC([H])C", "[H]OCC[H]"])
def test_repeat_units_that_end_in_hydrogen_are_no_other_polymer(unit: str) -> None:
    with pytest.raises(UserError, match="mark the two ends of the repeat unit with"):
        said_of(f"smiles\tTg (K)\n{unit}\t200\n", MD)


def open_document(rows: list[list[tuple[str, int]]]) -> str:
    """Return the content of a workbook; each cell with the number of rows it spans, 0 where another covers it."""
    of = "urn:oasis:names:tc:opendocument:xmlns:"
    cells = {
        0: "<table:covered-table-cell/>",
        1: '<table:table-cell office:value-type="string"><text:p>{}</text:p></table:table-cell>',
    }
    spanned = (
        '<table:table-cell table:number-rows-spanned="{1}" table:number-columns-spanned="1" office:value-type="string">'
        "<text:p>{0}</text:p></table:table-cell>"
    )
    body = "".join(
        f"<table:table-row>{''.join(cells.get(span, spanned).format(text, span) for text, span in row)}</table:table-row>"
        for row in rows
    )
    return (
        f'<?xml version="1.0"?><office:document-content xmlns:office="{of}office:1.0" xmlns:table="{of}table:1.0" '
        f'xmlns:text="{of}text:1.0"><office:body><office:spreadsheet><table:table table:name="first"><table:table-row>'
        f'<table:table-cell/></table:table-row></table:table><table:table table:name="second">{body}</table:table>'
        "</office:spreadsheet></office:body></office:document-content>"
    )


def test_merged_cells_of_open_document_stand_in_each_of_their_rows(tmp_path: Path) -> None:
    rows = [
        [("smiles", 1), ("Tg (K)", 1)],
        [("*CC*", 2), ("195", 1)],
        [("", 0), ("197", 1)],
        [("*CC(*)C", 1), ("260", 1)],
    ]
    kind = "application/vnd.oasis.opendocument.spreadsheet"
    manifest = "urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"
    with zipfile.ZipFile(tmp_path / "merged.ods", "w") as archive:
        archive.writestr("mimetype", kind)
        archive.writestr("content.xml", open_document(rows))
        archive.writestr(
            "META-INF/manifest.xml",
            f'<?xml version="1.0"?><manifest:manifest xmlns:manifest="{manifest}"><manifest:file-entry '
            f'manifest:full-path="/" manifest:media-type="{kind}"/></manifest:manifest>',
        )
    raw = read_table(tmp_path / "merged.ods")
    assert list(raw.column("smiles")) == ["*CC*", "*CC*", "*CC(*)C"]
    assert "merged cells in smiles were read as standing in each of their rows" in " ".join(raw.notes)


@pytest.mark.parametrize(
    ("heading", "key", "kept_in_mega"),
    [
        *((text, "youngs_modulus", True) for text in (
            *("E (MPa, ISO 527)", "E-modulus [MPa; 23°C]", "Young's modulus, MPa, 50 % r.h.", "引張弾性率 (MPa)"),
            *("Young's modulus (MPa, 50 % rel. Feuchte)", "module d'élasticité (MPa)", "tensile modulus [MPa] (GB/T 1040.2)"),
        )),
        *((text, "refractive_index", False) for text in ("n_D (25 °C)", "n_{D}", "nD (589 nm, 20 °C)", "n_{D}^{20}")),
        *((text, "dielectric_constant", False) for text in (
            *("Dk (10 GHz)", "εr (100 kHz, 23 °C)", "ε_r", "ε' (1 kHz)", "dielectric_constant_1MHz"),
        )),
    ],
)  # fmt: skip
def test_names_with_a_standard_or_a_condition_are_those_of_the_property(
    heading: str, key: str, kept_in_mega: bool
) -> None:
    cells = [1.5, 1.48, 1.53, 1.47, 1.52, 1.51, 1.4, 1.49, 1.45]
    column = column_of(heading, [round(1000 * cell) for cell in cells] if kept_in_mega else list(cells))
    assert column.quantity.key == key
    assert column.values.tolist() == pytest.approx(cells)


@pytest.mark.parametrize("heading", ["unité", "unidad", "unidade", "unità", "단위", "單位", "ед. изм."])
def test_a_column_of_units_is_known_by_its_heading_in_other_languages(heading: str) -> None:
    text = table(("smiles", "Cp", heading), POLYMERS, [0.35] * 9, ["cal/(g K)"] * 9)
    (column,) = to_polymer_table(pasted(text), guess_roles(pasted(text))).values.values()
    assert column.values.tolist() == pytest.approx([0.35 * 4184] * 9)
    assert column.remarks == ()


@pytest.mark.parametrize(
    "heading", ["Maßeinheit", "meas. unit", "measurement unit", "dim", "col3", "reported as", "U.M."]
)
def test_a_column_of_nothing_but_units_gives_those_of_the_values_whatever_it_is_called(heading: str) -> None:
    text = table(("smiles", "surface tension", heading), POLYMERS, [0.03] * 9, ["N/m"] * 9)
    (column,) = to_polymer_table(pasted(text), guess_roles(pasted(text))).values.values()
    assert (column.quantity.unit, column.unit_is_named) == ("N/m", True)


@pytest.mark.parametrize(("heading", "cell"), [("density", "{:,} kg/m3"), ("density (g/cm3)", "{:,} kg/m3")])
def test_what_a_mark_is_shows_the_unit_in_the_cells(heading: str, cell: str) -> None:
    text = table(("smiles", heading), POLYMERS, [cell.format(1000 + 10 * number) for number in range(9)])
    (column,) = to_polymer_table(pasted(text), guess_roles(pasted(text))).values.values()
    assert column.values.tolist() == pytest.approx([1 + number / 100 for number in range(9)])


@pytest.mark.parametrize("heading", ["Einh.", "TgUnit", "u.m.", "ed."])
def test_a_column_of_several_units_gives_that_of_each_row_whatever_it_is_called(heading: str) -> None:
    units = ["K", "°C"] * 4 + ["K"]
    values = [250.0 if unit == "K" else -23.15 for unit in units]
    text = table(("smiles", "Tg", heading), POLYMERS, values, units)
    (column,) = to_polymer_table(pasted(text), guess_roles(pasted(text))).values.values()
    assert column.values.tolist() == pytest.approx([250.0] * 9)


@pytest.mark.parametrize("codes", [["PA", "PS", "PS"] * 3, ["am", "sc", "am"] * 3, ["g", "s", "l"] * 3])
def test_codes_that_are_letters_of_units_are_no_units(codes: list[str]) -> None:
    text = table(("smiles", "surface tension", "code"), POLYMERS, [0.03] * 9, codes)
    (column,) = to_polymer_table(pasted(text), guess_roles(pasted(text))).values.values()
    assert not column.unit_is_named


@pytest.mark.parametrize(
    ("heading", "cell", "expected", "key"),
    [
        *((f"density ({unit})", "8.3454", 1.0, "density") for unit in ("lb/gal", "lbs/gal", "lb/US gal", "ppg")),
        *((f"density ({unit})", "62.428", 1.0, "density") for unit in ("lb/ft3", "lb/cu ft", "lbm/ft³", "pcf")),
        *((f"density ({unit})", "0.036127", 1.0, "density") for unit in ("lb/in3", "lbs/in³", "lb/cu. in.")),
        ("density (pounds per cubic foot)", "62.428", 1.0, "density"),
        ("密度(g/㎤)", "1.2", 1.2, "density"),
        ("密度(㎏/㎥)", "1200", 1.2, "density"),
        *((f"Young's modulus ({unit})", "145.038", 1.0e-3, "youngs_modulus") for unit in ("psi", "PSI", "lbf/in²")),
        *((f"Young's modulus ({unit})", "20394.3", 2.0, "youngs_modulus") for unit in ("kgf/cm2", "kp/cm²")),
        ("Модуль Юнга, МПа", "2000", 2.0, "youngs_modulus"),
        ("Модуль упругости (кгс/см²)", "20394.3", 2.0, "youngs_modulus"),
        ("Young's modulus (GN/m²)", "2", 2.0, "youngs_modulus"),
        ("CTE (µin/in·°F)", "50", 9.0e-5, "linear_expansion"),
        ("CTE (in./in./°C)", "9e-5", 9.0e-5, "linear_expansion"),
        ("CTE (‰/K)", "0.09", 9.0e-5, "linear_expansion"),
        ("Cp (cal/g-deg)", "0.35", 1464.4, "Cp"),
        ("Cp (Btu/lb-F)", "0.35", 1465.38, "Cp"),
        ("Теплопроводность, Вт/мК", "0.2", 0.2, "thermal_conductivity"),
        ("k (BTU/hr-ft-F)", "0.1", 0.173073, "thermal_conductivity"),
        ("thermal diffusivity (mm²/sec)", "0.11", 1.1e-7, "thermal_diffusivity"),
    ],
)
def test_units_of_engineers_and_of_other_scripts_are_read_without_a_word(
    heading: str, cell: str, expected: float, key: str
) -> None:
    raw = pasted(f"smiles\t{heading}\n*CC*\t{cell}\n*CC(*)C\t{cell}\n")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", key)]
    assert column.values[0] == pytest.approx(expected, rel=1e-5)
    assert column.remarks == ()


@pytest.mark.parametrize(
    ("heading", "cell", "expected", "key", "word"),
    [
        ("Young's modulus (kg/cm2)", "20394.3", 2.0, "youngs_modulus", "masses are read as their weights"),
        ("E (lb/in²)", "145.038", 1.0e-3, "youngs_modulus", "masses are read as their weights"),
        ("ヤング率 (kg/mm²)", "203.943", 2.0, "youngs_modulus", "masses are read as their weights"),
        ("CTE (10E-6/K)", "90", 9.0e-5, "linear_expansion", "10E-6 is read as 10^-6"),
        ("CTE 10E-5/K", "9", 9.0e-5, "linear_expansion", "10E-5 is read as 10^-5"),
        ("CTE (ppm)", "90", 9.0e-5, "linear_expansion", "ppm is read as ppm/K"),
    ],
)
def test_units_that_usually_mean_another_are_read_with_a_word(
    heading: str, cell: str, expected: float, key: str, word: str
) -> None:
    raw = pasted(f"smiles\t{heading}\n*CC*\t{cell}\n*CC(*)C\t{cell}\n")
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", key)]
    assert column.values[0] == pytest.approx(expected, rel=1e-5)
    assert word in " ".join(column.remarks)


@pytest.mark.parametrize(
    ("written", "other", "factor", "word"),
    [
        ("kg/cm2", "MPa", 0.0980665, "weights"),
        ("MPa", "kg/cm2", 10.1971621, "weights"),
        ("ft-lb/in", "J/m", 53.3786594, "weights"),
        ("kJ/mol", "eV", 0.0103642697, "molecules"),
        ("Å^3", "cm3/mol", 0.602214076, "molecules"),
        ("hartree", "eV", 27.2113862, ""),
        ("V/mil", "kV/mm", 0.0393700787, ""),
        ("ohm-cm", "ohm m", 0.01, ""),
        ("°", "rad", 0.0174532925, ""),
    ],
)
def test_units_of_own_properties_are_converted_with_a_word_where_they_mean_another(
    written: str, other: str, factor: float, word: str
) -> None:
    way = conversion(written, own_property("x", other))
    assert way.factor == pytest.approx(factor, rel=1e-8)
    assert (word in way.assumed) if word else not way.assumed


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Tg(°C)±1",
            "Tg (°C) ± 1",
            "Tg ±1 °C",
            "Tg [°C] (±1)",
            "Tg, °C (±1 °C)",
            "Tg (±1 °C)",
            "Tg (°C, ±1)",
            "Tg (°C±1)",
        ),
    ],
)
def test_a_deviation_in_a_heading_is_that_of_every_value_and_told(heading: str) -> None:
    column = column_of(heading, CELSIUS)
    assert column.values == pytest.approx(TG)
    assert column.uncertainty.tolist() == [1.0] * 9
    assert "±1 is read as the uncertainty of every value" in " ".join(column.remarks)


def test_a_deviation_in_per_cent_in_a_heading_is_a_share_of_every_value() -> None:
    column = column_of("E (MPa, ± 5 %)", [1000.0 * n for n in range(1, 10)])
    assert column.uncertainty == pytest.approx([0.05 * n for n in range(1, 10)])


@pytest.mark.parametrize("heading", ["E (MPa) ± SD", "Young's modulus ± std (MPa)"])
def test_a_heading_of_values_with_their_deviation_holds_the_values(heading: str) -> None:
    assert column_of(heading, [1000.0 * n for n in range(1, 10)]).values == pytest.approx(range(1, 10))
    assert column_of(heading, [f"{n}000 ± 50" for n in range(1, 10)]).uncertainty == pytest.approx([0.05] * 9)


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "T_g^a (°C)",
            "Tg^b (°C)",
            "T<sub>g</sub><sup>a</sup> (°C)",
            "Tg midpoint ASTM D3418 (°C)",
            "Tg ISO 11357-2 [°C]",
        ),
    ],
)
def test_marks_of_notes_and_standards_in_a_heading_are_no_part_of_the_name(heading: str) -> None:
    assert column_of(heading, CELSIUS).values == pytest.approx(TG)


def test_numbers_that_are_not_whole_are_no_counts() -> None:
    column = column_of("n", [1.51, 1.49, 1.54, 1.456, 1.514, 1.5, 1.42, 1.489, 1.45])
    assert column.quantity.key == "refractive_index"
    assert column.values[3] == 1.456


@pytest.mark.parametrize("heading", ["±0.01", "log|E*|", "gloss*100", "2.5%"])
def test_a_row_with_the_heading_of_repeat_units_is_one_of_headings(heading: str) -> None:
    text = table(("smiles", "Tg (K)", heading), POLYMERS, TG, [0.1] * 9)
    assert to_polymer_table(pasted(text), guess_roles(pasted(text))).values[
        ("measured", "glass_transition")
    ].values.tolist() == list(TG)


@pytest.mark.parametrize("word", ["around", "etwa", "circa", "około", "env."])
def test_words_for_about_are_told_as_such(word: str) -> None:
    column = column_of("Tg (K)", [f"{word} 200", *TG[1:]])
    assert column.values[0] == 200.0
    assert "approximate" in " ".join(column.remarks)


@pytest.mark.parametrize(
    "heading",
    [
        *(
            "Tg by DSC (°C)",
            "Tg from DSC (°C)",
            "Tg (°C) by DSC",
            "Tg measured by DSC (°C)",
            "**Tg (°C)**",
            "“Tg (°C)”",
        ),
        *("`Tg (°C)`", "'Tg (°C)'", "Tg〔°C〕", "Tg『°C』", "Glass transition temperature (Tg/°C)"),
        "Glass transition temperature [Tg, °C]",
    ],
)
def test_methods_marks_and_symbols_beside_a_name_are_no_part_of_it(heading: str) -> None:
    assert column_of(heading, CELSIUS).values == pytest.approx(TG)


MODULI = [n + 0.5 for n in range(1, 10)]


@pytest.mark.parametrize(("factor", "unit"), [(1e3, "MPa"), (1e9, "Pa"), (1.0, "GPa")])
def test_a_modulus_without_unit_is_read_by_its_size_and_that_is_told(factor: float, unit: str) -> None:
    column = column_of("Young's modulus", [f"{n * factor:g}" for n in MODULI])
    assert column.values == pytest.approx(MODULI)
    assert f"its values are read as {unit}" in " ".join(column.remarks)


def test_the_way_of_measuring_behind_a_number_is_no_unit() -> None:
    column = column_of("Tg (K)", [f"{value:g} ({'DSC' if value > 300 else 'DMA'})" for value in TG])
    assert column.values.tolist() == list(TG)
    assert "a condition behind the number" in " ".join(column.remarks)
