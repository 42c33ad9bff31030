"""The standard unit of a descriptor: what a floor prevents, and what it leaves alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from affinecal_gui.calibration.data.scale import SMALLEST_SHARE, learn_scale, z_scores
from tests.calibration.bundled_examples import SIZES, load_example
from tests.tries import tries


def test_an_almost_constant_column_cannot_explode():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(30, 4))
    X[:, 2] = 1e-26 * rng.uniform(size=30)  # the kernel tail of an element that no training polymer contains
    scale = learn_scale(X, (4,))
    new = np.array([[0.5, 0.5, 0.1, 0.5]])  # a polymer that contains it
    typical = np.sqrt(np.mean(X.std(axis=0) ** 2))
    assert abs(scale.apply(new)[0, 2]) == pytest.approx(0.1 / (SMALLEST_SHARE * typical), rel=1e-12)
    assert abs(z_scores(X).apply(new)[0, 2]) > 1e20  # what the floor prevents


def test_bromine_of_the_bundled_example_stays_finite():
    _, _, X, _, library_X = load_example("heat_capacity")
    bromine = 8
    without = X[X[:, bromine] < 1e-6]
    with_bromine = library_X[library_X[:, bromine] > 1e-2]
    assert len(with_bromine) > 0
    scaled = learn_scale(without, SIZES).apply(with_bromine)
    assert np.abs(scaled).max() < 20.0
    assert np.abs(z_scores(without).apply(with_bromine)).max() > 1e6


def test_columns_that_vary_keep_their_standard_deviation():
    X = np.random.default_rng(1).normal(size=(40, 6)) * np.array([1.0, 1.2, 0.9, 5.0, 6.0, 5.5])
    scale = learn_scale(X, (3, 3))
    np.testing.assert_allclose(scale.scale, X.std(axis=0), rtol=1e-12)
    np.testing.assert_allclose(z_scores(X).scale, X.std(axis=0, ddof=1), rtol=1e-12)
    np.testing.assert_allclose(scale.mean, X.mean(axis=0), rtol=1e-12)


def test_a_weight_counts_like_a_repeated_row():
    rng = np.random.default_rng(2)
    X, counts = rng.normal(size=(12, 5)), rng.integers(1, 4, 12)
    weighted, repeated = learn_scale(X, (2, 3), counts.astype(float)), learn_scale(np.repeat(X, counts, axis=0), (2, 3))
    np.testing.assert_allclose(weighted.mean, repeated.mean, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(weighted.scale, repeated.scale, rtol=1e-12)


@settings(max_examples=tries(60), deadline=None)
@given(
    arrays(np.float64, (7, 5), elements=st.floats(-1e150, 1e150, allow_subnormal=False)),
    st.sampled_from([(5,), (2, 3), (1, 1, 1, 1, 1)]),
)
def test_scales_are_always_positive_and_finite(X, sizes):
    for scale in (learn_scale(X, sizes), z_scores(X)):
        assert np.isfinite(scale.mean).all()
        assert np.isfinite(scale.scale).all()
        assert (scale.scale > 0.0).all()


def test_rounding_is_not_variation():
    X = np.full((9, 2), 0.1) * (1.0 + 1e-16 * np.arange(9))[:, None]
    assert learn_scale(X, (2,)).scale.tolist() == [1.0, 1.0]


@pytest.mark.parametrize("unit", [1e-30, 1e30])
def test_the_unit_of_a_block_does_not_matter(unit):
    X = np.random.default_rng(3).normal(size=(20, 4))
    np.testing.assert_allclose(
        learn_scale(unit * X, (4,)).apply(unit * X), learn_scale(X, (4,)).apply(X), rtol=1e-10, atol=1e-12
    )
