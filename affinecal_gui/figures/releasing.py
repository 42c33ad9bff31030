"""The end of a figure: its memory is free at once, whoever collects Python's cycles, and however seldom."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from matplotlib import font_manager
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle
from matplotlib.mathtext import MathTextParser


@contextmanager
def drawn(figure: Figure) -> Iterator[Figure]:
    """Hand out ``figure`` for the length of a block, and take it apart after it, with the fonts that it was set in."""
    try:
        yield figure
    finally:
        take_apart(figure)
        close_fonts()


def take_apart(*figures: Figure) -> None:
    """Free what ``figures`` hold; they cannot be used any more.

    A figure and its artists refer to each other, ten or twenty thousand objects that only a collection of cycles would
    find. One of that size is as long as a window may be deaf; without the references there is nothing left to find.
    """
    for figure in figures:
        canvas = figure.canvas
        for artist in figure.findobj():
            for marker in _markers(vars(artist).values()):  # which refer to themselves by a method of their own
                vars(marker).clear()
            vars(artist).clear()
        vars(canvas).clear()


def _markers(values: Iterable[object]) -> list[MarkerStyle]:
    return [value for value in values if isinstance(value, MarkerStyle)]


def close_fonts() -> None:
    """Close the fonts that nobody draws with any more.

    Matplotlib keeps the fonts of every thread apart, up to 64 sets of them, and the formulas it set last with those that
    they were set in, each with its files open and its glyphs in memory. Every figure of the window is drawn in a thread of
    its own. Opening a font again takes less than a millisecond; a thread that draws meanwhile keeps those it has.
    """
    for cached in (getattr(font_manager, "_get_font", None), getattr(MathTextParser, "_parse_cached", None)):
        forget = getattr(cached, "cache_clear", None)
        if forget is not None:
            forget()
