"""How often the intervals of measured polymers hold the measured value, class by class."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from affinecal_gui.calibration.results import ModelName
from affinecal_gui.study.snapshot import Snapshot

FEWEST: Final = 8
"""Polymers of a class below which a share of them says nothing."""

CONFIDENCE: Final = 0.95
"""Of the interval of a share."""


@dataclass(frozen=True, slots=True)
class ClassCoverage:
    """One class of measured polymers."""

    name: str  # "polyester"
    polymers: int
    inside: int  # whose measured value lies inside its interval
    lower: float  # of the share inside, as far as so few polymers tell (Clopper and Pearson, Biometrika 26, 1934, 404)
    upper: float


def coverage_by_class(snapshot: Snapshot, model: ModelName) -> tuple[ClassCoverage, ...]:
    """Return the classes with at least :data:`FEWEST` measured polymers of the fit, the largest first."""
    calibration = snapshot.calibration
    assert calibration is not None
    found = calibration.models[model]
    inside = (found.out_of_fold_lower <= calibration.measured) & (calibration.measured <= found.out_of_fold_upper)
    rows = [row for row in snapshot.rows if row.training_index >= 0]
    return coverage_of(
        [row.polymer_class for row in rows], inside[np.array([row.training_index for row in rows], dtype=np.int64)]
    )


def coverage_of(classes: Sequence[str], inside: NDArray[np.bool_]) -> tuple[ClassCoverage, ...]:
    """Return the same for polymers of these classes, "" where none is known; ``inside`` (k,) of each."""
    members: dict[str, list[bool]] = defaultdict(list)
    for name, one in zip(classes, inside.tolist(), strict=True):
        if name:
            members[name].append(one)
    enough = sorted(
        ((name, own) for name, own in members.items() if len(own) >= FEWEST), key=lambda one: (-len(one[1]), one[0])
    )
    return tuple(_coverage(name, len(own), sum(own)) for name, own in enough)


def _coverage(name: str, polymers: int, inside: int) -> ClassCoverage:
    tail = (1.0 - CONFIDENCE) / 2.0
    lower = float(betaincinv(inside, polymers - inside + 1, tail)) if inside else 0.0
    upper = float(betaincinv(inside + 1, polymers - inside, 1.0 - tail)) if inside < polymers else 1.0
    return ClassCoverage(name, polymers, inside, lower, upper)
