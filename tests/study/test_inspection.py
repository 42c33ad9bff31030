"""What the inspector says of one polymer."""

import dataclasses

from small_study import small_state

from affinecal_gui.study.derive import Derived, derive
from affinecal_gui.study.results.inspection import inspect_polymer


def test_descriptors_of_blocks_switched_off_are_not_counted_as_out_of_range() -> None:
    state = small_state()
    off = dataclasses.replace(state.settings, blocks_off=frozenset({"sigma", "mass"}))
    snapshot = derive(dataclasses.replace(state, settings=off), Derived()).snapshot
    snapshot = dataclasses.replace(snapshot, settings=off)
    used = next(row for row in snapshot.rows if row.state == "used")
    line = inspect_polymer(snapshot, used.key).ranges[1]
    assert line.text == "160 of 160 descriptors"
    assert line.inside
