"""Of two properties that go against each other the rows are found that none surpasses, however the rows come."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.tasks.screening.results.trade_off import MOST_SHOWN, Aim, TradeOff
from tests.tries import tries

VALUES = st.integers(0, 6).map(float)
AIMS: st.SearchStrategy[Aim] = st.sampled_from(["high", "low", 2.5, 3.0])


def merit(value: float, aim: Aim) -> float:
    """What is the higher, the better the value."""
    if aim == "high":
        return value
    return -value if aim == "low" else -abs(value - float(aim))


@settings(max_examples=tries(60))
@given(st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=30), AIMS, AIMS, st.integers(1, 4))
def test_the_front_is_that_of_comparing_all_rows_with_each_other(
    pairs: list[tuple[float, float]], first: Aim, second: Aim, parts: int
) -> None:
    values, rows = np.array(pairs), np.arange(1, len(pairs) + 1)
    found = TradeOff(("a", "b"), (first, second))
    for part in np.array_split(np.arange(len(pairs)), parts)[::-1]:
        found.add(values[part], rows[part])
    better = np.array([(merit(x, first), merit(y, second)) for x, y in pairs])
    expected = {
        (float(value[0]), float(value[1]))
        for value in better
        if not ((better >= value).all(axis=1) & (better > value).any(axis=1)).any()
    }
    front = found.so_far.front
    assert {(merit(x, first), merit(y, second)) for x, y in front.tolist()} == expected
    assert len(front) == len(expected)  # of equally good ones the first
    assert front[:, 0].tolist() == sorted(front[:, 0].tolist())


def test_of_a_long_library_a_share_is_shown_that_does_not_depend_on_the_order_of_its_parts() -> None:
    generator = np.random.default_rng(1)
    values, rows = generator.normal(size=(5 * MOST_SHOWN, 2)), np.arange(1, 5 * MOST_SHOWN + 1)
    parts = np.array_split(np.arange(len(rows)), 7)
    shown = []
    for order in (parts, parts[::-1]):
        found = TradeOff(("a", "b"), ("high", "high"))
        for part in order:
            found.add(values[part], rows[part])
        shown.append(found.so_far.shown)
    np.testing.assert_array_equal(*shown)
    assert MOST_SHOWN / 2 <= len(shown[0]) <= MOST_SHOWN
