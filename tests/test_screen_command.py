"""``affinecal screen``: every row of a library comes out once, with the values of ``apply``, whoever does the work."""

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import numpy as np
import pyarrow
import pyarrow.dataset
import pyarrow.parquet
import pytest

from affinecal_gui.calibration.sharing.with_training import TrainedCalibrator
from affinecal_gui.cli import CANNOT, DONE, run_command
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.study.calibrator_files.calibrator_file import open_calibrator, save_calibrator_file
from affinecal_gui.study.calibrator_files.making import calibrator_file_of
from affinecal_gui.study.describing.describing import describe_text
from affinecal_gui.study.describing.worker_pool import Failed
from affinecal_gui.task import Task
from affinecal_gui.tasks.predicting.applying import apply_file
from affinecal_gui.tasks.screening.engines import engines
from affinecal_gui.tasks.screening.engines.engines import LocalProcesses
from affinecal_gui.tasks.screening.engines.job import ScreeningJob
from affinecal_gui.tasks.screening.library import partitions
from affinecal_gui.tasks.screening.library.partitions import Partition
from affinecal_gui.tasks.screening.library.reading_rows import IN_WORDS, ReasonCode
from affinecal_gui.tasks.screening.results.so_far import FinishedPartition
from affinecal_gui.tasks.screening.screening import screen_library
from tests.predicting_calibrator import predicting_calibrator
from tests.screening_here import Here, contents_of
from tests.study.small_study import small_result

UNITS = ["*CC(*)CC", "*CCCC*", "*CC(*)F", "*CC(*)Br", "*CC(*)C#N", "*OCC*", "*CC*"]
BROKEN = {
    "*CC(,3.0": "invalid_repeat_unit",
    ",3.0": "no_polymer",
    "*CC(*)F,": "no_md_value",
    "*CC(*)F,soon": "md_not_read",
    "*CC(*)F,-3": "md_not_read",
    "*CC*,3.0,more,and more": "broken_row",
    "*CC(*)[Fe],3.0": "not_described",
}


@pytest.fixture(autouse=True)
def short_partitions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(partitions, "FEWEST_ROWS", 40)


