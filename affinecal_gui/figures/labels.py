"""Axis labels with units, and names with their symbols."""

import re
from collections.abc import Sequence

from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import shortened, text_width
from affinecal_gui.figures.style import escaped, mathematics, plain


def symbol(quantity: Quantity) -> str:
    """Return the symbol as matplotlib draws it."""
    return mathematics(quantity.symbol_math)


def with_unit(words: str, unit: str, exponent: int = 0) -> str:
    """Return "words, unit"; with an exponent "words, 10⁻⁹ unit", for ticks that show values divided by that power."""
    shown = escaped(unit)
    if exponent:
        shown = f"$10^{{{exponent}}}$ {shown}".rstrip()
    return f"{words}, {shown}" if shown else words


def target_scale(quantity: Quantity) -> str:
    """Return what the calibration was fitted on: "ln Cp", or the symbol itself."""
    return f"ln {symbol(quantity)}" if quantity.log_scale else symbol(quantity)


def target_change(quantity: Quantity) -> str:
    """Return what differences on the target scale are measured in: "ln Cp", or the unit, or the symbol without one."""
    return target_scale(quantity) if quantity.log_scale or not quantity.unit else escaped(quantity.unit)


_SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def in_italics(symbol: str) -> str:
    """Return the symbol of a physical quantity as mathematics: letters in italics, subscript digits set as such."""
    parts = re.fullmatch(r"(\|?)([^\W\d_₀-₉]{1,3})([₀-₉]*)(\|?)", plain(symbol))
    if parts is None:
        return escaped(symbol)
    opening, letters, digits, closing = parts.groups()
    subscript = f"_{{{digits.translate(_SUBSCRIPTS)}}}" if digits else ""
    return mathematics(rf"${opening}\mathit{{{letters}}}{subscript}{closing}$", otherwise=symbol)


def fitting(candidates: Sequence[str], size: float, room: float) -> str:
    """Return the first of ``candidates``, long to short, that is at most ``room`` mm wide; else the last, shortened."""
    for text in candidates:
        if text_width(text, size) <= room:
            return text
    return shortened(re.sub(r"[$\\{}]", "", candidates[-1]), size, room)
