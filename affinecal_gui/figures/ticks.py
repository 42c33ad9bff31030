"""The marks of an axis of a figure: as many round values as fit on the paper without their labels touching."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from matplotlib.axis import Axis
from matplotlib.lines import Line2D
from matplotlib.markers import TICKDOWN, TICKLEFT, TICKRIGHT
from matplotlib.patches import PathPatch
from matplotlib.path import Path
from matplotlib.ticker import NullLocator

from affinecal_gui.figures import round_values
from affinecal_gui.figures.round_values import (
    common_exponent,
    decade_marks,
    densest,
    linear_marks,
    log_exponent,
    log_marks,
)
from affinecal_gui.figures.sheet import text_width
from affinecal_gui.figures.style import FRAME, GRID, POINT, SMALL

_GAP_ACROSS = 1.3  # mm between labels side by side
_GAP_UP = 2.2  # mm between labels above each other
_DIGIT_HEIGHT = 0.73  # of the type size
_MINOR = (0.3, 4)  # decades: logarithmic axes of such a length have unlabelled marks as well

_MARK, _MARK_WIDTH = 2.2, 0.5  # points: length and width
_MINOR_MARK, _MINOR_MARK_WIDTH = 1.2, 0.35
_PAD = 1.8  # points between marks and labels
_LINE_WIDTH = 0.4  # points
_BELOW_ALL = 0.5  # where matplotlib draws an axis that lies below what a panel shows


@dataclass(frozen=True, slots=True)
class Ticks:
    """Marks of one axis. Labels show the value divided by 10**exponent; the exponent belongs into the axis label."""

    positions: tuple[float, ...]  # data values
    labels: tuple[str, ...]
    minor: tuple[float, ...] = ()  # unlabelled
    exponent: int = 0

    @property
    def widest(self) -> float:
        """Width in mm of the widest label."""
        return max((text_width(label, SMALL) for label in self.labels), default=0.0)

    def apply(
        self,
        axis: Axis,
        *,
        labelled: bool = True,
        lines: bool = False,
        marked: bool = True,
        right: bool = False,
        size: float = SMALL,
    ) -> None:
        """Mark ``axis``, whose range is settled and linear or logarithmic.

        The axis of matplotlib is switched off: it would make five artists of every mark and measure all labels twice to place
        a label of the axis that is not there, which was more than half of the time that a figure took.

        Parameters
        ----------
        axis
            Of the panel.
        labelled
            Write the labels.
        lines
            Draw a line across the panel at each labelled value.
        marked
            Draw the marks themselves.
        right
            At the right side of a y axis.
        size
            Of the labels, points.
        """
        unmarked(axis)
        low, high = sorted(axis.get_view_interval())
        least, most = low - 1e-6 * (high - low), high + 1e-6 * (high - low)
        shown = [
            (value, label) for value, label in zip(self.positions, self.labels, strict=True) if least <= value <= most
        ]
        labelled_at = [value for value, _ in shown]
        if lines:
            _draw_lines(axis, labelled_at)
        if marked:
            _draw_marks(axis, labelled_at, _MARK, _MARK_WIDTH, right=right)
        if marked and self.minor:
            minor = [value for value in self.minor if least <= value <= most]
            _draw_marks(axis, minor, _MINOR_MARK, _MINOR_MARK_WIDTH, right=right)
        if labelled:
            _write_labels(axis, shown, size, _PAD + (_MARK if marked else 0.0), right=right)


def unmarked(axis: Axis) -> None:
    """Switch off the axis of matplotlib: no marks, no labels, no lines."""
    axis.set_major_locator(NullLocator())
    axis.set_minor_locator(NullLocator())
    axis.set_visible(False)


def _draw_lines(axis: Axis, values: list[float]) -> None:
    axes = axis.axes
    if axis is axes.xaxis:
        ends, transform = [[(v, 0.0), (v, 1.0)] for v in values], axes.get_xaxis_transform("grid")
    else:
        ends, transform = [[(0.0, v), (1.0, v)] for v in values], axes.get_yaxis_transform("grid")
    if ends:
        path = Path.make_compound_path(*(Path(line) for line in ends))
        style: dict[str, Any] = {"edgecolor": GRID, "linewidth": _LINE_WIDTH, "capstyle": "projecting"}
        axes.add_artist(PathPatch(path, fill=False, transform=transform, zorder=_BELOW_ALL, **style))


def _draw_marks(axis: Axis, values: list[float], size: float, width: float, *, right: bool) -> None:
    axes, ends = axis.axes, [float(right)] * len(values)
    style: dict[str, Any] = {
        "linestyle": "none",
        "markersize": size,
        "markeredgewidth": width,
        "markeredgecolor": FRAME,
    }
    if axis is axes.xaxis:
        style |= {"marker": TICKDOWN, "transform": axes.get_xaxis_transform("tick1")}
        line = Line2D(values, ends, **style)
    else:
        side = axes.get_yaxis_transform("tick2" if right else "tick1")
        style |= {"marker": TICKRIGHT if right else TICKLEFT, "transform": side}
        line = Line2D(ends, values, **style)
    line.set(clip_on=False, zorder=_BELOW_ALL)
    axes.add_artist(line)


def _write_labels(axis: Axis, shown: list[tuple[float, str]], size: float, pad: float, *, right: bool) -> None:
    axes, end = axis.axes, float(right)
    if axis is axes.xaxis:
        transform, va, ha = axes.get_xaxis_text1_transform(pad)
        places = [(value, end) for value, _ in shown]
    else:
        transform, va, ha = (axes.get_yaxis_text2_transform if right else axes.get_yaxis_text1_transform)(pad)
        places = [(end, value) for value, _ in shown]
    for (x, y), (_, label) in zip(places, shown, strict=True):
        axes.text(x, y, label, transform=transform, va=va, ha=ha, fontsize=size, zorder=_BELOW_ALL)


@dataclass(frozen=True, slots=True)
class Room:
    """What an axis offers its labels."""

    length: float  # mm
    across: bool  # labels stand side by side (x axis), not above each other (y axis)
    most: int = 8  # labels at most
    overhang: float = math.inf  # mm by which a label of an x axis may stick out beyond the axis; others are left out

    def for_labels(self) -> round_values.LabelRoom:
        """Return the room in the words of :mod:`affinecal_gui.figures.round_values`."""
        if self.across:
            return round_values.LabelRoom(
                self.length, lambda label: text_width(label, SMALL), _GAP_ACROSS, self.most, self.overhang
            )
        # Labels above each other need no measuring, and may stick out.
        return round_values.LabelRoom(self.length, lambda _: SMALL * POINT * _DIGIT_HEIGHT, _GAP_UP, self.most)


def linear_ticks(low: float, high: float, room: Room) -> Ticks:
    """Mark a linear axis from ``low`` to ``high`` at multiples of 1, 2, 2.5 or 5 times a power of ten."""
    exponent = common_exponent(max(abs(low), abs(high)))

    def place(value: float) -> float:
        return (value - low) / (high - low) * room.length

    best, _ = densest(linear_marks(low, high, exponent), place, room.for_labels())
    return Ticks(tuple(mark.value for mark in best), tuple(mark.label for mark in best), (), exponent)


def log_ticks(low: float, high: float, room: Room) -> Ticks:
    """Mark a logarithmic axis from ``low`` to ``high``, both above zero."""
    span = math.log10(high / low)
    exponent = log_exponent(low, high)

    def place(value: float) -> float:
        return math.log10(value / low) / span * room.length

    best, _ = densest(log_marks(low, high, exponent), place, room.for_labels())
    positions = tuple(mark.value for mark in best)
    minor = decade_marks(low, high, range(1, 10)) if _MINOR[0] <= span <= _MINOR[1] else ()
    unlabelled = tuple(mark.value for mark in minor if mark.value not in positions)
    return Ticks(positions, tuple(mark.label for mark in best), unlabelled, exponent)


def ticks_for(*, log: bool) -> Callable[[float, float, Room], Ticks]:
    """Return the rule for a logarithmic or a linear axis."""
    return log_ticks if log else linear_ticks
