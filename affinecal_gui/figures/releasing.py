"""The end of a figure: its memory is free at once, whoever collects Python's cycles, and however seldom."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle


@contextmanager
def drawn(figure: Figure) -> Iterator[Figure]:
    """Hand out ``figure`` for the length of a block, and take it apart after it."""
    try:
        yield figure
    finally:
        take_apart(figure)


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
