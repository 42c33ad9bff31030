"""Numbers as text for the screen: a true minus sign, sensible digits, a dash for what is missing."""

import math

import numpy as np
from numpy.typing import ArrayLike

MINUS = "\u2212"
MISSING = "\u2013"  # an en dash stands where there is no number


def number_text(value: float, decimals: int = 0, signed: bool = False) -> str:
    """Return a number with a fixed count of decimals; ``signed`` writes the plus as well."""
    if not math.isfinite(value):
        return MISSING
    text = f"{value:+.{decimals}f}" if signed else f"{value:.{decimals}f}"
    if float(text) == 0.0:  # "−0.00" is a nought
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def range_text(lower: float, upper: float, decimals: int = 0) -> str:
    """Return an interval: "932–1501", "−0.03 to 0.02" where a minus and a dash would be confused."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return MISSING
    between = " to " if lower < 0.0 else "\u2013"
    return f"{number_text(lower, decimals)}{between}{number_text(upper, decimals)}"


def significant(value: float, digits: int = 4, signed: bool = False) -> str:
    """Return a number with so many significant digits; powers of ten only where plain digits would be unreadable.

    Whole numbers keep all their digits: 1905 with three digits stays 1905.
    """
    if not math.isfinite(value):
        return MISSING
    if value == 0.0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    exponent = int(power)  # after rounding: 9.996 to three digits is 10.0
    if -5 < exponent < 7:
        return number_text(value, max(0, digits - 1 - exponent), signed)
    return f"{number_text(float(mantissa), digits - 1, signed)} × 10{superscript(exponent)}"


def superscript(number: int) -> str:
    """Return a whole number in raised figures."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def decimals_for(values: ArrayLike, digits: int = 4) -> int:
    """Return the count of decimals with which the largest of these values shows so many digits."""
    sizes = np.abs(np.asarray(values, dtype=float))
    largest = float(np.max(sizes, initial=0.0, where=np.isfinite(sizes)))
    return max(0, digits - 1 - math.floor(math.log10(largest))) if largest > 0.0 else 0
