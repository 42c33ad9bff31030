"""Many numbers as text at once bring back the very same numbers, whoever writes them, and are as short as can be."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affinecal_gui.study.records.decimal_text import joined_rows


def assert_written(values: np.ndarray) -> None:
    """Hold the text of each row against Python's own reading and writing of numbers."""
    for of_many in (False, True):
        rows = joined_rows(values, of_many=of_many)
        assert len(rows) == len(values)
        for row, numbers in zip(rows, values.tolist(), strict=True):
            cells = row.decode().split(",")
            assert cells.pop() == ""
            for cell, number in zip(cells, numbers, strict=True):
                if number != number:
                    assert cell == ""
                    continue
                assert float(cell).hex() == number.hex()  # also the sign of zero
                assert digits_of(cell) == digits_of(repr(number))  # no digit that says nothing
                assert not cell.endswith(".0")


def digits_of(text: str) -> str:
    """The digits of a number without its power of ten and the noughts around them."""
    return text.lower().partition("e")[0].replace(".", "").strip("-0")


@given(arrays(np.float64, (5, 3), elements=st.floats(width=64)))
def test_any_numbers(values: np.ndarray) -> None:
    assert_written(values)


@given(
    st.lists(
        st.decimals(min_value=-(10**16), max_value=10**16, places=8).map(float)
        | st.floats(-1e-3, 1e-3)
        | st.just(np.nan),
        min_size=1,
        max_size=60,
    )
)
def test_decimals_among_other_numbers(numbers: list[float]) -> None:
    values = np.array(numbers)[:, None]
    assert_written(values)


@pytest.mark.parametrize("digits", range(1, 18))
def test_decimals_of_every_length_and_size(digits: int) -> None:
    generator = np.random.default_rng(digits)
    for exponent in range(-8, 18):
        values = np.array([float(f"{v:.{digits}g}") for v in generator.uniform(-1, 1, 60) * 10.0**exponent])
        values = values.reshape(12, 5)
        assert_written(values)


def test_edges() -> None:
    edges = [
        0.0,
        -0.0,
        1.0,
        0.1,
        1e15,
        1e16,
        999999999999999.0,
        99999999999999.9,
        1e-4,
        9.999e-5,
        1.234e-4,
        0.3,
        0.1 + 0.2,
    ]
    edges += [np.inf, -np.inf, np.nan, 5e-324, 1.7976931348623157e308, 2.0**53, 2.0**53 + 2, 123456789.125, 1e22, 1e23]
    values = np.array([edges, [-edge for edge in edges]])
    assert_written(values)
    assert_written(values[:, :4])


def test_numbers_that_do_not_lie_beside_each_other() -> None:
    values = np.arange(24.0).reshape(4, 6) / 8
    assert_written(values[::2, ::-2])
