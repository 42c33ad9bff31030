"""Tables with a row for each run of RadonPy: rows and values that failed a check are set aside, with their count."""

from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable

HEADINGS = (
    "monomer_ID,smiles_list,check_eq,do_TC,check_tc,nematic_order_parameter,remarks,density,tg,thermal_conductivity"
)
SOUND = "P{0},*C(C*){1},True,True,True,0.02,,0.85,350.5,0.21"


def read(path: Path, *rows: str, use: tuple[str, ...] = ()) -> PolymerTable:
    sound = [SOUND.format(number, "C" * number) for number in range(1, 8)]
    path.write_text("\n".join([HEADINGS, *sound, *rows]) + "\n")
    raw = read_table(path, ReadOptions(use_flagged=use or None))
    return to_polymer_table(raw, guess_roles(raw))


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ("F,*CC*,False,True,True,0.02,,0.60,300.5,0.31", "not-equilibrated"),
        ("F,*CC*,FALSE,True,True,0.02,,0.60,300.5,0.31", "not-equilibrated"),
        ("F,*CC*,True,True,True,0.25,,0.60,300.5,0.31", "oriented"),
        ("F,*CC*,True,True,True,,[ERROR: The system is partially oriented.],0.60,300.5,0.31", "oriented"),
    ],
)
def test_a_row_that_failed_is_rejected_with_its_reason(tmp_path: Path, row: str, reason: str) -> None:
    table = read(tmp_path / "md.csv", row)
    assert "F" not in table.ids
    (problem,) = [problem for problem in table.problems if problem.rejects_row]
    assert (problem.line, reason in problem.suggestion) == (9, True)
    assert any("set aside 1 result" in note and f"--use-flagged {reason}" in note for note in table.notes)
    assert len(table.again) == 1
    used = read(tmp_path / "md.csv", row, use=(reason,))
    assert used.values[("md", "density")].values[-1] == 0.60
    assert any("as you said" in note for note in used.notes)


def test_a_conductivity_that_failed_its_check_is_left_out_alone(tmp_path: Path) -> None:
    table = read(tmp_path / "md.csv", "F,*CC*,True,True,False,0.02,,0.81,300.5,0.31")
    assert table.ids[-1] == "F"
    assert table.values[("md", "density")].values[-1] == 0.81
    assert np.isnan(table.values[("md", "thermal_conductivity")].values[-1])


@pytest.mark.parametrize(
    ("key", "row"),
    [
        ("glass_transition", "F,*CC*,True,True,True,0.02,,0.81,1.08e6,0.31"),
        ("thermal_conductivity", "F,*CC*,True,True,True,0.02,,0.81,300.5,43.4"),
        ("density", "F,*CC*,True,True,True,0.02,,-9999,300.5,0.31"),
        ("density", "F,*CC*,True,True,True,0.02,,0,300.5,0.31"),
    ],
)
def test_impossible_values_and_marks_are_set_aside_with_their_count(tmp_path: Path, key: str, row: str) -> None:
    table = read(tmp_path / "md.csv", row)
    column = table.values[("md", key)]
    assert np.isnan(column.values[-1])
    assert [problem.line for problem in column.problems] == [9]
    assert np.isfinite(column.values[:-1]).all()
    assert any("set aside 1 result" in note for note in table.notes)


def test_a_table_without_checks_keeps_whatever_it_holds(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    path.write_text("smiles,density\n*CC*,0.85\n*C(C*)C,-9999\n")
    raw = read_table(path)
    assert list(raw.column("density")) == ["0.85", "-9999"]
    assert raw.set_aside == ()


def test_the_first_rows_of_a_table_have_no_part_in_what_failed_below(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    read(path, "F,*CC*,False,True,True,0.02,,0.60,300.5,0.31", "G,*CCC*,True,True,True,0.02,,0.80,9e9,0.31")
    raw = read_table(path)
    table = to_polymer_table(raw.head(7), guess_roles(raw))
    assert len(table) == 7
    assert not [problem for problem in table.problems if problem.rejects_row]
    assert "F" not in to_polymer_table(raw.head(8), guess_roles(raw)).ids


@pytest.mark.parametrize("word", ["no", "Nein", "0", "F", ".F.", "FALSCH", "failed", "not ok", "não", "偽", "2", "x"])
def test_a_check_that_does_not_say_yes_was_not_passed(tmp_path: Path, word: str) -> None:
    table = read(tmp_path / "md.csv", f"F,*CC*,{word},True,True,0.02,,0.60,300.5,0.31")
    assert "F" not in table.ids
    assert any("set aside 1 result" in note for note in table.notes)


@pytest.mark.parametrize("word", ["yes", "Ja", "1", "1.0", "TRUE", "WAHR", "ok", "✓", "", "n/a", "-"])
def test_a_check_that_says_yes_or_nothing_sets_nothing_aside(tmp_path: Path, word: str) -> None:
    assert read(tmp_path / "md.csv", f"F,*CC*,{word},True,True,0.02,,0.60,300.5,0.31").ids[-1] == "F"


@pytest.mark.parametrize("heading", ["Check_Eq", "check eq", "CHECK-EQ", "equilibrated", "converged"])
def test_a_check_counts_however_its_heading_is_spelled(tmp_path: Path, heading: str) -> None:
    path = tmp_path / "md.csv"
    rows = [f"P{number},*C(C*){'C' * number},yes,{900 + number}" for number in range(1, 8)]
    path.write_text("\n".join([f"id,smiles,{heading},MD density [kg/m3]", *rows, "F,*CC*,no,700"]) + "\n")
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    assert table.ids == tuple(f"P{number}" for number in range(1, 8))
    assert [(job.cells[0], job.cells[2], job.cells[-1]) for job in table.again] == [
        ("F", "*CC*", f"F did not reach equilibrium ({heading} is no)")
    ]


def test_remarks_of_radonpy_count_without_the_columns_of_its_checks(tmp_path: Path) -> None:
    path = tmp_path / "md.csv"
    rows = [f"P{number},*C(C*){'C' * number},,0.85" for number in range(1, 8)]
    failed = "F,*CC*,[ERROR: Did not reach an equilibrium state.],0.60"
    path.write_text("\n".join(["monomer_ID,smiles_list,remarks,density", *rows, failed]) + "\n")
    raw = read_table(path)
    assert "F" not in to_polymer_table(raw, guess_roles(raw)).ids


@pytest.mark.parametrize(
    ("key", "row"),
    [
        ("density", "F;*CC*;WAHR;WAHR;WAHR;0,02;;-9999,0;300,5;0,31"),
        ("glass_transition", "F;*CC*;WAHR;WAHR;WAHR;0,02;;0,81;1080000,0;0,31"),
        ("density", "F;*CC*;WAHR;WAHR;WAHR;0,25;;0,81;300,5;0,31"),
    ],
)
def test_what_a_spreadsheet_wrote_with_decimal_commas_is_checked_likewise(tmp_path: Path, key: str, row: str) -> None:
    path = tmp_path / "md.csv"
    sound = [
        SOUND.format(number, "C" * number).replace(",", ";").replace(".", ",").replace("True", "WAHR")
        for number in range(1, 8)
    ]
    path.write_text("\n".join([HEADINGS.replace(",", ";"), *sound, row]) + "\n")
    raw = read_table(path)
    table = to_polymer_table(raw, guess_roles(raw))
    values = dict(zip(table.ids, table.values[("md", key)].values.tolist(), strict=True))
    assert np.isnan(values.get("F", np.nan))
    assert any("set aside 1 result" in note and "F" in note for note in table.notes)
