"""Intervals of parameters: textbook formulas where there are any, coverage of a known truth elsewhere."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from affinecal_gui.calibration.calibrators import registry
from affinecal_gui.calibration.calibrators.fitted import fit_calibrator, log_evidence, scatter_of_fit
from affinecal_gui.calibration.calibrators.parameters import ALPHA_1
from affinecal_gui.calibration.calibrators.training import NOTHING, Fitted, LinearFitting, training_part
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.results import Estimate, Penalties, PenaltySurface
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold
from affinecal_gui.calibration.uncertainty.open_penalties import (
    BOLDNESS,
    with_penalties_as_they_are,
    with_penalties_left_open,
)
from affinecal_gui.calibration.uncertainty.parameter_bands import (
    einstein_p_value,
    half_widths_of_mean,
    measurement_scatter,
    no_bands,
    posterior_bands,
    share_of_the_penalty,
)
from tests.calibration.simulated_polymers import simulate
from tests.calibration.spread_about_one import relative_spread


def bands_as_they_are(one, part, scatter, polymers):
    return posterior_bands(one, part, with_penalties_as_they_are(one, part, scatter), polymers, 0.9)


def line(n=20, seed=0, unit=1.0, log_scale=True):
    rng = np.random.default_rng(seed)
    f = rng.normal(8.0, 0.4, n)
    y = 1.0 + 0.7 * f + 0.1 * rng.normal(size=n)
    return training_part(unit * y, unit * f, np.zeros((n, 0)), (), None, log_scale)


def part_with_descriptors(seed=0, n=25, log_scale=True, unit=1.0):
    rng = np.random.default_rng(seed)
    Z, f = rng.normal(size=(n, 6)), rng.normal(8.0, 0.4, n)
    y = unit * (f - 0.3 * Z[:, 0] + 0.1 * rng.normal(size=n))
    return training_part(y, unit * f, Z, (2, 4), None, log_scale)


@pytest.mark.parametrize("log_scale", [True, False])
def test_ordinary_regression_is_the_textbook_confidence_interval(log_scale):
    part = line(log_scale=log_scale)
    one = fit_calibrator("ordinary", part)
    residual = part.y - one.predict(part.f, part.Z)
    scatter = np.sqrt(residual @ residual / 18)
    found = bands_as_they_are(one, part, scatter, 20)
    reference = stats.linregress(part.f, part.y)
    t = stats.t.ppf(0.95, 18)
    assert found.alpha_1.upper - found.alpha_1.value == pytest.approx(t * reference.stderr, rel=1e-9)
    assert found.alpha_0.value - found.alpha_0.lower == pytest.approx(t * reference.intercept_stderr, rel=1e-9)


class ProportionalFitting(LinearFitting):
    """y = alpha_1 f, by least squares."""

    __slots__ = ()

    def fit(self, part, penalties, *, solver="direct", tolerance=1e-8, start=None):
        slope = (part.weights * part.f) @ part.y / ((part.weights * part.f) @ part.f)
        return Fitted(self.model, 0.0, slope, 0.0, NOTHING)


@pytest.mark.parametrize("log_scale", [True, False])
def test_a_line_without_an_offset_goes_through_the_origin_in_its_bounds_too(monkeypatch, log_scale):
    """Textbook: the variance of the slope is s^2 / sum f^2, that of a new measurement s^2 (1 + f^2 / sum f^2)."""
    proportional = replace(
        registry.calibrator("ordinary"), key="proportional", linear=ProportionalFitting, parameters=(ALPHA_1,)
    )
    monkeypatch.setattr(registry, "CALIBRATORS", (*registry.CALIBRATORS, proportional))
    part = line(log_scale=log_scale)
    one = fit_calibrator("proportional", part)
    found = bands_as_they_are(one, part, 0.2, 20)
    half = stats.t.ppf(0.95, 18) * 0.2 / np.sqrt(part.f @ part.f)
    assert found.alpha_1.upper - one.alpha_1 == pytest.approx(half, rel=1e-9)
    assert one.alpha_1 - found.alpha_1.lower == pytest.approx(half, rel=1e-9)
    assert found.alpha_0 == Estimate(0.0, 0.0, 0.0)
    new = np.array([7.0, 9.5])
    spread = relative_spread(one, part, new, np.zeros((2, 0)), np.ones(2))
    np.testing.assert_allclose(spread**2, 1 + new**2 / (part.f @ part.f), rtol=1e-9)


def test_coefficients_against_the_dense_posterior():
    part = part_with_descriptors()
    one = fit_calibrator("log_difference", part, Penalties(1.5, 0.7))
    found = bands_as_they_are(one, part, 0.2, 25)
    A = np.column_stack([np.ones(25), part.Z])
    precision = A.T @ A
    precision[1:, 1:] += FusedRidge((2, 4), 1.5, 0.7).dense()
    sd = 0.2 * np.sqrt(np.diag(np.linalg.inv(precision)))
    t = stats.t.ppf(0.95, 23)
    np.testing.assert_allclose(found.gamma_upper - one.gamma, t * sd[1:], rtol=1e-8)
    np.testing.assert_allclose(one.gamma - found.gamma_lower, t * sd[1:], rtol=1e-8)
    assert found.alpha_0.upper - one.alpha_0 == pytest.approx(t * sd[0], rel=1e-8)


@pytest.mark.parametrize("model", ["ordinary", "log_difference", "affine"])
@pytest.mark.parametrize("unit", [1e-9, 1e9])
def test_bounds_follow_the_unit(model, unit):
    own = Penalties(1.0, 1.0, 0.001)  # of beta: so small that it has an interval
    base, scaled = part_with_descriptors(log_scale=False), part_with_descriptors(log_scale=False, unit=unit)
    a = bands_as_they_are(fit_calibrator(model, base, own), base, 0.1, 25)
    b = bands_as_they_are(fit_calibrator(model, scaled, own), scaled, 0.1 * unit, 25)
    assert b.alpha_0.upper / unit == pytest.approx(a.alpha_0.upper, rel=1e-6)
    assert b.alpha_1.lower == pytest.approx(a.alpha_1.lower, rel=1e-6)
    assert b.beta.upper * unit == pytest.approx(a.beta.upper, rel=1e-6)
    np.testing.assert_allclose(b.gamma_upper / unit, a.gamma_upper, rtol=1e-6)


def test_beta_has_no_interval_where_its_penalty_says_nearly_all():
    part = part_with_descriptors()
    strong, weak = (fit_calibrator("affine", part, Penalties(1.0, 1.0, lambda_beta)) for lambda_beta in (100.0, 0.001))
    assert share_of_the_penalty(strong, part) > 0.8 > share_of_the_penalty(weak, part)
    none = bands_as_they_are(strong, part, 0.1, 25)
    assert none.beta.value == strong.beta
    assert np.isnan([none.beta.lower, none.beta.upper]).all()
    assert np.isfinite([none.alpha_1.lower, none.gamma_upper[0]]).all()
    some = bands_as_they_are(weak, part, 0.1, 25).beta
    assert some.lower < weak.beta < some.upper


def test_beta_is_unbounded_where_the_coupling_reaches_the_pole():
    part = part_with_descriptors()
    one = fit_calibrator("affine", part, Penalties(1.0, 1.0, 0.01))
    wide = bands_as_they_are(one, part, 10.0, 25).beta
    assert wide.upper == np.inf
    assert np.isfinite(wide.lower)
    narrow = bands_as_they_are(one, part, 1e-6, 25).beta
    assert narrow.lower < one.beta < narrow.upper
    assert np.isfinite(narrow.upper)


def surface_over(lambda_1, lambda_2):
    """A grid of penalties; its errors decide nothing here."""
    return PenaltySurface(
        np.array(lambda_1), np.array(lambda_2), np.ones((len(lambda_1), len(lambda_2))), (0, 0), on_edge=()
    )


@pytest.mark.parametrize("model", ["log_difference", "affine"])
@pytest.mark.parametrize("n", [5, 25])
def test_the_evidence_is_the_restricted_likelihood_of_the_dense_model(model, n):
    part = part_with_descriptors(n=n)
    part = replace(part, weights=np.linspace(0.5, 2.0, n))
    found, expected = [], []
    for lambda_1, lambda_2 in ((0.5, 0.2), (2.0, 1.0)):
        one = fit_calibrator(model, part, Penalties(lambda_1, lambda_2, 1e9))  # no coupling
        found.append(log_evidence(one, part))
        prior = np.linalg.inv(FusedRidge((2, 4), lambda_1, lambda_2).dense())
        V = part.Z @ prior @ part.Z.T + np.diag(1.0 / part.weights)
        line = np.column_stack([np.ones(n), part.f])[:, : 2 if model == "affine" else 1]
        y = part.y if model == "affine" else part.y - part.f
        P = np.linalg.inv(V)
        G = line.T @ P @ line
        P -= P @ line @ np.linalg.solve(G, line.T @ P)
        left = n - line.shape[1]
        expected.append(-0.5 * (left * np.log(y @ P @ y) + np.linalg.slogdet(V)[1] + np.linalg.slogdet(G)[1]))
    if model == "log_difference":
        # The intercept is the mean difference whatever the penalty (science, section 3): not quite the likeliest one.
        assert found[0] - found[1] == pytest.approx(expected[0] - expected[1], abs=0.5)
    else:
        assert found[0] - found[1] == pytest.approx(expected[0] - expected[1], rel=1e-5)


def test_penalties_left_open_within_one_pair_are_those_taken_as_they_are():
    part = part_with_descriptors()
    one = fit_calibrator("affine", part, Penalties(1.0, 2.0, 1.0))
    found = with_penalties_left_open(one, part, surface_over([1.0], [2.0]))
    expected = with_penalties_as_they_are(one, part, np.sqrt(scatter_of_fit(one, part)))
    np.testing.assert_allclose(found.leading, expected.leading, rtol=1e-6)
    np.testing.assert_allclose(found.coefficients, expected.coefficients, rtol=1e-6)


def test_penalties_left_open_say_that_a_strong_penalty_hides_the_coefficients():
    part = part_with_descriptors()
    one = fit_calibrator("affine", part, Penalties(100.0, 100.0, 1.0))
    known = with_penalties_as_they_are(one, part, np.sqrt(scatter_of_fit(one, part)))
    found = with_penalties_left_open(one, part, surface_over(np.logspace(-1, 2, 7), [1.0, 10.0]))
    assert (found.coefficients > 10 * known.coefficients).all()


def test_measurements_that_are_met_exactly_leave_no_penalties_open():
    part = replace(part_with_descriptors(), y=np.full(25, 3.0), f=np.full(25, 3.0))
    one = fit_calibrator("log_difference", part, Penalties(1.0, 1.0))
    assert with_penalties_left_open(one, part, surface_over([1.0, 10.0], [1.0])) is None


def test_what_is_left_open_about_other_values_is_summed_over_all_pairs():
    part = part_with_descriptors()
    one = fit_calibrator("log_difference", part, Penalties(3.0, 3.0))
    models = [fit_calibrator("log_difference", part, Penalties(first, 2.0)) for first in (0.5, 1.0)]
    likely = np.exp([log_evidence(model, part) - BOLDNESS * np.log(model.penalties.lambda_1) for model in models])
    values = np.linspace(-0.5, 0.5, 6)
    expected = np.zeros(6)
    for model, share in zip(models, likely / likely.sum(), strict=True):
        known = with_penalties_as_they_are(model, part, np.sqrt(scatter_of_fit(model, part)))
        expected += share * (known.coefficients + (model.c - values) ** 2)
    found = with_penalties_left_open(one, part, surface_over([0.5, 1.0], [2.0]))
    np.testing.assert_allclose(found.about(one.c - values), expected, rtol=1e-9)
    np.testing.assert_allclose(found.about(np.zeros(6)), found.coefficients)


def test_a_line_in_a_mean_widens_its_bands_by_what_it_draws_away():
    part = part_with_descriptors()
    own = Penalties(1.0, 1.0, 1.0)
    fits = [fit_calibrator(model, part, own) for model in ("ordinary", "affine")]
    left_open = [with_penalties_as_they_are(one, part, 0.2) for one in fits]
    found = half_widths_of_mean(fits, left_open, np.array([0.25, 0.75]), 25, 0.9)
    alone = half_widths_of_mean(fits[1:], left_open[1:], np.ones(1), 25, 0.9)
    np.testing.assert_allclose(found, np.hypot(alone, stats.t.ppf(0.95, 23) * 0.25 * fits[1].c), rtol=1e-9)
    bands = posterior_bands(fits[1], part, left_open[1], 25, 0.9)
    np.testing.assert_allclose(alone * abs(fits[1].natural_factor), bands.gamma_upper - fits[1].gamma, rtol=1e-9)
    none = half_widths_of_mean(fits, left_open, np.array([1.0, 0.0]), 25, 0.9)  # all of it is the line
    np.testing.assert_allclose(none, np.hypot(alone, stats.t.ppf(0.95, 23) * fits[1].c), rtol=1e-9)


def test_where_the_prior_is_right_and_known_bounds_are_those_of_student_with_two_degrees_less():
    """Coefficients are drawn from the prior that the penalties are, so that Student's t is exact."""
    n, own, generator = 12, Penalties(1.0, 0.7, 1e9), np.random.default_rng(5)
    part = part_with_descriptors(n=n)
    root = np.linalg.cholesky(np.linalg.inv(FusedRidge((2, 4), own.lambda_1, own.lambda_2).dense()))
    slopes, coefficients = [], []
    for _ in range(400):
        gamma = 0.1 * root @ generator.normal(size=6)
        seen = replace(part, y=2.0 + 0.7 * part.f - part.Z @ gamma + 0.1 * generator.normal(size=n))
        one = fit_calibrator("affine", seen, own)
        left_open = with_penalties_as_they_are(one, seen, np.sqrt(scatter_of_fit(one, seen)))
        slopes.append((one.alpha_1 - 0.7) / np.sqrt(left_open.leading[1, 1]))
        coefficients.append((one.c[3] - gamma[3]) / np.sqrt(left_open.coefficients[3]))
    for found in (slopes, coefficients):
        assert stats.kstest(found, stats.t(n - 2).cdf).pvalue > 0.05


