"""Tables of other structures than one polymer and one value a row: what a command reads of them, and what it says.

The measured values are 0.95, 1.0 ... 1.35 g/cm³ for nine polymers, and 438, 453 ... 558 K; the MD values are a
tenth lower, or 17 K higher.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.errors import UserError
from affinecal_gui.polymers.copolymers.composition import parse_composition
from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.study.importing.importing import examine
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.table_source import NOTHING_CHOSEN, ColumnChoice, TableSource
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tasks.describing.describing_files import describe_file
from affinecal_gui.tasks.reading.data_files import DataFiles, read_as, read_study

POLYMERS = (
    "*CC*", "*CC(*)C", "*CCO*", "*CC(*)O", "*CC(*)Cl", "*CC(*)C#N", "*CO*", "*CC(*)c1ccccc1", "*OCCOC(=O)c1ccc(cc1)C(*)=O",
)  # fmt: skip
DENSITY = tuple(0.95 + 0.05 * row for row in range(9))
MD_DENSITY = tuple(0.9 * value for value in DENSITY)
TG = tuple(438.0 + 15 * row for row in range(9))


def written(path: Path, headings: str, *columns: object) -> Path:
    """Write a table with a column of cells under each heading."""
    rows = zip(*columns, strict=True)  # type: ignore[call-overload]
    lines = [headings, *(",".join(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in r) for r in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    return written(tmp_path / "measured.csv", "smiles,density [g/cm3]", POLYMERS, DENSITY)


@pytest.fixture
def md(tmp_path: Path) -> Path:
    return written(tmp_path / "md.csv", "smiles,density [g/cm3]", POLYMERS, MD_DENSITY)


def read(measured: Path, md: Path, **options: str) -> tuple[StudyState, tuple[PolymerTable, ...]]:
    return read_study(DataFiles(measured, md, **options))  # type: ignore[arg-type]


def ratios(state: StudyState) -> list[float]:
    """MD value by measured value of every measured polymer that has one."""
    found = assemble(state.tables, state.quantity)
    has = found.measured_library >= 0
    return list(found.library_md[found.measured_library[has]] / found.measured[has])


def said(tables: tuple[PolymerTable, ...]) -> str:
    return " ".join(remark for table in tables for remark in table.remarks())


# -- measured and MD values in one table ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measured_heading", "md_heading"),
    [
        ("density_exp [g/cm3]", "density [g/cm3]"),
        ("density_experimental [g/cm3]", "density_md [g/cm3]"),
        ("exp. density [g/cm3]", "density (calc) [g/cm3]"),
        ("measured density [g/cm3]", "simulated density [g/cm3]"),
        ("gemessene Dichte [g/cm3]", "berechnete Dichte [g/cm3]"),
        ("densité expérimentale [g/cm3]", "densité simulée [g/cm3]"),
        ("density lit. [g/cm3]", "density [g/cm3]"),
        ("density_obs [g/cm3]", "density_predicted [g/cm3]"),
        ("実測 密度 [g/cm3]", "計算 密度 [g/cm3]"),
    ],
)
@pytest.mark.parametrize("measured_first", [True, False])
def test_a_measured_column_is_never_taken_as_md_values_nor_the_other_way_round(
    measured_heading: str, md_heading: str, measured_first: bool, measured: Path, md: Path, tmp_path: Path
) -> None:
    headings, columns = [measured_heading, md_heading], [DENSITY, MD_DENSITY]
    if not measured_first:
        headings, columns = headings[::-1], columns[::-1]
    both = written(tmp_path / "both.csv", ",".join(["smiles", *headings]), POLYMERS, *columns)
    state, tables = read(measured, both)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert f"“{md_heading}” was read as MD values of density, and not “{measured_heading}”" in said(tables)
    state, tables = read(both, md)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert re.search(
        f"“{re.escape(measured_heading)}” was read as .*density, and not “{re.escape(md_heading)}”", said(tables)
    )


@pytest.mark.parametrize("heading", ["density_exp [g/cm3]", "measured density", "density (experiment)"])
def test_an_md_table_with_measured_values_only_is_refused_until_its_column_is_named(
    heading: str, measured: Path, tmp_path: Path
) -> None:
    wrong = written(tmp_path / "other.csv", f"smiles,{heading}", POLYMERS, MD_DENSITY)
    with pytest.raises(
        UserError, match=r"other\.csv was named as the table of MD values .*measured values by its own words"
    ):
        read(measured, wrong)
    state, _ = read(measured, wrong, md_column=heading)
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_a_measured_table_with_calculated_values_only_is_refused(md: Path, tmp_path: Path) -> None:
    wrong = written(tmp_path / "other.csv", "smiles,density_calc", POLYMERS, DENSITY)
    with pytest.raises(UserError, match=r"“density_calc”, are MD values by its own words"):
        read(wrong, md)


@pytest.mark.parametrize("headings", ["smiles,measured,simulated", "smiles,Gloss exp,Gloss (MD)", "smiles,x_exp,x_md"])
def test_one_file_with_both_kinds_of_a_property_without_a_known_name(headings: str, tmp_path: Path) -> None:
    both = written(tmp_path / "both.csv", headings, POLYMERS, DENSITY, MD_DENSITY)
    state, _ = read(both, both)
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_the_columns_of_one_file_named_for_both_kinds(tmp_path: Path) -> None:
    both = written(tmp_path / "both.csv", "smiles,density a,density b", POLYMERS, MD_DENSITY, DENSITY)
    state, _ = read(both, both, value_column="density b", md_column="density a")
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_deviations_of_the_values_left_unread_are_left_unread(measured: Path, tmp_path: Path) -> None:
    headings = "smiles,density_exp [g/cm3],density_exp_std,density [g/cm3],density_std"
    both = written(tmp_path / "md.csv", headings, POLYMERS, DENSITY, [0.5] * 9, MD_DENSITY, [0.01] * 9)
    _, tables = read(measured, both)
    assert list(tables[1].values) == [("md", "density")]
    assert np.all(tables[1].values[("md", "density")].uncertainty == 0.01)


# -- copolymers -------------------------------------------------------------------------------------------------------------

SECOND = POLYMERS[::-1]
SHARE = (0.7, 0.6, 0.55, 0.8, 0.9, 0.75, 0.65, 0.3, 0.25)
REST = tuple(1 - share for share in SHARE)
PERCENT = tuple(100 * share for share in SHARE)
REST_PERCENT = tuple(100 - share for share in PERCENT)
WEIGHT_OF_ETHENE = 0.7 / 28.0532 / (0.7 / 28.0532 + 0.3 / 192.1705)
"""Mole fraction of ethene in 70 % of its weight with PET; molar masses of the repeat units in g/mol."""


def first_composition(path: Path) -> tuple[float, ...]:
    """Mole fractions of the first row, as a command reads them."""
    table = read_as(path, "measured").table
    read = parse_composition(table.smiles[0])
    assert [unit.text for unit in read.units] == [POLYMERS[0], SECOND[0]]
    return read.fractions


@pytest.mark.parametrize(
    ("units", "fractions"),
    [
        (("smiles1", "smiles2"), ("c1", "c2")), (("SMILES", "SMILES_2"), ("x_A", "x_B")),
        (("monomer A", "monomer B"), ("ratio 1", "ratio 2")), (("smiles_a", "smiles_b"), ("mol% A", "mol% B")),
        (("SMILES", "comonomer"), ("PE share", "other share")), (("unit 1", "unit 2"), ("first", "second")),
        (("smiles", "smiles"), ("a", "b")), (("polymer A SMILES", "polymer B SMILES"), ("comp_1", "comp_2")),
        (("smiles_0", "smiles_1"), ("x_0", "x_1")), (("smiles", "smiles.1"), ("Anteil A", "Anteil B")),
        (("SMILES", "comonomer"), ("c1", "c2")), (("smiles1", "smiles2"), ("Ethen", "Rest")),
    ],
)  # fmt: skip
def test_composition_columns_under_any_name_make_copolymers(
    units: tuple[str, str], fractions: tuple[str, str], tmp_path: Path
) -> None:
    headings = ",".join((*units, *fractions, "density [g/cm3]"))
    path = written(tmp_path / "t.csv", headings, POLYMERS, SECOND, PERCENT, REST_PERCENT, DENSITY)
    assert first_composition(path) == pytest.approx((0.7, 0.3))
    notes = said((read_as(path, "measured").table,))
    assert "are read as the repeat units of copolymers" in notes
    assert f"“{fractions[0]}” and “{fractions[1]}” are read as mole fractions" in notes


def test_copolymers_are_no_homopolymers_of_their_first_repeat_unit(md: Path, tmp_path: Path) -> None:
    headings = "smiles1,smiles2,c1,c2,density [g/cm3]"
    path = written(tmp_path / "t.csv", headings, POLYMERS, SECOND, [70] * 9, [30] * 9, DENSITY)
    # The fifth row is a polymer with itself, which is the homopolymer.
    assert ratios(read(path, md)[0]) == pytest.approx([0.9])


@pytest.mark.parametrize("columns", ["s1,s2,x1,x2", "s1,x1,s2,x2", "x1,x2,s1,s2", "x2,x1,s1,s2", "x2,s2,x1,s1"])
def test_units_and_fractions_are_paired_wherever_they_stand(columns: str, tmp_path: Path) -> None:
    names = {"s1": ("smiles_1", POLYMERS), "s2": ("smiles_2", SECOND), "x1": ("x1", SHARE), "x2": ("x2", REST)}
    order = [names[name] for name in columns.split(",")]
    headings = ",".join([*(heading for heading, _ in order), "density [g/cm3]"])
    path = written(tmp_path / "t.csv", headings, *(cells for _, cells in order), DENSITY)
    assert first_composition(path) == pytest.approx((0.7, 0.3))


@pytest.mark.parametrize(
    ("heading", "cells", "expected"),
    [
        ("x_A", SHARE, 0.7),
        ("mol% A", PERCENT, 0.7),
        ("x_1", PERCENT, 0.7),
        ("x_B", REST, 0.7),
        ("c2", REST_PERCENT, 0.7),
        ("mole fraction 2", REST, 0.7),
        ("wt_frac_A", SHARE, WEIGHT_OF_ETHENE),
        ("Weight 1", PERCENT, WEIGHT_OF_ETHENE),
        ("w2", REST, WEIGHT_OF_ETHENE),
        ("comonomer fraction", REST, 0.7),
    ],
)
def test_one_fraction_leaves_the_rest_to_the_other_unit(
    heading: str, cells: tuple[float, ...], expected: float, tmp_path: Path
) -> None:
    path = written(tmp_path / "t.csv", f"smiles_a,smiles_b,{heading},density", POLYMERS, SECOND, cells, DENSITY)
    assert first_composition(path) == pytest.approx((expected, 1 - expected), abs=1e-5)
    assert "what is left of the whole is" in said((read_as(path, "measured").table,))


@pytest.mark.parametrize(
    ("heading", "between"),
    [
        ("ratio", "/"),
        ("ratio", ":"),
        ("A:B", ":"),
        ("feed", " / "),
        ("Zusammensetzung", "|"),
        ("composition (mol%)", "/"),
    ],
)
def test_a_ratio_in_one_column(heading: str, between: str, tmp_path: Path) -> None:
    cells = [f"{first:g}{between}{second:g}" for first, second in zip(PERCENT, REST_PERCENT, strict=True)]
    path = written(tmp_path / "t.csv", f"smiles_a,smiles_b,{heading},density", POLYMERS, SECOND, cells, DENSITY)
    assert first_composition(path) == pytest.approx((0.7, 0.3))


@pytest.mark.parametrize(
    "fractions", [("wt_frac_A", "wt_frac_B"), ("Weight 1", "Weight 2"), ("w1", "w2"), ("Gew.% A", "Gew.% B")]
)
def test_weight_fractions_are_converted_by_the_molar_masses(fractions: tuple[str, str], tmp_path: Path) -> None:
    headings = f"smiles_a,smiles_b,{','.join(fractions)},density"
    path = written(tmp_path / "t.csv", headings, POLYMERS, SECOND, PERCENT, REST_PERCENT, DENSITY)
    assert first_composition(path) == pytest.approx((WEIGHT_OF_ETHENE, 1 - WEIGHT_OF_ETHENE), abs=1e-5)


def test_each_row_says_of_what_its_fractions_are(tmp_path: Path) -> None:
    bases = ["wt%", "mol%", "mol %", "weight", "mole", "molar", "wt.%", "mass%", "mol%"]
    headings = "smiles_a,smiles_b,c1,c2,composition unit,density"
    path = written(tmp_path / "t.csv", headings, POLYMERS, SECOND, PERCENT, REST_PERCENT, bases, DENSITY)
    assert first_composition(path) == pytest.approx((WEIGHT_OF_ETHENE, 1 - WEIGHT_OF_ETHENE), abs=1e-5)
    table = read_as(path, "measured").table
    assert parse_composition(table.smiles[1]).fractions == pytest.approx((0.6, 0.4))


@pytest.mark.parametrize(
    ("headings", "columns", "message"),
    [
        ("smiles_a,smiles_b", (POLYMERS, SECOND), "“smiles_a” and “smiles_b” hold different repeat units (line 2"),
        ("SMILES,comonomer", (POLYMERS, SECOND), "hold different repeat units"),
        ("smiles,comonomer", (POLYMERS, ["styrene"] * 9), "“comonomer” speaks of copolymers, but only “smiles” holds"),
        ("smiles,comonomer mol%", (POLYMERS, PERCENT), "“comonomer mol%” speaks of copolymers"),
        ("smiles,mole fraction", (POLYMERS, SHARE), "“mole fraction” speaks of copolymers"),
        ("smiles,x_1,x_2", (POLYMERS, SHARE, REST), "“x_1” and “x_2” speak of copolymers"),
        ("smiles_1,smiles_2,phi_1,phi_2", (POLYMERS, SECOND, SHARE, REST), "look like volume fractions"),
        ("smiles_1,smiles_2,vol% 1,vol% 2", (POLYMERS, SECOND, SHARE, REST), "look like volume fractions"),
        ("smiles_a,smiles_b,mol% A", (POLYMERS, SECOND, SHARE), "“mol% A” says per cent, but holds nothing above 1"),
        ("smiles_a,smiles_b,fraction", (POLYMERS, SECOND, SHARE), "“fraction” does not say of which"),
        ("smiles_a,smiles_b,c1,c2,basis", (POLYMERS, SECOND, SHARE, REST, ["vol%"] * 9), "0.7 vol%"),
    ],
)
def test_what_is_no_sure_composition_is_refused(
    headings: str, columns: tuple[tuple[object, ...], ...], message: str, md: Path, tmp_path: Path
) -> None:
    path = written(tmp_path / "t.csv", f"{headings},density [g/cm3]", *columns, DENSITY)
    with pytest.raises(UserError, match=re.escape(message)) as caught:
        read(path, md)
    assert "t.csv" in str(caught.value)


@pytest.mark.parametrize("other", ["canonical_smiles", "monomer_smiles", "SMILES from the supplier"])
def test_a_polymer_written_twice_is_read_and_said(other: str, md: Path, tmp_path: Path) -> None:
    rewritten = ("C(*)C*", *POLYMERS[1:]) if "monomer" not in other else ("C=C", *["C=CC"] * 8)
    path = written(tmp_path / "t.csv", f"SMILES,{other},density", POLYMERS, rewritten, DENSITY)
    state, tables = read(path, md)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert f"“SMILES” is read as the repeat unit, and not “{other}”" in said(tables)
    assert guess_roles(read_table(path)).certain


# -- long tables ------------------------------------------------------------------------------------------------------------

LONG = tuple((row, name) for row in range(9) for name in ("Tg", "density"))


def long_table(path: Path, headings: str, *, unit: bool = False, md: bool = False, by_property: bool = False) -> Path:
    """Write two rows for each polymer, "smiles, property, value[, unit]", Tg in °C where units are given."""
    rows = sorted(LONG, key=lambda pair: pair[1]) if by_property else LONG
    lines = [headings]
    for row, name in rows:
        tg = TG[row] + 17 * md - (273.15 if unit else 0.0)
        value = f"{tg:.6g}" if name == "Tg" else f"{(MD_DENSITY if md else DENSITY)[row]:.6g}"
        cells = [POLYMERS[row], name, value, *([("°C" if name == "Tg" else "g/cm3")] if unit else [])]
        lines.append(",".join(cells))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("by_property", [True, False])
@pytest.mark.parametrize(
    "headings",
    [
        "smiles,property,value", "SMILES,variable,value", "smiles,parameter,result", "smiles,Property,Value",
        "smiles,Eigenschaft,Wert", "smiles,name,value", "repeat unit,quantity,measured value", "smiles,what,number",
        "smiles,property,value,unit", "Struktur,Eigenschaft,Wert,Einheit", "smiles,kind,x,unit",
        "smiles,parameter,result,units",
    ],
)  # fmt: skip
def test_a_long_table_gives_a_value_of_each_property(
    headings: str, by_property: bool, md: Path, tmp_path: Path
) -> None:
    unit = headings.count(",") == 3
    path = long_table(tmp_path / "long.csv", headings, unit=unit, by_property=by_property)
    table = read_as(path, "measured").table
    assert {quantity.key for quantity in table.properties("measured")} == {"glass_transition", "density"}
    tg = table.values[("measured", "glass_transition")].values
    assert sorted(tg[np.isfinite(tg)]) == pytest.approx(list(TG), abs=1e-3)
    assert ratios(read(path, md)[0]) == pytest.approx([0.9] * 9)
    assert "long.csv has a row for each value" in said((table,))


def test_both_tables_long(tmp_path: Path) -> None:
    first = long_table(tmp_path / "measured.csv", "smiles,property,value", unit=False)
    second = long_table(tmp_path / "md.csv", "smiles,Eigenschaft,Wert,Einheit", unit=True, md=True)
    state, _ = read_study(DataFiles(first, second, property_key="glass_transition"))
    assert ratios(state) == pytest.approx([(value + 17) / value for value in TG], abs=1e-5)


def test_lines_and_deviations_of_a_long_table_stay_with_their_values(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    rows = [
        f"{POLYMERS[row]},{name},{438 if name == 'Tg' else 1.1},{5 if name == 'Tg' else 0.01}" for row, name in LONG
    ]
    rows[3] = f"{POLYMERS[1]},density,unclear,0.01"
    path.write_text("\n".join(["smiles,property,value,std", *rows]) + "\n", encoding="utf-8")
    table = read_as(path, "measured").table
    assert [problem.line for problem in table.problems] == [5]
    assert len(table.lines) == 17
    tg = table.values[("measured", "glass_transition")]
    assert set(tg.uncertainty[np.isfinite(tg.values)]) == {5.0}
    density = table.values[("measured", "density")]
    assert set(density.uncertainty[np.isfinite(density.values)]) == {0.01}


@pytest.mark.parametrize("kinds", [("exp", "MD"), ("measured", "simulated"), ("Experiment", "Simulation")])
def test_a_long_table_whose_rows_say_what_is_measured(kinds: tuple[str, str], tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    lines = ["smiles,property,method,value"]
    for row in range(9):
        for kind, tg, density in zip(kinds, (TG[row], TG[row] + 17), (DENSITY[row], MD_DENSITY[row]), strict=True):
            lines += [f"{POLYMERS[row]},Tg,{kind},{tg}", f"{POLYMERS[row]},density,{kind},{density}"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    state, _ = read_study(DataFiles(path, path, property_key="density"))
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_a_long_table_of_measured_and_md_columns(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    lines = ["smiles,property,exp,MD"]
    for row in range(9):
        lines += [
            f"{POLYMERS[row]},Tg,{TG[row]},{TG[row] + 17}",
            f"{POLYMERS[row]},density,{DENSITY[row]},{MD_DENSITY[row]}",
        ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    state, _ = read_study(DataFiles(path, path, property_key="density"))
    assert ratios(state) == pytest.approx([0.9] * 9)


@pytest.mark.parametrize("headings", ["property,smiles,a,b", "property,smiles,first,second"])
def test_a_long_table_whose_values_cannot_be_told_is_refused(headings: str, md: Path, tmp_path: Path) -> None:
    names = ["Tg", "density"] * 4 + ["Tg"]
    path = written(tmp_path / "long.csv", headings, names, POLYMERS, DENSITY, MD_DENSITY)
    with pytest.raises(UserError, match=r"long\.csv: “property” names several properties"):
        read(path, md)


def test_a_long_table_of_properties_without_known_names(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    lines = ["smiles,property,value,unit"]
    for row in range(9):
        lines += [f"{POLYMERS[row]},gloss,{40 + row},GU", f"{POLYMERS[row]},density,{DENSITY[row]},g/cm3"]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    table = read_as(path, "measured").table
    assert [quantity.key for quantity in table.properties("measured")] == ["density", "gloss"]


def test_a_table_of_one_property_named_in_each_row_holds_that_property(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "smiles,property,value", POLYMERS, ["Tg"] * 9, TG)
    assert read_table(path).headings == ("smiles", "Tg")
    assert list(read_as(path, "measured").table.values) == [("measured", "glass_transition")]


# -- a row for each comonomer -----------------------------------------------------------------------------------------------


def comonomer_rows(path: Path, headings: str, *, percent: bool = False, sparse: bool = False, tg: bool = False) -> Path:
    """Write two rows for each of eight copolymers: "sample, smiles, fraction, density"; the fifth would be one polymer."""
    lines = [headings]
    for row in (0, 1, 2, 3, 5, 6, 7, 8):
        for number, (unit, share) in enumerate(((POLYMERS[row], SHARE[row]), (SECOND[row], REST[row]))):
            repeated = number == 0 or not sparse
            cells = [f"S{row}" if repeated else "", unit, f"{100 * share if percent else share:.6g}"]
            value = (TG if tg else DENSITY)[row]
            lines.append(",".join([*cells, f"{value:.6g}" if repeated else ""]))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("percent", [False, True])
@pytest.mark.parametrize(
    "headings", ["sample,smiles,fraction", "id,repeat unit,mol%", "polymer,monomer,x", "Probe,SMILES,ratio"]
)
def test_a_row_for_each_comonomer_makes_a_copolymer(headings: str, percent: bool, sparse: bool, tmp_path: Path) -> None:
    path = comonomer_rows(tmp_path / "t.csv", f"{headings},density [g/cm3]", percent=percent, sparse=sparse)
    assert first_composition(path) == pytest.approx((0.7, 0.3))
    table = read_as(path, "measured").table
    assert table.lines == tuple(range(2, 18, 2))
    assert "t.csv has a row for each repeat unit of a copolymer" in said((table,))
    assert guess_roles(read_table(path)).certain


def test_weight_fractions_by_row_are_converted(tmp_path: Path) -> None:
    path = comonomer_rows(tmp_path / "t.csv", "sample,smiles,weight fraction,density")
    assert first_composition(path) == pytest.approx((WEIGHT_OF_ETHENE, 1 - WEIGHT_OF_ETHENE), abs=1e-5)


def test_rows_of_one_sample_with_different_values_are_refused(md: Path, tmp_path: Path) -> None:
    path = comonomer_rows(tmp_path / "t.csv", "sample,smiles,fraction,density")
    path.write_text(path.read_text(encoding="utf-8").replace("0.3,0.95", "0.3,0.99"), encoding="utf-8")
    with pytest.raises(
        UserError, match=r"t\.csv: “fraction” speaks of copolymers, but only “smiles” holds repeat units"
    ):
        read(path, md)


# -- tables side by side ----------------------------------------------------------------------------------------------------

IDS = tuple(f"P{row}" for row in range(9))


@pytest.mark.parametrize(
    ("headings", "columns"),
    [
        ("smiles,Tg [K],,smiles,density [g/cm3]", (POLYMERS, TG, [""] * 9, SECOND, DENSITY)),
        ("smiles,Tg [K],smiles,density [g/cm3]", (POLYMERS, TG, SECOND, DENSITY)),
        ("SMILES,Tg [K],repeat unit,density [g/cm3]", (POLYMERS, TG, SECOND, DENSITY)),
        ("Tg [K],smiles,,density [g/cm3],smiles", (TG, POLYMERS, [""] * 9, DENSITY, SECOND)),
        ("id,smiles,Tg [K],,id,smiles,density [g/cm3]", (IDS, POLYMERS, TG, [""] * 9, IDS[::-1], SECOND, DENSITY)),
        ("id,Tg [K],id,density [g/cm3]", (IDS, TG, IDS[::-1], DENSITY)),
    ],
)  # fmt: skip
def test_tables_side_by_side_are_refused_until_one_is_named(
    headings: str, columns: tuple[tuple[object, ...], ...], tmp_path: Path
) -> None:
    path = written(tmp_path / "t.csv", headings, *columns)
    with pytest.raises(UserError, match=r"t\.csv: .*stand side by side with different polymers") as caught:
        read_as(path, "measured")
    assert "--value-column" in str(caught.value)
    first = read_as(path, "measured", {"Tg": "measured"}).table
    second = read_as(path, "measured", {"density": "measured"}).table
    for table, polymers, key, values in (
        (first, POLYMERS, "glass_transition", TG),
        (second, SECOND, "density", DENSITY),
    ):
        assert list(table.values) == [("measured", key)]
        assert table.smiles == polymers or table.ids == (IDS if polymers is POLYMERS else IDS[::-1])
        assert table.values[("measured", key)].values == pytest.approx(list(values))


def test_in_the_window_the_table_of_the_chosen_repeat_units_is_read(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "smiles,Tg [K],,smiles,density", POLYMERS, TG, [""] * 9, SECOND, DENSITY)
    source = TableSource(str(path))
    asked = examine(source, NOTHING_CHOSEN)
    assert "Which of these tables is to be read?" in asked.questions[0]
    assert asked.used == 9
    number = next(n for n, heading in enumerate(asked.raw.headings) if heading == "smiles (2)")
    other = examine(source, NOTHING_CHOSEN.with_column(ColumnChoice(number, "smiles (2)", role="smiles")))
    assert other.roles.certain
    assert other.table is not None
    assert other.table.smiles == SECOND
    assert [key for _, key in other.table.values] == ["density"]
    kept = examine(source, NOTHING_CHOSEN.with_column(ColumnChoice(0, "smiles", role="smiles")))
    assert kept.roles.certain
    assert kept.table is not None
    assert [key for _, key in kept.table.values] == ["glass_transition"]


# -- what the commands say --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headings", "columns", "words"),
    [
        (
            "SMILES,canonical_smiles",
            (POLYMERS, ("C(*)C*", *POLYMERS[1:])),
            "“SMILES” is read as the repeat unit, and not",
        ),
        ("smiles1,smiles2,c1,c2", (POLYMERS, SECOND, SHARE, REST), "“c1” and “c2” are read as mole fractions"),
    ],
)
def test_describe_says_which_columns_it_takes(
    headings: str, columns: tuple[tuple[object, ...], ...], words: str, tmp_path: Path
) -> None:
    path = written(tmp_path / "t.csv", headings, *columns)
    report = describe_file(path, tmp_path / "out.csv")
    assert report.startswith("t.csv: ")
    assert words in report


@pytest.mark.parametrize(
    ("headings", "columns"),
    [
        ("smiles,Tg,smiles,density", (POLYMERS, TG, SECOND, DENSITY)),
        ("smiles_a,smiles_b", (POLYMERS, SECOND)),
        ("smiles,comonomer", (POLYMERS, ["styrene"] * 9)),
    ],
)
def test_describe_asks_for_the_column_where_several_hold_different_polymers(
    headings: str, columns: tuple[tuple[object, ...], ...], tmp_path: Path
) -> None:
    path = written(tmp_path / "t.csv", headings, *columns)
    with pytest.raises(UserError, match=r"The column to describe can be named with --smiles-column"):
        describe_file(path, tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
    first = headings.split(",")[0]
    assert "9 of 9 rows described" in describe_file(path, tmp_path / "out.csv", smiles_columns=[first])


def test_a_long_table_is_described_row_by_row(tmp_path: Path) -> None:
    path = written(tmp_path / "t.csv", "smiles,property,a,b", POLYMERS, ["Tg", "density"] * 4 + ["Tg"], TG, TG)
    assert "9 of 9 rows described" in describe_file(path, tmp_path / "out.csv")


def test_predict_says_which_columns_of_which_tables_it_takes(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    both = written(
        tmp_path / "md.csv", "smiles,density_exp [g/cm3],density [g/cm3]", POLYMERS, DENSITY, [0.8, *MD_DENSITY[1:]]
    )
    tables = ["--experiment", str(measured), "--md", str(both)]
    words = "md.csv: “density [g/cm3]” was read as MD values of density, and not “density_exp [g/cm3]”"
    assert main(["predict", str(both), *tables, "--output", str(tmp_path / "predicted.csv")]) == 0
    said = capsys.readouterr().out
    assert said.count(words) == 1  # the table to predict is the table of MD values: equal remarks are one
    assert "Measured values: measured.csv, column “density [g/cm3]”" in said


def test_values_of_the_other_kind_of_a_property_of_their_own_are_said_to_be_left(
    measured: Path, tmp_path: Path
) -> None:
    both = written(tmp_path / "md.csv", "smiles,Tg measured,density [g/cm3]", POLYMERS, TG, MD_DENSITY)
    state, tables = read(measured, both)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert "“Tg measured” holds measured values and is left unread." in said(tables)
    assert "is it?" not in said(tables)


@pytest.mark.parametrize("headings", ["smiles,method,density [g/cm3]", "smiles,source,density", "smiles,type,Dichte"])
def test_rows_that_say_what_is_measured_are_told_apart(headings: str, md: Path, tmp_path: Path) -> None:
    kinds = ["exp"] * 9 + ["MD"] * 9
    both = written(tmp_path / "both.csv", headings, POLYMERS * 2, kinds, DENSITY + MD_DENSITY)
    assert ratios(read(both, both)[0]) == pytest.approx([0.9] * 9)
    state, tables = read(both, md)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert "says what is measured and what is from MD" in said(tables)


def test_an_md_table_whose_rows_all_say_measured_is_refused(measured: Path, tmp_path: Path) -> None:
    wrong = written(tmp_path / "other.csv", "smiles,method,density", POLYMERS, ["experiment"] * 9, MD_DENSITY)
    with pytest.raises(UserError, match=r"other\.csv was named as the table of MD values"):
        read(measured, wrong)
