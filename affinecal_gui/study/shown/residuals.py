"""Residuals of a calibrator, over anything known of the polymers or over the quantiles of a normal distribution.

On a logarithmic scale a residual is ln(predicted / measured), else predicted less measured: what the calibrators are fitted
on, so that their scatter should be the same everywhere.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray, ModelName
from affinecal_gui.errors import UserError
from affinecal_gui.study.data.row_columns import columns_of
from affinecal_gui.study.finished import finished
from affinecal_gui.study.shown.parity_points import ParityPoints, Stage, parity_points
from affinecal_gui.study.shown.traits import MEASURED, Trait, numbers_of, trait_of
from affinecal_gui.study.snapshot import Snapshot

NORMAL = "normal"
NORMAL_TRAIT = Trait(NORMAL, "Normal quantiles")
"""Instead of a trait: residuals that are normally distributed then lie on a line."""

_LEAST = 3  # residuals that a line is drawn through, and a rank correlation is told of


@dataclass(frozen=True, slots=True, eq=False)
class Residuals:
    """The residuals of one calibrator for k polymers: those of the fit, and those left out of it."""

    points: ParityPoints
    model: ModelName
    against: Trait
    x: FloatArray  # (k,) nan where the trait is not known
    y: FloatArray  # (k,) target scale
    log_x: bool  # whether x is drawn on a logarithmic axis
    line: tuple[float, float] | None  # offset and slope of the line through the quartiles, over normal quantiles
    mean: float  # of the polymers of the fit
    spread: float  # their standard deviation
    rank_correlation: float  # Spearman's, of residual and trait; nan over quantiles, the measured value, or of too few

    @property
    def log_scale(self) -> bool:
        """Whether the residuals are logarithms of ratios."""
        return self.points.log


def residuals(snapshot: Snapshot, stage: Stage, against: str = MEASURED) -> Residuals:
    """Work out the residuals of the calibrator of the settings.

    Parameters
    ----------
    against
        Key of a trait, or :data:`NORMAL`. One that these polymers do not have is replaced by the measured value.

    Raises
    ------
    UserError
        There is no calibration of this calibrator.
    """
    calibration, model = finished(snapshot), snapshot.settings.model
    points = parity_points(columns_of(snapshot), calibration, stage)
    measured, value = points.measured, points.models[model].value
    with np.errstate(divide="ignore", invalid="ignore"):
        y = np.log(value / measured) if points.log else value - measured
    y = np.where(np.isfinite(y), y, np.nan)
    in_fit = ~points.left_out & np.isfinite(y)
    if not in_fit.any():
        raise UserError("There are no residuals: no polymer of the fit has a finite prediction.")
    trait = NORMAL_TRAIT if against == NORMAL else trait_of(snapshot, points.rows, against)
    if trait is None or not trait.is_number:
        trait = trait_of(snapshot, points.rows, MEASURED)
        assert trait is not None
    line = None
    if trait.key == NORMAL:
        x = normal_quantiles(y, in_fit)
        line = quartile_line(x[in_fit], y[in_fit])
    elif trait.key == MEASURED:
        x = measured.copy()  # as the fit has it
    else:
        x = numbers_of(snapshot, points.rows, trait.key)
    log_x = points.log and trait.key in (MEASURED, "md")
    if log_x:
        x = np.where(x > 0.0, x, np.nan)
    # A residual contains the measured value: the two go together in any case, which tells nothing.
    told = trait.key not in (NORMAL, MEASURED)
    both = in_fit & np.isfinite(x)
    spread = float(np.std(y[in_fit], ddof=1)) if in_fit.sum() > 1 else float("nan")
    correlation = rank_correlation(x[both], y[both]) if told else float("nan")
    return Residuals(points, model, trait, x, y, log_x, line, float(np.mean(y[in_fit])), spread, correlation)


def normal_quantiles(y: FloatArray, which: NDArray[np.bool_]) -> FloatArray:
    """(k,) where the chosen values would lie in a sample of a standard normal distribution of their number; others nan.

    The i-th smallest of n stands at the quantile of (i - 3/8) / (n + 1/4) (Blom 1958).
    """
    from scipy.special import ndtri

    places = np.full(y.size, np.nan)
    chosen = np.flatnonzero(which)
    order = chosen[np.argsort(y[chosen], kind="stable")]
    places[order] = ndtri((np.arange(1, order.size + 1) - 0.375) / (order.size + 0.25))
    return places


def quartile_line(x: FloatArray, y: FloatArray) -> tuple[float, float] | None:
    """Return offset and slope of the line through both quartiles; None of fewer than three points.

    The tails, which are what one looks for, do not move it.
    """
    if x.size < _LEAST:
        return None
    (x1, x3), (y1, y3) = np.quantile(x, (0.25, 0.75)), np.quantile(y, (0.25, 0.75))
    if x3 == x1:
        return None
    slope = float((y3 - y1) / (x3 - x1))
    return float(y1 - slope * x1), slope


def rank_correlation(x: FloatArray, y: FloatArray) -> float:
    """Return Spearman's rank correlation; nan of fewer than three points, or where either does not vary."""
    if x.size < _LEAST or np.ptp(x) == 0.0 or np.ptp(y) == 0.0:
        return float("nan")
    return float(np.corrcoef(_ranks(x), _ranks(y))[0, 1])


def _ranks(values: FloatArray) -> FloatArray:
    """(k,) ranks from 1, equal values their mean; scipy.stats has it too, which takes as long to import as half a window."""
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2)[place])
