"""What is wished of the polymers of a library, and how probable it is that a row meets all of it."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.wishes import (
    ErrorsShown,
    Wanted,
    errors_alone,
    errors_together,
    worth_of_all,
)
from affinecal_gui.tasks.screening.calibrator_sources import CalibratorSource, ScreenedCalibrator, opened
from affinecal_gui.tasks.screening.columns import MD, Origin, Screened
from affinecal_gui.tasks.screening.identities import places_of

FEWEST_COMMON = 20
"""With fewer training polymers in common, residuals do not tell how the errors of two properties depend on each other."""

Goal = Literal["high", "low"]


@dataclass(frozen=True, slots=True)
class Wishes:
    """By key of the property, in its unit."""

    bounds: Mapping[str, tuple[float, float]] = field(default_factory=dict)  # lowest and highest that will do
    goals: Mapping[str, Goal] = field(default_factory=dict)  # as high, or as low, as possible

    @property
    def plain(self) -> str:
        """The same for the same wishes, however they are written."""
        listed = [f"{key} from {low!r} to {high!r}" for key, (low, high) in sorted(self.bounds.items())]
        return "; ".join([*listed, *(f"{key} as {goal} as possible" for key, goal in sorted(self.goals.items()))])


@dataclass(frozen=True, slots=True, eq=False)
class ErrorsKnown:
    """Errors of p calibrators: (c, p) in one array where they belong together, else an array of each."""

    parts: tuple[FloatArray, ...]
    half_widths: tuple[float, ...]  # (p,) by how many spreads an interval reaches to either side
    common: int  # training polymers that all have in common


def chances_of(wishes: Wishes, sources: Sequence[CalibratorSource], screened: Sequence[Screened]) -> FloatArray | None:
    """(k,) probability that rows meet all wishes, nan where a value or an interval is missing; None without wishes."""
    return worths_of(wishes, sources, screened) if wishes.bounds else None


def worths_of(
    wishes: Wishes,
    sources: Sequence[CalibratorSource],
    screened: Sequence[Screened],
    beyond: Mapping[str, float] | None = None,
) -> FloatArray:
    """(k,) probability that rows meet all wishes, or by how much they are expected to improve upon the best.

    Parameters
    ----------
    beyond
        By key of the property, upon which value of it, target scale, a row is to improve; by default none is.
    """
    beyond = beyond or {}
    keys = {*wishes.bounds, *beyond}
    wished = [number for number, source in enumerate(sources) if opened(source).quantity.key in keys]
    own = tuple(sources[number] for number in wished)
    rows = [screened[number] for number in wished]
    found = np.full(len(rows[0].values), np.nan)
    wanted = [wanted_of(wishes, opened(source), beyond) for source in own]
    for kinds, which in by_origins(rows):
        errors = errors_of(own, kinds)
        told = [_rows(one, which) for one in rows]
        scaled = [
            on_target_scale(opened(source), *values, half)
            for source, values, half in zip(own, told, errors.half_widths, strict=True)
        ]
        centres, spreads = (np.column_stack(each) for each in zip(*scaled, strict=True))
        found[which] = worth_of_all(errors.parts, centres, spreads, wanted)
    return found


def by_origins(rows: Sequence[Screened]) -> Iterator[tuple[tuple[Origin, ...], NDArray[np.bool_]]]:
    """Yield which rows have MD values of the same origins, property by property; those without a value nowhere."""
    origins = [tuple(one.origin[row] for one in rows) for row in range(len(rows[0].values))]
    for kinds in dict.fromkeys(origins):
        known = tuple(kind for kind in kinds if kind is not None)
        if len(known) == len(kinds):
            yield known, np.array([other == kinds for other in origins], dtype=bool)


def _rows(one: Screened, which: NDArray[np.bool_]) -> tuple[FloatArray, FloatArray, FloatArray]:
    return one.values[which], one.lower[which], one.upper[which]


def on_target_scale(
    one: ScreenedCalibrator, values: FloatArray, lower: FloatArray, upper: FloatArray, half_width: float
) -> tuple[FloatArray, FloatArray]:
    """Return calibrated values (k,) and the spreads (k,) of their intervals, each ``half_width`` spreads to either side."""
    value, low, high = (np.log(own) if one.calibrator.log_scale else own for own in (values, lower, upper))
    return value, (high - low) / 2.0 / half_width


def wanted_of(wishes: Wishes, one: ScreenedCalibrator, beyond: Mapping[str, float]) -> Wanted:
    """Return what is wished of the property of a calibrator, target scale."""
    key = one.quantity.key
    ends = wishes.bounds.get(key, (-math.inf, math.inf))
    low, high = (_logarithm(end) for end in ends) if one.calibrator.log_scale else ends
    return Wanted(low, high, beyond.get(key), wishes.goals.get(key) == "low")


def _logarithm(bound: float) -> float:
    """Return the bound on the target scale: everything is more than nothing."""
    return math.log(bound) if bound > 0.0 else -math.inf


@lru_cache(maxsize=16)
def errors_of(sources: tuple[CalibratorSource, ...], origins: tuple[Origin, ...]) -> ErrorsKnown:
    """Return the errors of calibrators that are applied to MD values of these origins; once in each process."""
    calibrators = [opened(source) for source in sources]
    shown = [
        one.calibrator.errors_shown(simulated=origin == MD) for one, origin in zip(calibrators, origins, strict=True)
    ]
    halves = tuple(one.half_width for one in shown)
    if len(shown) == 1:
        return ErrorsKnown((errors_alone(shown[0]),), halves, shown[0].polymers)
    same = _common(calibrators, shown)
    if len(same) < FEWEST_COMMON:
        return ErrorsKnown(tuple(map(errors_alone, shown)), halves, len(same))
    return ErrorsKnown((errors_together(shown, np.array(same, dtype=np.float64)),), halves, len(same))


def _common(calibrators: Sequence[ScreenedCalibrator], shown: Sequence[ErrorsShown]) -> list[list[int]]:
    """Return the places of each polymer that all calibrators were trained with."""
    if not all(one.in_order for one in shown):
        return []
    places = [places_of(() if one.file.training is None else one.file.training.smiles) for one in calibrators]
    return [[own[key] for own in places] for key in places[0] if all(key in own for own in places)]
