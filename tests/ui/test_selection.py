"""Which polymer a window shows before anybody has chosen one."""

import math
from dataclasses import replace

from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.ui.window.selection import Selection
from tests.study.small_study import small_result


def shown(names: tuple[str, ...], unused: str = "") -> Snapshot:
    rows = (
        PolymerRow(name, name, "", "*CC*", 1.0, math.nan, "no MD value" if name == unused else "used") for name in names
    )
    return replace(small_result().snapshot, rows=tuple(rows))


def test_the_first_polymer_of_the_fit_in_the_list_by_name_is_chosen() -> None:
    for names, unused, first in (
        (("polystyrene", "nylon 66", "nylon 6"), "", "nylon 6"),
        (("polystyrene", "nylon 66", "nylon 6"), "nylon 6", "nylon 66"),
    ):
        selection = Selection()
        selection.follow(shown(names, unused))
        assert selection.key == first
        selection.choose("polystyrene")
        selection.follow(shown(names, unused))
        assert selection.key == "polystyrene"
