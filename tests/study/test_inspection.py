"""What the inspector says of one polymer."""

import dataclasses

import pytest

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.derive import Derived, derive
from affinecal_gui.study.shown.inspection import inspect_polymer
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
