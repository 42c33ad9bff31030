"""The combined calibrator: its weights, its honesty, and the test that it is recommended by."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize

from affinecal_gui.calibration.calibrate import calibrate
from affinecal_gui.calibration.calibrators.combining import PULL, combining_weights, towards_the_line
from affinecal_gui.calibration.calibrators.linear.combined import COMBINED
from affinecal_gui.calibration.calibrators.parameters import weight_name
from affinecal_gui.calibration.calibrators.structure_evidence import structure_p_value, structure_probability
from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.kept_fit import KeptFit
from affinecal_gui.calibration.options import CalibrationOptions
from affinecal_gui.calibration.refit import refit
from affinecal_gui.calibration.results import Penalties
from tests.calibration.simulated_polymers import simulate

OPTIONS = CalibrationOptions(
    repetitions=2, outer_folds=5, lambda_1_grid=(0.1, 1.0), lambda_2_grid=(0.1, 1.0), measure_next=0
)
SIZES = (6, 8)


def run(data, options=OPTIONS):
    return calibrate(data.measured, data.md, data.X, data.library_md, data.library_X, data.sizes, options)


@pytest.mark.parametrize("seed", range(6))
def test_weights_are_the_minimum_that_a_general_solver_finds(seed):
    rng = np.random.default_rng(seed)
    y = rng.normal(size=25)
    held_out = y[:, None] + rng.normal(size=(25, 3)) * rng.uniform(0.2, 2.0, 3)
    pull = PULL * np.min(np.mean((held_out - y[:, None]) ** 2, axis=0))

    def objective(w):
        return np.sum((held_out @ w - y) ** 2) + pull * np.sum((w - 1 / 3) ** 2)

    sum_of_one = {"type": "eq", "fun": lambda w: w.sum() - 1.0}
    oracle = minimize(objective, np.full(3, 1 / 3), bounds=[(0, 1)] * 3, constraints=[sum_of_one], tol=1e-12)
    found = combining_weights(y, held_out)
    assert found.sum() == pytest.approx(1.0, abs=1e-12)
    assert (found >= 0.0).all()
    assert objective(found) <= oracle.fun * (1 + 1e-9)


def test_weights_are_equal_where_nothing_can_be_told():
    np.testing.assert_allclose(combining_weights(np.ones(9), np.ones((9, 3))), 1 / 3)


def test_a_member_far_off_gets_next_to_no_weight():
    rng = np.random.default_rng(1)
    y = rng.normal(size=60)
    held_out = np.column_stack([y + 0.1 * rng.normal(size=60), y + 0.1 * rng.normal(size=60), y + 50.0])
    assert combining_weights(y, held_out)[2] < 1e-3


def test_what_a_correction_is_not_likely_to_deserve_goes_to_the_members_without_descriptors():
    learned, by_structure = np.array([0.2, 0.5, 0.3]), np.array([False, True, True])
    np.testing.assert_allclose(towards_the_line(learned, by_structure, 0.0), [1.0, 0.0, 0.0])
    np.testing.assert_allclose(towards_the_line(learned, by_structure, 1.0), learned)
    np.testing.assert_allclose(towards_the_line(learned, by_structure, 0.5), [0.6, 0.25, 0.15])
    for told in (float("nan"), 0.3):
        others = by_structure if np.isnan(told) else np.array([True, True, True])
        np.testing.assert_array_equal(towards_the_line(learned, others, told), learned)


def test_without_structure_the_combined_calibrator_keeps_to_the_line_and_with_it_leaves_it():
    def weight_of_the_line(data):
        return run(data).models["combined"].parameters[weight_name("ordinary")].value

    structured = simulate(6, n=30, scatter=0.05)
    rng = np.random.default_rng(6)
    line = 1.0 + 0.8 * np.log(structured.md) + 0.1 * rng.normal(size=30)
    assert weight_of_the_line(structured) < 0.35  # a third is what the pull towards equal weights leaves
    assert weight_of_the_line(replace(structured, measured=np.exp(line))) > 0.6


def test_values_are_the_weighted_mean_of_the_members():
    found = run(simulate(1, n=30))
    one = found.models["combined"]
    weights = np.array([one.parameters[weight_name(name)].value for name in COMBINED.combines])
    members = np.array([np.log(found.models[name].library) for name in COMBINED.combines])
    np.testing.assert_allclose(np.log(one.library), weights @ members, rtol=1e-12)
    members = np.array([np.log(found.models[name].fitted) for name in COMBINED.combines])
    np.testing.assert_allclose(np.log(one.fitted), weights @ members, rtol=1e-12)


def test_a_polymer_has_no_say_in_the_weights_by_which_it_is_predicted():
    data = simulate(2, n=24)
    before = run(data)
    measured = data.measured.copy()
    measured[5] *= 3.0
    after = run(replace(data, measured=measured))
    old, new = before.kept_fit, after.kept_fit
    assert isinstance(old, KeptFit)
    assert isinstance(new, KeptFit)
    fold = old.held_out.fold
    place = int(old.problem.order.place[5])  # where the polymer is computed
    assert np.array_equal(fold, new.held_out.fold)
    one, other = old.held_out.models["combined"], new.held_out.models["combined"]
    for repetition in range(len(fold)):
        own = fold[repetition] == fold[repetition, place]
        assert np.array_equal(one.predicted[repetition, own], other.predicted[repetition, own])
        assert not np.array_equal(one.predicted[repetition, ~own], other.predicted[repetition, ~own])


def test_intervals_hold_their_share_of_the_measured_values():
    found = run(simulate(3, n=40))
    one = found.models["combined"]
    inside = (one.out_of_fold_lower <= found.measured) & (found.measured <= one.out_of_fold_upper)
    assert inside.mean() >= 0.85
    assert (one.library_lower <= one.library).all()
    assert (one.library <= one.library_upper).all()


def test_coefficients_are_the_derivative_at_the_mean_md_value():
    data = simulate(4, n=30)
    one = run(data).models["combined"]
    estimates = one.coefficients
    assert estimates is not None
    middle = np.exp(np.log(data.md).mean())
    base = data.X.mean(axis=0)
    moved = base + 1e-3 * estimates.scale[3] * np.eye(len(base))[3]
    pair = calibrate(
        data.measured, data.md, data.X, np.full(2, middle), np.stack([base, moved]), data.sizes, OPTIONS
    ).models["combined"]
    slope = (np.log(pair.library[1]) - np.log(pair.library[0])) / 1e-3
    assert slope == pytest.approx(estimates.sign * estimates.gamma[3], rel=1e-6, abs=1e-9)
    assert (estimates.lower <= estimates.gamma).all()
    assert (estimates.gamma <= estimates.upper).all()


@pytest.mark.parametrize("hand", [None, {"affine": Penalties(3.0, 3.0)}])
def test_bands_are_those_of_the_members_about_the_coefficients_of_the_mean(hand):
    """From the bounds of the members alone: where a penalty is given, what it leaves open lies evenly about its fit."""
    found = run(
        simulate(4, n=30),
        replace(OPTIONS, penalties={"log_difference": Penalties(1.0, 1.0), "affine": Penalties(1.0, 1.0)}),
    )
    found = refit(found, hand) if hand else found
    kept_fit, one = found.kept_fit, found.models["combined"]
    members = [name for name in COMBINED.combines if found.models[name].coefficients is not None]
    t = stats.t.ppf(0.95, 28)
    variance, total = np.zeros(14), 0.0
    for name in members:
        own, factor = found.models[name].coefficients, 1.0 / kept_fit.fits[name].natural_factor
        share = one.parameters[weight_name(name)].value
        half = abs(factor) * (own.upper - own.gamma)
        variance += share * ((half / t) ** 2 + (own.sign * factor * own.gamma - one.coefficients.gamma) ** 2)
        total += share
    expected = t * np.sqrt(variance / total)
    np.testing.assert_allclose(one.coefficients.upper - one.coefficients.gamma, expected, rtol=1e-9)
    np.testing.assert_allclose(one.coefficients.gamma - one.coefficients.lower, expected, rtol=1e-9)


@pytest.mark.parametrize("off", [{0}, {0, 1}])
def test_descriptors_that_are_left_out_have_no_band(off):
    own = run(simulate(4, n=30), replace(OPTIONS, blocks_off=frozenset(off))).models["combined"].coefficients
    width = own.upper - own.lower
    assert (width[:6] == 0.0).all()
    assert (width[6:] > 0.0).all() == (1 not in off)


def test_bands_by_refits_add_up():
    found = run(simulate(4, n=30), replace(OPTIONS, bands="bootstrap", bootstrap=20))
    one, kept_fit = found.models["combined"], found.kept_fit
    width = sum(
        one.parameters[weight_name(name)].value * (own.upper - own.lower) / kept_fit.fits[name].natural_factor
        for name in COMBINED.combines
        if (own := found.models[name].coefficients) is not None
    )
    np.testing.assert_allclose(one.coefficients.upper - one.coefficients.lower, width, rtol=1e-9)


def test_it_follows_a_slider():
    before = run(simulate(5, n=30))
    after = refit(before, {"affine": Penalties(100.0, 100.0)})
    assert not np.array_equal(before.models["combined"].library, after.models["combined"].library)


def test_the_protocol_of_the_paper_combines_nothing():
    assert "combined" not in run(simulate(1, n=24), replace(OPTIONS, protocol="paper")).models


def null_part(rng, n=20, kind="normal"):
    X, f = rng.uniform(size=(n, 14)), rng.normal(size=n)
    scatter = rng.normal(size=n) if kind == "normal" else rng.standard_t(3, size=n)
    return training_part(1.0 + 0.7 * f + scatter, f, X - X.mean(axis=0), SIZES, None, True)


@pytest.mark.parametrize("kind", ["normal", "heavy tails"])
def test_the_test_of_structure_holds_its_level(kind):
    rng = np.random.default_rng(7)
    p = np.array([structure_p_value(null_part(rng, kind=kind), np.arange(20)) for _ in range(300)])
    assert np.mean(p < 0.1) == pytest.approx(0.1, abs=0.055)  # three standard errors
    assert 0.4 < p.mean() < 0.6


def line_and_covariance(part, size):
    """Directions of a line, and I + K of a prior for sizes and for steps within a block, so large beside the line."""
    n = len(part.y)
    penalty = np.zeros((14, 14))
    start = 0
    for width in SIZES:
        steps = np.diff(np.eye(width), axis=0)
        penalty[start : start + width, start : start + width] = np.eye(width) + steps.T @ steps
        start += width
    line, K = np.column_stack([np.ones(n), part.f]), part.Z @ np.linalg.solve(penalty, part.Z.T)
    beside = np.eye(n) - line @ np.linalg.pinv(line)
    return line, np.eye(n) + K * size * (n - 2) / np.trace(beside @ K)


def ratio_of_squares(line, V, y):
    """Return the residual sum of squares of generalised over that of ordinary least squares."""
    inverse = np.linalg.inv(V)
    generalised = y - line @ np.linalg.solve(line.T @ inverse @ line, line.T @ inverse @ y)
    ordinary = y - line @ np.linalg.lstsq(line, y, rcond=None)[0]
    return np.einsum("i...,ij,j...->...", generalised, inverse, generalised) / np.sum(ordinary**2, axis=0)


@pytest.mark.parametrize("n", [20, 50])
def test_the_p_value_is_that_of_drawing_scatter_anew(n):
    rng = np.random.default_rng(8)
    part = null_part(rng, n)
    found = structure_p_value(part, np.arange(n))
    line, V = line_and_covariance(part, 20 / n)  # as large as the scatter, less in proportion from 20 polymers on
    drawn = ratio_of_squares(line, V, rng.normal(size=(n, 20000)))
    assert found == pytest.approx(np.mean(drawn <= ratio_of_squares(line, V, part.y)), abs=0.015)


@pytest.mark.parametrize(("n", "slope"), [(10, 0.0), (20, 0.0), (20, 2.0), (50, 1.0)])
def test_the_odds_are_those_of_the_marginal_likelihoods(n, slope):
    """Normal linear models with flat priors of the line and 1/s of the scatter (O'Hagan and Forster, 2004, chapter 11)."""
    part = null_part(np.random.default_rng(n), n)
    part = replace(part, y=part.y + slope * part.Z[:, 3])
    line, V = line_and_covariance(part, 1.0)
    spent = np.linalg.slogdet(line.T @ np.linalg.solve(V, line))[1] - np.linalg.slogdet(line.T @ line)[1]
    log_factor = -0.5 * (np.linalg.slogdet(V)[1] + spent)
    log_factor -= 0.5 * (n - 2) * np.log(ratio_of_squares(line, V, part.y))
    assert structure_probability(part, np.arange(n)) == pytest.approx(1.0 / (1.0 + np.exp(-log_factor)), rel=1e-9)


def test_structure_is_found_where_there_is_some_and_rows_of_one_polymer_count_once():
    rng = np.random.default_rng(9)
    null = null_part(rng)
    null = replace(null, Z=null.Z / null.Z.std(axis=0))
    part = replace(null, y=null.y + null.Z @ rng.normal(size=14))
    assert structure_p_value(part, np.arange(20)) < 0.02
    assert structure_probability(part, np.arange(20)) > 0.9
    twice = np.repeat(np.arange(20), 2)
    doubled = replace(null, y=null.y[twice], f=null.f[twice], Z=null.Z[twice], weights=null.weights[twice])
    for told in (structure_p_value, structure_probability):
        assert told(doubled, twice) == pytest.approx(told(null, np.arange(20)), abs=1e-9)


def test_without_descriptors_nothing_is_told():
    rng = np.random.default_rng(10)
    part = null_part(rng)
    bare = replace(part, Z=np.zeros((20, 0)), sizes=())
    assert np.isnan(structure_p_value(bare, np.arange(20)))
    assert np.isnan(structure_probability(bare, np.arange(20)))
