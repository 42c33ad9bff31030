"""Coefficients gamma, one small panel per descriptor block, over the physical value of the force-field parameter."""

import math
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from numpy.typing import NDArray

from affinecal_gui.calibration.calibrators.registry import DEFAULT, find
from affinecal_gui.calibration.results import Calibration, CoefficientEstimates, FloatArray, ModelName
from affinecal_gui.calibration.uncertainty.band_words import said_of_bands
from affinecal_gui.figures.key import DrawSample, KeyEntry, lay_out_key
from affinecal_gui.figures.labels import fitting, in_italics, target_change
from affinecal_gui.figures.panel_letters import draw_panel_letter, panel_letter
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure, shortened, text_width
from affinecal_gui.figures.style import (
    BAR,
    BAR_BAND,
    BODY,
    IDENTITY,
    MUTED,
    NOTE,
    POINT,
    SMALL,
    TITLE,
    journal_style,
    look,
    plain,
)  # fmt: skip
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks

_MARGIN = 1.0  # mm
_PANEL_HEIGHT = 24.0
_NARROWEST = 27.0
_GAP = 4.2  # between panels
_OVERHANG = 1.3  # of a tick label beyond its panel, at most: labels of neighbours then never touch
_HEADROOM = 1.5  # bands longer than this many times the largest bar of their side leave the panel
_LEAST_SIDE = 0.7  # of the larger side: so much of the panel the other side of zero has at least, for its bands


@dataclass(frozen=True, slots=True)
class _Bars:
    """One block, in the multiple of gamma that the y axis shows."""

    block: DescriptorBlock
    x: FloatArray
    step: float  # distance of neighbouring bars, in units of x
    gamma: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def clear(self) -> NDArray[np.bool_]:
        """Bars whose band excludes zero."""
        return (self.lower > 0) | (self.upper < 0)


def coefficient_figure(
    calibration: Calibration,
    blocks: DescriptorBlocks,
    quantity: Quantity,
    *,
    model: ModelName = DEFAULT,
    width_mm: float = 180.0,
    notes: bool = True,
    letters: bool = False,
) -> Figure:
    """Draw the coefficients of ``model`` as bars, one panel per descriptor block, all with the same y axis.

    A bar is filled where the band is clear of zero and outlined where it is not. The x axis shows the
    physical value at each grid point, element symbols for the masses.

    Parameters
    ----------
    calibration
        The result; ``model`` must have coefficients.
    blocks
        The blocks that the d coefficients belong to, in the same order.
    quantity
        The calibrated property.
    model
        One with coefficients, or with average effects.
    width_mm
        Width of the figure; its height follows.
    notes
        Say below the figure, in sentences, what it shows; the key stays without them.
    letters
        Begin the title of each panel with (a), (b) ...

    Raises
    ------
    ValueError
        The model has no coefficients, or not one for every column of ``blocks``.
    """
    with journal_style():
        sheet = draw_coefficients(
            new_figure, calibration, blocks, quantity, model=model, width_mm=width_mm, notes=notes, letters=letters
        )
        return figure_of(sheet)