def test_coverage_of_the_truth_in_simulation():
    """24 data sets of 20 polymers, a cautious penalty; 90 % intervals; binomial standard error 0.06."""
    grid = surface_over(np.logspace(-1.5, 1.5, 7), [0.3, 3.0, 30.0])
    slope, coefficients, as_they_are = [], [], []
    for seed in range(24):
        data = simulate(seed, n=20, m=1)
        scale = learn_scale(data.X, data.sizes)
        part = training_part(np.log(data.measured), np.log(data.md), scale.apply(data.X), data.sizes, None, True)
        one = fit_calibrator("affine", part, Penalties(6.0, 6.0, 1.0))
        truth = data.gamma * scale.scale
        known = with_penalties_as_they_are(one, part, np.sqrt(scatter_of_fit(one, part)))
        for left_open, inside in ((with_penalties_left_open(one, part, grid), coefficients), (known, as_they_are)):
            found = posterior_bands(one, part, left_open, 20, 0.9)
            inside.append(np.mean((found.gamma_lower <= truth) & (truth <= found.gamma_upper)))
            if inside is coefficients:
                slope.append(found.alpha_1.lower <= 0.8 <= found.alpha_1.upper)
    assert np.mean(slope) >= 0.8
    # Of few polymers and few invented descriptors, all smooth, the bands hold nearly all.
    assert np.mean(coefficients) >= 0.85
    assert np.mean(as_they_are) < 0.8  # which is why penalties are left open


