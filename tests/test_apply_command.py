"""``affinecal apply``: a calibrator file says of a table what its study says, row by row, however long the table is."""

import csv
import json
import re
from pathlib import Path

import pytest

from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.stored.study_file import save_study
from affinecal_gui.task import Task
from affinecal_gui.tasks.predicting import calibrated_rows, rows_to_apply
from affinecal_gui.tasks.predicting.applying import apply_file
from affinecal_gui.tasks.predicting.asking_calibrator import ask_calibrator
from tests.predicting_calibrator import predicting_calibrator
from tests.study.small_study import small_state, write_tables

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations_of_module")

NEW = '''id,name,smiles,Cp [kJ/(kg K)]
A,polybutylene,*CC(*)CC,4.458
B,ethylene again,*CCCC*,4.699
C,no structure,,4.0
D,not positive,*CC(*)F,-3
E,broken,*CC(,3.0
F,no value,*CC(*)Br,
G,"quoted, ""name""",*CC(*)F,2.9
H,far away,*[Si](C)(C)O*,90
,total,Mean,3.4
'''


def without_advice(note: str) -> str:
    """Leave out which calibrator is recommended: ``predict`` does not correct MD values just to rank that as well."""
    return re.sub(r"[^.]* is not the recommended calibrator; that is [^.]*\.", "", note).strip()


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> tuple[Derived, Path]:
    path = tmp_path_factory.mktemp("study") / "study.affinecal"
    derived = derive(small_state(), Derived())
    save_study(path, derived.state, derived)
    return derived, path


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text(NEW, encoding="utf-8")
    return path


NUMBERS = ("calibrated value", "lower", "upper", "final-fit value")
NO_ID = ", and md.csv has none with its id."


@pytest.mark.parametrize("model", ["md", "ordinary", "log_difference", "affine", "combined", "affine_sources"])
def test_the_result_is_that_of_predict(
    tmp_path: Path, new: Path, study: tuple[Derived, Path], model: str, capsys: pytest.CaptureFixture[str]
) -> None:
    derived, path = study
    calibrator = tmp_path / "c.affinecal-model"
    save_calibrator_file(calibrator, calibrator_file_of(derived, model, "open"))
    predicted, applied = tmp_path / "predicted.csv", tmp_path / "applied.csv"
    words = ["predict", "--quiet", str(new), "--study", str(path), "--calibrator", model]
    assert run_command([*words, "--output", str(predicted)]) == DONE
    capsys.readouterr()
    assert run_command(["apply", "--quiet", str(calibrator), str(new), "--output", str(applied)]) == DONE
    expected, found = rows_of(predicted), rows_of(applied)
    assert list(found[0]) == list(expected[0])
    assert len(found) == len(expected) == 8
    for own, other in zip(found, expected, strict=True):
        for column, text in other.items():
            if column in ("MD value", "calibrated value", "lower", "upper", "final-fit value") and text:
                assert float(own[column]) == pytest.approx(float(text), rel=1e-12), (column, other["name"])
            elif column == "note" and not other["MD value"] and other["name"] == "no value":
                # A calibrator alone has no MD table to predict a value from, and the study too small a one.
                assert own[column] == "Not used: no value."
                assert "MD values cannot be predicted" in text
            elif column == "note" and text.endswith(NO_ID):
                assert own[column] == text.replace(NO_ID, ".")  # a calibrator alone has no MD table to look ids up in
            elif column == "note":
                assert without_advice(own[column]) == without_advice(text)
            else:
                assert own[column] == text, (column, other["name"])
    assert sum(bool(row["calibrated value"]) for row in found) >= 3
    said = capsys.readouterr().out
    assert "of 8 polymers calibrated with" in said
    assert "kJ/(kg K)" in said


