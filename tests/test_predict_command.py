"""``affinecal predict``: polymers that a study has not seen, one row each, by the numbers that ``fit`` gives."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.stored.study_file import save_study
from tests.study.small_study import small_result, small_state, write_tables

pytestmark = pytest.mark.usefixtures("blank_figures", "coarse_calibrations")

NEW = """name,smiles,Cp [J/(kg K)]
polybutylene,*CC(*)CC,4458
ethylene again,*CCCC*,4699
no structure,,4000
not positive,*CC(*)F,-3
broken,*CC(,3000
poly(vinyl fluoride),*CC(*)F,2900
"""


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def new(tmp_path: Path) -> Path:
    path = tmp_path / "new.csv"
    path.write_text(NEW, encoding="utf-8")
    return path


@pytest.mark.parametrize(("called", "prop"), [("Difference", "Cp"), ("log-difference", "specific heat capacity")])
def test_names_that_results_give_are_understood(tmp_path: Path, called: str, prop: str) -> None:
    experiment, md = write_tables(tmp_path)
    new = tmp_path / "new.csv"
    new.write_text(NEW, encoding="utf-8")
    words = ["predict", "--quiet", str(new), "--experiment", str(experiment), "--md", str(md)]
    found = []
    for calibrator, quantity in ((called, prop), ("log_difference", "Cp")):
        out = tmp_path / f"{len(found)}.csv"
        chosen = ["--calibrator", calibrator, "--property", quantity]
        assert run_command([*words, *chosen, "--output", str(out)]) == DONE
        found.append(rows_of(out))
    assert found[0] == found[1]


def test_the_values_are_those_of_the_fit(tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    tables = ["--experiment", str(measured), "--md", str(md), "--calibrator", "affine"]
    assert run_command(["fit", "--quiet", *tables, "--output", str(tmp_path / "fit")]) == DONE
    assert run_command(["predict", "--quiet", str(new), *tables, "--output", str(tmp_path / "out.csv")]) == DONE
    fitted = {row["smiles"]: row for row in rows_of(tmp_path / "fit" / "predictions.csv")}
    found = rows_of(tmp_path / "out.csv")
    assert [row["name"] for row in found][:2] == ["polybutylene", "ethylene again"]
    # The same polymer with the same MD value, once in the library and once not seen before, has the same value.
    butylene, known = found[0], fitted["*C(C*)CC"]
    for column in ("calibrated value", "lower", "upper"):
        assert float(butylene[column]) == pytest.approx(float(known[column]), rel=1e-9)
    # A polymer that was measured is not shown its own measurement's out-of-fold value, but that of the fit.
    assert float(found[1]["calibrated value"]) == pytest.approx(float(fitted["*CCCC*"]["final-fit value"]), rel=1e-9)
    assert found[1]["measured value"] == ""
    printed = capsys.readouterr().out
    assert "polymers calibrated with affine" in printed


def test_every_row_of_the_table_has_a_row(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    new = tmp_path / "new.csv"
    lines = ["id,smiles,Cp", "A,*CC*,4700", "B,*CC(*)C,", "", "C,*CC(*)c1cc,3000", "D,*CC(*)O,n.d.", "E,*CC(*)F,-5"]
    lines += ["garbage", "G,*CC(*)Br,3000,7,8", "H,,3000", "F,*CC(*)Cl,3000", "Mean,,3400"]
    new.write_text("\n".join(lines), encoding="utf-8")
    words = ["predict", "--quiet", str(new), "--experiment", str(measured), "--md", str(md), "--calibrator", "ordinary"]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == DONE
    found = rows_of(tmp_path / "out.csv")
    # One row for each line but the headings, the blank line and the mean; H has no repeat unit to compute with. B and D
    # have no MD value here, but the MD table of the study has theirs.
    assert [row["id"] for row in found] == ["A", "B", "C", "D", "E", "garbage", "G", "H", "F"]
    assert [row["smiles"] for row in found] == [
        "*CC*", "*CC(*)C", "*CC(*)c1cc", "*CC(*)O", "*CC(*)F", "", "*CC(*)Br", "", "*CC(*)Cl"
    ]  # fmt: skip
    assert [row["id"] for row in found if row["calibrated value"]] == ["A", "B", "D", "F"]
    assert [row["MD value"] for row in found if row["calibrated value"]] == ["4700", "4332", "3600", "3000"]
    assert [row["md_origin"] for row in found] == ["simulated" if row["calibrated value"] else "" for row in found]
    assert all(row["note"] for row in found if not row["calibrated value"])
    notes = {row["id"]: row["note"] for row in found}
    assert notes["E"].startswith("Not used: -5 is negative")
    assert notes["G"] == "Not used: 5 cells, but 3 headings."
    said = capsys.readouterr().out
    assert "Line 12 left out: it looks like a line of totals" in said
    assert "2 polymers without an MD value in new.csv have one in md.csv: used." in said


def test_the_inputs_are_never_the_output(tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    tables = ["--experiment", str(measured), "--md", str(md)]
    other_name = tmp_path / "link.csv"
    other_name.hardlink_to(new)
    study = tmp_path / "mine.affinecal"
    save_study(study, small_state(), Derived(state=small_state()))
    before = {path: path.read_bytes() for path in (new, measured, md, study)}
    commands = [["predict", str(new), *tables, "--output", str(path)] for path in (new, other_name, measured, md)]
    commands += [["predict", str(new), "--study", str(study), "--output", str(path)] for path in (new, study)]
    commands += [["describe", str(new), "--no-cache", "--output", str(path)] for path in (new, other_name)]
    for words in commands:
        assert run_command([*words, "--quiet", "--overwrite"]) == CANNOT
        (said,) = capsys.readouterr().err.splitlines()
        assert "is one of the files that this command reads" in said
    assert {path: path.read_bytes() for path in before} == before


def test_no_result_in_a_folder_replaces_an_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    for command, name in (("fit", "predictions.csv"), ("compare", "comparison.csv"), ("benchmark", "benchmark.csv")):
        table = measured.rename(measured.with_name(name))
        before = table.read_bytes()
        words = [command, "--quiet", "--overwrite", "--experiment", str(table), "--md", str(md)]
        assert run_command([*words, "--output", str(tmp_path)]) == CANNOT
        assert f"{name} is one of the files that this command reads" in capsys.readouterr().err
        assert table.read_bytes() == before
        measured = table


def test_rows_that_cannot_be_calibrated_say_why(tmp_path: Path, new: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured, md = write_tables(tmp_path)
    words = ["predict", "--quiet", str(new), "--experiment", str(measured), "--md", str(md), "--calibrator", "ordinary"]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == DONE
    found = {row["name"]: row for row in rows_of(tmp_path / "out.csv")}
    assert found["poly(vinyl fluoride)"]["calibrated value"]
    assert {row["model"] for row in found.values()} == {"ordinary"}
    # The others were not used, and each is said.
    assert {name for name, row in found.items() if not row["calibrated value"]} == {
        "no structure", "not positive", "broken"
    }  # fmt: skip
    said = capsys.readouterr().out
    for line, reason in ((4, "no repeat unit and no id"), (5, "-3 is negative"), (6, "Not a valid SMILES")):
        assert f"Line {line} not used: {reason}" in said


def test_a_saved_study_predicts(tmp_path: Path, new: Path) -> None:
    study = tmp_path / "mine.affinecal"
    save_study(study, small_state(), Derived(state=small_state()))
    assert (
        run_command(["predict", "--quiet", str(new), "--study", str(study), "--output", str(tmp_path / "a.csv")])
        == DONE
    )
    assert len(rows_of(tmp_path / "a.csv")) >= 3


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "Name what to calibrate with"),
        (["--study", "nowhere.affinecal"], "nowhere.affinecal"),
    ],
)
def test_what_is_missing_is_said(
    tmp_path: Path, new: Path, words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command(["predict", "--quiet", str(new), *words, "--output", str(tmp_path / "out.csv")]) == CANNOT
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "out.csv").exists()


@pytest.mark.parametrize(
    "table",
    [
        "name,smiles,density [g/cm3]\na,*CC(*)F,0.9\nb,*CC(*)Br,0.91\n",
        "name,smiles,measured Cp [J/(kg K)]\na,*CC(*)F,1200\nb,*CC(*)Br,900\n",
        "smiles\n*CC(*)F\n*CC(*)Br\n",
    ],
)
def test_too_few_simulations_to_predict_others_from_are_refused(
    tmp_path: Path, table: str, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = write_tables(tmp_path)
    other = tmp_path / "other.csv"
    other.write_text(table, encoding="utf-8")
    tables = ["--experiment", str(measured), "--md", str(md)]
    assert run_command(["predict", "--quiet", str(other), *tables, "--output", str(tmp_path / "out.csv")]) == CANNOT
    (error,) = capsys.readouterr().err.splitlines()
    assert "other.csv has no column of MD values of specific heat capacity" in error
    assert "at least 30 MD values to learn from, and there are 12" in error
    assert not (tmp_path / "out.csv").exists()


def test_a_table_with_neither_md_values_nor_repeat_units_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    measured, md = write_tables(tmp_path)
    other = tmp_path / "other.csv"
    other.write_text("id,density [g/cm3]\nA1,0.9\nA2,0.91\n", encoding="utf-8")
    words = ["predict", "--quiet", str(other), "--experiment", str(measured), "--md", str(md)]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == CANNOT
    (error,) = capsys.readouterr().err.splitlines()
    assert error.startswith("affinecal: other.csv has no column of MD values of specific heat capacity")
    assert error.endswith(
        "Nor can one be predicted for any of its polymers. A1: The table gives no repeat unit for it, and md.csv has none "
        "with its id."
    )


def test_a_study_that_shows_a_method_with_kernels_predicts_with_it(tmp_path: Path, new: Path) -> None:
    shown = replace(small_state().settings, methods=("direct", "affine_tl_const"), model="affine_tl_const")
    state = replace(small_state(), settings=replace(shown, sources=("density",)))
    study = tmp_path / "mine.affinecal"
    save_study(study, state, Derived(state=state))
    new.write_text(
        "name,smiles,Cp [J/(kg K)],density\nknown,*C(C*)CC,4458,0.84\nnone,*CC(*)F,2900,\n", encoding="utf-8"
    )
    assert (
        run_command(["predict", "--quiet", str(new), "--study", str(study), "--output", str(tmp_path / "a.csv")])
        == DONE
    )
    known, unknown = rows_of(tmp_path / "a.csv")
    assert known["model"] == "AffineTL-const"
    calibration = derive(state, small_result()).snapshot.calibration
    assert calibration is not None
    library = {round(md): number for number, md in enumerate(calibration.library_md)}
    expected = calibration.models["affine_tl_const"].library[library[4458]]
    assert float(known["calibrated value"]) == pytest.approx(float(expected), rel=1e-9)
    assert not unknown["calibrated value"]
    assert unknown["note"]


def test_what_belongs_to_tables_is_not_ignored_beside_a_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["fit", "--quiet", "--study", "mine.affinecal", "--value-column", "Cp", "--output", str(tmp_path / "out")]
    assert run_command(words) == CANNOT
    assert "give --study alone" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


MD_OF_IDS = """id,smiles,Cp [J/(kg K)]
PI1,*CCCC*,4699
PI 2,*CC(*)C,4332
pi_003,*CC(*)Cl,2500
PI4,*CC(*)O,3600
PI5,*CC(*)F,2900
PI6,*CCO*,4100
PI7,*CC(*)C#N,3300
PI7,*CC(*)c1ccccc1,3100
PI8,*CC(*)CC,4400
PI9,*CO*,3700
"""
MEASURED_OF_IDS = """id,Cp [J/(kg K)]
PI1,1900
PI2,1930
PI3,950
PI4,1600
PI5,1250
PI6,2000
PI8,1920
PI9,1450
"""


def test_polymers_with_an_id_alone_are_looked_up_in_the_md_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, text in (("m.csv", MD_OF_IDS), ("e.csv", MEASURED_OF_IDS), ("new.csv", "id\n003\nPI0006\nPI7\nPI99\n")):
        (tmp_path / name).write_text(text.replace("003", "PI-3", 1) if name == "new.csv" else text, encoding="utf-8")
    words = [str(tmp_path / "new.csv"), "--experiment", str(tmp_path / "e.csv"), "--md", str(tmp_path / "m.csv")]
    words += ["--calibrator", "ordinary", "--output", str(tmp_path / "out.csv")]
    assert run_command(["predict", "--quiet", *words]) == DONE
    found = rows_of(tmp_path / "out.csv")
    assert [(row["smiles"], row["MD value"]) for row in found] == [
        ("*CC(*)Cl", "2500"),
        ("*CCO*", "4100"),
        ("", ""),
        ("", ""),
    ]
    assert found[2]["note"] == "The table gives no repeat unit for it, and its id stands for 2 polymers in m.csv."
    assert found[3]["note"] == "The table gives no repeat unit for it, and m.csv has none with its id."
    assert "2 polymers of new.csv without a repeat unit have those that m.csv gives for their ids." in (
        capsys.readouterr().out
    )


def test_an_infinite_md_value_is_not_replaced_by_another_one(tmp_path: Path) -> None:
    measured, md = write_tables(tmp_path)
    new = tmp_path / "new.csv"
    new.write_text("smiles,Cp\n*CC(*)C,inf\n*CC(*)O,-inf\n*CCO*,Infinity\n*CC(*)Cl,∞\n*CC(*)F,2900\n", encoding="utf-8")
    words = ["predict", "--quiet", str(new), "--experiment", str(measured), "--md", str(md), "--calibrator", "ordinary"]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == DONE
    found = rows_of(tmp_path / "out.csv")
    assert [bool(row["calibrated value"]) for row in found] == [False, False, False, False, True]
    assert all("is not a number" in row["note"] for row in found[:4])
