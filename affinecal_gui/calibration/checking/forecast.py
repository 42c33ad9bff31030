"""How far more measurements would lower the error of a calibrator, and how many reach an error that is wished for.

The error of a learner falls with the number n of examples nearly as ``floor + D n ** -a`` (Cortes and others, Advances in
Neural Information Processing Systems 6, 1994, 327-334). The three numbers follow from a
:class:`~affinecal_gui.calibration.checking.learning_curve.LearningCurve` by weighted least squares, with a floor and a D that
are not negative. The band follows from resampling the polymers. These are chance three times: as judges, as the examples that
the parts learned from, and as those that are yet to be measured. Resampling shows the judging alone, so a third as many
are drawn as there are, which makes the variance three times as large. Of sixty simulated studies that were to forecast the
error with twice as many polymers, bands of 80 % held it in 67 % when half as many were drawn (docs/uncertainty.md).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.special import stdtrit

from affinecal_gui.calibration.checking.learning_curve import LearningCurve, errors_of, learning_curve
from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.data.folds import IntArray
from affinecal_gui.calibration.data.problem import CalibrationProblem
from affinecal_gui.calibration.results import ErrorForecast, FloatArray, ModelName
from affinecal_gui.task import UNWATCHED, Task

LEVEL: Final = 0.8
"""Of the band: a wider one would say little, since three numbers are told from five errors."""

FARTHEST: Final = 10.0
"""Times the polymers there are, up to which errors are forecast."""

THRICE: Final = 3.0
"""By what resampling fewer polymers enlarges the variance."""

ROUNDING: Final = 1e-9
"""Share of the largest error below which others are nothing."""

RESAMPLINGS: Final = 1000
NUMBERS: Final = 200
"""Numbers of measurements at which the error is forecast."""

EXPONENTS: Final = np.arange(1, 201) / 100.0
"""a, of which the best is taken; with a D of zero it is 0."""


@dataclass(frozen=True, slots=True, eq=False)
class FallingCurves:
    """Curves floor + fall (n / unit) ** -exponent; arrays of one shape."""

    floor: FloatArray
    fall: FloatArray
    exponent: FloatArray  # 0 where nothing falls
    unit: float

    def at(self, n: FloatArray) -> FloatArray:
        """Return (..., k) values at numbers (k,) of examples."""
        power = (n / self.unit) ** -self.exponent[..., np.newaxis]
        return np.asarray(self.floor[..., np.newaxis] + self.fall[..., np.newaxis] * power)


def forecast_errors(problem: CalibrationProblem, model: ModelName, *, task: Task = UNWATCHED) -> ErrorForecast:
    """Forecast the error of a calibrator for more measured polymers than there are.

    Raises
    ------
    CalibrationInputError
        Too few measured polymers to calibrate parts of them.
    ValueError
        A calibrator that does not learn from measured values.
    Cancelled
        When asked to stop.
    """
    curve = learning_curve(problem, model, task=task.part(0.0, 0.95))
    found = forecast_from(curve, model, problem.options.seed)
    task.report(1.0, "Forecast made")
    return found


def forecast_from(curve: LearningCurve, model: ModelName, seed: int) -> ErrorForecast:
    """Follow a learning curve beyond the polymers there are."""
    polymers = len(curve.rows)
    generator = np.random.default_rng((seed, 8))
    drawn = generator.multinomial(round(polymers / THRICE), np.full(polymers, 1.0 / polymers), RESAMPLINGS)
    errors, resampled = curve.errors, errors_of(curve.squared, drawn * curve.rows)
    scatter = resampled.std(axis=0)
    # Where nothing scatters all errors are nothing, or of one polymer.
    precision = 1.0 / scatter**2 if scatter.min() > 0.0 else np.ones(len(errors))
    unit = float(polymers)
    best, curves = (fit_curves(curve.sizes, some, precision, unit) for some in (errors, resampled))
    numbers = np.geomspace(float(curve.sizes[0]), FARTHEST * polymers, NUMBERS)
    tail = 0.5 * (1.0 - LEVEL)
    exponent_lower, exponent_upper = np.quantile(curves.exponent, (tail, 1.0 - tail))
    error = best.at(numbers)
    # An error is positive and its estimate skewed, so its band is taken on the logarithm.
    logarithms = np.log(np.maximum(curves.at(numbers), ROUNDING * errors.max()))
    factor = np.exp(-stdtrit(polymers - 1, tail) * logarithms.std(axis=0))
    return ErrorForecast(
        model,
        polymers,
        LEVEL,
        read_only(curve.sizes.astype(np.float64)),
        read_only(errors),
        float(best.floor),
        float(best.exponent),
        float(exponent_lower),
        float(exponent_upper),
        read_only(numbers),
        read_only(error),
        read_only(error / factor),
        read_only(error * factor),
    )


def fit_curves(sizes: IntArray, errors: FloatArray, precision: FloatArray, unit: float) -> FallingCurves:
    """Fit floor + fall (n / unit) ** -exponent by weighted least squares, floor and fall not negative.

    Parameters
    ----------
    sizes
        (s,) numbers n of examples.
    errors
        (..., s) at these numbers.
    precision
        (s,) weights.
    unit
        A number of examples.
    """
    power = (sizes / unit) ** -EXPONENTS[:, np.newaxis]  # (e, s)
    total, first, second = precision.sum(), power @ precision, power**2 @ precision  # (e,)
    mean, along = errors @ precision / total, (errors * precision) @ power.T  # (...), (..., e)
    middle = first / total
    # With the free floor the fall is a slope; where either would be negative the other is fitted alone.
    slope = (along - mean[..., np.newaxis] * first) / (second - middle * first)
    floor = mean[..., np.newaxis] - slope * middle
    alone = floor < 0.0
    slope, floor = np.where(alone, along / second, slope), np.where(alone, 0.0, floor)
    flat = slope <= ROUNDING * mean[..., np.newaxis]
    slope, floor = np.where(flat, 0.0, slope), np.where(flat, mean[..., np.newaxis], floor)
    squares = (
        second * slope**2
        + 2.0 * slope * floor * first
        + total * floor**2
        - 2.0 * (slope * along + floor * total * mean[..., np.newaxis])
    )
    best = np.argmin(squares, axis=-1)[..., np.newaxis]
    floor, fall = (np.take_along_axis(some, best, axis=-1)[..., 0] for some in (floor, slope))
    exponent = np.where(fall > 0.0, EXPONENTS[best[..., 0]], 0.0)
    return FallingCurves(np.asarray(floor), np.asarray(fall), np.asarray(exponent), unit)
