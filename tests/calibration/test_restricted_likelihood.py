"""How likely measurements are under a pair of penalties, and which penalties follow."""

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from affinecal_gui.calibration.calibrators.training import training_part
from affinecal_gui.calibration.cross_validation.penalty_search import averaged_penalties, surface_from_errors
from affinecal_gui.calibration.cross_validation.resampling import Resampling
from affinecal_gui.calibration.cross_validation.restricted_likelihood import log_likelihoods
from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge

SIZES = (3, 5)
PAIRS = ((0.3, 0.1), (1.0, 0.0), (3.0, 10.0))


def invented(n, seed=0, sizes=SIZES, log_scale=True):
    rng = np.random.default_rng(seed)
    f, Z = rng.normal(6.0, 0.5, n), rng.normal(size=(n, sum(sizes)))
    y = 1.0 + 0.8 * f + 0.1 * Z[:, 0] + 0.1 * rng.normal(size=n)
    return training_part(y, f, Z, sizes, rng.uniform(0.5, 2.0, n), log_scale)


def found_for(model, part):
    penalties = [part.ridge(*pair) for pair in PAIRS]
    return log_likelihoods([model], part, Resampling(part.Z, part.sizes, penalties, (), part.weights))[model]


def textbook(part, pair, given):
    """The density of all contrasts that the flat parameters do not move, at the scatter that makes it largest."""
    n = len(part.y)
    H, y = (np.ones((n, 1)), part.y - part.f) if given else (np.column_stack([np.ones(n), part.f]), part.y)
    V = np.diag(1.0 / part.weights) + part.Z @ np.linalg.inv(FusedRidge(part.sizes, *pair).dense()) @ part.Z.T
    contrasts = np.linalg.svd(H)[0][:, H.shape[1] :].T
    seen, C = contrasts @ y, contrasts @ V @ contrasts.T
    scatter = seen @ np.linalg.solve(C, seen) / len(seen)
    return multivariate_normal(np.zeros(len(seen)), scatter * C).logpdf(seen)


@pytest.mark.parametrize(("model", "given"), [("log_difference", True), ("affine", False)])
@pytest.mark.parametrize(
    ("n", "log_scale"), [(12, True), (12, False), (130, True)]
)  # 130: more than is kept by polymers
def test_pairs_compare_as_the_densities_of_contrasts(model, given, n, log_scale):
    part = invented(n, log_scale=log_scale)
    expected = np.array([textbook(part, pair, given) for pair in PAIRS])
    found = found_for(model, part)
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-8, atol=1e-8)


def test_equal_md_values_leave_the_offset_alone():
    part = invented(12)
    flat = training_part(part.y, np.full(12, 6.0), part.Z, SIZES, part.weights, True)
    found = found_for("affine", flat)
    expected = found_for("log_difference", flat)
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-9)


def test_values_that_are_met_exactly_favour_no_pair_by_rounding():
    part = invented(12)
    line = training_part(2.0 + part.f, part.f, part.Z, SIZES, None, True)
    found = found_for("affine", line)
    assert np.isfinite(found).all()


def test_a_likelier_pair_draws_the_mean_of_the_penalties_to_itself():
    grid = np.array([0.1, 1.0, 10.0])
    surface = surface_from_errors(grid, grid, np.full((3, 3), 0.2))
    sharp = np.zeros((3, 3))
    sharp[0, 2] = 50.0
    found = averaged_penalties(surface, 1.0, 20, 1.0, sharp)
    assert (found.lambda_1, found.lambda_2) == (pytest.approx(0.1), pytest.approx(10.0))
    # One unit of ln L counts e times, an error half as large 2 ** (0.15 n) times.
    error = np.full((2, 1), 0.2)
    error[1] /= 2.0
    levelled = np.array([[0.15 * 20 * np.log(2.0)], [0.0]])
    level = averaged_penalties(surface_from_errors(grid[:2], grid[:1], error**2), 1.0, 20, 1.0, levelled)
    nothing = averaged_penalties(surface_from_errors(grid[:2], grid[:1], np.ones((2, 1))), 1.0, 20)
    assert level.lambda_1 == pytest.approx(nothing.lambda_1)
