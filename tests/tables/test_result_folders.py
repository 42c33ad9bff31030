"""Folders of RadonPy results: the latest of each, repeats with their spread, and what failed its own check."""

import os
import time
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.flagged_runs import used_reasons
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.simulation_jobs import JOB_COLUMNS
from affinecal_gui.tables.simulations.reasons import REASONS
from affinecal_gui.tables.text.options import ReadOptions
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.radonpy_folders import write_result

PE, PP, PS = "*CC*", "*C(C*)C", "*C(C*)c1ccccc1"


def cell(raw: RawTable, heading: str, row: int = 0) -> str:
    return raw.column(heading)[row]


def table_of(raw: RawTable) -> PolymerTable:
    return to_polymer_table(raw, guess_roles(raw))


def test_results_at_any_depth_become_a_table_that_needs_no_question(tmp_path: Path) -> None:
    write_result(tmp_path, "PI1")
    write_result(tmp_path, "batch/2026/PI2", smiles_list=PP, density="0.90")
    raw = read_table(tmp_path)
    assert guess_roles(raw).questions == ()
    table = table_of(raw)
    assert (table.ids, table.smiles) == (("PI1", "PI2"), (PE, PP))
    assert table.values[("md", "density")].values.tolist() == [0.85, 0.90]
    # RadonPy gives moduli in Pa.
    assert table.values[("md", "bulk_modulus")].values.tolist() == [2.0, 2.0]
    assert table.temperature is not None
    assert table.temperature.tolist() == [300.0, 300.0]
    assert not table.again


@pytest.mark.parametrize("earlier", ["results_2025-12-31-9-5-0.csv", "results.csv_2025-12-31-09-05-00.csv"])
def test_earlier_results_beside_the_latest_are_not_used(tmp_path: Path, earlier: str) -> None:
    write_result(tmp_path, "PI1", earlier, density="0.10")
    write_result(tmp_path, "PI1", density="0.85")
    assert list(read_table(tmp_path).column("density")) == ["0.85"]


def test_where_only_earlier_results_are_left_the_newest_is_used(tmp_path: Path) -> None:
    write_result(tmp_path, "PI1", "results_2026-2-1-0-0-0.csv", density="0.84")
    write_result(tmp_path, "PI1", "results_2025-12-31-9-5-0.csv", density="0.80")
    assert list(read_table(tmp_path).column("density")) == ["0.84"]


def test_repeats_are_combined_with_the_spread_of_a_sample(tmp_path: Path) -> None:
    for number, density in enumerate(("0.83", "0.85", "0.87")):
        write_result(tmp_path, f"run{number}/PI1", density=density)
    raw = read_table(tmp_path)
    assert float(cell(raw, "density")) == pytest.approx(0.85, abs=1e-12)
    assert float(cell(raw, "density_std")) == pytest.approx(0.02, abs=1e-12)  # by hand: sqrt((0.02² + 0.02²) / 2)
    assert cell(raw, "density_count") == "3"
    density = table_of(raw).values[("md", "density")]
    assert density.uncertainty[0] == pytest.approx(0.02)
    assert density.repeats is not None
    assert density.repeats.tolist() == [3.0]


def test_a_copy_of_a_result_counts_once_and_is_told(tmp_path: Path) -> None:
    for folder in ("a/PI1", "b/PI1"):
        write_result(tmp_path, folder)
    raw = read_table(tmp_path)
    assert cell(raw, "density_count") == "1"
    assert any("b/PI1/analyze/results.csv" in note and "counted once" in note for note in raw.notes)


@pytest.mark.parametrize(
    ("condition", "other"), [("tacticity", "isotactic"), ("temp", "350.0"), ("press", "10.0"), ("forcefield", "GAFF2")]
)
def test_runs_under_other_conditions_stay_apart(tmp_path: Path, condition: str, other: str) -> None:
    write_result(tmp_path, "PI1")
    write_result(tmp_path, "PI1b", **{condition: other})
    raw = read_table(tmp_path)
    assert list(raw.column("density_count")) == ["1", "1"]


def test_300_and_300_point_0_kelvin_are_one_condition(tmp_path: Path) -> None:
    write_result(tmp_path, "a/PI1", temp="300")
    write_result(tmp_path, "b/PI1", temp="300.0")
    assert list(read_table(tmp_path).column("density_count")) == ["2"]


