"""Pictures of many points: the same pixels as drawing each mark and each bar."""

import numpy as np
import pyqtgraph as pg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.plots.points.dense_points import DensePoints, covered_by_bars, covered_by_marks, half_widths
from tests.ui.unit_box import unit_box

WIDTH, HEIGHT = 23, 17
POINTS = st.lists(st.tuples(st.integers(-6, WIDTH + 6), st.integers(-6, HEIGHT + 6)), max_size=12)


@given(POINTS, st.sampled_from("osdx"), st.floats(1, 9))
def test_marks(points: list[tuple[int, int]], symbol: str, size: float) -> None:
    reaches = half_widths("t1" if symbol == "x" else symbol, size)
    radius = len(reaches) // 2
    expected = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for column, row in points:
        for offset, reach in zip(range(-radius, radius + 1), reaches, strict=True):
            for x in range(column - reach, column + reach + 1):
                if 0 <= row + offset < HEIGHT and 0 <= x < WIDTH:
                    expected[row + offset, x] = True
    columns = np.array([column for column, _ in points], dtype=np.int64)
    rows = np.array([row for _, row in points], dtype=np.int64)
    assert np.array_equal(covered_by_marks(columns, rows, WIDTH, HEIGHT, reaches), expected)


@given(st.lists(st.tuples(st.integers(-3, WIDTH + 3), st.floats(-30, 30), st.floats(0, 30)), max_size=12))
def test_bars(bars: list[tuple[int, float, float]]) -> None:
    expected = np.zeros((HEIGHT, WIDTH), dtype=bool)
    for column, top, length in bars:
        for row in range(HEIGHT):
            if 0 <= column < WIDTH and np.floor(top) <= row < np.ceil(top + length):
                expected[row, column] = True
    columns = np.array([bar[0] for bar in bars], dtype=np.int64)
    tops = np.array([bar[1] for bar in bars])
    bottoms = np.array([bar[1] + bar[2] for bar in bars])
    assert np.array_equal(covered_by_bars(columns, tops, bottoms, WIDTH, HEIGHT, 1), expected)


def test_bars_without_ends_are_passed_over() -> None:
    nan = np.array([np.nan, 3.0])
    covered = covered_by_bars(np.array([4, 5]), nan, nan + 2.0, WIDTH, HEIGHT, 1)
    assert not covered[:, 4].any()
    assert covered[3:5, 5].all()


@pytest.mark.parametrize("symbol", ["o", "s", "d", "t1"])
def test_shapes_are_symmetric_and_of_their_size(symbol: str) -> None:
    reaches = half_widths(symbol, 8.0)
    assert len(reaches) == 9
    assert max(reaches) == 4
    if symbol != "t1":
        assert reaches == reaches[::-1]


def test_points_land_where_the_axes_say(qtbot: QtBot, qapp: QApplication) -> None:
    canvas, box = unit_box(qtbot)
    item = DensePoints(box)
    item.set_style("s", 6.0, QColor("#0072B2"), QColor("#9CC3DC"))
    item.set_points(np.array([0.25, np.nan]), np.array([0.75, 0.5]), np.array([0.5, 0.0]), np.array([0.9, 1.0]))
    qapp.processEvents()
    image = canvas.grab().toImage()

    def seen(x: float, y: float) -> str:
        place = canvas.mapFromScene(box.mapViewToScene(pg.Point(x, y)))
        return image.pixelColor(place).name().upper()

    assert seen(0.25, 0.75) == "#0072B2"
    assert seen(0.25, 0.55) == "#9CC3DC"
    assert seen(0.25, 0.4) == seen(0.5, 0.5) == "#FFFFFF"
    box.translateBy(x=0.2)
    qapp.processEvents()
    image = canvas.grab().toImage()
    assert seen(0.25, 0.75) == "#0072B2"  # it moved with the axes
