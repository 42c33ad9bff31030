"""Numbers as text for the screen: a true minus sign, sensible digits, nothing for what is missing."""

import math

MINUS = "\u2212"
MISSING = "\u2013"  # an en dash stands where there is no number


def fixed(value: float, decimals: int = 0, sign: bool = False) -> str:
    """Return a number with a fixed count of decimals; ``sign`` writes the plus as well."""
    if not math.isfinite(value):
        return MISSING
    text = f"{value:+.{decimals}f}" if sign else f"{value:.{decimals}f}"
    if float(text) == 0.0:  # "−0.00" is a nought
        text = text.lstrip("+-")
    return text.replace("-", MINUS)


def significant(value: float, digits: int = 4, sign: bool = False) -> str:
    """Return a number with so many significant digits; powers of ten only where plain digits would be unreadable.

    Whole numbers keep all their digits: 1905 with three digits stays 1905.
    """
    if not math.isfinite(value):
        return MISSING
    if value == 0.0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if float(f"{abs(value):.{digits - 1}e}") >= 10.0 ** (exponent + 1):  # rounding carries: 9.996 -> 10.00
        exponent += 1
    if -5 < exponent < 7:
        return fixed(value, max(0, digits - 1 - exponent), sign)
    mantissa = fixed(value / 10.0**exponent, max(0, digits - 1), sign)
    return f"{mantissa} × 10{superscript(exponent)}"


def superscript(number: int) -> str:
    """Return a whole number as superscript letters."""
    return str(number).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def decimals_for(values: tuple[float, ...], digits: int = 4) -> int:
    """Return the count of decimals with which the largest of these values shows so many digits."""
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return max(0, digits - 1 - math.floor(math.log10(largest))) if largest > 0.0 else 0
