"""Errors of the methods of the conductivity experiment, a line for each, beside the published ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure

from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, MUTED, NOTE, SMALL, TEXT, journal_style
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks

_MARGIN = 1.5  # mm
_ROW, _BELOW = 4.2, 9.0
_NEURAL, _KERNEL = "#0072B2", "#00805E"
_REACH = 1.6  # of the largest mean of a network: kernel methods beyond are drawn at the edge


@dataclass(frozen=True, slots=True)
class DrawnMethod:
    """A line of the figure; errors are standard errors."""

    title: str
    kernel: bool
    mean: float
    error: float | None
    median: float
    published_mean: float | None
    published_error: float | None


def conductivity_figure(methods: Sequence[DrawnMethod], runs: str, *, width_mm: float = 140.0) -> Figure:
    """Draw mean and standard error of the RMSE of every method, its median, and what was published.

    Parameters
    ----------
    methods
        From above to below.
    runs
        What the means are over.
    width_mm
        Width of the figure; its height follows.
    """
    with journal_style():
        words = [one.title for one in methods]
        left = _MARGIN + max(text_width(title, SMALL, parse_math=False) for title in words) + 2.0
        note = (
            f"RMSE of the five held-out crystals over {runs}. Dots: means with their standard errors (blue: networks, green: "
            "kernel methods); bars across: medians. Rings: published means (Minami et al., NeurIPS 2023). Triangles: "
            "means beyond the edge."
        )
        lines = wrap(note, NOTE, width_mm - 2 * _MARGIN)
        tall = _ROW * len(methods)
        height = 2 * _MARGIN + tall + _BELOW + len(lines) * line_height(NOTE)
        sheet = new_figure(width_mm, height)
        bottom = height - _MARGIN - tall
        axes = sheet.panel(left, bottom, width_mm - left - _MARGIN - 1.0, tall)
        networks = [one for one in methods if not one.kernel] or methods
        far = _REACH * max(max(one.mean, one.published_mean or 0.0) for one in networks)
        axes.set_xlim(0.0, far)
        axes.set_ylim(len(methods) - 0.5, -0.5)
        for place, one in enumerate(methods):
            colour = _KERNEL if one.kernel else _NEURAL
            if one.published_mean is not None:
                axes.errorbar(
                    [one.published_mean],
                    [place + 0.2],
                    xerr=[one.published_error or 0.0],
                    marker="o",
                    markersize=3.4,
                    markerfacecolor="none",
                    markeredgewidth=0.5,
                    color=TEXT,
                    elinewidth=0.4,
                )
            outside = one.mean > far
            axes.errorbar(
                [min(one.mean, far)],
                [place - 0.1],
                xerr=None if outside or one.error is None else [one.error],
                marker=">" if outside else "o",
                markersize=3.2,
                markeredgewidth=0,
                color=colour,
                elinewidth=0.8,
                clip_on=not outside,
            )
            axes.plot([one.median] * 2, [place - 0.35, place + 0.35], color=colour, linewidth=0.9)
            start = left - 1.2 - text_width(one.title, SMALL, parse_math=False)
            sheet.write(start, bottom + tall - (place + 0.5) * _ROW - 0.9, one.title, size=SMALL, parse_math=False)
        linear_ticks(0.0, far, Room(width_mm - left, True, 6)).apply(axes.xaxis, lines=True)
        Ticks((), ()).apply(axes.yaxis)
        axes.spines[["right", "top", "left"]].set_visible(False)
        sheet.write(left, bottom - _BELOW + 1.5, "RMSE of the conductivity, W/(m K)", size=BODY)
        y = bottom - _BELOW
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)
