"""How fast the eigenvalues fall, over the dimensions that source and descriptors share: a panel for each pair of kernels."""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from affinecal_gui.calibration.kernels.eigenvalues.decay import DecayRates, EigenvalueDecay
from affinecal_gui.calibration.names import KERNEL_TITLES
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, MUTED, NOTE, SMALL, TEXT, journal_style
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks

_MARGIN = 1.5  # mm
_LEFT, _BELOW, _GAP = 12.0, 9.0, 1.5
_PANEL_HEIGHT = 27.0
_SOURCE = ("K₂, source", "#B97900", "^")
_TARGET = ("K₃, descriptors", "#00805E", "D")
_PRODUCT = ("K₂∘K₃", "#0072B2", "o")
_SQUARED = ("K₂∘K₃ with the squared Frobenius norm", "#6B747C", "s")
_PUBLISHED = "published"


def eigenvalue_decay_figure(
    decay: EigenvalueDecay, published: DecayRates | None = None, *, width_mm: float = 180.0
) -> Figure:
    """Draw the mean of s over the overlap: of K2, K3 and K2 o K3 with the trace, and of K2 o K3 with the squared norm.

    Parameters
    ----------
    decay
        The result; panels are in the order of its kernels, K3 down and K2 across.
    published
        Published means with the trace, arrays like those of ``decay`` without the draws; drawn as rings.
    width_mm
        Width of the figure; its height follows.
    """
    with journal_style():
        count = len(decay.kernels)
        panel = (width_mm - 2 * _MARGIN - _LEFT - (count - 1) * _GAP) / count
        lines = wrap(_note(decay, published is not None), NOTE, width_mm - 2 * _MARGIN)
        head = line_height(SMALL) + line_height(BODY) + 2.0
        below = _BELOW + len(lines) * line_height(NOTE) + _MARGIN
        height = _MARGIN + head + count * _PANEL_HEIGHT + (count - 1) * _GAP + below
        sheet = new_figure(width_mm, height)
        x, y = _MARGIN, height - _MARGIN - line_height(SMALL) * 0.75
        for words, colour, marker in (_PRODUCT, _SOURCE, _TARGET, _SQUARED):
            sheet.line([x, x + 4.0], [y + 0.8] * 2, color=colour, linewidth=0.8)
            sheet.line([x + 2.0], [y + 0.8], marker=marker, color=colour, markersize=2.6, markeredgewidth=0)
            sheet.write(x + 5.0, y, words, size=SMALL, parse_math=False)
            x += 5.0 + text_width(words, SMALL, parse_math=False) + 5.0
        if published is not None:
            sheet.line([x + 1.0], [y + 0.8], **_RING)
            sheet.write(x + 2.5, y, _PUBLISHED, size=SMALL)
        low, high = _limits(decay)
        top = height - _MARGIN - head
        for t, target in enumerate(decay.kernels):
            bottom = top - (t + 1) * _PANEL_HEIGHT - t * _GAP
            middle = bottom + _PANEL_HEIGHT / 2
            words = f"K₃: {KERNEL_TITLES[target]}"
            start = middle - text_width(words, SMALL, parse_math=False) / 2
            at = _MARGIN + line_height(SMALL) * 0.75
            sheet.write(at, start, words, size=SMALL, rotation=90.0, parse_math=False)
            for s, source in enumerate(decay.kernels):
                left = _MARGIN + _LEFT + s * (panel + _GAP)
                axes = sheet.panel(left, bottom, panel, _PANEL_HEIGHT)
                axes.set_ylim(low, high)
                _draw_panel(axes, decay, published, t, s)
                _mark(axes, decay, panel, left=s == 0, below=t == count - 1)
                if not t:
                    heading = f"K₂: {KERNEL_TITLES[source]}"
                    sheet.write(left + panel / 2, top + 1.2, heading, size=SMALL, ha="center", parse_math=False)
        label = "Dimensions that source and descriptors have in common (across) and mean decay s (up)"
        sheet.write(width_mm / 2, below - _BELOW + 2.0, label, size=BODY, ha="center")
        y = below - _BELOW
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)


_RING: dict[str, Any] = {
    "marker": "o",
    "color": TEXT,
    "markersize": 4.2,
    "markerfacecolor": "none",
    "markeredgewidth": 0.5,
}


def _note(decay: EigenvalueDecay, published: bool) -> str:
    note = (
        f"Means over {decay.draws} draws of 100 samples; s is the smallest with λᵢ ≤ c i^(−1/s), c the trace of the matrix "
        "as in the published program, and for the grey line its squared Frobenius norm as in the text of the paper."
    )
    return note + (" Rings: published means (Minami et al., NeurIPS 2023)." if published else "")


def _means(decay: EigenvalueDecay, t: int, s: int) -> tuple[tuple[FloatArray, str, str], ...]:
    """(overlaps,) mean rates of one panel, with colour and marker."""
    trace, squared = decay.rates["trace"], decay.rates["frobenius"]
    flat = np.full(len(decay.overlaps), trace.target[t].mean())
    return (
        (squared.product[t, s].mean(axis=-1), *_SQUARED[1:]),
        (trace.source[s].mean(axis=-1), *_SOURCE[1:]),
        (flat, *_TARGET[1:]),
        (trace.product[t, s].mean(axis=-1), *_PRODUCT[1:]),
    )


def _limits(decay: EigenvalueDecay) -> tuple[float, float]:
    count = range(len(decay.kernels))
    ends = [(values.min(), values.max()) for t in count for s in count for values, _, _ in _means(decay, t, s)]
    low, high = min(float(end[0]) for end in ends), max(float(end[1]) for end in ends)
    margin = 0.06 * max(high - low, 0.01)
    return low - margin, high + margin


def _draw_panel(axes: Axes, decay: EigenvalueDecay, published: DecayRates | None, t: int, s: int) -> None:
    for values, colour, marker in _means(decay, t, s):
        axes.plot(decay.overlaps, values, color=colour, linewidth=0.7, marker=marker, markersize=2.2, markeredgewidth=0)
    if published is not None:
        there = (published.source[s], np.full(len(decay.overlaps), published.target[t]), published.product[t, s])
        for values in there:
            axes.plot(decay.overlaps, values, linestyle="none", **_RING)


def _mark(axes: Axes, decay: EigenvalueDecay, width: float, *, left: bool, below: bool) -> None:
    first, last = min(decay.overlaps), max(decay.overlaps)
    margin = 0.05 * max(last - first, 1)
    axes.set_xlim(first - margin, last + margin)
    shown = [overlap for overlap in decay.overlaps if overlap % 5 == 0] or [first]
    Ticks(tuple(map(float, shown)), tuple(map(str, shown))).apply(axes.xaxis, labelled=below)
    low, high = axes.get_ylim()
    linear_ticks(low, high, Room(_PANEL_HEIGHT, False, 6)).apply(axes.yaxis, lines=True, labelled=left)
    axes.spines[["right", "top"]].set_visible(False)
