"""The standard unit of every descriptor, learned from the training part alone."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.results import FloatArray

SMALLEST_SHARE = 0.5
"""The standard unit of a descriptor is at least this share of the typical (root mean square) one of its block.

Chosen on the three bundled examples, where without a floor single values are missed without measure and one unit for a whole
block predicts worse; shares of 0.1 to 0.75 do equally well (docs/uncertainty.md, ``tests/benchmarks/held_out_choices.py``).
"""

VARIATION = 1e-13
"""A standard deviation below this share of the largest value is rounding."""


@dataclass(frozen=True, slots=True)
class DescriptorScale:
    """Centre and standard unit of d descriptors: the models see ``(x - mean) / scale``."""

    mean: FloatArray  # (d,)
    scale: FloatArray  # (d,) positive

    def apply(self, X: FloatArray) -> FloatArray:
        """Return (k, d) standardised descriptors of k polymers."""
        Z = np.subtract(X, self.mean)
        Z /= self.scale  # in place: a large library is not held a third time
        return Z


def learn_scale(
    X: FloatArray, sizes: Sequence[int], weights: FloatArray | None = None, smallest_share: float = SMALLEST_SHARE
) -> DescriptorScale:
    """Learn centre and standard unit of every descriptor from a training part.

    The standard unit is the standard deviation, but at least ``smallest_share`` of the root mean square standard deviation
    of the descriptor's block. Without that floor a descriptor that is almost constant in the training part (the kernel
    tail of an element which none of its polymers contains varies by 1e-26, say) turns an ordinary value of another
    polymer into a z-score without limit, and its prediction with it. A floor keeps the correction linear in the
    descriptors, as the attribution to atoms needs; clipping z-scores would not.

    Parameters
    ----------
    X
        (n, d) descriptors of the training polymers, n >= 1.
    sizes
        Number of columns of each block; they add up to d. The columns of a block should share a unit.
    weights
        (n,) a weight of 2 counts like a repeated row.
    smallest_share
        Zero gives plain z-scores.

    Returns
    -------
    DescriptorScale
        All entries finite, every scale positive: a block without any variation gets 1 (or its size, if larger).
    """
    mean, spread = centre_and_spread(X, weights)
    start = 0
    for size in sizes:
        block = spread[start : start + size]
        largest = float(block.max(initial=0.0))
        if largest > 0.0:
            typical = largest * float(np.sqrt(np.mean((block / largest) ** 2)))
            np.maximum(block, smallest_share * typical, out=block)
        start += size
    return DescriptorScale(mean, _without_noughts(spread, X))


def z_scores(X: FloatArray, weights: FloatArray | None = None) -> DescriptorScale:
    """Return the plain z-scoring of the paper: sample standard deviation; constant columns get 1, or their size.

    With ``weights`` (n,) a weight of 2 counts like a repeated row.
    """
    mean, spread = centre_and_spread(X, weights)
    spread *= sample_ratio(len(X), weights)
    return DescriptorScale(mean, _without_noughts(spread, X))


def sample_ratio(n: int, weights: FloatArray | None = None) -> float:
    """Return the ratio of the sample standard deviation of n rows to the one divided by n.

    Weights count rows. Where they add up to less than two rows, which have no sample standard deviation, those of two.
    """
    if weights is None:
        return float(np.sqrt(n / max(n - 1, 1)))
    total = float(weights.sum())
    return float(np.sqrt(total / max(total - 1.0, 0.5 * total)))


def _without_noughts(spread: FloatArray, X: FloatArray) -> FloatArray:
    """Give columns without variation the unit 1, or their size where that is larger: rounding of 1e90 is 1e74, not 0."""
    return np.where(spread == 0.0, np.maximum(np.abs(X).max(axis=0, initial=0.0), 1.0), spread)


def centre_and_spread(X: FloatArray, weights: FloatArray | None = None) -> tuple[FloatArray, FloatArray]:
    """(d,) means and (d,) standard deviations (divided by n) of the columns of X (n, d); exactly 0 without variation."""
    w = np.full(len(X), 1.0 / len(X)) if weights is None else weights / weights.sum()
    mean = w @ X
    deviation = X - mean
    largest = np.abs(deviation).max(axis=0, initial=0.0)
    unit = np.where(largest > 0.0, largest, 1.0)
    spread = largest * np.sqrt(w @ (deviation / unit) ** 2)
    spread[largest <= VARIATION * np.abs(X).max(axis=0, initial=0.0)] = 0.0
    return mean, spread
