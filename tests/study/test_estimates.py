"""What was estimated of a polymer's force-field parameters is said wherever descriptors are used."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.__main__ import main
from affinecal_gui.study.describing.estimates import estimates_of


def test_estimates_are_said_in_a_sentence() -> None:
    assert estimates_of("*CC*") == ""
    assert estimates_of("*[Si](C)(C)O*") == ""
    assert (
        estimates_of("*[Si](C)(C)C*") == "Estimated from similar terms of the force field: angle si-ci-si as c3-c3-c3."
    )
    assert estimates_of("*[Si](C)(C=C)O*").endswith(" and 4 more.")
    assert estimates_of("*[Si](C)(") == ""


def test_describe_says_them_beside_the_row(tmp_path: Path) -> None:
    table, output = tmp_path / "polymers.csv", tmp_path / "out.csv"
    table.write_text("id,smiles\na,*[Si](C)(C)O*\nb,*[Si](C)(C)C*\nc,*[SiH](C)O*\n", encoding="utf-8")
    assert main(["describe", str(table), "--output", str(output)]) == 0
    rows = list(csv.DictReader(output.read_text(encoding="utf-8").splitlines()))
    assert [row["status"] for row in rows] == ["ok", "ok", "error"]
    assert rows[0]["message"] == ""
    assert rows[1]["message"].startswith("Estimated from similar terms of the force field: angle si-ci-si")
    assert "si-hi" in rows[2]["message"]


@pytest.mark.usefixtures("blank_figures")
def test_a_fit_says_how_many_of_its_polymers_have_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    units = [f"*CC(*){'C' * k}" for k in range(1, 14)] + ["*[Si](C)(C)C*", "*[Si](C)(C)O*"]
    measured = "".join(f"p{i},{unit},{0.9 + 0.011 * i}\n" for i, unit in enumerate(units))
    simulated = "".join(f"p{i},{unit},{0.85 + 0.01 * i + 0.003 * (i % 3)}\n" for i, unit in enumerate(units))
    (tmp_path / "measured.csv").write_text("id,smiles,measured density [g/cm3]\n" + measured, encoding="utf-8")
    (tmp_path / "md.csv").write_text("id,smiles,MD density [g/cm3]\n" + simulated, encoding="utf-8")
    words = ["fit", "--experiment", str(tmp_path / "measured.csv"), "--md", str(tmp_path / "md.csv")]
    assert main([*words, "--output", str(tmp_path / "out"), "--verbose"]) == 0
    said = "".join(capsys.readouterr())
    assert "One polymer (1 in the fit) has force-field parameters of similar terms" in said
    assert "*[Si](C)(C)C*: Estimated from similar terms of the force field: angle si-ci-si as c3-c3-c3." in said
