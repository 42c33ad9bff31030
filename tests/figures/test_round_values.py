"""Labels of axes: round numbers, where they belong, never crowded."""

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from affinecal_gui.figures.round_values import LabelRoom, choose
from affinecal_gui.figures.style import journal_style
from affinecal_gui.figures.ticks import Room, linear_ticks, log_ticks


def width(text: str) -> float:
    return 6.6 * len(text)


def room(length: float, gap: float = 6.0) -> LabelRoom:
    return LabelRoom(length, width, gap, 12)


def read(label: str) -> float:
    label = label.replace("\N{MINUS SIGN}", "-")
    mantissa, cross, power = label.rpartition("×")
    label = power if cross else label
    if label.startswith("10") and len(label) > 2 and label[2] in "⁻⁰¹²³⁴⁵⁶⁷⁸⁹":
        power_of_ten = 10.0 ** int(label[2:].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        return (float(mantissa) if cross else 1.0) * power_of_ten
    return float(label)


@pytest.mark.parametrize(
    ("low", "high", "length", "labels"),
    [
        (520, 3400, 275, ("600", "800", "1000", "1500", "2000", "3000")),
        (640, 5000, 140, ("1000", "2000", "5000")),
        (0.009, 110, 180, ("0.01", "0.1", "1", "10", "100")),
        (2e7, 3e12, 200, ("10⁸", "10⁹", "10¹⁰", "10¹¹", "10¹²")),
        (0.9, 1.4, 275, ("0.9", "1.0", "1.1", "1.2", "1.3", "1.4")),
    ],
)
def test_logarithmic_axes(low: float, high: float, length: float, labels: tuple[str, ...]) -> None:
    ticks, _ = choose(math.log10(low), math.log10(high), room(length), log=True)
    assert ticks.labels == labels


@pytest.mark.parametrize(
    ("low", "high", "length", "labels"),
    [
        (-1, 1, 120, ("−1", "0", "1")),
        (-1, 1, 160, ("−1.0", "−0.5", "0.0", "0.5", "1.0")),
        (0, 2.1e6, 400, ("0", "0.5×10⁶", "1.0×10⁶", "1.5×10⁶", "2.0×10⁶")),
        (60, 940, 130, ("200", "400", "600", "800")),
        (45, 180, 130, ("50", "100", "150")),
        (0.98, 1.52, 300, ("1.0", "1.1", "1.2", "1.3", "1.4", "1.5")),
    ],
)
def test_linear_axes(low: float, high: float, length: float, labels: tuple[str, ...]) -> None:
    ticks, _ = choose(low, high, room(length))
    assert ticks.labels == labels


@given(st.floats(-12, 12), st.floats(0.02, 9), st.floats(30, 900), st.booleans())
def test_labels_say_where_they_stand_and_do_not_touch(low: float, span: float, length: float, log: bool) -> None:
    high = low + span
    ticks, _ = choose(low, high, room(length), log=log)
    places = ticks.positions
    assert list(places) == sorted(places)
    for place, label in zip(places, ticks.labels, strict=True):
        assert low - 1e-9 <= place <= high + 1e-9
        number = 10.0**place if log else place
        assert read(label) == pytest.approx(number, rel=1e-9, abs=1e-9 * span)
    ends = [(p - low) / span * length for p in places]
    for k in range(len(places) - 1):
        gap = ends[k + 1] - ends[k] - (width(ticks.labels[k]) + width(ticks.labels[k + 1])) / 2
        assert gap >= 5.9


@given(st.floats(-2, 4.9), st.floats(0.05, 2), st.floats(25, 150), st.booleans(), st.booleans())
def test_a_plot_and_its_exported_figure_are_labelled_alike(
    low: float, span: float, length: float, across: bool, log: bool
) -> None:
    high = min(low + span, 4.99)
    assume(high - low > 0.02)
    room = Room(length, across)
    with journal_style():
        exported = (log_ticks if log else linear_ticks)(10.0**low, 10.0**high, room)
        ends = (low, high) if log else (10.0**low, 10.0**high)
        shown, _ = choose(*ends, room.for_labels(), log=log)
    assert shown.labels == exported.labels


@given(st.floats(-3, 5), st.floats(0.05, 4), st.floats(120, 900))
def test_an_axis_with_room_has_at_least_two_labels(low: float, span: float, length: float) -> None:
    ticks, density = choose(low, low + span, LabelRoom(length, lambda _: 12.0, 6.0, 12), log=True)
    assert len(ticks.positions) >= 2
    sparser, at_least = choose(low, low + span, LabelRoom(length, lambda _: 12.0, 6.0, 12), log=True, least=density + 1)
    assume(at_least > density)
    assert len(sparser.positions) <= len(ticks.positions) + 1


@pytest.mark.parametrize(
    ("low", "high", "length"), [(1, 1, 100), (2, 1, 100), (math.nan, 1, 100), (0, math.inf, 100), (0, 1, 0)]
)
def test_an_axis_without_extent_has_no_labels(low: float, high: float, length: float) -> None:
    assert choose(low, high, room(length))[0].positions == ()
