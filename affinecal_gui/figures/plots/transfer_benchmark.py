"""The transfer methods over the size of the training set, one panel per target."""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from affinecal_gui.calibration.kernels.methods import TransferName
from affinecal_gui.calibration.kernels.protocol import TransferBenchmark
from affinecal_gui.calibration.networks.candidates import FINE_TUNING, L2_SP, MAML, PAC_NET
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, MUTED, NOTE, SMALL, Look, journal_style, look, mark_of_role
from affinecal_gui.figures.ticks import Room, Ticks, linear_ticks

_MARGIN = 1.5  # mm
_LEFT, _BELOW, _ABOVE, _GAP = 9.0, 6.5, 4.5, 3.5
_PANEL_HEIGHT = 34.0
_MOST_COLUMNS = 4
_DODGE = 0.6  # of the distance between neighbouring sizes, over which the methods are spread

_NETWORKS = {
    method.key: Look(method.title, *mark_of_role(role))
    for method, role in ((FINE_TUNING, "copper"), (L2_SP, "rose"), (PAC_NET, "lime"), (MAML, "teal"))
}
"""How the methods are drawn that go on training a network: in colours of their own, with broken lines."""


def transfer_benchmark_figure(
    benchmark: TransferBenchmark,
    published: Mapping[tuple[int, TransferName, int], float],
    *,
    width_mm: float = 180.0,
) -> Figure:
    """Draw mean and standard error of the RMSE of every method, and the published means as thin dotted lines.

    Parameters
    ----------
    benchmark
        The result.
    published
        Published means by target (from 0), method and training set size; may be empty.
    width_mm
        Width of the figure; its height follows.
    """
    with journal_style():
        count = len(benchmark.targets)
        columns = min(_MOST_COLUMNS, count)
        rows = -(-count // columns)
        panel = (width_mm - 2 * _MARGIN - columns * _LEFT - (columns - 1) * _GAP) / columns
        note = (
            f"Mean RMSE over {benchmark.repetitions} training sets; bars: its standard error, the methods side by side. "
            f"{_drawn(benchmark)}"
        )
        if any(method in _NETWORKS for method in benchmark.rmse):
            note += " Broken lines: methods that go on training the network whose last layer are the source features."
        if published:
            note += " Thin dotted lines: published results, with training sets from the separate training file."
        lines = wrap(note, NOTE, width_mm - 2 * _MARGIN)
        legend = line_height(SMALL) * 2 + 1.0
        row_height = _ABOVE + _PANEL_HEIGHT + _BELOW
        height = _MARGIN * 2 + legend + rows * row_height + line_height(BODY) + len(lines) * line_height(NOTE) + 2.0
        sheet = new_figure(width_mm, height)
        x, y = _MARGIN, height - _MARGIN - line_height(SMALL) * 0.75
        for method in benchmark.rmse:
            drawn = _look(method)
            wide = 4.5 + text_width(drawn.title, SMALL) + 4.0
            if x + wide > width_mm - _MARGIN:
                x, y = _MARGIN, y - line_height(SMALL)
            sheet.line([x, x + 3.2], [y + 0.8] * 2, color=drawn.colour, linewidth=0.8, linestyle=_line(method))
            sheet.line([x + 1.6], [y + 0.8], marker=drawn.marker, color=drawn.colour, markersize=3.2, markeredgewidth=0)
            sheet.write(x + 4.5, y, drawn.title, size=SMALL)
            x += wide
        top = height - _MARGIN - legend
        for q, target in enumerate(benchmark.targets):
            row, column = divmod(q, columns)
            left = _MARGIN + _LEFT + column * (panel + _GAP + _LEFT)
            bottom = top - row * row_height - _ABOVE - _PANEL_HEIGHT
            axes = sheet.panel(left, bottom, panel, _PANEL_HEIGHT)
            _draw_panel(axes, benchmark, q, published, panel)
            sheet.write(left, bottom + _PANEL_HEIGHT + 1.2, f"Torque {target + 1}", size=BODY, bold=True)
        below = top - rows * row_height
        label = "Training rows (across) and RMSE of the torque (up)"
        sheet.write(width_mm / 2, below - line_height(BODY) * 0.2, label, size=BODY, ha="center")
        y = below - line_height(BODY) - 1.0
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)


