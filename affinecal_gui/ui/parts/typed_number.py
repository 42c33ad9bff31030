"""A number that somebody types into a field of the window, with the decimal mark that they are used to."""

import math
import re

from affinecal_gui.errors import UserError
from affinecal_gui.tables.single_numbers import typed_plainly

_PLAIN = re.compile(r"[+-]?(?:\d+[.,]?\d*|[.,]\d+)(?:[eE][+-]?\d{1,3})?")
_GROUPED = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def typed_number(text: str, of: str = "") -> float:
    """Return the number that a text is; a comma is a decimal mark. ``of`` says what it is, where that has to be told.

    >>> typed_number("0,08"), typed_number("−1.5e3")
    (0.08, -1500.0)

    Raises
    ------
    UserError
        There is none, or no finite one, or one whose comma may also part thousands, as in "1,400".
    """
    said, plain, where = text.strip(), typed_plainly(text), f": {of}" if of else ""
    if not said:
        raise UserError(f"A number is missing{where}.")
    if _GROUPED.fullmatch(plain):
        raise UserError(
            f"“{said}” may be {plain.replace(',', '.')} or {plain.replace(',', '')}{where}. Type one of these."
        )
    value = float(plain.replace(",", ".")) if _PLAIN.fullmatch(plain) else math.nan
    if not math.isfinite(value):
        raise UserError(f"“{said}” is not a number{where}.")
    return value
