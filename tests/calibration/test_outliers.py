"""Measured values that the others do not let expect: by textbook numbers, hand-made sets and simulated ones."""

import math
from dataclasses import replace
from types import MappingProxyType

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.checking.far_values import far_values
from affinecal_gui.calibration.checking.heavy_tails import with_heavy_tails
from affinecal_gui.calibration.checking.outliers import flagged, outliers_of, studentised
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Calibration, Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge

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
        assert bool(flagged(values, most=1)) == (statistic > limit)


def test_two_equal_errors_do_not_hide_each_other() -> None:
    values = np.append(np.random.default_rng(2).normal(0.0, 0.1, 28), [1.1, 1.1])
    assert sorted(flagged(values)) == [28, 29]


def part_of(y, f, Z=None, weights=None):
    Z = np.zeros((len(y), 0)) if Z is None else Z
    return training_part(y, f, Z, (Z.shape[1],) if Z.shape[1] else (), weights, log_scale=True)


def polymers_with_structure(seed: int, n: int = 20):
    """A correction by structure of standard deviation 0.3 about a line, noise 0.1."""
    rng = np.random.default_rng(seed)
    Z, f = rng.normal(size=(n, 30)), rng.normal(7.0, 0.3, n)
    gamma = rng.normal(size=30)
    return f + Z @ (0.3 * gamma / np.linalg.norm(gamma)) + 0.1 * rng.normal(size=n), f, Z


def test_without_descriptors_a_far_value_is_judged_by_the_studentised_residual_of_the_line() -> None:
    rng = np.random.default_rng(0)
    f = rng.normal(7.0, 0.3, 15)
    y = 1.0 + 0.8 * f + 0.1 * rng.normal(size=15)
    y[4] += 1.0
    (found,) = far_values(part_of(y, f), (1.0,), (1.0,))
    H = np.column_stack([np.ones(15), f])
    hat = H @ np.linalg.inv(H.T @ H) @ H.T
    e = y - hat @ y
    scatter = (e @ e - e[4] ** 2 / (1 - hat[4, 4])) / (15 - 3)
    expected = e[4] / np.sqrt(scatter * (1 - hat[4, 4]))
    assert found.row == 4
    assert found.studentised == pytest.approx(expected, rel=1e-9)
    # Not as little as for normal scatter: with so few polymers, that the tails are heavy is never out of the question.
    assert 15 * 2 * stats.t.sf(expected, 12) < found.p_value < 0.01
    without = np.polyval(np.polyfit(np.delete(f, 4), np.delete(y, 4), 1), np.delete(f, 4))
    moved = np.delete(hat @ y, 4) - without
    assert found.influence == pytest.approx(np.sqrt(np.mean(moved**2)), rel=1e-9)


def test_a_far_value_is_judged_by_a_fit_that_has_not_seen_it() -> None:
    """The ridge of one penalty, fitted to the others; textbook formulas."""
    y, f, Z = polymers_with_structure(1)
    y[3] += 1.5
    weights = np.linspace(0.5, 2.0, 20)
    (found,) = far_values(part_of(y, f, Z, weights), (3.0,), (0.5,))
    assert found.row == 3
    others = np.delete(np.arange(20), 3)
    K = Z @ np.linalg.solve(FusedRidge((30,), 3.0, 0.5).dense(), Z.T)
    V = (K + np.diag(1.0 / weights))[np.ix_(others, others)]
    H = np.column_stack([np.ones(20), f])
    inverse = np.linalg.inv(V)
    covariance = np.linalg.inv(H[others].T @ inverse @ H[others])
    line = covariance @ H[others].T @ inverse @ y[others]
    u = inverse @ (y[others] - H[others] @ line)
    scatter = (y[others] - H[others] @ line) @ u / (19 - 2)
    expected = H[3] @ line + K[3, others] @ u
    shift = H[3] - H[others].T @ inverse @ K[others, 3]
    variance = K[3, 3] + 1 / weights[3] - K[3, others] @ inverse @ K[others, 3] + shift @ covariance @ shift
    assert found.studentised == pytest.approx((y[3] - expected) / np.sqrt(scatter * variance), rel=1e-6)


def test_where_all_values_scatter_with_heavy_tails_a_far_one_is_less_of_a_surprise() -> None:
    f = np.linspace(6.0, 8.0, 60)
    normal = stats.norm.ppf((np.arange(60) + 0.5) / 60)
    heavy = stats.t.ppf((np.arange(60) + 0.5) / 60, 2)
    order = np.random.default_rng(0).permutation(60)
    p = {}
    for name, scatter in (("normal", normal), ("heavy", heavy)):
        y = f + 0.1 * scatter[order] / np.std(scatter)
        y[10] = f[10] + 0.7
        (found,) = far_values(part_of(y, f), (1.0,), (1.0,), level=1.0)[:1]
        assert found.row == 10
        p[name] = found.p_value
    assert p["normal"] < 0.01 < p["heavy"]


