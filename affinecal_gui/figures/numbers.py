"""Writing numbers in figures and reports: true minus, three significant digits, powers of ten."""

import math

MINUS = "\N{MINUS SIGN}"
MISSING = "–"
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def signed(text: str) -> str:
    """Replace the hyphen by which Python writes a negative number."""
    return text.replace("-", MINUS)


def power_of_ten(exponent: int) -> str:
    """10⁻³ and the like."""
    return "10" + str(exponent).translate(_SUPERSCRIPT)


def decimal(value: float, places: int) -> str:
    """Write ``value`` with a fixed number of decimal places; never "−0.00"."""
    if not math.isfinite(value):
        return MISSING
    text = f"{value:.{places}f}"
    return signed(text[1:] if text.startswith("-") and not text.strip("-0.") else text)


def significant(value: float, digits: int = 3) -> str:
    """Write ``value`` with ``digits`` significant digits; above 99999 and below 0.001 as powers of ten."""
    if not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(float(f"{value:.{digits - 1}e}"))))
    if exponent < -3 or exponent > 4:
        return f"{decimal(value / 10.0**exponent, digits - 1)}×{power_of_ten(exponent)}" if exponent > -300 else "0"
    return decimal(value, max(0, digits - 1 - exponent))


def interval(lower: float, upper: float, digits: int = 3) -> str:
    """Write an interval as "lower to upper", or that there is none."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return MISSING
    return f"{significant(lower, digits)} to {significant(upper, digits)}"


def p_value(value: float) -> str:
    """Write a probability of error: "p = 0.03", "p < 0.001"."""
    if not math.isfinite(value):
        return f"p {MISSING}"
    return "p < 0.001" if value < 0.001 else f"p = {significant(value, 2)}"
