"""The decay of eigenvalues, and whether source features and descriptors overlap."""

import numpy as np
import pytest

from affinecal_gui.calibration.kernels.eigenvalues.overlap import decay, judge_overlap
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.figures.plots.overlap import overlap_figure


def test_the_rate_is_the_smallest_whose_bound_holds():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    found = decay(gram_matrix("rbf", X, X))
    i = np.arange(1, 41, dtype=float)
    assert (found.eigenvalues <= found.bound(i) * (1 + 1e-9)).all()
    smaller = found.frobenius**2 * i ** (-1.0 / (0.999 * found.rate))
    assert (found.eigenvalues > smaller).any()


def test_a_known_power_law():
    i = np.arange(1, 30, dtype=float)
    rotation, _ = np.linalg.qr(np.random.default_rng(1).standard_normal((29, 29)))
    values = 7.0 * i**-2.5
    found = decay(rotation @ np.diag(values) @ rotation.T)
    by_hand = max(np.log(k) / np.log((values**2).sum() / v) for k, v in zip(i[1:], values[1:], strict=True))
    assert found.rate == pytest.approx(by_hand)


def test_kernels_of_many_dimensions_fall_slower():
    X = np.random.default_rng(2).standard_normal((60, 8))
    rates = [decay(gram_matrix("rbf", X[:, :p], X[:, :p])).rate for p in (1, 3, 8)]
    assert rates == sorted(rates)


@pytest.mark.parametrize("seed", range(3))
def test_a_source_that_follows_from_the_descriptors_overlaps(seed):
    X = np.random.default_rng(seed).standard_normal((60, 5))
    found = judge_overlap(np.sin(X[:, :1]), X)
    assert found.overlaps
    assert "Source and descriptors overlap" in found.sentence


def test_a_source_of_its_own_does_not_overlap():
    rng = np.random.default_rng(7)
    p_values = [
        judge_overlap(rng.standard_normal((40, 1)), rng.standard_normal((40, 5)), seed=k).p_value for k in range(20)
    ]
    assert 0.2 < np.mean(p_values) < 0.8
    assert sum(p <= 0.05 for p in p_values) <= 4


@pytest.mark.parametrize("n", [2, 3, 10])
def test_constant_features_are_judged_too(n):
    found = judge_overlap(np.ones((n, 1)), np.zeros((n, 2)))
    assert found.source.rate == 0.0
    assert not found.overlaps
    assert found.sentence
    overlap_figure(found)


def test_the_figure_has_the_sentence():
    X = np.random.default_rng(3).standard_normal((30, 4))
    found = judge_overlap(X[:, :1], X)
    words = " ".join(text.get_text() for text in overlap_figure(found).texts)
    assert "Source and descriptors overlap" in words
