"""The error of a calibrator against the number of measured polymers, found and forecast."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import nnls

from affinecal_gui.calibration.checking.forecast import fit_curves, forecast_errors, forecast_from
from affinecal_gui.calibration.checking.learning_curve import LearningCurve, errors_of, learning_curve
from affinecal_gui.calibration.data.problem import CalibrationProblem, pose_problem
from affinecal_gui.calibration.input_errors import CalibrationInputError
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.errors import Cancelled
from affinecal_gui.task import Task

FloatArray = NDArray[np.float64]
SIZES = np.array([12, 15, 19, 23, 28])


def squares(errors: FloatArray, scatter: float, polymers: int = 40, seed: int = 0) -> LearningCurve:
    """A curve of these errors exactly; polymers differ by a factor that all sizes share."""
    factor = np.exp(scatter * np.random.default_rng(seed).normal(size=polymers))
    factor /= factor.mean()
    return LearningCurve(SIZES, factor[:, None] * errors**2, np.ones(polymers, dtype=np.int64))


def problem(n: int = 20, *, twins: int = 0, seed: int = 1) -> CalibrationProblem:
    """A line with noise of 0.1; the first ``twins`` polymers have a second row."""
    rng = np.random.default_rng(seed)
    f = rng.normal(0.0, 0.4, n)
    X = rng.normal(size=(n, 30))  # more than polymers, as in the program, so that fits are made together
    rows = np.concatenate([np.arange(n), np.arange(twins)])
    y = 0.5 + 0.8 * f[rows] + 0.1 * rng.normal(size=len(rows))
    options = CalibrationOptions(log_scale=False, lambda_1_grid=(1.0, 10.0), lambda_2_grid=(1.0,))
    return pose_problem(y, f[rows], X[rows], np.zeros(0), np.zeros((0, 30)), (30,), options, groups=rows)


@pytest.mark.parametrize("seed", range(4))
def test_fitted_curves_are_those_of_non_negative_least_squares_at_the_best_exponent(seed: int) -> None:
    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.0, 0.2) + rng.uniform(0.0, 3.0) * SIZES ** -rng.uniform(0.2, 1.8)
    errors = errors * (1.0 + 0.05 * rng.normal(size=5))
    precision = rng.uniform(0.5, 2.0, 5)

    root = np.sqrt(precision)
    tried = {
        a: nnls(root[:, None] * np.column_stack([np.ones(5), (SIZES / 30.0) ** -a]), root * errors)
        for a in np.arange(0.01, 2.005, 0.01)
    }
    exponent, ((floor, fall), _) = min(tried.items(), key=lambda one: one[1][1])
    found = fit_curves(SIZES, errors, precision, 30.0)
    assert (found.floor, found.fall) == (pytest.approx(floor, abs=1e-7), pytest.approx(fall, abs=1e-7))
    assert found.exponent == pytest.approx(exponent if fall > 0.0 else 0.0)


def test_many_curves_are_fitted_as_each_alone() -> None:
    errors = np.array([0.1 + SIZES**-0.5, 0.3 + 0.0 * SIZES, 0.2 + 0.001 * SIZES])
    together = fit_curves(SIZES, errors, np.ones(5), 30.0)
    for k, one in enumerate(errors):
        alone = fit_curves(SIZES, one, np.ones(5), 30.0)
        of_many = together.floor[k], together.fall[k], together.exponent[k]
        assert of_many == pytest.approx((float(alone.floor), float(alone.fall), float(alone.exponent)))
    assert together.exponent.tolist()[1:] == [0.0, 0.0]  # what stays, or rises, does not fall
    assert together.floor[2] == pytest.approx(errors[2].mean())


def test_an_exact_power_law_is_followed_beyond_what_was_measured_and_turned_into_numbers() -> None:
    found = forecast_from(squares(0.05 + 2.0 * SIZES**-1.0, 0.0), "ordinary", 0)
    assert (found.floor, found.exponent) == (pytest.approx(0.05), pytest.approx(1.0))
    assert found.falls
    assert found.at(80)[0] == pytest.approx(0.05 + 2.0 / 80, rel=1e-3)
    needed = found.needed(0.05 + 2.0 / 100)
    assert (needed.fewest, needed.most) == (pytest.approx(100, rel=0.01), pytest.approx(100, rel=0.01))
    assert np.isinf(found.needed(0.04).fewest)  # below the floor


def test_the_band_holds_the_forecast_and_widens_with_what_polymers_differ() -> None:
    errors = 0.05 + 2.0 * SIZES**-1.0
    little, much = (forecast_from(squares(errors, scatter), "ordinary", 0) for scatter in (0.2, 1.0))
    for found in (little, much):
        assert (found.lower <= found.error).all()
        assert (found.error <= found.upper).all()
    widths = [np.log(found.at(80)[2] / found.at(80)[1]) for found in (little, much)]
    # 80 % of the mean of 40 log-normal squares, a third as many: 2 * 1.30 * sd / (2 sqrt(13)) with sd of exp(0.2 z) / mean
    assert widths[0] == pytest.approx(1.304 * np.sqrt(np.expm1(0.2**2) / 13), rel=0.3)
    assert widths[1] > 3.0 * widths[0]
    needed = much.needed(0.08)
    assert needed.fewest < 2.0 / 0.03 < needed.most


def test_an_error_that_does_not_fall_is_told_from_one_that_does() -> None:
    noise = np.random.default_rng(5).normal(size=(40, 5))
    flat = LearningCurve(SIZES, (0.2 * np.exp(0.3 * noise)) ** 2, np.ones(40, dtype=np.int64))
    assert not forecast_from(flat, "ordinary", 0).falls
    assert forecast_from(squares(1.0 * SIZES**-0.5, 0.5), "ordinary", 0).falls


def test_every_polymer_is_asked_at_every_size_and_rows_of_one_stay_together() -> None:
    found = learning_curve(problem(22, twins=4), "ordinary")
    assert found.squared.shape == (22, len(found.sizes))
    assert np.isfinite(found.squared).all()
    assert sorted(found.rows.tolist()) == [1] * 18 + [2] * 4
    assert found.sizes[0] >= 8
    assert found.sizes[-1] < 22
    assert found.errors == pytest.approx(errors_of(found.squared, found.rows))


def test_the_errors_of_a_line_are_those_that_least_squares_theory_gives() -> None:
    # Of a line through n points with noise s, new points err by s sqrt(1 + 2 / n) on average, nearly.
    found = np.mean([learning_curve(problem(40, seed=seed), "ordinary").errors for seed in range(8)], axis=0)
    sizes = learning_curve(problem(40), "ordinary").sizes
    assert found == pytest.approx(0.1 * np.sqrt(1.0 + 2.0 / sizes), rel=0.08)


@pytest.mark.parametrize("model", ["log_difference", "affine", "combined"])
def test_the_calibrators_with_descriptors_can_be_forecast(model: str) -> None:
    found = forecast_errors(problem(), model)
    assert (found.model, found.polymers) == (model, 20)
    assert 0.05 < found.at(20)[0] < 0.3


def test_the_same_data_give_the_same_forecast() -> None:
    posed = problem()
    first, again = (forecast_errors(posed, "log_difference") for _ in range(2))
    assert first.upper.tolist() == again.upper.tolist()


def test_too_few_polymers_and_calibrators_that_learn_nothing_are_refused() -> None:
    with pytest.raises(CalibrationInputError, match=r"at least 16 measured polymers.*there are 15"):
        forecast_errors(problem(15), "ordinary")
    with pytest.raises(ValueError, match="'md' cannot be fitted to parts"):
        forecast_errors(problem(), "md")


def test_a_forecast_tells_how_far_it_is_and_stops_when_asked() -> None:
    told: list[float] = []
    forecast_errors(problem(), "ordinary", task=Task(progress=lambda share, _: told.append(share)))
    assert told == sorted(told)
    assert told[-1] == 1.0
    with pytest.raises(Cancelled):
        forecast_errors(problem(), "ordinary", task=Task(cancelled=lambda: len(told) > 0))
