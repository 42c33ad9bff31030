"""What makes a number wrong, or of another sample, is said: nothing of it passes without a question or a note."""

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.study.importing.column_choices import settled_roles
from affinecal_gui.study.table_source import ColumnChoice, ImportChoices
from affinecal_gui.tables.formats.text_tables import read_pasted_text
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.units.property_names import property_by_name
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted
from tests.tables.said_of import MD_TG, POLYMERS, TG, said_of, table

NAMES = tuple("ABCDEFGHI")
EMPTY = ("",) * len(POLYMERS)
DENSITIES = (0.86, 0.9, 1.4, 1.1, 1.2, 1.3, 1.7, 1.2, 1.3)


def test_a_plain_table_needs_no_word() -> None:
    assert said_of(table(("smiles", "Tg (K)"), POLYMERS, TG)) == ""


@pytest.mark.parametrize(
    ("second", "gap"),
    [
        *((second, gap) for second in ("polymer", "sample", "id", "名称") for gap in (1, 3)),
        *((second, 1) for second in ("échantillon", "muestra", "amostra", "campione", "próbka", "образец", "시료")),
    ],
)
def test_tables_beside_each_other_are_told_by_the_empty_column_between_them(second: str, gap: int) -> None:
    spaces = [EMPTY] * gap
    text = table(
        ("smiles", "Tg (K)", *[""] * gap, second, "density"), POLYMERS, TG, *spaces, NAMES[::-1], DENSITIES[::-1]
    )
    with pytest.raises(UserError, match=rf"“smiles, Tg \(K\)” and “{second}, density” stand side by side"):
        said_of(text)
    assert said_of(text, value_column="Tg (K)") == ""


@pytest.mark.parametrize(
    "text",
    [
        table(("polymer", "smiles", "", "Tg (K)"), NAMES, POLYMERS, EMPTY, TG),
        table(("polymer", "smiles", "Tg (K)", "", "polymer", "density"), NAMES, POLYMERS, TG, EMPTY, NAMES, DENSITIES),
    ],
    ids=["a gap between polymers and values", "the same polymers again"],
)
def test_an_empty_column_alone_makes_no_two_tables(text: str) -> None:
    assert said_of(text) == ""


CODES = tuple(f"A{n}" for n in (4, 2, 9, 1, 3, 8, 5, 7, 6))


@pytest.mark.parametrize(
    ("head", "again", "keys"),
    [
        (("Nr.", "smiles"), "No", (CODES[::-1], POLYMERS, CODES)),
        (("smiles",), "name", (POLYMERS, NAMES[::-1])),
        (("Probe", "smiles"), "Polymer", (NAMES, POLYMERS, NAMES[::-1])),
        (("smiles",), "名称", (POLYMERS, NAMES)),
    ],
)
def test_polymers_told_again_behind_values_may_be_those_of_another_table(
    head: tuple[str, ...], again: str, keys: tuple[tuple[str, ...], ...]
) -> None:
    text = table((*head, "Tg (K)", again, "density"), *keys[:-1], TG, keys[-1], DENSITIES)
    with pytest.raises(UserError, match=rf"may be tables side by side.*if they are one table, put “{again}” before"):
        said_of(text)
    assert said_of(text, value_column="Tg (K)") == ""


@pytest.mark.parametrize(
    "text",
    [
        table(("smiles", "Tg (K)", "name"), POLYMERS, TG, NAMES),
        table(("abbreviation", "polymer", "smiles", "Tg (K)", "density"), NAMES, CODES, POLYMERS, TG, DENSITIES),
        table(("smiles", "year", "name", "Tg (K)"), POLYMERS, range(1990, 1999), NAMES, TG),
        table(("name", "smiles", "Tg (K)", "polymer", "density"), NAMES, POLYMERS, TG, NAMES, DENSITIES),
    ],
    ids=["no values behind", "beside each other", "no values before", "the same names"],
)
def test_a_second_name_alone_makes_no_two_tables(text: str) -> None:
    assert said_of(text) == ""


CELSIUS = [-78.2, 0, 81.0, 0, 97.1, 85.2, 0, 105.0, 41.3]


