"""What the inspector says of one polymer."""

import dataclasses
from pathlib import Path

import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.data.assembly import assemble
from affinecal_gui.study.derive import derive
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.shown.inspection import inspect_polymer
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.state import StudyState
from affinecal_gui.task import Task
from tests.study.small_study import small_state


def test_descriptors_of_blocks_switched_off_are_not_counted_as_out_of_range() -> None:
    state = small_state()
    off = dataclasses.replace(state.settings, blocks_off=frozenset({"sigma", "mass"}))
    snapshot = derive(dataclasses.replace(state, settings=off), Derived()).snapshot
    snapshot = dataclasses.replace(snapshot, settings=off)
    used = next(row for row in snapshot.rows if row.state == "used")
    line = inspect_polymer(snapshot, used.key).ranges[1]
    assert line.text == "160 of 160 descriptors"
    assert line.inside


def test_the_inspection_asks_between_its_parts_whether_to_stop() -> None:
    snapshot = derive(small_state(), Derived()).snapshot
    used = next(row for row in snapshot.rows if row.state == "used")
    asked: list[int] = []
    whole = inspect_polymer(snapshot, used.key, task=Task(cancelled=lambda: asked.append(1) or False))
    assert whole is not None
    assert whole.svg != whole.svg_dark  # two drawings, which take longest
    assert len(asked) >= 5
    for last in range(len(asked)):
        left = [False] * last + [True]
        with pytest.raises(Cancelled):
            inspect_polymer(snapshot, used.key, task=Task(cancelled=lambda left=left: left.pop(0)))


@pytest.mark.parametrize(
    ("quantity", "unit"), [("Cp", "J/(kg K)"), ("Cv", "J/(kg K)")], ids=["constant pressure", "constant volume"]
)
def test_the_implied_wavenumber_is_that_at_the_temperature_of_the_own_row(
    tmp_path: Path, quantity: str, unit: str
) -> None:
    """E(u) = 0.5 at u = 2.98288 (own bisection), times k_B T / hc = 208.510 cm-1 at 300 K and 312.765 at 450 K."""
    (tmp_path / "measured.csv").write_text(
        f"name,smiles,measured {quantity} [{unit}]\na,*CC*,1000\nb,*CC(*)C,1000\nc,*CC(*)CC,1000\n", encoding="utf-8"
    )
    (tmp_path / "md.csv").write_text(
        f"name,smiles,MD {quantity} [{unit}],temperature [K]\n"
        "a,*CC*,2000,300\nb,*CC(*)C,2000,450\nc,*CC(*)CC,2000,\nd,*CC(*)CCC,2000,300\n",
        encoding="utf-8",
    )
    state = StudyState().with_tables(load_tables([tmp_path / "measured.csv", tmp_path / "md.csv"]).tables)
    assembly = assemble(state.tables, state.quantity, state.settings.matching)
    snapshot = Snapshot(
        quantity=assembly.quantity,
        rows=assembly.rows,
        temperature=assembly.temperature,
        temperature_is_stated=assembly.temperature_is_stated,
    )
    shown = {row.name: inspect_polymer(snapshot, row.key) for row in assembly.rows}
    assert shown["a"].wavenumbers[0].value == pytest.approx(621.959, abs=0.01)
    assert shown["b"].wavenumbers[0].value == pytest.approx(1.5 * 621.959, abs=0.01)
    assert "at 300 K" in shown["a"].wavenumber_note
    assert "at 450 K" in shown["b"].wavenumber_note
    assert shown["b"].values[1].note == "at 450 K"
    assert shown["c"].wavenumbers[0].value == pytest.approx(621.959, abs=0.01)
    assert "none is stated for this one" in shown["c"].wavenumber_note