def test_fit_saves_the_calibrator_whose_values_it_writes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    fit = ["fit", "--quiet", "--experiment", str(measured), "--md", str(md), "--output", str(tmp_path / "fit")]
    calibrator = tmp_path / "Cp.affinecal-model"
    save = ["--save-calibrator", str(calibrator), "--calibrator", "affine"]
    assert run_command([*fit, *save]) == DONE
    assert "It holds the repeat units and the measured values of" in capsys.readouterr().out
    assert run_command(["apply", "--quiet", str(calibrator), str(md), "--output", str(tmp_path / "a.csv")]) == DONE
    fitted = {row["id"]: row for row in rows_of(tmp_path / "fit" / "predictions.csv")}
    found = rows_of(tmp_path / "a.csv")
    assert len(found) == 12
    for row in found:
        expected = fitted[row["id"]]
        assert float(row["calibrated value"]) == pytest.approx(float(expected["final-fit value"]), rel=1e-12)
    # Not a second time over it, and nothing is computed before that is said.
    assert run_command([*fit, *save]) == CANNOT
    assert "--overwrite" in capsys.readouterr().err
    assert run_command([*fit, *save, "--grade", "closed", "--overwrite"]) == DONE
    assert "coefficients only, and no repeat unit" in capsys.readouterr().out
    assert open_calibrator(calibrator).manifest.grade == "closed"


def test_a_study_saves_its_calibrator_too(tmp_path: Path, study: tuple[Derived, Path]) -> None:
    derived, path = study
    calibrator = tmp_path / "Cp.affinecal-model"
    words = ["fit", "--quiet", "--study", str(path), "--output", str(tmp_path / "out"), "--save-calibrator"]
    assert run_command([*words, str(calibrator)]) == DONE
    assert open_calibrator(calibrator).facts.model == derived.state.settings.model


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--save-calibrator", "x.zip"], "give a calibrator file the ending .affinecal-model"),
        (["--grade", "open"], "name the file with --save-calibrator"),
        (
            ["--calibrator", "quantum_corrected", "--save-calibrator", "q.affinecal-model"],
            "choose another with --calibrator",
        ),
        (["--calibrator", "htl_offset", "--save-calibrator", "k.affinecal-model"], "made of kernels"),
    ],
)
def test_what_cannot_be_saved_is_said_and_leaves_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    measured, md = write_tables(tmp_path)
    monkeypatch.chdir(tmp_path)
    fit = ["fit", "--quiet", "--experiment", str(measured), "--md", str(md), "--output", "out"]
    assert run_command([*fit, *words]) == CANNOT
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not Path("out").exists()
    assert not list(tmp_path.glob("*.affinecal-model"))