@pytest.mark.parametrize(
    ("heading", "values", "mark"),
    [
        ("Tg (°C)", CELSIUS, "0"),
        ("Tg (°C)", [v or -1 for v in CELSIUS], "-1"),
        ("Tg (°C)", [v or -99 for v in CELSIUS], "-99"),
        ("Tg (K)", [195.1, 9999, 354, 9999, 370, 358, 233, 378, 314], "9999"),
        ("Tg (K)", [195.1, 999.0, 354, 999.0, 370, 358, 233, 378, 314], "999.0"),
    ],
)
def test_a_number_that_is_repeated_like_a_mark_of_no_value_is_named(
    heading: str, values: list[float], mark: str
) -> None:
    count = sum(str(value) == mark for value in values)
    assert f"“{mark}” stands {count} times exactly and looks like a mark of a missing value" in said_of(
        table(("smiles", heading), POLYMERS, values)
    )


def test_grades_and_shares_may_be_zero_again_and_again() -> None:
    for heading, values in (
        ("grade", (0, 0, 1, 1, 2, 2, 3, 0, 1)),
        ("crystallinity (%)", (0, 0, 31, 0, 12, 44, 0, 9, 5)),
    ):
        text = table(("smiles", heading), POLYMERS, values)
        assert "missing value" not in said_of(text, table(("smiles", heading), POLYMERS, PERCENTAGES))


@pytest.mark.parametrize("factor", [6.9, 9.80665, 1 / 14.5, 745.7])
@pytest.mark.parametrize("heading", ["gloss (N/m)", "Young's modulus (GPa)"])
def test_values_that_are_apart_by_one_factor_under_named_units_are_told(factor: float, heading: str) -> None:
    measured = table(("smiles", heading), POLYMERS, [value / 100 for value in TG])
    said = said_of(measured, table(("smiles", heading), POLYMERS, [factor * value / 100 for value in MD_TG]))
    assert "MD values are typically" in said


def test_values_of_both_scales_of_temperature_under_one_named_unit_are_told() -> None:
    measured = table(("smiles", "Tg (K)"), POLYMERS, [value - 150 for value in TG])
    said = said_of(measured, table(("smiles", "Tg (K)"), POLYMERS, [value - 150 + 273.15 for value in TG]))
    assert "between °C and K" in said


FRACTIONS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.1, 0.2, 0.3, 0.4)
PERCENTAGES = (5, 9, 12, 28, 33, 40, 5, 2, 1)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("blend ratio", ["50/50", "60/40", "70/30"] * 3),
        ("comp", ["50-50", "60-40", "70-30"] * 3),
        ("A:B", ["1:1", "2:1", "1:3"] * 3),
        ("PS/PMMA", ["1/1", "2/1", "1/3"] * 3),
        ("VA content", PERCENTAGES),
        ("VA-Gehalt (%)", PERCENTAGES),
        ("filler wt%", PERCENTAGES),
        ("plasticizer (%)", PERCENTAGES),
        ("Weichmachergehalt", PERCENTAGES),
        ("silica loading (phr)", PERCENTAGES),
        ("x_co", FRACTIONS),
        ("スチレン含量", PERCENTAGES),
        ("styrene/acrylonitrile", ["50/50", "60/40", "70/30"] * 3),
        ("Probe", [f"{n}/{100 - n}" for n in range(10, 100, 10)]),
    ],
)
def test_what_else_a_sample_consists_of_is_asked(heading: str, cells: list[object]) -> None:
    with pytest.raises(
        UserError, match=r"of copolymers, blends or fillers, but only “smiles” holds repeat units"
    ) as told:
        said_of(table(("smiles", heading, "Tg (K)"), POLYMERS, cells, TG))
    assert f"“{heading}”" in str(told.value)


@pytest.mark.parametrize(
    ("heading", "cells"),
    [
        ("x", FRACTIONS),
        ("x_i", FRACTIONS),
        ("w_j", FRACTIONS),
        ("c", PERCENTAGES),
        ("styrene %", PERCENTAGES),
        ("MMA (mol%)", PERCENTAGES),
        ("wt_frac_A", FRACTIONS),
        ("Weight 1", PERCENTAGES),
        ("mol 1", PERCENTAGES),
    ],
)
def test_a_column_that_may_be_a_fraction_is_told(heading: str, cells: list[object]) -> None:
    said = said_of(table(("smiles", heading, "Tg (K)"), POLYMERS, cells, TG))
    assert f"“{heading}” may give a fraction of copolymers or mixtures" in said


