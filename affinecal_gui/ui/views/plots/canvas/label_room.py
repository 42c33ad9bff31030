"""Room for the labels of an axis: a range on which three of them stand, and labels moved apart that would touch."""

import math
from collections.abc import Sequence

_STEPS = (1.0, 2.0, 2.5, 5.0)  # from one label to the next, times a power of ten

LEAST_LABELS = 3
"""Fewer labels than these give an axis hardly a scale that could be read off."""
MOST_GROWTH = 1.25
"""An axis that would become longer than so many times what it has to show, and all on it flat, has two labels instead."""


def with_labels(low: float, high: float, length: float, room: float) -> tuple[float, float]:
    """Return the ends of a linear axis, moved apart as little as it takes for three labels to have room on it.

    Where that is much, as on a low axis, two labels have to do.

    Parameters
    ----------
    low, high
        Ends that hold everything that is to be seen.
    length
        Pixels between them.
    room
        Pixels from one label to the next, at least.
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low):
        return low, high
    found = [_with_so_many(least, low, high, length, room) for least in (LEAST_LABELS, 2)]
    three, two = found[0], found[1]
    return three if three[1] - three[0] <= MOST_GROWTH * max(high - low, two[1] - two[0]) else two


def _with_so_many(least: int, low: float, high: float, length: float, room: float) -> tuple[float, float]:
    if length < (least - 1) * room:
        return low, high
    best: tuple[float, float] | None = None
    power = math.floor(math.log10(high - low)) - 1
    steps = [(step, exponent) for exponent in range(power, power + 3) for step in _STEPS]
    # 25, 50, 75 are round; 2.5, 5.0, 7.5 are not.
    for size in (step * 10.0**exponent for step, exponent in steps if step != 2.5 or exponent >= 1):
        first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
        for below in range(max(0, least - (last - first + 1)) + 1):
            above = max(0, least - (last - first + 1) - below)
            start = min(low, (first - below) * size) if below else low
            end = max(high, (last + above) * size) if above else high
            if size * length / (end - start) > room * (1.0 + 1e-9) and (
                best is None or end - start < best[1] - best[0] - 1e-12
            ):
                best = start, end
    return best if best is not None else (low, high)


def spread(
    middles: Sequence[float], widths: Sequence[float], low: float, high: float, gap: float
) -> list[float] | None:
    """Move labels along an axis apart until none touches the next; None where they have no room side by side.

    Parameters
    ----------
    middles, widths
        Where the labels want to stand, ascending, and how wide they are; pixels.
    low, high
        Where the first may begin and the last may end.
    gap
        Pixels to be free between two labels.
    """
    if sum(widths) + gap * (len(widths) - 1) > high - low:
        return None
    placed: list[float] = []
    end = low - gap
    for middle, width in zip(middles, widths, strict=True):
        placed.append(max(middle, end + gap + width / 2.0))
        end = placed[-1] + width / 2.0
    begin = high + gap
    for number in range(len(placed) - 1, -1, -1):
        placed[number] = min(placed[number], begin - gap - widths[number] / 2.0)
        begin = placed[number] - widths[number] / 2.0
    return placed