def _look(method: str) -> Look:
    return _NETWORKS.get(method) or look(method)


def _line(method: str) -> str | tuple[float, tuple[float, float]]:
    return (0.0, (4.0, 1.5)) if method in _NETWORKS else "-"


def _drawn(benchmark: TransferBenchmark) -> str:
    """Say where the training sets come from."""
    if benchmark.draw == "published":
        return (
            "Training sets are those of the published program, each row replaced by the one of the test file that is nearest "
            f"in time; the error is that on all {benchmark.evaluation_rows} rows of that file."
        )
    return (
        f"Training sets are drawn from one half of the rows ({benchmark.pool_rows}), the error is that on the other half "
        f"({benchmark.evaluation_rows})."
    )


def dodge(sizes: FloatArray, count: int) -> FloatArray:
    """(count,) shifts along the axis that keep the bars of ``count`` methods at one size apart, never reaching the next."""
    nearest = float(np.diff(np.sort(sizes)).min()) if len(sizes) > 1 else 1.0
    places = np.arange(count, dtype=np.float64) - (count - 1) / 2
    return np.asarray(places * (_DODGE * nearest / max(count - 1, 1)))


def _draw_panel(
    axes: Axes,
    benchmark: TransferBenchmark,
    q: int,
    published: Mapping[tuple[int, TransferName, int], float],
    width: float,
) -> None:
    sizes = np.array(benchmark.sizes, dtype=np.float64)
    largest, smallest = 0.0, np.inf
    offsets = dodge(sizes, len(benchmark.rmse))
    for method, offset in zip(benchmark.rmse, offsets, strict=True):
        drawn, mean = _look(method), benchmark.mean(method)[q]
        error = benchmark.sd(method)[q] / np.sqrt(benchmark.repetitions)
        axes.plot(
            sizes + offset,
            mean,
            color=drawn.colour,
            linewidth=0.8,
            linestyle=_line(method),
            marker=drawn.marker,
            markersize=2.6,
            markeredgewidth=0,
        )
        if np.isfinite(error).all():
            axes.errorbar(sizes + offset, mean, error, fmt="none", ecolor=drawn.colour, elinewidth=0.5)
        known = [published.get((benchmark.targets[q], method, size), np.nan) for size in benchmark.sizes]
        axes.plot(sizes + offset, known, color=drawn.colour, linewidth=0.5, linestyle=(0, (1, 2)))
        reach = np.where(np.isfinite(error), error, 0.0)
        largest, smallest = max(largest, float(np.max(mean + reach))), min(smallest, float(np.min(mean - reach)))
    # An error that runs away must not flatten everything else.
    usual = float(np.median([benchmark.mean(method)[q].max() for method in benchmark.rmse]))
    largest = min(largest, 1.25 * usual)
    high, low = largest + 0.04 * (largest - smallest), max(0.0, smallest - 0.08 * (largest - smallest))
    if not high > low:
        low, high = low - 0.5, high + 0.5
    axes.set_ylim(low, high)
    margin = 0.04 * max(float(np.ptp(sizes)), 1.0) + float(np.abs(offsets).max(initial=0.0))
    axes.set_xlim(sizes.min() - margin, sizes.max() + margin)
    labels = [str(size) if size % 10 == 0 or len(benchmark.sizes) < 5 else "" for size in benchmark.sizes]
    Ticks(tuple(float(size) for size in sizes), tuple(labels)).apply(axes.xaxis)
    linear_ticks(low, high, Room(_PANEL_HEIGHT, False, 6)).apply(axes.yaxis, lines=True)
    axes.spines[["right", "top"]].set_visible(False)