@pytest.mark.parametrize("headings", [("n1", "n2"), ("p1", "p2"), ("ДМА", "ММА"), ("EO", "PO")])
@pytest.mark.parametrize("whole", [1, 100])
def test_columns_that_make_a_whole_in_every_row_may_be_fractions(headings: tuple[str, str], whole: int) -> None:
    parts = [number * whole / 10 for number in range(1, 10)]
    rest = [round(whole - part, 6) for part in parts]
    said = said_of(table(("smiles", *headings, "Tg (K)"), POLYMERS, parts, rest, TG))
    assert f"“{headings[0]}” and “{headings[1]}” may give fractions of copolymers or mixtures" in said


def not_used(*headings: str) -> str:
    """Return all that is said of columns of numbers which are no more than left unused beside "Tg (K)"."""
    return f"Beside “Tg (K)”, columns of numbers are not used: {', '.join(f'“{heading}”' for heading in headings)}."


def test_crystalline_and_amorphous_parts_make_no_mixture() -> None:
    parts = range(10, 100, 10)
    headings = ("smiles", "crystalline (%)", "amorphous (%)", "Tg (K)")
    said = said_of(table(headings, POLYMERS, parts, [100 - part for part in parts], TG))
    assert said == not_used("crystalline (%)", "amorphous (%)")


@pytest.mark.parametrize(
    "heading", ["crystallinity (%)", "elongation (%)", "draw ratio", "water content (%)", "Poisson's ratio", "yield %"]
)
def test_shares_that_are_properties_of_one_polymer_make_no_mixture(heading: str) -> None:
    assert said_of(table(("smiles", heading, "Tg (K)"), POLYMERS, PERCENTAGES, TG)) == not_used(heading)


DEVIATIONS = (2, 1, 3, 2, 2, 1, 2, 4, 2)


@pytest.mark.parametrize(
    "heading", ["DE", "DP", "noise", "jitter", "‰ SD", "±0.01", "b", "Mn", "q (MPa)", "ΔTg", "column 3", "band"]
)
@pytest.mark.parametrize("cell", ["{}", "±{}", "({})"])
def test_a_column_of_numbers_that_nothing_is_made_of_is_named(heading: str, cell: str) -> None:
    said = said_of(table(("smiles", "Tg (K)", heading), POLYMERS, TG, map(cell.format, DEVIATIONS)))
    assert said == not_used(heading)


def test_of_many_columns_that_nothing_is_made_of_the_number_is_told_in_one_line() -> None:
    headings = ("smiles", "Tg (K)", *"bdghjq")
    said = said_of(table(headings, POLYMERS, TG, *[DEVIATIONS] * 6))
    assert said == not_used("b", "d", "g", "h").replace(".", " and 2 more.")


@pytest.mark.parametrize("heading", ["density", "year", "n_atoms", "ref", "CAS", "SD", "n", "Cp (J/(g K))", "T (K)"])
def test_what_a_heading_says_plainly_need_not_be_named_as_unused(heading: str) -> None:
    assert "not used" not in said_of(table(("smiles", "Tg (K)", heading), POLYMERS, TG, DEVIATIONS))


def test_degrees_of_polymerisation_are_no_deviations() -> None:
    assert said_of(table(("smiles", "Tg (K)", "DP"), POLYMERS, TG, [30, 72, 45, 57, 51, 63, 48, 27, 60])) == ""


def test_a_column_of_error_bars_holds_uncertainties() -> None:
    raw = pasted(table(("smiles", "Tg (K)", "error bar"), POLYMERS, TG, DEVIATIONS))
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert column.uncertainty.tolist() == list(DEVIATIONS)


TWICE = [polymer for polymer in POLYMERS for _ in range(2)]


@pytest.mark.parametrize(
    ("heading", "pair"),
    [
        ("frequency (Hz)", ("1", "1000")),
        ("p (MPa)", ("0.1", "50")),
        ("wavelength (nm)", ("400", "650")),
        ("temperature (K)", ("298", "400")),
        ("Messtemperatur", ("25 °C", "100 °C")),
        ("state", ("glass", "melt")),
        ("humidity", ("dry", "50 % RH")),
        ("heating rate (K/min)", ("10", "20")),
    ],
)
def test_the_condition_in_which_several_rows_of_a_polymer_differ_is_named(heading: str, pair: tuple[str, str]) -> None:
    values = [value + shift for value in TG for shift in (0, 12)]
    said = said_of(table(("smiles", heading, "Tg (K)"), TWICE, pair * len(POLYMERS), values))
    assert f"Their rows differ in “{heading}” ({pair[0]} and {pair[1]})" in said


