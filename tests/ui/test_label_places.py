"""Axes show a scale that can be read off, and the names of bars do not run together."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.figures.round_values import LabelRoom, choose
from affinecal_gui.ui.views.plots.canvas.label_room import LEAST_LABELS, spread, with_labels


@given(
    low=st.floats(-1e4, 0.0),
    span=st.floats(1e-3, 1e4),
    length=st.floats(45.0, 600.0),
    room=st.floats(9.0, 15.0),
)
def test_an_axis_has_three_labels_or_two_where_three_would_make_all_on_it_flat(
    low: float, span: float, length: float, room: float
) -> None:
    start, end = with_labels(low, low + span, length, room)
    assert start <= low
    assert end >= low + span
    assert end - start <= 4.0 * span
    ticks, _ = choose(start, end, LabelRoom(length, lambda _text: room - 4.0, 4.0, 12))
    assert len(ticks.positions) >= (LEAST_LABELS if length >= 8.0 * room else 2)


def test_a_low_axis_has_two_labels_rather_than_three_on_a_range_in_which_all_is_flat() -> None:
    assert with_labels(-5.0, 12.0, 28.0, 13.0) == (-5.0, 12.0)  # 0 and 10
    assert with_labels(-5.0, 12.0, 80.0, 13.0) == (-5.0, 12.0)  # -5, 0, 5 and 10


def test_an_axis_without_room_for_two_labels_stays_as_it_is() -> None:
    assert with_labels(-3.0, 2.0, 12.0, 13.0) == (-3.0, 2.0)


def test_labels_that_would_touch_are_spread_and_keep_their_order() -> None:
    # Cl and Br, wider than the bars they name, between S and I.
    widths = [7.0, 11.0, 11.0, 3.0]
    placed = spread([5.0, 15.0, 25.0, 35.0], widths, -8.0, 48.0, 2.5)
    assert placed is not None
    ends = [(middle - width / 2, middle + width / 2) for middle, width in zip(placed, widths, strict=True)]
    assert all(right + 2.5 <= left + 1e-9 for (_, right), (left, _) in pairwise(ends))
    assert ends[0][0] >= -8.0
    assert ends[-1][1] <= 48.0


def test_labels_that_have_no_room_side_by_side_are_not_spread() -> None:
    assert spread([5.0, 15.0], [12.0, 12.0], 0.0, 20.0, 2.5) is None
