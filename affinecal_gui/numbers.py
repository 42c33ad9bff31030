"""Numbers as text, for windows, figures, tables in reports and sentences alike: the one place where they are written.

A true minus sign, no more digits than say something, a dash for what is missing. Numbers from 0.001 up to a million are
written plainly; beyond, as ``1.23 × 10⁶``, because nobody counts noughts.
"""

import math

MINUS = "\N{MINUS SIGN}"
MISSING = "\N{EN DASH}"
TIMES = "\N{NO-BREAK SPACE}×\N{NO-BREAK SPACE}"
_SUPERSCRIPT = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")

_PLAIN_FROM, _PLAIN_BELOW = -3, 6  # powers of ten
_MOST_PLACES = 6  # decimal places; smaller numbers are written with powers of ten


def with_true_minus(text: str) -> str:
    """Replace the hyphen by which Python writes a negative number."""
    return text.replace("-", MINUS)


def superscript(number: int) -> str:
    """Return a whole number in raised figures."""
    return str(number).translate(_SUPERSCRIPT)


def power_of_ten(exponent: int) -> str:
    """10⁻³ and the like."""
    return f"10{superscript(exponent)}"


def decimal(value: float, places: int, *, signed: bool = False) -> str:
    """Write ``value`` with a fixed number of decimal places; never "−0.00".

    Where that would be a row of noughts, before or behind the point, it is written with a power of ten instead.
    ``signed`` writes the plus as well.
    """
    if not math.isfinite(value):
        return MISSING
    if abs(value) >= 10.0**_PLAIN_BELOW or (places > _MOST_PLACES and 0.0 < abs(value) < 10.0**_PLAIN_FROM):
        return significant(value, 4 if places <= _MOST_PLACES else 3, signed=signed)
    return fixed(value, min(places, 12), signed=signed)


def significant(value: float, digits: int = 3, *, signed: bool = False) -> str:
    """Write ``value`` with ``digits`` significant digits, whole numbers with all their digits; see the module for powers."""
    if not math.isfinite(value):
        return MISSING
    if value == 0:
        return "0"
    mantissa, _, power = f"{value:.{digits - 1}e}".partition("e")
    exponent = int(power)  # after rounding: 9.996 to three digits is 10.0
    if _PLAIN_FROM <= exponent < _PLAIN_BELOW:
        return fixed(value, max(0, digits - 1 - exponent), signed=signed)
    return f"{fixed(float(mantissa), digits - 1, signed=signed)}{TIMES}{power_of_ten(exponent)}"


def fixed(value: float, places: int, *, signed: bool = False) -> str:
    """Write ``value`` with a fixed number of decimal places whatever its size, for ticks that must be told apart."""
    text = f"{value:+.{places}f}" if signed else f"{value:.{places}f}"
    return with_true_minus(text.lstrip("+-") if not text.strip("+-0.") else text)


def shortest(value: float, digits: int = 6) -> str:
    """Write ``value`` with ``digits`` significant digits at most, and no noughts at the end, as a user writes it.

    >>> shortest(0.970), shortest(2344.5, 3), shortest(-0.5)
    ('0.97', '2340', '−0.5')
    """
    if not math.isfinite(value):
        return MISSING
    text = f"{float(f'{value:.{digits}g}'):g}"
    if "e" not in text:
        return with_true_minus(text)
    mantissa, _, power = f"{float(f'{value:.{min(digits, 4)}g}'):g}".partition("e")
    return f"{with_true_minus(mantissa)}{TIMES}{power_of_ten(int(power))}"


def plus_minus(value: float, error: float) -> str:
    """Write ``value`` to the digit that its standard ``error`` allows, and the error; the value alone without one."""
    if not (math.isfinite(value) and math.isfinite(error) and error > 1e-6 * abs(value)):
        return significant(value)
    leading = math.floor(math.log10(error))
    digits = 2 if error / 10.0**leading < 2 else 1  # 0.013, but 0.02
    places = digits - 1 - leading
    if abs(value) >= 10.0**_PLAIN_BELOW or error >= 10.0**_PLAIN_BELOW or places > _MOST_PLACES:
        return f"{significant(value)} ± {significant(error, digits)}"
    return f"{decimal(value, max(0, places))} ± {decimal(error, max(0, places))}"


def interval(lower: float, upper: float, digits: int = 3) -> str:
    """Write an interval as "lower to upper", or that there is none."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return MISSING
    return f"{significant(lower, digits)} to {significant(upper, digits)}"


def with_interval(value: float, lower: float, upper: float) -> str:
    """Write a number with its interval in brackets, "0.174 (0.125 to 0.242)"; the number alone without one."""
    if not (math.isfinite(lower) and math.isfinite(upper)):
        return significant(value)
    return f"{significant(value)} ({interval(lower, upper)})"


def estimate(value: float, lower: float, upper: float) -> tuple[str, str]:
    """Write a fitted number and its interval to the same decimal place, the second digit of the interval's width."""
    width = upper - lower
    if not (math.isfinite(value) and math.isfinite(width) and width > 0):
        return significant(value), MISSING
    places = max(1 - math.floor(math.log10(width)), 2 if width < 10 else 0)
    largest = max(abs(value), abs(lower), abs(upper))
    if places < 0 or places > _MOST_PLACES or largest >= 10.0**_PLAIN_BELOW:
        return significant(value), interval(lower, upper)
    return decimal(value, places), f"{decimal(lower, places)} to {decimal(upper, places)}"


def places_for(largest: float, digits: int = 4) -> int | None:
    """Decimal places for a column of numbers up to ``largest``; None where powers of ten are needed."""
    if not math.isfinite(largest) or largest <= 0:
        return None
    exponent = math.floor(math.log10(largest))
    return max(0, digits - 1 - exponent) if _PLAIN_FROM <= exponent < _PLAIN_BELOW else None


def in_column(value: float, places: int | None) -> str:
    """Write one number of a column that has ``places`` decimal places."""
    return significant(value, 4) if places is None else decimal(value, places)


def r_squared(value: float) -> str:
    """Write a coefficient of determination: two decimal places where it can be read as a share, else three digits."""
    return decimal(value, 2) if abs(value) < 10 else significant(value, 3)


def p_value(value: float) -> str:
    """Write a probability of error: "p = 0.03", "p < 0.001"."""
    if not math.isfinite(value):
        return f"p\u00a0{MISSING}"
    return "p\u00a0<\u00a00.001" if value < 0.001 else f"p\u00a0=\u00a0{significant(value, 2)}"
