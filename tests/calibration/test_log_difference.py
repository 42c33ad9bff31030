"""The log-difference model against the dense formula of the textbook."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.calibration.calibrators.objectives.log_difference import fit_log_difference
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.errors import UserError
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.random_problems import random_problem
from tests.tries import tries


@settings(max_examples=tries(40), deadline=None)
@given(st.integers(0, 1000), st.integers(2, 40), st.floats(0.05, 20.0), st.floats(0.0, 100.0))
def test_equals_the_textbook_with_few_and_with_many_polymers(seed, n, first, second):
    case = random_problem(seed, n)
    penalty = FusedRidge(case.sizes, first, second)
    fit = fit_log_difference(case.X, case.f, case.y, penalty)
    intercept, gamma = textbook.fit_log_difference(case.X, case.f, case.y, penalty.dense())
    assert fit.intercept == pytest.approx(intercept, abs=1e-12)
    np.testing.assert_allclose(fit.gamma, gamma, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(
        fit.predict(case.X[:2], case.f[:2]), case.f[:2] + intercept + case.X[:2] @ gamma, rtol=1e-9
    )


@pytest.mark.parametrize("n", [7, 40])
def test_a_weight_of_two_is_a_repeated_row_and_zero_leaves_it_out(n):
    case = random_problem(3, n)
    penalty = FusedRidge(case.sizes, 0.5, 5.0)
    w = np.ones(n)
    w[0], w[1] = 2.0, 0.0
    rows = np.r_[0, 0, 2:n]
    weighted = fit_log_difference(case.X, case.f, case.y, penalty, w)
    repeated = fit_log_difference(case.X[rows], case.f[rows], case.y[rows], penalty)
    assert weighted.intercept == pytest.approx(repeated.intercept)
    np.testing.assert_allclose(weighted.gamma, repeated.gamma, rtol=1e-9)


def test_missing_values_and_vanishing_penalties_are_refused():
    case = random_problem(0, 8)
    X = case.X.copy()
    X[4, 2] = np.nan
    with pytest.raises(UserError, match="Descriptors: row 5"):
        fit_log_difference(X, case.f, case.y, FusedRidge(case.sizes, 1.0, 1.0))
    with pytest.raises(UserError, match="lambda_1 is too small"):
        fit_log_difference(1e6 * case.X, case.f, case.y, FusedRidge(case.sizes, 1e-3, 1.0))
    twice = np.repeat(random_problem(0, 60).X[:, :8], 2, axis=1)  # each column is there twice
    many = random_problem(0, 60)
    with pytest.raises(UserError, match="lambda_1 is too small"):
        fit_log_difference(1e3 * twice, many.f, many.y, FusedRidge(case.sizes, 1e-5, 0.0))
    with pytest.raises(ValueError, match="16 descriptors"):
        fit_log_difference(case.X, case.f, case.y, FusedRidge((3,), 1.0, 1.0))
