"""The figure that is saved shows the colours that the window shows."""

import numpy as np
import pytest

from affinecal_gui.figures.groups import group_marks
from affinecal_gui.study.shown.groups import GROUP_ROLES, MOST, Groups
from affinecal_gui.study.shown.traits import Trait
from affinecal_gui.ui.parts.theme.theme import LIGHT_THEME
from affinecal_gui.ui.views.plots.points.group_looks import group_colour


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("told", [1, 2, 5, MOST])
def test_a_group_has_one_colour_in_window_and_figure_and_a_mark_of_its_own(told: int, ordered: bool) -> None:
    labels = tuple(f"group {number}" for number in range(told + 2))  # others, and those of which nothing is known
    groups = Groups(Trait("class", "Polymer class"), labels, np.arange(told + 2), ordered=ordered, told=told)
    marks = group_marks(GROUP_ROLES, len(labels), told, ordered=ordered)
    on_paper = [mark.colour.upper() for mark in marks]
    assert on_paper == [group_colour(LIGHT_THEME, groups, number).name().upper() for number in range(told + 2)]
    assert len({mark.marker for mark in marks}) == len(marks)
