"""pyqtgraph with our defaults and marks, for all that draws with it; the first window does not wait for it."""

import math
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
_TURN = 2.0 * math.pi


def _shape(corners: tuple[tuple[float, float], ...]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))
    path.closeSubpath()
    return path


def _regular(corners: int, inner: float = 0.0, turned: float = 0.0) -> QPainterPath:
    """Return a regular polygon, or a star whose notches lie at a share of its radius; one corner points up, unless turned."""
    count = 2 * corners if inner else corners
    angles = [_TURN * (k / count + turned) for k in range(count)]
    radii = [0.5 * (inner if inner and k % 2 else 1.0) for k in range(count)]
    drawn = zip(angles, radii, strict=True)
    return _shape(tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle, radius in drawn))


for _name, _corners in _SHAPES.items():
    Symbols[_name] = _shape(_corners)
Symbols["three_star"] = _regular(3, inner=0.38)
Symbols["octagon"] = _regular(8, turned=1.0 / 16.0)
Symbols["six_star"] = _regular(6, inner=0.38)

SYMBOLS: Mapping[str, QPainterPath] = Symbols
"""Shapes of all marks by their names, one unit large."""


def _set_defaults(theme: Theme) -> None:
    pg.setConfigOptions(
        background=theme.colour("base"), foreground=theme.colour("muted"), antialias=True, imageAxisOrder="row-major"
    )


follow_theme(_set_defaults)
