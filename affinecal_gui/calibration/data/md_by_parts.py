"""MD values that depend on who is held out: those that are predicted from the MD values of other polymers."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.results import FloatArray


@dataclass(frozen=True, slots=True)
class PredictedValues:
    """Predicted MD values of n measured and m other polymers with their standard deviations, target scale."""

    measured: FloatArray  # (n,)
    deviation: FloatArray  # (n,)
    library: FloatArray  # (m,)
    library_deviation: FloatArray  # (m,)


class MDByParts(Protocol):
    """Predicts the MD values that one training part may know of."""

    def without(self, held: Sequence[IntArray]) -> Sequence[PredictedValues]:
        """Return for each set of measured polymers all values as if their own MD values did not exist."""
