"""Tens of thousands of points drawn as one picture: a mark where there is a point, a bar where there is an interval.

Drawing each mark and each bar as a shape takes a quarter of a second for 100,000 of them. Here the pixels that are
covered are worked out with array operations, in some milliseconds for any number of points; no point is left out.
"""

from typing import Any

import numpy as np
import pyqtgraph as pg
from numpy.typing import NDArray
from PySide6.QtCore import QPointF, QRectF, Slot
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QGraphicsObject, QStyleOptionGraphicsItem, QWidget

from affinecal_gui.calibration.results import FloatArray

MANY = 4000
"""From this number of points on they are drawn as a picture."""

Mask = NDArray[np.bool_]


class DensePoints(QGraphicsObject):
    """Points and bars of a plot box as a picture.

    Parameters
    ----------
    box
        The plot box; the item covers it and follows its range.
    """

    def __init__(self, box: pg.ViewBox) -> None:
        super().__init__()
        box.addItem(self, ignoreBounds=True)
        self._box: Any = box
        self._bounds = QRectF()
        self._x = self._y = self._lower = self._upper = np.zeros(0)
        self._colours = (QColor(), QColor())
        self._half_widths: list[int] = [0]
        self._symbol = "o"
        self._size = 6.0
        self._picture: tuple[object, QImage] | None = None
        self.setZValue(-5)
        box.sigRangeChanged.connect(self._changed)
        box.sigResized.connect(self._changed)
        self._changed()

    def set_points(
        self, x: FloatArray, y: FloatArray, lower: FloatArray | None = None, upper: FloatArray | None = None
    ) -> None:
        """Show points, with bars from ``lower`` to ``upper`` if given, all in plot coordinates."""
        kept = np.isfinite(x) & np.isfinite(y)
        self._x, self._y = x[kept], y[kept]
        self._lower = lower[kept] if lower is not None else np.zeros(0)
        self._upper = upper[kept] if upper is not None else np.zeros(0)
        self._picture = None
        self.update()

    def set_style(self, symbol: str, size: float, mark: QColor, bar: QColor) -> None:
        """Choose shape, size in pixels and colours."""
        self._symbol, self._size, self._colours = symbol, size, (mark, bar)
        self._picture = None
        self.update()

    @Slot()
    def _changed(self, *_: object) -> None:
        self.prepareGeometryChange()
        self._bounds = self.mapRectFromItem(self._box, QRectF(self._box.rect()))
        self._picture = None
        self.update()

    def boundingRect(self) -> QRectF:
        """Return the part of the plot in view, in plot coordinates."""
        return self._bounds

    def paint(self, painter: QPainter, option: QStyleOptionGraphicsItem, widget: QWidget | None = None) -> None:
        """Draw the picture; it is made anew when range, size or scale factor changed."""
        if self._x.size == 0:
            return
        # In pixels of the box: a picture must not be stretched.
        painter.save()
        painter.setTransform(self._box.itemTransform(self)[0], True)
        area = QRectF(self._box.rect())
        to_device = painter.deviceTransform()
        ratio = max(0.1, abs(to_device.m11()))
        wanted = (tuple(map(tuple, self._box.viewRange())), area.width(), area.height(), ratio)
        if self._picture is None or self._picture[0] != wanted:
            self._picture = (wanted, self._draw(round(area.width() * ratio), round(area.height() * ratio), ratio))
        # Pixel on pixel: half a pixel aside, the picture would be blurred.
        origin = to_device.map(area.topLeft())
        x, y = ((round(at) - at) / ratio for at in (origin.x(), origin.y()))
        painter.drawImage(QPointF(area.left() + x, area.top() + y), self._picture[1])
        painter.restore()

    def _draw(self, width: int, height: int, ratio: float) -> QImage:
        (x0, x1), (y0, y1) = self._box.viewRange()
        column = np.floor((self._x - x0) * (width / (x1 - x0))).astype(np.int64)
        per_y = height / (y1 - y0)
        row = np.floor((y1 - self._y) * per_y).astype(np.int64)
        pixels = np.zeros((height, width), dtype=np.uint32)
        if self._lower.size:
            bars = covered_by_bars(
                column, (y1 - self._upper) * per_y, (y1 - self._lower) * per_y, width, height, max(1, round(ratio))
            )
            pixels[bars] = self._colours[1].rgba()
        marks = covered_by_marks(column, row, width, height, half_widths(self._symbol, self._size * ratio))
        pixels[marks] = self._colours[0].rgba()
        image = QImage(pixels.tobytes(), width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied)
        image = image.copy()  # the bytes live only as long as this call
        image.setDevicePixelRatio(ratio)
        return image


def half_widths(symbol: str, size: float) -> list[int]:
    """Return, for each row of pixels of a mark from top to bottom, how far it reaches to either side."""
    radius = max(1, round(size / 2.0))
    rows = range(-radius, radius + 1)
    if symbol == "s":
        return [radius for _ in rows]
    if symbol == "d":
        return [radius - abs(row) for row in rows]
    if symbol == "t1":
        return [(row + radius) // 2 for row in rows]
    return [int((radius * radius - row * row) ** 0.5) for row in rows]


def covered_by_marks(
    column: NDArray[np.int64], row: NDArray[np.int64], width: int, height: int, reaches: list[int]
) -> Mask:
    """Return which pixels marks at these places cover: a (height, width) mask."""
    radius = len(reaches) // 2
    # A rim as wide as a mark, so that marks whose centre lies just outside are drawn as far as they reach in.
    wide, high = width + 2 * radius, height + 2 * radius
    inside = (column >= -radius) & (column < width + radius) & (row >= -radius) & (row < height + radius)
    centres = np.zeros((high, wide), dtype=np.bool_)
    centres.ravel()[(row[inside] + radius) * wide + column[inside] + radius] = True
    # Counting centres from the left turns "is there one within reach" into a difference of two counts.
    counts = np.zeros((high, wide + 1), dtype=np.int32)
    np.cumsum(centres, axis=1, out=counts[:, 1:])
    covered = np.zeros((height, width), dtype=np.bool_)
    for offset, reach in zip(range(-radius, radius + 1), reaches, strict=True):
        lines = counts[radius - offset : radius - offset + height]
        first = radius - reach
        covered |= lines[:, radius + reach + 1 : radius + reach + 1 + width] > lines[:, first : first + width]
    return covered


def covered_by_bars(
    column: NDArray[np.int64], top: FloatArray, bottom: FloatArray, width: int, height: int, thickness: int
) -> Mask:
    """Return which pixels upright bars cover: a (height, width) mask; bars without ends are passed over."""
    inside = (column >= 0) & (column < width) & np.isfinite(top) & np.isfinite(bottom)
    first = np.clip(np.floor(top[inside]), 0, height).astype(np.int64)
    last = np.clip(np.ceil(bottom[inside]), 0, height).astype(np.int64)
    steps = np.zeros((height + 1) * width, dtype=np.int32)
    steps += np.bincount(first * width + column[inside], minlength=steps.size).astype(np.int32)
    steps -= np.bincount(last * width + column[inside], minlength=steps.size).astype(np.int32)
    covered: Mask = np.cumsum(steps.reshape(height + 1, width), axis=0)[:height] > 0
    for shift in range(1, thickness):
        covered[:, shift:] |= covered[:, :-shift].copy()
    return covered