@pytest.fixture(scope="module")
def calibrator(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("calibrator") / "Cp.affinecal-model"
    save_calibrator_file(path, calibrator_file_of(small_result(), "affine", "open"))
    return path


@pytest.fixture(scope="module")
def predicting(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("predicting") / "predicting.affinecal-model"
    save_calibrator_file(path, predicting_calibrator())
    return path


def write_library(path: Path, rows: int) -> Path:
    """Write a library in which every fifth row has something wrong with it, each in its own way."""
    wrong = list(BROKEN)
    lines = [
        f"P{row},{wrong[row // 5 % len(wrong)]}" if row % 5 == 0 else f"P{row},{UNITS[row % 7]},{2500 + row * 7 % 2000}"
        for row in range(1, rows + 1)
    ]
    path.write_text("\n".join(["id,smiles,Cp [J/(kg K)]", *lines, ""]), encoding="utf-8")
    return path


def test_polymers_without_md_values_are_calibrated_by_predicted_ones_and_that_is_said(
    tmp_path: Path, predicting: Path, calibrator: Path
) -> None:
    library = tmp_path / "library.csv"
    library.write_text(
        "id,smiles,Cp [J/(kg K)]\nA,*CCCO*,\nB,*CCCO*,3500\nC,*CC(,\nD,*CCS*,soon\nE,*CCCCO*,-\n", encoding="utf-8"
    )
    screen_library(library, [predicting], tmp_path / "out", engine=Here())
    found = rows_of(tmp_path / "out")
    assert [row["reason"] for row in found] == ["ok", "ok", "invalid_repeat_unit", "md_not_read", "ok"]
    assert [row["origin"] for row in found] == ["predicted md", "md", None, None, "predicted md"]
    opened = open_calibrator(predicting)
    assert isinstance(opened.calibrator, TrainedCalibrator)
    assert opened.simulated[:2] == ("*CO*", "*CS*")
    X = np.array([describe_text(text)[0] for text in ("*CCCO*", "*CCCCO*")])
    md, expected = opened.calibrator.apply_unsimulated(X)
    np.testing.assert_allclose([found[0]["md"], found[4]["md"]], md, rtol=1e-12)  # type: ignore[arg-type]
    for name in ("value", "lower", "upper"):
        np.testing.assert_allclose(
            [found[0][name], found[4][name]], getattr(expected, f"{name}s" if name == "value" else name)
        )
    # What is calibrated from MD values does not change because others can be predicted.
    screen_library(library, [calibrator], tmp_path / "plain", engine=Here())
    plain = rows_of(tmp_path / "plain")
    assert [row["reason"] for row in plain] == [
        "no_md_value",
        "ok",
        "invalid_repeat_unit",
        "md_not_read",
        "no_md_value",
    ]
    assert plain[1]["upper"] == pytest.approx(found[1]["upper"], rel=1e-12)
    library.write_text("smiles\n*CCCO*\n", encoding="utf-8")
    screen_library(library, [predicting], tmp_path / "texts", engine=Here())
    assert rows_of(tmp_path / "texts")[0]["value"] == pytest.approx(found[0]["value"], rel=1e-12)


def rows_of(folder: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = pyarrow.dataset.dataset(folder / "rows").to_table().sort_by("row").to_pylist()
    return found


def test_every_row_is_there_once_with_the_value_of_apply_or_its_reason(tmp_path: Path, calibrator: Path) -> None:
    library = write_library(tmp_path / "library.csv", 140)
    screen_library(library, [calibrator], tmp_path / "out", engine=Here())
    apply_file(calibrator, library, tmp_path / "applied.csv")
    with (tmp_path / "applied.csv").open(encoding="utf-8", newline="") as file:
        applied = {row["id"]: row for row in csv.DictReader(file)}
    found = rows_of(tmp_path / "out")
    assert [row["row"] for row in found] == list(range(1, 141))
    assert [row["id"] for row in found if row["reason"] != "broken_row"] == [
        f"P{row}" for row in range(1, 141) if found[row - 1]["reason"] != "broken_row"
    ]
    wrong = list(BROKEN.values())
    for number, row in enumerate(found, 1):
        expected = applied.get(str(row["id"]))
        if number % 5 == 0:
            assert row["reason"] == wrong[number // 5 % len(wrong)], row
            assert row["message"]
            assert row["value"] is None
            continue
        assert expected is not None
        if row["reason"] == "extrapolation":
            assert not expected["calibrated value"]
            continue
        assert (row["reason"], row["origin"]) == ("ok", "md")
        for own, other in (("value", "calibrated value"), ("lower", "lower"), ("upper", "upper"), ("md", "MD value")):
            assert row[own] == pytest.approx(float(expected[other]), rel=1e-12)
        assert row["inside_range"] == (expected["inside training range"] == "yes")
    assert sum(row["reason"] == "ok" for row in found) > 60


def test_the_best_rows_are_exact_and_the_summary_counts_every_row(tmp_path: Path, calibrator: Path) -> None:
    library = write_library(tmp_path / "library.csv", 92)  # three partitions
    screen_library(library, [calibrator], tmp_path / "out", top=20, engine=Here())
    found = rows_of(tmp_path / "out")
    for file, column in (("top_by_value.csv", "value"), ("top_by_lower_bound.csv", "lower")):
        known = [row for row in found if row[column] is not None]
        expected = sorted(known, key=lambda row: (-row[column], row["row"]))[:20]  # type: ignore[operator]
        with (tmp_path / "out" / file).open(encoding="utf-8", newline="") as opened:
            listed = list(csv.DictReader(opened))
        assert [int(row["row"]) for row in listed] == [row["row"] for row in expected]
        assert [float(row[column]) for row in listed] == [row[column] for row in expected]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    about = summary["properties"]["Cp"]
    assert summary["rows"] == 92 == sum(about["rows_by_reason"].values())
    assert set(about["rows_by_reason"]) >= {"ok", *BROKEN.values()}
    usable = about["rows_by_reason"]["ok"]
    assert sum(about["histogram"]["counts"]) == usable
    assert about["rows_by_origin"] == {"md": usable}
    manifest = json.loads((tmp_path / "out" / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["complete"]
    assert [(part["first_row"], part["rows"]) for part in manifest["partitions"]] == [(1, 40), (41, 40), (81, 12)]


def test_a_polymer_that_comes_again_is_told_however_it_is_written(tmp_path: Path, calibrator: Path) -> None:
    library = tmp_path / "library.csv"
    library.write_text(
        "id,smiles,Cp [J/(kg K)]\nA,*CC(*)C,4000\nB,*CC*,4100\nC,*C(C)C*,4000\nD,*CCCC*,4200\n", encoding="utf-8"
    )
    screen_library(library, [calibrator], tmp_path / "out", engine=Here())
    assert pyarrow.parquet.read_table(tmp_path / "out" / "duplicates.parquet").to_pylist() == [
        {"row": 3, "first_row": 1},
        {"row": 4, "first_row": 2},
    ]
    summary = json.loads((tmp_path / "out" / "summary.json").read_text(encoding="utf-8"))
    assert (summary["polymers"], summary["rows_whose_polymer_came_before"]) == (2, 2)


def test_the_bytes_are_the_same_for_any_number_of_processes_and_after_a_stop(tmp_path: Path, calibrator: Path) -> None:
    library = write_library(tmp_path / "library.csv", 92)
    screen_library(library, [calibrator], tmp_path / "here", engine=Here())
    expected = contents_of(tmp_path / "here")
    assert len(expected) == 8
    screen_library(library, [calibrator], tmp_path / "two", engine=LocalProcesses(2))
    assert contents_of(tmp_path / "two") == expected
    stopped = tmp_path / "stopped"
    with pytest.raises(Cancelled, match=r"finished partitions are kept: 1\. Add --resume"):
        screen_library(library, [calibrator], stopped, engine=Here(most=1))
    (stopped / "rows" / "part-000001.parquet").write_bytes(b"half")  # of a disk that lost it
    for folder in (stopped, stopped / "rows"):
        (folder / ".0123456789ab.part").write_bytes(b"half")  # of a run that was killed while it wrote
    with pytest.raises(UserError, match="Add --resume to continue it, or --overwrite to begin anew"):
        screen_library(library, [calibrator], stopped, engine=Here())
    going_on = Here()
    screen_library(library, [calibrator], stopped, engine=going_on, resume=True)
    assert going_on.done == [1, 2]
    assert contents_of(stopped) == expected


def test_what_cannot_be_written_at_the_end_leaves_the_partitions_and_says_how_to_go_on(
    tmp_path: Path, calibrator: Path
) -> None:
    library, output = write_library(tmp_path / "library.csv", 92), tmp_path / "out"
    screen_library(library, [calibrator], tmp_path / "expected", engine=Here())

    def in_the_way(_: FinishedPartition) -> None:
        (output / "summary.json").mkdir(exist_ok=True)

    with pytest.raises(UserError, match=r"is a folder.*\. Finished partitions are kept: 3; --resume continues\."):
        screen_library(library, [calibrator], output, engine=Here(), watch=in_the_way)
    (output / "summary.json").rmdir()
    screen_library(library, [calibrator], output, engine=Here(most=0), resume=True)
    assert contents_of(output) == contents_of(tmp_path / "expected")


class Dying(Here):
    """The process of a partition ends as long as a certain polymer is described in it."""

    def run(
        self, job: ScreeningJob, parts: Iterator[Partition], *, task: Task
    ) -> Iterator[tuple[Partition, bytes | Failed]]:
        for one, _ in super().run(job, parts, task=task):
            yield one, Failed(took_too_long=False, detail="signal SIGKILL")


def test_a_partition_that_ends_every_process_is_said_and_what_is_finished_is_kept(
    tmp_path: Path, calibrator: Path
) -> None:
    library = write_library(tmp_path / "library.csv", 20)
    with pytest.raises(UserError, match=r"Rows 1 to 20 cannot be screened.*SIGKILL.*--resume continues"):
        screen_library(library, [calibrator], tmp_path / "out", engine=Dying())
    screen_library(library, [calibrator], tmp_path / "out", engine=Here(), resume=True)
    assert len(rows_of(tmp_path / "out")) == 20


def test_a_partition_of_polymers_that_are_all_slow_is_looked_at_and_then_given_its_time(
    tmp_path: Path, calibrator: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = write_library(tmp_path / "library.csv", 20)
    screen_library(library, [calibrator], tmp_path / "here", engine=Here())
    monkeypatch.setattr(engines, "LEAST_SECONDS", 1e-3)
    monkeypatch.setattr(engines, "SECONDS_PER_ROW", 1e-6)
    screen_library(library, [calibrator], tmp_path / "slow", engine=LocalProcesses())
    assert contents_of(tmp_path / "slow") == contents_of(tmp_path / "here")


def test_rows_of_a_table_below_are_not_taken_for_values(tmp_path: Path, calibrator: Path) -> None:
    library = tmp_path / "library.csv"
    rows = [f"P{row},{UNITS[row % 7]},{3000 + 9 * row}" for row in range(70)]
    library.write_text(
        "\n".join(["id,smiles,Cp [J/(kg K)]", *rows[:35], "id,smiles,density [g/cm3]", *rows[35:], ""]),
        encoding="utf-8",
    )
    screen_library(library, [calibrator], tmp_path / "out", engine=Here())
    found = rows_of(tmp_path / "out")
    assert len(found) == 71
    assert all(row["reason"] in ("ok", "extrapolation") for row in found[:35])
    assert {(row["reason"], row["value"]) for row in found[35:]} <= {("broken_row", None), ("no_polymer", None)}


@pytest.mark.parametrize("kind", ["gz", "zst", "tsv", "parquet"])
def test_a_library_may_be_packed_or_a_folder_of_parquet_files(tmp_path: Path, calibrator: Path, kind: str) -> None:
    plain = write_library(tmp_path / "library.csv", 33)
    screen_library(plain, [calibrator], tmp_path / "plain", engine=Here())
    text = plain.read_bytes()
    other = tmp_path / f"other.csv.{kind}"
    if kind == "gz":
        other.write_bytes(gzip.compress(text))
    elif kind == "zst":
        other.write_bytes(pyarrow.compress(text, codec="zstd", asbytes=True))
    elif kind == "tsv":
        other.write_bytes(text.replace(b",", b"\t"))
    else:
        other.mkdir()
        rows = [line.split(",")[:3] for line in text.decode().splitlines()[1:]]
        for number, part in enumerate((rows[:20], rows[20:])):
            columns = list(zip(*part, strict=True))
            names = ["id", "smiles", "Cp [J/(kg K)]"]
            table = pyarrow.table(dict(zip(names, map(list, columns), strict=True)))
            pyarrow.parquet.write_table(table.select(names[::-1] if number else names), other / f"{number}.parquet")
    screen_library(other, [calibrator], tmp_path / "other", engine=Here())

    def told(folder: Path) -> list[object]:
        return [
            tuple(row[name] for name in ("row", "smiles", "value", "lower", "reason"))
            for row in rows_of(folder)
            if row["reason"] != "broken_row" and row["row"] != 25  # which has too many cells, as no row of Parquet has
        ]

    assert told(tmp_path / "other") == told(tmp_path / "plain")


def test_files_of_one_library_need_the_same_columns(tmp_path: Path, calibrator: Path) -> None:
    folder = tmp_path / "library"
    folder.mkdir()
    pyarrow.parquet.write_table(pyarrow.table({"smiles": ["*CC*"], "Cp": [4000.0]}), folder / "a.parquet")
    pyarrow.parquet.write_table(pyarrow.table({"smiles": ["*CC*"], "density": [1.0]}), folder / "b.parquet")
    with pytest.raises(UserError, match=r"b\.parquet has no column “Cp”, which a\.parquet has"):
        screen_library(folder, [calibrator], tmp_path / "out", engine=Here())
    assert not (tmp_path / "out").exists()


def test_units_in_the_fields_of_a_library_count_and_are_those_of_all_its_files(
    tmp_path: Path, calibrator: Path
) -> None:
    def write(name: str, heading: str, values: list[float], unit: str = "") -> Path:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        field = pyarrow.field(heading, pyarrow.float64(), metadata={"unit": unit} if unit else None)
        schema = pyarrow.schema([pyarrow.field("smiles", pyarrow.string()), field])
        pyarrow.parquet.write_table(
            pyarrow.table({"smiles": ["*CC*", "*CCO*"], heading: values}, schema), tmp_path / name
        )
        return (tmp_path / name).parent

    named = write("named/a.parquet", "Cp [J/(kg K)]", [4000.0, 3000.0])
    stated = write("stated/a.parquet", "Cp", [4.0, 3.0], "kJ/(kg K)")
    for folder, out in ((named, "out"), (stated, "other")):
        screen_library(folder, [calibrator], tmp_path / out, engine=Here())
    expected, found = ([row["value"] for row in rows_of(tmp_path / out)] for out in ("out", "other"))
    assert found == pytest.approx(expected)
    write("stated/b.parquet", "Cp", [4000.0, 3000.0], "J/(kg K)")
    with pytest.raises(UserError, match=r"b\.parquet states another unit of “Cp” than a\.parquet"):
        screen_library(stated, [calibrator], tmp_path / "third", engine=Here())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing.csv"], "There is no file nothing.csv"),
        (["library.csv", "--calibrator", "twice.affinecal-model"], "both calibrate specific heat capacity"),
        (["names.csv"], "has no column of repeat units"),
        (
            ["density.csv"],
            "has no column of MD values of specific heat capacity, and Cp.affinecal-model cannot predict any",
        ),
        (["empty"], "is a folder without Parquet files"),
        (["library.csv", "--jobs", "0"], ""),
    ],
)
def test_what_cannot_be_screened_is_said_in_one_sentence_and_leaves_nothing(
    tmp_path: Path,
    calibrator: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    write_library(tmp_path / "library.csv", 5)
    Path("names.csv").write_text("name,Cp [J/(kg K)]\nnylon,3000\n", encoding="utf-8")
    Path("density.csv").write_text("smiles,density [g/cm3]\n*CC*,0.9\n", encoding="utf-8")
    Path("empty").mkdir()
    Path("twice.affinecal-model").write_bytes(calibrator.read_bytes())
    command = ["screen", "--quiet", *words, "--calibrator", str(calibrator), "--output", "out"]
    if not said:
        with pytest.raises(SystemExit):
            run_command(command)
        return
    assert run_command(command) == CANNOT
    error = capsys.readouterr().err
    assert said in error
    assert error.count("\n") == 1
    assert not Path("out").exists()


def test_the_command_says_what_became_of_the_rows(
    tmp_path: Path, calibrator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = write_library(tmp_path / "library.csv", 35)
    command = ["screen", "--quiet", str(library), "--calibrator", str(calibrator), "--output", str(tmp_path / "out")]
    assert run_command(command) == DONE
    said = capsys.readouterr().out
    assert "of 35 rows have a calibrated value of specific heat capacity." in said
    assert "2 have none: the MD value is no number (md_not_read). The first: “soon” is not a number." in said
    assert run_command(command) == CANNOT
    assert "holds this very screening already" in capsys.readouterr().err
    write_library(library, 36)
    assert run_command([*command, "--resume"]) == CANNOT
    assert "made from another library" in capsys.readouterr().err
    assert run_command([*command, "--overwrite"]) == DONE
    assert len(rows_of(tmp_path / "out")) == 36


@pytest.mark.parametrize(
    ("headings", "unused"),
    [
        ("smiles", ""),
        ("smiles,density [g/cm3]", "; “density [g/cm3]” is not used"),
        ("smiles,heat capcity MD", "; “heat capcity MD” is not used"),
        ("smiles,density [g/cm3],tg [K]", "; “density [g/cm3]”, “tg [K]” are not used"),
    ],
)
def test_the_command_says_when_it_predicts_md_values_and_which_columns_it_does_not_use(
    tmp_path: Path, predicting: Path, capsys: pytest.CaptureFixture[str], headings: str, unused: str
) -> None:
    library = tmp_path / "library.csv"
    values = ["400"] * headings.count(",")
    library.write_text("\n".join([headings, *(",".join([unit, *values]) for unit in ("*CCCO*", "*CCCCO*")), ""]))
    command = ["screen", "--quiet", str(library), "--calibrator", str(predicting), "--output", str(tmp_path / "out")]
    assert run_command(command) == DONE
    said = capsys.readouterr().out
    assert "2 of them rest on an MD value that is predicted from the repeat unit." in said
    assert f"library.csv has no column of MD values of specific heat capacity{unused}." in said


def test_values_do_not_depend_on_how_a_library_is_divided(tmp_path: Path, calibrator: Path) -> None:
    library = write_library(tmp_path / "library.csv", 60)
    screen_library(library, [calibrator], tmp_path / "all", engine=Here())
    lines = library.read_text(encoding="utf-8").splitlines()
    library.write_text("\n".join([lines[0], *lines[31:], ""]), encoding="utf-8")
    screen_library(library, [calibrator], tmp_path / "rest", engine=Here())
    whole, rest = rows_of(tmp_path / "all")[30:], rows_of(tmp_path / "rest")
    assert [row["reason"] for row in rest] == [row["reason"] for row in whole]
    one, other = (np.array([row["upper"] for row in rows if row["upper"] is not None]) for rows in (rest, whole))
    np.testing.assert_allclose(one, other, rtol=1e-12)
    assert open_calibrator(calibrator).facts.quantity.key == "Cp"


def test_wishes_rank_by_the_probability_that_they_are_met_and_goals_turn_a_ranking(
    tmp_path: Path, predicting: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    library = tmp_path / "library.csv"
    rows = [f"{text},{md}" for text, md in zip(UNITS, ("4000", "", "3000", "2000", "", "3500", "4699"), strict=True)]
    library.write_text("\n".join(["smiles,Cp [J/(kg K)]", *rows, "*CC(,1", ""]), encoding="utf-8")
    words = ["screen", "--quiet", str(library), "--calibrator", str(predicting), "--output", str(tmp_path / "out")]
    assert run_command([*words, "--where", "Cp > 1.5 kJ/(kg K) and Cp as low as possible"]) == DONE
    found = rows_of(tmp_path / "out")
    known = {row["row"]: row["probability"] for row in found if row["probability"] is not None}
    assert known.keys() == {row["row"] for row in found if row["value"] is not None}
    for row in found:
        if row["value"] is not None:
            # One of two wide intervals lies below the bound where the value does, and the other way round.
            assert (row["probability"] > 0.5) == (row["value"] > 1500) or 0.2 < row["probability"] < 0.8  # type: ignore[operator]
    for file, order in (
        ("top_by_probability.csv", sorted(known, key=lambda row: (-known[row], row))),  # type: ignore[operator,arg-type]
        ("top_by_value.csv", sorted(known, key=lambda row: (found[row - 1]["value"], row))),  # type: ignore[operator,arg-type]
        ("top_by_upper_bound.csv", sorted(known, key=lambda row: (found[row - 1]["upper"], row))),  # type: ignore[operator,arg-type]
    ):
        with (tmp_path / "out" / file).open(encoding="utf-8", newline="") as opened:
            assert [int(row["row"]) for row in csv.DictReader(opened)] == order, file
    assert [row["known"] for row in found] == [None, "measured", None, None, None, "simulated", "measured", None]
    assert "1 of these is a polymer that the calibrator was trained with" in capsys.readouterr().out
    assert run_command([*words, "--where", "Tg > 3", "--overwrite"]) == CANNOT
    assert "--where: no calibrator is of “Tg”" in capsys.readouterr().err


def test_values_of_simulations_that_failed_their_own_check_are_not_used(tmp_path: Path, calibrator: Path) -> None:
    library = tmp_path / "runs.csv"
    lines = ["id,smiles,Cp [J/(kg K)],check_eq,remarks", "P1,*CCCO*,3500,True,", "P2,*CCCCO*,3400,False,"]
    library.write_text("\n".join([*lines, "P3,*CCS*,3300,True,", "P4,*CCCS*,-9999,True,", ""]), "utf-8")
    told = screen_library(library, [calibrator], tmp_path / "out", engine=Here())
    found = rows_of(tmp_path / "out")
    assert [row["value"] is None for row in found] == [False, True, False, True]
    assert (found[1]["id"], found[1]["reason"]) == ("P2", "md_not_usable")
    assert "check_eq" in str(found[1]["message"])
    assert found[3]["reason"] in ("md_not_usable", "no_md_value", "md_not_read")
    told += apply_file(calibrator, library, tmp_path / "applied.csv")
    # Neither has a window, nor an option to use them all the same.
    assert "runs.csv: set aside 1 result, which did not reach equilibrium (P2)." in told
    assert not any("Review" in line or "--use-flagged" in line for line in told)
    with (tmp_path / "applied.csv").open(encoding="utf-8", newline="") as file:
        applied = {row["id"]: row["calibrated value"] for row in csv.DictReader(file)}
    assert [bool(applied.get(f"P{number}")) for number in range(1, 5)] == [True, False, True, False]


def test_every_reason_has_its_words() -> None:
    assert set(IN_WORDS) == {*get_args(ReasonCode)} - {"ok"}
