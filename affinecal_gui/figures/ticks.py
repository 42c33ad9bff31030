"""Where an axis is marked, and how: as many round values as fit without their labels touching."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from matplotlib.axis import Axis
from matplotlib.ticker import FixedFormatter, FixedLocator, NullLocator

from affinecal_gui.figures.sheet import text_width
from affinecal_gui.figures.style import POINT, SMALL
from affinecal_gui.numbers import decimal, power_of_ten

# Labelled values within each decade, dense to sparse; what a chemist would write on the axis by hand.
_MANTISSAS: tuple[tuple[float, ...], ...] = (
    (1, 1.5, 2, 3, 4, 6, 8),
    (1, 1.5, 2, 3, 5, 7),
    (1, 2, 3, 5),
    (1, 2, 5),
    (1, 3),
    (1,),
)
_EVEN_BELOW = 0.3  # decades: shorter logarithmic axes are marked at even steps
_GAP_ACROSS = 1.3  # mm between labels side by side
_GAP_UP = 2.2  # mm between labels above each other
_DIGIT_HEIGHT = 0.73  # of the type size


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


@dataclass(frozen=True, slots=True)
class _Mark:
    value: float
    label: str
    offset: float  # mm from the start of the axis

    @property
    def half(self) -> float:
        return text_width(self.label, SMALL) / 2


def linear_ticks(low: float, high: float, room: Room) -> Ticks:
    """Mark a linear axis from ``low`` to ``high`` at multiples of 1, 2, 2.5 or 5 times a power of ten."""
    exponent = _common_exponent(max(abs(low), abs(high)))
    unit = 10.0**exponent
    start, span = low / unit, (high - low) / unit

    def offset(value: float) -> float:
        return (value - start) / span * room.length

    best = _best(_even_marks(start, start + span, offset), room)
    return Ticks(tuple(mark.value * unit for mark in best), tuple(mark.label for mark in best), (), exponent)


def log_ticks(low: float, high: float, room: Room) -> Ticks:
    """Mark a logarithmic axis from ``low`` to ``high``, both above zero."""
    span = math.log10(high / low)
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    readable = first >= -4 and last <= 5
    exponent = 0 if readable or span > 3 else _common_exponent(high)
    unit = 10.0**exponent

    def offset(shown: float) -> float:
        return math.log10(shown * unit / low) / span * room.length

    def label(mantissa: float, decade: int) -> str:
        if readable or exponent:
            shown = decade - exponent
            return decimal(mantissa * 10.0**shown, max(0, -shown + (mantissa % 1 > 0)))
        power = power_of_ten(decade)
        return power if mantissa == 1 else f"{decimal(mantissa, int(mantissa % 1 > 0))}×{power}"

    def decades(mantissas: Iterable[float], stride: int) -> list[_Mark]:
        found = []
        for decade in range(first, last + 1):
            for mantissa in mantissas:
                value = mantissa * 10.0**decade
                if decade % stride == 0 and low * (1 - 1e-9) <= value <= high * (1 + 1e-9):
                    found.append(_Mark(value / unit, label(mantissa, decade), offset(value / unit)))
        return found

    def candidates() -> Iterator[list[_Mark]]:
        if span >= _EVEN_BELOW:
            yield from (decades(mantissas, 1) for mantissas in _MANTISSAS)
            yield from (decades((1,), stride) for stride in (2, 3, 4, 5, 10, 20, 50))
        if readable or exponent:
            yield from _even_marks(low / unit, high / unit, offset)

    minor: tuple[float, ...] = ()
    if _EVEN_BELOW <= span <= 4:
        minor = tuple(mark.value * unit for mark in decades(range(1, 10), 1))
    best = _best(candidates(), room)
    positions = tuple(mark.value * unit for mark in best)
    return Ticks(positions, tuple(mark.label for mark in best), tuple(v for v in minor if v not in positions), exponent)


def ticks_for(*, log: bool) -> Callable[[float, float, Room], Ticks]:
    """Return the rule for a logarithmic or a linear axis."""
    return log_ticks if log else linear_ticks


def _even_marks(low: float, high: float, offset: Callable[[float], float]) -> Iterator[list[_Mark]]:
    """Yield marks at even steps, dense to sparse."""
    smallest = math.floor(math.log10(high - low)) - 1
    for power in range(smallest, smallest + 3):
        for factor in (1.0, 2.0, 2.5, 5.0):
            if factor == 2.5 and power < 1:
                continue  # 25, 50, 75 are round; 2.5, 5.0, 7.5 are not
            step = factor * 10.0**power
            first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
            if last - first > 40:
                continue
            places = max(0, -power)
            values = [number * step for number in range(first, last + 1)]
            yield [_Mark(value, decimal(value, places), offset(value)) for value in values]


def _common_exponent(largest: float) -> int:
    """Power of ten, a multiple of three, to divide labels by; 0 for numbers that are read easily as they are."""
    if largest == 0 or 1e-2 <= largest < 1e5:
        return 0
    return 3 * math.floor(math.log10(largest) / 3)


def _best(candidates: Iterable[list[_Mark]], room: Room) -> list[_Mark]:
    """Return the first of ``candidates``, dense to sparse, that fits with all labels; else the densest that fits."""
    second: list[_Mark] = []
    ends: list[_Mark] = []
    for marks in candidates:
        fitting = _fitting(marks, room)
        complete = len(fitting) == len(marks)
        if complete and (len(fitting) >= 3 or (len(fitting) == 2 and room.overhang == math.inf)):
            return fitting
        if len(fitting) > len(second):
            second = fitting
        if len(marks) > 2 and not ends:
            ends = _fitting([marks[0], marks[-1]], room)
    # Between a set too dense by a hair and one with a single mark: the first and the last of the dense one.
    return second if len(second) >= len(ends) else ends


def _fitting(marks: list[_Mark], room: Room) -> list[_Mark]:
    """Return the marks whose labels have room at the ends, if these do not touch each other; else none."""
    if room.across and math.isfinite(room.overhang):
        low, high = -room.overhang, room.length + room.overhang
        marks = [mark for mark in marks if low <= mark.offset - mark.half and mark.offset + mark.half <= high]
    if len(marks) > room.most:
        return []
    for one, next_one in pairwise(marks):
        needed = one.half + next_one.half + _GAP_ACROSS if room.across else SMALL * POINT * _DIGIT_HEIGHT + _GAP_UP
        if next_one.offset - one.offset < needed:
            return []
    return marks
