"""Which round values mark an axis, and how they are written: the same on the screen as in an exported figure.

Lengths are in whatever unit the caller measures in: millimetres of paper, pixels of a screen.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from affinecal_gui.numbers import decimal, fixed, power_of_ten

# Labelled values within each decade, dense to sparse; what a chemist would write on the axis by hand.
_MANTISSAS: tuple[tuple[float, ...], ...] = (
    (1, 1.5, 2, 3, 4, 6, 8),
    (1, 1.5, 2, 3, 5, 7),
    (1, 2, 3, 5),
    (1, 2, 5),
    (1, 3),
    (1,),
)
_STRIDES = (2, 3, 4, 5, 10, 20, 50)  # decades from one label to the next
_EVEN_BELOW = 0.3  # decades: shorter logarithmic axes are marked at even steps
_EVEN_UP_TO = 3  # decades: longer ones never are, unless their labels are plain numbers
_MOST_STEPS = 40  # denser sets are not even looked at
_LARGEST = 300  # power of ten that can be calculated with
_KEPT = 4096  # labels


@dataclass(frozen=True, slots=True)
class Mark:
    """A labelled place of an axis."""

    value: float  # in the unit of the data
    label: str  # of the value divided by 10**exponent


@dataclass(frozen=True, slots=True)
class Labels:
    """Labelled places of an axis, in its coordinate: log10 of the value on a logarithmic one."""

    positions: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    shifts: tuple[float, ...] = ()  # by which each label stands beside its place along the axis; none: right at it


@dataclass(frozen=True, slots=True)
class LabelRoom:
    """What an axis offers its labels."""

    length: float
    extent: Callable[[str], float]  # of a label along the axis
    gap: float  # between two labels
    most: int  # labels
    overhang: float = math.inf  # by which a label may stick out beyond the ends; others are left out


def common_exponent(largest: float) -> int:
    """Power of ten, a multiple of three, to divide labels by; 0 for numbers that are read easily as they are."""
    if largest == 0 or 1e-2 <= largest < 1e5:
        return 0
    return 3 * math.floor(math.log10(largest) / 3)


def linear_marks(low: float, high: float, exponent: int = 0) -> Iterator[tuple[Mark, ...]]:
    """Yield marks at multiples of 1, 2, 2.5 or 5 times a power of ten, dense to sparse.

    Without an ``exponent`` in the title of the axis, labels of large and of tiny numbers have powers of ten of their own.
    """
    unit = 10.0**exponent
    start, end = low / unit, high / unit
    largest = max(abs(start), abs(end))
    smallest = math.floor(math.log10(end - start)) - 1
    for power in range(smallest, smallest + 3):
        shared = common_exponent(largest) if not exponent and (largest >= 1e6 or power < -6) else 0
        for factor in (1.0, 2.0, 2.5, 5.0):
            if factor == 2.5 and power < 1:
                continue  # 25, 50, 75 are round; 2.5, 5.0, 7.5 are not
            step = factor * 10.0**power
            first, last = math.ceil(start / step - 1e-9), math.floor(end / step + 1e-9)
            if last - first <= _MOST_STEPS:
                yield tuple(_even_mark(number, step, power, unit, shared) for number in range(first, last + 1))


@lru_cache(_KEPT)
def _even_mark(number: int, step: float, power: int, unit: float, shared: int) -> Mark:
    value = number * step
    if shared:
        text = fixed(value / 10.0**shared, max(0, shared - power))
        return Mark(value * unit, f"{text}×{power_of_ten(shared)}" if number else "0")
    return Mark(value * unit, decimal(value, max(0, -power)))


def log_exponent(low: float, high: float) -> int:
    """Power of ten to divide the labels of a logarithmic axis by; 0 for plain numbers, and where each has its own."""
    return 0 if _readable(low, high) or math.log10(high / low) > _EVEN_UP_TO else common_exponent(high)


def log_marks(low: float, high: float, exponent: int = 0) -> Iterator[tuple[Mark, ...]]:
    """Yield marks of a logarithmic axis, dense to sparse; ``low`` and ``high`` are above zero."""
    span = math.log10(high / low)
    plain = _readable(low, high) or exponent != 0
    if span >= _EVEN_BELOW:
        yield from (decade_marks(low, high, mantissas, 1, plain, exponent) for mantissas in _MANTISSAS)
        yield from (decade_marks(low, high, (1,), stride, plain, exponent) for stride in _STRIDES)
    if plain or span <= _EVEN_UP_TO:
        yield from linear_marks(low, high, exponent)


def decade_marks(
    low: float, high: float, mantissas: Iterable[float], stride: int = 1, plain: bool = True, exponent: int = 0
) -> tuple[Mark, ...]:
    """Return the marks at these values of every decade that is a multiple of ``stride``."""
    first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
    lowest, highest = low * (1 - 1e-9), high * (1 + 1e-9)
    found = (
        _decade_mark(mantissa, decade, plain, exponent)
        for decade in range(first, last + 1)
        if decade % stride == 0
        for mantissa in mantissas
    )
    return tuple(mark for mark in found if lowest <= mark.value <= highest)


@lru_cache(_KEPT)
def _decade_mark(mantissa: float, decade: int, plain: bool, exponent: int) -> Mark:
    value = mantissa * 10.0**decade
    if plain:
        shown = decade - exponent
        return Mark(value, decimal(mantissa * 10.0**shown, max(0, -shown + (mantissa % 1 > 0))))
    power = power_of_ten(decade)
    return Mark(value, power if mantissa == 1 else f"{decimal(mantissa, int(mantissa % 1 > 0))}×{power}")


def _readable(low: float, high: float) -> bool:
    """Whether the numbers of a logarithmic axis are read easily as they are."""
    return math.floor(math.log10(low)) >= -4 and math.ceil(math.log10(high)) <= 5


def densest(
    candidates: Iterable[tuple[Mark, ...]], place: Callable[[float], float], room: LabelRoom, least: int = 0
) -> tuple[tuple[Mark, ...], int]:
    """Choose among sets of marks.

    Parameters
    ----------
    candidates
        Sets of marks, dense to sparse.
    place
        Tells how far from the start of the axis a value lies.
    room
        What there is for their labels.
    least
        Pass over so many; two axes that shall be labelled alike take the larger of their numbers.

    Returns
    -------
    tuple
        The first that fits with all its labels, or else the densest that fits; and its number among the candidates.
    """
    second: tuple[Mark, ...] = ()
    ends: tuple[Mark, ...] = ()
    number = chosen = 0
    for number, marks in enumerate(candidates):
        if number < least:
            continue
        fitting = _fitting(marks, place, room)
        if len(fitting) == len(marks) and (len(fitting) >= 3 or (len(fitting) == 2 and room.overhang == math.inf)):
            return fitting, number
        if len(fitting) > len(second):
            second, chosen = fitting, number
        if len(marks) > 2 and not ends:
            ends = _fitting((marks[0], marks[-1]), place, room)
    # Between a set too dense by a hair and one with a single mark: the first and the last of the dense one.
    return (second, chosen) if len(second) >= len(ends) else (ends, number)


def _fitting(marks: tuple[Mark, ...], place: Callable[[float], float], room: LabelRoom) -> tuple[Mark, ...]:
    """Return the marks whose labels have room at the ends, if these do not touch each other; else none."""
    if math.isinf(room.overhang) and len(marks) > room.most:
        return ()
    placed = [(place(mark.value), room.extent(mark.label) / 2, mark) for mark in marks]
    if math.isfinite(room.overhang):
        low, high = -room.overhang, room.length + room.overhang
        placed = [found for found in placed if low <= found[0] - found[1] and found[0] + found[1] <= high]
    if len(placed) > room.most:
        return ()
    for (one, half, _), (other, other_half, _) in pairwise(placed):
        if other - one < half + other_half + room.gap:
            return ()
    return tuple(mark for _, _, mark in placed)


def choose(low: float, high: float, room: LabelRoom, *, log: bool = False, least: int = 0) -> tuple[Labels, int]:
    """Choose the labels of an axis that is seen through a window, which may be anywhere.

    Parameters
    ----------
    low, high
        Ends of the axis in its coordinate.
    room, least
        See :func:`densest`.

    Returns
    -------
    tuple
        The labels, none where the axis has no extent, and the number of the set.
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low and room.length > 0.0):
        return Labels(), 0
    if log and max(abs(low), abs(high)) > _LARGEST:
        return Labels(), 0
    per_unit = room.length / (high - low)

    def coordinate(value: float) -> float:
        return math.log10(value) if log else value

    candidates = log_marks(10.0**low, 10.0**high) if log else linear_marks(low, high)
    marks, number = densest(candidates, lambda value: (coordinate(value) - low) * per_unit, room, least)
    return Labels(tuple(coordinate(mark.value) for mark in marks), tuple(mark.label for mark in marks)), number
