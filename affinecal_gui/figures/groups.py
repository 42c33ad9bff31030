"""Points in groups, a colour and a mark for each: those of the window, told apart in grey as well."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.key import KeyEntry
from affinecal_gui.figures.sheet import Sheet
from affinecal_gui.figures.style import BAR, POINT, SELECTED, Marker, escaped, mark_of_role, plain

LONGEST_LABEL = 40  # characters
VECTOR_LIMIT = 5000  # above this many marks they are drawn as pixels, or the file could hardly be opened


@dataclass(frozen=True, slots=True)
class PointMark:
    """How points are drawn."""

    colour: str
    marker: Marker


@dataclass(frozen=True, slots=True, eq=False)
class PointGroups:
    """To which group each of n points belongs, and how the groups are drawn."""

    words: str  # what the groups differ in
    labels: tuple[str, ...]
    marks: tuple[PointMark, ...]  # of each label
    of: NDArray[np.intp]  # (n,) positions among the labels

    def taken(self, which: NDArray[np.bool_]) -> "PointGroups":
        """Return the groups of some of the points."""
        return replace(self, of=self.of[which])

    @property
    def note(self) -> str:
        """What colours and marks are of."""
        return f"Colours and marks: {plain(self.words)}."

    def entries(self) -> list[KeyEntry]:
        """Explain the groups that have points."""
        return [
            KeyEntry(escaped(_shortened(label)), _sample(mark))
            for number, (label, mark) in enumerate(zip(self.labels, self.marks, strict=True))
            if (self.of == number).any()
        ]


def group_marks(roles: tuple[str, ...], count: int, told: int, *, ordered: bool) -> tuple[PointMark, ...]:
    """Return how groups are drawn.

    Parameters
    ----------
    roles
        Of the palette: of the first group, of the second, and so on.
    count
        How many groups there are.
    told
        The first ones that stand for themselves; the others are grey.
    ordered
        Ranges of a number: from orange over grey to blue.
    """
    grey = mark_of_role("grey")[0]
    marks = []
    for number in range(count):
        if number >= told:
            marks.append(PointMark(grey, "s" if number == told else "h"))
            continue
        colour, marker = mark_of_role(roles[number])
        if ordered:
            share = 2.0 * number / max(1, told - 1)
            colour = _between(SELECTED, grey, share) if share < 1.0 else _between(grey, BAR, share - 1.0)
        marks.append(PointMark(colour, marker))
    return tuple(marks)


def draw_points(
    axes: Axes, x: FloatArray, y: FloatArray, mark: PointMark, diameter: float, groups: PointGroups | None = None
) -> None:
    """Draw n points of a diameter in mm, all with one mark or each with that of its group."""
    if groups is None:
        parts = [(mark, np.ones(x.size, dtype=np.bool_))]
    else:
        parts = [(one, groups.of == number) for number, one in enumerate(groups.marks)]
    for one, chosen in parts:
        if groups is not None and not chosen.any():
            continue
        axes.plot(
            x[chosen],
            y[chosen],
            linestyle="none",
            marker=one.marker,
            markersize=diameter / POINT * _evened(one.marker),
            markerfacecolor=one.colour,
            markeredgecolor="white",
            markeredgewidth=0.3 if x.size <= 300 else 0.15,
            zorder=3,
            rasterized=x.size > VECTOR_LIMIT,
        )


def _sample(mark: PointMark) -> Callable[[Sheet, float, float, float], None]:
    def draw(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.line(
            [left + width / 2],
            [middle],
            linestyle="none",
            marker=mark.marker,
            markersize=4.6 * _evened(mark.marker),
            markerfacecolor=mark.colour,
            markeredgewidth=0,
        )

    return draw


def _evened(marker: Marker) -> float:
    """By what a mark is made smaller so that its area is that of the others."""
    return 0.85 if marker == "D" else 1.0


def _between(first: str, second: str, share: float) -> str:
    pairs = ((int(first[at : at + 2], 16), int(second[at : at + 2], 16)) for at in (1, 3, 5))
    return "#" + "".join(f"{round((1.0 - share) * one + share * other):02X}" for one, other in pairs)


def _shortened(label: str) -> str:
    return label if len(label) <= LONGEST_LABEL else label[: LONGEST_LABEL - 1] + "…"