def draw_coefficients(
    open_sheet: OpenSheet,
    calibration: Calibration,
    blocks: DescriptorBlocks,
    quantity: Quantity,
    *,
    model: ModelName = DEFAULT,
    width_mm: float = 180.0,
    notes: bool = True,
    letters: bool = False,
) -> Sheet:
    """Draw :func:`coefficient_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    estimates = calibration.models[model].coefficients
    if estimates is None:
        raise ValueError(f"the model {model!r} has no coefficients")
    if len(estimates.gamma) != len(blocks.columns):
        raise ValueError(f"{len(estimates.gamma)} coefficients for {len(blocks.columns)} descriptor columns")

    power = _power(estimates)
    bars = [
        _bars(estimates, block, part, 10.0**-power)
        for block, part in zip(blocks.blocks, blocks.slices.values(), strict=True)
    ]
    y0, y1 = _range(bars)
    ticks_y = linear_ticks(y0, y1, Room(_PANEL_HEIGHT, across=False, most=5))
    has_band = any(np.isfinite(b.lower).any() and np.isfinite(b.upper).any() for b in bars)

    left = _MARGIN + line_height(BODY) + 1.0 + ticks_y.widest + 2.0
    columns = _columns(len(bars), width_mm - left - _MARGIN)
    rows = math.ceil(len(bars) / columns)
    width = (width_mm - left - _MARGIN - _OVERHANG - _GAP * (columns - 1)) / columns
    title_height, below = line_height(TITLE) + 0.6, 3.9 + line_height(SMALL)
    row_height = title_height + _PANEL_HEIGHT + below
    between = 1.6
    panels_height = rows * row_height + (rows - 1) * between
    key = lay_out_key(
        _entries(calibration.interval_level, has_band),
        _note(
            model,
            quantity,
            said_of_bands(calibration, model) if has_band else "No band was computed.",
            average=estimates.average,
            cut=any(np.any(b.lower < y0) or np.any(b.upper > y1) for b in bars),
        )
        if notes
        else "",
        width_mm - left - _MARGIN,
    )
    height = _MARGIN + panels_height + 2.0 + key.height + _MARGIN

    sheet = open_sheet(width_mm, height)
    top = height - _MARGIN
    for at, block_bars in enumerate(bars):
        row, column = divmod(at, columns)
        x = left + column * (width + _GAP)
        y = top - row * (row_height + between) - title_height - _PANEL_HEIGHT
        axes = sheet.panel(x, y, width, _PANEL_HEIGHT)
        _draw_bars(axes, block_bars, width, y0, y1)
        ticks_y.apply(axes.yaxis, labelled=column == 0, lines=True)
        _draw_words(sheet, block_bars.block, x, y, width, panel_letter(at) if letters else "")

    label = fitting(
        _y_labels(quantity, power, average=estimates.average), BODY, panels_height - title_height - below + 4.0
    )
    sheet.write(
        _MARGIN + BODY * POINT * 0.75,
        top - title_height - (panels_height - title_height - below) / 2,
        label,
        ha="center",
        rotation=90,
    )
    key.draw(sheet, left, top - panels_height - 2.0)
    return sheet


def _columns(blocks: int, room: float) -> int:
    most = max(1, int((room + _GAP) / (_NARROWEST + _GAP)))
    rows = math.ceil(blocks / most)
    return max(1, math.ceil(blocks / rows)) if rows else 1


def _power(estimates: CoefficientEstimates) -> int:
    """Power of ten, a multiple of three, by which the axis multiplies: its labels then lie between 1 and 1000."""
    sizes = np.abs(estimates.gamma[np.isfinite(estimates.gamma)])
    largest = float(sizes.max()) if sizes.size else 0.0
    return 0 if largest == 0 or 0.1 <= largest < 1000 else 3 * math.floor(math.log10(largest) / 3)


def _bars(estimates: CoefficientEstimates, block: DescriptorBlock, part: slice, factor: float) -> _Bars:
    x = block.physical_values if block.labels is None else np.arange(block.size, dtype=np.float64)
    step = float(np.diff(np.sort(x)).min()) if x.size > 1 else 1.0
    if not step > 0:
        x, step = np.arange(block.size, dtype=np.float64), 1.0
    return _Bars(
        block, x, step, estimates.gamma[part] * factor, estimates.lower[part] * factor, estimates.upper[part] * factor
    )


def _range(bars: list[_Bars]) -> tuple[float, float]:
    gamma = np.concatenate([b.gamma for b in bars]) if bars else np.zeros(1)
    gamma = gamma[np.isfinite(gamma)]
    low, high = min(0.0, float(gamma.min(initial=0.0))), max(0.0, float(gamma.max(initial=0.0)))
    size = max(-low, high)
    down, up = max(-_HEADROOM * low, _LEAST_SIDE * size), max(_HEADROOM * high, _LEAST_SIDE * size)
    lower = np.concatenate([b.lower for b in bars]) if bars else np.zeros(1)
    upper = np.concatenate([b.upper for b in bars]) if bars else np.zeros(1)
    lower, upper = lower[np.isfinite(lower)], upper[np.isfinite(upper)]
    if size == 0:
        down = up = math.inf
    low = min(low, max(float(lower.min(initial=0.0)), -down))
    high = max(high, min(float(upper.max(initial=0.0)), up))
    if high - low == 0:
        low, high = -1.0, 1.0
    edge = 0.07 * (high - low)
    return low - edge, high + edge


def _draw_bars(axes: Axes, bars: _Bars, width: float, y0: float, y1: float) -> None:
    x, step = bars.x, bars.step
    free = 0.75 if bars.block.labels is None else 0.6
    x0, x1 = float(x.min()) - free * step, float(x.max()) + free * step
    if bars.block.labels is None and bars.block.maximum > bars.block.minimum:
        x0, x1 = min(x0, bars.block.minimum), max(x1, bars.block.maximum)
    axes.set_xlim(x0, x1)
    axes.set_ylim(y0, y1)
    banded = np.isfinite(bars.lower) & np.isfinite(bars.upper)
    filled = np.isfinite(bars.gamma) & (bars.clear | ~banded)
    outlined = np.isfinite(bars.gamma) & ~filled
    thin = 0.66 * step
    zero = np.zeros(x.size)
    for where, width_of_bar, foot, top, face, edge, order in (
        (filled, thin, zero, bars.gamma, BAR, BAR, 2),
        (outlined, thin, zero, bars.gamma, "white", BAR, 2),
    ):
        corners = _corners(x[where], width_of_bar, foot[where], top[where])
        axes.add_collection(
            PolyCollection(corners, facecolor=face, edgecolor=edge, linewidth=0.4, zorder=order), autolim=False
        )
    _draw_band(axes, bars, banded)
    axes.axhline(0.0, color=IDENTITY, linewidth=0.5, zorder=3)
    named = bars.block.labels is not None
    _x_ticks(bars, x0, x1, width).apply(axes.xaxis, marked=not named, size=NOTE if named else SMALL)


def _draw_band(axes: Axes, bars: _Bars, banded: NDArray[np.bool_]) -> None:
    """Draw the band: one box per element, and one area along the values of a parameter that has a scale."""
    if bars.block.labels is not None:
        corners = _corners(bars.x[banded], 0.86 * bars.step, bars.lower[banded], bars.upper[banded])
        axes.add_collection(PolyCollection(corners, facecolor=BAR_BAND, edgecolor="none", zorder=1), autolim=False)
        return
    for run in np.split(np.arange(bars.x.size), np.flatnonzero(np.diff(banded.astype(int))) + 1):
        if run.size and banded[run[0]]:
            half = bars.step / 2  # the band of a coefficient is as wide as its step, also at the ends
            x = np.concatenate([[bars.x[run[0]] - half], bars.x[run], [bars.x[run[-1]] + half]])
            low, high = (np.concatenate([v[run[:1]], v[run], v[run[-1:]]]) for v in (bars.lower, bars.upper))
            corners = [np.column_stack([np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])])]
            axes.add_collection(PolyCollection(corners, facecolor=BAR_BAND, edgecolor="none", zorder=1), autolim=False)


def _corners(middle: FloatArray, width: float, low: FloatArray, high: FloatArray) -> list[FloatArray]:
    """(4, 2) corners of each bar. One collection for all of them draws five times as fast as single rectangles."""
    left, right = middle - width / 2, middle + width / 2
    return list(np.stack([[left, low], [right, low], [right, high], [left, high]]).transpose(2, 0, 1))


def _x_ticks(bars: _Bars, x0: float, x1: float, width: float) -> Ticks:
    labels = bars.block.labels
    if labels is None:
        return linear_ticks(x0, x1, Room(width, across=True, most=5, overhang=_OVERHANG))
    words = [plain(label) for label in labels]
    room = width / (x1 - x0)
    every = 1
    while every < len(words) and any(
        (text_width(a, NOTE) + text_width(b, NOTE)) / 2 + 0.35 > room * every
        for a, b in zip(words[::every], words[every::every], strict=False)
    ):
        every += 1
    return Ticks(tuple(float(v) for v in bars.x[::every]), tuple(words[::every]), ())


def _draw_words(sheet: Sheet, block: DescriptorBlock, x: float, y: float, width: float, letter: str) -> None:
    begin = draw_panel_letter(sheet, letter, x, y + _PANEL_HEIGHT + 1.2)
    # The symbol stands beside the title in italics; a title that ends with it would show it twice.
    title = plain(block.title or block.name).removesuffix(f" {plain(block.symbol)}")
    name = in_italics(block.symbol)
    room = x + width - begin - 0.4
    name_width = text_width(name, TITLE)
    if name and plain(block.symbol) != title and name_width < room / 3:
        title = shortened(title, TITLE, room - name_width - 1.4, bold=True)
        at = begin + text_width(title, TITLE, bold=True, parse_math=False) + 1.4
        sheet.write(at, y + _PANEL_HEIGHT + 1.2, name, size=TITLE)
    title = shortened(title, TITLE, room, bold=True)
    sheet.write(begin, y + _PANEL_HEIGHT + 1.2, title, size=TITLE, bold=True, parse_math=False)
    unit = "element" if block.labels is not None else plain(block.unit)
    if unit:
        unit, below = shortened(unit, SMALL, width), y - 3.9 - line_height(SMALL) * 0.72
        sheet.write(x + width / 2, below, unit, size=SMALL, colour=MUTED, ha="center", parse_math=False)


def _y_labels(quantity: Quantity, power: int, *, average: bool) -> list[str]:
    """Axis labels, long to short."""
    factor = rf" $\times\,10^{{{-power}}}$" if power else ""
    if average:
        return [
            rf"Average effect{factor}, {target_change(quantity)} per standard unit",
            rf"Average effect{factor}",
            rf"Effect{factor}",
        ]
    return [
        rf"Coefficient $\gamma${factor}, {target_change(quantity)} per standard unit",
        rf"Coefficient $\gamma${factor}",
        rf"$\gamma${factor}",
    ]


def _entries(level: float, has_band: bool) -> list[KeyEntry]:
    def bar(filled: bool) -> DrawSample:
        def draw(sheet: Sheet, left: float, middle: float, width: float) -> None:
            sheet.box(
                left + width - 1.6,
                middle - 0.9,
                1.3,
                1.8,
                facecolor=BAR if filled else "white",
                edgecolor=BAR,
                linewidth=0.45,
            )

        return draw

    def band(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.box(left, middle - 0.9, width, 1.8, facecolor=BAR_BAND, edgecolor="none")

    if not has_band:
        return []
    return [
        KeyEntry("band clear of zero", bar(True)),
        KeyEntry("band includes zero", bar(False)),
        KeyEntry(f"{100 * level:g} % band", band),
    ]


def _note(model: ModelName, quantity: Quantity, bands: str, *, average: bool, cut: bool) -> str:
    name = plain(quantity.symbol)
    known = find(model)
    effect = "lowers" if known is not None and known.sign < 0 else "raises"
    title = look(model, log=quantity.log_scale).title
    sentence = (
        f"{title} calibrator. A positive coefficient {effect} the calibrated {name} of polymers with more than the "
        "average density of the parameter near that value."
    )
    if average:
        sentence = (
            f"{title}, which has no coefficients: mean over the polymers of the fit of how the calibrated {name} changes "
            "with the density of the parameter near that value, at the same MD value."
        )
    sentence += (
        " A standard unit is the standard deviation of a descriptor over the polymers of the fit, raised where that is small "
        "against those of its panel."
    )
    sentence = f"{sentence} {bands}".rstrip()
    return f"{sentence} Bands that reach beyond a panel are cut at its edge." if cut else sentence
