"""Weights of measurements and factors of descriptor blocks in the methods with kernels, against independent solutions."""

from itertools import product

import numpy as np
import pytest
from scipy.optimize import minimize

from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.kernels.constant import fit_constant
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.full.blocks import block_updates, random_start
from affinecal_gui.calibration.kernels.full.fitting import fit_full
from affinecal_gui.calibration.kernels.full.newton import derivatives, evaluate
from affinecal_gui.calibration.kernels.full.objective import FullProblem, weighted
from affinecal_gui.calibration.kernels.gram import KERNELS, factor, gram_matrix
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.ridge import fit_ridge, ridge_path
from affinecal_gui.calibration.kernels.training_sets import make_sets

ONE_EACH = TransferOptions(ridge=(0.1,), l1=(0.1,), l2=(5.0,), l3=(0.3,), starts=1)
"""One penalty of each kind, so that nothing is chosen."""


def data(seed, n=9, p=2, d=3):
    rng = np.random.default_rng(seed)
    S, X = rng.standard_normal((n, p)), rng.standard_normal((n, d))
    y = 3.0 + S[:, 0] + (1 + 0.5 * S[:, 1]) * np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
    return S, X, y, rng.uniform(0.1, 4.0, n)


def grams(S, X):
    return gram_matrix("rbf", S, S), gram_matrix("rbf", X, X)


METHODS = kernel_keys()


def fit(S, X, y, options, *, sizes=None, factors=(), weights=None, folds=None, methods=METHODS):
    sets = make_sets([S], [X], [y], options, sizes, factors=factors, weights=None if weights is None else [weights])
    folds = contiguous_folds(len(y), min(5, len(y))) if folds is None else folds
    return sets, fit_methods(sets, folds[None], methods, options)


def predict(sets, found, S, X, options):
    own = sets.scalings[0].grams(S, X, options)
    return {name: one.predict(sets, 0, own) for name, one in found.items()}


# -- weighted objectives, against a generic optimiser ----------------------------------------------------------------------


@pytest.mark.parametrize("penalty", [1e-2, 0.1, 10.0])
@pytest.mark.parametrize("seed", [0, 1])
def test_ridge_minimises_the_weighted_objective(seed, penalty):
    S, X, y, w = data(seed)
    _, K = grams(S, X)
    n = len(y)

    def objective(z):
        a, d = z[:n], z[n]
        r = y - K @ a - d
        slope = np.concatenate([2 * K @ (penalty * a - w * r), [-2 * w @ r]])
        return w @ r**2 + penalty * a @ K @ a, slope

    root = np.sqrt(w)[None]
    (a,), (d,) = fit_ridge(K[None], y[None], np.array([penalty]), root)
    own, slope = objective(np.append(a, d))
    assert np.abs(slope).max() < 1e-9
    found = minimize(objective, np.zeros(n + 1), jac=True, method="BFGS", options={"gtol": 1e-7, "maxiter": 5000})
    assert own <= found.fun * (1 + 1e-9)
    assert own == pytest.approx(found.fun, rel=1e-4)
    K_new = gram_matrix("rbf", np.random.default_rng(7).standard_normal((4, 3)), X)
    path = ridge_path(K[None], K_new[None], y[None], np.array([5.0, penalty]), root)
    np.testing.assert_allclose(path[0, 1], K_new @ a + d, rtol=1e-9, atol=1e-10)


@pytest.mark.parametrize(("l1", "l3"), [(0.01, 0.1), (0.1, 1.0), (1.0, 10.0)])
def test_const_minimises_the_weighted_objective(l1, l3):
    S, X, y, w = data(5)
    K1, K3 = grams(S, X)
    n = len(y)

    def objective(z):
        a, c, d = z[:n], z[n : 2 * n], z[2 * n]
        r = y - K1 @ a - K3 @ c - d
        slope = np.concatenate([2 * K1 @ (l1 * a - w * r), 2 * K3 @ (l3 * c - w * r), [-2 * w @ r]])
        return w @ r**2 + l1 * a @ K1 @ a + l3 * c @ K3 @ c, slope

    (u,), (d,) = fit_constant(K1[None], K3[None], y[None], np.array([l1]), np.array([l3]), np.sqrt(w)[None])
    own, slope = objective(np.concatenate([u / l1, u / l3, [d]]))
    assert np.abs(slope).max() < 1e-8
    options = {"maxiter": 20000, "maxfun": 40000, "ftol": 1e-15}
    found = minimize(objective, np.zeros(2 * n + 1), jac=True, method="L-BFGS-B", options=options)
    assert own <= found.fun * (1 + 1e-9)
    assert own == pytest.approx(found.fun, rel=1e-3)


