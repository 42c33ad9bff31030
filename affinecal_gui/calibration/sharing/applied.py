"""What a calibrator without its study says of further polymers, and what every such calibrator can do."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray, ModelName


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """Calibrated values of k polymers, property unit."""

    values: FloatArray  # (k,) nan where there is none
    lower: FloatArray  # (k,)
    upper: FloatArray  # (k,)
    usable: NDArray[np.bool_]  # (k,) MD value and descriptors can be calculated with
    inside: NDArray[np.bool_]  # (k,) within the range of validity
    md_inside: NDArray[np.bool_]  # (k,) of the MD value alone
    structure_inside: NDArray[np.bool_]  # (k,) of the descriptors alone

    @property
    def withheld(self) -> NDArray[np.bool_]:
        """(k,) where a value would be an extrapolation without meaning."""
        return np.asarray(self.usable & np.isnan(self.values))


class SharedCalibrator(Protocol):
    """A calibrator that needs no study."""

    @property
    def model(self) -> ModelName:
        """Which calibrator it is."""
        ...

    @property
    def log_scale(self) -> bool:
        """Whether it was fitted to the natural logarithm of the property."""
        ...

    @property
    def level(self) -> float:
        """Of its intervals."""
        ...

    def apply(self, md: FloatArray, descriptors: FloatArray) -> Applied:
        """Calibrate k polymers with MD values (k,), property unit, and descriptors (k, d); nan where there are none."""
        ...
