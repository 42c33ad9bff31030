"""MD values with standard errors: slopes against textbook formulas and a known truth, intervals that follow the noise."""

from dataclasses import replace

import numpy as np
import pytest

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.fitted import (
    directions,
    fit_calibrator,
    fit_parts,
    posterior,
    refit_with_weights,
)
from affinecal_gui.calibration.calibrators.noise.line_spread import line_variance
from affinecal_gui.calibration.calibrators.noise.noisy_md import LARGEST_SHARE, line_noise
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.data.md_noise import MDNoise, common_scatter, standard_errors
from affinecal_gui.calibration.kernels.comparing.compare import compare_calibrators
from affinecal_gui.calibration.kernels.comparing.noisy_sources import with_noise_of_sources
from affinecal_gui.calibration.kernels.methods import TransferOptions
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from tests.calibration.spread_about_one import line_spread

SIZES = (3, 4)
FIXED = Penalties(0.8, 1.5, 1e9)  # so large a penalty of beta that it is 0
QUICK = CalibrationOptions(
    repetitions=1, outer_folds=5, lambda_1_grid=(0.3, 3.0), lambda_2_grid=(3.0,), measure_next=0, bands="none"
)


def part_of(seed=0, n=40, noise=0.1, weights=None, scatter=0.1):
    rng = np.random.default_rng(seed)
    F, Z = 8.0 + 0.3 * rng.normal(size=n), rng.normal(size=(n, sum(SIZES)))
    y = 1.0 + 0.8 * F + scatter * (Z @ (0.3 * rng.normal(size=sum(SIZES))) + rng.normal(size=n))
    s = np.broadcast_to(noise, n) if np.isscalar(noise) else noise
    return training_part(y, F + s * rng.normal(size=n), Z, SIZES, weights, True, noise=np.array(s))


def test_the_slope_of_a_line_is_that_of_fuller_for_a_known_variance_of_the_noise():
    """Fuller, Measurement Error Models (1987), equation 1.2.3: m_xy / (m_xx - sigma_uu), with sample moments."""
    part = part_of(noise=0.1)
    m = np.cov(part.f, part.y)
    slope = m[0, 1] / (m[0, 0] - 0.1**2)
    one = fit_calibrator("ordinary", part)
    assert one.alpha_1 == pytest.approx(slope, rel=1e-12)
    assert one.alpha_0 == pytest.approx(part.y.mean() - slope * part.f.mean(), rel=1e-10)


def test_the_slope_of_a_line_is_that_of_deming_where_the_ratio_of_the_variances_is_found():
    """With the residual variance that the corrected slope leaves, Deming's formula leads back to the same slope."""
    part = part_of(noise=0.1)
    one = fit_calibrator("ordinary", part)
    m = np.cov(part.f, part.y)
    of_y = m[1, 1] - one.alpha_1**2 * (m[0, 0] - 0.1**2)
    ratio = of_y / 0.1**2
    difference = m[1, 1] - ratio * m[0, 0]
    deming = (difference + np.sqrt(difference**2 + 4.0 * ratio * m[0, 1] ** 2)) / (2.0 * m[0, 1])
    assert one.alpha_1 == pytest.approx(deming, rel=1e-9)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_affine_fit_is_the_minimum_of_the_corrected_objective(weighted):
    rng = np.random.default_rng(3)
    weights = rng.uniform(0.5, 2.0, 40) if weighted else None
    part = part_of(noise=rng.uniform(0.02, 0.15, 40), weights=weights)
    w = part.weights
    A = np.column_stack([np.ones(40), part.t, part.Z])
    penalty = np.zeros((9, 9))
    penalty[2:, 2:] = FusedRidge(SIZES, FIXED.lambda_1, FIXED.lambda_2).dense()
    less = np.zeros((9, 9))
    # E[u' M u] for noise u, M what is left of f after the other parameters.
    B = np.delete(A, 1, axis=1)
    inner = np.linalg.inv(B.T @ (w[:, None] * B) + np.delete(np.delete(penalty, 1, 0), 1, 1))
    M = np.diag(w) - (w[:, None] * B) @ inner @ (w[:, None] * B).T
    less[1, 1] = np.diag(M) @ (part.noise / part.f_sd) ** 2
    expected = np.linalg.solve(A.T @ (w[:, None] * A) + penalty - less, A.T @ (w * part.y))
    one = fit_calibrator("affine", part, FIXED)
    np.testing.assert_allclose([one.a0, one.a1, *(one.sign * one.c)], expected, rtol=1e-6, atol=1e-8)


