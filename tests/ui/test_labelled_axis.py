"""Ticks and labels beside a panel, and plot items that have nothing to draw."""

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPen
from PySide6.QtWidgets import QApplication, QGraphicsRectItem, QGraphicsScene, QStyleOptionGraphicsItem

from affinecal_gui.ui.views.plots.canvas.labelled_axis import TICK, LabelledAxis
from affinecal_gui.ui.views.plots.canvas.plot_items import Curve, Marks
from affinecal_gui.ui.views.plots.coefficients.block_panel import Bars

TICKS, WORDS = QColor("#ff0000"), QColor("#0000ff")
LENGTH = 100


def painted(axis: LabelledAxis) -> np.ndarray:
    """Return the picture of an axis, in device pixels from 20 before its corner: rows, columns, blue-green-red."""
    image = QImage(180, 180, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    painter = QPainter(image)
    painter.translate(20, 20)
    axis.paint(painter, QStyleOptionGraphicsItem())
    painter.end()
    return np.frombuffer(image.constBits(), np.uint8).reshape(180, 180, 4)[:, :, :3].copy()


def is_tick(picture: np.ndarray) -> np.ndarray:
    return (picture == (0, 0, 255)).all(axis=2)


def is_word(picture: np.ndarray) -> np.ndarray:
    return (picture[:, :, 0] > picture[:, :, 2]) & ~is_tick(picture)


@pytest.fixture
def parent(qapp: QApplication) -> QGraphicsRectItem:
    """Return an item of a canvas."""
    scene = QGraphicsScene(qapp)
    item = QGraphicsRectItem()
    scene.addItem(item)
    return item


def axis(side: str, parent: QGraphicsRectItem) -> LabelledAxis:
    """Return an axis from 10 to 20 over 100 pixels, with red ticks and blue words."""
    made = LabelledAxis(side, parent)  # type: ignore[arg-type]
    made.set_geometry(QRectF(0, 0, 60, LENGTH) if side == "left" else QRectF(0, 0, LENGTH, 30))
    made.set_range(10.0, 20.0)
    font = QFont()
    font.setPixelSize(11)
    made.set_look(font, QPen(TICKS, 1.0), WORDS)
    return made


def test_ticks_and_words_of_an_upright_axis_stand_at_their_numbers_and_the_low_end_is_below(
    parent: QGraphicsRectItem,
) -> None:
    left = axis("left", parent)
    left.set_ticks((12.0, 17.0), ("12", "17"))
    picture = painted(left)
    rows = np.flatnonzero(is_tick(picture).any(axis=1)) - 20
    assert np.abs(rows - [30, 80]).max() <= 1  # 17 is three tenths from the top, 12 eight
    columns = np.flatnonzero(is_tick(picture).any(axis=0)) - 20
    assert (columns.min(), columns.max()) == (60 - TICK, 60)
    words = np.flatnonzero(is_word(picture).any(axis=1)) - 20
    assert {round(row / 10) for row in words} <= {2, 3, 4, 7, 8, 9}
    assert np.flatnonzero(is_word(picture).any(axis=0)).max() - 20 < 60 - TICK


def test_words_of_a_lying_axis_stand_below_their_ticks(parent: QGraphicsRectItem) -> None:
    bottom = axis("bottom", parent)
    bottom.set_ticks((15.0,), ("88",))
    picture = painted(bottom)
    assert set(np.flatnonzero(is_tick(picture).any(axis=0)) - 20) <= {49, 50}
    columns = np.flatnonzero(is_word(picture).any(axis=0)) - 20
    assert abs((columns.min() + columns.max()) / 2 - 50) <= 1.5
    assert np.flatnonzero(is_word(picture).any(axis=1)).min() - 20 > TICK


def test_what_lies_beyond_the_ends_is_not_drawn(parent: QGraphicsRectItem) -> None:
    left = axis("left", parent)
    left.set_ticks((9.0, 21.0), ("9", "21"))
    assert (painted(left) == 255).all()


def test_a_word_without_room_is_left_out_but_not_its_tick(parent: QGraphicsRectItem) -> None:
    left = axis("left", parent)
    left.set_ticks((15.0,), ("1234567890123456789012345",))
    picture = painted(left)
    assert is_tick(picture).any()
    assert not is_word(picture).any()


def test_the_mouse_passes_an_axis(parent: QGraphicsRectItem) -> None:
    assert not axis("left", parent).contains(QPointF(30.0, 30.0))


@pytest.mark.parametrize("kind", [Marks, Curve])
def test_marks_and_lines_without_data_are_not_painted(qapp: QApplication, kind: type) -> None:
    item = kind()
    assert not item.isVisible()
    item.setData([1.0, 2.0], [3.0, 4.0])
    assert item.isVisible()
    item.setData([], [])
    assert not item.isVisible()


def test_bars_without_data_are_not_painted_and_keep_their_extent_up_to_date(qapp: QApplication) -> None:
    bars = Bars(x=[], height=[], width=0.5)
    assert not bars.isVisible()
    bars.setOpts(x=[1.0, 2.0], height=[3.0, 4.0], pen=None)
    assert bars.isVisible()
    assert bars.boundingRect().contains(QRectF(0.75, 0.0, 1.5, 4.0))
    bars.setOpts(height=[3.0, 9.0])
    assert bars.boundingRect().contains(QRectF(0.75, 0.0, 1.5, 9.0))
    bars.setOpts(x=[], height=[])
    assert not bars.isVisible()
