"""A folder of RadonPy results is a table of MD values: the latest result of each run, repeats combined, failures told."""

import csv
import statistics
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.reading import read_table

FINE = {
    "DBID": "", "monomer_ID": "", "smiles_list": "", "smiles_1": "", "smiles_2": "", "tacticity": "atactic",
    "temp": "300.0", "press": "1.0", "DP": "10", "n_mol": "10", "forcefield": "GAFF2_mod", "check_eq": "True",
    "check_tc": "True", "do_TC": "True", "remarks": "", "RadonPy_ver": "0.2.11", "density": "1.0", "Cp": "2500.0",
    "thermal_conductivity": "0.2", "nematic_order_parameter": "0.02",
}  # fmt: skip


def write_run(folder: Path, name: str, smiles: str, **changes: str) -> Path:
    """Write the results of one run as RadonPy does: one row, with its index in an unnamed first column."""
    analyze = folder / name / "analyze"
    analyze.mkdir(parents=True)
    row = FINE | {"DBID": name, "smiles_list": smiles, "smiles_1": smiles} | changes
    with (analyze / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["", *row])
        writer.writerow(["0", *row.values()])
    return analyze / "results.csv"


def test_each_polymer_is_a_row_with_its_latest_result(tmp_path: Path) -> None:
    write_run(tmp_path, "P1", "*CC*")
    write_run(tmp_path / "second" / "batch", "P2", "*CC(*)C", density="0.9")
    (tmp_path / "P1" / "analyze" / "results_2025-01-01-00-00-00.csv").write_text("density\n7\n", encoding="utf-8")
    table = read_table(tmp_path)
    assert list(table.column("monomer_ID")) == ["P1", "P2"]
    assert list(table.column("smiles")) == ["*CC*", "*CC(*)C"]
    assert [float(cell) for cell in table.column("density")] == [1.0, 0.9]
    assert {"DP", "n_mol", "forcefield", "check_eq", "nematic_order_parameter"}.isdisjoint(table.headings)
    assert table.notes == ("2 results of RadonPy were read, of 2 polymers.",)


def test_repeats_are_combined_with_their_spread(tmp_path: Path) -> None:
    values = (0.20, 0.24, 0.19)
    for number, value in enumerate(values):
        write_run(tmp_path, f"P1_{number}", "*CC*", thermal_conductivity=str(value))
    write_run(tmp_path, "P1_hot", "*CC*", temp="400.0")
    write_run(tmp_path, "P1_iso", "*CC*", tacticity="isotactic")
    table = read_table(tmp_path)
    assert table.row_count == 3  # other conditions and other tacticities are not repeats
    assert float(table.column("thermal_conductivity")[0]) == pytest.approx(statistics.fmean(values))
    assert float(table.column("thermal_conductivity_std")[0]) == pytest.approx(statistics.stdev(values))
    assert list(table.column("thermal_conductivity_count")) == ["3", "1", "1"]
    assert table.notes[0].startswith("5 results of RadonPy were read, of 3 polymers; of 1 of them there are repeats")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"check_eq": "False"}, "1 run did not reach equilibrium: not used (bad)."),
        (
            {"remarks": "[ERROR: Did not reach an equilibrium state.]"},
            "1 run did not reach equilibrium: not used (bad).",
        ),
        ({"nematic_order_parameter": "0.1"}, "1 run is partially oriented, not amorphous: not used (bad)."),
        (
            {"remarks": "[ERROR: The system is partially oriented.]"},
            "1 run is partially oriented, not amorphous: not used (bad).",
        ),
        ({"smiles_1": "", "smiles_list": ""}, "1 run names no repeat unit: not used (bad)."),
        ({"smiles_2": "*CO*"}, "1 run is a copolymer, which folders are not read for: not used (bad)."),
    ],
)
def test_a_run_that_failed_is_left_out_with_the_reason(tmp_path: Path, changes: dict[str, str], told: str) -> None:
    write_run(tmp_path, "good", "*CC*")
    write_run(tmp_path, "bad", "*CC*", density="9.9", **changes)
    table = read_table(tmp_path)
    assert list(table.column("density")) == ["1.0"]
    assert table.notes[1:] == (told,)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"check_tc": "False"}, "1 run failed its own check of thermal_conductivity"),
        ({"do_TC": "False"}, "1 run failed its own check of thermal_conductivity"),
        ({"thermal_conductivity": "-9999"}, "1 run has a value that failed (thermal_conductivity)"),
        ({"thermal_conductivity": "0"}, "1 run has a value that is pending (thermal_conductivity)"),
    ],
)
def test_a_value_that_failed_is_left_out_and_the_others_stay(
    tmp_path: Path, changes: dict[str, str], told: str
) -> None:
    write_run(tmp_path, "good", "*CC*")
    write_run(tmp_path, "part", "*CC(*)C", density="0.9", **changes)
    table = read_table(tmp_path)
    assert [float(cell) for cell in table.column("density")] == [1.0, 0.9]
    assert list(table.column("thermal_conductivity")) == ["0.2", ""]
    assert table.notes[1:] == (f"{told}: not used (part).",)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe\x00", b",DBID,smiles_1,density\n0,P1", b'"', b"x" * 1_000_001])
