"""Measured values that the others do not let expect: by textbook numbers, hand-made sets and simulated ones."""

import math
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.checking.outliers import flagged, outliers_of, studentised
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Calibration

QUICK = CalibrationOptions(
    measure_next=0, bands="none", repetitions=1, lambda_1_grid=(1.0, 10.0), lambda_2_grid=(1.0, 10.0)
)
"""One repetition and a grid of four."""

ROSNER = (
    -0.25, 0.68, 0.94, 1.15, 1.20, 1.26, 1.26, 1.34, 1.38, 1.43, 1.49, 1.49, 1.55, 1.56, 1.58, 1.65, 1.69, 1.70, 1.76,
    1.77, 1.81, 1.91, 1.94, 1.96, 1.99, 2.06, 2.09, 2.10, 2.14, 2.15, 2.23, 2.24, 2.26, 2.35, 2.37, 2.40, 2.47, 2.54,
    2.62, 2.64, 2.90, 2.92, 2.92, 2.93, 3.21, 3.26, 3.30, 3.59, 3.68, 4.30, 4.64, 5.34, 5.42, 6.01,
)  # fmt: skip
"""Rosner's data as in the NIST/SEMATECH e-Handbook of Statistical Methods, 1.3.5.17.3: three outliers of at most 10."""


def test_the_three_outliers_of_rosners_data_are_found() -> None:
    values = np.array(ROSNER)
    assert sorted(values[flagged(values, most=10)]) == [5.34, 5.42, 6.01]


def test_the_studentised_residual_is_that_of_a_regression_without_the_polymer() -> None:
    values = np.array([0.3, -0.1, 0.2, 0.05, -0.25, 0.9])
    others, residual = values[:-1], values[-1]
    # textbook: t = e / (s without i * sqrt(1 - h)) of a model of the mean, h = 1/n
    n, e = len(values), residual - values.mean()
    expected = e / (others.std(ddof=1) * math.sqrt(1 - 1 / n))
    t, p = studentised(float(residual), others, n)
    assert t == pytest.approx(expected, rel=1e-12)
    assert p == pytest.approx(n * 2 * stats.t.sf(expected, n - 2), rel=1e-9)


def test_the_flag_of_one_is_the_test_of_grubbs() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        values = rng.standard_t(3, size=12)
        n = len(values)
        statistic = np.abs(values - values.mean()).max() / values.std(ddof=1)
        t = stats.t.isf(0.05 / (2 * n), n - 2)
        limit = (n - 1) / math.sqrt(n) * math.sqrt(t**2 / (n - 2 + t**2))
        assert bool(flagged(values)) == (statistic > limit)


def test_two_equal_errors_do_not_hide_each_other() -> None:
    values = np.append(np.random.default_rng(2).normal(0.0, 0.1, 28), [1.1, 1.1])
    assert sorted(flagged(values)) == [28, 29]


@pytest.mark.parametrize("n", [8, 20, 62])
def test_of_normal_residuals_no_more_than_one_set_in_twenty_has_a_flag(n: int) -> None:
    rng = np.random.default_rng(n)
    alarms = sum(bool(flagged(rng.normal(3.0, 0.2, n))) for _ in range(1000))
    assert alarms <= 50 + 2 * math.sqrt(1000 * 0.05 * 0.95)


def test_the_order_of_rows_changes_nothing() -> None:
    values = np.append(np.random.default_rng(3).normal(0.0, 0.1, 40), [0.9, -1.2])
    order = np.random.default_rng(4).permutation(42)
    assert [int(order[i]) for i in flagged(values[order])] == flagged(values)


@pytest.mark.parametrize("values", [[], [0.1], [0.1, 5.0], [0.0] * 8, [0.1, 0.1, 9.0]])
def test_few_or_equal_residuals_have_no_flag(values: list[float]) -> None:
    assert flagged(np.array(values)) == []


def line(factor: float = 1.0, n: int = 30, *, log_scale: bool = True) -> tuple[Calibration, int]:
    """Calibrate polymers about a line, one of which is wrong by a factor."""
    rng = np.random.default_rng(5)
    f = rng.uniform(6.5, 8.0, n)
    noise = 0.08 * rng.normal(size=n)
    measured = np.exp(0.8 * f + 1.0 + noise) if log_scale else 200.0 + 0.8 * np.exp(f) + 500.0 * noise
    measured[7] *= factor
    md, X = np.exp(f), rng.normal(size=(n, 3))
    options = replace(QUICK, log_scale=log_scale)
    return calibrate(measured, md, X, md, X, (3,), options), 7


@pytest.mark.parametrize("factor", [2.0, 3.0, 0.5, 1 / 3, 10.0])
@pytest.mark.parametrize("log_scale", [True, False])
def test_a_value_that_is_wrong_by_a_factor_is_flagged_alone(factor: float, log_scale: bool) -> None:
    calibration, row = line(factor, log_scale=log_scale)
    (found,) = outliers_of(calibration, "ordinary")
    assert found.row == row
    assert found.factor == pytest.approx(factor, rel=0.4)
    assert (found.studentised > 0) == (factor > 1)
    assert found.p_value < 0.01


def test_the_error_without_a_flagged_polymer_is_that_of_the_held_out_values_of_the_others() -> None:
    calibration, row = line(3.0)
    (found,) = outliers_of(calibration, "ordinary")
    result = calibration.models["ordinary"]
    residuals = np.log(calibration.measured / result.out_of_fold)
    assert found.rmse == pytest.approx(result.metrics.rmse_target_scale, rel=1e-12)
    assert found.rmse_without == pytest.approx(math.sqrt(np.mean(np.delete(residuals, row) ** 2)), rel=1e-12)
    assert found.rmse_without < 0.5 * found.rmse
    clean = outliers_of(line(1.0)[0], "ordinary")
    assert clean == ()


def test_residuals_of_rounding_are_not_judged() -> None:
    f = np.linspace(6.0, 8.0, 20)
    X = np.zeros((20, 0))
    measured = np.exp(1.0 + f)
    calibration = calibrate(measured, np.exp(f), X, np.exp(f), X, (), QUICK)
    assert outliers_of(calibration, "ordinary") == ()
    result = calibration.models["ordinary"]
    out_of_fold = result.out_of_fold.copy()
    out_of_fold[3] = measured[3] * (1 + 1e-10)
    models = MappingProxyType({**calibration.models, "ordinary": replace(result, out_of_fold=out_of_fold)})
    assert outliers_of(replace(calibration, models=models), "ordinary") == ()


def test_values_of_other_sign_have_no_factor() -> None:
    rng = np.random.default_rng(6)
    md = rng.uniform(-50.0, 150.0, 25)
    measured = md + 5.0 * rng.normal(size=25)
    at = int(np.argmax(md))
    measured[at] = -measured[at]
    X = np.zeros((25, 0))
    options = replace(QUICK, log_scale=False)
    (found,) = outliers_of(calibrate(measured, md, X, md, X, (), options), "ordinary")
    assert found.row == at
    assert math.isnan(found.factor)
