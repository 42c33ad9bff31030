"""pyqtgraph with our defaults and marks, for all that draws with it; the first window does not wait for it."""

from collections.abc import Mapping

import pyqtgraph as pg
from pyqtgraph.graphicsItems.ScatterPlotItem import Symbols
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from affinecal_gui.ui.parts.theme.theme import Theme, follow_theme

# As on paper; pyqtgraph has none of these shapes, and looks its marks up here.
_SHAPES: Mapping[str, tuple[tuple[float, float], ...]] = {
    "thin_diamond": ((0, -0.5), (0.3, 0), (0, 0.5), (-0.3, 0)),
    "four_star": (
        (0, -0.5), (0.14, -0.14), (0.5, 0), (0.14, 0.14), (0, 0.5), (-0.14, 0.14), (-0.5, 0), (-0.14, -0.14),
    ),
}  # fmt: skip


def _shape(corners: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    return path


for _name, _corners in _SHAPES.items():
    Symbols[_name] = _shape(_corners)

SYMBOLS: Mapping[str, QPainterPath] = Symbols
"""Shapes of all marks by their names, one unit large."""


def _set_defaults(theme: Theme) -> None:
    pg.setConfigOptions(
        background=theme.colour("base"), foreground=theme.colour("muted"), antialias=True, imageAxisOrder="row-major"
    )


follow_theme(_set_defaults)
