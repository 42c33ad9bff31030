"""Which part of the plane a parity plot shows, so that words in its corners cover no point.

Both axes have the same length per unit (per factor on logarithmic axes). The range that holds the points is made
larger, and the points are moved in it, until the blocks of words in the corners are free: geometry of one panel.
"""

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray

_MARGIN = 0.04  # of the panel, free around the points
_LEAST_MARGIN = 11.0  # pixels: the ring around a point is not cut
_GROWTH = tuple(1.0 + 0.03 * step for step in range(70))
_PLACES = (0.5, 0.4, 0.6, 0.3, 0.7, 0.15, 0.85, 0.0, 1.0)
_BARS = 0.5  # of the extent of the points, by which bars may make it larger at either end
_GROWTH_FOR_BARS = _GROWTH[:20]  # more would make the points small; words may cover the ends of bars then
_CLEARANCE = 10.0  # pixels between the words and the centre of a point, which may have a ring
_CLEARANCE_OF_BARS = 3.0  # pixels between the words and a bar


@dataclass(frozen=True, slots=True)
class CornerSize:
    """Size in pixels of the words in a corner; 0 x 0 when there are none."""

    width: float = 0.0
    height: float = 0.0


@dataclass(frozen=True, slots=True)
class Extremes:
    """The points that can get into a corner, and the extent of all points.

    A point matters to the top left corner only if no point left of it is higher, to the bottom right corner only if no
    point right of it is lower. Of any number of points these are a few dozen.
    """

    top_x: list[float]  # ascending; the points that are higher than all points left of them
    top_y: list[float]
    bottom_x: list[float]  # ascending; the points that are lower than all points right of them
    bottom_y: list[float]
    bounds: tuple[float, float, float, float]  # x0, x1, y0, y1 of all points
    bars: "Extremes | None" = None  # those of the ends of the bars, as far as there is room for them

    @property
    def empty(self) -> bool:
        """Whether there is no point."""
        return not self.top_x


_MANY = 2_000
_STRIPS = 500

NO_POINTS = Extremes([], [], [], [], (0.0, 0.0, 0.0, 0.0))


def extremes(x: FloatArray, y: FloatArray) -> Extremes:
    """Prepare the points of a panel; points without a place are passed over."""
    kept = np.isfinite(x) & np.isfinite(y)
    x, y = x[kept], y[kept]
    if x.size == 0:
        return NO_POINTS
    left, right = float(x.min()), float(x.max())
    if x.size > _MANY and right - left > np.finfo(float).tiny * _STRIPS:
        x, y = _without_the_crowd(x, y, left, right)
    order: NDArray[np.intp] = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    highest = np.maximum.accumulate(y)
    lowest = np.minimum.accumulate(y[::-1])[::-1]
    top = np.flatnonzero(np.concatenate(([True], highest[1:] > highest[:-1])))
    bottom = np.flatnonzero(np.concatenate((lowest[:-1] < lowest[1:], [True])))
    return Extremes(
        x[top].tolist(),
        y[top].tolist(),
        x[bottom].tolist(),
        y[bottom].tolist(),
        (left, right, float(lowest[0]), float(highest[-1])),
    )


def reaching(points: Extremes, x: FloatArray, lower: FloatArray, upper: FloatArray) -> Extremes:
    """Let the extent of points hold the ends of their bars as well, as far as that does not crowd the points.

    Parameters
    ----------
    points
        The points.
    x, lower, upper
        Where each bar stands, begins and ends; those without a place are passed over.
    """
    low, high = lower[np.isfinite(lower)], upper[np.isfinite(upper)]
    if points.empty or not low.size or not high.size:
        return points
    x0, x1, y0, y1 = points.bounds
    room = _BARS * max(x1 - x0, y1 - y0)
    least, most = y0 - room, y1 + room
    bottom, top = min(y0, max(float(low.min()), least)), max(y1, min(float(high.max()), most))
    bounds = (x0, x1, bottom, top)
    above = extremes(np.append(x, points.top_x), np.append(np.minimum(upper, most), points.top_y))
    below = extremes(np.append(x, points.bottom_x), np.append(np.maximum(lower, least), points.bottom_y))
    bars = Extremes(above.top_x, above.top_y, below.bottom_x, below.bottom_y, bounds)
    return replace(points, bounds=bounds, bars=bars)


def _without_the_crowd(x: FloatArray, y: FloatArray, left: float, right: float) -> tuple[FloatArray, FloatArray]:
    """Return the points that are higher than everything in the strips left of theirs, or lower than right of theirs.

    No other point can be one of the extremes; to sort all of them would take longer than everything else together.
    """
    strip = ((x - left) / (right - left) * (_STRIPS - 1)).astype(np.intp)
    highest, lowest = np.full(_STRIPS, -np.inf), np.full(_STRIPS, np.inf)
    np.maximum.at(highest, strip, y)
    np.minimum.at(lowest, strip, y)
    before = np.concatenate(([-np.inf], np.maximum.accumulate(highest)[:-1]))
    behind = np.concatenate((np.minimum.accumulate(lowest[::-1])[::-1][1:], [np.inf]))
    kept = (y > before[strip]) | (y < behind[strip])
    return x[kept], y[kept]