def test_least_squares_is_a_tenth_low_and_the_corrected_slopes_are_right_within_two_percent():
    """Noise of a third of the scatter of the true values: attenuation 1 / (1 + 1/9) = 0.9."""
    noise = np.where(np.arange(62) % 2, 0.02, np.sqrt(2 * 0.01 - 0.02**2))
    parts = [part_of(seed, 62, noise, scatter=0.03) for seed in range(80)]
    exact = [replace(part, noise=None) for part in parts]
    for model, penalties in (("ordinary", None), ("affine", FIXED)):
        found, low = (
            np.mean([one.alpha_1 for one in fit_parts(model, some, [penalties] * 80)]) / 0.8 for some in (parts, exact)
        )
        assert low == pytest.approx(0.9, abs=0.02)
        assert found == pytest.approx(1.0, abs=0.02)


def test_noise_that_leaves_nothing_of_the_slope_is_corrected_for_in_part():
    part = part_of(noise=0.1)
    drowned = replace(part, noise=np.full(40, 5.0))
    assert line_noise(drowned).beyond
    plain = fit_calibrator("ordinary", replace(part, noise=None))
    assert fit_calibrator("ordinary", drowned).a1 == pytest.approx(plain.a1 / (1.0 - LARGEST_SHARE))


def test_refits_to_resampled_polymers_are_corrected_like_the_fit():
    part = part_of(noise=0.1)
    for model, penalties in (("ordinary", None), ("affine", FIXED)):
        one = fit_calibrator(model, part, penalties)
        weights = np.array([np.ones(40), np.random.default_rng(1).integers(0, 3, 40)])
        same, other = refit_with_weights(one, part, weights)
        assert same.alpha_1 == pytest.approx(one.alpha_1, rel=1e-8)
        again = fit_calibrator(model, replace(part, weights=weights[1].astype(float)), penalties)
        assert other.alpha_1 == pytest.approx(again.alpha_1, rel=1e-8)


@pytest.mark.parametrize("model", ["ordinary", "affine"])
def test_the_covariance_is_that_of_the_corrected_parameters(model):
    """A C A', A = (C^-1 - S e e')^-1 C^-1 the matrix that makes the corrected parameters of those of the fit."""
    part = part_of(noise=0.12)
    penalties = FIXED if model == "affine" else None
    known = posterior(fit_calibrator(model, part, penalties), part)
    plain = posterior(fit_calibrator(model, replace(part, noise=None), penalties), replace(part, noise=None))
    C = plain.form()
    one = fit_calibrator(model, part, penalties)
    less = np.zeros_like(C)
    less[1, 1] = (1.0 - fit_calibrator(model, replace(part, noise=None), penalties).a1 / one.a1) / C[1, 1]
    A = np.linalg.inv(np.linalg.inv(C) - less) @ np.linalg.inv(C)
    np.testing.assert_allclose(known.form(), A @ C @ A.T, rtol=1e-5, atol=1e-8)
    new = directions(fit_calibrator(model, part, penalties), part, part.f, part.Z)
    np.testing.assert_allclose(known.variance(new), np.diag(known.covariance(new)), rtol=1e-9)


def test_the_spread_about_a_corrected_line_is_the_same_of_many_fits_and_of_one():
    part = part_of(noise=0.12)
    spread = line_spread(part, FIXED, part.f, part.Z, np.ones(40))
    left_out, estimated = line_variance(part, FIXED, part.f, part.Z)
    np.testing.assert_allclose(spread, np.sqrt(1.0 + left_out + estimated), rtol=1e-9)
    # Without structure it is that of the corrected line, whose slope counts each measurement as much more.
    bare = replace(part, Z=np.zeros((40, 7)))
    t = part.t - part.t.mean()
    squared = 1.0 + 1.0 / 40 + t**2 * line_noise(part).factor ** 2 / np.sum(t**2)
    np.testing.assert_allclose(line_spread(bare, FIXED, part.f, bare.Z, np.ones(40)), np.sqrt(squared), rtol=1e-9)


