"""Average effects of the descriptors in methods with kernels, against finite differences and textbook posteriors."""

import numpy as np
import pytest
from scipy.special import stdtrit

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.registry import kernel_keys
from affinecal_gui.calibration.data.folds import contiguous_folds
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.kernels.comparing.effects import average_effects
from affinecal_gui.calibration.kernels.fitting import fit_methods
from affinecal_gui.calibration.kernels.gram import KERNELS, gram_matrix, kernel_slopes
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.kernels.training_sets import make_sets
from affinecal_gui.calibration.options import CalibrationOptions
from tests.calibration.bundled_examples import SIZES, load_example
from tests.calibration.simulated_polymers import FEW_PENALTIES, simulate

METHODS = tuple(name for name in kernel_keys() if name != "only_source")
SIZES_HERE, FACTORS = (2, 3), (1.0, 3.0)
LEVEL = 0.9


def fit(kernel, *, weighted=False, factors=FACTORS, length=None, seed=0, n=12):
    rng = np.random.default_rng(seed)
    S, X = rng.standard_normal((n, 2)), rng.standard_normal((n, 5)) * [1.0, 2.0, 0.5, 1.0, 3.0]
    y = 5.0 + S[:, 0] + (1 + 0.4 * S[:, 1]) * np.sin(X[:, 0]) + 0.5 * X[:, 2] + 0.1 * rng.standard_normal(n)
    options = TransferOptions(
        kernel_source=kernel,
        kernel_target=kernel,
        length_target=length,
        ridge=(0.05,),
        l1=(0.1,),
        l2=(1.0,),
        l3=(0.2,),
        starts=1,
    )
    weights = [rng.uniform(0.3, 3.0, n)] if weighted else None
    sets = make_sets([S], [X], [y], options, SIZES_HERE, factors=factors, weights=weights)
    return S, X, options, sets, fit_methods(sets, contiguous_folds(n, 4)[None], kernel_keys(), options)


def effects(found, sets, options, name, level=LEVEL, factors=FACTORS):
    columns = np.repeat(factors or (1.0, 1.0), SIZES_HERE)
    return average_effects(found[name], sets, options, factors=columns, polymers=sets.y.shape[1], level=level)


def scatter_of_left_out_rows(M, y):
    """Leave out each row in turn: its squared residual in units of the variance that the others claim for it."""
    n, found = len(y), []
    for i in range(n):
        rest = np.delete(np.arange(n), i)
        inverse = np.linalg.inv(M[np.ix_(rest, rest)])
        total = inverse.sum()
        d = (inverse @ y[rest]).sum() / total
        missed = y[i] - d - M[i, rest] @ inverse @ (y[rest] - d)
        lack = 1.0 - M[i, rest] @ inverse.sum(axis=1)
        found.append(missed**2 / (M[i, i] - M[i, rest] @ inverse @ M[rest, i] + lack**2 / total))
    return np.sqrt(np.mean(found))


