"""Which polymers a calibrator can be applied to at all."""

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.magnitudes import LARGEST, within_reach


def usable_rows(md: FloatArray, descriptors: FloatArray, *, log_scale: bool) -> NDArray[np.bool_]:
    """(k,) whether MD value (k,) and descriptors (k, d) can be calculated with; the logarithm needs positive values."""
    usable = np.isfinite(md) & within_reach(md) & np.asarray((np.abs(descriptors) <= LARGEST).all(axis=1))
    return np.asarray(usable & (md > 0.0)) if log_scale else np.asarray(usable)
