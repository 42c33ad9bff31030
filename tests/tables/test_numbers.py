"""Cells to numbers: nothing is guessed in silence, and odd cells say how they were read."""

import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from affinecal_gui.tables.cells.numbers import read_number, read_number_column
from affinecal_gui.tables.single_numbers import NumberFormat

COMMA = NumberFormat(",")


@pytest.mark.parametrize(
    ("text", "value", "uncertainty"),
    [
        ("1.3", 1.3, math.nan),
        ("-0.5e-3", -0.0005, math.nan),
        (".5", 0.5, math.nan),
        ("5.", 5.0, math.nan),
        ("1.2E3", 1200.0, math.nan),
        ("1·25", 1.25, math.nan),
        ("−0·50 ± 0·02", -0.5, 0.02),
        ("1.2·10³", 1200.0, math.nan),
        ("3·10^5", 3e5, math.nan),
        ("٣٫١٤", 3.14, math.nan),
        ("1٬234٫5", 1234.5, math.nan),
        ("&minus;1.5", -1.5, math.nan),
        ("1.25&nbsp;&plusmn;&nbsp;0.02", 1.25, 0.02),
        ("10E5", 1e6, math.nan),
        ("1.0-1.2", 1.1, 0.1),
        ("1.0 – 1.2", 1.1, 0.1),
        ("1.0~1.2", 1.1, 0.1),
        ("1.0 to 1.2", 1.1, 0.1),
        ("1.0 bis 1.2", 1.1, 0.1),
        ("-5--3", -4.0, 1.0),
        ("1e-3-2e-3", 0.0015, 0.0005),
        ("1.0 ... 1.2", 1.1, 0.1),
        ("1.0…1.2", 1.1, 0.1),
        ("from 1.0 to 1.2", 1.1, 0.1),
        ("between 1.0 and 1.2", 1.1, 0.1),
        ("zwischen 1.0 und 1.2", 1.1, 0.1),
        ("1.2 (1.1-1.3)", 1.2, 0.1),
        ("1.2 [1.1; 1.3]", 1.2, 0.1),
        ("1.25 [1.1, 1.3]", 1.25, 0.1),
        ("1.2 ± 0.1 (n=3)", 1.2, 0.1),
        ("1.3?", 1.3, math.nan),
        ("1.3 (est.)", 1.3, math.nan),
        ("1.2 ± 0.1", 1.2, 0.1),
        ("1.2±0.1", 1.2, 0.1),
        ("1.2 +/- 0.1", 1.2, 0.1),
        ("1.05 (0.02)", 1.05, 0.02),
        ("1.05 [0.02]", 1.05, 0.02),
        ("1.05 {0.02}", 1.05, 0.02),
        ("-1.05 (0.02)", -1.05, 0.02),
        ("1.05 (sd 0.02)", 1.05, 0.02),
        ("1.05 (SD: 0.02)", 1.05, 0.02),
        ("1200 (s = 20)", 1200.0, 20.0),
        ("1.05 (±0.02)", 1.05, 0.02),
        ("1.05 (+/- 0.02)", 1.05, 0.02),
        ("1.05 (0.02, n = 5)", 1.05, 0.02),
        ("1.05 (0.02) [3]", 1.05, 0.02),
        ("1.05 ± 0.02 (5)", 1.05, 0.02),
        ("1.05 +0.02/-0.04", 1.05, 0.03),
        ("1.23(4)e3", 1230.0, 40.0),
        ("1.234(12)E-3", 0.001234, 0.000012),
        ("(1.5±0.2)×10³", 1500.0, 200.0),
        ("(1.5 +/- 0.2)e3", 1500.0, 200.0),
        ("(1.5(2)) × 10^3", 1500.0, 200.0),
        ("(1.5 ± 0.2)", 1.5, 0.2),
        ("1.5e3±200", 1500.0, 200.0),
        ("1.5×10³ ± 200", 1500.0, 200.0),
        ("1500±2e2", 1500.0, 200.0),
        ("1.05 (12)", 1.05, math.nan),  # a reference, perhaps
        ("1.05 [12]", 1.05, math.nan),
        ("1.05 (n=5)", 1.05, math.nan),
        ("100 (373.15)", 100.0, math.nan),  # the same in another unit, perhaps
        ('="1.05"', 1.05, math.nan),
        ("=1.05", 1.05, math.nan),
        ("'1.05", 1.05, math.nan),
        ('="-1.05"', -1.05, math.nan),
        ("1.1-", -1.1, math.nan),
        ("1.1−", -1.1, math.nan),
        ("1.1-1.3", 1.2, 0.1),
        ("1.30(2)", 1.30, 0.02),
        ("1.302(15)", 1.302, 0.015),
        ("6772(3)", 6772.0, 3.0),
        ("~1.3", 1.3, math.nan),
        ("ca. 1.3", 1.3, math.nan),
        ("約1.3", 1.3, math.nan),
        ("6772(r)", 6772.0, math.nan),
        ("1.9 b)", 1.9, math.nan),
        ("1.9*", 1.9, math.nan),
        ("1.9²", 1.9, math.nan),
        ("1.9 [3]", 1.9, math.nan),
        ("1.9[12,13]", 1.9, math.nan),
        ("−1.5", -1.5, math.nan),
        ("–1.5", -1.5, math.nan),
        ("１．２", 1.2, math.nan),
        ("－１２", -12.0, math.nan),
        ("1.2×10³", 1200.0, math.nan),
        ("1.2 x 10^-3", 0.0012, math.nan),
        ("1.2·10⁻³", 0.0012, math.nan),
        ("1.30(2)×10³", 1300.0, 20.0),
        ("(1.3)", 1.3, math.nan),
        ("+7", 7.0, math.nan),
        ("1 234", 1234.0, math.nan),
        ("1\u202f467.5", 1467.5, math.nan),
        ("1\u00a0200-1\u00a0400", 1300.0, 100.0),
        ("1'234'567", 1234567.0, math.nan),
    ],
)
def test_reads_value_and_uncertainty(text: str, value: float, uncertainty: float) -> None:
    reading = read_number(text)
    assert reading.state == "value"
    assert reading.value == pytest.approx(value, rel=1e-12)
    assert reading.uncertainty == pytest.approx(uncertainty, rel=1e-9, nan_ok=True)
    assert reading.suffix == ""