def test_a_broken_file_of_results_is_told_and_the_rest_goes_on(tmp_path: Path, content: bytes) -> None:
    write_run(tmp_path, "good", "*CC*")
    write_run(tmp_path, "broken", "*CC*").write_bytes(content)
    table = read_table(tmp_path)
    assert table.row_count == 1
    assert "broken" in table.notes[1]
    assert "file of results" in table.notes[1]


def test_links_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    write_run(outside, "P2", "*CC(*)C")
    write_run(inside, "P1", "*CC*")
    (inside / "link").symlink_to(outside)
    (inside / "P1" / "loop").symlink_to(inside)
    assert list(read_table(inside).column("monomer_ID")) == ["P1"]


def test_the_repeat_unit_may_stand_in_the_input_beside(tmp_path: Path) -> None:
    write_run(tmp_path, "P1", "")
    (tmp_path / "P1" / "input_data.csv").write_text("DBID,smiles_1\nP1,*CC*\n", encoding="utf-8")
    assert list(read_table(tmp_path).column("smiles")) == ["*CC*"]


def test_a_folder_without_a_result_that_can_be_used_is_refused(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"is a folder without results of RadonPy \(ID/analyze/results.csv\)"):
        read_table(tmp_path)
    write_run(tmp_path, "P1", "*CC*", check_eq="False")
    with pytest.raises(TableError, match=r"can be used\. 1 run did not reach equilibrium"):
        read_table(tmp_path)


def test_a_dropped_folder_is_a_table_of_md_values(tmp_path: Path) -> None:
    for number in range(9):
        write_run(tmp_path, f"P{number}", f"*CC(*){'C' * (number + 1)}", density=str(0.9 + 0.01 * number))
    (table,) = load_tables([tmp_path]).tables
    assert table.name == tmp_path.name
    assert table.row_count == 9
    assert ("density", "md") in {(quantity, kind) for kind, quantity in table.values}


@pytest.mark.usefixtures("blank_figures")
def test_a_fit_takes_a_folder_for_its_md_values(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    measured = ["name,smiles,measured density [g/cm3]"]
    for number in range(14):
        unit = f"*CC(*){'C' * (number + 1)}"
        write_run(tmp_path / "runs", f"P{number}", unit, density=str(0.9 + 0.01 * number + 0.004 * (number % 3)))
        measured.append(f"p{number},{unit},{0.92 + 0.011 * number}")
    write_run(tmp_path / "runs", "P99", "*CCO*", check_eq="False")
    (tmp_path / "measured.csv").write_text("\n".join(measured) + "\n", encoding="utf-8")
    words = ["fit", "--experiment", str(tmp_path / "measured.csv"), "--md", str(tmp_path / "runs")]
    assert main([*words, "--property", "density", "--output", str(tmp_path / "out")]) == 0
    said = "".join(capsys.readouterr())
    assert "14 of 14 measured polymers have an MD value" in said
    assert "1 run did not reach equilibrium: not used (P99)." in said
