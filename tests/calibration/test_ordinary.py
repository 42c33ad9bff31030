"""Ordinary regression against scikit-learn, and its edges."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression

from affinecal_gui.calibration.calibrators.objectives.ordinary import fit_ordinary
from affinecal_gui.errors import UserError
from tests.tries import tries


@settings(max_examples=tries(50), deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 30), st.floats(-6, 6), st.booleans())
def test_equals_scikit_learn_in_any_unit(seed, n, exponent, weighted):
    rng = np.random.default_rng(seed)
    f = 10.0**exponent * (rng.standard_normal(n) + 3.0)
    y = 2.0 - 0.7 * f + 10.0**exponent * rng.standard_normal(n)
    w = rng.uniform(0.1, 3.0, n) if weighted else None
    fit = fit_ordinary(f, y, w)
    peer = LinearRegression().fit(f[:, np.newaxis], y, sample_weight=w)
    np.testing.assert_allclose(fit.predict(f), peer.predict(f[:, np.newaxis]), rtol=1e-8, atol=1e-8 * 10.0**exponent)


def test_equal_md_values_give_the_mean_without_a_slope():
    fit = fit_ordinary(np.full(4, 0.1), [1.0, 2.0, 3.0, 6.0], [1.0, 1.0, 1.0, 3.0])
    assert fit.alpha_1 == 0.0
    assert fit.alpha_0 == pytest.approx(4.0)


def test_one_polymer_is_enough_for_a_constant():
    assert fit_ordinary([5.0], [7.0]).predict([1.0, 9.0]).tolist() == [7.0, 7.0]


def test_a_weight_of_two_is_a_repeated_row():
    f, y = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 2.0])
    twice = fit_ordinary(np.r_[f, 4.0], np.r_[y, 2.0])
    weighted = fit_ordinary(f, y, [1.0, 1.0, 2.0])
    assert weighted.alpha_1 == pytest.approx(twice.alpha_1)
    assert weighted.alpha_0 == pytest.approx(twice.alpha_0)


@pytest.mark.parametrize(
    ("f", "y", "w", "words"),
    [
        ([1.0, np.nan], [1.0, 2.0], None, "MD values: row 2"),
        ([1.0, 2.0], [np.inf, 2.0], None, "Measured values: row 1"),
        ([1.0, 2.0], [1.0, 2.0], [1.0, -1.0], "Weights: row 2"),
        ([1.0, 2.0], [1.0, 2.0], [0.0, 0.0], "all are zero"),
        ([], [], None, "no polymer"),
    ],
)
def test_bad_values_are_refused_in_words(f, y, w, words):
    with pytest.raises(UserError, match=words):
        fit_ordinary(f, y, w)
