"""How sure errors are, over polymers."""

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.error_intervals import THRICE, TWICE, difference_of, error_interval
from affinecal_gui.calibration.metrics import measure


def jackknife(values, groups, figure):
    """Leave out one polymer after the other: the standard error that it gives."""
    names = np.unique(groups)
    left = np.array([figure(*(one[groups != name] for one in values)) for name in names])
    g = len(names)
    return np.sqrt((g - 1) / g * np.sum((left - left.mean()) ** 2))


def test_the_interval_of_an_error_is_that_of_the_jackknife():
    rng = np.random.default_rng(1)
    residuals, groups = rng.normal(size=300), np.repeat(np.arange(150), 2)
    error = np.sqrt(np.mean(residuals**2))
    relative = jackknife([residuals], groups, lambda r: np.log(np.sqrt(np.mean(r**2))))
    half = np.sqrt(THRICE * 150 / 148) * relative * stats.t.ppf(0.975, 149)
    lower, upper = error_interval(residuals**2, groups, 2.0)
    assert lower == pytest.approx(error * np.exp(-half), rel=0.01)
    assert upper == pytest.approx(error * np.exp(half), rel=0.01)


def test_the_interval_of_a_difference_is_that_of_the_jackknife():
    rng = np.random.default_rng(2)
    first, second, groups = rng.normal(size=200), 1.3 * rng.normal(size=200), np.arange(200)
    found = difference_of(first, second, groups)
    gap = np.sqrt(np.mean(second**2)) - np.sqrt(np.mean(first**2))
    error = np.sqrt(THRICE * 200 / 198) * jackknife(
        [first, second], groups, lambda a, b: np.sqrt(np.mean(b**2)) - np.sqrt(np.mean(a**2))
    )
    assert found.value == pytest.approx(gap, rel=1e-12)
    half = error * stats.t.ppf(0.975, 199)
    size = np.exp(
        np.sqrt(TWICE * 200 / 198)
        * jackknife([first, second], groups, lambda a, b: np.log(np.mean(a**2)) / 4 + np.log(np.mean(b**2)) / 4)
        * stats.t.ppf(0.975, 199)
    )
    assert found.upper == pytest.approx((gap + half) * size, rel=0.01)
    assert found.lower == pytest.approx((gap - half) / size, rel=0.05)
    assert gap - half > 0.0
    assert found.p_value == pytest.approx(2 * stats.t.sf(abs(gap) / error, 199), rel=0.1)


@pytest.mark.parametrize("n", [8, 12, 40])
def test_one_of_two_equally_good_calibrators_is_called_better_no_more_often_than_is_said(n):
    """Each corrects by ninety descriptors of its own, of which none matters; every polymer is held out alone."""
    rng = np.random.default_rng(n)
    called = 0
    for _ in range(400):
        y = rng.normal(size=n)
        residuals = []
        for _ in range(2):
            Z = rng.normal(size=(n, 90))
            K = Z @ Z.T
            hat = K @ np.linalg.inv(K + 30.0 * np.eye(n))
            residuals.append((y - hat @ y) / (1.0 - np.diag(hat)))
        called += difference_of(*residuals, np.arange(n)).p_value < 0.05
    assert called <= 20 + 2 * np.sqrt(400 * 0.05 * 0.95)


def test_an_interval_without_zero_goes_with_a_small_probability():
    rng = np.random.default_rng(3)
    for _ in range(50):
        found = difference_of(rng.normal(size=20), rng.uniform(0.5, 3.0) * rng.normal(size=20), np.arange(20))
        assert (found.lower > 0.0 or found.upper < 0.0) == (found.p_value < 0.05)


@pytest.mark.parametrize("n", [12, 20])
def test_the_interval_of_a_difference_holds_that_of_new_polymers_where_few_make_most_of_the_errors(n):
    """The line misses what the ridge learns; a tenth of the polymers is five times as unusual as the others."""
    rng = np.random.default_rng(100 + n)
    errors, differences = 0, 0
    for _ in range(300):
        gamma = rng.normal(size=6)
        unusual = np.where(rng.random(n + 400) < 0.1, 5.0, 1.0)
        Z = unusual[:, None] * rng.normal(size=(n + 400, 6))
        y = 0.1 * Z @ gamma + 0.1 * rng.normal(size=n + 400)
        old, new = slice(0, n), slice(n, None)
        K = Z[old] @ Z[old].T
        hat = K @ np.linalg.inv(K + np.eye(n))
        held_out = (y[old] - hat @ y[old]) / (1.0 - np.diag(hat))
        told = y[new] - Z[new] @ Z[old].T @ np.linalg.solve(K + np.eye(n), y[old])
        true = [np.sqrt(np.mean(one**2)) for one in (told, y[new])]
        lower, upper = error_interval(held_out**2, np.arange(n), 2.0)
        errors += lower <= true[0] <= upper
        found = difference_of(held_out, y[old], np.arange(n))
        differences += found.lower <= true[1] - true[0] <= found.upper
    assert errors >= 0.85 * 300
    assert differences >= 0.85 * 300


def test_the_difference_of_errors_that_nobody_makes_is_nothing():
    found = difference_of(np.zeros(9), np.zeros(9), np.arange(9))
    assert found.value == 0.0
    assert np.isnan(found.p_value)


@pytest.mark.parametrize("unit", [1e-120, 1.0, 1e120])
def test_intervals_follow_the_unit(unit):
    rng = np.random.default_rng(4)
    y, groups = rng.normal(size=30), np.arange(30)
    p = y + 0.1 * rng.normal(size=30)
    one = measure(y, p, log_scale=False, groups=groups)
    other = measure(unit * y, unit * p, log_scale=False, groups=groups)
    assert other.rmse_interval == pytest.approx([unit * bound for bound in one.rmse_interval], rel=1e-9)
    assert one.rmse_interval[0] < one.rmse < one.rmse_interval[1]
    assert one.mae_interval[0] < one.mae < one.mae_interval[1]


def test_errors_of_the_fit_itself_have_no_interval():
    assert np.isnan(measure(np.arange(5.0), np.ones(5), log_scale=False).rmse_interval).all()