def noisy_study(n=24):
    rng = np.random.default_rng(5)
    noise = np.where(np.arange(2 * n) % 2, 0.25, 0.01)
    F, X = 8.0 + 0.4 * rng.normal(size=2 * n), rng.normal(size=(2 * n, 4))
    md = np.exp(F + noise * rng.normal(size=2 * n))
    measured = np.exp(1.0 + 0.8 * F + 0.05 * rng.normal(size=2 * n))
    return (measured[:n], md[:n], X[:n], md[n:], X[n:], (4,)), MDNoise(noise[:n], noise[n:], np.full(n, 4.0))


@pytest.fixture(scope="module")
def told():
    study, noise = noisy_study()
    return calibrate(*study, QUICK, noise=noise, measurement_error=0.02)


def test_intervals_of_noisy_polymers_are_wider_and_those_of_quiet_ones_narrower(told):
    study, noise = noisy_study()
    plain = calibrate(*study, QUICK)
    noisy = noise.library > 0.1
    for model in ("md", "ordinary", "log_difference", "affine", "combined"):
        before, after = (
            np.log(one.models[model].library_upper / one.models[model].library_lower) for one in (plain, told)
        )
        # MD values as they are err by much more than noise.
        assert np.median(after[noisy]) > (1.0 if model == "md" else 1.5) * np.median(after[~noisy])
        assert np.median(after[~noisy]) < np.median(before[~noisy])


def test_the_parts_of_an_interval_add_up_and_five_more_runs_are_what_less_noise_would_do(told):
    noisy = noisy_study()[1].library > 0.1
    for model in ("md", "ordinary", "log_difference", "affine", "combined"):
        parts = told.models[model].parts
        whole = parts.measurement + parts.simulation + parts.few_polymers + parts.model_form
        np.testing.assert_allclose(whole, 1.0, atol=3e-4)  # four decimals
        assert parts.simulation[noisy].min() > parts.simulation[~noisy].max()
        expected = 1.0 - np.sqrt(1.0 - parts.simulation * 5.0 / 9.0)  # variance s^2 4 / (4 + 5)
        np.testing.assert_allclose(parts.five_more_runs, expected, atol=2e-4)
        if model != "md":
            assert parts.simulation[noisy].mean() > 0.5
            assert (parts.measurement > 0.0).all()


def test_the_order_of_rows_changes_nothing_where_md_values_are_noisy(told):
    (measured, md, X, library_md, library_X, sizes), noise = noisy_study()
    order, one = np.random.default_rng(2).permutation(24), told
    other = calibrate(
        measured[order],
        md[order],
        X[order],
        library_md[order],
        library_X[order],
        sizes,
        QUICK,
        noise=MDNoise(noise.measured[order], noise.library[order]),
    )
    for model, found in one.models.items():
        assert np.array_equal(found.library_upper[order], other.models[model].library_upper)
        assert np.array_equal(found.out_of_fold[order], other.models[model].out_of_fold)


def test_spreads_of_methods_with_kernels_follow_the_noise_by_their_slope():
    rng = np.random.default_rng(0)
    noise = np.where(np.arange(30) % 2, 0.2, 0.02)
    y, ones = rng.normal(size=30), np.ones((2, 30))
    predicted, library = y + 0.25 * rng.normal(size=(2, 30)), np.ones((2, 1, 3))
    held_out = OutOfFold(np.zeros((2, 30), int), predicted, ones, library, library)
    scatter = np.mean((predicted - y) ** 2)
    found = with_noise_of_sources(y, held_out, np.full((2, 30), 0.8), noise, np.array([0.0, 0.2, np.nan]))
    # Scatter = what follows the noise + the rest, and the spread is in units of all of it.
    rest = scatter - 0.64 * np.mean(noise**2)
    np.testing.assert_allclose(found.spread[0] ** 2, (rest + 0.64 * noise**2) / scatter)
    np.testing.assert_allclose(found.library_spread[0, 0] ** 2, [rest / scatter, (rest + 0.64 * 0.04) / scatter, 1.0])
    assert with_noise_of_sources(y, held_out, ones, np.zeros(30), np.zeros(3)) is held_out


