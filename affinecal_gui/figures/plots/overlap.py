"""How fast the eigenvalues of the kernels fall: a small figure that says whether source and descriptors overlap."""

import numpy as np
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import Decay, Overlap
from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, MUTED, NOTE, SMALL, journal_style
from affinecal_gui.figures.ticks import Room, log_ticks
from affinecal_gui.numbers import decimal

_MARGIN = 1.5  # mm
_LEFT, _BELOW = 10.0, 8.0
_PANEL_HEIGHT = 48.0
_LOWEST = 1e-6  # of the largest eigenvalue: what lies below hardly matters and would squeeze the rest
_DRAWN = (("K₁, source", "#B97900", "^"), ("K₃, descriptors", "#00805E", "D"), ("K₂∘K₃, both", "#0072B2", "o"))


def overlap_figure(overlap: Overlap, *, width_mm: float = 85.0, notes: bool = True) -> Figure:
    """Draw the eigenvalues of K1, K3 and K2 o K3, the slopes that bound them, and the sentence.

    Parameters
    ----------
    overlap
        The diagnostic.
    width_mm
        Width of the figure; its height follows.
    notes
        Write the sentence.
    """
    with journal_style():
        lines = wrap(overlap.sentence, NOTE, width_mm - 2 * _MARGIN) if notes else []
        keys = line_height(SMALL) * len(_DRAWN) + 1.5
        below = _BELOW + line_height(NOTE) * len(lines) + _MARGIN
        height = _MARGIN + keys + _PANEL_HEIGHT + below
        sheet = new_figure(width_mm, height)
        panel_width = width_mm - _LEFT - 2 * _MARGIN
        axes = sheet.panel(_MARGIN + _LEFT, below, panel_width, _PANEL_HEIGHT)
        decays: tuple[Decay, ...] = (overlap.source, overlap.target, overlap.product)
        highest = max(float(one.eigenvalues[0]) for one in decays) or 1.0
        count = max(len(decays[0].eigenvalues), 2)
        low, high = _LOWEST * highest, 3.0 * highest
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlim(0.9, 1.1 * count)
        axes.set_ylim(low, high)
        y = height - _MARGIN - line_height(SMALL) * 0.8
        for (title, colour, marker), one in zip(_DRAWN, decays, strict=True):
            i = np.arange(1, len(one.eigenvalues) + 1, dtype=np.float64)
            shown = one.eigenvalues >= low
            axes.plot(
                i[shown], one.eigenvalues[shown], linestyle="none", marker=marker, markersize=2.4, color=colour,
                markeredgewidth=0,
            )  # fmt: skip
            if 0.0 < one.rate < np.inf:
                ends = np.array([1.0, float(count)])
                axes.plot(ends, one.bound(ends), color=colour, linewidth=0.6, linestyle=(0, (4, 2)))
            sheet.line([_MARGIN + 1.2], [y + 0.8], marker=marker, color=colour, markersize=3.2, markeredgewidth=0)
            words = f"{title}: s = {decimal(one.rate, 3)}"
            sheet.write(_MARGIN + 3.5, y, words, size=SMALL, parse_math=False)
            y -= line_height(SMALL)
        log_ticks(0.9, 1.1 * count, Room(panel_width, True, 6, 2.0)).apply(axes.xaxis, lines=True)
        log_ticks(low, high, Room(_PANEL_HEIGHT, False, 6)).apply(axes.yaxis, lines=True)
        axes.spines[["right", "top"]].set_visible(False)
        centre = _MARGIN + _LEFT + panel_width / 2
        sheet.write(centre, below - 6.2, "Number of the eigenvalue", size=BODY, ha="center")
        label = "Eigenvalue; dashed: $\\|K\\|_F^2\\,i^{-1/s}$"
        across = below + _PANEL_HEIGHT / 2 - text_width(label, BODY) / 2
        sheet.write(_MARGIN + line_height(BODY) * 0.75, max(across, below), label, size=BODY, rotation=90.0)
        y = below - _BELOW
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)
