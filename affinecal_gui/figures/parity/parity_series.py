"""What one calibrator contributes to a parity plot: its points, intervals and numbers, in plotted units."""

from dataclasses import dataclass

import numpy as np

from affinecal_gui.calibration.results import Calibration, FloatArray, Metrics, ModelName
from affinecal_gui.figures.groups import PointGroups
from affinecal_gui.figures.parity.parity_window import PanelPoints


@dataclass(frozen=True, slots=True)
class Series:
    """One calibrator in a parity plot."""

    model: ModelName
    points: PanelPoints
    hidden: int  # polymers without a finite value
    metrics: Metrics
    groups: PointGroups | None = None  # of the points


def series_of(
    calibration: Calibration,
    model: ModelName,
    *,
    out_of_fold: bool,
    intervals: bool,
    radius: float,
    groups: PointGroups | None = None,
) -> Series:
    """Collect the finite points of ``model``; ``radius`` is that of a marker, mm; ``groups`` are of all polymers."""
    result = calibration.models[model]
    predicted = result.out_of_fold if out_of_fold else result.fitted
    measured = calibration.measured
    shown = np.isfinite(measured) & np.isfinite(predicted)
    if calibration.log_scale:
        shown &= (measured > 0) & (predicted > 0)
    lower, upper = result.out_of_fold_lower, result.out_of_fold_upper
    barred = shown & np.isfinite(lower) & np.isfinite(upper)
    if not (out_of_fold and intervals):
        barred = np.zeros_like(barred)

    def plotted(values: FloatArray) -> FloatArray:
        # A lower end at or below zero has no logarithm: its bar leaves the panel downwards.
        return np.log10(np.maximum(values, np.finfo(float).tiny)) if calibration.log_scale else values

    points = PanelPoints(
        plotted(measured[shown]),
        plotted(predicted[shown]),
        plotted(measured[barred]),
        plotted(lower[barred]),
        plotted(upper[barred]),
        radius,
    )
    metrics = result.metrics if out_of_fold else result.fitted_metrics
    hidden = int(shown.size - np.count_nonzero(shown))
    return Series(model, points, hidden, metrics, groups.taken(shown) if groups is not None else None)
