"""Marks and lines in a plot, which cost nothing while there are none."""

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainterPath
from PySide6.QtWidgets import QGraphicsItem

from affinecal_gui.calibration.results import FloatArray


def show_if(item: QGraphicsItem, has_content: bool) -> None:
    """Show or hide an item; what it leaves when it is hidden is painted over, of which Qt does not know (see PlotCanvas)."""
    was_visible = item.isVisible()
    item.setVisible(has_content)
    if was_visible and not has_content and item.scene() is not None:
        item.scene().update()


class Marks(pg.ScatterPlotItem):  # type: ignore[misc]
    """Marks that leave the mouse to their plot, which knows the point nearest to it.

    Parameters
    ----------
    symbol
        Name of the mark, or its outline.
    """

    def __init__(self, symbol: str | QPainterPath = "o") -> None:
        super().__init__(symbol=symbol, pxMode=True)

    _bounds: QRectF | None = None  # the base class sets data while it is being made

    def setData(self, *arguments: Any, **options: Any) -> None:
        """Show marks; without any the item costs nothing when its plot is painted."""
        super().setData(*arguments, **options)
        show_if(self, len(self.data) > 0)

    def boundingRect(self) -> QRectF:
        """Return the extent, which is asked for several times whenever the plot is painted."""
        if self._bounds is None or None in self.bounds:
            self._bounds = super().boundingRect()
        return self._bounds

    def put(self, x: FloatArray, y: FloatArray) -> None:
        """Show marks; those without a place are passed over, Qt crashes on them."""
        kept = np.isfinite(x) & np.isfinite(y)
        self.setData(x[kept], y[kept])

    def mouseClickEvent(self, event: Any) -> None:
        """Let the click through."""
        event.ignore()


class Curve(pg.PlotCurveItem):  # type: ignore[misc]
    """Lines; without any the item costs nothing when its plot is painted."""

    def setData(self, *arguments: Any, **options: Any) -> None:
        """Show lines."""
        super().setData(*arguments, **options)
        show_if(self, self.xData is not None and len(self.xData) > 0)