def full_objective(K1, K2, K3, y, w, l1, l2, l3):
    """The weighted objective and its slope, written out."""
    n = len(y)

    def objective(z):
        a, b, c, d = z[:n], z[n : 2 * n], z[2 * n : 3 * n], z[3 * n]
        g, v = K2 @ b + 1.0, K3 @ c
        r = y - K1 @ a - g * v - d
        slope = np.concatenate(
            [
                2 * K1 @ (l1 * a - w * r),
                2 * K2 @ (l2 * b - w * r * v),
                2 * K3 @ (l3 * c - w * r * g),
                [-2 * w @ r],
            ]
        )
        return w @ r**2 + l1 * a @ K1 @ a + l2 * b @ K2 @ b + l3 * c @ K3 @ c, slope

    return objective


@pytest.mark.parametrize("solver", ["newton", "block"])
@pytest.mark.parametrize("seed", range(3))
def test_full_minimises_the_weighted_objective(seed, solver):
    S, X, y, w = data(seed, n=8)
    y = (y - y.mean()) / y.std()
    K1, K3 = grams(S, X)
    penalties = 0.1, 2.0, 0.2
    problem = FullProblem(K1[None], K1[None], K3[None], y[None], np.array([0]), *(np.array([p]) for p in penalties))
    found = fit_full(problem, root=np.sqrt(w)[None], solver=solver, starts=3)
    objective = full_objective(K1, K1, K3, y, w, *penalties)
    end = np.concatenate([found.weights.a[0], found.weights.b[0], found.weights.c[0], found.weights.d])
    own, slope = objective(end)
    assert own == pytest.approx(found.objective[0], rel=1e-8)
    assert np.abs(slope).max() < (1e-3 if solver == "newton" else 0.05) * own
    better = minimize(objective, end, jac=True, method="L-BFGS-B", options={"maxiter": 5000}).fun
    rng = np.random.default_rng(seed)
    others = [minimize(objective, rng.standard_normal(len(end)), jac=True, method="BFGS").fun for _ in range(5)]
    assert own <= min([better, *others]) * (1 + (1e-5 if solver == "newton" else 1e-2))


def test_weighted_block_updates_lower_the_weighted_objective():
    S, X, y, w = data(3)
    K1, K3 = grams(S, X)
    plain = FullProblem(K1[None], K1[None], K3[None], y[None], np.array([0]), *(np.array([p]) for p in (0.1, 1.0, 0.2)))
    problem = weighted(plain, np.sqrt(w)[None])
    trace = block_updates(problem, random_start(problem, 2), max_sweeps=60).trace[:, 0]
    assert (np.diff(trace) <= 1e-10 * trace[:-1]).all()


def test_the_weighted_profile_has_the_derivatives_that_are_claimed():
    S, X, y, w = data(4, n=6)
    K1, K3 = grams(S, X)
    plain = FullProblem(
        K1[None], K1[None], K3[None], y[None], np.array([0]), *(np.array([p]) for p in (0.1, 0.2, 0.05))
    )
    problem = weighted(plain, np.sqrt(w)[None])
    L, _ = factor(problem.K2)
    at = 0.5 * np.random.default_rng(6).standard_normal((1, L.shape[2]))
    slope, curvature = derivatives(problem, L, evaluate(problem, L, at))
    step = 1e-5
    moves = step * np.eye(at.shape[1])
    ends = [[evaluate(problem, L, at + sign * move) for sign in (1, -1)] for move in moves]
    by_values = [(up.value[0] - down.value[0]) / (2 * step) for up, down in ends]
    np.testing.assert_allclose(slope[0], by_values, atol=1e-6)
    slopes = [[derivatives(problem, L, state)[0][0] for state in pair] for pair in ends]
    np.testing.assert_allclose(curvature[0], [(up - down) / (2 * step) for up, down in slopes], atol=1e-5)


