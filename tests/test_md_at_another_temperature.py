"""MD values at another temperature than those of the fit are not calibrated, whoever calibrates, and that is told."""

import csv
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import affinecal_gui as ac
from affinecal_gui.cli import DONE, run_command
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.description import Grade
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.md_conditions import MDTemperatures
from affinecal_gui.study.stored.study_file import save_study
from affinecal_gui.tasks.predicting.applying import apply_file
from affinecal_gui.tasks.predicting.asking_calibrator import ask_calibrator
from tests.study.small_study import MEASURED, SIMULATED, small_result, small_state

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

NEW = "name,smiles,Cp [J/(kg K)],T [K]\nwarm,*CC(*)CC,4458,450\nnear,*CC(*)CC,4458,305\nsilent,*CC(*)CC,4458,\n"
IN_HEADING = "name,smiles,Cp at 450 K [J/(kg K)]\nwarm,*CC(*)CC,4458\n"
REASON = "Its MD value holds at another temperature than those of the fit (300 K): further away than 10 K."


def rows_of(path: Path) -> dict[str, dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file)}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    save_study(path := tmp_path / "small.affinecal", small_state(), Derived(state=small_state()))
    return path


@pytest.fixture(params=["open", "closed"])
def calibrator(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    grade: Grade = request.param
    save_calibrator_file(
        path := tmp_path / "one.affinecal-model", calibrator_file_of(small_result(), "ordinary", grade)
    )
    return path


@pytest.mark.parametrize("text", [NEW, IN_HEADING])
def test_predict_sets_them_aside(tmp_path: Path, study: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text(text, encoding="utf-8")
    assert run_command(["predict", "--quiet", str(new), "--study", str(study), "--output", str(out)]) == DONE
    found = rows_of(out)
    assert (found["warm"]["calibrated value"], found["warm"]["MD value"], found["warm"]["note"]) == ("", "4458", REASON)
    printed = capsys.readouterr().out
    assert f"No value for warm: {REASON}" in printed
    if text == NEW:
        assert found["near"]["calibrated value"] == found["silent"]["calibrated value"] != ""
        assert "1 MD value holds at up to 5 K more or less than those of the fit (300 K)" in printed


def test_a_wider_tolerance_takes_them(tmp_path: Path, study: Path, calibrator: Path) -> None:
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text(NEW, encoding="utf-8")
    words = ["predict", "--quiet", str(new), "--study", str(study), "--temperature-tolerance", "200"]
    assert run_command([*words, "--output", str(out)]) == DONE
    assert rows_of(out)["warm"]["calibrated value"] != ""
    words = ["apply", "--quiet", str(calibrator), str(new), "--temperature-tolerance", "200", "--overwrite"]
    assert run_command([*words, "--output", str(out)]) == DONE
    assert rows_of(out)["warm"]["calibrated value"] == rows_of(out)["near"]["calibrated value"] != ""


@pytest.mark.parametrize("text", [NEW, IN_HEADING])
def test_apply_sets_them_aside(tmp_path: Path, calibrator: Path, text: str) -> None:
    new, out = tmp_path / "new.csv", tmp_path / "out.csv"
    new.write_text(text, encoding="utf-8")
    said = apply_file(calibrator, new, out)
    found = rows_of(out)
    assert (found["warm"]["calibrated value"], found["warm"]["MD value"], found["warm"]["note"]) == ("", "4458", REASON)
    assert any(line == f"No value for warm: {REASON}" for line in said)


def test_a_calibrator_file_carries_their_range_and_its_card_names_it(calibrator: Path) -> None:
    opened = open_calibrator(calibrator)
    assert opened.facts.md_temperatures == MDTemperatures(300.0, 300.0, 10.0)
    assert "Its MD values hold at 300 K. One that holds further than 10 K away is not calibrated." in opened.card
    asked = ask_calibrator(opened, "*CC(*)CC", "4458")
    assert "The MD values of its fit hold at 300 K." in asked.basis


def test_screen_sets_them_aside(tmp_path: Path, calibrator: Path, capsys: pytest.CaptureFixture[str]) -> None:
    library = tmp_path / "library.csv"
    library.write_text(NEW, encoding="utf-8")
    words = ["screen", "--quiet", str(library), "--calibrator", str(calibrator), "--output", str(tmp_path / "out")]
    assert run_command(words) == DONE
    printed = capsys.readouterr().out
    assert "2 of 3 rows have a calibrated value" in printed
    assert f"1 has none: the MD value cannot be used (md_not_usable). The first: {REASON}" in printed


def test_python_says_it(study: Path, calibrator: Path) -> None:
    frame = pd.DataFrame({"smiles": ["*CC(*)CC"] * 2, "Cp [J/(kg K)]": [4458.0, 4458.0], "T [K]": [450.0, 300.0]})
    for one in (ac.Calibrator.open(calibrator), ac.Study.open(study)):
        with pytest.raises(ValueError, match="another temperature than those of the fit"):
            one.predict(frame)
        found = one.predict(frame, errors="report")
        assert np.isfinite(found["calibrated value"]).tolist() == [False, True]
        assert found["note"].iloc[0] == REASON


def test_polymers_of_the_study_without_a_measured_value_are_set_aside_likewise(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = tmp_path / "measured.csv", tmp_path / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    md.write_text(SIMULATED.replace("S11,*C(C*)CC,4458,0.84,300", "S11,*C(C*)CC,4458,0.84,450"), encoding="utf-8")
    words = ["fit", "--quiet", "--experiment", str(measured), "--md", str(md), "--calibrator", "ordinary"]
    assert run_command([*words, "--output", str(tmp_path / "out")]) == DONE
    assert REASON in capsys.readouterr().out
    with (tmp_path / "out" / "predictions.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["id"] == "S11")
    assert row["calibrated value"] == ""
    assert row["note"].startswith(REASON)
    assert "extrapolation" not in row["note"]


def test_measured_values_that_state_no_temperature_are_not_compared_silently_with_md_values_of_another() -> None:
    warm = MDTemperatures.of([450.0, 452.0, np.nan], 10.0)
    assert warm == MDTemperatures(450.0, 452.0, 10.0)
    assert warm.beyond(np.array([441.0, 439.0, 462.0, 463.0, np.nan])).tolist() == [False, True, False, True, False]
    (silent,) = warm.notes("new.csv", np.array([np.nan, 451.0]))
    assert (
        silent
        == "new.csv: 1 MD value states no temperature, and those of the fit hold at 450 to 452 K. Is it the same?"
    )
    (told,) = MDTemperatures.of([], 10.0).notes("new.csv", np.array([450.0, 300.0]))
    assert told == "new.csv: 1 MD value holds at 450 K, and those of the fit state no temperature. Is it the same?"
