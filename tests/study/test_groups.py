"""Polymers in groups by a trait: the largest by name, numbers in ranges, and nobody is lost."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.shown.groups import MOST, OTHERS, RANGES, UNKNOWN, groups_by
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from tests.ui.sample_snapshot import sample_snapshot


def with_cells(texts: list[str]) -> tuple[Snapshot, np.ndarray]:  # type: ignore[type-arg]
    """A study whose first rows have these texts in a further column."""
    snapshot = sample_snapshot()
    rows = tuple(
        replace(row, details=(("kind", text),) if text else ()) for row, text in zip(snapshot.rows, texts, strict=False)
    )
    return replace(snapshot, rows=rows, columns=None), np.arange(len(texts))


def test_the_largest_groups_have_names_and_the_others_are_together() -> None:
    texts = [letter for number, letter in enumerate("abcdefghij") for _ in range(10 - number)]
    snapshot, rows = with_cells([*texts, ""])
    found = groups_by(snapshot, rows, "column:kind")
    assert found is not None
    assert not found.ordered
    assert found.labels == (*"abcdefghij"[:MOST], OTHERS, UNKNOWN)
    assert found.told == MOST
    named = [found.labels[number] for number in found.of]
    assert named == [*(text if text in "abcdefghij"[:MOST] else OTHERS for text in texts), UNKNOWN]


def test_numbers_are_in_ranges_of_about_equal_size_from_the_lowest() -> None:
    snapshot, rows = with_cells([str(value) for value in np.linspace(1.0, 100.0, 50)])
    found = groups_by(snapshot, rows, "column:kind")
    assert found is not None
    assert found.ordered
    assert len(found.labels) == RANGES
    sizes = np.bincount(found.of)
    assert sizes.sum() == 50
    assert np.abs(sizes - 10).max() <= 1
    assert (np.diff(found.of) >= 0).all()
    assert found.labels[0].startswith("1.00 to below ")
    assert found.labels[-1].endswith(" to 100")


def test_few_different_numbers_stand_for_themselves_and_a_missing_one_is_not_known() -> None:
    snapshot, rows = with_cells(["300", "350", "", "300"])
    found = groups_by(snapshot, rows, "column:kind")
    assert found is not None
    assert found.labels == ("300.0", "350.0", UNKNOWN)
    assert found.of.tolist() == [0, 1, 2, 0]


def test_a_trait_that_is_not_there_makes_no_groups() -> None:
    snapshot, rows = with_cells(["a", "b"])
    assert groups_by(snapshot, rows, "column:nowhere") is None


@pytest.mark.parametrize(
    ("heading", "side", "expected"),
    [("polymer_class", "measured", "mine"), ("Polymer class", "md", "mine"), ("other", "md", "polyolefin")],
)
def test_the_class_that_a_table_states_comes_before_that_of_the_structure(
    tmp_path: Path, heading: str, side: str, expected: str
) -> None:
    further = {"measured": ("", ""), "md": ("", "")} | {side: (f",{heading}", ",mine")}
    measured, md = tmp_path / "measured.csv", tmp_path / "md.csv"
    head, cell = further["measured"]
    measured.write_text(f"name,smiles,exp Cp [J/(kg K)]{head}\npolyethylene,*CC*,1900{cell}\n")
    head, cell = further["md"]
    md.write_text(f"monomer_ID,smiles,md Cp [J/(kg K)]{head}\nPI1,*CC*,4699{cell}\n")
    state = StudyState().with_tables(load_tables((measured, md)).tables)
    found = assemble(state.tables, state.quantity)
    (row,) = [row for row in found.rows if np.isfinite(row.measured)]
    assert row.polymer_class == expected