@pytest.mark.parametrize(
    ("cells", "reason"),
    [
        ({"check_eq": "False"}, "not-equilibrated"),
        ({"check_eq": "", "remarks": "[ERROR: Did not reach an equilibrium state.]"}, "not-equilibrated"),
        ({"nematic_order_parameter": "0.1"}, "oriented"),
        ({"remarks": "[ERROR: The system is partially oriented.]", "do_TC": "False"}, "oriented"),
        ({"remarks": "[ERROR: Can not assign force field parameters.]"}, "other-error"),
    ],
)
def test_no_value_of_a_run_that_failed_is_used_unasked(tmp_path: Path, cells: dict[str, str], reason: str) -> None:
    write_result(tmp_path, "PI1")
    write_result(tmp_path, "PI2", smiles_list=PP, **cells)
    raw = read_table(tmp_path)
    for heading in ("density", "Cp", "thermal_conductivity"):
        assert cell(raw, heading, 1) == ""
    assert any(f"--use-flagged {reason}" in note and "PI2" in note for note in raw.notes)
    table = table_of(raw)
    assert table.ids == ("PI1",)
    assert [problem.line for problem in table.problems if problem.rejects_row] == [2]
    assert [job.cells[JOB_COLUMNS.index("DBID")] for job in table.again] == ["PI2"]
    assert table.again[0].cells[JOB_COLUMNS.index("smiles_list")] == PP
    # With the user's yes they are used, and that is said.
    used = read_table(tmp_path, ReadOptions(use_flagged=(reason,)))
    assert cell(used, "density", 1) == "0.85"
    assert any("as you said" in note for note in used.notes)


@pytest.mark.parametrize(("flag", "reason"), [("check_tc", "conductivity-check"), ("do_TC", "no-conductivity")])
def test_the_checks_of_the_conductivity_concern_it_alone(tmp_path: Path, flag: str, reason: str) -> None:
    write_result(tmp_path, "PI1", thermal_diffusivity="1.1e-7", **{flag: "False"})
    raw = read_table(tmp_path)
    assert cell(raw, "density") == "0.85"
    assert (cell(raw, "thermal_conductivity"), cell(raw, "thermal_diffusivity")) == ("", "")
    assert any(f"--use-flagged {reason}" in note for note in raw.notes)
    column = table_of(raw).values[("md", "thermal_conductivity")]
    assert np.isnan(column.values[0])
    assert flag in column.problems[0].reason


def test_a_failed_check_without_a_conductivity_sets_nothing_aside(tmp_path: Path) -> None:
    write_result(tmp_path, "PI1", do_TC="False", check_tc="False", thermal_conductivity="")
    raw = read_table(tmp_path)
    assert (raw.set_aside, raw.notes) == ((), ())


def test_one_reason_waved_through_leaves_the_others_aside(tmp_path: Path) -> None:
    write_result(tmp_path, "PI1", check_eq="False", nematic_order_parameter="0.3")
    write_result(tmp_path, "PI2", smiles_list=PP, check_eq="False")
    raw = read_table(tmp_path, ReadOptions(use_flagged=("not-equilibrated",)))
    assert list(raw.column("density")) == ["", "0.85"]
    assert list(read_table(tmp_path, ReadOptions(use_flagged=REASONS)).column("density")) == ["0.85", "0.85"]


def test_a_failed_run_among_sound_ones_is_left_out_of_their_mean_and_not_run_again(tmp_path: Path) -> None:
    write_result(tmp_path, "a/PI1", density="0.85")
    write_result(tmp_path, "b/PI1", density="0.60", check_eq="False")
    raw = read_table(tmp_path)
    assert (cell(raw, "density"), cell(raw, "density_count")) == ("0.85", "1")
    assert not raw.again
    assert any("did not reach equilibrium" in note for note in raw.notes)


@pytest.mark.parametrize(("mark", "word"), [("-9999", "failed"), ("-9999.0", "failed"), ("0", "end"), ("0.0", "end")])
def test_marks_of_failed_and_pending_runs_are_no_values_whatever_the_user_allows(
    tmp_path: Path, mark: str, word: str
) -> None:
    write_result(tmp_path, "PI1", density=mark)
    raw = read_table(tmp_path, ReadOptions(use_flagged=REASONS))
    assert (cell(raw, "density"), cell(raw, "Cp")) == ("", "4600.0")
    assert word in raw.set_aside[0].reason


