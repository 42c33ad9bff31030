"""Phrases with the largest coefficients of each sign, a bar for each."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, shortened, text_width, wrap
from affinecal_gui.figures.style import BODY, IDENTITY, MUTED, NOTE, SMALL, journal_style
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks

MOST = 15
"""Phrases of each sign."""

_MARGIN = 1.5  # mm
_ROW, _BELOW = 3.9, 9.0
_WIDEST = 55.0  # of a phrase
_UP, _DOWN = "#0072B2", "#D55E00"


def phrase_figure(
    phrases: Sequence[tuple[str, float]], classes: tuple[str, str] | None = None, *, width_mm: float = 110.0
) -> Figure:
    """Draw the coefficients of the phrases, the largest above, the smallest below.

    Parameters
    ----------
    phrases
        Phrase and coefficient, in any order.
    classes
        What negative and positive coefficients speak for; None of scores.
    width_mm
        Width of the figure; its height follows.
    """
    ordered = sorted(phrases, key=lambda one: -one[1])
    up = [one for one in ordered if one[1] > 0.0][:MOST]
    down = [one for one in ordered if one[1] < 0.0][-MOST:]
    shown = [*up, *down]
    with journal_style():
        words = [shortened(phrase, SMALL, _WIDEST) for phrase, _ in shown]
        left = _MARGIN + max((text_width(word, SMALL, parse_math=False) for word in words), default=0.0) + 2.0
        says = (
            "higher or lower scores"
            if classes is None
            else f"“{classes[1]}” (to the right) or “{classes[0]}” (to the left)"
        )
        unit = "the score" if classes is None else "the logarithm of the odds"
        note = (
            f"What one more of a phrase adds to {unit}, times g2, which is between 0 and 1 and depends on the text: the "
            f"phrases that speak most for {says}, {len(shown)} of {len(phrases)} with a coefficient that is not zero."
            if shown
            else "No phrase has a coefficient that is not zero."
        )
        lines = wrap(note, NOTE, width_mm - 2 * _MARGIN)
        tall = _ROW * max(len(shown), 1)
        height = 2 * _MARGIN + tall + _BELOW + len(lines) * line_height(NOTE)
        sheet = new_figure(width_mm, height)
        bottom = height - _MARGIN - tall
        axes = sheet.panel(left, bottom, width_mm - left - _MARGIN - 2.0, tall)
        low = min([value for _, value in shown], default=0.0)
        high = max([value for _, value in shown], default=0.0)
        far = 0.05 * (high - low) or 1.0
        axes.set_xlim(min(low - far, 0.0), max(high + far, 0.0))
        axes.set_ylim(len(shown) - 0.5 if shown else 0.5, -0.5)
        axes.axvline(0.0, color=IDENTITY, linewidth=0.5)
        for place, (word, (_, value)) in enumerate(zip(words, shown, strict=True)):
            axes.barh(place, value, height=0.62, color=_UP if value > 0.0 else _DOWN, linewidth=0)
            start = left - 1.2 - text_width(word, SMALL, parse_math=False)
            sheet.write(start, bottom + tall - (place + 0.5) * _ROW - 0.9, word, size=SMALL, parse_math=False)
        linear_ticks(*axes.get_xlim(), Room(width_mm - left, True, 6)).apply(axes.xaxis, lines=True)
        Ticks((), ()).apply(axes.yaxis)
        axes.spines[["right", "top", "left"]].set_visible(False)
        sheet.write(left, bottom - _BELOW + 1.5, "Coefficient of g3", size=BODY)
        y = bottom - _BELOW
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)
