"""MD values that are corrected for quantum effects: against the corrected ones, and by the vibrations that hold the heat."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from affinecal_gui.calibration.calibrators.quantum_corrected import QUANTUM_CORRECTED
from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.labels import fitting, symbol, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure, wrap
from affinecal_gui.figures.style import BODY, IDENTITY, MUTED, NOTE, POINT, SMALL, journal_style, look
from affinecal_gui.figures.ticks import Room, linear_ticks

_MARGIN = 1.5  # mm
_BELOW = 8.0
_EDGE = 0.05  # of the range, free at each end


@dataclass(frozen=True, slots=True, eq=False)
class CorrectedPlot:
    """MD values of r polymers and what is left of them without what is classical; property unit."""

    md: FloatArray  # (r,)
    corrected: FloatArray  # (r,) nan where there is none: not drawn
    lower: FloatArray  # (r,) nan where nothing is known of the error
    upper: FloatArray  # (r,)
    sentences: Sequence[str] = ()  # written below


@dataclass(frozen=True, slots=True, eq=False)
class ModePlot:
    """Vibrations of the mean polymer."""

    wavenumbers: FloatArray  # (g,) cm^-1
    moved: FloatArray  # (g,) modes per repeat unit and 100 cm^-1 that the simulation moves
    quantum: FloatArray  # (g,) each mode by the share of its classical heat that it holds in truth
    sentences: Sequence[str] = ()


def corrected_figure(plot: CorrectedPlot, quantity: Quantity, *, width_mm: float = 85.0) -> Figure:
    """Draw corrected over MD values, with their intervals and the line on which nothing is taken off.

    Raises
    ------
    ValueError
        No polymer has a corrected value.
    """
    with journal_style():
        return figure_of(draw_corrected(new_figure, plot, quantity, width_mm=width_mm))


def draw_corrected(open_sheet: OpenSheet, plot: CorrectedPlot, quantity: Quantity, *, width_mm: float = 85.0) -> Sheet:
    """Draw :func:`corrected_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    shown = np.isfinite(plot.md) & np.isfinite(plot.corrected)
    if not shown.any():
        raise ValueError("no polymer has a corrected value")
    x, y = plot.md[shown], plot.corrected[shown]
    lower, upper = (np.where(np.isfinite(some[shown]), some[shown], y) for some in (plot.lower, plot.upper))
    mark = look(QUANTUM_CORRECTED.key, log=quantity.log_scale)
    panel_height = min(0.72 * width_mm, 90.0)
    ticks_y = linear_ticks(*_range(np.concatenate([lower, upper])), Room(panel_height, False, 6))
    label = _labels(mark.title, quantity, ticks_y.exponent)
    axes, sheet, left, below, panel_width = _panel(open_sheet, width_mm, panel_height, ticks_y.widest, plot.sentences)
    x_low, x_high = _range(x)
    axes.set_xlim(x_low, x_high)
    axes.set_ylim(*_range(np.concatenate([lower, upper])))
    ticks_x = linear_ticks(x_low, x_high, Room(panel_width, True, 6, 2.0))
    ticks_x.apply(axes.xaxis, lines=True)
    ticks_y.apply(axes.yaxis, lines=True)
    axes.axline((0.0, 0.0), slope=1.0, color=IDENTITY, linewidth=0.7)
    if np.any(upper > lower):
        axes.vlines(x, lower, upper, color=mark.colour, linewidth=0.4, alpha=1.0, zorder=1.8)
    size = float(np.clip(3.2 * (60 / x.size) ** 0.25, 1.0, 3.2))
    axes.plot(x, y, linestyle="none", marker=mark.marker, markersize=size, color=mark.colour, markeredgewidth=0)
    _write_axes(sheet, (left, below, panel_width, panel_height), label, _x_labels(quantity, ticks_x.exponent))
    return sheet


def mode_figure(plot: ModePlot, *, width_mm: float = 85.0) -> Figure:
    """Draw the vibrations that the simulation moves, and the part of their heat that quantum mechanics leaves."""
    with journal_style():
        return figure_of(draw_modes(new_figure, plot, width_mm=width_mm))


def draw_modes(open_sheet: OpenSheet, plot: ModePlot, *, width_mm: float = 85.0) -> Sheet:
    """Draw :func:`mode_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    raw, mark = look(RAW), look(QUANTUM_CORRECTED.key)
    panel_height = min(0.5 * width_mm, 60.0)
    highest = 1.08 * float(max(plot.moved.max(initial=0.0), plot.quantum.max(initial=0.0))) or 1.0
    ticks_y = linear_ticks(0.0, highest, Room(panel_height, False, 6))
    axes, sheet, left, below, panel_width = _panel(open_sheet, width_mm, panel_height, ticks_y.widest, plot.sentences)
    first, last = float(plot.wavenumbers[0]), float(plot.wavenumbers[-1])
    axes.set_xlim(first, last)
    axes.set_ylim(0.0, highest)
    ticks_x = linear_ticks(first, last, Room(panel_width, True, 6, 2.0))
    ticks_x.apply(axes.xaxis, lines=True)
    ticks_y.apply(axes.yaxis, lines=True)
    axes.plot(plot.wavenumbers, plot.moved, color=raw.colour, linewidth=0.9)
    axes.fill_between(plot.wavenumbers, 0.0, plot.quantum, color=mark.colour, linewidth=0)
    place = (left, below, panel_width, panel_height)
    tall = ["Modes per repeat unit and 100 cm⁻¹", "Modes per 100 cm⁻¹", "Modes"]
    _write_axes(sheet, place, tall, ["Wavenumber, cm⁻¹"])
    words = "Line: modes that the simulation moves; filled: the heat that they hold in truth"
    top = below + panel_height + 1.2
    sheet.write(left, top, fitting([words, "Line: moved; filled: heat held in truth"], SMALL, panel_width), size=SMALL)
    return sheet


