"""A measured polymer whose simulation gives no value is not said to be missing in the MD table."""

from pathlib import Path

import pytest

from affinecal_gui.tables.matching.matching import match
from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.reading import read_table
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from affinecal_gui.tables.values.polymer_table import PolymerTable
from tests.tables.radonpy_folders import write_result


def measured(folder: Path) -> PolymerTable:
    path = folder / "measured.csv"
    path.write_text("name,smiles,density [g/cm3]\nPP,*CC(C)*,0.85\nPE,*CCCC*,0.86\nPS,*CC(*)c1ccccc1,1.05\n")
    raw = read_table(path)
    return to_polymer_table(raw, guess_roles(raw).with_kind("measured"))


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ({"check_eq": "False"}, "its simulation was set aside: P1 did not reach equilibrium (check_eq is False)."),
        ({"density": ""}, "line 1 holds no MD value of this property."),
    ],
)
def test_why_a_simulation_gives_no_value_is_said_of_the_measured_polymer(
    tmp_path: Path, cells: dict[str, str], why: str
) -> None:
    write_result(tmp_path / "runs", "P1", smiles_list="*C(C*)C", **cells)
    write_result(tmp_path / "runs", "P2", smiles_list="*CC*")
    raw = read_table(tmp_path / "runs")
    report = match(measured(tmp_path), to_polymer_table(raw, guess_roles(raw)), "density")
    assert [one.reason for one in report.unmatched] == [
        f"runs has PP, but {why}",
        "runs has no polymer with the repeat unit of PS.",
    ]