@pytest.mark.parametrize(
    ("text", "value", "percent", "suffix"),
    [
        ("200 ± 5%", 200.0, 5.0, ""),
        ("1200 ± 2 %", 1200.0, 2.0, ""),
        ("1200 (2 %)", 1200.0, 2.0, ""),
        ("1200 (± 2%)", 1200.0, 2.0, ""),
        ("1200 (RSD 2)", 1200.0, 2.0, ""),
        ("1200 J/(kg K) ± 2 %", 1200.0, 2.0, "J/(kg K)"),
        ("45 % ± 2 %", 45.0, 2.0, "%"),
    ],
)
def test_a_deviation_in_per_cent_is_handed_on_as_such(text: str, value: float, percent: float, suffix: str) -> None:
    reading = read_number(text)
    assert (reading.value, reading.percent, reading.suffix) == (value, percent, suffix)
    assert math.isnan(reading.uncertainty)


@pytest.mark.parametrize(
    ("text", "uncertainty", "suffix"),
    [
        ("1.05 g/cm3 ± 0.02", 0.02, "g/cm3"),
        ("1.05 g/cm³ ± 0.02 g/cm³", 0.02, "g/cm³"),
        ("1.05 ± 0.02 g/cm3", 0.02, "g/cm3"),
        ("(1.05 ± 0.02) g/cm3", 0.02, "g/cm3"),
        ("1.05(2) g/cm3", 0.02, "g/cm3"),
        ("(45 ± 2) %", 2.0, "%"),
    ],
)
def test_a_unit_may_stand_before_or_behind_the_deviation(text: str, uncertainty: float, suffix: str) -> None:
    reading = read_number(text)
    assert reading.uncertainty == pytest.approx(uncertainty, rel=1e-12)
    assert reading.suffix == suffix


@pytest.mark.parametrize(
    "text", ["6772(r)", "1.9 b)", "1.9*", "~1.3", "1.0-1.2", "(1.3)", "1.1-", "1.05 (0.02)", "1.05 (12)", "1.05(12)"]
)
def test_says_how_an_odd_cell_was_read(text: str) -> None:
    assert read_number(text).note


