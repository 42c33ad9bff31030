"""The calibrators side by side: out-of-fold errors with their intervals, and which one to use."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import Calibration, FloatArray, Metrics, ModelResult
from affinecal_gui.figures.labels import fitting, target_scale, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure, text_width, wrap
from affinecal_gui.figures.style import BODY, GRID, MUTED, NOTE, SMALL, journal_style, look, plain
from affinecal_gui.figures.ticks import Room, linear_ticks, unmarked
from affinecal_gui.numbers import p_value, r_squared, significant, with_interval

_MARGIN = 1.0  # mm
_NARROWEST = 20.0  # mm of the panel beside figures with intervals
_ROW = 7.0
_MOST_PAIRS = 15  # of many calibrators only the best is compared with each other one
_OFF_SCALE = 1.6  # a model whose error is this many times the largest of the others is drawn as an arrow


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of numbers beside the errors."""

    head: str
    unit: str
    cell: Callable[[Metrics], str]
    needed: bool = False  # stays when the figure is narrow


def comparison_figure(
    calibration: Calibration, quantity: Quantity, *, width_mm: float = 180.0, notes: bool = True
) -> Figure:
    """Draw the out-of-fold error of every calibrator with its interval, the numbers, and the recommendation.

    A calibrator whose error is far larger than the others' is drawn as an arrow at the edge, its number beside it.

    Parameters
    ----------
    calibration
        The result.
    quantity
        The calibrated property.
    width_mm
        Width of the figure; its height follows.
    notes
        Say below the figure, in sentences, what it shows.
    """
    with journal_style():
        return figure_of(draw_comparison(new_figure, calibration, quantity, sentences=notes, width_mm=width_mm))


def draw_comparison(
    open_sheet: OpenSheet,
    calibration: Calibration,
    quantity: Quantity,
    *,
    sentences: bool = True,
    width_mm: float = 180.0,
) -> Sheet:
    """Draw :func:`comparison_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``.

    Without ``sentences``, what it says in words is left to the text around it.
    """
    results = list(calibration.models.values())
    roles = [role_of(calibration, result.model) for result in results]
    name_width = 3.0 + max(
        [text_width(look(result.model, log=calibration.log_scale).title, BODY, bold=True) for result in results]
        + [text_width(role, NOTE) for role in roles]
    )
    left = _MARGIN + name_width + 2.5
    columns = _columns(quantity)
    widths = [_column_width(column, results) for column in columns]
    while width_mm - left - sum(widths) - _MARGIN < 30.0 and not all(column.needed for column in columns):
        at = next(k for k in reversed(range(len(columns))) if not columns[k].needed)
        del columns[at], widths[at]
    if width_mm - left - sum(widths) - _MARGIN < _NARROWEST:  # intervals stand in the panel as bars
        columns[0] = replace(columns[0], head="RMSE", cell=lambda metrics: significant(metrics.rmse_target_scale))
        widths[0] = _column_width(columns[0], results)
    panel_width = width_mm - left - sum(widths) - _MARGIN - 1.0

    low, high = _range(results)
    arrows = any(result.metrics.rmse_target_scale > high for result in results)
    words = _sentences(calibration, arrows=arrows) if sentences else []
    lines = [line for sentence in words for line in wrap(sentence, NOTE, width_mm - 2 * _MARGIN)]
    head_height, panel_height = 2 * line_height(NOTE) + 1.2, _ROW * len(results)
    below = 4.0 + line_height(BODY)
    height = _MARGIN + head_height + panel_height + below + 1.6 + line_height(NOTE) * len(lines) + _MARGIN
    sheet = open_sheet(width_mm, height)

    bottom = height - _MARGIN - head_height - panel_height
    exponent = _draw_errors(
        sheet.panel(left, bottom, panel_width, panel_height), results, Room(panel_width, True, 6, 2.0), low, high
    )
    _draw_names(sheet, results, roles, bottom + panel_height, log=calibration.log_scale)
    x = left + panel_width + 1.0
    for column, width in zip(columns, widths, strict=True):
        x += width
        top = bottom + panel_height
        sheet.write(x, top + 1.2 + line_height(NOTE), column.head, size=NOTE, colour=MUTED, ha="right")
        sheet.write(x, top + 1.2, column.unit, size=NOTE, colour=MUTED, ha="right")
        for row, result in enumerate(results):
            bold = result.model == calibration.recommendation.recommended
            y = top - (row + 0.5) * _ROW
            sheet.write(x, y, column.cell(result.metrics), size=SMALL, ha="right", va="center_baseline", bold=bold)
    unit = "" if quantity.log_scale else quantity.unit
    wordings = (f"Out-of-fold RMSE of {target_scale(quantity)}", f"RMSE of {target_scale(quantity)}", "RMSE")
    labels = [with_unit(some, unit, exponent) for some in wordings]
    centre = left + panel_width / 2
    label = fitting(labels, BODY, 2 * min(centre, width_mm - centre) - 2 * _MARGIN)
    sheet.write(centre, bottom - 4.0 - line_height(BODY) * 0.75, label, ha="center")
    y = bottom - below - 1.6
    for line in lines:
        sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, line, size=NOTE, colour=MUTED, parse_math=False)
        y -= line_height(NOTE)
    return sheet


def role_of(calibration: Calibration, model: str) -> str:
    """Return what sets a calibrator apart: "lowest error", "recommended", both, or "" for neither."""
    advice = calibration.recommendation
    if model == advice.recommended:
        return "lowest error and recommended" if advice.best == model else "recommended"
    return "lowest error" if model == advice.best else ""


RECOMMENDED = (
    "Recommended: the combined calibrator, which keeps to a line in the MD values as far as nothing shows that polymers of "
    "like structure depart alike from it; MD itself where its error is lower and nothing shows that; any other only where it "
    "is clearly better."
)
"""What the word means, for the notes below figures and tables."""


