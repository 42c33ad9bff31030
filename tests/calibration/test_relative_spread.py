"""The posterior of the linearised models, against dense textbook formulas."""

import numpy as np
import pytest

from affinecal_gui.calibration.calibrators.fitted import directions, fit_calibrator, posterior
from affinecal_gui.calibration.calibrators.noise.line_spread import line_form, line_variance
from affinecal_gui.calibration.calibrators.noise.prior import prior_penalties
from affinecal_gui.calibration.calibrators.posterior import Directions, Posterior
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.cross_validation.spread_of_parts import AboutFit, AboutLine, SpreadOfParts
from affinecal_gui.calibration.data.scale import learn_scale
from affinecal_gui.calibration.results import Penalties
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge
from tests.calibration.spread_about_one import line_spread, relative_spread


def dense_covariance(training, new, precision, weights):
    """Gaussian posterior with a nearly flat prior of the unpenalised parameters."""
    A = np.hstack([training.flat, training.penalised])
    B = np.hstack([new.flat, new.penalised])
    P = np.diag(np.concatenate([np.full(training.flat.shape[1], 1e-10), precision]))
    return B @ np.linalg.solve(A.T @ (weights[:, None] * A) + P, B.T)


@pytest.mark.parametrize(("n", "q"), [(12, 30), (30, 12), (12, 12), (12, 0)])
def test_covariance_with_few_and_with_many_polymers(n, q):
    rng = np.random.default_rng(0)
    training = Directions(np.column_stack([np.ones(n), rng.normal(size=n)]), rng.normal(size=(n, q)))
    new = Directions(np.column_stack([np.ones(7), rng.normal(size=7)]), rng.normal(size=(7, q)))
    precision, weights = rng.uniform(0.5, 5.0, q), rng.uniform(0.5, 2.0, n)
    known = Posterior(training, precision, weights)
    expected = dense_covariance(training, new, precision, weights)
    np.testing.assert_allclose(known.covariance(new), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(known.variance(new), np.diag(expected), rtol=1e-6, atol=1e-8)


def test_ordinary_regression_is_the_textbook_prediction_interval():
    rng = np.random.default_rng(1)
    f, y = rng.normal(8.0, 0.3, 20), rng.normal(size=20)
    part = training_part(y, f, np.zeros((20, 0)), (), None, True)
    line = fit_calibrator("ordinary", part)
    new = np.array([7.0, 8.0, 9.5])
    expected = 1 + 1 / 20 + (new - f.mean()) ** 2 / np.sum((f - f.mean()) ** 2)
    found = relative_spread(line, part, new, np.zeros((3, 0)), np.ones(3))
    np.testing.assert_allclose(found**2, expected, rtol=1e-10)


def test_gradient_of_the_affine_model():
    """Directions are derivatives: compare with finite differences over all parameters."""
    rng = np.random.default_rng(2)
    part = training_part(rng.normal(size=15), rng.normal(8.0, 0.3, 15), rng.normal(size=(15, 6)), (2, 4), None, True)
    one = fit_calibrator("affine", part, Penalties(1.0, 2.0))
    found = directions(one, part, part.f, part.Z)
    by_gamma = np.empty((15, 6))
    step = 1e-6
    for j in range(6):
        moved = one.c.copy()
        moved[j] += step
        by_gamma[:, j] = (one.value(part.f, part.Z @ moved) - one.predict(part.f, part.Z)) / step
    prior = FusedRidge((2, 4), 1.0, 2.0).dense()
    modes, spare = found.penalised[:, :6], found.penalised[:, 6]
    eigenvalues = FusedRidge((2, 4), 1.0, 2.0).eigenvalues
    np.testing.assert_allclose(
        (modes / eigenvalues) @ modes.T, by_gamma @ np.linalg.solve(prior, by_gamma.T), rtol=1e-5, atol=1e-9
    )
    t = part.t
    by_beta = ((1.0 + (one.b + step) * t) - (1.0 + one.b * t)) * (part.Z @ one.c) / step
    np.testing.assert_allclose(np.abs(spare), np.abs(by_beta), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("model", ["log_difference", "affine"])
def test_spread_is_larger_far_from_the_training_part(model):
    rng = np.random.default_rng(3)
    part = training_part(rng.normal(size=25), rng.normal(8.0, 0.3, 25), rng.normal(size=(25, 6)), (2, 4), None, True)
    one = fit_calibrator(model, part, Penalties(1.0, 2.0))
    near, far = part.Z[:1], 10.0 * part.Z[:1]
    spread = relative_spread(one, part, part.f[[0, 0]], np.vstack([near, far]), np.ones(2))
    assert 1.0 < spread[0] < spread[1]


def test_a_repeated_measurement_scatters_less():
    rng = np.random.default_rng(4)
    part = training_part(rng.normal(size=12), rng.normal(size=12), rng.normal(size=(12, 3)), (3,), None, True)
    one = fit_calibrator("log_difference", part, Penalties(1.0, 1.0))
    single, often = relative_spread(one, part, part.f[[0, 0]], part.Z[[0, 0]], np.array([1.0, 4.0]))
    known = posterior(one, part).variance(directions(one, part, part.f[:1], part.Z[:1]))[0]
    assert single**2 - known == pytest.approx(1.0)
    assert often**2 - known == pytest.approx(0.25)


def test_equal_md_values_leave_the_slope_open_but_not_infinite():
    rng = np.random.default_rng(5)
    part = training_part(rng.normal(size=9), np.full(9, 8.0), np.zeros((9, 0)), (), None, True)
    line = fit_calibrator("ordinary", part)
    assert np.isfinite(relative_spread(line, part, np.array([8.0, 9.0]), np.zeros((2, 0)), np.ones(2))).all()


def test_the_spread_about_a_line_is_that_of_lines_through_functions_drawn_from_the_prior():
    """Against 20,000 drawn corrections with their noise: the root mean square miss of a line fitted to the others."""
    rng = np.random.default_rng(5)
    n, d, k = 9, 6, 4
    f, Z = rng.normal(size=n), rng.normal(size=(n, d))
    new_f, new_Z = np.array([0.0, 0.5, 3.0, 0.1]), np.vstack([rng.normal(size=(3, d)), np.full(d, 5.0)])
    weights = rng.uniform(0.5, 2.0, n)
    part = training_part(rng.normal(size=n), f, Z, (d,), weights, log_scale=True)
    penalties = Penalties(1.5, 0.7)
    found = line_spread(part, penalties, new_f, new_Z, np.ones(k))
    M = np.diff(np.eye(d), axis=0)
    covariance = np.linalg.inv(penalties.lambda_1**2 * np.eye(d) + penalties.lambda_2**2 * M.T @ M)
    gamma = rng.multivariate_normal(np.zeros(d), covariance, 20_000).T
    y = Z @ gamma + rng.normal(size=(n, 20_000)) / np.sqrt(weights)[:, None]
    line = np.column_stack([np.ones(n), f])
    fitted = np.linalg.solve(line.T @ (weights[:, None] * line), line.T @ (weights[:, None] * y))
    missed = new_Z @ gamma + rng.normal(size=(k, 20_000)) - np.column_stack([np.ones(k), new_f]) @ fitted
    np.testing.assert_allclose(found, np.sqrt((missed**2).mean(axis=1)), rtol=0.02)
    assert found[3] > 2.0 * found[:2].max()  # far in the descriptors alone
    unknown = line_spread(part, penalties, new_f[:2], np.full((2, d), np.nan), np.ones(2))
    assert np.isfinite(unknown).all()


SIZES, LIBRARY = (5, 1, 8), 30
PARTS = {
    "fewer polymers than descriptors, and more": ((9, 40, 11), None),
    "noisy MD values": ((9, 40), 0.05),
    "one polymer more than needed": ((15, 14, 13), None),
}


@pytest.mark.parametrize("model", ["ordinary", "log_difference", "affine"])
@pytest.mark.parametrize("what", PARTS)
def test_many_fits_at_once_say_what_each_says_by_its_posterior(model, what):
    counts, noise = PARTS[what]
    rng = np.random.default_rng(6)
    X, new = 1e3 + rng.normal(size=(50, 14)), 1e3 + 3.0 * rng.normal(size=(LIBRARY, 14))
    F, new_f = rng.normal(8.0, 0.4, 50), rng.normal(8.0, 0.8, LIBRARY)
    about, scales, expected, of_line, of_line_expected = [], [], [], [], []
    for count in counts:
        rows = np.sort(rng.choice(50, count, replace=False))
        scale = learn_scale(X[rows], SIZES)
        errors = None if noise is None else np.full(count, noise)
        weights = rng.uniform(0.5, 2.0, count)
        y = 0.9 * F[rows] + 0.1 * rng.normal(size=count)
        part = training_part(y, F[rows], scale.apply(X[rows]), SIZES, weights, True, noise=errors)
        one = fit_calibrator(model, part, None if model == "ordinary" else Penalties(0.8, 1.5, 0.3))
        about.append(AboutFit(one, part))
        scales.append(scale)
        expected.append(posterior(one, part).variance(directions(one, part, new_f, scale.apply(new))))
        of_line.append(AboutLine(part, line_form(part, Penalties(0.8, 1.5))))
        of_line_expected.append(np.sum(line_variance(part, Penalties(0.8, 1.5), new_f, scale.apply(new)), axis=0))
    many = SpreadOfParts(about, scales, SIZES).variance([new_f] * len(counts), new)
    np.testing.assert_allclose(many, expected, rtol=1e-8)
    lines = SpreadOfParts(of_line, scales, SIZES).variance([new_f] * len(counts), new)
    np.testing.assert_allclose(lines, of_line_expected, rtol=1e-8)


def test_penalties_that_were_chosen_with_caution_make_up_for_it_below_sixty_polymers():
    chosen = Penalties(6.0, 12.0, 3.0)
    assert prior_penalties(chosen, 20) == Penalties(2.0, 4.0, 3.0)
    assert prior_penalties(chosen, 60) == prior_penalties(chosen, 600) == chosen