# -- whole fits ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sizes", [None, (2, 1)])
@pytest.mark.parametrize("seed", range(3))
def test_whole_weights_are_repeated_rows(seed, sizes):
    """Standardisation, coefficients, second steps of the HTL methods: given the penalties, they are the same."""
    S, X, y, _ = data(seed, n=11)
    times = np.random.default_rng(seed).integers(1, 4, len(y))
    S_new, X_new, _, _ = data(seed + 50, n=6)
    alone = fit(S, X, y, ONE_EACH, sizes=sizes, weights=times.astype(float))
    rows = np.repeat(np.arange(len(y)), times)
    together = fit(S[rows], X[rows], y[rows], ONE_EACH, sizes=sizes)
    own, other = (predict(*one, S_new, X_new, ONE_EACH) for one in (alone, together))
    for name in kernel_keys():
        np.testing.assert_allclose(
            own[name], other[name], rtol=1e-4 if name == "affine_tl_full" else 1e-8, err_msg=name
        )


def test_a_tiny_weight_is_a_row_left_out():
    S, X, y, _ = data(2, n=12)
    S[5], X[5] = S[4], X[4]  # keeps the standardisation within what weights can do
    w = np.ones(12)
    w[5], y[5] = 1e-9, 1e3
    rest = np.delete(np.arange(12), 5)
    own = predict(*fit(S, X, y, ONE_EACH, weights=w), S, X, ONE_EACH)
    other = predict(*fit(S[rest], X[rest], y[rest], ONE_EACH), S, X, ONE_EACH)
    for name in kernel_keys():
        # HTL-scale keeps a floor under its divisors, HTL methods their in-sample values: the row itself stays there.
        np.testing.assert_allclose(own[name], other[name], rtol=2e-3, err_msg=name)


def test_weights_of_one_are_no_weights():
    S, X, y, _ = data(1, n=15)
    options = TransferOptions(l1=(0.01, 1.0), l2=(0.1, 10.0), l3=(0.1, 10.0), starts=2)
    plain_sets, plain = fit(S, X, y, options)
    sets, found = fit(S, X, y, options, weights=np.ones(15))
    own, other = predict(sets, found, S, X, options), predict(plain_sets, plain, S, X, options)
    for name in kernel_keys():
        np.testing.assert_allclose(found[name].search.errors, plain[name].search.errors, rtol=1e-6, err_msg=name)
        np.testing.assert_allclose(own[name], other[name], rtol=1e-5, err_msg=name)


