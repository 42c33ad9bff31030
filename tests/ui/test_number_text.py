"""Numbers as the screen shows them."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.numbers import TIMES
from affinecal_gui.ui.parts.number_text import MINUS, MISSING, decimals_for, number_text, range_text, significant


@pytest.mark.parametrize(
    ("value", "decimals", "signed", "text"),
    [
        (1905.4, 0, False, "1905"),
        (-1.44, 1, True, "−1.4"),
        (14.4, 1, True, "+14.4"),
        (-0.004, 2, False, "0.00"),
        (0.0, 1, True, "0.0"),
        (math.nan, 2, True, "–"),
        (-math.inf, 0, False, "–"),
        (1e304, 0, False, "1.000\u00a0×\u00a010³⁰⁴"),
        (-2_469_135.0, 1, True, "−2.469\u00a0×\u00a010⁶"),
        (3.2e-9, 12, True, "+3.20\u00a0×\u00a010⁻⁹"),
        (999_999.4, 0, False, "999999"),
    ],
)
def test_fixed_decimals(value: float, decimals: int, signed: bool, text: str) -> None:
    assert number_text(value, decimals, signed) == text


@pytest.mark.parametrize(
    ("value", "digits", "text"),
    [
        (6.8129, 3, "6.81"),
        (31.62, 3, "31.6"),
        (0.0330, 3, "0.0330"),
        (1905.0, 3, "1905"),
        (9.996, 3, "10.0"),
        (0.99999, 2, "1.0"),
        (-4e-13, 1, "−4\u00a0×\u00a010⁻¹³"),
        (9.96e12, 2, "1.0\u00a0×\u00a010¹³"),
        (0.0, 3, "0"),
        (5e-324, 2, "4.9\u00a0×\u00a010⁻³²⁴"),
        (math.nan, 3, "–"),
    ],
)
def test_significant_digits(value: float, digits: int, text: str) -> None:
    assert significant(value, digits) == text


def test_ranges() -> None:
    assert range_text(932.3, 1501.4) == "932–1501"
    assert range_text(-0.028, -0.002, 3) == "−0.028 to −0.002"
    assert range_text(math.nan, 1.0) == MISSING


def test_decimals_follow_the_largest_value() -> None:
    assert decimals_for((258.0, 198.0), 3) == 0
    assert decimals_for((0.033, 0.02), 3) == 4
    assert decimals_for(np.array([1.2, math.nan, -0.9])) == 3
    assert decimals_for(()) == decimals_for([math.nan]) == 0


@given(st.floats(-1e12, 1e12, allow_subnormal=False).filter(lambda v: v == 0.0 or abs(v) > 1e-290), st.integers(1, 6))
def test_significant_digits_say_the_number(value: float, digits: int) -> None:
    text = significant(value, digits).replace(MINUS, "-")
    if TIMES + "10" in text:
        mantissa, _, power = text.partition(TIMES + "10")
        exponent = int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
        read = float(mantissa) * 10.0**exponent
    else:
        read = float(text)
    assert abs(read - value) <= 0.5000001 * abs(value) * 10.0 ** (1 - digits)
