"""Is everything written in a figure inside it, and legible? Measured on the figure as it is drawn."""

from itertools import combinations
from typing import Literal

from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text
from matplotlib.transforms import Bbox

from affinecal_gui.figures.style import journal_style

_TOUCH = 0.25  # pixels at 100 dpi (0.06 mm): rounding of the renderer


def written(figure: Figure) -> list[tuple[str, Bbox, Text]]:
    """Every visible, non-empty text of the figure and where it stands, in pixels."""
    with journal_style():
        canvas = FigureCanvasAgg(figure)
        figure.draw_without_rendering()  # places everything, as drawing does
        renderer = canvas.get_renderer()
        found = []
        for text in figure.findobj(Text):
            assert isinstance(text, Text)
            if text.get_visible() and text.get_text().strip():
                found.append((text.get_text(), text.get_window_extent(renderer), text))
    return found


def tick_labels(axes: Axes, which: Literal["x", "y"]) -> list[str]:
    """Return the labels of the marks of one axis, those below a panel or those at its left side."""
    at = {"x": ("center", "top"), "y": ("right", "center_baseline")}[which]
    return [text.get_text() for text in axes.texts if (text.get_ha(), text.get_va()) == at]


def assert_legible(figure: Figure) -> None:
    """Every text lies inside the figure, is not smaller than 5 points, and none overlaps another."""
    texts = written(figure)
    outer = figure.bbox
    for content, box, text in texts:
        inside = (
            box.x0 >= outer.x0 - _TOUCH
            and box.y0 >= outer.y0 - _TOUCH
            and box.x1 <= outer.x1 + _TOUCH
            and box.y1 <= outer.y1 + _TOUCH
        )
        assert inside, f"{content!r} at {box.extents} is cut off by the figure {outer.extents}"
        assert text.get_fontsize() >= 5
    for (one, first, _), (other, second, _) in combinations(texts, 2):
        width = min(first.x1, second.x1) - max(first.x0, second.x0)
        height = min(first.y1, second.y1) - max(first.y0, second.y0)
        assert width <= _TOUCH or height <= _TOUCH, f"{one!r} and {other!r} overlap by {width:.2f} x {height:.2f} px"
