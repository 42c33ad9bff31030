"""The MD values that come with the program are offered where measured values alone are there."""

from pathlib import Path

import pytest

from affinecal_gui.study.importing.bundled_md import BUNDLED_PROPERTIES, bundled_md, bundled_md_would_help
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState


def test_they_are_of_the_properties_that_are_named() -> None:
    (table,) = load_tables((bundled_md(),)).tables
    assert {quantity.key for quantity in table.properties("md")} == BUNDLED_PROPERTIES
    assert not table.properties("measured")


@pytest.mark.parametrize(
    ("heading", "value", "helps"),
    [
        ("density [g/cm3]", "1.05", True),
        ("Cp [J/(kg K)]", "1400", True),
        ("thermal conductivity [W/(m K)]", "0.2", True),
        ("Tg [K]", "373", False),
    ],
)
def test_they_are_offered_where_measured_values_alone_are_there(
    tmp_path: Path, heading: str, value: str, helps: bool
) -> None:
    path = tmp_path / "measured.csv"
    path.write_text(f"name,smiles,{heading}\npolyethylene,*CC*,{value}\npolystyrene,*CC(*)c1ccccc1,{value}\n")
    state = StudyState().with_tables(load_tables((path,)).tables)
    assert bundled_md_would_help(state) == helps
    beside = tuple(loaded.table for loaded in state.tables)
    both = state.with_tables(load_tables((bundled_md(),), beside=beside).tables)
    assert not bundled_md_would_help(both)
    assert not bundled_md_would_help(StudyState())
