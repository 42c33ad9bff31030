"""Both solvers of the affine model: against the textbook, against general optimisers, and against each other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from affinecal_gui.calibration.calibrators.objectives.affine import (
    AffineFit,
    affine_objective,
    fit_affine,
    fit_affine_many,
)
from affinecal_gui.calibration.results import Convergence
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.task import Task
from tests.calibration import textbook_calibrators as textbook
from tests.calibration.random_problems import random_problem


def start_at(alpha_1, alpha_0, beta, gamma):
    return AffineFit(alpha_0, alpha_1, beta, np.asarray(gamma), np.nan, Convergence("closed form", 0, True))


def parameters(fit):
    return np.r_[fit.alpha_1, fit.alpha_0, fit.beta, fit.gamma]


def textbook_J(case, penalty, lambda_beta, w=None):
    Lambda = penalty.dense()

    def J(theta):
        return textbook.objective(
            case.X, case.f, case.y, Lambda, lambda_beta, theta[0], theta[1], theta[2], theta[3:], w
        )

    return J


@pytest.mark.parametrize("n", [8, 30])  # fewer and more polymers than the 16 descriptors
@pytest.mark.parametrize("tolerance", [1e-2, 1e-3, 1e-4, 1e-9])
def test_block_relaxation_is_the_textbook_s_step_for_step(n, tolerance):
    case = random_problem(11, n, beta=0.4)
    penalty = FusedRidge(case.sizes, 0.6, 3.0)
    rng = np.random.default_rng(0)
    start = (0.3, 6.9, 0.02, 0.1 * rng.standard_normal(16))
    theta, sweeps, converged, trace = textbook.fit_affine(
        case.X, case.f, case.y, penalty.dense(), 0.5, start, tolerance
    )
    fit = fit_affine(case.X, case.f, case.y, penalty, 0.5, solver="block", tolerance=tolerance, start=start_at(*start))
    assert (fit.convergence.iterations, fit.convergence.converged) == (sweeps, converged)
    np.testing.assert_allclose(parameters(fit), np.r_[theta[0], theta[1], theta[2], theta[3]], rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(fit.convergence.trace, trace, rtol=1e-9)
    assert fit.objective == pytest.approx(trace[-1], rel=1e-9)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 5000), st.integers(3, 35), st.floats(0.1, 10.0), st.floats(0.1, 50.0), st.floats(0.2, 5.0))
def test_block_relaxation_never_goes_up(seed, n, first, second, lambda_beta):
    case = random_problem(seed, n, beta=0.3)
    fit = fit_affine(
        case.X,
        case.f,
        case.y,
        FusedRidge(case.sizes, first, second),
        lambda_beta,
        solver="block",
        tolerance=1e-6,
        max_iterations=300,
    )
    trace = np.array(fit.convergence.trace)
    assert (np.diff(trace) <= 1e-10 * trace[:-1]).all()


def test_block_relaxation_stops_at_the_limit_and_says_so():
    case = random_problem(11, 20, beta=0.4)
    fit = fit_affine(
        case.X, case.f, case.y, FusedRidge(case.sizes, 0.6, 3.0), solver="block", tolerance=1e-14, max_iterations=3
    )
    assert fit.convergence.iterations == 3
    assert not fit.convergence.converged
    assert len(fit.convergence.trace) == 3


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 5000),
    st.integers(3, 30),
    st.floats(0.2, 5.0),
    st.floats(0.1, 30.0),
    st.floats(0.3, 3.0),
    st.booleans(),
)
def test_the_direct_solver_reaches_a_point_where_the_gradient_vanishes(seed, n, first, second, lambda_beta, weighted):
    case = random_problem(seed, n, beta=0.3)
    w = np.random.default_rng(seed).uniform(0.3, 3.0, n) if weighted else None
    penalty = FusedRidge(case.sizes, first, second)
    fit = fit_affine(case.X, case.f, case.y, penalty, lambda_beta, weights=w)
    J = textbook_J(case, penalty, lambda_beta, w)
    theta = parameters(fit)
    assert fit.objective == pytest.approx(J(theta), rel=1e-9)
    assert fit.convergence.converged
    # Central differences along every parameter: the step to the minimum of the parabola through three points.
    h = 1e-4
    for i in range(len(theta)):
        step = np.zeros(len(theta))
        step[i] = h
        after, before = J(theta + step), J(theta - step)
        bend = (after + before - 2.0 * J(theta)) / h**2
        assert abs((after - before) / (2.0 * h) / bend) < 1e-6


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("n", [9, 30])
def test_no_general_optimiser_finds_a_lower_value(seed, n):
    case = random_problem(seed, n, beta=0.5)
    penalty = FusedRidge(case.sizes, 0.5, 2.0)
    fit = fit_affine(case.X, case.f, case.y, penalty, 0.3)
    J = textbook_J(case, penalty, 0.3)
    rng = np.random.default_rng(seed)
    lowest = np.inf
    for beta in (0.0, 0.6, -0.6):
        begin = np.r_[0.0, 7.0, beta, 0.1 * rng.standard_normal(16)]
        found = minimize(J, begin, method="BFGS", options={"gtol": 1e-7, "maxiter": 2000})
        lowest = min(lowest, found.fun)
    assert fit.objective <= lowest * (1 + 1e-7)
    assert lowest <= fit.objective * (1 + 1e-5)


@pytest.mark.parametrize("n", [8, 30])
def test_direct_and_block_agree_at_the_optimum(n):
    case = random_problem(4, n, beta=0.2)
    penalty = FusedRidge(case.sizes, 0.7, 5.0)
    direct = fit_affine(case.X, case.f, case.y, penalty)
    block = fit_affine(case.X, case.f, case.y, penalty, solver="block", tolerance=1e-12, max_iterations=20_000)
    np.testing.assert_allclose(parameters(direct), parameters(block), rtol=1e-7, atol=1e-8)
    assert direct.objective == pytest.approx(block.objective, rel=1e-12)
    assert abs(direct.convergence.slope) < 1e-9
    assert direct.convergence.iterations < 10


def test_the_lower_of_two_minima_is_found():
    # Without a main effect of x, beta and -beta are equally good; a faint main effect decides, and beta = 0 is a maximum.
    rng = np.random.default_rng(0)
    n, sizes = 40, (2, 3)
    X, f = rng.standard_normal((n, 5)), rng.standard_normal(n)
    for sign in (1.0, -1.0):
        v = X @ np.array([1.0, -1.0, 0.5, 0.5, 1.0])
        y = 3.0 - (sign * 1.0 * f + 0.05) * v
        penalty = FusedRidge(sizes, 0.1, 0.1)
        fit = fit_affine(X, f, y, penalty, 0.01)
        other = fit_affine(X, f, y, penalty, 0.01, solver="block", tolerance=1e-10, max_iterations=20_000)
        assert np.sign(fit.beta) == sign
        assert abs(fit.beta) > 1.0
        assert fit.objective <= other.objective * (1 + 1e-9)
        profile = [min_over_rest(X, f, y, penalty, 0.01, beta) for beta in np.r_[np.linspace(-12, 12, 241), fit.beta]]
        assert fit.objective <= min(profile) * (1 + 1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_awkward_scales_do_not_hide_the_lowest_minimum(seed):
    # f far from zero or very wide, interactions stronger than main effects, tiny penalties, three polymers or more.
    rng = np.random.default_rng(seed)
    n, sizes = int(rng.integers(3, 30)), tuple(int(size) for size in rng.integers(1, 6, rng.integers(1, 7)))
    d = sum(sizes)
    X = rng.standard_normal((n, d))
    f = 10.0 ** rng.uniform(-2, 1) * rng.standard_normal(n) + rng.choice([0.0, 8.0])
    v = (1.0 + rng.choice([0.0, 0.1, 1.0, 10.0]) * f) * (X @ rng.standard_normal(d))
    y = 10.0 ** rng.uniform(-2, 2) * (f + rng.choice([0.0, 0.1, 1.0]) * v + 0.1 * rng.standard_normal(n))
    penalty = FusedRidge(sizes, 10.0 ** rng.uniform(-2, 1.5), 10.0 ** rng.uniform(-1, 2))
    lambda_beta = 10.0 ** rng.uniform(-1, 1)
    fit = fit_affine(X, f, y, penalty, lambda_beta)
    assert fit.convergence.converged
    bound = np.sqrt(min_over_rest(X, f, y, penalty, lambda_beta, 0.0) / (n * lambda_beta))
    size = np.abs(f).max()
    grid = np.sinh(np.linspace(-1, 1, 161) * np.arcsinh(size * bound)) / size
    lowest = min(min_over_rest(X, f, y, penalty, lambda_beta, beta) for beta in grid)
    assert fit.objective <= lowest * (1 + 1e-7) + 1e-13 * (y @ y)


def min_over_rest(X, f, y, penalty, lambda_beta, beta):
    """J minimised over alpha and gamma for one beta, by dense least squares."""
    n, d = X.shape
    A = np.column_stack([f, np.ones(n), -(1.0 + beta * f)[:, np.newaxis] * X])
    A = np.vstack([A, np.hstack([np.zeros((d, 2)), np.linalg.cholesky(penalty.dense()).T])])
    right = np.r_[y, np.zeros(d)]
    solution = np.linalg.lstsq(A, right, rcond=None)[0]
    return np.sum((A @ solution - right) ** 2) + n * lambda_beta * beta**2


@pytest.mark.parametrize("solver", ["direct", "block"])
@pytest.mark.parametrize("n", [9, 40])
def test_a_weight_of_two_is_a_repeated_row_and_zero_leaves_it_out(solver, n):
    case = random_problem(2, n, beta=0.3)
    penalty = FusedRidge(case.sizes, 0.5, 5.0)
    w = np.ones(n)
    w[0], w[1] = 2.0, 0.0
    rows = np.r_[0, 0, 2:n]
    how = {"solver": solver, "tolerance": 1e-10, "max_iterations": 20_000}
    weighted = fit_affine(case.X, case.f, case.y, penalty, weights=w, **how)
    repeated = fit_affine(case.X[rows], case.f[rows], case.y[rows], penalty, **how)
    np.testing.assert_allclose(parameters(weighted), parameters(repeated), rtol=1e-6, atol=1e-8)
    assert weighted.objective == pytest.approx(repeated.objective)


@pytest.mark.parametrize("solver", ["direct", "block"])
@pytest.mark.parametrize("n", [9, 40])
@pytest.mark.parametrize("weighted", [False, True])
def test_many_at_once_are_the_same_as_one_by_one(solver, n, weighted):
    rng = np.random.default_rng(3)
    cases = [random_problem(seed, n, beta=0.3) for seed in range(5)]
    penalties = [FusedRidge(cases[0].sizes, 0.3 * 2**i, 5.0) for i in range(5)]
    w = rng.uniform(0.5, 2.0, (5, n)) if weighted else None
    how = {"solver": solver, "tolerance": 1e-6, "max_iterations": 5000}
    many = fit_affine_many(
        np.array([c.X for c in cases]),
        np.array([c.f for c in cases]),
        np.array([c.y for c in cases]),
        penalties,
        weights=w,
        **how,
    )
    assert len(many) == 5
    for i, case in enumerate(cases):
        one = fit_affine(case.X, case.f, case.y, penalties[i], weights=None if w is None else w[i], **how)
        np.testing.assert_allclose(
            np.r_[many.alpha_1[i], many.alpha_0[i], many.beta[i], many.gamma[i]], parameters(one), rtol=1e-7, atol=1e-9
        )
        assert many.objective[i] == pytest.approx(one.objective)
        assert many.converged[i]
        np.testing.assert_allclose(
            many.predict(np.array([c.X for c in cases]), np.array([c.f for c in cases]))[i],
            one.predict(case.X, case.f),
            rtol=1e-8,
        )
    np.testing.assert_allclose(many.predict(cases[0].X, cases[0].f)[0], one_prediction(many, 0, cases[0]), rtol=1e-12)


def one_prediction(many, i, case):
    s = 1.0 + many.beta[i] * case.f
    return many.alpha_0[i] + many.alpha_1[i] * case.f - s * (case.X @ many.gamma[i])


@pytest.mark.parametrize("n", [9, 40])
def test_bootstrap_by_weights_is_bootstrap_by_rows(n):
    case = random_problem(6, n, beta=0.2)
    penalty = FusedRidge(case.sizes, 0.5, 5.0)
    rng = np.random.default_rng(0)
    rows = rng.integers(0, n, (7, n))
    counts = np.stack([np.bincount(drawn, minlength=n) for drawn in rows])
    by_weights = fit_affine_many(case.X, case.f, case.y, penalty, weights=counts)
    by_rows = fit_affine_many(case.X[rows], case.f[rows], case.y[rows], penalty)
    np.testing.assert_allclose(by_weights.beta, by_rows.beta, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(by_weights.gamma, by_rows.gamma, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(by_weights.objective, by_rows.objective, rtol=1e-9)


def test_many_fits_can_be_stopped_and_report():
    case = random_problem(0, 9)
    seen = []
    fit_affine_many(
        case.X,
        case.f,
        np.tile(case.y, (3, 1)),
        FusedRidge(case.sizes, 1.0, 1.0),
        task=Task(lambda share, words: seen.append(share)),
    )
    assert seen[-1] == 1.0
    with pytest.raises(Cancelled):
        fit_affine_many(case.X, case.f, case.y, FusedRidge(case.sizes, 1.0, 1.0), task=Task(cancelled=lambda: True))


@pytest.mark.parametrize("solver", ["direct", "block"])
@pytest.mark.parametrize("n", [3, 4, 40])
def test_awkward_data_give_finite_answers(solver, n):
    case = random_problem(0, n)
    penalty = FusedRidge(case.sizes, 1.0, 5.0)
    X = case.X.copy()
    X[:, 3] = 0.0  # a constant column, z-scored
    X[:, 5] = X[:, 4]  # collinear columns
    for f in (case.f, np.zeros(n), np.full(n, 2.5)):
        fit = fit_affine(X, f, case.y, penalty, solver=solver)
        assert np.isfinite(parameters(fit)).all()
        assert fit.gamma.shape == (16,)
        assert np.isfinite(fit.predict(X, f)).all()
        if np.ptp(f) == 0:
            assert fit.alpha_1 == 0.0


@pytest.mark.parametrize("unit", [1e-12, 1e-3, 1e3, 1e12])
def test_other_units_of_y_scale_the_answer(unit):
    # With lambda_beta scaled likewise, J scales by unit^2.
    case = random_problem(1, 20, beta=0.2)
    penalty = FusedRidge(case.sizes, 0.5, 5.0)
    plain = fit_affine(case.X, case.f, case.y, penalty, 1.0)
    scaled = fit_affine(case.X, case.f, unit * case.y, penalty, unit**2)
    assert scaled.beta == pytest.approx(plain.beta, rel=1e-6)
    np.testing.assert_allclose(scaled.gamma, unit * plain.gamma, rtol=1e-6)
    assert scaled.alpha_1 == pytest.approx(unit * plain.alpha_1, rel=1e-6)


def test_identical_measurements_leave_nothing_to_explain():
    case = random_problem(1, 12)
    fit = fit_affine(case.X, case.f, np.full(12, 7.25), FusedRidge(case.sizes, 1.0, 1.0))
    assert fit.alpha_0 == pytest.approx(7.25)
    np.testing.assert_allclose(fit.gamma, 0.0, atol=1e-12)
    assert fit.beta == pytest.approx(0.0, abs=1e-12)


def test_without_descriptors_it_is_the_regression_line():
    rng = np.random.default_rng(0)
    f, y = rng.standard_normal(10), rng.standard_normal(10)
    fit = fit_affine(np.zeros((10, 0)), f, y, FusedRidge((), 1.0, 1.0))
    alpha_1, alpha_0 = textbook.fit_line(f, y)
    assert fit.alpha_1 == pytest.approx(alpha_1)
    assert fit.alpha_0 == pytest.approx(alpha_0)
    assert fit.beta == 0.0


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"X": (2, 1)}, "Descriptors: row 3"),
        ({"f": 1}, "MD values: row 2"),
        ({"y": 0}, "Measured values: row 1"),
    ],
)
@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_missing_values_are_refused_in_words(change, words, value):
    case = random_problem(0, 8)
    arrays = {"X": case.X.copy(), "f": case.f.copy(), "y": case.y.copy()}
    for name, where in change.items():
        arrays[name][where] = value
    penalty = FusedRidge(case.sizes, 1.0, 1.0)
    with pytest.raises(UserError, match=words):
        fit_affine(arrays["X"], arrays["f"], arrays["y"], penalty)
    with pytest.raises(UserError, match=words.split(":")[0]):
        fit_affine_many(arrays["X"], arrays["f"], arrays["y"], penalty)


def test_impossible_settings_are_refused():
    case = random_problem(0, 8)
    penalty = FusedRidge(case.sizes, 1.0, 1.0)
    with pytest.raises(UserError, match="lambda_beta"):
        fit_affine(case.X, case.f, case.y, penalty, 0.0)
    with pytest.raises(UserError, match="no polymer"):
        fit_affine(np.zeros((0, 16)), [], [], penalty)
    with pytest.raises(UserError, match="lambda_1 is too small"):
        fit_affine(1e9 * case.X, case.f, case.y, penalty)
    with pytest.raises(UserError, match="all are zero"):
        fit_affine(case.X, case.f, case.y, penalty, weights=np.zeros(8))
    with pytest.raises(ValueError, match="do not agree"):
        fit_affine_many(case.X, np.zeros((2, 8)), np.zeros((3, 8)), penalty)


def test_the_objective_function_is_the_textbook_s():
    case = random_problem(0, 8)
    penalty = FusedRidge(case.sizes, 2.0, 3.0)
    rng = np.random.default_rng(0)
    theta, w = rng.standard_normal(19), rng.uniform(0.1, 2.0, 8)
    ours = affine_objective(case.X, case.f, case.y, penalty, 0.7, theta[1], theta[0], theta[2], theta[3:], weights=w)
    assert ours == pytest.approx(textbook_J(case, penalty, 0.7, w)(theta), rel=1e-12)


@pytest.mark.parametrize("seed", [0, 55])
def test_a_descriptor_ten_thousand_times_as_large_as_the_others_does_not_hide_the_minimum(seed):
    """J at the fit against the least that whitened least squares finds over a grid of beta around it."""
    drawn = random_problem(seed, n=12)
    X = drawn.X.copy()
    X[:, 3] *= 1e4
    penalty = FusedRidge(drawn.sizes, 0.05, 1.0)
    fit = fit_affine(X, drawn.f, drawn.y, penalty, 0.5)
    own = affine_objective(X, drawn.f, drawn.y, penalty, 0.5, fit.alpha_0, fit.alpha_1, fit.beta, fit.gamma)
    below = np.linalg.cholesky(penalty.dense()).T

    def profile(beta):
        line = np.column_stack([np.ones(12), drawn.f, -(1.0 + beta * drawn.f)[:, None] * X])
        system = np.vstack([line, np.hstack([np.zeros((len(below), 2)), below])])
        length = np.linalg.norm(system, axis=0)
        right = np.concatenate([drawn.y, np.zeros(len(below))])
        residual = right - (system / length) @ np.linalg.lstsq(system / length, right, rcond=None)[0]
        return residual @ residual + 12 * 0.5 * beta**2

    least = min(map(profile, np.concatenate([np.linspace(-1.0, 1.0, 201), fit.beta + np.linspace(-1e-3, 1e-3, 101)])))
    assert own <= least * (1.0 + 1e-9)
    assert fit.objective == pytest.approx(own, rel=1e-9)
