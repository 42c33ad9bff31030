"""Numbers as text in the cells of the screen; how a number is written is decided in :mod:`affinecal_gui.numbers`."""

import math

import numpy as np
from numpy.typing import ArrayLike

from affinecal_gui.numbers import MINUS, MISSING, decimal, significant, superscript

__all__ = ("MINUS", "MISSING", "decimals_for", "number_text", "range_text", "significant", "superscript")


def number_text(value: float, decimals: int = 0, signed: bool = False) -> str:
    """Return a number with a fixed count of decimals; ``signed`` writes the plus as well."""
    return decimal(value, decimals, signed=signed)


def range_text(lower: float, upper: float, decimals: int = 0) -> str:
    """Return an interval: "932–1501", "−0.03 to 0.02" where a minus and a dash would be confused."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return MISSING
    low, high = number_text(lower, decimals), number_text(upper, decimals)
    between = " to " if lower < 0.0 or "×" in low + high else "\u2013"
    return f"{low}{between}{high}"


def decimals_for(values: ArrayLike, digits: int = 4) -> int:
    """Return the count of decimals with which the largest of these values shows so many digits."""
    sizes = np.abs(np.asarray(values, dtype=float))
    largest = float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
    return max(0, digits - 1 - math.floor(math.log10(largest))) if largest > 0.0 else 0
