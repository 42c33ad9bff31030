"""Bands and parameter intervals from refits to resampled polymers."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators.fitted import fit_calibrator
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.calibration.uncertainty.bootstrap import (
    band,
    bootstrap,
    interval,
    resampling_weights,
)
from affinecal_gui.errors import Cancelled
from affinecal_gui.task import Task


def line_data(seed, n=40, alpha_1=0.9, scatter=0.1):
    rng = np.random.default_rng(seed)
    f = rng.normal(8.0, 0.3, n)
    y = 0.5 + alpha_1 * f + scatter * rng.normal(size=n) * (1.0 + np.abs(f - 8.0))
    return training_part(y, f, np.zeros((n, 0)), (), None, True)


def test_weights_are_positive_with_mean_one_and_shared_by_the_rows_of_a_polymer():
    groups = np.array([0, 0, 1, 2, 2, 2, 3])
    weights = resampling_weights(groups, 50, np.random.default_rng(0))
    assert (weights > 0.0).all()
    np.testing.assert_allclose(weights.mean(axis=1), 1.0)
    assert (weights[:, 0] == weights[:, 1]).all()
    assert (weights[:, 3] == weights[:, 5]).all()
    assert (weights[:, 2] != weights[:, 3]).all()


def test_spread_of_refits_is_the_sandwich_standard_error():
    """To first order the Bayesian bootstrap reproduces the heteroscedasticity-robust (sandwich) variance."""
    part = line_data(0, n=200)
    line = fit_calibrator("ordinary", part)
    draws = bootstrap(line, part, np.arange(200), 3000, (0,))
    F = np.column_stack([np.ones(200), part.f])
    residual = part.y - line.predict(part.f, part.Z)
    bread = np.linalg.inv(F.T @ F)
    sandwich = bread @ (F.T * residual**2) @ F @ bread
    assert np.std(draws.alpha_1) == pytest.approx(np.sqrt(sandwich[1, 1]), rel=0.08)


def test_slope_intervals_cover_the_truth():
    """150 data sets of 40 polymers, 90 % intervals; binomial standard error 0.025."""
    inside = 0
    for seed in range(150):
        part = line_data(seed)
        line = fit_calibrator("ordinary", part)
        found = interval(line.alpha_1, bootstrap(line, part, np.arange(40), 100, (seed,)).alpha_1, 0.9)
        inside += found.lower <= 0.9 <= found.upper
    assert 0.80 <= inside / 150 <= 0.96


def test_bands_contain_the_coefficients_and_shrink_with_the_penalty():
    rng = np.random.default_rng(1)
    X = rng.normal(size=(40, 6))
    f = rng.normal(8.0, 0.3, 40)
    part = training_part(f - 0.3 * X[:, 1] + 0.1 * rng.normal(size=40), f, X, (6,), None, True)
    widths = []
    for size in (0.1, 10.0):
        one = fit_calibrator("affine", part, Penalties(size, size))
        draws = bootstrap(one, part, np.arange(40), 60, (2,))
        lower, upper = band(one.gamma, draws.gamma, 0.9)
        assert (lower <= one.gamma).all()
        assert (upper >= one.gamma).all()
        widths.append(np.mean(upper - lower))
    assert widths[1] < widths[0]


def test_no_refits_no_bounds():
    assert np.isnan(interval(1.0, np.zeros(0), 0.9).lower)
    lower, upper = band(np.zeros(3), np.zeros((0, 3)), 0.9)
    assert np.isnan(lower).all()
    assert np.isnan(upper).all()


def test_stop_between_refits():
    part = line_data(0)
    with pytest.raises(Cancelled):
        bootstrap(fit_calibrator("ordinary", part), part, np.arange(40), 50, (0,), task=Task(cancelled=lambda: True))
