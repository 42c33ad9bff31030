"""The error of a calibrator against the number of measured polymers: found with parts of them, and forecast with its band."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from affinecal_gui.calibration.results import ErrorForecast
from affinecal_gui.figures.labels import fitting, target_scale, with_unit
from affinecal_gui.figures.quantity import Quantity
from affinecal_gui.figures.sheet import figure_of, line_height, new_figure, wrap
from affinecal_gui.figures.style import BODY, MUTED, NOTE, POINT, SMALL, TOLERANCE, journal_style, look
from affinecal_gui.figures.ticks import Room, linear_ticks, log_ticks

_MARGIN = 1.5  # mm
_BELOW = 8.0
_PANEL_HEIGHT = 44.0
_FARTHEST = 4.0  # times the polymers there are
_HEADROOM = 1.08


def forecast_figure(
    forecast: ErrorForecast, quantity: Quantity, sentences: Sequence[str] = (), *, width_mm: float = 85.0
) -> Figure:
    """Draw the errors found, the curve through them with its band, up to four times the polymers there are.

    Parameters
    ----------
    forecast
        What is drawn.
    quantity
        The calibrated property.
    sentences
        Written below.
    width_mm
        Width of the figure; its height follows.
    """
    with journal_style():
        mark = look(forecast.model, log=quantity.log_scale)
        lines = wrap(" ".join(sentences), NOTE, width_mm - 2 * _MARGIN) if sentences else []
        below = _BELOW + line_height(NOTE) * len(lines) + _MARGIN
        height = _MARGIN + line_height(SMALL) + _PANEL_HEIGHT + below
        sheet = new_figure(width_mm, height)
        shown = forecast.numbers <= _FARTHEST * forecast.polymers * (1.0 + 1e-9)
        x = forecast.numbers[shown]
        error, lower, upper = (some[shown] for some in (forecast.error, forecast.lower, forecast.upper))
        # Above, a band that is open where parts were small may leave the frame.
        at_most = max(float(forecast.found.max()), forecast.at(forecast.polymers)[2]) * _HEADROOM or 1.0
        ticks_y = linear_ticks(0.0, at_most, Room(_PANEL_HEIGHT, False, 6))
        left = _MARGIN + line_height(BODY) + 1.0 + ticks_y.widest + 2.0
        panel_width = width_mm - left - 2 * _MARGIN
        axes = sheet.panel(left, below, panel_width, _PANEL_HEIGHT)
        axes.set_xscale("log")
        axes.set_xlim(float(x[0]) * 0.95, float(x[-1]) * 1.05)
        axes.set_ylim(0.0, at_most)
        axes.fill_between(x, lower, upper, color=TOLERANCE, linewidth=0)
        axes.plot(x, error, color=mark.colour, linewidth=1.0)
        axes.plot(
            forecast.sizes, forecast.found, linestyle="none", marker=mark.marker, markersize=3.2, color=mark.colour,
            markeredgewidth=0,
        )  # fmt: skip
        axes.axvline(float(forecast.polymers), color=MUTED, linewidth=0.5, linestyle=(0, (4, 2)))
        log_ticks(*axes.get_xlim(), Room(panel_width, True, 6, 2.0)).apply(axes.xaxis)
        ticks_y.apply(axes.yaxis, lines=True)
        axes.spines[["right", "top"]].set_visible(False)
        key = f"{mark.title}; band {100 * forecast.level:.0f} %; dashed: {forecast.polymers} polymers are measured"
        sheet.write(
            left,
            height - _MARGIN - line_height(SMALL) * 0.8,
            fitting([key, mark.title], SMALL, width_mm - left - _MARGIN),
            size=SMALL,
        )
        sheet.write(left + panel_width / 2, below - 6.2, "Measured polymers", size=BODY, ha="center")
        unit = "" if quantity.log_scale else quantity.unit
        error_words = [
            with_unit(f"RMSE of {target_scale(quantity)}", unit, ticks_y.exponent),
            with_unit("RMSE", unit, ticks_y.exponent),
            "RMSE",
        ]
        label = fitting(error_words, BODY, _PANEL_HEIGHT)
        across = _MARGIN + BODY * POINT * 0.8
        sheet.write(across, below + _PANEL_HEIGHT / 2, label, size=BODY, ha="center", rotation=90.0)
        y = below - _BELOW
        for text in lines:
            sheet.write(_MARGIN, y - line_height(NOTE) * 0.78, text, size=NOTE, colour=MUTED, parse_math=False)
            y -= line_height(NOTE)
        return figure_of(sheet)
