"""Laying out a figure in millimetres: text is measured before anything is placed, so nothing is ever cut off."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.cbook import is_math_text
from matplotlib.figure import Figure, SubFigure
from matplotlib.font_manager import FontProperties
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle
from matplotlib.text import Text
from matplotlib.textpath import text_to_path
from matplotlib.transforms import Transform

from affinecal_gui.figures.plain_width import plain_width
from affinecal_gui.figures.style import BODY, MM, POINT, TEXT

HAlign = Literal["left", "center", "right"]
VAlign = Literal["top", "center", "baseline", "bottom", "center_baseline"]

LEADING = 1.3  # line spacing


def text_width(text: str, size: float, *, bold: bool = False, parse_math: bool = True) -> float:
    """Width in mm of one line of ``text`` at ``size`` points, under the journal style."""
    return _text_width(text, size, bold, parse_math) if text else 0.0


@lru_cache(maxsize=20_000)
def _text_width(text: str, size: float, bold: bool, parse_math: bool) -> float:
    if not (parse_math and is_math_text(text)):
        return plain_width(text.replace(r"\$", "$") if parse_math else text, size, bold=bold) * POINT
    properties = FontProperties(size=size, weight="bold" if bold else "normal")
    return float(text_to_path.get_text_width_height_descent(text, properties, True)[0]) * POINT


def line_height(size: float) -> float:
    """Distance in mm from line to line at ``size`` points."""
    return size * LEADING * POINT


def wrap(text: str, size: float, width: float, *, bold: bool = False, parse_math: bool = False) -> list[str]:
    """Break ``text`` into lines of at most ``width`` mm; a word that is longer than a line is cut."""

    def wide(line: str) -> float:
        return text_width(line, size, bold=bold, parse_math=parse_math)

    def fits(line: str) -> bool:
        return wide(line) <= width

    # Half of a formula is no formula, and may be wider than the whole: there every word is tried.
    guesses = not (parse_math and "$" in text)
    lines: list[str] = []
    current, words, at = "", text.split(" "), 0
    while at < len(words):
        if not current and not words[at]:  # no line begins with a space
            at += 1
            continue
        count = _guessed(current, words, at, width, wide) if guesses else 1
        if fits(_line(current, words[at : at + count])):
            while at + count < len(words) and fits(_line(current, words[at : at + count + 1])):
                count += 1
        else:
            count -= 1
            while count and not fits(_line(current, words[at : at + count])):
                count -= 1
        if count:
            current, at = _line(current, words[at : at + count]), at + count
            continue
        if current:
            lines.append(current)
        current, at = words[at], at + 1
        while not fits(current) and len(current) > 1:
            # A proportional guess, then back until it fits: trying every length would be quadratic.
            share = width / wide(current)
            end = max(1, min(len(current) - 1, int(len(current) * share) + 1))
            while end > 1 and not fits(current[:end]):
                end -= 1
            lines.append(current[:end])
            current = current[end:]
    if current:
        lines.append(current)
    return lines


def _line(begun: str, words: Sequence[str]) -> str:
    return " ".join([begun, *words] if begun else words)


def _guessed(begun: str, words: Sequence[str], at: int, width: float, wide: Callable[[str], float]) -> int:
    """Return about how many words fit behind the beginning of a line, at least one, from the widths of each of them.

    Words come again and again, and the width of each is known then; that of every beginning of every line is a new one.
    """
    space = wide("n n") - 2.0 * wide("n")
    total, count = wide(begun) + space if begun else 0.0, 0
    while at + count < len(words) and total <= width:
        total += wide(words[at + count]) + space
        count += 1
    return max(count - 1, 1)


def shortened(text: str, size: float, width: float, *, bold: bool = False, parse_math: bool = False) -> str:
    """Return ``text``, ended by an ellipsis where it would be wider than ``width`` mm."""
    if text_width(text, size, bold=bold, parse_math=parse_math) <= width:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if text_width(text[:middle].rstrip() + "…", size, bold=bold, parse_math=False) <= width:
            low = middle
        else:
            high = middle - 1
    return text[:low].rstrip() + "…"


@dataclass(frozen=True)
class Sheet:
    """A rectangle of paper. All positions are in mm from its lower left corner."""

    container: Figure | SubFigure
    width: float
    height: float

    def panel(self, left: float, bottom: float, width: float, height: float) -> Axes:
        """Add axes whose frame is this rectangle."""
        axes: Axes = self.container.add_axes(
            (left / self.width, bottom / self.height, width / self.width, height / self.height)
        )
        return axes

    def write(
        self,
        x: float,
        y: float,
        text: str,
        *,
        size: float = BODY,
        colour: str = TEXT,
        bold: bool = False,
        italic: bool = False,
        ha: HAlign = "left",
        va: VAlign = "baseline",
        rotation: float = 0.0,
        parse_math: bool = True,
    ) -> Text:
        """Write one line."""
        return self.container.text(
            x / self.width,
            y / self.height,
            text,
            fontsize=size,
            color=colour,
            fontweight="bold" if bold else "normal",
            fontstyle="italic" if italic else "normal",
            ha=ha,
            va=va,
            rotation=rotation,
            rotation_mode="anchor",
            parse_math=parse_math,
        )

    def line(self, x: Sequence[float], y: Sequence[float], **style: object) -> None:
        """Draw a line through points, or markers at them."""
        self.container.add_artist(
            Line2D([v / self.width for v in x], [v / self.height for v in y], transform=self._transform, **style)  # type: ignore[arg-type]
        )

    def box(self, left: float, bottom: float, width: float, height: float, **style: object) -> None:
        """Draw a rectangle."""
        self.container.add_artist(
            Rectangle(
                (left / self.width, bottom / self.height),
                width / self.width,
                height / self.height,
                transform=self._transform,
                **style,  # type: ignore[arg-type]
            )
        )

    @property
    def _transform(self) -> Transform:
        transform: Transform = self.container.transSubfigure
        return transform


OpenSheet = Callable[[float, float], Sheet]
"""``open_sheet(width_mm, height_mm)``: where a figure is drawn; a file of its own, or a place on a page of a report."""


def new_figure(width: float, height: float) -> Sheet:
    """Open a sheet that is a figure of its own."""
    return Sheet(Figure(figsize=(width * MM, height * MM), dpi=150), width, height)


def figure_of(sheet: Sheet) -> Figure:
    """Return the figure that ``sheet`` is, or lies on."""
    figure = sheet.container.figure
    if not isinstance(figure, Figure):
        raise TypeError("the sheet lies on no figure")
    return figure
