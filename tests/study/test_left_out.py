"""Every row of both tables is among the predictions, or listed with the reason; nothing vanishes."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main


def _tables(examples: Path, folder: Path, md_cells: tuple[str, ...] = ()) -> None:
    """Write ten measured and twelve simulated polymers, the last of which have ``md_cells`` for values."""
    with (examples / "md_radonpy.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))[:12]
    for number, cell in enumerate(md_cells, 10):
        found[number]["Cp"] = cell
    simulated = [f"{row['monomer_ID']},{row['smiles']},{row['Cp']},{row['density']}" for row in found]
    measured = [f"{row['smiles']},{0.43 * float(row['Cp']) + 20 * (i % 5):.1f}" for i, row in enumerate(found[:10])]
    (folder / "md.csv").write_text("\n".join(["monomer_ID,smiles,Cp,density", *simulated]) + "\n", encoding="utf-8")
    (folder / "exp.csv").write_text("\n".join(["smiles,Cp [J/(kg K)]", *measured]) + "\n", encoding="utf-8")


def _fit(folder: Path) -> list[str]:
    words = ["fit", "--quiet", "--experiment", str(folder / "exp.csv"), "--md", str(folder / "md.csv")]
    return [*words, "--calibrator", "ordinary", "--output", str(folder / "out")]


@pytest.mark.usefixtures("blank_figures")
def test_a_simulated_row_without_a_value_is_listed_and_counted(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _tables(examples, tmp_path, md_cells=("", "n. d."))
    assert main(_fit(tmp_path)) == 0
    with (tmp_path / "out" / "left_out.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["line"], row["value as written"]) for row in rows] == [
        ("md.csv", "12", ""),
        ("md.csv", "13", "n. d."),
    ]
    assert all(row["reason"] for row in rows)
    assert "2 rows were left out; left_out.csv says which, and why." in capsys.readouterr().out


def test_when_too_few_polymers_match_each_of_the_others_is_named(
    examples: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _tables(examples, tmp_path)
    lines = (tmp_path / "exp.csv").read_text(encoding="utf-8").splitlines()
    strange = [f"*{'C' * n}OC{'N' * (n % 2)}OCC*,1500" for n in range(3, 14)]
    (tmp_path / "exp.csv").write_text("\n".join([*lines[:5], "*CC(,1200", *strange]) + "\n", encoding="utf-8")
    assert main(_fit(tmp_path)) == 2
    said = capsys.readouterr().err.splitlines()
    assert said[0].startswith("affinecal: Only 4 measured polymers have an MD value and can be used; ")
    assert said[0].endswith("11 are not in the MD table, 1 row cannot be read:")
    assert len(said) == 12
    assert said[1].startswith("  exp.csv, line 7, ")
    assert "md.csv has no polymer with the repeat unit" in said[1]
    assert said[-1] == "  ... and 2 more."
    assert not (tmp_path / "out").exists()