def quantiles(distribution, n: int) -> np.ndarray:
    return distribution.ppf((np.arange(n) + 0.5) / n)


@pytest.mark.parametrize("t", [4.0, 6.0, 8.0])
def test_many_measurements_tell_whether_tails_are_those_of_students_t_or_normal(t: float) -> None:
    n = 400
    heavy, normal = quantiles(stats.t(3), n), quantiles(stats.norm, n)
    unit = heavy.std()
    of_normal, ones = 2.0 * stats.norm.sf(t), np.ones(n)
    assert with_heavy_tails(of_normal, t, 1.0, heavy / unit, ones) == pytest.approx(
        2.0 * stats.t.sf(t * unit, 3), rel=0.03
    )
    assert with_heavy_tails(of_normal, t, 1.0, normal, ones) < 0.01 * 2.0 * stats.t.sf(t * unit, 3)


def test_the_more_the_fit_leaves_open_of_a_residual_the_less_heavy_tails_explain_of_it() -> None:
    others, t = quantiles(stats.norm, 20), 5.0
    of_normal = 2.0 * stats.norm.sf(t)
    p = [with_heavy_tails(of_normal, t, share, others, np.full(20, share)) for share in (1.0, 0.5, 0.1)]
    assert p[0] > p[1] > p[2] > of_normal


def test_a_wrong_value_that_draws_polymers_like_it_is_not_taken_for_heavy_tails() -> None:
    """Ten pairs of alike polymers: the fit follows a wrong value, so that the residual of its twin is large as well."""
    rng = np.random.default_rng(7)
    Z = np.repeat(rng.normal(size=(10, 30)), 2, axis=0)
    f = rng.normal(7.0, 0.3, 20)
    y = f + 0.3 * Z[:, 0] + 0.1 * rng.normal(size=20)
    y[6] += np.log(10.0)
    assert [one.row for one in far_values(part_of(y, f, Z), (1.0, 3.0), (1.0,))] == [6]


def test_wrong_values_are_found_beside_a_correction_by_structure() -> None:
    """Shares in simulations on real polymers are printed by tests/benchmarks/outliers.py."""
    grid = (np.logspace(-1, 2, 7), (1.0, 10.0))
    clean = found = both = 0
    for seed in range(20):
        y, f, Z = polymers_with_structure(seed)
        clean += bool(far_values(part_of(y, f, Z), *grid))
        one, two = y.copy(), y.copy()
        one[0] += np.log(5.0)
        two[:2] += np.log(10.0)
        found += 0 in {value.row for value in far_values(part_of(one, f, Z), *grid)}
        both += {0, 1} <= {value.row for value in far_values(part_of(two, f, Z), *grid)}
    assert clean <= 4
    assert found >= 16
    assert both >= 14


def test_far_values_of_few_polymers_of_many_and_of_equal_ones() -> None:
    f = np.linspace(6.0, 8.0, 201)
    assert far_values(part_of(f, f), (1.0,), (1.0,)) is None
    assert far_values(part_of(f[:5], f[:5]), (1.0,), (1.0,)) == ()
    assert far_values(part_of(f[:20], f[:20]), (1.0,), (1.0,)) == ()


def test_a_refit_and_the_order_of_rows_keep_the_far_values() -> None:
    calibration, row = line(3.0)
    assert [one.row for one in calibration.far_values] == [row]
    moved = refit(calibration, {"affine": Penalties(5.0, 5.0)})
    assert moved.far_values == calibration.far_values
    backwards = line(3.0, backwards=True)[0].far_values
    assert [replace(one, row=29 - one.row) for one in backwards] == list(calibration.far_values)


def test_without_far_values_the_held_out_residuals_tell() -> None:
    calibration, row = line(3.0)
    (found,) = outliers_of(replace(calibration, far_values=None), "ordinary")
    assert found.row == row
    assert math.isnan(found.influence)
    assert not math.isnan(outliers_of(calibration, "ordinary")[0].influence)


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


def line(
    factor: float = 1.0, n: int = 30, *, log_scale: bool = True, backwards: bool = False
) -> tuple[Calibration, int]:
    """Calibrate polymers about a line, one of which is wrong by a factor."""
    rng = np.random.default_rng(5)
    f = rng.uniform(6.5, 8.0, n)
    noise = 0.08 * rng.normal(size=n)
    measured = np.exp(0.8 * f + 1.0 + noise) if log_scale else 200.0 + 0.8 * np.exp(f) + 500.0 * noise
    measured[7] *= factor
    md, X = np.exp(f), rng.normal(size=(n, 3))
    options = replace(QUICK, log_scale=log_scale)
    if backwards:
        measured, md, X = measured[::-1], md[::-1], X[::-1]
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