def _panel(
    open_sheet: OpenSheet, width_mm: float, panel_height: float, widest: float, sentences: Sequence[str]
) -> tuple[Axes, Sheet, float, float, float]:
    """Open a sheet with one panel and the sentences below it; returns axes, sheet, left, below, width of the panel."""
    lines = wrap(" ".join(sentences), NOTE, width_mm - 2 * _MARGIN) if sentences else []
    below = _BELOW + line_height(NOTE) * len(lines) + _MARGIN
    sheet = open_sheet(width_mm, _MARGIN + line_height(SMALL) + 1.2 + panel_height + below)
    left = _MARGIN + line_height(BODY) + 1.0 + widest + 2.0
    panel_width = width_mm - left - 2 * _MARGIN
    axes = sheet.panel(left, below, panel_width, panel_height)
    y = below - _BELOW
    for text in lines:
        sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
        y -= line_height(NOTE)
    return axes, sheet, left, below, panel_width


def _write_axes(
    sheet: Sheet, place: tuple[float, float, float, float], tall: Sequence[str], wide: Sequence[str]
) -> None:
    left, below, width, height = place
    sheet.write(left + width / 2, below - 6.2, fitting(list(wide), BODY, width), size=BODY, ha="center")
    at = _MARGIN + BODY * POINT * 0.8
    sheet.write(at, below + height / 2, fitting(list(tall), BODY, height), size=BODY, ha="center", rotation=90)


def _labels(title: str, quantity: Quantity, exponent: int) -> list[str]:
    long = f"{title} {symbol(quantity)}"
    return [with_unit(long, quantity.unit, exponent), with_unit("Corrected", quantity.unit, exponent), "Corrected"]


def _x_labels(quantity: Quantity, exponent: int) -> list[str]:
    return [with_unit(f"MD {symbol(quantity)}", quantity.unit, exponent), "MD"]


def _range(values: FloatArray) -> tuple[float, float]:
    low, high = float(values.min()), float(values.max())
    edge = _EDGE * (high - low) or 0.1 * abs(high) or 1.0
    return low - edge, high + edge
