"""Copolymers in tables: which columns belong together, what a row means, and that they are matched like any polymer."""

import pytest

from affinecal_gui.polymers.copolymers.composition import composition_identity, parse_composition
from affinecal_gui.tables.evidence.composition_columns import CompositionColumns, find_composition
from affinecal_gui.tables.evidence.copolymer_columns import PolymerColumns, polymer_texts
from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted, polymers

STYRENE = "*C(C*)c1ccccc1"


def texts(table: str) -> list[str] | None:
    raw = pasted(table)
    return polymer_texts(raw, guess_roles(raw))


# -- which columns -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("headings", "units", "fractions"),
    [
        ("id smiles_1 smiles_2 fraction_1 fraction_2", "smiles_1 smiles_2", "fraction_1 fraction_2"),
        ("x1 x2 SMILES1 SMILES2", "SMILES1 SMILES2", "x1 x2"),
        ("unit_A_smiles unit_B_smiles ratio_A ratio_B", "unit_A_smiles unit_B_smiles", "ratio_A ratio_B"),
        ("smiles_1 smiles_2 composition", "smiles_1 smiles_2", "composition"),
        ("smiles_1 smiles_2 Cp", "", ""),  # two ways to write one polymer, for all we know
        ("smiles canonical_smiles fraction", "", ""),
        ("smiles_1 smiles_2 fraction_1 fraction_2 fraction_3", "", ""),
        ("feature_1 feature_2 smiles", "", ""),
        ("smiles x_1 x_2", "", ""),
    ],
)
def test_numbered_columns_are_found_where_units_and_fractions_agree(headings: str, units: str, fractions: str) -> None:
    names = headings.split()
    samples = [("*CC*", "*CC(*)C") if "smiles" in name.casefold() else ("0.5", "0.2") for name in names]
    found = find_composition(names, samples)
    assert [names[column] for column in found.units] == units.split()
    assert sorted(names[column] for column in found.fractions) == fractions.split()


def test_numbered_fractions_belong_to_units_in_one_column() -> None:
    found = find_composition(["smiles", "x_1", "x_2"], [(f"*CC*|{STYRENE}",), ("0.5",), ("0.5",)])
    assert found == CompositionColumns((), (1, 2))


def test_columns_of_one_polymer_are_loaded_without_questions() -> None:
    raw = pasted(f"name,smiles_1,smiles_2,fraction_1,fraction_2,Cp [J/(kg K)]\nA,*CC*,{STYRENE},0.7,0.3,1500\n")
    roles = guess_roles(raw)
    assert roles.certain
    assert [column.role for column in roles.columns] == ["name", "smiles", "smiles", "fraction", "fraction", "measured"]


# -- what a row means -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("unit", "fraction", "expected"),
    [
        ("*CC*", "", "*CC*"),
        ("*CC*", "1", "*CC*"),
        ("*CC*", "random", "*CC*"),
        ("*CC*", "C2 H4", "*CC*"),
        ("*CC*", "0.7|0.3", "*CC*|0.7|0.3"),  # one unit is missing, which is said when it is read
        ("", "0.7|0.3", ""),
        ("*CC*|*C*", "0.7|0.3", "*CC*|*C*|0.7|0.3"),
        ("*CC* | *C*", " 0.7 | 0.3 ", "*CC*|*C*|0.7|0.3"),
        ("*CC*;*C*", "0,7;0,3", "*CC*|*C*|0.7|0.3"),
        ("*CC*,*C*", "0.7,0.3", "*CC*|*C*|0.7|0.3"),
        ("*CC*|*C*", "70,30", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "70/30", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "70:30", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "70-30", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "70 30", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "70 % / 30 %", "*CC*|*C*|70%|30%"),
        ("*CC*|*C*", "70 mol% / 30 mol%", "*CC*|*C*|70%|30%"),
        ("*CC*|*C*", "７０：３０", "*CC*|*C*|70|30"),
        ("*CC*|*C*", "-0.7|1.7", "*CC*|*C*|-0.7|1.7"),
        ("*CC*|*C*", "7e-1|3e-1", "*CC*|*C*|7e-1|3e-1"),
        ("*CC*|*C*", "n/a", "*CC*|*C*"),
        ("*CC*|*C*|0.7|0.3", "", "*CC*|*C*|0.7|0.3"),
        ("*CC* |$_AP1;;;_AP2$|", "", "*CC* |$_AP1;;;_AP2$|"),
    ],
)
def test_a_unit_and_a_fraction_cell(unit: str, fraction: str, expected: str) -> None:
    assert PolymerColumns((0,), (1,)).text([unit, fraction]) == expected


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["*CC*", "*C*", "0.7", "0.3"], "*CC*|*C*|0.7|0.3"),
        (["*CC*", "*C*", "0,7", "0,3"], "*CC*|*C*|0.7|0.3"),
        (["*CC*", "", "1", "0"], "*CC*"),
        (["*CC*", "-", "", "n/a"], "*CC*"),
        (["", "*C*", "", "0.3"], "*C*"),
        (["*CC*", "*C*", "0.7", ""], "*CC*|*C*|0.7"),
        (["*CC*", "", "0.7", "0.3"], "*CC*||0.7|0.3"),  # something of nothing: said when it is read
        (["", "", "", ""], ""),
    ],
)
def test_columns_of_their_own(cells: list[str], expected: str) -> None:
    assert PolymerColumns((0, 1), (2, 3)).text(cells) == expected


