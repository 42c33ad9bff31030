"""Parity plot: predicted against measured values, one panel per calibrator or all in one."""

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from matplotlib.figure import Figure

from affinecal_gui.calibration.results import Calibration, ModelName
from affinecal_gui.figures.groups import PointGroups
from affinecal_gui.figures.key import KeyEntry, lay_out_key
from affinecal_gui.figures.labels import fitting, symbol, with_unit
from affinecal_gui.figures.panel_letters import draw_panel_letter, panel_letter
from affinecal_gui.figures.parity.corner import place
from affinecal_gui.figures.parity.parity_drawing import draw_ground, draw_series, in_data_units
from affinecal_gui.figures.parity.parity_numbers import common_table, one_table
from affinecal_gui.figures.parity.parity_series import Series, series_of
from affinecal_gui.figures.parity.parity_window import Window, choose_window
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import OpenSheet, Sheet, figure_of, line_height, new_figure
from affinecal_gui.figures.style import (
    BODY,
    IDENTITY,
    MUTED,
    POINT,
    TITLE,
    TOLERANCE,
    TOLERANCE_EDGE,
    journal_style,
    look,
    plain,
    tint,
)  # fmt: skip
from affinecal_gui.figures.ticks import Room, Ticks, ticks_for

Predictions = Literal["out-of-fold", "fitted"]
Arrangement = Literal["panels", "overlaid"]

_NARROWEST = 33.0  # mm, a panel; fewer panels per row before they get narrower
_WIDEST = 100.0
_HIGHEST = 110.0
_HIGHEST_OF_ALL = 190.0  # all rows of panels together: with its words the figure stands on a page
_TALLEST = 1.15  # height of a panel over its width, at most
_TALLEST_OF_MANY = 1.45  # for panels in one row, which are narrow
_MARGIN = 1.0  # mm, white edge of the figure
_BETWEEN_ROWS = 2.0


def parity_figure(
    calibration: Calibration,
    quantity: Quantity,
    *,
    models: Sequence[ModelName] | None = None,
    predictions: Predictions = "out-of-fold",
    intervals: bool = True,
    arrangement: Arrangement = "panels",
    width_mm: float = 180.0,
    groups: PointGroups | None = None,
    notes: bool = True,
    letters: bool = False,
) -> Figure:
    """Draw predicted against measured values, one panel per calibrator with the same axes, or all in one panel.

    Axes are logarithmic when the calibration was fitted on the logarithm, with the same length per factor on both, so
    that the ±10 % band has parallel edges; otherwise linear with the same length per unit. Polymers without a finite
    value are left out and counted in the note. RMSE, MAE, R² and n stand in a corner where no point lies; the range is
    extended where there is none.

    Parameters
    ----------
    calibration
        The result; n measured polymers.
    quantity
        What stands on the axes.
    models
        Which calibrators, in this order; all of the calibration when None.
    predictions
        "out-of-fold": every polymer predicted by fits that had not seen it. "fitted": by the final fit, which had.
    intervals
        Draw the prediction intervals (out-of-fold only, and where a panel holds one calibrator: those of several would
        hide each other).
    arrangement
        "panels": one panel per calibrator. "overlaid": all in one panel.
    width_mm
        Width of the figure; its height follows.
    groups
        Of the n polymers, to colour them where a panel holds one calibrator; None gives them the colour of that.
    notes
        Say below the figure, in sentences, what it shows; the key stays without them.
    letters
        Begin the title of each of several panels with (a), (b) ...

    Returns
    -------
    Figure
        To be written with :func:`affinecal_gui.figures.saving.save_figure`.
    """
    with journal_style():
        sheet = draw_parity(
            new_figure,
            calibration,
            quantity,
            models=models,
            predictions=predictions,
            intervals=intervals,
            arrangement=arrangement,
            width_mm=width_mm,
            groups=groups,
            notes=notes,
            letters=letters,
        )
    return figure_of(sheet)