def test_where_the_rows_of_a_polymer_differ_in_nothing_but_the_source_no_condition_is_named() -> None:
    text = table(
        ("smiles", "source", "Tg (K)"), TWICE, [f"ref {n}" for n in range(18)], [v for v in TG for _ in (0, 1)]
    )
    assert "median is used" in said_of(text)
    assert "differ in" not in said_of(text)


@pytest.mark.parametrize(
    ("heading", "below"),
    [("Tg (K)", "°C"), ("Tg [°C]", "(K)"), ("density (g/cm3)", "kg/m3"), ("E / GPa", "MPa"), ("gloss (N/m)", "mN/m")],
)
def test_a_row_of_units_that_contradicts_the_heading_is_refused(heading: str, below: str) -> None:
    rows = "".join(f"{polymer}\t{value}\n" for polymer, value in zip(POLYMERS, DENSITIES, strict=True))
    text = f"smiles\t{heading}\n\t{below}\n{rows}"
    with pytest.raises(UserError, match="the row of units below it"):
        said_of(text, text)


@pytest.mark.parametrize("below", ["K", "[K]", "(K, DSC)", "-", "float"])
def test_a_row_of_units_that_agrees_with_the_heading_needs_no_word(below: str) -> None:
    rows = "".join(f"{polymer}\t{value}\n" for polymer, value in zip(POLYMERS, TG, strict=True))
    assert said_of(f"smiles\tTg (K)\n[text]\t{below}\n{rows}") == ""


@pytest.mark.parametrize("text", ["foo", "MPa", "see text"])
def test_a_column_of_units_with_no_unit_of_the_only_values_is_told(text: str) -> None:
    said = said_of(table(("smiles", "Tg (K)", "unit"), POLYMERS, TG, [text] * 9))
    assert f"the column “unit” {text}: the heading is followed" in said


@pytest.mark.parametrize(
    ("heading", "cell", "expected", "word"),
    [
        ("U (k=2)", 4, 2.0, "divided by k = 2"),
        ("Tg U (k = 2)", 4, 2.0, "divided by k = 2"),
        ("Tg 2sigma", 3, 1.5, "divided by k = 2"),
        ("3σ", 6, 2.0, "divided by k = 3"),
        ("expanded uncertainty (K, k=2)", 4, 2.0, "divided by k = 2"),
        ("erweiterte Unsicherheit (k = 2)", 5, 2.5, "divided by k = 2"),
    ],
)
def test_expanded_uncertainties_are_divided_by_their_factor(
    heading: str, cell: float, expected: float, word: str
) -> None:
    raw = pasted(table(("smiles", "Tg (K)", heading), POLYMERS, TG, [cell] * 9))
    column = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert column.uncertainty.tolist() == [expected] * 9
    assert word in " ".join(column.remarks)


@pytest.mark.parametrize(
    "heading",
    ["expanded uncertainty (K)", "U95", "Tg_U95", "95% CI", "Tg CI95", "Tg 90 % CI", "95 % confidence interval"],
)
def test_expanded_uncertainties_without_a_factor_are_not_used_and_that_is_told(heading: str) -> None:
    said = said_of(table(("smiles", "Tg (K)", heading), POLYMERS, TG, [4] * 9))
    assert "by which factor is not said; they are not used" in said


def test_further_columns_of_fractions_are_named_where_they_are_not_used() -> None:
    raw = pasted(
        table(
            ("smiles_1", "smiles_2", "x_1", "x_2", "w_1", "w_2", "Tg (K)"),
            *(POLYMERS, POLYMERS[::-1], [0.3] * 9, [0.7] * 9, [0.4] * 9, [0.6] * 9, TG),
        )
    )
    notes = " ".join(to_polymer_table(raw, guess_roles(raw)).notes)
    assert "“x_1” and “x_2” are read as mole fractions" in notes
    assert "“w_1” and “w_2”, which may be fractions too, are not used" in notes


