"""Cells become values in canonical units; what cannot be used is listed and counted."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.units.properties import find_property
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from affinecal_gui.tables.values.value_columns import ValueColumns
from affinecal_gui.task import Task
from tests.tables.making import pasted, polymers


def table(text: str) -> PolymerTable:
    raw = pasted(text)
    return to_polymer_table(raw, guess_roles(raw))


def test_bad_rows_are_listed_and_the_rest_is_used() -> None:
    made = table(
        "name,smiles,Cp\nPE,*CC*,2300\none end,*CCF,1300\nno value,*CC(*)C,n.d.\nzero,*CC(*)Cl,0\n"
        "negative,*OCC*,-5\nwords,*CO*,many\n,,7\nMean,,1500\n"
    )
    assert made.names == ("PE",)
    assert (made.rows_read, made.row_count, made.rows_rejected) == (8, 1, 7)
    found = {problem.line: (problem.column, problem.text, problem.reason) for problem in made.problems}
    assert found[3][:2] == ("smiles", "*CCF")
    assert "one attachment point" in found[3][2]
    assert found[4] == ("Cp", "n.d.", "“n.d.” stands for no value")
    assert "zero" in found[5][2]
    assert "negative" in found[6][2]
    assert found[7][2] == "“many” is not a number"
    assert "no repeat unit" in found[8][2]
    assert "a line of totals (“Mean”)" in found[9][2]
    assert made.problems[0].sentence("x.csv").startswith("x.csv, line 3, smiles: ")


def test_a_row_with_another_good_value_is_kept() -> None:
    made = table("name,smiles,Cp,density\nPE,*CC*,2300,0.95\nPP,*CC(*)C,n.d.,0.9\nPVC,*CC(*)Cl,what,1.4\n")
    assert len(made) == 3
    assert made.rows_rejected == 0
    column = made.values[("measured", "Cp")]
    np.testing.assert_array_equal(column.values, [2300.0, math.nan, math.nan])
    assert [(problem.line, problem.rejects_row) for problem in made.problems] == [(4, False)]
    assert column.problems == made.problems


def test_units_are_converted_with_their_uncertainties_and_ranges() -> None:
    made = table(
        "name,smiles,Cp [J/(g K)],Cp_std,lowest,highest,values_found\n"
        "PE,*CC*,2.3,0.1,2.2,2.4,5\nPP,*CC(*)C,1.9 ± 0.2,,1.7,2.1,2\n"
    )
    column = made.values[("measured", "Cp")]
    np.testing.assert_allclose(column.values, [2300, 1900])
    np.testing.assert_allclose(column.uncertainty, [100, 200])
    assert column.lowest is not None
    assert column.highest is not None
    assert column.repeats is not None
    np.testing.assert_allclose(column.lowest, [2200, 1700])
    np.testing.assert_allclose(column.highest, [2400, 2100])
    np.testing.assert_allclose(column.repeats, [5, 2])
    assert column.unit_as_written == "J/(g K)"
    for array in (column.values, column.uncertainty, column.lowest):
        assert not array.flags.writeable


def test_a_range_in_one_column_gives_both_ends() -> None:
    made = table(
        "Polymer;Wiederholeinheit;cp [J/(g K)];Bereich;Quelle\n"
        "polyethylene;*CC*;2,342;1,55–2,34;NIST\npolystyrene;*CC(*)c1ccccc1;1,210;1,10 - 1,30;CROW\n"
        "PEO;*OCC*;2,066;;CROW\nPVC;*CC(*)Cl;0,951;0,95;CROW\n"
    )
    column = made.values[("measured", "Cp")]
    assert column.lowest is not None
    assert column.highest is not None
    np.testing.assert_allclose(column.values, [2342, 1210, 2066, 951])
    np.testing.assert_allclose(column.lowest, [1550, 1100, np.nan, np.nan], rtol=1e-12)
    np.testing.assert_allclose(column.highest, [2340, 1300, np.nan, np.nan], rtol=1e-12)
    assert np.isnan(column.uncertainty).all()


def test_an_uncertainty_in_celsius_takes_no_offset() -> None:
    made = table("name,smiles,Tg [°C]\nPS,*CC(*)c1ccccc1,100 ± 2\nPVC,*CC(*)Cl,80 ± 3\n")
    column = made.values[("measured", "glass_transition")]
    np.testing.assert_allclose(column.values, [373.15, 353.15])
    np.testing.assert_allclose(column.uncertainty, [2, 3])


def test_values_per_mole_are_divided_by_the_molar_mass_and_said_so() -> None:
    made = table("name,smiles,Cp [J/(mol K)]\nPE,*CC*,60.5\nPS,*CC(*)c1ccccc1,127.4\n")
    # Molar masses of C2H4 and C8H8: 28.054 and 104.152 g/mol.
    np.testing.assert_allclose(made.values[("measured", "Cp")].values, [60.5 / 0.028054, 127.4 / 0.104152], rtol=1e-4)
    assert any("molar mass" in note for note in made.remarks("Cp"))


def test_units_by_row_and_by_cell() -> None:
    made = table(
        "name,smiles,Cp,unit\nPE,*CC*,2.3,kJ/(kg K)\nPP,*CC(*)C,0.46,cal/(g K)\nPVC,*CC(*)Cl,950,J/(kg K)\n"
        "PS,*CC(*)c1ccccc1,1.25 J/(g K),\nPOM,*CO*,1400,furlong\n"
    )
    np.testing.assert_allclose(made.values[("measured", "Cp")].values, [2300, 1924.64, 950, 1250])
    assert made.rows_rejected == 1
    assert "furlong" in made.problems[0].reason


def test_a_unit_of_something_else_is_refused_and_can_be_chosen() -> None:
    raw = pasted("name,smiles,Cp [g/cm3]\nPE,*CC*,2.3\nPP,*CC(*)C,1.9\n")
    roles = guess_roles(raw)
    with pytest.raises(TableError, match=r"pasted\.csv, column Cp \[g/cm3\].*Correct the unit in the heading"):
        to_polymer_table(raw, roles)
    made = to_polymer_table(raw, roles.with_column(2, unit="J/(g K)"))
    np.testing.assert_allclose(made.values[("measured", "Cp")].values, [2300, 1900])


def test_odd_cells_say_how_they_were_read() -> None:
    made = table("name,smiles,Cp\nPE,*CC*,2300(r)\nPP,*CC(*)C,1900\nbad,*C,1\nPVC,*CC(*)Cl,~950\n")
    assert dict(made.values[("measured", "Cp")].notes) == {0: "read without “(r)”", 2: "approximate"}


def test_details_temperature_and_phase_are_kept_by_row() -> None:
    made = table(
        "name,smiles,Cp,T [°C],phase,source,remark\nbad,*C,1,0,x,y,z\nPE,*CC*,2300,25,solid,NIST,dry\n"
        "PP,*CC(*)C,1900,room temperature,melt,CROW,\n"
    )
    assert made.temperature is not None
    np.testing.assert_array_equal(made.temperature, [298.15, math.nan])
    assert made.phase == ("solid", "melt")
    assert made.details["source"] == ("NIST", "CROW")
    assert made.details["remark"] == ("dry", "")


def test_ready_descriptors_are_an_array() -> None:
    names = ",".join(f"charge_{i}" for i in range(12))
    row = ",".join(str(i / 10) for i in range(12))
    made = table(f"id,smiles,{names}\nP1,*CC*,{row}\nP2,*CC(*)C,{row}\n")
    assert made.descriptors is not None
    assert made.descriptors.shape == (2, 12)
    assert made.descriptor_names[:2] == ("charge_0", "charge_1")
    assert made.descriptors[1, 11] == 1.1
    assert not made.values


def test_own_properties_are_read_when_asked_for() -> None:
    made = table("name,smiles,Cp,gap [eV]\nPE,*CC*,2300,8.8\nPP,*CC(*)C,1900,?\nPVC,*CC(*)Cl,,5.1\n")
    assert list(made.values) == [("measured", "Cp"), ("measured", "gap")]
    assert len(made.values) == 2
    np.testing.assert_array_equal(made.values[("measured", "gap")].values, [8.8, math.nan, 5.1])
    assert made.values[("measured", "gap")] is made.values[("measured", "gap")]
    assert [quantity.key for quantity in made.properties("measured")] == ["Cp", "gap"]
    assert not made.has("md", "gap")
    with pytest.raises(KeyError):
        made.values[("md", "gap")]


def test_the_file_is_held_as_long_as_columns_wait_and_texts_that_repeat_are_there_once() -> None:
    raw = pasted("name,smiles,Cp,gap [eV],state\nPE,*CC*,2300,8.8,dry\nPP,*CC(*)C,1900,?,dry\nX,*C,9,9,dry\n")
    made = to_polymer_table(raw, guess_roles(raw))
    assert isinstance(made.values, ValueColumns)
    assert made.values.cells is raw
    assert made.values[("measured", "Cp")].values.tolist() == [2300.0, 1900.0]
    assert made.values.cells is raw
    np.testing.assert_array_equal(made.values[("measured", "gap")].values, [8.8, math.nan])
    assert made.values.cells is None
    assert made.values[("measured", "gap")].values[0] == 8.8
    first, second = made.details["state"]
    assert first == "dry"
    assert first is second


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("name,smiles,Cp\n", "no row of data"),
        ("operator,Cp\nM,2300\nN,2100\n", "no column of repeat units"),
        ("Dear colleague, here are the values.\n", "no table of polymers.*line of headings"),
        ("The polymers were measured twice\nand I am not sure\n", "no table of polymers"),
        ("Dear Anna,\nplease find the values attached.\nBest wishes,\nBert\n", "no table of polymers"),
        ("name,smiles,Cp\nPE,*C,2300\n", "its only row cannot be used"),
        ("name,smiles,Cp\nPE,*CC*,x\nPP,*CC(*)C,y\n", "none of the 2 rows can be used.*not a number"),
    ],
)
def test_tables_without_a_usable_row_are_refused(text: str, words: str) -> None:
    with pytest.raises(TableError, match=words):
        table(text)


def test_a_preview_shows_what_is_wrong_even_when_no_row_can_be_used() -> None:
    raw = pasted("name,smiles,Cp\nPE,*C,2300\nPP,*CC,1900\n")
    made = to_polymer_table(raw, guess_roles(raw), allow_empty=True)
    assert len(made) == 0
    assert len(made.problems) == 2


def test_work_can_be_cancelled_and_reports_progress() -> None:
    raw = pasted("name,smiles,Cp\n" + "PE,*CC*,2300\n" * 500)
    roles = guess_roles(raw)
    with pytest.raises(Cancelled):
        to_polymer_table(raw, roles, task=Task(cancelled=lambda: True))
    seen: list[float] = []
    to_polymer_table(raw, roles, task=Task(lambda fraction, sentence: seen.append(fraction)))
    assert seen == sorted(seen)
    assert 0 <= seen[0] <= seen[-1] <= 1


CELL = st.sampled_from(["2300", "n.d.", "", "0", "-4", "1.0-1.2", "x", "1,5", "<5", "7(2)"])
SMILES = st.sampled_from(["*CC*", "*C", "", "CCC", "*CC(*)C", "=C1", "*CC(*)(*)C"])


@given(st.lists(st.tuples(SMILES, CELL, CELL), min_size=1, max_size=12))
@settings(deadline=None)
def test_rows_in_are_rows_used_and_rejected(rows: list[tuple[str, str, str]]) -> None:
    text = "name,smiles,Cp,density\n" + "".join(f'n{i},{s},"{a}","{b}"\n' for i, (s, a, b) in enumerate(rows))
    raw = pasted(text)
    roles = guess_roles(raw)
    made = to_polymer_table(raw, roles, allow_empty=True)
    assert made.rows_read == len(rows) == len(made) + made.rows_rejected
    rejecting = [problem for problem in made.problems if problem.rejects_row]
    assert len(rejecting) == made.rows_rejected
    assert sorted({problem.line for problem in rejecting} | set(made.lines)) == list(range(2, len(rows) + 2))
    for column in made.values.values():
        assert len(column.values) == len(made)
        known = column.quantity.is_known
        assert all(value > 0 or math.isnan(value) or not known for value in column.values)


@pytest.mark.peer
def test_single_reports_in_six_units_agree_with_the_combined_ones(shared_data: Path, examples: Path) -> None:
    raw = read_table(shared_data / "heat_capacity_all_reported_values.csv")
    reports = to_polymer_table(raw, guess_roles(raw))
    assert len(reports) == 175
    assert reports.rows_rejected == 0
    combined_raw = read_table(examples / "heat_capacity_measured.csv")
    combined = to_polymer_table(combined_raw, guess_roles(combined_raw))
    column, bounds = reports.values[("measured", "Cp")], combined.values[("measured", "Cp")]
    assert bounds.lowest is not None
    assert bounds.highest is not None
    compared = 0
    for row, smiles in enumerate(combined.smiles):
        found = [column.values[i] for i, text in enumerate(reports.smiles) if text == smiles]
        if not found:
            continue
        compared += 1
        # The range was stated with one decimal, for the reports of this very text among others.
        assert min(found) >= bounds.lowest[row] * (1 - 1e-3) - 0.06
        assert max(found) <= bounds.highest[row] * (1 + 1e-3) + 0.06
    assert compared > 60


@pytest.mark.peer
def test_the_published_table_reads_whole(shared_data: Path) -> None:
    raw = read_table(shared_data / "PI1070.csv")
    made = to_polymer_table(raw, guess_roles(raw))
    assert len(made) == 1077
    assert made.rows_rejected == 0
    modulus = made.values[("md", "bulk_modulus")]
    # First line of the file: 2689138059 Pa.
    assert modulus.values[0] == pytest.approx(2.689138059)
    assert made.values[("md", "qm_homo_monomer")].values[0] == -12.03727174
    assert find_property("bulk_modulus").unit == "GPa"


@pytest.mark.parametrize(
    "footer",
    [
        "Mean,,,1543.2",
        "Average,,,1543.2",
        "Mittelwert:,,,1543.2",
        ",平均,,1543.2",
        ",Mean,,1543.2",
        ",,Mean,1543.2",
        "Std. dev.,,,410",
        "Average (n = 3),,,1543.2",
        "Mean ± SD,,,1543.2",
    ],
)
@pytest.mark.parametrize("has_smiles", [True, False])
def test_a_line_of_totals_is_no_polymer(footer: str, has_smiles: bool) -> None:
    rows = [
        "id,name,smiles,Cp [J/(kg K)]",
        "P1,PE,*CC*,2300",
        "P2,PS,*CC(*)c1ccccc1,1250",
        "P3,PP,*CC(*)C,1930",
        footer,
    ]
    if not has_smiles:
        rows = [",".join(cell for number, cell in enumerate(row.split(",")) if number != 2) for row in rows]
        if footer.startswith(",,"):
            return
    made = table("\n".join(rows) + "\n")
    assert made.ids == ("P1", "P2", "P3")
    (problem,) = made.problems
    assert problem.line == 5
    assert problem.reason.startswith("it looks like a line of totals")


def test_polymers_may_be_called_like_totals() -> None:
    made = table("id,name,smiles,Cp\nn,Total,*CC*,2300\nmax,Mean,*CC(*)C,1930\nP3,Average,*CC(*)Cl,950\n")
    assert made.ids == ("n", "max", "P3")


@pytest.mark.parametrize(
    ("cells", "sentence"),
    [
        (
            ("1860–1960", "~1300", "(1500)", "1400"),
            "Cp [J/(kg K)]: 3 values are ranges, approximate or in brackets: the middle is used, e.g. line 2, "
            "“1860–1960” as 1910.",
        ),
        (
            ("1400", "~1300", "1500", "1450"),
            "Cp [J/(kg K)]: 1 value is approximate and used all the same, line 3, “~1300” as 1300.",
        ),
    ],
)
def test_values_that_are_no_plain_numbers_are_told_in_one_remark(cells: tuple[str, ...], sentence: str) -> None:
    rows = "\n".join(f"*C{'C' * n}*\t{cell}" for n, cell in enumerate(cells))
    raw = pasted(f"smiles\tCp [J/(kg K)]\n{rows}\n")
    table = to_polymer_table(raw, guess_roles(raw))
    assert [remark for remark in table.remarks("Cp") if "used" in remark] == [sentence]


@pytest.mark.parametrize(("text", "size"), [("1e300", "large"), ("1e-300", "small")])
def test_a_value_that_nothing_can_have_is_left_out_and_no_more_is_said_of_it(text: str, size: str) -> None:
    rows = "\n".join(f"*C{'C' * n}*\t{1500 + 10 * n}" for n in range(9))
    made = table(f"smiles\tCp [J/(kg K)]\n{rows}\n*CO*\t{text}\n")
    assert [(problem.line, problem.reason) for problem in made.problems] == [
        (11, f"“{text}” is too {size} for any property")
    ]
    assert made.row_count == 9
    assert made.remarks("Cp") == ()


def test_every_unit_per_mole_that_was_converted_is_named_in_the_order_of_the_file() -> None:
    made = table("smiles\tCp\tunit\n*CC*\t45\tJ/(mol K)\n*CC(*)C\t16\tcal/(mol K)\n*CO*\t50\tJ/(mol K)\n")
    (remark,) = (remark for remark in made.remarks("Cp") if "molar mass" in remark)
    assert "converted from J/(mol K) and cal/(mol K) to J/(kg K)" in remark


@pytest.mark.parametrize("name", ["PE-co-PP", "poly(A-stat-B)", "random copolymer", "PS-b-PMMA", "PE/PP blend"])
def test_rows_of_one_repeat_unit_that_are_called_copolymers_are_told(name: str) -> None:
    notes = polymers([(name, "*CC*", "1900"), ("PS", "*CC(*)c1ccccc1", "1200")], "measured").notes
    assert any(f"calls 1 row a copolymer or blend (line 2: “{name}”)" in note for note in notes)


@pytest.mark.parametrize("name", ["homopolymer", "cis-1,4-polybutadiene", "PVDF-CoX", "poly(A-alt-B)"])
def test_names_of_homopolymers_are_not_taken_for_those_of_copolymers(name: str) -> None:
    rows = [(f'"{name}"', "*CC*", "1900"), ("PS", "*CC(*)c1ccccc1", "1200")]
    assert not any("copolymer or blend" in note for note in polymers(rows, "measured").notes)


def test_columns_without_uncertainties_hold_none_in_memory() -> None:
    made = table("name,smiles,Cp,Cp_std,gap [eV]\nPE,*CC*,2300,20,8.8\nPP,*CC(*)C,1900,,8.1\n")
    stated, gap = made.values[("measured", "Cp")], made.values[("measured", "gap")]
    np.testing.assert_array_equal(stated.uncertainty, [20.0, math.nan])
    assert gap.uncertainty.strides == (0,)
    assert np.isnan(gap.uncertainty).tolist() == [True, True]
    assert not gap.uncertainty.flags.writeable
    first = made.taken(np.array([0])).values[("measured", "gap")]
    assert first.values.tolist() == [8.8]
    assert np.isnan(first.uncertainty).tolist() == [True]