@pytest.mark.parametrize(
    "text",
    ["", "-", "–", "n.d.", "N/A", "NaN", "nan", "#N/A", "n. b.", "未測定", "not determined", "...", "ｎ／ａ"],
)
def test_words_for_no_value_are_missing_not_wrong(text: str) -> None:
    assert read_number(text).state == "missing"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("<5", "limit"),
        ("≥ 300", "limit"),
        ("5-3", "range"),
        ("1.3.4", "more than one decimal mark"),
        ("PI12", "not a number"),
        ("abc", "not a number"),
        ("1e999", "too large"),
        ("inf", "not a number"),
        ("-inf", "not a number"),
        ("+Inf", "not a number"),
        ("Infinity", "not a number"),
        ("-Infinity", "not a number"),
        ("∞", "not a number"),
        ("2024-01-05", "is a date"),
        ("18.01.2024", "is a date"),
        ("18. Jan", "is a date"),
        ("01. Mai", "is a date"),
        ("5-Jan", "is a date"),
        ("Jan-05", "is a date"),
        ("5/1/2024", "is a date"),
        ("01.05.24", "is a date"),
        ("2024-05-01 00:00:00", "is a date"),
        ("5月1日", "is a date"),
        ("1:30", "is a time"),
        ("01:30:00", "is a time"),
        ("1:30 PM", "is a time"),
        ("1 day, 1:30:00", "is a time"),
        ("TRUE", "not a number"),
        ("WAHR", "not a number"),
        ("3·105", "may be 3.105 or 3×10^5"),
        ("1.1–", "dash behind"),
        ("1.1 -", "dash behind"),
        ("-1.1-", "dash behind"),
        ("1.5 ± 0.2 × 10³", "power of ten"),
        ("1.5 ± 0.2e3", "power of ten"),
        ("Mai 24", "is a date"),
        ("1.2 ±", "behind ±"),
        ("1,5", "comma"),
        ("1 234 5", "mixes"),
        ("12 34", "mixes"),
        ("1,240.5", "mixes"),
    ],
)
def test_refuses_what_is_not_certainly_a_number(text: str, words: str) -> None:
    reading = read_number(text)
    assert reading.state == "problem"
    assert words in reading.reason
    assert math.isnan(reading.value)


@pytest.mark.parametrize(
    ("text", "style", "suggestion"),
    [
        ("1.240", COMMA, "Read as 1,240"),
        ("0,9", NumberFormat(), "Read as 0.9"),
    ],
)
def test_offers_what_may_have_been_meant(text: str, style: NumberFormat, suggestion: str) -> None:
    assert read_number(text, style).suggestion == suggestion


@pytest.mark.parametrize(
    ("text", "style", "value"),
    [
        ("1.234,5", NumberFormat(",", "."), 1234.5),
        ("1,234.5", NumberFormat(".", ","), 1234.5),
        ("1 234 567", NumberFormat(".", " "), 1234567.0),
        ("1\u202f234,5", NumberFormat(",", " "), 1234.5),
        ("1’234.5", NumberFormat(".", "'"), 1234.5),
        ("0,9", COMMA, 0.9),
        ("1,0-1,2", COMMA, 1.1),
        ("1,0 bis 1,2", COMMA, 1.1),
        ("1,2 (1,1-1,3)", COMMA, 1.2),
        ("1,2 (0,1)", COMMA, 1.2),
        ("1,2 ± 0,1", COMMA, 1.2),
        ("(1,2±0,1)×10³", COMMA, 1200.0),
        ('="1,2"', COMMA, 1.2),
        ("1,2-", COMMA, -1.2),
        ("1.200-1.400", NumberFormat(",", "."), 1300.0),
        ("1,200–1,400", NumberFormat(".", ","), 1300.0),
    ],
)
def test_chosen_marks_are_followed(text: str, style: NumberFormat, value: float) -> None:
    assert read_number(text, style).value == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("text", ["12,34.5", "1,23", "1234,567", "1,,234"])
def test_thousands_marks_must_stand_at_thousands(text: str) -> None:
    assert read_number(text, NumberFormat(".", ",")).state == "problem"


@pytest.mark.parametrize(
    ("text", "suffix"), [("45 %", "%"), ("1.2 J/g/K", "J/g/K"), ("298.15 K", "K"), ("0x10", "x10")]
)
def test_text_behind_a_number_is_handed_on(text: str, suffix: str) -> None:
    assert read_number(text).suffix == suffix


@given(st.floats(allow_nan=False, allow_infinity=False, width=64))
@example(0.1 + 0.2)
@example(-0.0)
@example(5e-324)
def test_every_number_that_python_writes_is_read_exactly(number: float) -> None:
    assert read_number(repr(number)).value == number


@given(
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**9), max_value=10**9, places=4),
    st.sampled_from([NumberFormat(), COMMA, NumberFormat(".", ","), NumberFormat(",", "."), NumberFormat(",", " ")]),
)
def test_every_style_reads_back(number: object, style: NumberFormat) -> None:
    english = f"{number:,.4f}"
    text = english.replace(",", "\x00").replace(".", style.decimal).replace("\x00", style.thousands)
    assert read_number(text, style).value == float(str(number))


