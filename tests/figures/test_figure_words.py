"""Numbers, labels, ticks, texts of users and presets: the small parts of every figure."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.errors import UserError
from affinecal_gui.figures.labels import in_italics, with_unit
from affinecal_gui.figures.presets import PRESETS, find_preset
from affinecal_gui.figures.sheet import shortened, text_width, wrap
from affinecal_gui.figures.style import escaped, journal_style, look, mathematics, plain, tint
from affinecal_gui.figures.ticks import Room, linear_ticks, log_ticks
from affinecal_gui.numbers import decimal, interval, p_value, plus_minus, power_of_ten, significant


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (258.4, "258"),
        (1905.2, "1905"),
        (0.171499, "0.171"),
        (-0.0161, "−0.0161"),
        (0, "0"),
        (12345.6, "12346"),
        (123456, "123456"),
        (1234567, "1.23\u00a0×\u00a010⁶"),
        (1.5e-9, "1.50\u00a0×\u00a010⁻⁹"),
        (9.999, "10.0"),
        (math.nan, "–"),
        (math.inf, "–"),
    ],
)
def test_three_significant_digits(value: float, text: str) -> None:
    assert significant(value) == text


def test_numbers_have_a_true_minus_and_never_a_negative_zero() -> None:
    assert decimal(-0.001, 2) == "0.00"
    assert decimal(-1.5, 1) == "−1.5"
    assert power_of_ten(-12) == "10⁻¹²"
    assert interval(-1.46, 2.68) == "−1.46 to 2.68"
    assert interval(math.nan, 1) == "–"
    assert p_value(1e-9).replace("\u00a0", " ") == "p < 0.001"


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        (0.1712, 0.0069, "0.171 ± 0.007"),
        (0.1712, 0.0131, "0.171 ± 0.013"),
        (258.3, 41, "258 ± 41"),
        (2.0, math.nan, "2.00"),
    ],
)
def test_a_value_is_written_to_the_digit_its_error_allows(value: float, error: float, text: str) -> None:
    assert plus_minus(value, error).startswith(text.split(" ± ")[0])
    if error == error and error < 1:
        assert plus_minus(value, error) == text


@given(st.floats(allow_nan=True, allow_infinity=True))
def test_any_number_can_be_written(value: float) -> None:
    assert significant(value)
    assert "-" not in significant(value)
    assert "e" not in significant(value)
    assert len(significant(value)) <= 15


@given(st.floats(allow_nan=True, allow_infinity=True), st.integers(0, 20))
def test_no_number_is_a_row_of_noughts(value: float, places: int) -> None:
    """A value of 1e304 once made a cell of 305 digits, and a picture 2460 pixels wide."""
    assert len(decimal(value, places)) <= 20


@given(st.text(max_size=60))
def test_any_text_can_be_drawn(text: str) -> None:
    assert "\n" not in plain(text)
    with journal_style():
        assert text_width(escaped(text), 7.0) >= 0
        assert text_width(mathematics(text), 7.0) >= 0
        for line in wrap(plain(text), 7.0, 20.0):
            assert text_width(line, 7.0, parse_math=False) <= 20.0 or len(line) == 1
        assert text_width(shortened(plain(text), 7.0, 15.0), 7.0, parse_math=False) <= 15.0


def test_wrapping_loses_no_word() -> None:
    sentence = (
        "Each polymer is predicted by fits that have not seen it, and pneumonoultramicroscopicsilicovolcanoconiosis."
    )
    with journal_style():
        lines = wrap(sentence, 7.0, 25.0)
    assert "".join(lines).replace(" ", "") == sentence.replace(" ", "")


def word_by_word(text: str, size: float, width: float) -> list[str]:
    """Wrap as is done by hand: a line ends before the first word with which it would be too long."""
    lines, current = [], ""
    for word in text.split():
        longer = f"{current} {word}" if current else word
        if current and text_width(longer, size, parse_math=False) > width:
            lines.append(current)
            longer = word
        current = longer
    return [*lines, current]


@pytest.mark.parametrize("width", [18.0, 31.0, 60.0, 170.0])
@pytest.mark.parametrize("size", [5.0, 7.0])
def test_lines_end_where_the_next_word_would_be_too_much(size: float, width: float) -> None:
    text = (
        "ffi AV To W. λ₁ ± 95 % of the errors (mean of 20 random draws; J/(kg K)) fi i i i iiii x, the least: AVAVA Ta To. "
        "How far values lie from measured ones is said of polymers that a calibrator has not seen, each of them held out."
    )
    with journal_style():
        assert wrap(text, size, width) == word_by_word(text, size, width)
        assert wrap(f"  {text}", size, width) == word_by_word(text, size, width)  # no line begins with a space


def test_labels() -> None:
    assert with_unit("Measured", "J/(kg K)") == "Measured, J/(kg K)"
    assert with_unit("Measured", "") == "Measured"
    assert with_unit("D", "m²/s", -9) == "D, $10^{-9}$ m²/s"
    assert in_italics("r₀") == r"$\mathit{r}_{0}$"
    assert in_italics("Δq") == r"$\mathit{Δq}$"
    assert in_italics("k$") == r"k\$"
    assert in_italics("|Δq|") == r"$|\mathit{Δq}|$"
    assert in_italics("比") in ("比", "□")  # as the typefaces of the machine allow, but never source code


def test_calibrators_differ_by_marker_and_colour() -> None:
    looks = [look(model) for model in ("md", "ordinary", "log_difference", "affine")]
    assert len({found.marker for found in looks}) == len({found.colour for found in looks}) == 4
    assert look("htl_offset") == look("htl_offset")
    assert look("htl_offset").title == "HTL-offset"
    assert look("some_method").title == "Some method"
    assert tint("#000000", 0.4) == "#999999"


@given(
    st.floats(-1e6, 1e6),
    st.floats(-12, 6).map(lambda power: 10.0**power),
    st.floats(15, 150),
    st.booleans(),
)
def test_linear_ticks_are_inside_and_do_not_touch(low: float, span: float, length: float, across: bool) -> None:
    span = max(span, 1e-3 * abs(low))
    with journal_style():
        ticks = linear_ticks(low, low + span, Room(length, across))
        assert all(low - 1e-6 * span <= v <= low + span + 1e-6 * span for v in ticks.positions)
        assert_apart(ticks, [(v - low) / span * length for v in ticks.positions], across)
        for position, label in zip(ticks.positions, ticks.labels, strict=True):
            shown = float(label.replace("−", "-")) * 10.0**ticks.exponent
            assert shown == pytest.approx(position, rel=1e-9, abs=1e-9 * span)


@given(st.floats(-12, 9), st.floats(0.02, 12), st.floats(25, 150), st.booleans())
def test_log_ticks_are_inside_and_do_not_touch(start: float, decades: float, length: float, across: bool) -> None:
    low, high = 10.0**start, 10.0 ** (start + decades)
    with journal_style():
        ticks = log_ticks(low, high, Room(length, across))
        assert len(ticks.positions) >= 2
        assert all(low * (1 - 1e-6) <= v <= high * (1 + 1e-6) for v in ticks.positions)
        assert_apart(ticks, [math.log10(v / low) / decades * length for v in ticks.positions], across)


def assert_apart(ticks, offsets: list[float], across: bool) -> None:  # type: ignore[no-untyped-def]
    for k in range(len(offsets) - 1):
        needed = (text_width(ticks.labels[k], 6.5) + text_width(ticks.labels[k + 1], 6.5)) / 2 if across else 2.0
        assert offsets[k + 1] - offsets[k] > needed


def test_presets_by_name() -> None:
    assert find_preset("single").width_mm == 85
    assert len({preset.key for preset in PRESETS}) == len(PRESETS)
    with pytest.raises(UserError, match=r"single, .*slide"):
        find_preset("poster")
