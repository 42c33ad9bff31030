"""RMSE, MAE, R2 and the like, against scikit-learn."""

import numpy as np
import pytest
from sklearn.metrics import mean_absolute_error, r2_score, root_mean_squared_error

from affinecal_gui.calibration.metrics import measure, root_mean_square, to_property_unit


@pytest.mark.parametrize("log_scale", [True, False])
def test_against_scikit_learn(log_scale):
    rng = np.random.default_rng(0)
    measured = rng.normal(7.0, 0.3, 50)
    predicted = measured + rng.normal(0.0, 0.1, 50)
    found = measure(measured, predicted, log_scale)
    y, p = (np.exp(measured), np.exp(predicted)) if log_scale else (measured, predicted)
    assert found.n == 50
    assert found.rmse == pytest.approx(root_mean_squared_error(y, p), rel=1e-12)
    assert found.mae == pytest.approx(mean_absolute_error(y, p), rel=1e-12)
    assert found.r2 == pytest.approx(r2_score(y, p), rel=1e-12)
    assert found.rmse_target_scale == pytest.approx(root_mean_squared_error(measured, predicted), rel=1e-12)
    assert found.within_ten_percent == int(sum(abs(a / b - 1) <= 0.1 for a, b in zip(p, y, strict=True)))


def test_predictions_beyond_all_numbers_have_no_share_explained():
    found = measure(np.linspace(6.0, 8.0, 20), np.append(np.linspace(6.0, 8.0, 19), 900.0), True)
    assert found.r2 == -np.inf
    assert np.isfinite(found.rmse)


def test_standard_error_over_repetitions():
    values = np.array([0.1, 0.2, 0.4])
    found = measure(np.arange(5.0), np.arange(5.0), False, values)
    assert found.rmse_standard_error == pytest.approx(np.std(values, ddof=1) / np.sqrt(3))
    assert np.isnan(measure(np.arange(5.0), np.arange(5.0), False, values[:1]).rmse_standard_error)


def test_there_is_no_r2_where_there_is_nothing_to_explain():
    assert np.isnan(measure(np.full(4, 2.0), np.full(4, 3.0), False).r2)
    assert np.isnan(measure(np.log([1500.0, 1500.0 + 1e-12, 1500.0]), np.log(np.full(3, 1500.0)), True).r2)


def test_a_runaway_logarithm_stays_finite():
    with np.errstate(all="raise"):
        assert np.isfinite(to_property_unit(np.array([-1e5, 0.0, 1e5]), True)).all()


def test_root_mean_square_of_huge_and_tiny_numbers():
    for unit in (1e-250, 1.0, 1e250):
        assert root_mean_square(unit * np.array([3.0, 4.0])) == pytest.approx(unit * np.sqrt(12.5), rel=1e-14)


def test_repetitions_that_are_the_same_but_for_rounding_have_no_standard_error():
    measured = np.array([1.0, 2.0, 4.0])
    repetitions = np.array([0.3, 0.1 + 0.2, 0.3 * (1.0 + 2e-16)])
    assert np.std(repetitions, ddof=1) > 0
    metrics = measure(measured, measured + 0.3, False, repetitions)
    assert metrics.rmse_standard_error == 0.0
