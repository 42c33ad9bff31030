"""The power series in beta against exact solutions, and the ways of finding them against one another."""

import numpy as np
import pytest

from affinecal_gui.calibration.data.training_sets import regress
from affinecal_gui.calibration.solvers.dual_problems import DualProblems, SharedDualProblems, smoothers
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, from_modes, to_modes
from affinecal_gui.calibration.solvers.primal_problems import PrimalProblems, training_moments
from affinecal_gui.calibration.solvers.profile_minimum import slope_and_bend
from affinecal_gui.calibration.solvers.profile_series import ROWS_G, ROWS_H, ROWS_L, ROWS_Q, best_alpha, quadratic
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.random_problems import random_problem

LAMBDA_BETA = 0.7


def both_kinds(case, penalty, w):
    """The same problem as n x n and as d x d equations."""
    zero = np.zeros(1, dtype=np.int64)
    f, weights = case.f[np.newaxis], w[np.newaxis]
    regression = regress(case.f, case.y, weights)
    Z = to_modes(case.X, case.sizes)
    K = ((Z / penalty.eigenvalues) @ Z.T)[np.newaxis]
    dual = DualProblems(
        Z, penalty.eigenvalues[np.newaxis], K, f, weights, regression, LAMBDA_BETA, zero, zero, case.sizes
    )
    moments = training_moments(case.X, f, weights, regression.basis, case.sizes)
    primal = PrimalProblems(
        case.X, case.sizes, penalty.eigenvalues[np.newaxis], moments, f, weights, regression, LAMBDA_BETA, zero, zero
    )
    return dual, primal, regression


def inner_minimum(case, Lambda, w, beta):
    """Minimise J over alpha and gamma at fixed beta, as one dense least squares problem; also where."""
    n, d = case.X.shape
    s = 1.0 + beta * case.f
    root = np.sqrt(w)[:, np.newaxis]
    A = root * np.column_stack([case.f, np.ones(n), -s[:, np.newaxis] * case.X])
    A = np.vstack([A, np.hstack([np.zeros((d, 2)), np.linalg.cholesky(Lambda).T])])
    right = np.r_[np.sqrt(w) * case.y, np.zeros(d)]
    solution = np.linalg.lstsq(A, right, rcond=None)[0]
    J = np.sum((A @ solution - right) ** 2) + w.sum() * LAMBDA_BETA * beta**2
    return J, solution[0], solution[1], solution[2:]


@pytest.mark.parametrize("n", [9, 40])
@pytest.mark.parametrize("reference", [0.0, 0.15])
def test_series_agree_with_the_dense_least_squares_solution(n, reference):
    case = random_problem(1, n)
    w = np.random.default_rng(2).uniform(0.5, 2.0, n)
    penalty = FusedRidge(case.sizes, 0.8, 3.0)
    stiffness = np.array([w.sum() * LAMBDA_BETA])
    for problems in both_kinds(case, penalty, w)[:2]:
        series = problems.series(np.array([0]), np.array([reference]), 8)
        for beta in (reference, reference + 0.02, reference - 0.03):
            J, alpha_1, alpha_0, _ = inner_minimum(case, penalty.dense(), w, beta)
            G = series.evaluate(np.array([beta]), ROWS_G)
            a1, a0, inner = best_alpha(G, problems.regression.flat)
            assert inner[0] + stiffness[0] * beta**2 == pytest.approx(J, rel=1e-8)
            raw_1, raw_0 = problems.regression.alpha(a1, a0)
            assert raw_1[0] == pytest.approx(alpha_1, rel=1e-7)
            assert raw_0[0] == pytest.approx(alpha_0, rel=1e-7)


@pytest.mark.parametrize("n", [9, 40])
def test_slope_and_curvature_are_those_of_finite_differences(n):
    case = random_problem(5, n)
    w = np.ones(n)
    penalty = FusedRidge(case.sizes, 0.5, 2.0)
    stiffness, h = np.array([n * LAMBDA_BETA]), 1e-4
    for problems in both_kinds(case, penalty, w)[:2]:
        beta = 0.07
        series = problems.series(np.array([0]), np.array([beta]), 2)
        slope, bend, value = slope_and_bend(series, np.array([beta]), stiffness, problems.regression.flat)
        before, at, after = (inner_minimum(case, penalty.dense(), w, b)[0] for b in (beta - h, beta, beta + h))
        assert value[0] == pytest.approx(at, rel=1e-10)
        assert slope[0] == pytest.approx((after - before) / (2 * h), rel=1e-5)
        assert bend[0] == pytest.approx((after - 2 * at + before) / h**2, rel=1e-3)


