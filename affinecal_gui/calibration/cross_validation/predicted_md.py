"""The MD values that each training part may know of, and what their own uncertainty adds to the spread of what follows."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from affinecal_gui.calibration.calibrators.training import Fitted
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.results import FloatArray

LARGEST_SHARE = 0.8
"""Of the variance of the residuals, the most that is laid to MD values: the rest is the same for all polymers."""


@dataclass(frozen=True, slots=True)
class KnownMD:
    """MD values of n measured and m library polymers, target scale, with what is known of their errors.

    Those are standard deviations of predicted values, standard errors of simulated ones.
    """

    f: FloatArray  # (n,)
    library_f: FloatArray  # (m,)
    deviation: FloatArray | None = None  # (n,)
    library_deviation: FloatArray | None = None  # (m,)

    def of(self, problem: CalibrationProblem) -> CalibrationProblem:
        """Return the problem with these values in the place of its own."""
        return problem if self.f is problem.f else replace(problem, f=self.f, library_f=self.library_f)


def known_to_parts(problem: CalibrationProblem, fold: IntArray) -> list[KnownMD]:
    """Return what each part knows, repetition by repetition and fold by fold: ``fold`` (r, n) says who is held out."""
    return known_without(problem, [np.flatnonzero(row == k) for row in fold for k in range(int(fold.max()) + 1)])


def known_without(problem: CalibrationProblem, held: Sequence[IntArray]) -> list[KnownMD]:
    """Return what is known where the rows ``held`` out of each part are those of polymers that were not measured."""
    if problem.predicted is None:
        return [KnownMD(problem.f, problem.library_f, problem.noise, problem.library_noise)] * len(held)
    here, there = problem.order.given, problem.library_order.given
    return [
        KnownMD(one.measured[here], one.library[there], one.deviation[here], one.library_deviation[there])
        for one in problem.predicted.without([here[some] for some in held])
    ]


@dataclass(frozen=True, slots=True)
class Widening:
    """What the standard deviation of MD values adds to the spread about one fit.

    The scatter of the training part holds the errors of its MD values, which a calibrator hands on by its slope a1. It is
    divided into that share, which follows the deviation, and a rest, which does not:

        spread'² = spread² + q (s² / mean(s_train²) - 1),    q = a1² mean(s_train²) / scatter²
    """

    share: float  # q
    typical: float  # mean(s_train²); 0 where nothing is added

    def of(self, spread: FloatArray, deviation: FloatArray) -> FloatArray:
        """Return spreads (k,) that also grow with the standard deviation (k,) of the MD values."""
        if self.typical <= 0.0:
            return spread
        return np.sqrt(spread**2 + self.share * (deviation**2 / self.typical - 1.0))


def widening(fitted: Fitted, trained: FloatArray, scatter: float, measuring: float) -> Widening:
    """Learn from a training part how much of its scatter the deviations (n,) of its MD values make.

    Parameters
    ----------
    fitted
        A fit to the part.
    trained
        (n,) the deviations.
    scatter
        Variance of a measurement of weight one, target scale: the unit of the spread, squared.
    measuring
        Variance of a typical measurement, in that unit.
    """
    typical = float(np.mean(trained**2))
    if typical <= 0.0:
        return Widening(0.0, 0.0)
    slope = fitted.unit * fitted.a1 / fitted.f_sd
    most = LARGEST_SHARE * measuring
    return Widening(most if scatter <= 0.0 else min(slope**2 * typical / scatter, most), typical)
