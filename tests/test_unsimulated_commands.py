"""``affinecal predict`` with polymers that nobody has simulated, alone and among others."""

import csv
import re
from pathlib import Path

import pytest

from affinecal_gui.cli import CANNOT, DONE, run_command

SIDES = [("C" * n, 4800.0 - 60.0 * n) for n in range(12)]
SIDES += [("C(=O)O" + "C" * n, 3600.0 + 40.0 * n) for n in range(1, 13)]
SIDES += [("O" + "C" * n, 4000.0 + 30.0 * n) for n in range(1, 13)]
"""Side groups of vinyl polymers, with invented MD heat capacities that follow their length."""

MEASURED = SIDES[::4]
QUICK = ["--quiet", "--no-cache", "--penalties", "1", "1"]


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


pytestmark = pytest.mark.usefixtures("coarse_calibrations")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("tables")
    md = "".join(f"S{number},*CC(*){side},{value}\n" for number, (side, value) in enumerate(SIDES))
    (folder / "md.csv").write_text(f"monomer_ID,smiles,Cp [J/(kg K)]\n{md}", encoding="utf-8")
    measured = "".join(f"*CC(*){side},{0.4 * value + 3.0 * len(side)}\n" for side, value in MEASURED)
    (folder / "measured.csv").write_text(f"smiles,measured Cp [J/(kg K)]\n{measured}", encoding="utf-8")
    return ["--experiment", str(folder / "measured.csv"), "--md", str(folder / "md.csv")]


def predicted(tables: list[str], folder: Path, table: str, *words: str) -> list[dict[str, str]]:
    """The rows of the result for a table as text."""
    (folder / "new.csv").write_text(table, encoding="utf-8")
    out = folder / "out.csv"
    assert run_command(["predict", str(folder / "new.csv"), *tables, *QUICK, *words, "--output", str(out)]) == DONE
    found = rows_of(out)
    out.unlink()
    return found


def test_every_polymer_gets_a_value_and_every_value_says_where_it_comes_from(
    tables: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = ["name,smiles,Cp [J/(kg K)],density", "own MD,*CC(*)CCCCCCCCCCCCC,4040,", "no MD,*CC(*)OC(=O)CCC,,1.1"]
    lines += [
        "MD in the study,C(*)(CC)C*,n.a.,",
        "negative,*CC(*)F,-4,",
        "no structure,,3000,",
        "beside,*CC(*)F,-4,1.2",
    ]
    found = predicted(tables, tmp_path, "\n".join(lines), "--calibrator", "affine")
    said = capsys.readouterr().out
    origins = {row["name"]: row["md_origin"] for row in found}
    assert origins == {
        "own MD": "simulated",
        "no MD": "predicted MD",
        "MD in the study": "simulated",
        "negative": "",
        "no structure": "",
        "beside": "",
    }
    for row in found:
        assert bool(row["calibrated value"]) == bool(row["md_origin"])
        assert bool(row["surrogate value"]) == (row["md_origin"] == "predicted MD")
        if row["md_origin"]:
            assert float(row["lower"]) < float(row["calibrated value"]) < float(row["upper"])
    assert [row["MD value"] for row in found] == ["4040", "", "4680", "", "", ""]
    # A value that is wrong is told, not replaced.
    assert found[3]["note"] == "Not used: -4 is negative; specific heat capacity is positive."
    assert found[5]["note"] == "The MD value cannot be used: -4 is negative; specific heat capacity is positive."
    assert re.search(
        r"predicted from those of 36 polymers, with an error of 0\.\d+ \(natural logarithm\) for those", said
    )
    assert "1 polymer without an MD value in new.csv has one in md.csv: used." in said
    # What is simulated has the same value, to the last digit, whoever stands beside it.
    (alone,) = predicted(tables, tmp_path, "\n".join(lines[:2]), "--calibrator", "affine")
    assert alone == found[0]


def test_repeat_units_alone_are_enough_and_measured_polymers_without_md_value_are_made_use_of(
    tables: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    more = tmp_path / "more.csv"
    measured = Path(tables[1]).read_text(encoding="utf-8")
    more.write_text(f"{measured}*CC(*)C(C)(C)CC,1830\n*CC(*)C(=O)OC(C)CC,1560\nbroken,1500\n", encoding="utf-8")
    (found,) = predicted(["--experiment", str(more), *tables[2:]], tmp_path, "smiles\n*CC(*)OCC(C)CCC\n")
    said = capsys.readouterr().out
    assert found["md_origin"] == "predicted MD"
    # The invented MD values of the ethers rise by 30 for each of the six carbon atoms.
    assert float(found["surrogate value"]) == pytest.approx(4000.0 + 30.0 * 6, rel=0.02)
    assert "new.csv has no column of MD values of specific heat capacity." in said
    # Whether they join is decided by the error of the others, and told with it.
    gain = re.search(
        r"2 measured polymers without an MD value (join|stay out of) this fit: the error of the 9 others, held out, "
        r"(falls|would rise) from (\S+) to (\S+)\.",
        said,
    )
    assert gain is not None
    assert (gain[1] == "join") == (gain[2] == "falls") == (float(gain[4]) <= float(gain[3]))


def test_a_calibrator_that_looks_at_descriptors_alone_uses_no_md_value(tables: list[str], tmp_path: Path) -> None:
    table = "name,smiles,Cp [J/(kg K)]\na,*CC(*)CCCCCCCCCCCCC,4040\nb,*CC(*)CCCCCCCCCCCCC,\n"
    simulated, other = predicted(tables, tmp_path, table, "--calibrator", "direct")
    assert simulated["md_origin"] == other["md_origin"] == "no MD used"
    assert float(other["calibrated value"]) == pytest.approx(float(simulated["calibrated value"]), rel=1e-9)
    assert other["inside training range"] == "yes" or "MD value" not in other["note"]
    assert not other["surrogate value"]


def test_md_values_that_are_all_equal_predict_none(
    tables: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [f"S{number},*CC(*){side},4000" for number, (side, _) in enumerate(SIDES)]
    (tmp_path / "md.csv").write_text("\n".join(["monomer_ID,smiles,Cp [J/(kg K)]", *lines]), encoding="utf-8")
    (tmp_path / "new.csv").write_text("smiles\n*CC(*)OC(=O)CCC\n", encoding="utf-8")
    words = ["predict", str(tmp_path / "new.csv"), *tables[:3], str(tmp_path / "md.csv"), *QUICK]
    assert run_command([*words, "--output", str(tmp_path / "out.csv")]) == CANNOT
    (error,) = capsys.readouterr().err.splitlines()
    assert "all MD values are equal, so that nothing can be learned from them" in error