def test_penalties_are_chosen_by_weighted_errors():
    """Every error of the grid is that of fits to the training folds alone, averaged with the weights of the held-out rows."""
    S, X, y, w = data(6, n=13)
    options = TransferOptions(ridge=(0.01, 1.0), l1=(0.01, 1.0), l2=(5.0,), l3=(0.1, 10.0), starts=1)
    folds = contiguous_folds(13, 5)
    sets, found = fit(S, X, y, options, weights=w)
    K1, K3, t = sets.source[0], sets.target[0], sets.y[0]
    for number, (l1, l3) in enumerate(product((0.01, 1.0), (0.1, 10.0))):
        of_ridge, of_const, of_full = [], [], []
        for fold in range(5):
            train, test = np.flatnonzero(folds != fold), np.flatnonzero(folds == fold)
            inside = np.ix_(train, train)
            root, across = np.sqrt(w[train])[None], np.ix_(test, train)
            (u,), (d,) = fit_constant(
                K1[inside][None], K3[inside][None], t[train][None], np.array([l1]), np.array([l3]), root
            )
            missed = t[test] - K1[across] @ u / l1 - K3[across] @ u / l3 - d
            of_const.append(np.average(missed**2, weights=w[test]))
            (a,), (d,) = fit_ridge(K3[inside][None], t[train][None], np.array([l1]), root)
            of_ridge.append(np.average((t[test] - K3[across] @ a - d) ** 2, weights=w[test]))
            single = FullProblem(
                *(K[inside][None] for K in (K1, K1, K3)),
                t[train][None],
                np.array([0]),
                *(np.array([p]) for p in (l1, 5.0, l3)),
            )
            one = fit_full(single, root=root).weights
            g = K1[across] @ one.b[0] + 1.0
            missed = t[test] - K1[across] @ one.a[0] - g * (K3[across] @ one.c[0]) - one.d
            of_full.append(np.average(missed**2, weights=w[test]))
        assert found["affine_tl_const"].search.errors[0, number] == pytest.approx(np.mean(of_const), rel=1e-8)
        assert found["affine_tl_full"].search.errors[0, number] == pytest.approx(np.mean(of_full), rel=1e-6)
        assert found["direct"].search.errors[0, number // 2] == pytest.approx(np.mean(of_ridge), rel=1e-8)


@pytest.mark.parametrize("spread", [1e-6, 1e6])
def test_extreme_weights_never_give_nan(spread):
    S, X, y, _ = data(7, n=12)
    w = np.geomspace(1.0, spread, 12)
    options = TransferOptions(ridge=(0.0, 1e-4, 1.0), l1=(0.001, 1.0), l2=(0.01,), l3=(0.01, 1.0), starts=2)
    for name, values in predict(*fit(S, X, y, options, weights=w), S, X, options).items():
        assert np.isfinite(values).all(), name


# -- factors of blocks -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("weights", [None, "random"])
def test_with_a_linear_kernel_factors_are_penalties_of_the_blocks(weights):
    """Ridge regression with the penalty λ c² of every block, as for the linear calibrators, from its normal equations."""
    _, X, y, w = data(0, n=20, d=5)
    w = np.ones(20) if weights is None else w
    sizes, factors = (3, 2), (0.5, 4.0)
    options = TransferOptions(kernel_target="linear", length_target=1.0, ridge=(0.7,))
    given = None if weights is None else w
    sets, found = fit(X[:, :1], X, y, options, sizes=sizes, factors=factors, weights=given, methods=("direct",))
    plain = make_sets([X[:, :1]], [X], [y], options, sizes, weights=None if given is None else [given]).scalings[0]
    Z, t = plain.Z, (y - plain.y_mean) / plain.y_sd
    A = np.column_stack([Z, np.ones(20)])
    penalty = np.diag([*(0.7 * c**2 for c in np.repeat(factors, sizes)), 0.0])
    beta = np.linalg.solve(A.T @ (w[:, None] * A) + penalty, A.T @ (w * t))
    expected = A @ beta * plain.y_sd + plain.y_mean
    np.testing.assert_allclose(predict(sets, found, X[:, :1], X, options)["direct"], expected, rtol=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("length", [None, 2.0])
def test_a_huge_factor_switches_a_block_off(kernel, length):
    S, X, y, _ = data(1, n=14, d=5)
    options = TransferOptions(
        kernel_source=kernel, kernel_target=kernel, length_target=length, ridge=(0.1,), l1=(0.1,), l2=(5.0,), l3=(0.3,)
    )
    S_new, X_new, _, _ = data(60, n=6, d=5)
    large = fit(S, X, y, options, sizes=(2, 3), factors=(1.0, 1e7))
    off = fit(S, X[:, :2], y, options, sizes=(2,))
    own, other = predict(*large, S_new, X_new, options), predict(*off, S_new, X_new[:, :2], options)
    for name in kernel_keys():
        np.testing.assert_allclose(own[name], other[name], rtol=1e-4, err_msg=name)


@pytest.mark.parametrize("factors", [(1.0, 1.0), (3.0, 3.0), ()])
def test_equal_factors_are_the_published_kernel(factors):
    S, X, y, _ = data(2, n=14, d=5)
    plain = make_sets([S], [X], [y], ONE_EACH, (2, 3))
    sets = make_sets([S], [X], [y], ONE_EACH, (2, 3), factors=factors)
    np.testing.assert_allclose(sets.target, plain.target, rtol=1e-12)
    np.testing.assert_allclose(sets.source, plain.source, rtol=1e-12)
    if factors != (3.0, 3.0):  # beside the source features the descriptors together count less
        np.testing.assert_allclose(sets.both, plain.both, rtol=1e-12)


def test_a_factor_takes_a_block_away_little_by_little():
    S, X, y, _ = data(3, n=14, d=5)
    alone = make_sets([S], [X[:, :2]], [y], ONE_EACH, (2,)).target
    away = [
        np.abs(make_sets([S], [X], [y], ONE_EACH, (2, 3), factors=(1.0, c)).target - alone).max()
        for c in (1.0, 2.0, 4.0, 16.0, 100.0)
    ]
    assert (np.diff(away) < 0).all()
    assert away[-1] < 1e-3
