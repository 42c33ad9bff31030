"""How much each measured value counts in the fit: what the tables say about its quality, and the weight that follows."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from affinecal_gui.calibration.calibrators.noise.weights import (
    COMMON_SHARE,
    weights_from_repeats,
    weights_from_uncertainties,
)
from affinecal_gui.numbers import significant
from affinecal_gui.study.data.assembly import Assembly
from affinecal_gui.study.snapshot import Settings, Weighting
from affinecal_gui.tables.values.value_columns import ValueColumn

FloatArray = NDArray[np.float64]

MOST_REPORTS = 1000  # more do not make the expected range of the reports noticeably wider


@dataclass(frozen=True, slots=True, eq=False)
class Quality:
    """What the tables say about k measured values; nan where they say nothing."""

    uncertainty: FloatArray  # (k,) standard uncertainty, unit of the property, above 0
    reports: FloatArray  # (k,) number of reports behind the value, 1 or more

    @property
    def weightings(self) -> tuple[Weighting, ...]:
        """The weightings for which there are numbers."""
        found: list[Weighting] = []
        if np.isfinite(self.uncertainty).any():
            found.append("uncertainty")
        if (self.reports > 1.0).any():
            found.append("repeats")
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class Weighing:
    """The weights of the n measured values of a fit."""

    weights: FloatArray | None  # (n,) None: all count the same
    remarks: tuple[str, ...] = ()  # which weights these are


def quality_of(assembly: Assembly) -> Quality:
    """Return what the tables say about the measured values, in the order of ``assembly.measured``.

    The standard uncertainty of a value is the stated one; else that of the mean of the reports whose range is stated (their
    range over its expectation for as many normal values, over the root of their number; without the number, that of a
    rectangular distribution as in the Guide to the Expression of Uncertainty in Measurement, 4.3.7). A polymer of several
    rows has the larger one of what follows from its rows and of the scatter between them. A stated uncertainty of 0, and
    reports that agree to the last digit, say nothing.
    """
    k = len(assembly.measured)
    side, report = assembly.measured_side, assembly.report
    if side is None or report is None:
        return Quality(np.full(k, np.nan), np.full(k, np.nan))
    column = side.table.values[("measured", assembly.quantity.key)]
    reports = _reports(column)
    of_row = _of_rows(column, reports)
    first = np.array([polymer.rows[0] for polymer in report.measured], dtype=np.int64)
    uncertainty, number = of_row[first], reports[first]
    for index, polymer in enumerate(report.measured):
        rows = list(polymer.counted_rows)
        if report.rule in ("first", "last") or len(rows) == 1:
            rows = rows[-1:] if report.rule == "last" else rows[:1]
            uncertainty[index], number[index] = of_row[rows[0]], reports[rows[0]]
            continue
        number[index] = float(np.sum(np.where(np.isnan(reports[rows]), 1.0, reports[rows])))
        scatter = float(np.std(column.values[rows], ddof=1)) / np.sqrt(len(rows))
        stated = float(np.sqrt(np.sum(of_row[rows] ** 2))) / len(rows)  # nan if one of them is not stated
        known = [value for value in (scatter, stated) if value > 0.0]
        uncertainty[index] = max(known, default=np.nan)
    uncertainty.setflags(write=False)
    number.setflags(write=False)
    return Quality(uncertainty, number)


def weigh(assembly: Assembly, rows: NDArray[np.int64], settings: Settings) -> Weighing:
    """Return the weights of the measured values in these rows, as the settings want them.

    Parameters
    ----------
    rows
        (n,) positions in ``assembly.measured``.
    """
    if settings.weighting == "none":
        return Weighing(None)
    quality = quality_of(assembly)
    n = len(rows)
    if settings.weighting == "repeats":
        reports = quality.reports[rows]
        known = np.isfinite(reports)
        if not (reports > 1.0).any():
            return Weighing(None, ("All measured values count the same: none has a number of reports above one.",))
        weights = weights_from_repeats(reports)
        how = (
            f"Measured values count by their number of reports r, as r / (1 + {COMMON_SHARE:g} (r − 1)), because reports of "
            f"one polymer share a part of their error{_spread(weights)}."
        )
        return Weighing(weights, (how + _unknown(n, known, "count as one report"),))
    uncertainty = quality.uncertainty[rows]
    known = np.isfinite(uncertainty)
    if not known.any():
        return Weighing(None, ("All measured values count the same: no uncertainty is stated for any of them.",))
    measured = assembly.measured[rows]
    weights = weights_from_uncertainties(
        measured, assembly.library_md[assembly.measured_library[rows]], uncertainty, log_scale=settings.log_scale
    )
    if settings.log_scale:
        percent = significant(100 * float(np.median((uncertainty / measured)[known])), 2)
        median = f"the median relative uncertainty, {percent} %"
    else:
        unit = f" {assembly.quantity.unit}" if assembly.quantity.unit else ""
        median = f"the median uncertainty, {significant(float(np.median(uncertainty[known])), 2)}{unit}"
    kind = "relative uncertainty" if settings.log_scale else "uncertainty"
    how = (
        f"Measured values count by their {kind}, added to the scatter of all polymers that it does not explain"
        f"{_spread(weights)}."
    )
    return Weighing(weights, (how + _unknown(n, known, f"count with {median}"),))


def typical_error(assembly: Assembly, rows: NDArray[np.int64], *, log_scale: bool) -> float:
    """Return the root mean square uncertainty stated for measured values in these rows, target scale; 0 for none."""
    uncertainty = quality_of(assembly).uncertainty[rows]
    if log_scale:
        uncertainty = uncertainty / assembly.measured[rows]
    known = uncertainty[np.isfinite(uncertainty)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else 0.0


def _spread(weights: FloatArray) -> str:
    low, high = float(weights.min()), float(weights.max())
    return f": weights from {significant(low, 2)} to {significant(high, 2)}, their mean being 1"


def _unknown(n: int, known: NDArray[np.bool_], how: str) -> str:
    missing = n - int(known.sum())
    return f" {missing} of {n} {'has' if missing == 1 else 'have'} none and {_verb(how, missing)}." if missing else ""


def _verb(how: str, count: int) -> str:
    return how.replace("count ", "counts ", 1) if count == 1 else how


def _reports(column: ValueColumn) -> FloatArray:
    """Return the number of reports of each row, nan where its cell states none (or less than 1); without a column, 1."""
    if column.repeats is None:
        return np.ones(len(column.values))
    return np.where(np.isfinite(column.repeats) & (column.repeats >= 1.0), column.repeats, np.nan)


def _of_rows(column: ValueColumn, reports: FloatArray) -> FloatArray:
    """Return the standard uncertainty of each row, nan where none is stated."""
    stated = np.abs(column.uncertainty)
    if column.lowest is not None and column.highest is not None:
        width = np.abs(column.highest - column.lowest)
        divisor = np.full(len(width), np.sqrt(12.0))
        several = np.isfinite(reports) & (reports >= 2.0)
        if several.any():
            numbers, which = np.unique(np.minimum(np.rint(reports[several]), MOST_REPORTS), return_inverse=True)
            expected = np.array([expected_range(int(number)) for number in numbers])[which]
            divisor[several] = expected * np.sqrt(reports[several])
        stated = np.where(np.isfinite(stated) & (stated > 0.0), stated, width / divisor)
    return np.where(np.isfinite(stated) & (stated > 0.0), stated, np.nan)


@lru_cache(maxsize=MOST_REPORTS)
def expected_range(number: int) -> float:
    """Return the expected range of ``number`` standard normal values: the integral of 1 - Φⁿ - (1 - Φ)ⁿ.

    Tippett, Biometrika 17 (1925) 364; the d₂ of control charts: 1.128, 1.693, 2.059, ... from 2 on.
    """
    grid = np.linspace(-9.0, 9.0, 1801)
    below = ndtr(grid)
    return float(np.trapezoid(1.0 - below**number - (1.0 - below) ** number, grid))
