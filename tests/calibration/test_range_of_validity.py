"""Distances and ranges, against brute force."""

import numpy as np
import pytest

from affinecal_gui.calibration.checking.validity import NEIGHBOURS, USUAL_SHARE, judge_validity


@pytest.fixture
def data():
    rng = np.random.default_rng(0)
    Z, f = rng.normal(size=(20, 7)), rng.normal(8.0, 0.3, 20)
    others = rng.normal(size=(15, 7))
    return f, Z, np.concatenate([f[:5], rng.normal(8.0, 0.4, 15)]), np.vstack([Z[:5], others])


def test_against_brute_force(data, monkeypatch):
    f, Z, library_f, library_Z = data
    for most in (2_000_000, 50):  # in one piece, and cut into pieces
        monkeypatch.setattr("affinecal_gui.calibration.checking.validity.MOST_NUMBERS", most)
        found = judge_validity(f, Z, library_f, library_Z)
        distance = np.sqrt(((library_Z[:, None] - Z) ** 2).mean(axis=2))
        np.testing.assert_allclose(found.distance, distance.min(axis=1), atol=1e-12)
        for i in range(20):
            others = [int(j) for j in np.argsort(distance[i]) if not (i < 5 and j == i)]
            assert found.nearest[i].tolist() == others[:NEIGHBOURS]
            np.testing.assert_allclose(found.nearest_distance[i], distance[i][others[:NEIGHBOURS]], rtol=1e-12)
        within = np.sqrt(((Z[:, None] - Z) ** 2).mean(axis=2)) + np.diag(np.full(20, np.inf))
        assert found.distance_limit == pytest.approx(np.quantile(within.min(axis=1), USUAL_SHARE, method="higher"))
        assert found.md_inside.tolist() == [bool(f.min() <= v <= f.max()) for v in library_f]
        inside = (library_Z >= Z.min(axis=0) - 1e-9) & (library_Z <= Z.max(axis=0) + 1e-9)
        assert found.descriptors_inside.tolist() == inside.sum(axis=1).tolist()
        assert found.inside.tolist() == (found.md_inside & (found.distance <= found.distance_limit)).tolist()


def test_a_training_polymer_is_inside_and_not_its_own_neighbour(data):
    f, Z, library_f, library_Z = data
    found = judge_validity(f, Z, library_f, library_Z)
    assert found.inside[:5].all()
    assert (found.distance[:5] == 0.0).all()
    assert all(i not in found.nearest[i] for i in range(5))


def test_a_polymer_without_descriptors_is_not_inside(data):
    f, Z, library_f, library_Z = data
    library_Z[3] = np.nan
    found = judge_validity(f, Z, library_f, library_Z)
    assert not found.inside[3]
    assert np.isinf(found.distance[3])
    assert found.descriptors_inside[3] == 0


def test_without_descriptors_only_the_md_value_counts():
    f = np.arange(9.0)
    found = judge_validity(f, np.zeros((9, 0)), np.array([-1.0, 4.5]), np.zeros((2, 0)))
    assert found.inside.tolist() == [False, True]


def test_an_empty_library():
    found = judge_validity(np.arange(9.0), np.ones((9, 2)), np.zeros(0), np.zeros((0, 2)))
    assert found.inside.shape == (0,)
