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

from affinecal_gui.figures.style import BODY, MM, POINT, TEXT

HAlign = Literal["left", "center", "right"]
VAlign = Literal["top", "center", "baseline", "bottom", "center_baseline"]

LEADING = 1.3  # line spacing


def text_width(text: str, size: float, *, bold: bool = False, parse_math: bool = True) -> float:
    """Width in mm of one line of ``text`` at ``size`` points, under the journal style."""
    return _text_width(text, size, bold, parse_math) if text else 0.0


@lru_cache(maxsize=20_000)
def _text_width(text: str, size: float, bold: bool, parse_math: bool) -> float:
    properties = FontProperties(size=size, weight="bold" if bold else "normal")
    mathematical = parse_math and bool(is_math_text(text))
    if parse_math and not mathematical:
        text = text.replace(r"\$", "$")
    width, _, _ = text_to_path.get_text_width_height_descent(text, properties, mathematical)
    return float(width) * POINT


def line_height(size: float) -> float:
    """Distance in mm from line to line at ``size`` points."""
    return size * LEADING * POINT


def wrap(text: str, size: float, width: float, *, bold: bool = False, parse_math: bool = False) -> list[str]:
    """Break ``text`` into lines of at most ``width`` mm; a word that is longer than a line is cut."""

    def fits(line: str) -> bool:
        return text_width(line, size, bold=bold, parse_math=parse_math) <= width

    lines: list[str] = []
    current = ""
    for word in text.split(" "):
        longer = f"{current} {word}" if current else word
        if fits(longer):
            current = longer
            continue
        if current:
            lines.append(current)
        while not fits(word) and len(word) > 1:
            # A proportional guess, then back until it fits: trying every length would be quadratic.
            share = width / text_width(word, size, bold=bold, parse_math=parse_math)
            at = max(1, min(len(word) - 1, int(len(word) * share) + 1))
            while at > 1 and not fits(word[:at]):
                at -= 1
            lines.append(word[:at])
            word = word[at:]
        current = word
    if current:
        lines.append(current)
    return lines


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