@pytest.mark.parametrize(
    ("heading", "text"),
    [("tg", "1.08e6"), ("thermal_conductivity", "43.4"), ("bulk_modulus", "-2e9"), ("refractive_index", "31")],
)
def test_impossible_values_are_set_aside_and_the_rest_of_the_run_is_used(
    tmp_path: Path, heading: str, text: str
) -> None:
    write_result(tmp_path, "PI1", **{heading: text})
    raw = read_table(tmp_path)
    assert (cell(raw, heading), cell(raw, "density")) == ("", "0.85")
    assert any("impossible" in note for note in raw.notes)


def test_a_copolymer_becomes_a_composition(tmp_path: Path) -> None:
    write_result(tmp_path, "CO1", smiles_list=f"{PE},{PS}", copoly_ratio_list="0.7,0.3", copoly_type="random")
    raw = read_table(tmp_path)
    assert cell(raw, "smiles") == f"{PE}|{PS}|0.7|0.3"
    assert table_of(raw).row_count == 1


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "empty"),
        (b"DBID,smiles_list,density\n", "no row"),
        (b"DBID,smiles_list,density\nPI2,*CC*", "2 cells under 3 headings"),
        (b'DBID,smiles_list,density\nPI2,"*C', "quoted cell"),
        (b"\x89PNG\x00\x01", "damaged"),
        (b"DBID,smiles_list\nPI2,\x00", "damaged"),
        (b"name,price\nscrew,2\n", "no column of RadonPy"),
        (b"DBID,smiles_list\nPI2," + b"C" * (5 << 20), "more than 4 MB"),
    ],
    ids=["empty", "no row", "cut", "cut in quotes", "image", "zero byte", "another table", "huge"],
)
def test_a_broken_result_is_told_with_its_path_and_the_rest_goes_on(tmp_path: Path, content: bytes, said: str) -> None:
    write_result(tmp_path, "PI1")
    broken = tmp_path / "deep" / "PI2" / "analyze" / "results.csv"
    broken.parent.mkdir(parents=True)
    broken.write_bytes(content)
    raw = read_table(tmp_path)
    assert list(raw.column("id")) == ["PI1"]
    assert [note for note in raw.notes if "deep/PI2/analyze/results.csv" in note and said in note]