@given(st.text(max_size=30))
def test_any_text_gives_one_of_three_answers(text: str) -> None:
    for style in (NumberFormat(), COMMA, NumberFormat(".", ",")):
        reading = read_number(text, style)
        assert (reading.state == "value") == math.isfinite(reading.value)
        assert (reading.state == "problem") == bool(reading.reason)


@given(
    st.lists(
        st.one_of(
            st.floats(allow_nan=False, allow_infinity=False).map(repr),
            st.sampled_from(["", "n.d.", "1_000", "nan", "inf", "1.0-1.2", "x", "1e999", " "]),
        ),
        max_size=20,
    )
)
def test_a_column_reads_like_its_cells(cells: list[str]) -> None:
    column = read_number_column(cells)
    single = [read_number(cell) for cell in cells]
    np.testing.assert_array_equal(column.values, [reading.value for reading in single])
    np.testing.assert_array_equal(column.uncertainty, [reading.uncertainty for reading in single])
    for row, reading in enumerate(single):
        if reading.state == "problem":
            assert repr(column.odd[row]) == repr(reading)  # nan, which it may hold, is not equal to itself
    assert not column.values.flags.writeable


@pytest.mark.parametrize(
    ("text", "suffix"),
    [
        *((text, "") for text in ("1834.5* a)", "1834.5 (a) *", "1834.5 [3], [4]", "1834.5†,b", "1834.5 a, b)")),
        ("1834.5 kJ/(kg K) a)", "kJ/(kg K)"),
        ("1834.5 K*", "K"),
        ("1834.5 m s", "m s"),  # a unit, and not two footnotes
        ("1834.5 *2", "*2"),  # no mark: somebody multiplied
    ],
)
def test_any_run_of_footnote_marks_is_left_away(text: str, suffix: str) -> None:
    reading = read_number(text)
    assert (reading.state, reading.value, reading.suffix) == ("value", 1834.5, suffix)


def test_a_long_tail_of_marks_takes_no_time_to_refuse() -> None:
    assert read_number("1.5 " + "* a) [1], " * 2000 + "!").suffix
    assert read_number("1.5" + "*" * 75 + "!").suffix


DIGITS = st.decimals(allow_nan=False, allow_infinity=False, min_value=1, max_value=999, places=2)
SMALL = st.decimals(allow_nan=False, allow_infinity=False, min_value="0.01", max_value="0.99", places=2)
PAIRS = ("{} ± {}", "{}±{}", "{} +/- {}", "{} ({})", "{} [{}]", "{} (sd {})", "{} (±{})", "({} ± {})", "{} ± {} (n=3)")


@given(DIGITS, SMALL, st.sampled_from(PAIRS), st.sampled_from([NumberFormat(), COMMA]))
def test_every_way_of_writing_a_value_with_its_deviation_reads_the_same(
    value: object, deviation: object, form: str, style: NumberFormat
) -> None:
    reading = read_number(form.format(value, deviation).replace(".", style.decimal), style)
    assert (reading.value, reading.uncertainty, reading.suffix) == (float(str(value)), float(str(deviation)), "")


@given(DIGITS, SMALL, st.integers(-9, 9), st.sampled_from(("({} ± {})e{}", "({} ± {})×10^{}", "({}±{}) * 10**{}")))
def test_a_power_behind_brackets_is_of_both_numbers(value: object, deviation: object, power: int, form: str) -> None:
    reading = read_number(form.format(value, deviation, power))
    assert reading.value == float(f"{value}e{power}")
    assert reading.uncertainty == float(f"{deviation}e{power}")


@pytest.mark.parametrize(
    ("text", "value"),
    [("4.458 x1000", 4458.0), ("4.5 ×100", 450.0), ("(1.5 ± 0.2)×1000", 1500.0), ("1.2×103", 1200.0), ("1.2×10⁰", 1.2)],
)
def test_a_power_of_ten_may_be_written_out(text: str, value: float) -> None:
    assert read_number(text).value == value


@pytest.mark.parametrize("text", ["-30-20", "-30 -20", "−30 −20", "-30–20"])
def test_a_dash_that_may_be_the_sign_of_the_end_of_a_range_is_not_guessed(text: str) -> None:
    found = read_number(text)
    assert found.state == "problem"
    assert found.reason == f"“{text}” may end at a negative number or at a positive one"
    assert found.suggestion == "Write “-30 to 20” or “-30 to -20”"


@pytest.mark.parametrize(
    ("text", "middle"), [("-30 - 20", -5.0), ("-30 to -20", -25.0), ("-30--20", -25.0), ("20 -30", 25.0)]
)
def test_a_range_whose_end_has_one_sign_is_read(text: str, middle: float) -> None:
    assert read_number(text).value == middle
