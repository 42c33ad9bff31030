"""Points of a plot under the mouse and selected: which they are, and the marks by which they are seen."""

from collections.abc import Callable, Sequence

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF, QRectF

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.plot_items import Marks
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.points.many_marks import ManyMarks

REACH = 8.0  # pixels around a point within which the mouse is on it

Places = Callable[[list[int]], tuple[FloatArray, FloatArray]]
"""Where the points of these numbers stand, in plot coordinates; a point may stand in several places."""


def nearest_point(box: pg.ViewBox, scene: QPointF, x: FloatArray, heights: Sequence[FloatArray]) -> int:
    """Return the number of the point nearest to a place on the canvas, -1 if none is within :data:`REACH`.

    Parameters
    ----------
    box
        The inside of the plot.
    scene
        The place.
    x, heights
        (k,) where the points stand, in plot coordinates; of each, several heights may be drawn.
    """
    if not heights or x.size == 0:
        return -1
    place = box.mapFromScene(scene)
    (x0, x1), (y0, y1) = box.viewRange()
    size = box.rect()
    across = (x - x0) * (size.width() / (x1 - x0)) - place.x()
    nearest, least = -1, REACH**2
    for y in heights:
        along = (y1 - y) * (size.height() / (y1 - y0)) - place.y()
        distance = across**2 + along**2
        distance[np.isnan(distance)] = np.inf
        found = int(np.argmin(distance))
        if distance[found] < least:
            nearest, least = found, float(distance[found])
    return nearest


def points_in(frame: QRectF, x: FloatArray, heights: Sequence[FloatArray]) -> list[int]:
    """Return the numbers of the points inside a frame, all in plot coordinates."""
    found = np.zeros(x.size, dtype=bool)
    across = (x >= frame.left()) & (x <= frame.right())
    for y in heights:
        found |= across & (y >= frame.top()) & (y <= frame.bottom())
    inside: list[int] = np.flatnonzero(found).tolist()
    return inside


class SelectedPoints:
    """The marks of one plot: all selected points, a ring around the one that is gone to, a circle under the mouse.

    Parameters
    ----------
    panel
        The plot.
    size
        Diameter of its points, in pixels.
    places
        Asked whenever something is marked.
    """

    def __init__(self, panel: Panel, size: float, places: Places) -> None:
        self._panel, self._size, self._places = panel, size, places
        self._also = ManyMarks(panel.box, z=19)
        self.ring = self._marks(21)
        self.mark = self._marks(22)
        self.under_mouse = self._marks(23)
        self._points: list[int] = []

    def _marks(self, z: float) -> Marks:
        item = Marks("o")
        item.setZValue(z)
        self._panel.box.addItem(item, ignoreBounds=True)
        return item

    def clear(self) -> None:
        """Mark nothing."""
        for item in (self._also, self.ring, self.mark, self.under_mouse):
            item.setData([], [])

    def select(self, points: list[int]) -> None:
        """Ring one point, or none."""
        xs, ys = self._places(points)
        self.ring.put(xs[-1:], ys[-1:])  # what is drawn last is what was chosen
        self.mark.put(xs, ys)

    def show_all(self, points: list[int]) -> None:
        """Mark the points that are selected."""
        self._also.put(*self._places(points))

    def hover(self, points: list[int]) -> None:
        """Circle the point under the mouse, or none."""
        self.under_mouse.put(*self._places(points))

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        pen, size = self._panel.pen, self._size
        base, chosen = theme.colour("base"), theme.colour("selected_point")
        large = size > 7.0
        self.ring.setSize(17.5 if large else 10.0)
        self.ring.setPen(pen(theme.colour("text" if large else "base"), 1.7 if large else 1.2))
        self.ring.setBrush(base)
        self.mark.setSize(10.5 if large else 8.0)
        self.mark.setPen(pg.mkPen(None))
        self.mark.setBrush(chosen)
        self._also.set_look(size + 0.5, pen(base, 1.0), chosen, chosen)
        self.under_mouse.setSize(size + 6.0)
        self.under_mouse.setPen(pen(theme.colour("text"), 1.2))
        self.under_mouse.setBrush(None)