@pytest.mark.parametrize("n", [9, 40])
def test_pulls_are_the_moments_they_claim_to_be(n):
    case = random_problem(6, n)
    w = np.random.default_rng(3).uniform(0.5, 2.0, n)
    penalty = FusedRidge(case.sizes, 0.9, 4.0)
    beta, alpha = 0.05, (0.2, -0.1)
    for problems in both_kinds(case, penalty, w)[:2]:
        regression = problems.regression
        series = problems.series(np.array([0]), np.array([0.03]), 9)
        values = series.evaluate(np.array([beta]))[:, 0]
        # Explicit residual and X gamma of this alpha and beta, from the dense gamma update.
        t = regression.residual(np.array([alpha[0]]), np.array([alpha[1]]))[0]
        s = 1.0 + beta * case.f
        gamma = -np.linalg.solve(
            case.X.T @ ((w * s**2)[:, np.newaxis] * case.X) + penalty.dense(), case.X.T @ (w * s * t)
        )
        v = case.X @ gamma
        r = t + s * v
        a = (1.0, -alpha[0], -alpha[1])
        line = np.column_stack([regression.basis[0, 1], np.ones(n)])
        for rows, expected in ((ROWS_H, w * case.f * v @ r), (ROWS_Q, w @ (case.f * v) ** 2)):
            assert quadratic(values[rows], alpha[0], alpha[1]) == pytest.approx(expected, rel=1e-7)
        np.testing.assert_allclose(a @ values[ROWS_L].reshape(3, 2), (w * case.f * v) @ line, rtol=1e-7, atol=1e-9)


def test_solution_gives_gamma_and_x_gamma_in_both_forms():
    case = random_problem(7, 12)
    w = np.ones(12)
    w[3] = 0.0  # a row that is predicted, not fitted
    penalty = FusedRidge(case.sizes, 0.4, 2.0)
    dual, primal, _ = both_kinds(case, penalty, w)
    one = np.array([0])
    answers = []
    for problems in (dual, primal):
        modes, v, roughness = problems.solution(one, np.array([0.1]), np.array([0.2]), np.array([0.05]))
        gamma = problems.descriptors_gamma(one, modes)[0]
        np.testing.assert_allclose(v[0], case.X @ gamma, atol=1e-10)
        assert roughness[0] == pytest.approx(penalty.quadratic_form(gamma), rel=1e-8)
        answers.append(gamma)
    np.testing.assert_allclose(answers[0], answers[1], rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("weighted", [False, True])
def test_leaving_rows_out_by_elimination_equals_solving_without_them(weighted):
    n, sizes = 14, (6, 9)
    case = random_problem(8, n, sizes)
    w = np.random.default_rng(4).uniform(0.5, 2.0, n) if weighted else np.ones(n)
    penalties = [FusedRidge(sizes, 0.3, 2.0), FusedRidge(sizes, 2.0, 20.0)]
    left_out = np.array([[0, 1, 2], [5, 9, 13]])
    inside = np.ones((2, n), dtype=bool)
    np.put_along_axis(inside, left_out, False, axis=1)
    weights = inside * w
    regression = regress(case.f, case.y, weights)
    Z = to_modes(case.X, sizes)
    eigenvalues = np.stack([penalty.eigenvalues for penalty in penalties])
    K = (Z / eigenvalues[:, np.newaxis]) @ Z.T
    sigma = np.sqrt(w)
    shared = SharedDualProblems(smoothers(sigma[:, np.newaxis] * K * sigma), left_out)
    expansion = shared.expand(case.f, sigma, regression, LAMBDA_BETA, max_order=6)
    everyone = np.arange(4)
    own = DualProblems(
        Z,
        eigenvalues,
        K,
        np.broadcast_to(case.f, (2, n)),
        weights,
        regression,
        LAMBDA_BETA,
        np.repeat([0, 1], 2),
        np.tile([0, 1], 2),
        sizes,
    )
    order = expansion.series.order
    np.testing.assert_allclose(
        expansion.series.coefficients, own.series(everyone, np.zeros(4), order).coefficients, rtol=1e-6, atol=1e-8
    )
    # In the rows left out the series gives the out-of-fold residual.
    alpha, beta = np.full((1, 4), 0.1), np.full((1, 4), 0.004)
    residual = expansion.scaled_residual(everyone, alpha, alpha, beta)[:, 0]
    modes, v, _ = own.solution(everyone, alpha[0], alpha[0], beta[0])
    gamma = from_modes(modes, sizes)
    expected = own.regression.residual(alpha[0], alpha[0]) + (1.0 + 0.004 * case.f) * (gamma @ case.X.T)
    np.testing.assert_allclose(residual, sigma * expected, atol=1e-7)
    np.testing.assert_allclose(v, gamma @ case.X.T, atol=1e-9)
    train = np.flatnonzero(inside[1])
    s = 1.0 + 0.004 * case.f[train]
    t = own.regression.residual(alpha[0], alpha[0])[3, train]
    XS = (np.sqrt(w[train]) * s)[:, np.newaxis] * case.X[train]
    dense = -np.linalg.solve(XS.T @ XS + textbook.penalty_matrix(sizes, 2.0, 20.0), XS.T @ (np.sqrt(w[train]) * t))
    np.testing.assert_allclose(gamma[3], dense, rtol=1e-7, atol=1e-9)
