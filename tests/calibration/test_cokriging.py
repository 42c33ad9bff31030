"""Co-kriging against the dense formulas of a textbook, scikit-learn, and its own limits."""

import numpy as np
import pytest
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, ConstantKernel

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.estimators.kernel import CokrigingRegressor, KernelAffineConstRegressor
from affinecal_gui.calibration.kernels.cokriging import contrasts
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.calibration.kernels.protocol import PAPER_METHODS
from tests.calibration.textbook_transfer import Cokriging, standardised

PENALTIES = np.array([1e-3, 0.1, 2.0, 50.0])


def data(seed=0, n=14, p=1, d=4):
    rng = np.random.default_rng(seed)
    S, X = rng.standard_normal((n, p)), rng.standard_normal((n, d))
    y = 1.0 + 0.8 * S[:, 0] + np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    return S, X, y, rng.uniform(0.2, 3.0, n)


def generalised_least_squares(K, S, y, w, penalty, across, S_new):
    """The line of least generalised squares and what its residuals say, Kennedy and O'Hagan (2000) with known covariances."""
    C = K + penalty * np.diag(1.0 / w)
    H = np.column_stack([np.ones(len(y)), S])
    b = np.linalg.solve(H.T @ np.linalg.solve(C, H), H.T @ np.linalg.solve(C, y))
    return np.column_stack([np.ones(len(S_new)), S_new]) @ b + across @ np.linalg.solve(C, y - H @ b)


def one_penalty(own, penalty):
    return own.fit(np.array([penalty]), np.ones(1))


@pytest.mark.parametrize("p", [1, 3])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("penalty", PENALTIES)
def test_the_fit_is_that_of_the_dense_formula(penalty, weighted, p):
    S, X, y, w = data(p=p)
    w = w if weighted else np.ones(len(y))
    S_new, X_new, _, _ = data(5, n=6, p=p)
    c, line = one_penalty(contrasts(gram_matrix("rbf", X, X), S, y, np.sqrt(w) if weighted else None), penalty)
    across = gram_matrix("rbf", X_new, X)
    expected = generalised_least_squares(gram_matrix("rbf", X, X), S, y, w, penalty, across, S_new)
    np.testing.assert_allclose(line[0] + S_new @ line[1:] + across @ c, expected, rtol=1e-8)


@pytest.mark.parametrize("weighted", [False, True])
def test_held_out_errors_are_those_of_fits_without_the_fold(weighted):
    S, X, y, w = data(1, n=13)
    w = w if weighted else np.ones(len(y))
    K, folds = gram_matrix("matern52", X, X), contiguous_folds(13, 5)
    found = contrasts(K, S, y, np.sqrt(w) if weighted else None).held_out_errors(PENALTIES, folds)
    for penalty, error in zip(PENALTIES, found, strict=True):
        squares = []
        for fold in range(5):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            inside, across = K[np.ix_(train, train)], K[np.ix_(test, train)]
            value = generalised_least_squares(inside, S[train], y[train], w[train], penalty, across, S[test])
            squares.append(np.average((value - y[test]) ** 2, weights=w[test]))
        assert error == pytest.approx(np.mean(squares), rel=1e-6)


def test_without_anything_from_the_source_it_is_the_gaussian_process_of_scikit_learn():
    """MD values that are all equal leave an unknown level: a constant kernel of great variance."""
    _, X, y, _ = data(2)
    _, X_new, _, _ = data(6, n=5)
    kernel = ConstantKernel(1e6, "fixed") + RBF(2.0, "fixed")  # the default length scale of four descriptors
    peer = GaussianProcessRegressor(kernel, alpha=0.3, optimizer=None).fit(X, y)
    c, line = one_penalty(contrasts(gram_matrix("rbf", X, X), np.zeros((len(y), 1)), y), 0.3)
    np.testing.assert_allclose(line[0] + gram_matrix("rbf", X_new, X) @ c, peer.predict(X_new), rtol=1e-5)
    assert line[1] == 0.0


def test_a_huge_penalty_ends_at_the_regression_line():
    S, X, y, w = data(3)
    c, line = one_penalty(contrasts(gram_matrix("rbf", X, X), S, y, np.sqrt(w)), 1e9)
    slope, offset = np.polyfit(S[:, 0], y, 1, w=np.sqrt(w))
    np.testing.assert_allclose(line, [offset, slope], rtol=1e-6)
    assert np.abs(gram_matrix("rbf", X, X) @ c).max() < 1e-6


def test_the_mean_over_penalties_is_the_mean_of_the_fits():
    S, X, y, w = data(4)
    own, shares = contrasts(gram_matrix("rbf", X, X), S, y, np.sqrt(w)), np.array([0.1, 0.2, 0.3, 0.4])
    c, line = own.fit(PENALTIES, shares)
    alone = [one_penalty(own, penalty) for penalty in PENALTIES]
    np.testing.assert_allclose(c, shares @ np.array([one[0] for one in alone]), rtol=1e-9)
    np.testing.assert_allclose(line, shares @ np.array([one[1] for one in alone]), rtol=1e-7, atol=1e-10)


@pytest.mark.parametrize("n", [3, 4, 9])
def test_sources_that_leave_nothing_or_say_the_same_twice_are_fitted(n):
    S, X, y, _ = data(7, n=n, p=2)
    folds = contiguous_folds(n, 3)
    for source in (np.column_stack([S, S]), np.eye(n), np.zeros((n, 1))):
        own = contrasts(gram_matrix("rbf", X, X), source, y)
        errors = own.held_out_errors(PENALTIES, folds)
        c, line = own.fit(PENALTIES, np.full(4, 0.25))
        assert np.isfinite(errors).all()
        assert np.isfinite(c).all()
        assert np.isfinite(line).all()


def test_the_estimator_is_the_textbook_in_standard_units():
    S, X, y, _ = data(8, n=16)
    S_new, X_new, _, _ = data(9, n=5)
    s, x = standardised(S, S), standardised(X, X)
    one = CokrigingRegressor(ridge=(0.2,)).fit(np.hstack([S, X]), y)
    peer = Cokriging(2.0, 0.2).fit(s, x, (y - y.mean()) / y.std(ddof=1))
    expected = peer.predict(standardised(S_new, S), standardised(X_new, X)) * y.std(ddof=1) + y.mean()
    np.testing.assert_allclose(one.predict(np.hstack([S_new, X_new])), expected, rtol=1e-8)
    assert one.penalties_ == pytest.approx({"λ": 0.2})


def test_beyond_the_measured_ones_it_goes_on_with_the_line():
    """Where AffineTL-const, whose curve in the MD value ends at a constant, does not."""
    S, X, _, _ = data(10, n=30)
    y = 1.0 + 2.0 * S[:, 0] + np.sin(X[:, 0])
    S_new, X_new, _, _ = data(11, n=20)
    far = np.hstack([S_new + 5.0, X_new])
    truth = 1.0 + 2.0 * far[:, 0] + np.sin(X_new[:, 0])
    errors = [
        np.sqrt(np.mean((one.fit(np.hstack([S, X]), y).predict(far) - truth) ** 2))
        for one in (CokrigingRegressor(), KernelAffineConstRegressor())
    ]
    assert errors[0] < 1.0
    assert errors[1] > 5.0


def test_the_comparison_of_the_paper_goes_without_it():
    assert set(kernel_keys()) == {*PAPER_METHODS, "cokriging"}
