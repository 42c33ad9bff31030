"""AffineTL-full: the objective, the paper's block updates, and the Newton steps that end at the same points."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import check_grad, minimize

from affinecal_gui.calibration.kernels.full import newton as newton_steps
from affinecal_gui.calibration.kernels.full.blocks import block_updates, random_start, sweep
from affinecal_gui.calibration.kernels.full.fitting import fit_full
from affinecal_gui.calibration.kernels.full.newton import derivatives, evaluate, newton
from affinecal_gui.calibration.kernels.full.objective import FullProblem, FullWeights, gradient, objective, weighted
from affinecal_gui.calibration.kernels.gram import factor, gram_matrix
from tests.calibration.textbook_transfer import Full


def pose(seed, penalties, n=10, p=2, d=3):
    rng = np.random.default_rng(seed)
    S, X = rng.standard_normal((n, p)), rng.standard_normal((n, d))
    y = S[:, 0] + (1 + 0.5 * S[:, 1]) * np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    y = (y - y.mean()) / y.std(ddof=1)
    K1, K3 = gram_matrix("rbf", S, S)[None], gram_matrix("rbf", X, X)[None]
    l1, l2, l3 = np.array(penalties, dtype=float).T
    return FullProblem(K1, K1, K3, y[None], np.zeros(len(l1), dtype=np.int64), l1, l2, l3), S, X, y


def unpack(z, n):
    return FullWeights(z[None, :n], z[None, n : 2 * n], z[None, 2 * n : 3 * n], z[3 * n :])


def pack(weights):
    return np.concatenate([weights.a[0], weights.b[0], weights.c[0], weights.d])


def test_the_gradient_is_that_of_finite_differences():
    problem, *_ = pose(0, [(0.1, 0.3, 0.2)], n=6)
    z = np.random.default_rng(1).standard_normal(19)

    def value(z):
        return float(objective(problem, unpack(z, 6))[0])

    def slope(z):
        return pack(gradient(problem, unpack(z, 6)))

    assert check_grad(value, slope, z) < 1e-5 * np.linalg.norm(slope(z))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.tuples(*(st.floats(-3, 1) for _ in range(3))),
)
def test_every_sweep_of_the_block_updates_lowers_the_objective(seed, exponents):
    problem, *_ = pose(seed % 97, [tuple(10.0**e for e in exponents)])
    found = block_updates(problem, random_start(problem, seed), max_sweeps=60)
    trace = found.trace[:, 0]
    assert (np.diff(trace) <= 1e-10 * trace[:-1]).all()
    assert trace[-1] == pytest.approx(found.objective[0])


def test_each_block_update_is_the_minimum_over_its_block():
    problem, *_ = pose(2, [(0.05, 0.3, 0.1)], n=7)
    start = random_start(problem, 5)
    new = sweep(problem, start)
    stages = [  # what one sweep has changed after each of its blocks
        ("a", FullWeights(new.a, start.b, start.c, start.d)),
        ("b", FullWeights(new.a, new.b, start.c, start.d)),
        ("c", FullWeights(new.a, new.b, new.c, start.d)),
        ("d", FullWeights(new.a, new.b, new.c, new.d)),
    ]
    for block, weights in stages:
        slope = getattr(gradient(problem, weights), block)
        assert np.abs(slope).max() < 1e-9, block


def test_block_updates_are_those_of_the_textbook():
    problem, S, X, y = pose(3, [(0.1, 1.0, 0.5)])
    found = block_updates(problem, random_start(problem, 11), tolerance=1e-4)
    textbook = Full(0.1, 1.0, 0.5, seed=11).fit(S, X, y)
    assert found.converged.all()
    np.testing.assert_allclose(found.weights.a[0], textbook.a, atol=1e-8)
    np.testing.assert_allclose(found.weights.b[0], textbook.b, atol=1e-8)
    np.testing.assert_allclose(found.weights.c[0], textbook.c, atol=1e-8)
    assert found.weights.d[0] == pytest.approx(textbook.d)


def test_the_profile_has_the_derivatives_that_are_claimed():
    problem, *_ = pose(4, [(0.1, 0.2, 0.05)], n=6)
    L, _ = factor(problem.K2)
    w = 0.5 * np.random.default_rng(6).standard_normal((1, L.shape[2]))
    slope, curvature = derivatives(problem, L, evaluate(problem, L, w))

    def value(w):
        return evaluate(problem, L, w[None]).value[0]

    def derivative(w):
        return derivatives(problem, L, evaluate(problem, L, w[None]))[0][0]

    step = 1e-5
    numbers = range(w.shape[1])
    e = np.eye(w.shape[1]) * step
    np.testing.assert_allclose(
        slope[0], [(value(w[0] + e[k]) - value(w[0] - e[k])) / (2 * step) for k in numbers], atol=1e-7
    )
    by_differences = [(derivative(w[0] + e[k]) - derivative(w[0] - e[k])) / (2 * step) for k in numbers]
    np.testing.assert_allclose(curvature[0], by_differences, atol=1e-6)


GRID = [(l1, l2, l3) for l1 in (1e-3, 0.1, 1.0) for l2 in (0.01, 1.0, 10.0) for l3 in (0.01, 1.0)]


@pytest.mark.parametrize("seed", range(4))
def test_newton_steps_end_where_the_whole_gradient_vanishes(seed):
    problem, *_ = pose(seed, GRID, n=12)
    found = fit_full(problem, starts=3, seed=seed)
    assert found.converged.all()
    np.testing.assert_allclose(objective(problem, found.weights), found.objective, rtol=1e-6)
    slope = gradient(problem, found.weights)
    size = found.objective
    for block in (slope.a, slope.b, slope.c, slope.d[:, None]):
        assert (np.abs(block).max(axis=1) < 1e-3 * size).all()
    # Nothing that the paper's updates still find, from there.
    further = block_updates(problem, found.weights, tolerance=1e-7, max_sweeps=200, trace=False)
    np.testing.assert_allclose(further.objective, found.objective, rtol=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_newton_and_block_updates_reach_the_same_optimum(seed):
    # Penalties at which the objective has one optimum only, so that the start does not matter.
    problem, *_ = pose(seed, [(0.1, 10.0, 0.1), (0.1, 5.0, 1.0), (1.0, 10.0, 1.0)])
    blocks = block_updates(problem, random_start(problem, seed), tolerance=1e-9, max_sweeps=20000, trace=False)
    direct = fit_full(problem)
    np.testing.assert_allclose(direct.objective, blocks.objective, rtol=1e-6)
    K = problem.K1[0]
    np.testing.assert_allclose(direct.weights.b @ K, blocks.weights.b @ K, atol=1e-3)


@pytest.mark.parametrize("seed", range(3))
def test_a_generic_optimiser_finds_nothing_better_near_by(seed):
    problem, *_ = pose(seed, [(0.1, 0.5, 0.1)], n=8)
    found = fit_full(problem, starts=5)
    n = 8

    def both(z):
        weights = unpack(z, n)
        return float(objective(problem, weights)[0]), pack(gradient(problem, weights))

    generic = minimize(both, pack(found.weights), jac=True, method="L-BFGS-B", options={"maxiter": 5000})
    assert found.objective[0] <= generic.fun * (1 + 1e-6)
    rng = np.random.default_rng(seed)
    others = [minimize(both, rng.standard_normal(3 * n + 1), jac=True, method="BFGS").fun for _ in range(5)]
    assert found.objective[0] <= min(others) * (1 + 1e-5)


def test_the_best_start_is_kept_and_all_are_reported():
    problem, *_ = pose(7, GRID, n=12)
    one, many = fit_full(problem), fit_full(problem, starts=6, seed=3)
    assert many.objectives.shape == (len(GRID), 6)
    np.testing.assert_allclose(many.objective, many.objectives.min(axis=1), rtol=1e-8)
    assert (many.objective <= one.objective * (1 + 1e-12)).all()


@pytest.mark.parametrize("weighted_rows", [False, True])
def test_factoring_and_inverting_end_at_the_same_optimum(weighted_rows, monkeypatch):
    """One source feature, so that K2 has few directions, as with a single MD value."""
    problem, *_ = pose(10, GRID, n=80, p=2)
    rng = np.random.default_rng(0)
    S = rng.standard_normal((80, 1))
    K1 = gram_matrix("rbf", S, S)[None]
    problem = FullProblem(K1, K1, problem.K3, problem.y, problem.which, problem.l1, problem.l2, problem.l3)
    root = np.sqrt(rng.uniform(0.2, 3.0, (1, 80))) if weighted_rows else None
    assert factor(K1)[0].shape[2] <= newton_steps.FACTORED_SHARE * 80
    factored = fit_full(problem, root=root, starts=2)
    monkeypatch.setattr(newton_steps, "FACTORED_FROM", 10_000)
    inverted = fit_full(problem, root=root, starts=2)
    assert factored.converged.all()
    np.testing.assert_allclose(factored.objectives, inverted.objectives, rtol=1e-9)
    h = factored.weights.b @ K1[0], inverted.weights.b @ K1[0]
    np.testing.assert_allclose(*h, atol=1e-4)
    slope = gradient(problem if root is None else weighted(problem, root), _unrooted(factored.weights, root))
    for block in (slope.a, slope.b, slope.c, slope.d[:, None]):
        assert (np.abs(block).max(axis=1) < 1e-3 * factored.objective).all()


def _unrooted(weights, root):
    return weights if root is None else FullWeights(weights.a / root, weights.b, weights.c / root, weights.d)


@pytest.mark.parametrize("size", [1.0, 1e9])
def test_inverses_of_matrices_that_rounding_has_spoilt(size):
    """Huge kernels leave eigenvalues below 1, or below 0, where the mathematics has none."""
    rng = np.random.default_rng(1)
    X = rng.standard_normal((70, 3))
    system = np.eye(70) + size**2 * (X @ X.T)
    system -= 0.0 if size == 1.0 else 1e-3 * size * np.ones((70, 70))
    right = rng.standard_normal((1, 70, 2))
    inverse = newton_steps.Inverse.of(system[None], 2)
    assert inverse.factored
    assert np.isfinite(inverse.times(right)).all()
    if size == 1.0:
        np.testing.assert_allclose(inverse.times(right)[0], np.linalg.solve(system, right[0]), rtol=1e-8)
    missing = newton_steps.Inverse.of(np.full((1, 70, 70), np.nan), 2)
    assert np.isnan(missing.times(right)).all()


def test_too_few_steps_are_reported():
    problem, *_ = pose(8, [(1e-3, 0.01, 0.01)], n=12)
    assert not block_updates(problem, random_start(problem, 0), max_sweeps=2).converged.any()
    L, _ = factor(problem.K2)
    w = np.random.default_rng(0).standard_normal((1, L.shape[2]))
    assert not newton(problem, L, w, max_steps=1).converged.any()


def test_a_constant_target_needs_nothing():
    problem, *_ = pose(9, GRID)
    flat = FullProblem(
        problem.K1,
        problem.K2,
        problem.K3,
        np.zeros_like(problem.y),
        *([problem.which, problem.l1, problem.l2, problem.l3]),
    )
    found = fit_full(flat, starts=2)
    assert np.isfinite(found.objective).all()
    assert (found.objective[:1] == 0.0).all()
