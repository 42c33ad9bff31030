"""Names beside the points of a plot, on demand: of those selected, or of those that are furthest off."""

import math
from collections.abc import Collection, Sequence

import numpy as np
import pyqtgraph as pg

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.ui.parts.theme.fonts import NOTE_SIZE
from affinecal_gui.ui.parts.theme.theme import Theme

NAMED_UNASKED, MOST_NAMES = 6, 60  # points with names: while no more than one is selected, and at most


def points_to_name(selected: Collection[int], measured: FloatArray, predicted: FloatArray) -> list[int]:
    """Return the points that get a name: several that are selected, else the selected one and those furthest off.

    Parameters
    ----------
    selected
        Numbers of points.
    measured, predicted
        Values of the k points, in property unit.
    """
    chosen = set(selected)
    if len(chosen) < 2:
        with np.errstate(divide="ignore", invalid="ignore"):
            off = np.abs(predicted / measured - 1.0)
        known = np.flatnonzero(np.isfinite(off))
        chosen |= set(known[np.argsort(-off[known], kind="stable")][:NAMED_UNASKED].tolist())
    return sorted(chosen)[:MOST_NAMES]


class PointNames:
    """The names in one plot.

    Parameters
    ----------
    box
        The inside of the plot.
    """

    def __init__(self, box: pg.ViewBox) -> None:
        self._box = box
        self._items: list[pg.TextItem] = []
        self._theme: Theme | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """The names shown."""
        return tuple(item.toPlainText() for item in self._items)

    def show(self, names: Sequence[tuple[float, float, str]]) -> None:
        """Write names at places in plot coordinates; those without a place are passed over."""
        for item in self._items:
            self._box.removeItem(item)
        self._items = []
        for x, y, name in names:
            if math.isfinite(x) and math.isfinite(y):
                item = pg.TextItem(name, anchor=(0.0, 1.0))
                item.setZValue(30)
                item.setPos(x, y)
                self._box.addItem(item, ignoreBounds=True)
                self._items.append(item)
        self._style()

    def apply_theme(self, theme: Theme) -> None:
        """Take over colours and fonts."""
        self._theme = theme
        self._style()

    def _style(self) -> None:
        if self._theme is not None:
            for item in self._items:
                item.setColor(self._theme.colour("text"))
                item.setFont(self._theme.font(NOTE_SIZE))
