"""The marks of an axis of a figure: as many round values as fit on the paper without their labels touching."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.axis import Axis
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

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
from affinecal_gui.figures.style import POINT, SMALL

_GAP_ACROSS = 1.3  # mm between labels side by side
_GAP_UP = 2.2  # mm between labels above each other
_DIGIT_HEIGHT = 0.73  # of the type size
_MINOR = (0.3, 4)  # decades: logarithmic axes of such a length have unlabelled marks as well


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

    def apply(self, axis: Axis, *, labelled: bool = True) -> None:
        """Mark ``axis`` so."""
        axis.set_major_locator(FixedLocator(self.positions))
        axis.set_major_formatter(FixedFormatter(self.labels if labelled else [""] * len(self.labels)))
        axis.set_minor_locator(FixedLocator(self.minor) if self.minor else NullLocator())
        axis.set_minor_formatter(FixedFormatter([""] * len(self.minor)))


@dataclass(frozen=True, slots=True)
class Room:
    """What an axis offers its labels."""

    length: float  # mm
    across: bool  # labels stand side by side (x axis), not above each other (y axis)
    most: int = 8  # labels at most
    overhang: float = math.inf  # mm by which a label of an x axis may stick out beyond the axis; others are left out

    def for_labels(self) -> round_values.Room:
        """Return the room in the words of :mod:`affinecal_gui.figures.round_values`."""
        if self.across:
            return round_values.Room(
                self.length, lambda label: text_width(label, SMALL), _GAP_ACROSS, self.most, self.overhang
            )
        # Labels above each other need no measuring, and may stick out.
        return round_values.Room(self.length, lambda _: SMALL * POINT * _DIGIT_HEIGHT, _GAP_UP, self.most)


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
