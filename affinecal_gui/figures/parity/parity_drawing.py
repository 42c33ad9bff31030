"""The marks of a parity plot: line of identity, band, intervals, points."""

from itertools import product

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.groups import VECTOR_LIMIT, PointMark, draw_points
from affinecal_gui.figures.parity.parity_series import Series
from affinecal_gui.figures.parity.parity_window import Window
from affinecal_gui.figures.style import IDENTITY, MUTED, TOLERANCE, TOLERANCE_EDGE, look, tint

_LARGEST_POWER = 300.0


def draw_ground(axes: Axes, window: Window, *, log: bool) -> None:
    """Set the range and draw the line of identity with its band."""
    if log:
        axes.set_xscale("log")
        axes.set_yscale("log")
    axes.set_xlim(*in_data_units(np.array([window.x0, window.x1]), log=log))
    axes.set_ylim(*in_data_units(np.array([window.y0, window.y1]), log=log))
    line = in_data_units(np.array([window.x0, window.x1]) if log else np.linspace(window.x0, window.x1, 65), log=log)
    low, high = np.sort(np.stack([0.9 * line, 1.1 * line]), axis=0)
    axes.fill_between(line, low, high, facecolor=TOLERANCE, edgecolor="none", zorder=1)
    for edge in (low, high):
        axes.plot(line, edge, color=TOLERANCE_EDGE, linewidth=0.4, zorder=1.1)
    axes.plot(line, line, color=IDENTITY, linewidth=0.7, zorder=1.2)


def draw_series(axes: Axes, series: Series, window: Window, *, log: bool) -> None:
    """Draw the intervals and points of one calibrator; arrows at the edge stand for points outside the range."""
    drawn, points = look(series.model, log=log), series.points
    groups = series.groups
    if points.bar_x.size:
        x, low, high = (in_data_units(values, log=log) for values in (points.bar_x, points.bar_low, points.bar_high))
        ends = np.stack([np.column_stack([x, low]), np.column_stack([x, high])], axis=1)
        bars = LineCollection(
            list(ends),
            colors=tint(drawn.colour if groups is None else MUTED, 0.4),
            linewidths=_bar_width(x.size),
            zorder=2,
            rasterized=points.x.size > VECTOR_LIMIT,
        )
        axes.add_collection(bars, autolim=False)

    outside = window.outside(points.y)
    x, y = in_data_units(points.x, log=log), in_data_units(points.y, log=log)
    inside = outside == 0
    shown = groups.taken(inside) if groups is not None else None
    draw_points(axes, x[inside], y[inside], PointMark(drawn.colour, drawn.marker), 2 * points.radius, shown)
    parts = [(drawn.colour, np.ones(x.size, dtype=np.bool_))]
    if groups is not None:
        parts = [(mark.colour, groups.of == number) for number, mark in enumerate(groups.marks)]
    for (side, marker, edge), (colour, which) in product(
        ((1, "$\u2191$", window.y1), (-1, "$\u2193$", window.y0)), parts
    ):
        at = x[(outside == side) & which]
        if at.size:
            inward = np.full(at.size, edge - side * 1.4 / window.scale)
            axes.plot(
                at,
                in_data_units(inward, log=log),
                linestyle="none",
                marker=marker,
                markersize=5,
                markerfacecolor=colour,
                markeredgewidth=0,
                zorder=3,
            )


def _bar_width(bars: int) -> float:
    """Points: thinner where many stand side by side."""
    return float(np.clip(0.6 * (25 / max(bars, 1)) ** 0.5, 0.3, 0.6))


def in_data_units(values: FloatArray, *, log: bool) -> FloatArray:
    """Turn plotted units into values; beyond all floating-point numbers, the last ones that can be drawn."""
    return np.power(10.0, np.clip(values, -_LARGEST_POWER, _LARGEST_POWER)) if log else values
