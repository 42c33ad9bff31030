"""How wide plain text is, added up from its pairs of neighbouring characters.

A character takes its own advance and a kerning that depends on the next one. Once each pair has been measured, a width is a
sum; setting a text in type to measure it takes fifty times as long, and a report measures thousands to place and break them.
"""

import unicodedata
from functools import cache, lru_cache

from matplotlib.font_manager import FontProperties
from matplotlib.textpath import text_to_path

from affinecal_gui.figures.fonts import in_typeface


def plain_width(text: str, size: float, *, bold: bool = False) -> float:
    """Width in points of one line of ``text`` without mathematics at ``size`` points, under the journal style."""
    if len(text) < 3 or not all(map(_adds_up, text)):
        total = _set_in_type(text, bold)
    else:
        pairs = sum(_set_in_type(text[at : at + 2], bold) for at in range(len(text) - 1))
        total = pairs - sum(_set_in_type(character, bold) for character in text[1:-1])
    return total * (size / _SIZE)


@lru_cache(maxsize=20_000)
def _set_in_type(text: str, bold: bool) -> float:
    """Width of ``text`` at the size of measuring: a whole number of 64ths, so that sums are exact."""
    properties = FontProperties(size=_SIZE, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(text, properties, False)[0])


_SIZE = 100.0  # at which matplotlib measures, whatever the size


@cache
def _adds_up(character: str) -> bool:
    """Whether ``character`` has its place in the line whatever stands two places from it.

    Accents on a base of their own, writing from the right, and what another typeface draws are set in type as they stand.
    """
    left_to_right = unicodedata.bidirectional(character) not in ("R", "AL", "AN", "NSM", "RLE", "RLO", "RLI")
    return left_to_right and not unicodedata.combining(character) and in_typeface(character)
