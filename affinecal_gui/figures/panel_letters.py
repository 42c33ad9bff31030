"""Letters before the titles of panels, (a), (b) ..., by which a caption speaks of them."""

import string

from affinecal_gui.figures.sheet import Sheet, text_width
from affinecal_gui.figures.style import TITLE

_GAP = 1.2  # mm between a letter and the title behind it


def panel_letter(number: int) -> str:
    """Return the letter of a panel, of which the first has number 0.

    >>> panel_letter(0), panel_letter(25), panel_letter(26)
    ('(a)', '(z)', '(aa)')
    """
    rounds, place = divmod(number, len(string.ascii_lowercase))
    return f"({panel_letter(rounds - 1)[1:-1] if rounds else ''}{string.ascii_lowercase[place]})"


def draw_panel_letter(sheet: Sheet, letter: str, left: float, baseline: float) -> float:
    """Write a letter, in mm from the lower left corner; returns where the title begins. "" writes nothing."""
    if not letter:
        return left
    sheet.write(left, baseline, letter, size=TITLE, bold=True, parse_math=False)
    return left + text_width(letter, TITLE, bold=True, parse_math=False) + _GAP
