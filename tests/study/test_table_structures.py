"""Tables of other structures than one polymer and one value a row: what a command reads of them, and what it says.

The measured values are 0.95, 1.0 ... 1.35 g/cm³ for nine polymers, and 438, 453 ... 558 K; the MD values are a
tenth lower, or 17 K higher.
"""

import re
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.study.assembly import assemble
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.tasks.data_files import DataFiles, read_study
from affinecal_gui.tables.polymer_table import PolymerTable

POLYMERS = (
    "*CC*", "*CC(*)C", "*CCO*", "*CC(*)O", "*CC(*)Cl", "*CC(*)C#N", "*CO*", "*CC(*)c1ccccc1", "*OCCOC(=O)c1ccc(cc1)C(*)=O",
)  # fmt: skip
DENSITY = tuple(0.95 + 0.05 * row for row in range(9))
MD_DENSITY = tuple(0.9 * value for value in DENSITY)
TG = tuple(438.0 + 15 * row for row in range(9))


def written(path: Path, headings: str, *columns: object) -> Path:
    """Write a table with a column of cells under each heading."""
    rows = zip(*columns, strict=True)  # type: ignore[call-overload]
    lines = [headings, *(",".join(f"{cell:.6g}" if isinstance(cell, float) else str(cell) for cell in r) for r in rows)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    return written(tmp_path / "measured.csv", "smiles,density [g/cm3]", POLYMERS, DENSITY)


@pytest.fixture
def md(tmp_path: Path) -> Path:
    return written(tmp_path / "md.csv", "smiles,density [g/cm3]", POLYMERS, MD_DENSITY)


def read(measured: Path, md: Path, **options: str) -> tuple[StudyState, tuple[PolymerTable, ...]]:
    return read_study(DataFiles(measured, md, **options))  # type: ignore[arg-type]


def ratios(state: StudyState) -> list[float]:
    """MD value by measured value of every measured polymer that has one."""
    found = assemble(state.tables, state.quantity)
    has = found.measured_library >= 0
    return list(found.library_md[found.measured_library[has]] / found.measured[has])


def said(tables: tuple[PolymerTable, ...]) -> str:
    return " ".join(remark for table in tables for remark in table.remarks())


# -- measured and MD values in one table ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("measured_heading", "md_heading"),
    [
        ("density_exp [g/cm3]", "density [g/cm3]"),
        ("density_experimental [g/cm3]", "density_md [g/cm3]"),
        ("exp. density [g/cm3]", "density (calc) [g/cm3]"),
        ("measured density [g/cm3]", "simulated density [g/cm3]"),
        ("gemessene Dichte [g/cm3]", "berechnete Dichte [g/cm3]"),
        ("densité expérimentale [g/cm3]", "densité simulée [g/cm3]"),
        ("density lit. [g/cm3]", "density [g/cm3]"),
        ("density_obs [g/cm3]", "density_predicted [g/cm3]"),
        ("実測 密度 [g/cm3]", "計算 密度 [g/cm3]"),
    ],
)
@pytest.mark.parametrize("measured_first", [True, False])
def test_a_measured_column_is_never_taken_as_md_values_nor_the_other_way_round(
    measured_heading: str, md_heading: str, measured_first: bool, measured: Path, md: Path, tmp_path: Path
) -> None:
    headings, columns = [measured_heading, md_heading], [DENSITY, MD_DENSITY]
    if not measured_first:
        headings, columns = headings[::-1], columns[::-1]
    both = written(tmp_path / "both.csv", ",".join(["smiles", *headings]), POLYMERS, *columns)
    state, tables = read(measured, both)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert f"“{md_heading}” was read as MD values of density, and not “{measured_heading}”" in said(tables)
    state, tables = read(both, md)
    assert ratios(state) == pytest.approx([0.9] * 9)
    assert re.search(
        f"“{re.escape(measured_heading)}” was read as .*density, and not “{re.escape(md_heading)}”", said(tables)
    )


@pytest.mark.parametrize("heading", ["density_exp [g/cm3]", "measured density", "density (experiment)"])
def test_an_md_table_with_measured_values_only_is_refused_until_its_column_is_named(
    heading: str, measured: Path, tmp_path: Path
) -> None:
    wrong = written(tmp_path / "other.csv", f"smiles,{heading}", POLYMERS, MD_DENSITY)
    with pytest.raises(UserError, match=r"other\.csv was named as the table of MD values .*measured values by their"):
        read(measured, wrong)
    state, _ = read(measured, wrong, md_column=heading)
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_a_measured_table_with_calculated_values_only_is_refused(md: Path, tmp_path: Path) -> None:
    wrong = written(tmp_path / "other.csv", "smiles,density_calc", POLYMERS, DENSITY)
    with pytest.raises(UserError, match=r"“density_calc”, are MD values by their headings"):
        read(wrong, md)


@pytest.mark.parametrize("headings", ["smiles,measured,simulated", "smiles,Gloss exp,Gloss (MD)", "smiles,x_exp,x_md"])
def test_one_file_with_both_kinds_of_a_property_without_a_known_name(headings: str, tmp_path: Path) -> None:
    both = written(tmp_path / "both.csv", headings, POLYMERS, DENSITY, MD_DENSITY)
    state, _ = read(both, both)
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_the_columns_of_one_file_named_for_both_kinds(tmp_path: Path) -> None:
    both = written(tmp_path / "both.csv", "smiles,density a,density b", POLYMERS, MD_DENSITY, DENSITY)
    state, _ = read(both, both, value_column="density b", md_column="density a")
    assert ratios(state) == pytest.approx([0.9] * 9)


def test_deviations_of_the_values_left_unread_are_left_unread(measured: Path, tmp_path: Path) -> None:
    headings = "smiles,density_exp [g/cm3],density_exp_std,density [g/cm3],density_std"
    both = written(tmp_path / "md.csv", headings, POLYMERS, DENSITY, [0.5] * 9, MD_DENSITY, [0.01] * 9)
    _, tables = read(measured, both)
    assert list(tables[1].values) == [("md", "density")]
    assert np.all(tables[1].values[("md", "density")].uncertainty == 0.01)