@pytest.mark.parametrize(
    ("heading", "chosen", "words"),
    [
        ("Tg (K)", "density", "K is no unit of density; its values are read as g/cm³"),
        (
            "density (kg/m3)",
            "glass_transition",
            "kg/m3 is no unit of glass transition temperature; its values are read as K",
        ),
        (
            "Tg (°C)",
            "refractive_index",
            "°C is no unit of refractive index; its values are read as numbers without unit",
        ),
    ],
)
def test_a_property_chosen_for_a_column_whose_unit_does_not_fit_is_told(heading: str, chosen: str, words: str) -> None:
    raw = pasted(table(("smiles", heading), POLYMERS, TG))
    choice = ColumnChoice(1, heading, quantity=find_property(chosen))
    roles = settled_roles(raw, guess_roles(raw), ImportChoices(columns=(choice,)))
    assert words in " ".join(roles.columns[1].notes)


def test_choosing_a_decimal_mark_answers_no_other_question() -> None:
    text = table(("smiles", "Cp (J/(g K))", "Cp liquid (J/(g K))"), POLYMERS, TG, TG)
    chosen = read_pasted_text(text, "exp.csv", ReadOptions(decimal="."))
    assert [q for q in guess_roles(chosen).questions if "Cp liquid" in q]
    doubtful = table(("smiles", "gloss"), POLYMERS, ["1,200"] * 9)
    assert [q for q in guess_roles(pasted(doubtful)).questions if "decimal mark" in q]
    raw = read_pasted_text(doubtful, "exp.csv", ReadOptions(decimal=","))
    assert not [q for q in guess_roles(raw).questions if "decimal mark" in q]


@pytest.mark.parametrize("key", ["polymer", "sample", "id"])
@pytest.mark.parametrize("gap", [0, 1])
def test_a_list_of_repeat_units_beside_a_table_of_values_in_another_order_is_told(key: str, gap: int) -> None:
    spaces = [EMPTY] * gap
    names = [f"{n}" for n in range(1, 10)] if key == "id" else NAMES
    text = table((key, "smiles", *[""] * gap, key, "Tg (K)"), names, POLYMERS, *spaces, names[::-1], TG[::-1])
    with pytest.raises(UserError, match=rf"“{key}, smiles” and “{key} \(2\), Tg \(K\)” stand side by side"):
        said_of(text)


OTHERS = tuple(f"*{'C' * n}S*" for n in range(1, 10))
BOTH = [unit for pair in zip(POLYMERS, OTHERS, strict=True) for unit in pair]


