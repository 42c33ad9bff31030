"""Words in the corners of a parity plot never cover a point."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affinecal_gui.ui.views.plots.parity.parity_range import (
    NO_POINTS,
    CornerSize,
    extremes,
    extremes_together,
    fitting_range,
    reaching,
)

COORDINATES = arrays(np.float64, st.integers(1, 40), elements=st.floats(-2, 2))


def in_corner(
    x: np.ndarray, y: np.ndarray, ranges: object, width: float, height: float, top: CornerSize, bottom: CornerSize
) -> int:
    """Count points below the words, by looking at each of them."""
    (x0, x1), (y0, y1) = ranges  # type: ignore[misc]
    across, down = (x - x0) / (x1 - x0) * width, (y1 - y) / (y1 - y0) * height
    upper = (across < top.width) & (down < top.height)
    lower = (across > width - bottom.width) & (down > height - bottom.height)
    return int(upper.sum() + lower.sum())


@given(st.data(), COORDINATES)
def test_corners_are_free_and_every_point_is_seen(data: st.DataObject, x: np.ndarray) -> None:
    y = x + data.draw(arrays(np.float64, x.size, elements=st.floats(-0.8, 1.5)))
    width, height = data.draw(st.floats(180, 600)), data.draw(st.floats(180, 600))
    top, bottom = CornerSize(150.0, 75.0), data.draw(st.sampled_from([CornerSize(), CornerSize(110.0, 70.0)]))
    square = data.draw(st.booleans())
    ranges = fitting_range(extremes(x, y), width, height, top, bottom, square)
    (x0, x1), (y0, y1) = ranges
    assert (x1 - x0) / width == pytest.approx((y1 - y0) / height)  # the same length per factor
    assert in_corner(x, y, ranges, width, height, top, bottom) == 0
    per_pixel = (x1 - x0) / width
    for values, low, high in ((x, x0, x1), (y, y0, y1)):
        assert values.min() >= low + 4 * per_pixel
        assert values.max() <= high - 4 * per_pixel


def test_identity_line_runs_from_corner_to_corner_where_it_can() -> None:
    x = np.linspace(2.9, 3.4, 30)
    (x0, x1), (y0, y1) = fitting_range(extremes(x, x), 300, 300, CornerSize(), CornerSize(), square=True)
    assert x0 == pytest.approx(y0)
    assert x1 == pytest.approx(y1)


@given(st.lists(st.tuples(COORDINATES, st.integers(0, 2**32 - 1)), min_size=1, max_size=4))
def test_panels_together_see_what_all_their_points_need(panels: list[tuple[np.ndarray, int]]) -> None:
    pairs = [(x, np.random.default_rng(seed).uniform(-2, 2, x.size)) for x, seed in panels]
    together = extremes_together([extremes(x, y) for x, y in pairs])
    at_once = extremes(np.concatenate([x for x, _ in pairs]), np.concatenate([y for _, y in pairs]))
    top, bottom = CornerSize(90.0, 40.0), CornerSize(80.0, 25.0)
    assert together.bounds == at_once.bounds
    assert fitting_range(together, 200, 260, top, bottom, False) == fitting_range(at_once, 200, 260, top, bottom, False)


@pytest.mark.parametrize("decimals", [0, 2, 15])
def test_extremes_of_a_crowd_are_those_of_a_plain_search(decimals: int) -> None:
    random = np.random.default_rng(decimals)
    x, noise = random.normal(size=5000).round(decimals), random.normal(size=5000)
    y = (x + noise).round(decimals)
    found = extremes(x, y)
    order = np.argsort(x, kind="stable")
    top = [i for k, i in enumerate(order) if k == 0 or y[i] > y[order[:k]].max()]
    bottom = [i for k, i in enumerate(order) if k == order.size - 1 or y[i] < y[order[k + 1 :]].min()]
    assert (found.top_x, found.top_y) == (x[top].tolist(), y[top].tolist())
    assert (found.bottom_x, found.bottom_y) == (x[bottom].tolist(), y[bottom].tolist())
    assert found.bounds == (x.min(), x.max(), y.min(), y.max())


def test_degenerate_points() -> None:
    assert fitting_range(NO_POINTS, 200, 100, CornerSize(), CornerSize(), True) == ((0.0, 1.0), (0.0, 0.5))
    nan = np.array([np.nan])
    assert extremes(nan, nan).empty
    (x0, x1), (y0, y1) = fitting_range(
        extremes(np.array([3.0]), np.array([3.0])), 300, 200, CornerSize(), CornerSize(), True
    )
    assert x0 < 3.0 < x1
    assert y0 < 3.0 < y1
    assert extremes_together([NO_POINTS, NO_POINTS]).empty


def test_words_cover_no_bar_where_that_leaves_the_points_large() -> None:
    x = np.linspace(2.9, 3.4, 30)
    lower, upper = x - 0.12, x + 0.12
    points = reaching(extremes(x, x), x, lower, upper)
    top, bottom = CornerSize(128.0, 74.0), CornerSize(105.0, 57.0)
    ranges = fitting_range(points, 260, 230, top, bottom, True)
    (_, _), (y0, y1) = ranges
    assert y0 < lower.min()
    assert upper.max() < y1
    along = np.linspace(0.0, 1.0, 50)
    bars = (lower[:, None] + along * (upper - lower)[:, None]).ravel()
    assert in_corner(np.repeat(x, along.size), bars, ranges, 260, 230, top, bottom) == 0


def test_bars_without_end_do_not_squeeze_the_points_together() -> None:
    x = np.linspace(2.9, 3.4, 30)
    top, bottom = CornerSize(128.0, 74.0), CornerSize(105.0, 57.0)
    points = extremes(x, x)
    plain = fitting_range(points, 260, 230, top, bottom, True)
    barred = fitting_range(reaching(points, x, x - 50.0, x + 50.0), 260, 230, top, bottom, True)
    assert barred[0][1] - barred[0][0] < 3.0 * (plain[0][1] - plain[0][0])
    assert in_corner(x, x, barred, 260, 230, top, bottom) == 0