def test_a_number_that_may_lack_its_last_digits_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "PI1" / "analyze"
    folder.mkdir(parents=True)
    (folder / "results.csv").write_text("DBID,smiles_list,Cp,density\nPI1,*CC*,4600.0,0.8")
    raw = read_table(tmp_path)
    assert (cell(raw, "Cp"), cell(raw, "density")) == ("4600.0", "")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_links_are_not_followed_out_of_the_folder(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    write_result(inside, "PI1")
    file = write_result(outside, "PI2", smiles_list=PP)
    (inside / "linked").symlink_to(outside)
    (inside / "PI3" / "analyze").mkdir(parents=True)
    (inside / "PI3" / "analyze" / "results.csv").symlink_to(file)
    (inside / "loop").symlink_to(inside)
    raw = read_table(inside)
    assert list(raw.column("id")) == ["PI1"]
    assert any("PI3/analyze/results.csv is a link" in note for note in raw.notes)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
def test_a_pipe_in_the_place_of_a_result_is_not_waited_for(tmp_path: Path) -> None:
    write_result(tmp_path, "PI1")
    (tmp_path / "PI2" / "analyze").mkdir(parents=True)
    os.mkfifo(tmp_path / "PI2" / "analyze" / "results.csv")
    raw = read_table(tmp_path)
    assert list(raw.column("id")) == ["PI1"]
    assert any("PI2/analyze/results.csv is not a file" in note for note in raw.notes)


@pytest.mark.parametrize(
    ("broken", "told"), [(1, "It is left out. Name"), (2, "It is left out. Nor can 1 more be read. Name")]
)
def test_a_folder_of_broken_results_alone_does_not_say_that_others_are_read(
    tmp_path: Path, broken: int, told: str
) -> None:
    for number in range(broken):
        (tmp_path / f"PI{number}" / "analyze").mkdir(parents=True)
        (tmp_path / f"PI{number}" / "analyze" / "results.csv").touch()
    with pytest.raises(TableError, match=rf"PI0/analyze/results\.csv is empty.*{told}"):
        read_table(tmp_path)


def test_a_folder_without_results_says_what_is_looked_for(tmp_path: Path) -> None:
    (tmp_path / "PI1").mkdir()
    with pytest.raises(TableError, match=r"without a result of RadonPy.*ID/analyze/results\.csv"):
        read_table(tmp_path)


def test_a_thousand_results_are_read_within_ten_seconds(tmp_path: Path) -> None:
    units = [f"*C(C*){'C' * (number % 40)}" for number in range(1000)]
    for number, unit in enumerate(units):
        write_result(tmp_path, f"PI{number}", smiles_list=unit, density=str(0.8 + number / 10_000))
    started = time.process_time()
    raw = read_table(tmp_path)
    assert time.process_time() - started < 10
    assert raw.row_count == 40
    assert sum(map(int, raw.column("density_count"))) == 1000


@pytest.mark.peer
@pytest.mark.filterwarnings("ignore")
def test_what_the_helper_of_radonpy_writes_is_read_and_its_jobs_are_read_by_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = pytest.importorskip("radonpy.sim.helper")
    monkeypatch.chdir(tmp_path)
    for job, unit, sound in (("PI1", PE, True), ("PI2", PP, False)):
        monkeypatch.setenv("RadonPy_DBID", job)
        monkeypatch.setenv("RadonPy_SMILES", unit)
        pipeline = helper.Pipeline_Helper()
        pipeline.to_csv()  # what is written before the run
        pipeline.update(check_eq=sound, do_TC=sound, density=0.85, nematic_order_parameter=0.02)
        pipeline.to_csv()
    raw = read_table(tmp_path)
    assert dict(zip(raw.column("id"), raw.column("density"), strict=True)) == {"PI1": "0.85", "PI2": ""}
    (job_to_run,) = raw.again
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([job_to_run.cells], columns=JOB_COLUMNS).set_index("DBID")
    frame.to_csv(tmp_path / "PI2" / "analyze" / "input_data.csv")
    read = helper.Pipeline_Helper(read_csv="input_data.csv")
    assert (read.data["DBID"], read.data["smiles_list"], read.data["temp"]) == ("PI2", PP, 300.0)


def test_what_failed_a_check_is_counted_by_reason_and_so_is_what_is_used_all_the_same(tmp_path: Path) -> None:
    for number in range(7):
        write_result(tmp_path, f"P{number}", check_eq="False")
    write_result(tmp_path, "sound")
    write_result(tmp_path, "oriented", nematic_order_parameter="0.5")
    unasked, asked = (
        table_of(read_table(tmp_path, ReadOptions(use_flagged=use))).flagged for use in (None, ("not-equilibrated",))
    )
    assert [(one.reason, one.set_aside, one.used) for one in unasked] == [
        ("not-equilibrated", 7, 0),
        ("oriented", 1, 0),
    ]
    assert unasked[0].examples == ("P0", "P1", "P2", "P3", "P4")
    counted = {one.reason: (one.set_aside, one.used > 0) for one in asked}
    assert counted == {"not-equilibrated": (0, True), "oriented": (1, False)}
    assert (used_reasons(unasked), used_reasons(asked)) == ((), ("not-equilibrated",))


@pytest.mark.parametrize("text", ["Failed", "0,85", "0.85 g/cm3", "inf"])
def test_what_is_no_number_is_told_and_listed_to_simulate_again(tmp_path: Path, text: str) -> None:
    write_result(tmp_path, "PI1", density=text)
    raw = read_table(tmp_path)
    assert cell(raw, "density") == ""
    assert any("no number (PI1)" in note for note in raw.notes)
    assert [job.cells[0] for job in raw.again] == ["PI1"]


def test_links_that_lead_out_of_the_folder_are_told_and_loops_are_not(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    write_result(runs, "PI1")
    write_result(tmp_path / "scratch", "PI2")
    (runs / "batch").symlink_to(tmp_path / "scratch", target_is_directory=True)
    (runs / "loop").symlink_to(runs, target_is_directory=True)
    (runs / "itself").symlink_to(runs / "itself")
    raw = read_table(runs)
    assert list(raw.column("id")) == ["PI1"]
    assert [note for note in raw.notes if "link" in note] == ["runs: batch is a link, which is not followed."]
