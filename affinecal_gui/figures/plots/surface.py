"""Cross-validation surface: how the error depends on the two penalties, and which pair was chosen."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, LinearSegmentedColormap, Normalize
from matplotlib.figure import Figure

from affinecal_gui.calibration.calibrators.registry import DEFAULT
from affinecal_gui.calibration.results import Calibration, FloatArray, ModelName, Penalties, PenaltySurface
from affinecal_gui.figures.key import KeyEntry, lay_out_key
from affinecal_gui.figures.labels import fitting, target_scale, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure
from affinecal_gui.figures.style import BODY, POINT, SELECTED, SURFACE, TITLE, journal_style, look
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks, log_ticks, unmarked
from affinecal_gui.numbers import significant

_MARGIN = 1.0  # mm
_CAP = 1.35  # colours end at this multiple of the lowest error: the valley is what matters
_NAMES = {"lambda_1": "λ₁", "lambda_2": "λ₂"}


@dataclass(frozen=True, slots=True)
class _Side:
    """One penalty along its axis: logarithmic where that is possible, else cell by cell."""

    values: FloatArray
    log: bool
    edges: FloatArray  # of the cells, in data values of the axis
    centres: FloatArray

    @classmethod
    def of(cls, values: FloatArray) -> "_Side":
        if values.size > 1 and np.all(values > 0) and np.all(np.diff(values) > 0):
            powers = [math.log10(value) for value in values]
            middles = [(one + other) / 2 for one, other in pairwise(powers)]
            ends = [2 * powers[0] - middles[0], *middles, 2 * powers[-1] - middles[-1]]
            return cls(values, True, np.array([10.0**end for end in ends], dtype=np.float64), values)
        places = np.arange(values.size, dtype=np.float64)
        return cls(values, False, np.arange(values.size + 1, dtype=np.float64) - 0.5, places)

    def ticks(self, room: Room) -> Ticks:
        if self.log:
            return log_ticks(float(self.edges[0]), float(self.edges[-1]), room)
        shown = range(0, self.values.size, max(1, self.values.size // 4))
        return Ticks(tuple(float(k) for k in shown), tuple(significant(float(self.values[k])) for k in shown))


def surface_figure(
    calibration: Calibration,
    quantity: Quantity,
    *,
    model: ModelName = DEFAULT,
    width_mm: float = 85.0,
    notes: bool = True,
) -> Figure:
    """Draw the cross-validated error of ``model`` over the penalty grid, the chosen pair, and how it was chosen.

    Parameters
    ----------
    calibration
        The result; ``model`` must have a penalty surface.
    quantity
        The calibrated property.
    model
        "affine" or "log_difference".
    width_mm
        Width of the figure; its height follows.
    notes
        Say below the figure, in sentences, what it shows.

    Raises
    ------
    ValueError
        The penalties of the model were not chosen over a grid.
    """
    with journal_style():
        return figure_of(draw_surface(new_figure, calibration, quantity, model=model, width_mm=width_mm, notes=notes))


def draw_surface(
    open_sheet: OpenSheet,
    calibration: Calibration,
    quantity: Quantity,
    *,
    model: ModelName = DEFAULT,
    width_mm: float = 85.0,
    notes: bool = True,
) -> Sheet:
    """Draw :func:`surface_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    surface = calibration.models[model].surface
    if surface is None:
        raise ValueError(f"the model {model!r} has no penalty surface")
    low, high, capped = _colours(surface.rmse)
    first, second = _Side.of(surface.lambda_1), _Side.of(surface.lambda_2)

    bar_width, bar_gap = 3.0, 2.5
    panel_height = min(0.62 * width_mm, 75.0)
    ticks_y = second.ticks(Room(panel_height, across=False))
    ticks_bar = linear_ticks(low, high, Room(panel_height, across=False, most=5))
    left = _MARGIN + line_height(BODY) + 1.0 + ticks_y.widest + 2.0
    right = bar_gap + bar_width + 2.0 + ticks_bar.widest + 1.0 + line_height(BODY) + _MARGIN
    panel_width = min(width_mm - left - right, 110.0)
    left += (width_mm - left - right - panel_width) / 2
    ticks_x = first.ticks(Room(panel_width, across=True, overhang=2.0))

    used = panel_width + bar_gap + bar_width
    note = _note(surface, calibration.models[model].penalties, capped=capped) if notes else ""
    key = lay_out_key(_entries(surface), note, used + 8.0)
    title_height, below = line_height(TITLE) + 0.7, 4.0 + line_height(BODY)
    height = _MARGIN + title_height + panel_height + below + 1.6 + key.height + _MARGIN
    sheet = open_sheet(width_mm, height)

    bottom = height - _MARGIN - title_height - panel_height
    colours = LinearSegmentedColormap.from_list("affinecal", list(SURFACE)).with_extremes(bad="white")
    scale = Normalize(low, high, clip=True)
    axes = sheet.panel(left, bottom, panel_width, panel_height)
    _draw_cells(axes, surface, first, second, colours, scale)
    ticks_x.apply(axes.xaxis)
    ticks_y.apply(axes.yaxis)

    bar = sheet.panel(left + panel_width + bar_gap, bottom, bar_width, panel_height)
    levels = np.linspace(low, high, 65)
    middles = (levels[:-1] + levels[1:])[:, None] / 2
    bar.pcolormesh([0, 1], levels, middles, cmap=colours, norm=scale, edgecolors="face", linewidth=0.2)
    bar.set_ylim(low, high)
    unmarked(bar.xaxis)
    ticks_bar.apply(bar.yaxis, right=True)

    title = f"{look(model, log=quantity.log_scale).title}: cross-validated error"
    sheet.write(left, bottom + panel_height + 1.5, title, size=TITLE, bold=True, parse_math=False)
    middle = bottom + panel_height / 2
    sheet.write(left + panel_width / 2, bottom - 4.0 - line_height(BODY) * 0.75, "λ₁, size of γ", ha="center")
    x = left - 2.0 - ticks_y.widest - 1.0 - BODY * POINT * 0.25
    sheet.write(x, middle, "λ₂, roughness of γ", ha="center", rotation=90)
    x = left + used + 2.0 + ticks_bar.widest + 1.0 + BODY * POINT * 0.8
    room = 2 * min(middle, height - middle) - 2 * _MARGIN
    sheet.write(x, middle, fitting(_bar_labels(quantity, ticks_bar.exponent), BODY, room), ha="center", rotation=90)
    key.draw(sheet, left, bottom - below - 1.6)
    return sheet


def _bar_labels(quantity: Quantity, exponent: int) -> list[str]:
    if quantity.log_scale:
        return [with_unit(f"RMSE of {target_scale(quantity)}", "", exponent), "RMSE"]
    return [
        with_unit(f"RMSE of {target_scale(quantity)}", quantity.unit, exponent),
        with_unit("RMSE", quantity.unit, exponent),
    ]


def _colours(rmse: FloatArray) -> tuple[float, float, bool]:
    """Return where the colours begin and end, and whether they end below the largest error."""
    finite = rmse[np.isfinite(rmse)]
    if finite.size == 0:
        return 0.0, 1.0, False
    low, largest = float(finite.min()), float(finite.max())
    high = min(largest, low * _CAP) if low > 0 else largest
    if high - low <= 1e-9 * max(abs(high), 1e-300):
        return low, low + max(0.01 * abs(low), 1e-12), False
    return low, high, high < largest


def _draw_cells(
    axes: Axes,
    surface: PenaltySurface,
    first: _Side,
    second: _Side,
    colours: Colormap,
    scale: Normalize,
) -> None:
    if first.log:
        axes.set_xscale("log")
    if second.log:
        axes.set_yscale("log")
    cells = np.ma.masked_invalid(surface.rmse.T)
    # Each cell has an edge of its own colour, or viewers of PDF show white seams between them.
    axes.pcolormesh(first.edges, second.edges, cells, cmap=colours, norm=scale, edgecolors="face", linewidth=0.2)
    axes.set_xlim(first.edges[0], first.edges[-1])
    axes.set_ylim(second.edges[0], second.edges[-1])
    i, j = surface.chosen
    axes.plot(
        first.centres[i],
        second.centres[j],
        marker="o",
        markersize=5.5,
        markerfacecolor=SELECTED,
        markeredgecolor="white",
        markeredgewidth=1.0,
        clip_on=False,
    )


def _entries(surface: PenaltySurface) -> list[KeyEntry]:
    def point(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.line(
            [left + width / 2],
            [middle],
            linestyle="none",
            marker="o",
            markersize=4.5,
            markerfacecolor=SELECTED,
            markeredgewidth=0,
        )

    i, j = surface.chosen
    first, second = significant(float(surface.lambda_1[i])), significant(float(surface.lambda_2[j]))
    return [KeyEntry(f"lowest: λ₁ = {first}, λ₂ = {second}, RMSE {significant(float(surface.rmse[i, j]))}", point)]


def _note(surface: PenaltySurface, used: Penalties | None, *, capped: bool) -> str:
    sentences = ["Lowest where darkest."]
    i, j = surface.chosen
    if used is not None and (used.lambda_1, used.lambda_2) != (surface.lambda_1[i], surface.lambda_2[j]):
        sentences.append(f"Used: λ₁ = {significant(used.lambda_1)}, λ₂ = {significant(used.lambda_2)}.")
    if capped:
        excess = significant(100 * (_CAP - 1), 2)
        sentences.append(f"Errors more than {excess} % above the lowest share the lightest colour.")
    sentences += [
        f"The best {_NAMES[name]} lies on an edge of the grid; the optimum may lie beyond." for name in surface.on_edge
    ]
    return " ".join(sentences)
