"""The probability that all wishes are met is that with which they turn out to be met."""

import math

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import multivariate_normal

from affinecal_gui.calibration.sharing.wishes import (
    ErrorsShown,
    Wanted,
    chance_of_all,
    errors_alone,
    errors_together,
)


def test_normal_errors_give_the_probability_of_the_normal_distribution() -> None:
    errors = np.random.default_rng(1).normal(size=(1, 5000))
    centre, spread = np.array([[3.0], [5.0], [4.0], [np.nan]]), np.array([[1.0], [0.5], [2.0], [1.0]])
    known = errors_alone(ErrorsShown(errors, 5000, 0.9))
    found = chance_of_all(known, centre, spread, [Wanted(low=4.0)])
    np.testing.assert_allclose(found[:3], [ndtr(-1.0), ndtr(2.0), 0.5], atol=0.015)
    assert math.isnan(found[3])
    below = chance_of_all(known, centre, spread, [Wanted(high=4.0)])
    np.testing.assert_allclose(found[:3] + below[:3], 1.0, rtol=1e-12)
    between = chance_of_all(known, centre, spread, [Wanted(3.0, 5.0)])
    np.testing.assert_allclose(between[:3], [ndtr(2.0) - 0.5, 0.5 - ndtr(-4.0), ndtr(0.5) - ndtr(-0.5)], atol=0.02)


def test_a_half_width_is_the_quantile_of_the_interval() -> None:
    errors = np.arange(1.0, 20.0)[None] * np.array([[1.0, -1.0] * 9 + [1.0]])
    # Of 19 errors at a level of 0.9 the 18th: 0.9 * 20 / 19 * 19 = 18.
    assert ErrorsShown(errors, 19, 0.9).half_width == 18.0
    assert ErrorsShown(errors, 19, 0.99).half_width == 19.0


@pytest.mark.parametrize("correlation", [-0.9, 0.0, 0.9])
def test_errors_that_go_together_are_met_together(correlation: float) -> None:
    generator = np.random.default_rng(2)
    covariance = np.array([[1.0, correlation], [correlation, 1.0]])
    pairs = generator.multivariate_normal([0.0, 0.0], covariance, 2000)
    # The second calibrator knows its polymers in another order, and further ones.
    order = generator.permutation(2000)
    second = np.concatenate([pairs[order, 1], generator.normal(size=500)])
    shown = [ErrorsShown(pairs[:, 0][None], 2000, 0.9), ErrorsShown(second[None], 2500, 0.9)]
    same = np.column_stack([order, np.arange(2000)]).astype(float)
    errors = errors_together(shown, same)
    assert np.corrcoef(errors.T)[0, 1] == pytest.approx(correlation, abs=0.06)
    found = chance_of_all(errors, np.zeros((1, 2)), np.ones((1, 2)), [Wanted(low=0.5), Wanted(low=0.5)])
    exact = multivariate_normal([0.0, 0.0], covariance).cdf([-0.5, -0.5])
    assert found[0] == pytest.approx(exact, abs=0.03)


def test_a_probability_is_the_share_that_turns_out_so() -> None:
    generator = np.random.default_rng(3)
    # Skewed errors, few of them, and polymers of different spreads.
    known = errors_alone(ErrorsShown((generator.gamma(2.0, size=60) - 2.0)[None], 60, 0.9))
    centre, spread = generator.uniform(-3.0, 3.0, (4000, 1)), generator.uniform(0.3, 2.0, (4000, 1))
    truth = centre + spread * (generator.gamma(2.0, size=(4000, 1)) - 2.0)
    found = chance_of_all(known, centre, spread, [Wanted(low=0.0)])
    for low, high in ((0.0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1.0)):
        these = (low <= found) & (found <= high)
        assert found[these].mean() == pytest.approx(float((truth[these] > 0.0).mean()), abs=0.09)
