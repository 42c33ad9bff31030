"""The points of a plot in the colours and marks of their groups."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.study.shown.groups import Groups
from affinecal_gui.ui.parts.theme.theme import Theme
from affinecal_gui.ui.views.plots.canvas.plot_items import Marks
from affinecal_gui.ui.views.plots.canvas.plot_panel import Panel
from affinecal_gui.ui.views.plots.points.group_looks import group_colour, group_symbol


class GroupMarks:
    """One item for each group, instead of the one of the calibrator.

    Parameters
    ----------
    panel
        The plot.
    size
        Diameter of the points, in pixels.
    """

    def __init__(self, panel: Panel, size: float) -> None:
        self._panel, self._size = panel, size
        self.items: list[Marks] = []
        self._groups: Groups | None = None
        self._theme: Theme | None = None

    def show(self, groups: Groups | None, x: FloatArray, y: FloatArray, which: NDArray[np.bool_]) -> None:
        """Draw the chosen ones of k points, in plot coordinates; none without groups."""
        self._groups = groups
        count = len(groups.labels) if groups is not None else 0
        while len(self.items) < count:
            item = Marks("o")
            item.setZValue(4)
            self._panel.box.addItem(item, ignoreBounds=True)
            self.items.append(item)
        for number, item in enumerate(self.items):
            if groups is None or number >= count:
                item.setData([], [])
            else:
                chosen = which & (groups.of == number)
                item.put(x[chosen], y[chosen])
        self._style()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours."""
        self._theme = theme
        self._style()

    def _style(self) -> None:
        if self._theme is None or self._groups is None:
            return
        for number, item in enumerate(self.items[: len(self._groups.labels)]):
            symbol, scale = group_symbol(self._groups, number)
            item.setSymbol(symbol)
            item.setSize(self._size * scale)
            item.setPen(self._panel.pen(self._theme.colour("base"), 1.0 if self._size > 7.0 else 0.6))
            item.setBrush(group_colour(self._theme, self._groups, number))
