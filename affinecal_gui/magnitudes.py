"""Between which sizes numbers can be calculated with: tables refuse what lies beyond, and so does the mathematics."""

import numpy as np
from numpy.typing import NDArray

SMALLEST, LARGEST = 1e-100, 1e100
"""Sizes between which values other than 0 can be calculated with, squares and products included; no property needs more."""


def within_reach(values: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Return for each value whether it is 0 or of a size that can be calculated with; True where it is missing."""
    sizes = np.abs(values)
    return np.asarray(~((sizes > LARGEST) | ((sizes < SMALLEST) & (sizes > 0.0))))
