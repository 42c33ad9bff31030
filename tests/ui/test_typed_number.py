"""A number that is typed means one thing, with either decimal mark, or is refused with what it may mean."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.errors import UserError
from affinecal_gui.ui.parts.typed_number import typed_number


@pytest.mark.parametrize(
    ("text", "value"),
    [("1.2", 1.2), ("1,2", 1.2), (" 400 ", 400.0), ("0,125", 0.125), ("−5", -5.0), (".5", 0.5), ("1,25e-3", 1.25e-3)],
)
def test_either_mark_is_read(text: str, value: float) -> None:
    assert typed_number(text) == value


def test_a_comma_that_may_part_thousands_is_asked_about() -> None:
    with pytest.raises(UserError, match=r"“1,400” may be 1\.400 or 1400\. Type one of these\."):
        typed_number("1,400")


@pytest.mark.parametrize("text", ["", "a lot", "1_000", "1.2.3", "1,2,3", "nan", "inf", "1e999", "5 K", "0x10"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"is not a number\.|A number is missing\."):
        typed_number(text)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-1e12, max_value=1e12))
def test_what_python_writes_is_read_again(value: float) -> None:
    assert typed_number(repr(value)) == value