def test_intervals_of_a_method_with_kernels_are_wider_for_noisy_polymers(told):
    options = TransferOptions(ridge=(0.01, 1.0))
    compared = compare_calibrators(told, ["only_source", "direct"], options).calibration
    noisy = told.kept_fit.problem.library_noise[told.kept_fit.problem.library_order.place]
    noisy = noisy > np.median(noisy)
    width = {
        name: np.log(compared.models[name].library_upper / compared.models[name].library_lower)
        for name in ("only_source", "direct")
    }
    assert np.median(width["only_source"][noisy]) > 1.1 * np.median(width["only_source"][~noisy])
    spread = compared.kept_fit.held_out.models["direct"].spread
    assert (spread == 1.0).all()  # MD is not looked at


def test_the_protocol_of_the_paper_takes_md_values_as_exact():
    study, noise = noisy_study(12)
    options = replace(QUICK, protocol="paper")
    plain, told = calibrate(*study, options), calibrate(*study, options, noise=noise)
    for model, found in plain.models.items():
        assert np.array_equal(found.library_upper, told.models[model].library_upper)
        assert repr(found.parameters) == repr(told.models[model].parameters)  # nan, which differs from itself, too


def test_the_scatter_of_few_runs_is_drawn_towards_that_of_all():
    rng = np.random.default_rng(0)
    runs = rng.integers(1, 6, 600).astype(float)
    values = 100.0 * (1.0 + 0.04 * np.array([rng.normal(size=int(r)).mean() for r in runs]))
    scatter = np.array([100.0 * 0.04 * np.std(rng.normal(size=int(r)), ddof=1) if r > 1 else 0.0 for r in runs])
    errors = standard_errors(values, scatter, runs, log_scale=True)
    np.testing.assert_allclose(
        errors * np.sqrt(runs), 0.04, rtol=0.2
    )  # all the same: nothing but chance tells them apart
    linear = standard_errors(values, scatter, runs, log_scale=False)
    np.testing.assert_allclose(linear * np.sqrt(runs), 4.0, rtol=0.1)


def test_where_polymers_scatter_differently_the_scatter_of_each_counts():
    """Variances are drawn from the distribution that Smyth (2004) assumes, whose two numbers are found again."""
    rng = np.random.default_rng(1)
    variance = 4.0 * 0.05**2 / rng.chisquare(4.0, 2000)
    freedom = np.full(2000, 4.0)
    s = np.sqrt(variance * rng.chisquare(4.0, 2000) / 4.0)
    common, prior = common_scatter(s, freedom)
    assert np.sqrt(common) == pytest.approx(0.05, rel=0.05)
    assert prior == pytest.approx(4.0, rel=0.2)
    errors = standard_errors(np.ones(2000), s, freedom + 1.0, log_scale=False)
    assert np.corrcoef(errors, np.sqrt(variance))[0, 1] > 0.7


def test_nothing_is_told_without_the_number_of_runs_and_one_run_is_as_noisy_as_runs_are():
    unknown, s = np.full(3, np.nan), np.array([0.1, 0.2, 0.1])
    assert np.isnan(standard_errors(np.ones(3), s, unknown, log_scale=True)).all()
    assert np.isnan(standard_errors(np.ones(3), np.zeros(3), np.full(3, 4.0), log_scale=True)).all()
    errors = standard_errors(np.ones(3), np.array([0.1, 0.1, np.nan]), np.array([4.0, 4.0, 1.0]), log_scale=True)
    assert errors[0] == errors[1] == pytest.approx(0.05, rel=0.3)
    assert errors[2] == pytest.approx(2.0 * errors[0], rel=1e-3)
