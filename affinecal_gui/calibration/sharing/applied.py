"""What a calibrator without its study says of further polymers."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray


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