@pytest.mark.parametrize("key", ["sample", "id", "材料"])
@pytest.mark.parametrize("again", [True, False])
def test_a_row_for_each_comonomer_without_fractions_is_asked(key: str, again: bool) -> None:
    samples = [f"S{number // 2}" if again or number % 2 == 0 else "" for number in range(18)]
    values = [TG[number // 2] if again or number % 2 == 0 else "" for number in range(18)]
    with pytest.raises(UserError, match=rf"one “{key}” and one value hold different repeat units \(lines 2 and 3"):
        said_of(table((key, "smiles", "Tg (K)"), samples, BOTH, values))


def test_classes_that_name_several_polymers_with_values_of_their_own_need_no_word() -> None:
    classes = ["vinyl polymer"] * 5 + ["ether"] * 4
    assert said_of(table(("polymer", "smiles", "Tg (K)"), classes, POLYMERS, TG)) == ""


@pytest.mark.parametrize(
    ("taken", "other"),
    [("Tg MD (K)", "Tg DFT (K)"), ("Tg_gaff2 (K)", "Tg predicted (K)"), ("Tg NPT (K)", "Tg handbook (K)")],
)
@pytest.mark.parametrize("first", [True, False])
def test_values_of_a_simulation_come_before_those_of_another_origin(taken: str, other: str, first: bool) -> None:
    columns = [(taken, MD_TG), (other, MD_TG[::-1])][:: 1 if first else -1]
    md = table(("smiles", *(name for name, _ in columns)), POLYMERS, *(cells for _, cells in columns))
    said = said_of(table(("smiles", "Tg (K)"), POLYMERS, TG), md)
    assert f"“{taken}” was read as" in said
    assert f"not “{other}”" in said


@pytest.mark.parametrize(
    "heading",
    [
        *("Tg - 298 K (K)", "Tg - Tg(PE) (K)", "T/Tg", "Tg/Tg,max", "log10(Tg/K)", "ln(Tg/K)", "lg(Tg)"),
        *("(nD - 1)", "n_D - 1", "ε'-1", "ε' - 1"),
    ],
)
def test_what_is_calculated_from_a_property_is_not_that_property(heading: str) -> None:
    raw = pasted(table(("smiles", heading), POLYMERS, [0.1 * n for n in range(1, 10)]))
    assert not [column for column in guess_roles(raw).values if column.is_known]


def test_logarithms_of_two_properties_are_two_properties() -> None:
    with pytest.raises(UserError, match="no property is in both"):
        said_of(table(("smiles", "log10(Tg/K)"), POLYMERS, TG), table(("smiles", "log10(E/Pa)"), POLYMERS, TG))


@pytest.mark.parametrize("heading", ["Glass transition / Tg (K)", "Tg (K)", "Tg/K", "T_g / K"])
def test_a_name_with_its_symbol_or_unit_behind_a_slash_is_no_ratio(heading: str) -> None:
    assert said_of(table(("smiles", heading), POLYMERS, TG)) == ""


@pytest.mark.parametrize(
    ("heading", "both"), [("Tg, K (°C)", "K (°C)"), ("Tg / °C (K)", "°C (K)"), ("Tg (K) [°C]", "")]
)
def test_a_heading_with_two_units_of_one_property_is_refused(heading: str, both: str) -> None:
    with pytest.raises(UserError) as refusal:
        said_of(table(("smiles", heading), POLYMERS, TG))
    assert f"“{both}”" in str(refusal.value) or not both


def test_values_of_a_property_without_unit_that_are_those_of_no_polymer_are_told() -> None:
    values = [0.5 + 0.01 * n for n in range(9)]
    md = table(("smiles", "refractive index"), POLYMERS, values)
    said = said_of(table(("smiles", "refractive index"), POLYMERS, values), md)
    assert "a typical value of 0.54 is unusual for refractive index" in said


@pytest.mark.parametrize("cell", ["05.01.", "1.05.", "31.12."])
def test_a_day_and_a_month_are_no_number(cell: str) -> None:
    assert f"“{cell}” is a date" in said_of(table(("smiles", "Tg (K)"), POLYMERS, [cell, *TG[1:]]))


@pytest.mark.parametrize("heading", ["Tg (°C) - 10 K/min", "Tg - DSC (°C)", "Tg - 2nd heating (°C)"])
def test_a_condition_behind_a_dash_is_no_difference(heading: str) -> None:
    raw = pasted(table(("smiles", heading), POLYMERS, CELSIUS))
    assert [column.is_known for column in guess_roles(raw).values] == [True]


@pytest.mark.parametrize("unit", ["J/(kg K) x 10^-3", "kJ/(kg K)", "J/(mol K)", "MJ/(kg K)"])
@pytest.mark.parametrize("place", ["cell", "column"])
def test_units_of_cells_that_make_values_of_no_polymer_are_doubted(unit: str, place: str) -> None:
    numbers = [value * (8 if unit.startswith("J/(mol") else 1) for value in TG]
    columns = [[f"{number} {unit}" for number in numbers]] if place == "cell" else [numbers, [unit] * 9]
    measured = table(("smiles", "Cp", "unit")[: 1 + len(columns)], POLYMERS, *columns)
    said = said_of(measured, table(("smiles", "Cp [J/(kg K)]"), POLYMERS, [10 * value for value in TG]))
    assert "is unusual for a polymer" in said


def test_a_comma_among_whole_numbers_is_told() -> None:
    cells = ["195,200", *(f"{value:.0f}" for value in TG[1:])]
    said = said_of(table(("smiles", "Tg (K)"), POLYMERS, cells))
    assert "the comma in numbers such as “195,200” was read as a decimal mark: 195.200" in said


def test_a_column_of_units_that_contradicts_the_heading_of_the_only_values_is_told() -> None:
    said = said_of(table(("smiles", "Tg (K)", "unit"), POLYMERS, TG, ["°C"] * 9))
    assert "“Tg (K)” names K, and the column “unit” °C: the heading is followed" in said


def test_a_small_e_is_a_modulus_by_its_unit_alone() -> None:
    assert property_by_name("E") == find_property("youngs_modulus")
    assert property_by_name("e") is None
    moduli = [0.3, 1.4, 3.2, 2.1, 1.9, 2.9, 3.6, 0.5, 3.0]
    md = table(("smiles", "Young's modulus (GPa)"), POLYMERS, moduli)
    assert "No unit" not in said_of(table(("smiles", "e (GPa)"), POLYMERS, moduli), md)
    with pytest.raises(UserError, match="measured values of e, "):
        said_of(table(("smiles", "e"), POLYMERS, moduli), md)
