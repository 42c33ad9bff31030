"""Kernel ridge regression and AffineTL-const against a generic optimiser and against scikit-learn."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.kernel_ridge import KernelRidge

from affinecal_gui.calibration.kernels.constant import fit_constant
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.calibration.kernels.ridge import fit_ridge, ridge_path


def problem(seed, n=9, p=2, d=3, t=4):
    rng = np.random.default_rng(seed)
    S, X, S_new, X_new = (rng.standard_normal(shape) for shape in ((n, p), (n, d), (t, p), (t, d)))
    y = np.sin(X[:, 0]) + S[:, 0] ** 2 + 0.1 * rng.standard_normal(n)
    grams = gram_matrix("rbf", S, S), gram_matrix("rbf", X, X)
    return y, *grams, gram_matrix("rbf", S_new, S), gram_matrix("rbf", X_new, X)


@pytest.mark.parametrize("penalty", [1e-3, 0.1, 10.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_ridge_minimises_its_objective(seed, penalty):
    y, _, K, _, K_new = problem(seed)
    n = len(y)

    def objective(z):
        a, d = z[:n], z[n]
        r = y - K @ a - d
        slope = np.concatenate([2 * K @ (penalty * a - r), [-2 * r.sum()]])
        return r @ r + penalty * a @ K @ a, slope

    (a,), (d,) = fit_ridge(K[None], y[None], np.array([penalty]))
    own, slope = objective(np.append(a, d))
    assert np.abs(slope).max() < 1e-9
    found = minimize(objective, np.zeros(n + 1), jac=True, method="BFGS", options={"gtol": 1e-7, "maxiter": 5000})
    assert own <= found.fun * (1 + 1e-9)
    assert own == pytest.approx(found.fun, rel=1e-4)
    path = ridge_path(K[None], K_new[None], y[None], np.array([5.0, penalty]))
    np.testing.assert_allclose(path[0, 1], K_new @ a + d, rtol=1e-9, atol=1e-10)


def test_ridge_is_scikit_learns_on_centred_data():
    y, _, K, _, K_new = problem(3)
    n = len(y)
    C = np.eye(n) - 1.0 / n
    peer = KernelRidge(alpha=0.2, kernel="precomputed").fit(C @ K @ C, y - y.mean())
    centred_new = (K_new - K.mean(axis=0)) @ C
    expected = peer.predict(centred_new) + y.mean()
    np.testing.assert_allclose(ridge_path(K[None], K_new[None], y[None], np.array([0.2]))[0, 0], expected, rtol=1e-9)


def test_a_penalty_of_zero_is_the_limit_also_with_repeated_rows():
    y, _, K, _, K_new = problem(4, n=5)
    twice = np.repeat(np.arange(5), 2)
    K2, y2 = K[np.ix_(twice, twice)], y[twice] + np.tile([0.1, -0.1], 5)
    path = ridge_path(K2[None], K_new[:, twice][None], y2[None], np.array([0.0, 1e-7]))[0]
    assert np.isfinite(path).all()
    np.testing.assert_allclose(path[0], path[1], rtol=1e-4, atol=1e-4)
    (a,), (d,) = fit_ridge(K2[None], y2[None], np.array([0.0]))
    np.testing.assert_allclose(K2 @ a + d, y[twice], atol=1e-6)  # the mean of each pair


@pytest.mark.parametrize(("l1", "l3"), [(0.01, 0.1), (0.1, 1.0), (1.0, 10.0)])
def test_const_minimises_its_objective(l1, l3):
    y, K1, K3, _, _ = problem(5)
    n = len(y)

    def objective(z):
        a, c, d = z[:n], z[n : 2 * n], z[2 * n]
        r = y - K1 @ a - K3 @ c - d
        slope = np.concatenate([2 * K1 @ (l1 * a - r), 2 * K3 @ (l3 * c - r), [-2 * r.sum()]])
        return r @ r + l1 * a @ K1 @ a + l3 * c @ K3 @ c, slope

    (u,), (d,) = fit_constant(K1[None], K3[None], y[None], np.array([l1]), np.array([l3]))
    own, slope = objective(np.concatenate([u / l1, u / l3, [d]]))
    assert np.abs(slope).max() < 1e-8
    found = minimize(
        objective,
        np.zeros(2 * n + 1),
        jac=True,
        method="L-BFGS-B",
        options={"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15},
    )
    assert own <= found.fun * (1 + 1e-9)
    assert own == pytest.approx(found.fun, rel=1e-3)
