"""The standard unit of every descriptor, learned from the training part alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.results import FloatArray

SMALLEST_SHARE = 0.1
"""The standard unit of a descriptor is at least this share of the typical (root mean square) one of its block."""


@dataclass(frozen=True, slots=True)
class DescriptorScale:
    """Centre and standard unit of d descriptors: the models see ``(x - mean) / scale``."""

    mean: FloatArray  # (d,)
    scale: FloatArray  # (d,) positive

    def apply(self, X: FloatArray) -> FloatArray:
        """Return (k, d) standardised descriptors of k polymers."""
        return (X - self.mean) / self.scale


def learn_scale(
    X: FloatArray, sizes: Sequence[int], weights: FloatArray | None = None, smallest_share: float = SMALLEST_SHARE
) -> DescriptorScale:
    """Learn centre and standard unit of every descriptor from a training part.

    The standard unit is the sample standard deviation (ddof = 1), but at least ``smallest_share`` of the root mean
    square standard deviation of the descriptor's block. Without that floor a descriptor which is almost constant in the
    training part (the kernel tail of an element that none of its polymers contains varies by 1e-26, say) turns an
    ordinary value of another polymer into a z-score without limit, and its prediction with it. A floor keeps the
    correction linear in the descriptors, as the attribution to atoms needs; clipping z-scores would not.

    Parameters
    ----------
    X
        (n, d) descriptors of the training polymers, n >= 1.
    sizes
        Number of columns of each block; they add up to d.
    weights
        (n,) for the centre only: with the weighted mean subtracted, the intercept of the models is a weighted mean too.
    smallest_share
        Zero gives plain z-scores; a column (or a whole block) without any variation gets 1.

    Returns
    -------
    DescriptorScale
        All entries finite, every scale positive.
    """
    n, d = X.shape
    mean = np.average(X, axis=0, weights=weights) if d else np.zeros(0)
    spread = X.std(axis=0, ddof=1) if n > 1 and d else np.zeros(d)
    # Rounding leaves a constant column with a spread of a few units in the last place: that is not variation.
    spread[spread <= 1e-13 * np.abs(X).max(axis=0, initial=0.0)] = 0.0
    start = 0
    for size in sizes:
        block = spread[start : start + size]
        np.maximum(block, smallest_share * np.sqrt(np.mean(block**2)) if size else 0.0, out=block)
        start += size
    spread[spread == 0.0] = 1.0
    return DescriptorScale(mean, spread)
