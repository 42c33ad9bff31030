"""Where the axes of the plots carry labels: round numbers, as many as there is room for."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from affinecal_gui.numbers import TIMES, fixed, significant, superscript

Extent = Callable[[str], float]
"""``extent(text)``: how many pixels a label takes along the axis."""

LOG_MANTISSAS: tuple[tuple[float, ...], ...] = (
    (1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0),
    (1.0, 2.0, 4.0, 6.0, 8.0),
    (1.0, 2.0, 4.0),
    (1.0, 3.0),
    (1.0,),
)
"""Labelled numbers of each decade, from dense to sparse; beyond them whole decades are left out."""

LINEAR_STEPS: tuple[float, ...] = (1.0, 2.0, 2.5, 5.0)

_NARROW = 0.33  # decades; below it a logarithmic axis is labelled at even steps

_MOST_LABELS = 12

_KEPT = 1024  # sets of labels: panels that share an axis ask for the same ones, and so does every change of size


@dataclass(frozen=True, slots=True)
class Ticks:
    """Labelled places of an axis, in the coordinate of the axis: log10 of the number on a logarithmic one."""

    positions: tuple[float, ...] = ()
    labels: tuple[str, ...] = ()
    shifts: tuple[float, ...] = ()  # pixels by which each label stands beside its place; none: right at it


def choose(
    low: float, high: float, length: float, extent: Extent, log: bool, gap: float = 6.0, least_density: int = 0
) -> tuple[Ticks, int]:
    """Choose the densest labels of an axis that do not crowd.

    Parameters
    ----------
    low, high
        Ends of the axis in its coordinate.
    length
        Pixels between them.
    extent
        Measures a label along the axis.
    log
        The coordinate is log10 of the number shown.
    gap
        Pixels to be free between two labels.
    least_density
        Do not go below this density number; two axes that shall be labelled alike take the larger of theirs.

    Returns
    -------
    tuple
        The ticks, and the density number: 0 is the densest.
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low and length > 0.0):
        return Ticks(), 0
    candidates = _log_candidates(low, high) if log and high - low > _NARROW else _linear_candidates(low, high, log)
    best: tuple[Ticks, int] = (Ticks(), 0)
    for density, ticks in enumerate(candidates):
        if density < least_density or ticks is None:
            continue
        best = (ticks, density)
        if _fits(ticks, low, high, length, extent, gap):
            break
    return best


LEAST_LABELS = 3
"""Fewer labels than these give an axis no scale that could be read off."""


def with_labels(low: float, high: float, length: float, room: float) -> tuple[float, float]:
    """Return the ends of a linear axis, moved apart as little as it takes for three labels to have room on it.

    Parameters
    ----------
    low, high
        Ends that hold everything that is to be seen.
    length
        Pixels between them.
    room
        Pixels from one label to the next, at least.
    """
    if not (math.isfinite(low) and math.isfinite(high) and high > low) or length < (LEAST_LABELS - 1) * room:
        return low, high
    best: tuple[float, float] | None = None
    power = math.floor(math.log10(high - low)) - 1
    for size in (step * 10.0**exponent for exponent in range(power, power + 3) for step in LINEAR_STEPS):
        first, last = math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9)
        for below in range(max(0, LEAST_LABELS - (last - first + 1)) + 1):
            above = max(0, LEAST_LABELS - (last - first + 1) - below)
            start = min(low, (first - below) * size) if below else low
            end = max(high, (last + above) * size) if above else high
            if size * length / (end - start) >= room and (best is None or end - start < best[1] - best[0] - 1e-12):
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


def _fits(ticks: Ticks, low: float, high: float, length: float, extent: Extent, gap: float) -> bool:
    per_unit = length / (high - low)
    end = -math.inf
    for position, label in zip(ticks.positions, ticks.labels, strict=True):
        middle, half = (position - low) * per_unit, extent(label) / 2.0
        if middle - half < end + gap:
            return False
        end = middle + half
    return True


def _log_candidates(low: float, high: float) -> Iterator[Ticks | None]:
    """Yield labels from dense to sparse; None stands for a set with too many."""
    first, last = math.floor(low), math.ceil(high)
    if last - first > 400:
        return
    for mantissas in LOG_MANTISSAS:
        if (high - low) * len(mantissas) > _MOST_LABELS + len(mantissas):
            yield None
        else:
            yield _log_ticks(mantissas, 1, low, high)
    for stride in (2, 3, 5, 10, 20, 50, 100):
        yield _log_ticks((1.0,), stride, low, high)


@lru_cache(maxsize=_KEPT)
def _log_ticks(mantissas: tuple[float, ...], stride: int, low: float, high: float) -> Ticks:
    """Label these numbers of every decade that is a multiple of ``stride``."""
    decades = [decade for decade in range(math.floor(low), math.ceil(high) + 1) if decade % stride == 0]
    placed = [(math.log10(mantissa) + decade, mantissa, decade) for decade in decades for mantissa in mantissas]
    inside = [entry for entry in placed if low <= entry[0] <= high]
    plain = all(-4 <= decade <= 6 for _, _, decade in inside)
    return Ticks(
        tuple(entry[0] for entry in inside),
        tuple((_plain_label if plain else _power_label)(mantissa, decade) for _, mantissa, decade in inside),
    )


def _plain_label(mantissa: float, decade: int) -> str:
    # 1.5 of a decade needs one more decimal than the decade itself
    return fixed(mantissa * 10.0**decade, max(0, -decade + (0 if mantissa.is_integer() else 1)))


def _power_label(mantissa: float, decade: int) -> str:
    power = f"10{superscript(decade)}"
    return power if mantissa == 1.0 else f"{mantissa:g}{TIMES}{power}"


def _linear_candidates(low: float, high: float, log: bool) -> Iterator[Ticks | None]:
    """Yield even steps, from small to large; on a narrow logarithmic axis, even steps of the number itself."""
    start, end = (10.0**low, 10.0**high) if log else (low, high)
    span = end - start
    if span <= 0.0 or not math.isfinite(span):
        return
    power = math.floor(math.log10(span)) - 1
    for exponent in range(power, power + 3):
        for step in LINEAR_STEPS:
            size = step * 10.0**exponent
            first, last = math.ceil(start / size - 1e-9), math.floor(end / size + 1e-9)
            yield None if last - first >= _MOST_LABELS else _linear_ticks(first, last, step, exponent, log)


@lru_cache(maxsize=_KEPT)
def _linear_ticks(first: int, last: int, step: float, exponent: int, log: bool) -> Ticks:
    """Label the multiples ``first`` to ``last`` of an even step."""
    size = step * 10.0**exponent
    decimals = max(0, -exponent + (1 if step == 2.5 else 0))
    numbers = [k * size for k in range(first, last + 1)]
    return Ticks(
        tuple(math.log10(number) if log else number for number in numbers),
        tuple(_linear_label(number, decimals) for number in numbers),
    )


def _linear_label(number: float, decimals: int) -> str:
    if decimals > 6 or abs(number) >= 1e7:
        return significant(number, 3)
    text = fixed(number, decimals)
    return text.rstrip("0").rstrip(".") if "." in text else text
