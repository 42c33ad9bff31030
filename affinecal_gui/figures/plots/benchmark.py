"""The benchmark of the paper as a figure: the held-out error of every repetition, per calibrator."""

import math

from matplotlib.figure import Figure

from affinecal_gui.calibration.calibrators.registry import RAW
from affinecal_gui.calibration.checking.paper_protocol import PaperBenchmark
from affinecal_gui.calibration.results import ModelName
from affinecal_gui.figures.labels import fitting, target_scale, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, GRID, MUTED, NOTE, SMALL, journal_style, look
from affinecal_gui.figures.ticks import Room, linear_ticks, unmarked

_MARGIN = 1.0  # mm
_ROW = 11.0


def benchmark_figure(benchmark: PaperBenchmark, quantity: Quantity, *, width_mm: float = 120.0) -> Figure:
    """Draw each repetition's RMSE as a mark, and mean and standard deviation over the repetitions.

    The raw MD value is so far off that it would hide the differences between the calibrators; it is written, not drawn.

    Parameters
    ----------
    benchmark
        The result of the paper's protocol.
    quantity
        The property, on logarithmic scale.
    width_mm
        Width of the figure; its height follows.
    """
    models = [name for name in benchmark.rmse_mean if name != RAW]
    with journal_style():
        names = {model: look(model).title for model in models}
        left = _MARGIN + 2.0 + max(text_width(name, BODY, bold=True) for name in names.values()) + 3.0
        words = {model: _published(benchmark, model) for model in models}
        right = _MARGIN + max(text_width(word, SMALL) for word in words.values()) + 2.0
        raw = _published(benchmark, RAW)
        note = (
            f"{len(benchmark.repetitions)} random splits of {benchmark.n_polymers} polymers, {benchmark.train_size} for "
            f"training and {benchmark.test_size} held out. Bar: mean ± standard deviation. MD as it is: {raw}."
        )
        lines = wrap(note, NOTE, width_mm - 2 * _MARGIN)
        panel_height = _ROW * len(models)
        below = 4.0 + line_height(BODY) + 1.6 + line_height(NOTE) * len(lines) + _MARGIN
        sheet = new_figure(width_mm, 3.0 + panel_height + below)
        width = width_mm - left - right
        axes = sheet.panel(left, below, width, panel_height)
        values = {model: [repetition.rmse[model] for repetition in benchmark.repetitions] for model in models}
        # With few repetitions the bars reach farther than the marks.
        ends = {model: (benchmark.rmse_mean[model], _finite(benchmark.rmse_sd[model])) for model in models}
        largest = max(max(*values[model], sum(ends[model])) for model in models)
        smallest = min(min(*values[model], ends[model][0] - ends[model][1]) for model in models)
        span = max(largest - smallest, 0.1 * largest)
        low, high = smallest - 0.08 * span, largest + 0.08 * span
        axes.set_xlim(low, high)
        axes.set_ylim(len(models), 0)
        unmarked(axes.yaxis)
        ticks = linear_ticks(low, high, Room(width, True, 6, 2.0))
        ticks.apply(axes.xaxis, lines=True)
        axes.spines[["left", "right", "top"]].set_visible(False)
        for row, model in enumerate(models):
            drawn = look(model)
            count = len(values[model])
            axes.axhline(row, color=GRID, linewidth=0.5, zorder=0.5)
            # One below the other in the order of the seeds, so that equal values stay visible.
            heights = [row + 0.2 + 0.42 * (number / max(count - 1, 1)) for number in range(count)]
            axes.plot(
                values[model], heights, linestyle="none", marker=drawn.marker, markersize=2.6, color=drawn.colour,
                alpha=0.7, markeredgewidth=0,
            )  # fmt: skip
            mean, deviation = ends[model]
            axes.plot(
                [mean - deviation, mean + deviation], [row + 0.8] * 2, color=drawn.colour, linewidth=1.0, marker="|",
                markersize=4,
            )  # fmt: skip
            axes.plot(mean, row + 0.8, marker=drawn.marker, markersize=4.6, color=drawn.colour, markeredgewidth=0)
            y = below + panel_height - (row + 0.5) * _ROW
            sheet.write(
                _MARGIN, y, names[model], size=BODY, bold=True, colour=drawn.colour, va="center_baseline",
                parse_math=False,
            )  # fmt: skip
            sheet.write(width_mm - _MARGIN, y, words[model], size=SMALL, ha="right", va="center_baseline")
        label = fitting(
            [
                with_unit(f"RMSE of {target_scale(quantity)}, held-out polymers", "", ticks.exponent),
                with_unit("RMSE, held-out polymers", "", ticks.exponent),
            ],
            BODY,
            width_mm - 2 * _MARGIN,
        )
        sheet.write(left + width / 2, below - 4.0 - line_height(BODY) * 0.75, label, ha="center")
        y = below - 4.0 - line_height(BODY) - 1.6
        for line in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, line, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)


def _finite(deviation: float) -> float:
    """Return a standard deviation, 0 where one repetition has none."""
    return deviation if math.isfinite(deviation) else 0.0


def _published(benchmark: PaperBenchmark, model: ModelName) -> str:
    """Write mean and standard deviation with as many decimals as the paper does, so that the two can be compared."""
    return f"{benchmark.rmse_mean[model]:.4f} ± {benchmark.rmse_sd[model]:.4f}"