def extremes_together(panels: Sequence[Extremes]) -> Extremes:
    """Return the extremes of panels that share their ranges: no panel's points may get into a corner."""
    shown = [panel for panel in panels if not panel.empty]
    if len(shown) <= 1:
        return shown[0] if shown else NO_POINTS
    together = extremes(
        np.array([x for panel in shown for x in (*panel.top_x, *panel.bottom_x)]),
        np.array([y for panel in shown for y in (*panel.top_y, *panel.bottom_y)]),
    )
    lows_x, highs_x, lows_y, highs_y = zip(*(panel.bounds for panel in shown), strict=True)
    return replace(together, bounds=(min(lows_x), max(highs_x), min(lows_y), max(highs_y)))


def fitting_range(
    points: Extremes, width: float, height: float, top_left: CornerSize, bottom_right: CornerSize, square: bool
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges of both axes.

    Parameters
    ----------
    points
        What must be seen.
    width, height
        Of the panel, in pixels.
    top_left, bottom_right
        Words in these corners.
    square
        Begin with the same range on both axes, so that the identity line runs from corner to corner where it can.
    """
    width, height = max(width, 10.0), max(height, 10.0)
    if points.empty:
        return (0.0, 1.0), (0.0, height / width)
    x0, x1, y0, y1 = points.bounds
    if square:
        low, high = min(x0, y0), max(x1, y1)
        if high - low <= 2.2 * max(x1 - x0, y1 - y0):
            x0 = y0 = low
            x1 = y1 = high
    span = max(x1 - x0, y1 - y0)
    size = max(abs(x0), abs(x1), abs(y0), abs(y1))
    if span <= 1e-9 * size or size < 1e-300:  # one point, or points that are all the same
        span = 0.1 * size if size > 1e-300 else 1.0
        x0, x1, y0, y1 = x0 - span / 2.0, x1 + span / 2.0, y0 - span / 2.0, y1 + span / 2.0
    margin = min(max(_MARGIN * min(width, height), _LEAST_MARGIN), min(width, height) / 4.0)
    least = max((x1 - x0) / (width - 2.0 * margin), (y1 - y0) / (height - 2.0 * margin))
    words = _Words(width, height, margin, least, top_left, bottom_right)
    bounds = x0, x1, y0, y1
    free = None
    if points.bars is not None:
        kinds = (points, _CLEARANCE), (points.bars, _CLEARANCE_OF_BARS)
        free = _free_range(kinds, words, bounds, _GROWTH_FOR_BARS)
    free = free or _free_range(((points, _CLEARANCE),), words, bounds, _GROWTH)
    return free or _placed(words, bounds, 1.0, _PLACES[0], _PLACES[0])


@dataclass(frozen=True, slots=True)
class _Words:
    """A panel and the words in it, in pixels; ``least`` is the length per pixel at which it just holds the points."""

    width: float
    height: float
    margin: float
    least: float
    top_left: CornerSize
    bottom_right: CornerSize


def _placed(
    words: _Words, bounds: tuple[float, float, float, float], growth: float, place_x: float, place_y: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return the ranges in which what must be seen lies at these shares of the free room."""
    x0, x1, y0, y1 = bounds
    per_pixel = words.least * growth
    edge = words.margin * per_pixel
    free_x = words.width * per_pixel - (x1 - x0)
    free_y = words.height * per_pixel - (y1 - y0)
    left = x0 - edge - (free_x - 2.0 * edge) * place_x
    bottom = y0 - edge - (free_y - 2.0 * edge) * place_y
    return (left, left + words.width * per_pixel), (bottom, bottom + words.height * per_pixel)


def _free_range(
    kinds: Sequence[tuple[Extremes, float]],
    words: _Words,
    bounds: tuple[float, float, float, float],
    growths: Sequence[float],
) -> tuple[tuple[float, float], tuple[float, float]] | None:
    """Return the smallest ranges in which no words come closer to any point than its kind allows; None if there are none."""
    for growth in growths:
        per_pixel = words.least * growth
        for place_x in _PLACES:
            (left, right), _ = _placed(words, bounds, growth, place_x, _PLACES[0])
            # How high the words at the top left, how low those at the bottom right may begin, does not hang on place_y.
            highest = max(_highest_below(points, left, per_pixel, words.top_left, clear) for points, clear in kinds)
            lowest = min(_lowest_above(points, right, per_pixel, words.bottom_right, clear) for points, clear in kinds)
            for place_y in _PLACES:
                across, (bottom, top) = _placed(words, bounds, growth, place_x, place_y)
                if (
                    highest <= top - words.top_left.height * per_pixel
                    and lowest >= bottom + words.bottom_right.height * per_pixel
                ):
                    return across, (bottom, top)
    return None


def _highest_below(points: Extremes, left: float, per_pixel: float, words: CornerSize, clear: float) -> float:
    """Return how low the words of the top left corner may end above the points; minus infinity without either."""
    if words.width <= 0.0:
        return -math.inf
    last = bisect_right(points.top_x, left + (words.width + clear) * per_pixel) - 1
    return points.top_y[last] + clear * per_pixel if last >= 0 else -math.inf


def _lowest_above(points: Extremes, right: float, per_pixel: float, words: CornerSize, clear: float) -> float:
    """Return how high the words of the bottom right corner may begin below the points; infinity without either."""
    if words.width <= 0.0:
        return math.inf
    first = bisect_left(points.bottom_x, right - (words.width + clear) * per_pixel)
    return points.bottom_y[first] - clear * per_pixel if first < len(points.bottom_x) else math.inf