def _columns(quantity: Quantity) -> list[_Column]:
    unit = plain(quantity.unit)

    def target(metrics: Metrics) -> str:
        return with_interval(metrics.rmse_target_scale, *metrics.rmse_target_scale_interval)

    def within(metrics: Metrics) -> str:
        return f"{metrics.within_ten_percent} of {metrics.n}"

    on_target = _Column("RMSE (95 %)", target_scale(quantity) if quantity.log_scale else unit, target, needed=True)
    rmse = _Column("RMSE", unit, lambda metrics: significant(metrics.rmse))

    def r2(metrics: Metrics) -> str:
        return r_squared(metrics.r2)

    others = [
        _Column("MAE", unit, lambda metrics: significant(metrics.mae)),
        _Column("$R^2$", "", r2),
        _Column("within", "±10 %", within),
    ]
    return [on_target, rmse, *others] if quantity.log_scale else [on_target, *others]


def _column_width(column: _Column, results: Sequence[ModelResult]) -> float:
    texts = [(column.head, NOTE, False), (column.unit, NOTE, False)]
    texts += [(column.cell(result.metrics), SMALL, True) for result in results]
    return 3.5 + max(text_width(text, size, bold=bold) for text, size, bold in texts)


def _values_and_ends(results: Sequence[ModelResult]) -> tuple[FloatArray, FloatArray]:
    """(k,) errors and (k, 2) their intervals over polymers; the error itself where there is none."""
    values = np.array([result.metrics.rmse_target_scale for result in results])
    ends = np.array([result.metrics.rmse_target_scale_interval for result in results])
    return values, np.where(np.isfinite(ends), ends, values[:, None])


def _draw_errors(axes: Axes, results: Sequence[ModelResult], room: Room, low: float, high: float) -> int:
    """Draw one row per calibrator and return the exponent of the tick labels."""
    values, intervals = _values_and_ends(results)
    axes.set_xlim(low, high)
    axes.set_ylim(len(results), 0)
    unmarked(axes.yaxis)
    ticks = linear_ticks(low, high, room)
    ticks.apply(axes.xaxis, lines=True)
    axes.spines[["left", "right", "top"]].set_visible(False)
    for row in range(len(results) + 1):
        axes.axhline(row, color=GRID, linewidth=0.5, zorder=0.5, clip_on=False)
    for row, result in enumerate(results):
        drawn, value = look(result.model), values[row]
        if not np.isfinite(value):
            continue
        y = row + 0.5
        if value > high:
            arrow = {"arrowstyle": "-|>", "color": drawn.colour, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 0}
            axes.annotate("", (high, y), (high - 0.12 * (high - low), y), arrowprops=arrow)
            continue
        ends = intervals[row]
        if ends[1] > ends[0]:
            axes.plot(ends, [y, y], color=drawn.colour, linewidth=1.0, marker="|", markersize=4, solid_capstyle="butt")
        axes.plot(value, y, marker=drawn.marker, markersize=4.6, color=drawn.colour, markeredgewidth=0)
    return ticks.exponent


def _range(results: Sequence[ModelResult]) -> tuple[float, float]:
    values, intervals = _values_and_ends(results)
    finite = np.isfinite(values)
    if not finite.any():
        return 0.0, 1.0
    ends = intervals[finite, 1]
    kept = np.sort(ends)
    while kept.size > 1 and kept[-1] > _OFF_SCALE * kept[-2] > 0:
        kept = kept[:-1]
    high = float(kept[-1])
    low = min(float(intervals[finite, 0].min()), high)
    span = max(high - low, 0.1 * abs(high)) or 1.0
    return low - 0.12 * span, high + 0.12 * span


def _draw_names(sheet: Sheet, results: Sequence[ModelResult], roles: Sequence[str], top: float, *, log: bool) -> None:
    for row, (result, role) in enumerate(zip(results, roles, strict=True)):
        drawn = look(result.model, log=log)
        y = top - (row + 0.5) * _ROW
        raised = 1.2 if role else 0.0
        sheet.line([_MARGIN + 0.9], [y + raised], linestyle="none", marker=drawn.marker, markersize=4.4,
                   markerfacecolor=drawn.colour, markeredgewidth=0)  # fmt: skip
        sheet.write(_MARGIN + 3.0, y + raised, drawn.title, size=BODY, bold=True, colour=drawn.colour,
                    va="center_baseline", parse_math=False)  # fmt: skip
        if role:
            sheet.write(_MARGIN + 3.0, y - 2.2, role, size=NOTE, colour=MUTED, parse_math=False)


def _sentences(calibration: Calibration, *, arrows: bool) -> list[str]:
    sentences = [plain(calibration.recommendation.sentence)]
    pairs = []
    compared = calibration.recommendation.comparisons
    if len(compared) > _MOST_PAIRS:
        compared = tuple(pair for pair in compared if pair.better == calibration.recommendation.best)
    for pair in compared:
        better, worse = (look(model, log=calibration.log_scale).title for model in (pair.better, pair.worse))
        pairs.append(
            f"{worse} − {better} {significant(pair.difference, 2)}, {p_value(pair.paired_p_value)} "
            f"({p_value(pair.welch_p_value)})"
        )
    if pairs:
        words = "Differences of RMSE, test paired over polymers (Welch’s test over repetitions): "
        sentences.append(words + "; ".join(pairs) + ".")
    if len(calibration.models) > 1:
        sentences.append(RECOMMENDED)
    bars = "Bars: 95 % interval over polymers."
    sentences.append(bars + " Arrow: an error beyond the end of the axis." if arrows else bars)
    return [sentence for sentence in sentences if sentence]
