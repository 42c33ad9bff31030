"""The range and size of the panels of a parity plot: equal length per unit on both axes, and room for the numbers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.figures.parity.corner import Corner, Obstacles, free_corner

FloatArray = NDArray[np.float64]

_EDGE = 0.06  # of the range, free at each end
_BARS = 0.15  # of the range, by which interval bars may extend it; longer ones leave the panel
_STEP = 0.03  # of the range, by which it grows in search of a free corner
_SMALLEST_DECADES = 0.02  # a logarithmic axis shows at least 5 %
_SMALLEST_RELATIVE = 1e-3  # a linear axis shows at least this part of its values, or its labels had too many digits
_FAR = 3.0  # a prediction farther than this many ranges from the middle half lies outside


@dataclass(frozen=True, slots=True)
class PanelPoints:
    """What one panel shows, in plotted units: the decadic logarithm on logarithmic axes, else the value."""

    x: FloatArray  # (n,) measured
    y: FloatArray  # (n,) predicted
    bar_x: FloatArray  # (b,) intervals
    bar_low: FloatArray
    bar_high: FloatArray
    radius: float  # of a marker, mm


@dataclass(frozen=True, slots=True)
class Window:
    """The range that all panels show, in plotted units, and the size of each panel in mm."""

    x0: float
    x1: float
    y0: float
    y1: float
    width: float
    height: float
    corners: tuple[Corner, ...] = ()  # where the numbers of each panel stand

    @property
    def scale(self) -> float:
        """Mm per unit, on both axes."""
        return self.width / (self.x1 - self.x0)

    def outside(self, y: FloatArray) -> NDArray[np.int64]:
        """(n,) -1 for predictions below the range, +1 above, else 0."""
        return (y > self.y1).astype(np.int64) - (y < self.y0)


def choose_window(
    panels: Sequence[Sequence[PanelPoints]],
    boxes: Sequence[tuple[float, float]],
    width: float,
    tallest: float,
    *,
    log: bool,
) -> Window:
    """Choose the common range of ``panels`` so that each has a free corner for its box of numbers.

    Parameters
    ----------
    panels
        What is drawn in each, calibrator by calibrator.
    boxes
        Width and height in mm of the numbers of each panel.
    width, tallest
        Width of a panel and the most it may be high, mm.
    log
        Plotted units are decadic logarithms.
    """
    start = _data_range([points for panel in panels for points in panel], width, tallest, log=log)
    drawn = [_together(panel) for panel in panels]
    # Free of everything is best; then the band may pass below, then the bars. Points and the line never do.
    for strictness, steps in ((2, 8), (1, 12), (0, 200)):
        window = start
        for _ in range(steps):
            found = [_freest(panel, box, window, strictness, log=log) for panel, box in zip(drawn, boxes, strict=True)]
            corners: tuple[Corner, ...] = tuple(corner for corner in found if corner is not None)
            if len(corners) == len(panels):
                return replace(window, corners=corners)
            window = _fitted(
                window.x0, window.x1, window.y0, window.y1 + _STEP * (window.y1 - window.y0), width, tallest
            )
    first: Corner = "upper left"
    return replace(window, corners=(first,) * len(panels))


def _freest(
    panel: PanelPoints, box: tuple[float, float], window: Window, strictness: int, *, log: bool
) -> Corner | None:
    """Return the corner of a panel where least passes below, though no more than ``strictness`` allows."""
    obstacles = _obstacles(panel, window, log=log)
    for strict in range(2, strictness - 1, -1):
        corner = free_corner(*box, window.width, window.height, obstacles, strictness=strict)
        if corner is not None:
            return corner
    return None


def _data_range(panels: Sequence[PanelPoints], width: float, tallest: float, *, log: bool) -> Window:
    x = np.concatenate([panel.x for panel in panels])
    if x.size == 0:
        return _fitted(0.0, 1.0, 0.0, 1.0, width, tallest)
    x0, x1 = _at_least(float(x.min()), float(x.max()), log=log)
    y0, y1 = x0, x1
    for panel in panels:
        if panel.y.size:
            first, third = np.quantile(panel.y, [0.25, 0.75])
            reach = _FAR * max(third - first, x1 - x0)
            inside = panel.y[(panel.y >= first - reach) & (panel.y <= third + reach)]
            y0, y1 = min(y0, float(inside.min())), max(y1, float(inside.max()))
    y0, y1 = _at_least(y0, y1, log=log)
    span = y1 - y0
    lows = [float(panel.bar_low.min()) for panel in panels if panel.bar_low.size]
    highs = [float(panel.bar_high.max()) for panel in panels if panel.bar_high.size]
    y0 = max(min([y0, *lows]), y0 - _BARS * span)
    y1 = min(max([y1, *highs]), y1 + _BARS * span)
    edge_x, edge_y = _EDGE * (x1 - x0), _EDGE * (y1 - y0)
    return _fitted(x0 - edge_x, x1 + edge_x, y0 - edge_y, y1 + edge_y, width, tallest)


def _together(panel: Sequence[PanelPoints]) -> PanelPoints:
    return PanelPoints(
        np.concatenate([points.x for points in panel]),
        np.concatenate([points.y for points in panel]),
        np.concatenate([points.bar_x for points in panel]),
        np.concatenate([points.bar_low for points in panel]),
        np.concatenate([points.bar_high for points in panel]),
        max(points.radius for points in panel),
    )


def _at_least(low: float, high: float, *, log: bool) -> tuple[float, float]:
    middle = (low + high) / 2
    smallest = _SMALLEST_DECADES if log else max(_SMALLEST_RELATIVE * abs(middle), 1e-300)
    if high - low < smallest:
        if not log and middle == 0:
            smallest = 1.0
        return middle - smallest / 2, middle + smallest / 2
    return low, high


def _fitted(x0: float, x1: float, y0: float, y1: float, width: float, tallest: float) -> Window:
    """Give the panel the height that makes a unit equally long on both axes, and widen x where it were too high."""
    height = width * (y1 - y0) / (x1 - x0)
    if height > tallest:
        missing = width * (y1 - y0) / tallest - (x1 - x0)
        x0, x1 = x0 - missing / 2, x1 + missing / 2
        height = tallest
    return Window(x0, x1, y0, y1, width, height)


def _obstacles(panel: PanelPoints, window: Window, *, log: bool) -> Obstacles:
    scale = window.scale
    farthest = 0.1 * max(abs(window.x0), abs(window.x1), abs(window.y0), abs(window.y1))
    return Obstacles(
        (panel.x - window.x0) * scale,
        np.clip((panel.y - window.y0) * scale, 0.0, window.height),
        panel.radius,
        (panel.bar_x - window.x0) * scale,
        (panel.bar_low - window.y0) * scale,
        (panel.bar_high - window.y0) * scale,
        (window.x0 - window.y0) * scale,
        (np.log10(1.1) if log else farthest) * scale,
    )
