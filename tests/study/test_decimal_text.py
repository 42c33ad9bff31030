"""Many numbers as text at once are what ``repr`` writes of each, without a fraction that is nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affinecal_gui.study.records.decimal_text import joined_rows


def one_by_one(values: np.ndarray) -> list[bytes]:
    """The oracle."""
    return [
        "".join(("" if v != v else repr(v).removesuffix(".0")) + "," for v in row).encode() for row in values.tolist()
    ]


@given(arrays(np.float64, (5, 3), elements=st.floats(width=64)))
def test_any_numbers(values: np.ndarray) -> None:
    assert joined_rows(values) == one_by_one(values)


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
    assert joined_rows(values) == one_by_one(values)


@pytest.mark.parametrize("digits", range(1, 18))
def test_decimals_of_every_length_and_size(digits: int) -> None:
    generator = np.random.default_rng(digits)
    for exponent in range(-8, 18):
        values = np.array([float(f"{v:.{digits}g}") for v in generator.uniform(-1, 1, 60) * 10.0**exponent])
        values = values.reshape(12, 5)
        assert joined_rows(values) == one_by_one(values)


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
    assert joined_rows(values) == one_by_one(values)
    assert joined_rows(values[:, :4]) == one_by_one(values[:, :4])  # all of them short


def test_numbers_that_do_not_lie_beside_each_other() -> None:
    values = np.arange(24.0).reshape(4, 6) / 8
    assert joined_rows(values[::2, ::-2]) == one_by_one(values[::2, ::-2])