@pytest.mark.parametrize("kernel", [name for name in KERNELS if name != "linear"])
def test_slopes_are_those_of_finite_differences(kernel):
    rng = np.random.default_rng(0)
    A, B, step = rng.standard_normal((3, 2)), rng.standard_normal((4, 2)), 1e-4
    slope, bend = kernel_slopes(kernel, A, B, 1.3)
    move = np.array([step, 0.0])

    def k(one, other):
        return gram_matrix(kernel, A + one * move, B + other * move, 1.3)

    apart = A[:, :1] - B[:, 0]
    np.testing.assert_allclose((k(1, 0) - k(-1, 0)) / (2 * step), -slope * apart, rtol=1e-6)
    mixed = (k(1, 1) - k(1, -1) - k(-1, 1) + k(-1, -1)) / (4 * step**2)
    if bend is None:
        assert kernel == "matern12"
    else:
        np.testing.assert_allclose(mixed, slope + bend * apart**2, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("length", [None, 1.7])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", ["rbf", "linear", "matern32", "matern52"])
def test_effects_are_mean_derivatives_of_the_predictions(kernel, weighted, length):
    S, X, options, sets, found = fit(kernel, weighted=weighted, length=length)
    assert effects(found, sets, options, "only_source") is None

    def predicted(name, table):
        return found[name].predict(sets, 0, sets.scalings[0].grams(S, table, options))

    for name in METHODS:
        own = effects(found, sets, options, name)
        assert own is not None
        assert own.average
        for j in range(5):
            step = 1e-4 * own.scale[j]
            up, down = X.copy(), X.copy()
            up[:, j] += step
            down[:, j] -= step
            slope = np.mean(predicted(name, up) - predicted(name, down)) / 2e-4
            assert own.gamma[j] == pytest.approx(slope, rel=1e-5, abs=1e-8), name
        assert (own.lower < own.gamma).all()
        np.testing.assert_allclose(own.upper - own.gamma, own.gamma - own.lower)


def posterior_sd(Z, K_of, prior, M, g, t, n):
    """Posterior standard deviations of mean derivatives, by differences of the process at shifted points."""
    step = 1e-4
    ones = np.ones(n)
    P = np.linalg.inv(M)
    P = P - np.outer(P @ ones, P @ ones) / (ones @ P @ ones)
    found = []
    for j in range(Z.shape[1]):
        move = np.zeros(Z.shape[1])
        move[j] = step
        points = np.vstack([Z + move, Z - move])
        functional = np.concatenate([t, -t]) / (2 * step * n)
        cross = (K_of(points, Z) / prior) * g[None, :]
        covariance = K_of(points, points) / prior - cross @ P @ cross.T
        found.append(np.sqrt(functional @ covariance @ functional))
    return np.array(found)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("kernel", ["rbf", "matern52", "linear"])
def test_bands_are_those_of_the_gaussian_process(kernel, weighted):
    _, _, options, sets, found = fit(kernel, weighted=weighted, factors=(), n=10)
    Z, n = sets.scalings[0].Z, 10
    K1, K3 = sets.source[0], sets.target[0]
    inverse_weights = np.eye(n) if sets.root is None else np.diag(sets.root[0] ** -2)
    quantile = stdtrit(n - 1, 0.5 * (1 + LEVEL))
    ones = np.ones(n)

    def K_of(A, B):
        return gram_matrix(kernel, A, B, np.sqrt(5.0))

    g = K1 @ found["affine_tl_full"].fits.b[0] + 1.0
    y, y_sd = sets.y[0], sets.scalings[0].y_sd
    source, offset = found["htl_offset"].fits.source, found["htl_offset"].fits
    rest = (y - K1 @ source.a[0] - source.d[0] - offset.mean[0]) / offset.sd[0]
    scale = found["htl_scale"].fits
    predicted = (K1 @ source.a[0] + source.d[0]) * y_sd + scale.y_mean[0]
    assert not scale.guarded[0]
    ratio = ((y * y_sd + scale.y_mean[0]) / predicted - scale.mean[0]) / scale.sd[0]
    ridge = inverse_weights + K3 / 0.05
    cases = {
        "direct": (0.05, ridge, ones, ones, y, y_sd),
        "htl_offset": (0.05, ridge, ones, ones, rest, y_sd * offset.sd[0]),
        "htl_scale": (0.05, ridge, ones, predicted, ratio, scale.sd[0]),
        "affine_tl_const": (0.2, inverse_weights + K1 / 0.1 + K3 / 0.2, ones, ones, y, y_sd),
        "affine_tl_full": (0.2, inverse_weights + K1 / 0.1 + np.outer(g, g) * K3 / 0.2, g, g, y, y_sd),
        # A slope without penalty is the limit of one whose prior is wide.
        "cokriging": (0.05, ridge + 1e5 * sets.scalings[0].S @ sets.scalings[0].S.T, ones, ones, y, y_sd),
    }
    for name, (prior, M, inside, times, target, unit) in cases.items():
        own = effects(found, sets, options, name, factors=())
        scatter = scatter_of_left_out_rows(M, target) * unit
        expected = quantile * scatter * posterior_sd(Z, K_of, prior, M, inside, times, n)
        np.testing.assert_allclose(own.upper - own.gamma, expected, rtol=2e-3, err_msg=name)


def test_with_a_linear_kernel_the_effects_are_the_coefficients_of_ridge_regression():
    _, X, options, sets, found = fit("linear", weighted=True, length=1.0)
    own = effects(found, sets, options, "direct")
    w, scaling = sets.root[0] ** 2, sets.scalings[0]
    Z = (X - own.mean) / own.scale
    A = np.column_stack([Z, np.ones(len(Z))])
    precision = A.T @ (w[:, None] * A) + np.diag([*(0.05 * np.repeat(FACTORS, SIZES_HERE) ** 2), 0.0])
    beta = np.linalg.solve(precision, A.T @ (w * sets.y[0]))[:5] * scaling.y_sd
    np.testing.assert_allclose(own.gamma, beta, rtol=1e-6)
    M = np.diag(1.0 / w) + sets.target[0] / 0.05
    scatter = scatter_of_left_out_rows(M, sets.y[0]) * scaling.y_sd
    half = stdtrit(len(Z) - 1, 0.95) * scatter * np.sqrt(np.diag(np.linalg.inv(precision))[:5])
    np.testing.assert_allclose(own.upper - own.gamma, half, rtol=1e-6)


def test_a_kernel_without_derivatives_has_effects_but_no_bands():
    _, _, options, sets, found = fit("matern12")
    for name in METHODS:
        own = effects(found, sets, options, name)
        assert np.isfinite(own.gamma).all()
        assert np.isnan(own.lower).all()
    _, _, options, sets, found = fit("rbf")
    assert np.isnan(effects(found, sets, options, "direct", level=None).upper).all()


def test_comparisons_bring_the_effects_along():
    data = simulate(5, n=20)
    options = CalibrationOptions(
        repetitions=1, outer_folds=4, measure_next=0, blocks_off=frozenset({0}), **FEW_PENALTIES
    )
    table = (data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes)
    few = TransferOptions(ridge=(0.1, 1.0), l1=(0.1,), l2=(1.0,), l3=(0.3,), starts=1)
    models = compare_calibrators(calibrate(*table, options), options=few).calibration.models
    assert models["only_source"].coefficients is None
    for name in METHODS:
        own = models[name].coefficients
        assert own is not None
        assert own.gamma.shape == (14,)
        assert not own.gamma[:6].any()  # the block that is switched off
        assert (own.lower[6:] < own.upper[6:]).all()
        assert own.average
    assert not models["affine"].coefficients.average


def test_effects_of_the_bundled_example_are_finite():
    measured, md, X, library_md, library_X = load_example("density")
    options = CalibrationOptions(repetitions=1, outer_folds=3, measure_next=0, log_scale=False, **FEW_PENALTIES)
    few = TransferOptions(ridge=(0.1, 1.0), l1=(0.1,), l2=(1.0,), l3=(0.3,), starts=1)
    found = compare_calibrators(calibrate(measured, md, X, library_md, library_X, SIZES, options), options=few)
    for name in METHODS:
        own = found.calibration.models[name].coefficients
        for values in (own.gamma, own.lower, own.upper):
            assert np.isfinite(values).all()
            assert not values.flags.writeable
