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
    mantissa, power = f"{value:.{digits - 1}e}".split("e")
    exponent = int(power)
    if exponent < -3 or exponent > 4:
        return f"{signed(mantissa)}×{power_of_ten(exponent)}"
    return decimal(value, max(0, digits - 1 - exponent))


def plus_minus(value: float, error: float) -> str:
    """Write ``value`` to the digit that its standard ``error`` allows, and the error; the value alone without one."""
    if not (math.isfinite(value) and math.isfinite(error) and error > 1e-6 * abs(value)):
        return significant(value)
    leading = math.floor(math.log10(error))
    digits = 2 if error / 10.0**leading < 2 else 1  # 0.013, but 0.02
    places = digits - 1 - leading
    if abs(value) >= 1e5 or places > 6:
        return f"{significant(value)} ± {significant(error, digits)}"
    return f"{decimal(value, max(0, places))} ± {decimal(error, max(0, places))}"


def interval(lower: float, upper: float, digits: int = 3) -> str:
    """Write an interval as "lower to upper", or that there is none."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return MISSING
    return f"{significant(lower, digits)} to {significant(upper, digits)}"


def estimate(value: float, lower: float, upper: float) -> tuple[str, str]:
    """Write a fitted number and its interval to the same decimal place, the second digit of the interval's width."""
    width = upper - lower
    if not (math.isfinite(value) and math.isfinite(width) and width > 0):
        return significant(value), MISSING
    places = max(1 - math.floor(math.log10(width)), 2 if width < 10 else 0)
    largest = max(abs(value), abs(lower), abs(upper))
    if places < 0 or places > 6 or largest >= 1e6:
        return significant(value), interval(lower, upper)
    return decimal(value, places), f"{decimal(lower, places)} to {decimal(upper, places)}"


def places_for(largest: float, digits: int = 4) -> int | None:
    """Decimal places for a column of numbers up to ``largest``; None where powers of ten are needed."""
    if not math.isfinite(largest) or largest <= 0:
        return None
    exponent = math.floor(math.log10(largest))
    return max(0, digits - 1 - exponent) if -3 <= exponent <= 6 else None


def in_column(value: float, places: int | None) -> str:
    """Write one number of a column that has ``places`` decimal places."""
    return significant(value, 4) if places is None else decimal(value, places)


def p_value(value: float) -> str:
    """Write a probability of error: "p = 0.03", "p < 0.001"."""
    if not math.isfinite(value):
        return f"p\u00a0{MISSING}"
    return "p\u00a0<\u00a00.001" if value < 0.001 else f"p\u00a0=\u00a0{significant(value, 2)}"
