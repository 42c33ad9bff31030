"""Residuals: how far predictions are from the measured values, over a property of the polymers or as a normal plot."""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.figures.groups import PointGroups, PointMark, draw_points
from affinecal_gui.figures.key import KeyEntry, lay_out_key
from affinecal_gui.figures.labels import fitting, symbol, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure
from affinecal_gui.figures.style import BODY, IDENTITY, POINT, TEXT, TITLE, escaped, journal_style, look
from affinecal_gui.figures.ticks import Room, linear_ticks, ticks_for
from affinecal_gui.numbers import significant

_MARGIN = 1.0  # mm
_EDGE = 0.05  # of the range, free at each end


@dataclass(frozen=True, slots=True, eq=False)
class ResidualPlot:
    """What is drawn; k polymers."""

    model: ModelName
    x: FloatArray  # (k,)
    y: FloatArray  # (k,) ln(predicted / measured) on a logarithmic scale, else in the unit of the property
    x_words: str
    x_unit: str = ""
    log_x: bool = False
    line: tuple[float, float] | None = None  # offset and slope; the line at zero where there is none
    note: str = ""
    groups: PointGroups | None = None  # of the points; None gives them the colour of the calibrator


def residual_figure(plot: ResidualPlot, quantity: Quantity, *, width_mm: float = 120.0, notes: bool = True) -> Figure:
    """Draw residuals, and the line on which they should lie.

    Parameters
    ----------
    plot
        Points with a coordinate that is not finite are left out, and counted in the note.
    quantity
        The calibrated property.
    width_mm
        Width of the figure; its height follows.
    notes
        Say below the figure, in sentences, what it shows.

    Raises
    ------
    ValueError
        No point has two finite coordinates.
    """
    with journal_style():
        return figure_of(draw_residuals(new_figure, plot, quantity, width_mm=width_mm, notes=notes))


def draw_residuals(
    open_sheet: OpenSheet, plot: ResidualPlot, quantity: Quantity, *, width_mm: float = 120.0, notes: bool = True
) -> Sheet:
    """Draw :func:`residual_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    shown = np.isfinite(plot.x) & np.isfinite(plot.y)
    if plot.log_x:
        shown &= plot.x > 0.0
    if not shown.any():
        raise ValueError("no residual can be drawn")
    x, y = plot.x[shown], plot.y[shown]
    x_low, x_high = _range(np.log10(x) if plot.log_x else x)
    if plot.log_x:
        x_low, x_high = 10.0**x_low, 10.0**x_high
    y_low, y_high = _range(np.append(y, 0.0))
    drawn = look(plot.model, log=quantity.log_scale)

    panel_height = min(0.62 * width_mm, 90.0)
    ticks_y = linear_ticks(y_low, y_high, Room(panel_height, across=False))
    left = _MARGIN + line_height(BODY) + 1.0 + ticks_y.widest + 2.0
    panel_width = width_mm - left - _MARGIN - 2.0
    ticks_x = ticks_for(log=plot.log_x)(x_low, x_high, Room(panel_width, across=True, overhang=2.0))
    hidden = int(shown.size - np.count_nonzero(shown))
    note = f"{plot.note} {hidden} without a place are not shown.".strip() if hidden else plot.note
    groups = plot.groups.taken(shown) if plot.groups is not None else None
    if groups is not None:
        note = f"{groups.note} {note}".strip()
    note = note if notes else ""
    key = lay_out_key([_entry(plot), *(groups.entries() if groups is not None else [])], note, panel_width)
    title_height, below = line_height(TITLE) + 0.7, 4.0 + line_height(BODY)
    height = _MARGIN + title_height + panel_height + below + 1.6 + key.height + _MARGIN
    sheet = open_sheet(width_mm, height)

    bottom = height - _MARGIN - title_height - panel_height
    axes = sheet.panel(left, bottom, panel_width, panel_height)
    if plot.log_x:
        axes.set_xscale("log")
    axes.set_xlim(x_low, x_high)
    axes.set_ylim(y_low, y_high)
    ticks_x.apply(axes.xaxis, lines=True)
    ticks_y.apply(axes.yaxis, lines=True)
    offset, slope = plot.line or (0.0, 0.0)
    ends = np.array([x_low, x_high])
    axes.plot(ends, offset + slope * ends, color=IDENTITY, linewidth=0.7, zorder=1.2)
    diameter = float(np.clip(1.8 * (60 / x.size) ** 0.25, 0.5, 1.8))
    draw_points(axes, x, y, PointMark(drawn.colour, drawn.marker), diameter, groups)
    title = f"{drawn.title}: residuals"
    colour = drawn.colour if groups is None else TEXT
    sheet.write(left, bottom + panel_height + 1.5, title, size=TITLE, bold=True, colour=colour, parse_math=False)
    words = with_unit(escaped(plot.x_words), plot.x_unit, ticks_x.exponent)
    middle = left + panel_width / 2
    room = 2 * min(middle, width_mm - middle) - 2 * _MARGIN
    sheet.write(middle, bottom - 4.0 - line_height(BODY) * 0.75, fitting([words], BODY, room), ha="center")
    at = left - 2.0 - ticks_y.widest - 1.0 - BODY * POINT * 0.25
    middle = bottom + panel_height / 2
    room = 2 * min(middle, height - middle) - 2 * _MARGIN
    sheet.write(at, middle, fitting(_heights(quantity, ticks_y.exponent), BODY, room), ha="center", rotation=90)
    key.draw(sheet, left, bottom - below - 1.6)
    return sheet


def _heights(quantity: Quantity, exponent: int) -> list[str]:
    """Labels of the upright axis, long to short."""
    if quantity.log_scale:
        long, short = f"ln(predicted {symbol(quantity)} / measured {symbol(quantity)})", "ln(predicted / measured)"
        return [with_unit(long, "", exponent), with_unit(short, "", exponent), "Residual"]
    return [
        with_unit(f"Predicted {symbol(quantity)} − measured {symbol(quantity)}", quantity.unit, exponent),
        with_unit("Residual", quantity.unit, exponent),
    ]


def _range(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    if high - low <= 1e-9 * max(abs(low), abs(high)):
        reach = max(abs(low), abs(high)) * 0.1 or 1.0
        return low - reach, high + reach
    edge = _EDGE * (high - low)
    return low - edge, high + edge


def _entry(plot: ResidualPlot) -> KeyEntry:
    def sample(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.line([left, left + width], [middle, middle], color=IDENTITY, linewidth=0.7)

    return KeyEntry(
        "predicted = measured" if plot.line is None else "normally distributed (through the quartiles)", sample
    )


def residual_note(mean: float, spread: float, rank_correlation: float, words: str, count: int) -> str:
    """Say of residuals, on the scale of the plot, where they lie and how far they scatter."""
    told = f"n = {count}; mean {significant(mean, 2, signed=True)}"
    if math.isfinite(spread):
        told += f", standard deviation {significant(spread, 2)}"
    if math.isfinite(rank_correlation):
        told += f"; rank correlation with {words} {significant(rank_correlation, 2, signed=True)}"
    return f"{told}."