@pytest.fixture
def calibrator(tmp_path: Path, study: tuple[Derived, Path]) -> Path:
    path = tmp_path / "affine.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(study[0], "affine", "open"))
    return path


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("smiles,density [g/cm3]\n*CC*,0.85\n*CCO*,1.1\n", "no column of MD values of specific heat capacity"),
        ("smiles,Cp [K]\n*CC*,4699\n*CCO*,3900\n", "K"),
        ("name,Cp\npolyethylene,4699\n", "no column of repeat units"),
        ("", "empty"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(
    tmp_path: Path, calibrator: Path, capsys: pytest.CaptureFixture[str], table: str, said: str
) -> None:
    path, output = tmp_path / "other.csv", tmp_path / "out.csv"
    path.write_text(table, encoding="utf-8")
    assert run_command(["apply", "--quiet", str(calibrator), str(path), "--output", str(output)]) == CANNOT
    assert said in capsys.readouterr().err
    assert not output.exists()


@pytest.fixture(scope="module")
def predicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predicting") / "predicting.affinecal-model"
    save_calibrator_file(path, predicting_calibrator())
    return path


def test_md_values_are_predicted_for_rows_without_one_and_for_no_others(
    tmp_path: Path, new: Path, predicting: Path, calibrator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["apply", "--quiet", str(predicting), str(new), "--output", str(tmp_path / "a.csv")]) == DONE
    said = capsys.readouterr().out
    assert "1 rests on a predicted MD value." in said
    found = {row["name"]: row for row in rows_of(tmp_path / "a.csv")}
    row = found["no value"]
    asked = ask_calibrator(open_calibrator(predicting), row["smiles"], "")
    for column, number in (("calibrated value", asked.value), ("lower", asked.lower), ("upper", asked.upper)):
        assert float(row[column]) == pytest.approx(number, rel=1e-9)
    assert (row["MD value"], row["md_origin"]) == ("", "predicted MD")
    assert 1000 < float(row["surrogate value"]) < 10000
    # What is written and cannot be used is told, not predicted over; and the other rows are as they are without.
    assert "is negative" in found["not positive"]["note"]
    assert run_command(["apply", "--quiet", str(calibrator), str(new), "--output", str(tmp_path / "b.csv")]) == DONE
    for other in rows_of(tmp_path / "b.csv"):
        if other["name"] == "no value":
            continue
        mine = found[other["name"]]
        assert {k: v for k, v in mine.items() if k not in NUMBERS} == {
            k: v for k, v in other.items() if k not in NUMBERS
        }
        for column in NUMBERS:
            assert bool(mine[column]) == bool(other[column])
            assert not mine[column] or float(mine[column]) == pytest.approx(float(other[column]), rel=1e-12)


def test_a_table_without_md_values_is_predicted_long_or_short(
    tmp_path: Path, predicting: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "bare.csv"
    units = ["*CC(*)CC", "*CCCC*", "*CC(", "*CC(*)F"]
    source.write_text("\n".join(["id,smiles", *(f"P{n},{units[n % 4]}" for n in range(60))]) + "\n", encoding="utf-8")
    words = ["apply", "--quiet", str(predicting), str(source), "--output"]
    assert run_command([*words, str(tmp_path / "short.csv")]) == DONE
    said = capsys.readouterr().out
    assert "bare.csv has no column of MD values of specific heat capacity." in said
    assert "45 rest on a predicted MD value." in said
    monkeypatch.setattr(rows_to_apply, "READ_AT_ONCE", 30)
    monkeypatch.setattr(rows_to_apply, "ROWS_AT_ONCE", 25)
    assert run_command([*words, str(tmp_path / "long.csv")]) == DONE
    assert (tmp_path / "long.csv").read_bytes() == (tmp_path / "short.csv").read_bytes()


@pytest.mark.parametrize("predicts", [False, True])
def test_a_long_table_is_calibrated_as_a_short_one(
    tmp_path: Path, calibrator: Path, predicting: Path, predicts: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows are read part by part beyond so many lines; what they say is the same, and other tables below stay unread."""
    monkeypatch.setattr(rows_to_apply, "READ_AT_ONCE", 300)
    monkeypatch.setattr(rows_to_apply, "ROWS_AT_ONCE", 70)
    units = ["*CC(*)CC", "*CCCC*", "", "*CC(*)F", "*CC(", "*CC(*)Br", "*CC(*)[Fe]"]
    values = {0: "", 5: "-3", 8: "soon"}
    lines = [f"P{n},{units[n % 7]},{values.get(n % 11, 2000 + n % 700)},{n % 13 != 4}" for n in range(250)]
    lines.insert(40, "odd,*CC*,3000,True,too,many")
    short, long = tmp_path / "short.csv", tmp_path / "long.csv"
    headings = "id,smiles,Cp [J/(kg K)],check_eq"  # simulations that failed their own check are set aside
    short.write_text("\n".join([headings, *lines]) + "\n", encoding="utf-8")
    below = ["id,smiles,density [g/cm3]", *(f"B{n},*CC*,0.85" for n in range(300))]
    long.write_text("\n".join([headings, *lines, *below]) + "\n", encoding="utf-8")
    for source, output in ((short, "a.csv"), (long, "b.csv")):
        apply_file(predicting if predicts else calibrator, source, tmp_path / output)
    a, b = ((tmp_path / name).read_bytes().splitlines() for name in ("a.csv", "b.csv"))
    assert len(a) == len(lines) + 1
    assert b[: len(a)] == a
    assert sum(b"check_eq" in line or b"equilibr" in line for line in a) > 15
    rest = rows_of(tmp_path / "b.csv")[len(lines) :]
    assert len(rest) >= 300
    assert not any(row["calibrated value"] for row in rest)
    assert all(row["note"].startswith("Not used: ") for row in rest)


def test_a_run_that_was_stopped_goes_on_where_it_ended(
    tmp_path: Path, calibrator: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(calibrated_rows, "ROWS_TOGETHER", 50)
    source, output = tmp_path / "new.csv", tmp_path / "out.csv"
    lines = [f"P{n},*{'C' * (1 + n)}*,{2000 + n}" for n in range(120)]
    lines.insert(30, ",Total,9")
    source.write_text("\n".join(["id,smiles,Cp [J/(kg K)]", *lines]) + "\n", encoding="utf-8")
    whole = apply_file(calibrator, source, tmp_path / "whole.csv")

    def stop(fraction: float, words: str) -> None:
        del fraction
        if words.startswith("50 ") and "rows" in words:  # behind them stands the time left, on a slow computer
            raise KeyboardInterrupt

    monkeypatch.setattr("affinecal_gui.study.describing.pace.SECONDS_BETWEEN_REPORTS", 0.0)
    with pytest.raises(Cancelled, match="Add --resume to continue"):
        apply_file(calibrator, source, output, task=Task(stop))
    assert not output.exists()
    part = (tmp_path / "out.csv.part").read_bytes()
    assert part.count(b"\n") == 51
    with pytest.raises(UserError, match="--resume"):
        apply_file(calibrator, source, output)
    said = apply_file(calibrator, source, output, resume=True)
    assert output.read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert said[:-1] == whole[:-1]
    assert not (tmp_path / "out.csv.part").exists()


def test_a_part_made_with_another_calibrator_is_not_continued(
    tmp_path: Path, new: Path, calibrator: Path, study: tuple[Derived, Path]
) -> None:
    output = tmp_path / "out.csv"
    (tmp_path / "out.csv.part").write_bytes(b"id\n")
    (tmp_path / "out.csv.part.json").write_text(json.dumps({"input": "another"}), encoding="utf-8")
    with pytest.raises(UserError, match="made from another"):
        apply_file(calibrator, new, output, resume=True)
    assert not output.exists()


def test_worker_processes_change_nothing(tmp_path: Path, new: Path, calibrator: Path) -> None:
    apply_file(calibrator, new, tmp_path / "one.csv")
    apply_file(calibrator, new, tmp_path / "two.csv", jobs=2)
    assert (tmp_path / "one.csv").read_bytes() == (tmp_path / "two.csv").read_bytes()


def test_neither_input_is_replaced(tmp_path: Path, new: Path, calibrator: Path) -> None:
    for path in (new, calibrator):
        before = path.read_bytes()
        with pytest.raises(UserError):
            apply_file(calibrator, new, path, overwrite=True)
        assert path.read_bytes() == before


@pytest.mark.parametrize("at_once", [1, 5_000])
def test_of_two_columns_of_md_values_the_one_that_is_named_is_calibrated(
    tmp_path: Path, calibrator: Path, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    monkeypatch.setattr(rows_to_apply, "READ_AT_ONCE", at_once)
    two = tmp_path / "two.csv"
    lines = ["id,smiles,Cp MD [J/(kg K)],Cp MD 2 [J/(kg K)]", "A,*CCO*,3900,4000", "B,*CCCO*,4100,4200"]
    two.write_text("\n".join([*lines, ""]), encoding="utf-8")
    said = "\n".join(apply_file(calibrator, two, tmp_path / "found.csv"))
    assert "“Cp MD [J/(kg K)]” was read as specific heat capacity" in said
    assert "--md-column" in said
    said = "\n".join(apply_file(calibrator, two, tmp_path / "named.csv", md_column="Cp MD 2 [J/(kg K)]"))
    assert "could be it too" not in said
    assert [row["MD value"] for row in rows_of(tmp_path / "found.csv")] == ["3900", "4100"]
    assert [row["MD value"] for row in rows_of(tmp_path / "named.csv")] == ["4000", "4200"]
    with pytest.raises(UserError, match="no column “Cp”"):
        apply_file(calibrator, two, tmp_path / "missing.csv", md_column="Cp")
