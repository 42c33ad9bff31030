"""Labels of axes: round numbers, where they belong, never crowded."""

import math
from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from affinecal_gui.ui.views.plots.axis_ticks import LEAST_LABELS, choose, spread, with_labels


def width(text: str) -> float:
    return 6.6 * len(text)


def read(label: str) -> float:
    label = label.replace("\N{MINUS SIGN}", "-")
    mantissa, cross, power = label.rpartition("\u00a0×\u00a0")
    label = power if cross else label
    if label.startswith("10") and len(label) > 2 and label[2] in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹":
        power_of_ten = 10.0 ** int(label[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        return (float(mantissa) if cross else 1.0) * power_of_ten
    return float(label)


@pytest.mark.parametrize(
    ("low", "high", "length", "labels"),
    [
        (520, 3400, 275, ("600", "800", "1000", "1500", "2000", "3000")),
        (640, 5000, 140, ("1000", "2000", "4000")),
        (0.009, 110, 180, ("0.01", "0.1", "1", "10", "100")),
        (2e7, 3e12, 200, ("10⁸", "10⁹", "10¹⁰", "10¹¹", "10¹²")),
        (0.9, 1.4, 275, ("0.9", "1", "1.1", "1.2", "1.3", "1.4")),
    ],
)
def test_logarithmic_axes(low: float, high: float, length: float, labels: tuple[str, ...]) -> None:
    ticks, _ = choose(math.log10(low), math.log10(high), length, width, log=True)
    assert ticks.labels == labels


@pytest.mark.parametrize(
    ("low", "high", "length", "labels"),
    [
        (-1, 1, 120, ("−1", "−0.5", "0", "0.5", "1")),
        (60, 940, 130, ("200", "400", "600", "800")),
        (45, 180, 130, ("50", "100", "150")),
        (0.98, 1.52, 300, ("1", "1.1", "1.2", "1.3", "1.4", "1.5")),
    ],
)
def test_linear_axes(low: float, high: float, length: float, labels: tuple[str, ...]) -> None:
    ticks, _ = choose(low, high, length, width, log=False)
    assert ticks.labels == labels


@given(st.floats(-12, 12), st.floats(0.02, 9), st.floats(30, 900), st.booleans())
def test_labels_say_where_they_stand_and_do_not_touch(low: float, span: float, length: float, log: bool) -> None:
    high = low + span
    ticks, _ = choose(low, high, length, width, log)
    places = ticks.positions
    assert list(places) == sorted(places)
    for place, label in zip(places, ticks.labels, strict=True):
        assert low - 1e-9 <= place <= high + 1e-9
        number = 10.0**place if log else place
        tolerance = 0.005 * abs(number) if log else 1e-6 * span + 0.005 * abs(number)
        assert abs(read(label) - number) <= tolerance
    ends = [(p - low) / span * length for p in places]
    for k in range(len(places) - 1):
        gap = ends[k + 1] - ends[k] - (width(ticks.labels[k]) + width(ticks.labels[k + 1])) / 2
        assert gap >= 5.9 or len(places) == 2  # the sparsest choice stands even where it is tight


@given(st.floats(-3, 5), st.floats(0.05, 4), st.floats(120, 900))
def test_an_axis_with_room_has_at_least_two_labels(low: float, span: float, length: float) -> None:
    ticks, density = choose(low, low + span, length, lambda _: 12.0, log=True)
    assert len(ticks.positions) >= 2
    sparser, at_least = choose(low, low + span, length, lambda _: 12.0, log=True, least_density=density + 1)
    assume(at_least > density)
    assert len(sparser.positions) <= len(ticks.positions) + 1


@pytest.mark.parametrize(
    ("low", "high", "length"), [(1, 1, 100), (2, 1, 100), (math.nan, 1, 100), (0, math.inf, 100), (0, 1, 0)]
)
def test_an_axis_without_extent_has_no_labels(low: float, high: float, length: float) -> None:
    assert choose(low, high, length, width, log=False)[0].positions == ()


@given(
    low=st.floats(-1e4, 0.0),
    span=st.floats(1e-3, 1e4),
    length=st.floats(45.0, 600.0),
    room=st.floats(9.0, 15.0),
)
def test_an_axis_with_room_for_three_labels_gets_them(low: float, span: float, length: float, room: float) -> None:
    start, end = with_labels(low, low + span, length, room)
    assert start <= low
    assert end >= low + span
    assert end - start <= 4.0 * span
    ticks, _ = choose(start, end, length, lambda _text: room - 4.0, log=False, gap=4.0)
    assert len(ticks.positions) >= LEAST_LABELS


def test_an_axis_without_room_for_three_labels_stays_as_it_is() -> None:
    assert with_labels(-3.0, 2.0, 20.0, 13.0) == (-3.0, 2.0)


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
