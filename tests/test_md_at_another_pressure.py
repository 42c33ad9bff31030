"""MD values at another pressure than those of the fit are not calibrated, whoever calibrates; other tacticities are told."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.cli import DONE, run_command
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator
from affinecal_gui.study.md_conditions import MDPressures
from tests.study.small_study import MEASURED, SIMULATED

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

NEW = (
    "name,smiles,Cp [J/(kg K)],P (MPa),tacticity\n"
    "pressed,*CC(*)CC,4458,100,atactic\nnear,*CC(*)CC,4458,1,isotactic\nsilent,*CC(*)CC,4458,,\n"
)
REASON = "Its MD value holds at another pressure than those of the fit (1 atm): further away than 5 MPa."


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


@pytest.fixture
def tables(tmp_path: Path) -> list[str]:
    """Options that name the tables of a study whose simulations ran at 1 atm."""
    measured, md = tmp_path / "measured.csv", tmp_path / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    heading, *rows = SIMULATED.splitlines()
    md.write_text("\n".join([f"{heading},press,tacticity", *(f"{row},1,atactic" for row in rows)]) + "\n")
    return ["--experiment", str(measured), "--md", str(md)]


@pytest.fixture(params=["open", "closed"])
def calibrator(tmp_path: Path, tables: list[str], request: pytest.FixtureRequest) -> Path:
    path = tmp_path / "one.affinecal-model"
    words = ["fit", "--quiet", *tables, "--calibrator", "ordinary", "--grade", request.param]
    assert run_command([*words, "--save-calibrator", str(path), "--output", str(tmp_path / "fit")]) == DONE
    return path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text(NEW, encoding="utf-8")
    return path


def test_predict_sets_them_aside(
    tmp_path: Path, tables: list[str], new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.csv"
    assert (
        run_command(["predict", "--quiet", str(new), *tables, "--calibrator", "ordinary", "--output", str(out)]) == DONE
    )
    found = rows_of(out)
    assert (found["pressed"]["calibrated value"], found["pressed"]["note"]) == ("", REASON)
    assert found["near"]["calibrated value"] == found["silent"]["calibrated value"] != ""
    printed = capsys.readouterr().out
    assert f"No value for pressed: {REASON}" in printed
    assert "1 MD value holds at up to 0.899 MPa more or less than those of the fit (1 atm); up to 5 MPa" in printed
    assert "new.csv: 1 MD value is of isotactic chains, and those of the fit of atactic ones." in printed


def test_apply_and_screen_set_them_aside(
    tmp_path: Path, calibrator: Path, new: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    opened = open_calibrator(calibrator)
    assert opened.facts.md_pressures == MDPressures(0.101325, 0.101325, 5.0)
    assert "Its MD values hold at 1 atm. One that holds further than 5 MPa away is not calibrated." in opened.card
    out = tmp_path / "out.csv"
    assert run_command(["apply", "--quiet", str(calibrator), str(new), "--output", str(out)]) == DONE
    found = rows_of(out)
    assert (found["pressed"]["calibrated value"], found["pressed"]["note"]) == ("", REASON)
    assert found["near"]["calibrated value"] != ""
    capsys.readouterr()
    words = ["screen", "--quiet", str(new), "--calibrator", str(calibrator), "--output", str(tmp_path / "screened")]
    assert run_command(words) == DONE
    printed = capsys.readouterr().out
    assert "2 of 3 rows have a calibrated value" in printed
    assert f"1 has none: the MD value cannot be used (md_not_usable). The first: {REASON}" in printed


def test_python_says_it(calibrator: Path) -> None:
    frame = pd.DataFrame({"smiles": ["*CC(*)CC"] * 2, "Cp [J/(kg K)]": [4458.0] * 2, "pressure [atm]": [1000.0, 1.0]})
    found = ac.Calibrator.open(calibrator).predict(frame, errors="report")
    assert np.isfinite(found["calibrated value"]).tolist() == [False, True]
    assert found["note"].iloc[0] == REASON


def test_polymers_of_the_study_without_a_measured_value_are_set_aside_likewise(
    tmp_path: Path, tables: list[str]
) -> None:
    md = Path(tables[-1])
    md.write_text(md.read_text().replace("4458,0.84,300,1,", "4458,0.84,300,1000,"))
    out = tmp_path / "out"
    assert run_command(["fit", "--quiet", *tables, "--calibrator", "ordinary", "--output", str(out)]) == DONE
    with (out / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["id"] == "S11")
    assert (row["calibrated value"], row["note"][: len(REASON)]) == ("", REASON)
