"""Marks at any number of places: shapes of their own, or, where there are tens of thousands, one picture."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QPainterPath, QPen

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.ui.views.plots.canvas.plot_items import Marks
from affinecal_gui.ui.views.plots.points.dense_points import MANY, DensePoints


class ManyMarks(Marks):
    """Marks of one look; from :data:`MANY` on they are drawn as a picture, which takes some milliseconds for any number.

    Parameters
    ----------
    box
        The plot box that they are put into.
    symbol
        Name of the mark, or its outline.
    z
        Height above the other items of the box.
    """

    def __init__(self, box: pg.ViewBox, symbol: str | QPainterPath = "o", z: float = 0.0) -> None:
        super().__init__(symbol)
        self.setZValue(z)
        box.addItem(self, ignoreBounds=True)
        self._box = box
        self._symbol = symbol if isinstance(symbol, str) else "o"
        self._look = (7.0, QColor())

    dense: DensePoints | None = None
    """What many are drawn as; made when there are, which for most marks is never."""

    def setData(self, *arguments: Any, **options: Any) -> None:
        """Show few marks."""
        super().setData(*arguments, **options)
        if self.dense is not None:
            self.dense.set_points(np.zeros(0), np.zeros(0))

    def put(self, x: FloatArray, y: FloatArray) -> None:
        """Show marks; those without a place are passed over."""
        kept = np.isfinite(x) & np.isfinite(y)
        if np.count_nonzero(kept) < MANY:
            super().put(x, y)
            return
        self.setData([], [])
        if self.dense is None:
            self.dense = DensePoints(self._box)
            # Below the lines of the same height, which thousands of points would bury.
            self.dense.setZValue(self.zValue() - 0.5)
            self._restyle()
        self.dense.set_points(x, y)

    def set_look(self, size: float, rim: QPen, inside: QColor | None, many: QColor) -> None:
        """Choose how marks look.

        Parameters
        ----------
        size
            Diameter in pixels.
        rim, inside
            Of single marks; without ``inside`` they are hollow.
        many
            Colour of the picture, in which rims would hide what they enclose.
        """
        self.setSize(size)
        self.setPen(rim)
        self.setBrush(inside)
        self._look = (size, many)
        self._restyle()

    def _restyle(self) -> None:
        if self.dense is not None:
            size, colour = self._look
            self.dense.set_style(self._symbol, size, colour, colour)
