"""Folders of RadonPy results on the command line: set aside unasked, used with the user's yes, listed as jobs."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.results.reproducing import python_to_copy, ways_to_reproduce
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.table_source import TableSource
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.radonpy_folders import write_result

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

UNITS = {f"P{number}": f"*C(C*){'C' * number}" for number in range(1, 13)}


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    path = tmp_path / "measured.csv"
    rows = [f"{name},{unit},{0.90 + 0.01 * number}" for number, (name, unit) in enumerate(UNITS.items())]
    path.write_text("name,smiles,density [g/cm3]\n" + "\n".join(rows) + "\n")
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for number, (name, unit) in enumerate(UNITS.items()):
        failed = {"check_eq": "False"} if name == "P3" else {}
        write_result(tmp_path / "runs", name, smiles_list=unit, density=str(0.85 + 0.008 * number), **failed)
    return tmp_path / "runs"


def fit(measured: Path, folder: Path, output: Path, *more: str) -> int:
    words = ["fit", "--experiment", measured, "--md", folder, "--output", output, "--property", "density", *more]
    try:
        return main([*map(str, words), "--no-cache", "--quiet"]) or 0
    except SystemExit as ended:
        return int(ended.code or 0)


def values(path: Path, heading: str) -> list[str]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return [row[heading] for row in csv.DictReader(file)]


def test_a_fit_leaves_out_what_failed_its_check_and_lists_it_as_a_job(
    measured: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(measured, folder, tmp_path / "out") == 0
    said = capsys.readouterr()
    assert "did not reach equilibrium (P3)" in said.out + said.err
    assert values(tmp_path / "out" / "simulate_again.csv", "DBID") == ["P3"]
    assert any("check_eq is False" in reason for reason in values(tmp_path / "out" / "left_out.csv", "reason"))


def test_a_fit_uses_it_with_the_users_yes(
    measured: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(measured, folder, tmp_path / "out", "--use-flagged", "not-equilibrated") == 0
    said = capsys.readouterr()
    assert "used as you said" in said.out + said.err
    assert not (tmp_path / "out" / "simulate_again.csv").exists()


def test_a_reason_that_is_none_is_refused_with_those_there_are(
    measured: Path, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert fit(measured, folder, tmp_path / "out", "--use-flagged", "pending") == 2
    assert "not-equilibrated" in capsys.readouterr().err


def test_a_folder_that_is_dropped_needs_no_question_and_says_what_was_set_aside(folder: Path) -> None:
    loaded = load_tables([folder], ask=True)
    assert (loaded.asked, loaded.errors) == ((), ())
    (table,) = loaded.tables
    assert table.row_count == len(UNITS) - 1
    assert any("did not reach equilibrium (P3)" in note for note in table.notes)


def test_md_values_alone_are_used_with_the_users_yes_too_and_listed_to_simulate_again(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fit", "--md", folder, "--property", "Cp", "--no-cache", "--quiet", "--output"]
    assert main([*map(str, words), str(tmp_path / "unasked")]) == 0
    assert values(tmp_path / "unasked" / "simulate_again.csv", "DBID") == ["P3"]
    assert main([*map(str, words), str(tmp_path / "asked"), "--use-flagged", "not-equilibrated"]) == 0
    assert len(values(tmp_path / "asked" / "predictions.csv", "smiles")) == len(UNITS)
    assert "used as you said" in capsys.readouterr().out


def test_the_commands_of_a_report_say_which_failed_checks_are_passed_over(measured: Path, folder: Path) -> None:
    loaded = load_tables([measured, folder])
    (key,) = [table.path for table in loaded.tables if table.flagged]
    read = TableSource(key).read(ReadOptions(use_flagged=("not-equilibrated",)))
    tables = (loaded.tables[0], to_polymer_table(read, guess_roles(read)))
    state = StudyState().with_tables(tables).with_property("density")
    assert "--use-flagged not-equilibrated" in ways_to_reproduce(state)[1].command
    assert "use_flagged=['not-equilibrated']" in python_to_copy(state, "", is_saved=False, as_they_come=True).text