def test_columns_are_paired_by_their_numbers() -> None:
    table = f"name,fraction_2,smiles_2,fraction_1,smiles_1\nA,0.3,{STYRENE},0.7,*CC*\n"
    (text,) = texts(table) or []
    expected = composition_identity(parse_composition(f"*CC*|{STYRENE}|0.7|0.3"))
    assert composition_identity(parse_composition(text)) == expected


@pytest.mark.parametrize("heading", ["weight fraction", "composition (wt%)", "wt%"])
def test_weights_become_moles(heading: str) -> None:
    # Molar masses 28.05 and 104.15 g/mol: 50 % of the weight of styrene is 21.2 % of the moles.
    (text,) = texts(f"name,smiles,{heading}\nA,*CC*|{STYRENE},50|50\n") or []
    composition = parse_composition(text)
    assert composition.fractions == pytest.approx((0.78780, 0.21220), abs=1e-5)
    (bad,) = texts(f"name,smiles,{heading}\nA,*CC*|{STYRENE},50|none\n") or []
    assert bad.endswith(("50|none", "50"))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("rows", [3, 40])
def test_the_bar_between_units_is_no_delimiter(delimiter: str, rows: int) -> None:
    lines = [["smiles", "ratio"], *([f"*{'C' * (n + 1)}*|{STYRENE}", "0.7|0.3"] for n in range(rows))]
    raw = pasted("\n".join(delimiter.join(line) for line in lines))
    assert raw.headings == ("smiles", "ratio")
    assert raw.delimiter == delimiter


def test_a_file_of_compositions_alone() -> None:
    raw = pasted("\n".join(["smiles", *(f"*{'C' * (n + 1)}*|{STYRENE}|0.7|0.3" for n in range(30))]))
    assert raw.headings == ("smiles",)


# -- with the rest --------------------------------------------------------------------------------------------------------


def test_bad_fractions_are_listed_with_their_line() -> None:
    raw = pasted(f"name,smiles,fraction,Cp [J/(kg K)]\nA,*CC*|{STYRENE},0.7|0.3,1500\nB,*CC*|{STYRENE},0.7|-1,1500\n")
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.names == ("A",)
    (problem,) = table.problems
    assert (problem.line, problem.reason) == (3, "The mole fraction -1 is negative")


def test_copolymers_are_matched_by_identity() -> None:
    measured = polymers(
        [("A", f"*CC*|{STYRENE}|0.7|0.3", "1500"), ("B", f"*CC*|{STYRENE}|0.5|0.5", "1400"), ("C", "*CC*", "1900")],
        "measured",
    )
    md = polymers(
        [("1", "*CCCC*", "2900"), ("2", "*CC(*)c1ccccc1|*CCCC*|0.3|0.35", "2600")],
        "md",
    )
    report = match(measured, md, "Cp")
    assert [(link.measured, link.library) for link in report.links] == [(0, 1), (2, 0)]
    assert [unmatched.measured for unmatched in report.unmatched] == [1]


def test_values_per_mole_use_the_mean_unit() -> None:
    # 1 mol of mean units has 0.5 * 28.054 + 0.5 * 42.081 g: 100 J/(mol K) are 2851.8 J/(kg K).
    raw = pasted("name,smiles,Cp [J/(mol K)]\nA,*CC*|*CC(*)C|0.5|0.5,100\n")
    table = to_polymer_table(raw, guess_roles(raw).with_kind("measured"))
    assert table.values[("measured", "Cp")].values[0] == pytest.approx(2851.8, abs=0.5)