def draw_parity(
    open_sheet: OpenSheet,
    calibration: Calibration,
    quantity: Quantity,
    *,
    models: Sequence[ModelName] | None = None,
    predictions: Predictions = "out-of-fold",
    intervals: bool = True,
    arrangement: Arrangement = "panels",
    width_mm: float = 180.0,
    groups: PointGroups | None = None,
    notes: bool = True,
    letters: bool = False,
) -> Sheet:
    """Draw :func:`parity_figure` on the sheet that ``open_sheet`` provides; call it inside ``journal_style()``."""
    log = calibration.log_scale
    chosen = tuple(calibration.models) if models is None else tuple(models)
    if not chosen:
        raise ValueError("no calibrator to draw")
    if arrangement == "overlaid":
        groups = None  # colours tell calibrators apart there
    parts = [tuple(chosen)] if arrangement == "overlaid" else [(name,) for name in chosen]
    columns = _columns(len(parts), width_mm)
    rows = math.ceil(len(parts) / columns)
    radius = _marker_size(calibration.measured.size, width_mm / columns) / 2
    out_of_fold = predictions == "out-of-fold"
    panels = [
        [
            series_of(
                calibration,
                name,
                out_of_fold=out_of_fold,
                intervals=intervals and len(part) == 1,
                radius=radius,
                groups=groups,
            )
            for name in part
        ]
        for part in parts
    ]
    numbers = [one_table(p[0].metrics) if len(p) == 1 else common_table(p, log=log) for p in panels]
    tallest = _TALLEST_OF_MANY if columns > 2 else _TALLEST

    # The margins depend on the tick labels, these on the range, and this on the width of a panel. Margins only grow from
    # round to round, so that the last one is consistent.
    left, gap = 8.0, 3.5
    for _ in range(8):
        width = min(_WIDEST, (width_mm - left - _MARGIN - gap / 2 - gap * (columns - 1)) / columns)
        window = choose_window(
            [[series.points for series in panel] for panel in panels],
            [(n.width, n.height) for n in numbers],
            width,
            min(tallest * width, _HIGHEST, _HIGHEST_OF_ALL / rows),
            log=log,
        )
        ticks_x, ticks_y = _ticks(window, log=log)
        needed_left = _MARGIN + line_height(BODY) + 1.0 + ticks_y.widest + 2.0
        needed_gap = ticks_x.widest + 1.6
        if needed_left <= left and needed_gap <= gap:
            break
        left, gap = max(left, needed_left), max(gap, needed_gap)
    used_width = columns * window.width + (columns - 1) * gap
    left += max(0.0, (width_mm - left - gap / 2 - _MARGIN - used_width) / 2)

    kind = "Out-of-fold prediction of" if predictions == "out-of-fold" else "Fitted"
    label_x = _labels(("Measured",), quantity, ticks_x.exponent)
    label_y = _labels((kind, "Out-of-fold" if predictions == "out-of-fold" else "Fitted"), quantity, ticks_y.exponent)
    shown = [series for panel in panels for series in panel]
    note = _note(calibration, quantity, shown, window, predictions)
    if groups is not None:
        note = f"{groups.note} {note}"
    note = note if notes else ""
    key = lay_out_key(
        [*_entries(shown, calibration.interval_level), *(groups.entries() if groups else [])], note, used_width
    )
    title_height = line_height(TITLE) + 0.7 if any(len(panel) == 1 for panel in panels) else 0.0
    ticks_height, label_height = 4.0, line_height(BODY)
    row_height = title_height + window.height + ticks_height
    panels_height = rows * row_height + (rows - 1) * _BETWEEN_ROWS
    height = _MARGIN + panels_height + label_height + 1.6 + key.height + _MARGIN

    sheet = open_sheet(width_mm, height)
    top = height - _MARGIN
    for at, panel in enumerate(panels):
        row, column = divmod(at, columns)
        x = left + column * (window.width + gap)
        y = top - row * (row_height + _BETWEEN_ROWS) - title_height - window.height
        axes = sheet.panel(x, y, window.width, window.height)
        draw_ground(axes, window, log=log)
        for series in panel:
            draw_series(axes, series, window, log=log)
        ticks_x.apply(axes.xaxis, lines=True)
        ticks_y.apply(axes.yaxis, labelled=column == 0, lines=True)
        if len(panel) == 1:
            baseline = y + window.height + 1.5
            letter = panel_letter(at) if letters and len(panels) > 1 else ""
            after = draw_panel_letter(sheet, letter, x, baseline)
            _draw_title(sheet, panel[0].model, after, baseline, log=log, marked=groups is None)
        corner = place(window.corners[at], numbers[at].width, numbers[at].height, window.width, window.height)
        numbers[at].draw(sheet, x + corner.left, y + corner.top)

    bottom = top - panels_height
    centre = left + used_width / 2
    room = 2 * min(centre, width_mm - centre) - 2 * _MARGIN
    sheet.write(centre, bottom - label_height * 0.75, fitting(label_x, BODY, room), ha="center")
    x = left - 2.0 - ticks_y.widest - 1.0 - BODY * POINT * 0.25
    centre = (top - title_height + bottom + ticks_height) / 2
    room = 2 * min(centre, height - centre) - 2 * _MARGIN
    sheet.write(x, centre, fitting(label_y, BODY, room), ha="center", rotation=90)
    key.draw(sheet, left, bottom - label_height - 1.6)
    return sheet


