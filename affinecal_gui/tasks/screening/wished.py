"""What is wished of the polymers of a library, and how probable it is that a row meets all of it."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.wishes import (
    ErrorsShown,
    Wanted,
    chance_of_all,
    errors_alone,
    errors_together,
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
    wished = [number for number, source in enumerate(sources) if opened(source).quantity.key in wishes.bounds]
    if not wished:
        return None
    own = tuple(sources[number] for number in wished)
    rows = [screened[number] for number in wished]
    found = np.full(len(rows[0].values), np.nan)
    origins = [tuple(one.origin[row] for one in rows) for row in range(len(found))]
    for kinds in dict.fromkeys(origins):
        known = tuple(kind for kind in kinds if kind is not None)
        if len(known) == len(kinds):
            which = np.array([other == kinds for other in origins], dtype=bool)
            found[which] = _chances(wishes, own, known, [_rows(one, which) for one in rows])
    return found


def _rows(one: Screened, which: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    return one.values[which], one.lower[which], one.upper[which]


def _chances(
    wishes: Wishes,
    sources: tuple[CalibratorSource, ...],
    origins: tuple[Origin, ...],
    rows: Sequence[tuple[FloatArray, FloatArray, FloatArray]],
) -> FloatArray:
    errors = errors_of(sources, origins)
    centre, spread, wanted = [], [], []
    for source, (values, lower, upper), half in zip(sources, rows, errors.half_widths, strict=True):
        one = opened(source)
        logarithmic = one.calibrator.log_scale
        value, low, high = (np.log(own) if logarithmic else own for own in (values, lower, upper))
        centre.append(value)
        spread.append((high - low) / 2.0 / half)
        ends = wishes.bounds[one.quantity.key]
        wanted.append(Wanted(*(_logarithm(end) for end in ends) if logarithmic else ends))
    centres, spreads = np.column_stack(centre), np.column_stack(spread)
    if len(errors.parts) == 1:
        return chance_of_all(errors.parts[0], centres, spreads, wanted)
    each = [
        chance_of_all(own, centres[:, [number]], spreads[:, [number]], [wanted[number]])
        for number, own in enumerate(errors.parts)
    ]
    return np.asarray(np.prod(each, axis=0))


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