def test_scatter_is_that_of_the_held_out_scores():
    y = np.zeros(3)
    one = OutOfFold(
        np.zeros((1, 3), int),
        np.array([[1.0, 2.0, 4.0]]),
        np.array([[1.0, 2.0, 2.0]]),
        np.zeros((1, 1, 0)),
        np.zeros((1, 1, 0)),
    )
    assert measurement_scatter(y, one) == pytest.approx(np.sqrt(2.0))


def test_agreement_with_einstein_is_the_t_test_of_the_slope_without_descriptors():
    part = line()
    one = fit_calibrator("affine", part)
    residual = part.y - one.predict(part.f, part.Z)
    scatter = np.sqrt(residual @ residual / 18)
    reference = stats.linregress(part.f, part.y)
    expected = 2 * stats.t.sf(abs(reference.slope - 1.0) / reference.stderr, 18)
    assert einstein_p_value(one, with_penalties_as_they_are(one, part, scatter), 20) == pytest.approx(
        expected, rel=1e-9
    )


def test_agreement_with_einstein_needs_both_parameters():
    part = part_with_descriptors()
    one = fit_calibrator("affine", part, Penalties(1.0, 1.0, 0.05))
    far = Fitted(one.model, one.a0, part.f_sd, one.b + 3.0, one.c, one.f_mean, one.f_sd, 1.0, -1, one.penalties)
    assert einstein_p_value(one, with_penalties_as_they_are(one, part, 0.1), 25) > 0.05
    assert einstein_p_value(far, with_penalties_as_they_are(far, part, 0.1), 25) < 0.01


def test_share_of_the_penalty_in_beta():
    part = part_with_descriptors()
    shares = [
        share_of_the_penalty(fit_calibrator("affine", part, Penalties(1.0, 1.0, own)), part)
        for own in (1e-4, 1.0, 100.0)
    ]
    assert 0.0 < shares[0] < 0.2 < 0.8 < shares[1] < shares[2] <= 1.0


def test_without_bands():
    part = part_with_descriptors()
    found = no_bands(fit_calibrator("affine", part, Penalties(1.0, 1.0)))
    assert np.isnan(found.gamma_lower).all()
    assert np.isnan(found.beta.upper)