def _labels(words: Sequence[str], quantity: Quantity, exponent: int) -> list[str]:
    """Axis labels, long to short."""
    named = [f"{some} {symbol(quantity)}" for some in words]
    return [with_unit(text, quantity.unit, exponent) for text in [*named, words[-1]]]


def _columns(panels: int, width: float) -> int:
    most = max(1, int((width - 9.0) / (_NARROWEST + 5.0)))
    rows = math.ceil(panels / most)
    return max(1, math.ceil(panels / rows)) if rows else 1


def _ticks(window: Window, *, log: bool) -> tuple[Ticks, Ticks]:
    rule = ticks_for(log=log)

    def ends(low: float, high: float) -> tuple[float, float]:
        first, last = in_data_units(np.array([low, high]), log=log)
        return float(first), float(last)

    return (
        rule(*ends(window.x0, window.x1), Room(window.width, across=True)),
        rule(*ends(window.y0, window.y1), Room(window.height, across=False)),
    )


def _marker_size(n: int, panel_width: float) -> float:
    """Diameter in mm: smaller where there are many points, and in small panels."""
    largest = float(np.clip(0.035 * panel_width, 1.3, 1.8))
    return float(np.clip(largest * (60 / max(n, 1)) ** 0.25, 0.5, largest))


def _draw_title(sheet: Sheet, model: str, left: float, baseline: float, *, log: bool, marked: bool) -> None:
    """Name the calibrator of a panel; with its mark where the points have it."""
    drawn = look(model, log=log)
    if not marked:
        sheet.write(left, baseline, drawn.title, size=TITLE, bold=True, parse_math=False)
        return
    sheet.line(
        [left + 0.9],
        [baseline + TITLE * POINT * 0.36],
        linestyle="none",
        marker=drawn.marker,
        markersize=4.6 * (0.85 if drawn.marker == "D" else 1.0),
        markerfacecolor=drawn.colour,
        markeredgewidth=0,
    )
    sheet.write(left + 2.7, baseline, drawn.title, size=TITLE, bold=True, colour=drawn.colour, parse_math=False)


# ---------------------------------------------------------------- the key and the note


def _entries(shown: Sequence[Series], level: float) -> list[KeyEntry]:
    def identity(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.line([left, left + width], [middle, middle], color=IDENTITY, linewidth=0.7)

    def band(sheet: Sheet, left: float, middle: float, width: float) -> None:
        sheet.box(left, middle - 0.8, width, 1.6, facecolor=TOLERANCE, edgecolor="none")
        for side in (-0.8, 0.8):
            sheet.line([left, left + width], [middle + side] * 2, color=TOLERANCE_EDGE, linewidth=0.4)

    def bar(sheet: Sheet, left: float, middle: float, width: float) -> None:
        colour = look(shown[0].model).colour if len(shown) == 1 and shown[0].groups is None else MUTED
        sheet.line([left + width / 2] * 2, [middle - 1.1, middle + 1.1], color=tint(colour, 0.4), linewidth=0.6)

    entries = [KeyEntry("predicted = measured", identity), KeyEntry("±10 %", band)]
    if any(series.points.bar_x.size for series in shown):
        entries.append(KeyEntry(f"{100 * level:g} % prediction interval", bar))
    return entries


def _note(
    calibration: Calibration, quantity: Quantity, shown: Sequence[Series], window: Window, predictions: Predictions
) -> str:
    sentences = []
    protocol = plain(calibration.protocol)
    if predictions == "out-of-fold":
        detail = f" ({protocol})" if protocol else ""
        sentences.append(f"Out-of-fold predictions{detail}: each polymer is predicted by fits that have not seen it.")
    else:
        sentences.append("Fitted values: the calibrators have seen these polymers; new ones are predicted less well.")
    if quantity.unit:
        sentences.append(f"RMSE and MAE in {plain(quantity.unit)}.")
    for series in shown:
        name = look(series.model, log=calibration.log_scale).title
        if series.hidden:
            sentences.append(f"{name}: {series.hidden} without a finite prediction, not shown.")
        far = int(np.count_nonzero(window.outside(series.points.y)))
        if far:
            sentences.append(f"{name}: {far} outside the range shown (arrows).")
    return " ".join(sentences)
