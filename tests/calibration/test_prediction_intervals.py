"""Intervals: ranks against brute force, and the coverage they promise."""

import numpy as np
import pytest

from affinecal_gui.calibration.uncertainty.intervals import (
    OutOfFold,
    guaranteed_coverage,
    level_within_reach,
    library_intervals,
    measured_intervals,
    scores,
)


def held_out(seed, n=23, m=9, repetitions=3, folds=4):
    rng = np.random.default_rng(seed)
    fold = np.stack([rng.permutation(n) % folds for _ in range(repetitions)])
    y = rng.normal(size=n)
    return y, OutOfFold(
        fold,
        y + 0.3 * rng.normal(size=(repetitions, n)),
        rng.uniform(0.5, 2.0, (repetitions, n)),
        rng.normal(size=(repetitions, folds, m)),
        rng.uniform(0.5, 2.0, (repetitions, folds, m)),
    )


@pytest.mark.parametrize("level", [0.5, 0.8, 0.9])
def test_library_intervals_against_a_double_loop(level, monkeypatch):
    y, one = held_out(0)
    score = scores(y, one)
    repetitions, n = score.shape
    m = one.library.shape[2]
    rank = int(np.ceil(level * (n + 1) * repetitions))
    expected = np.empty((2, m))
    for x in range(m):
        low, high = [], []
        for r in range(repetitions):
            for i in range(n):
                centre, spread = one.library[r, one.fold[r, i], x], one.library_spread[r, one.fold[r, i], x]
                low.append(centre - score[r, i] * spread)
                high.append(centre + score[r, i] * spread)
        expected[:, x] = sorted(low, reverse=True)[rank - 1], sorted(high)[rank - 1]
    value = 0.5 * (expected[0] + expected[1])
    for most in (4_000_000, 100):  # in one piece, and cut into pieces
        monkeypatch.setattr("affinecal_gui.calibration.uncertainty.intervals.MOST_SCORES", most)
        np.testing.assert_array_equal(library_intervals(y, one, value, level), expected)


def test_a_library_interval_contains_its_value():
    y, one = held_out(1)
    value = np.full(9, 5.0)
    lower, upper = library_intervals(y, one, value, 0.5)
    assert (upper >= 5.0).all()
    assert (lower <= 5.0).all()


@pytest.mark.parametrize(("n", "level"), [(23, 0.9), (23, 0.5), (62, 0.9), (8, 0.5)])
def test_the_promised_share_of_measured_polymers_lies_inside(n, level):
    y, one = held_out(2, n=n, repetitions=1)
    lower, upper = measured_intervals(y, one, level)
    inside = int(((y >= lower) & (y <= upper)).sum())
    assert inside == int(np.ceil(level * n - 1e-9))


def test_the_interval_of_a_measured_polymer_does_not_know_its_value():
    y, one = held_out(3, repetitions=1)
    lower, upper = measured_intervals(y, one, 0.9)
    far = y.copy()
    far[4] += 1000.0
    changed_lower, changed_upper = measured_intervals(far, one, 0.9)
    assert changed_lower[4] == pytest.approx(lower[4], abs=1e-12)
    assert changed_upper[4] == pytest.approx(upper[4], abs=1e-12)


def test_a_level_beyond_reach_uses_the_largest_residual():
    y, one = held_out(4, n=9, repetitions=1)
    assert level_within_reach(9) == 0.9
    lower, upper = measured_intervals(y, one, 0.99)
    score = scores(y, one)[0]
    for i in range(9):
        assert upper[i] - lower[i] == pytest.approx(2 * np.delete(score, i).max() * one.spread[0, i])
    low, high = library_intervals(y, one, np.zeros(9), 0.99)
    assert np.isfinite(low).all()
    assert np.isfinite(high).all()


def test_the_proven_coverage():
    assert guaranteed_coverage(0.9, 62, 5) == pytest.approx(1 - 2 * (0.1 * 63 + 4) / 67)
    assert guaranteed_coverage(0.9, 10**6, 5) == pytest.approx(0.8, abs=1e-4)
    assert guaranteed_coverage(0.5, 62, 5) == 0.0


@pytest.mark.parametrize("level", [0.5, 0.9])
def test_coverage_in_simulation(level):
    """Ridge regression with leverage-scaled scores on 250 data sets of 25 rows: coverage of 20 new rows each.

    The larger simulation with the product's own models is tests/benchmarks/interval_coverage.py.
    """
    covered = []
    for seed in range(250):
        rng = np.random.default_rng(seed)
        n, m, folds = 25, 20, 5
        X = rng.normal(size=(n + m, 6)) * np.array([1.0, 1.0, 0.3, 0.3, 2.0, 0.1])
        y = X @ rng.normal(size=6) + rng.standard_t(4, size=n + m)
        fold = np.stack([rng.permutation(n) % folds for _ in range(2)])
        predicted, spread = np.empty((2, n)), np.empty((2, n))
        library, library_spread = np.empty((2, folds, m)), np.empty((2, folds, m))
        for r in range(2):
            for k in range(folds):
                train, held = np.flatnonzero(fold[r] != k), np.flatnonzero(fold[r] == k)
                A = X[train].T @ X[train] + np.eye(6)
                coefficients = np.linalg.solve(A, X[train].T @ y[train])
                leverage = np.sqrt(1.0 + np.einsum("ij,ij->i", X, np.linalg.solve(A, X.T).T))
                predicted[r, held], spread[r, held] = X[held] @ coefficients, leverage[held]
                library[r, k], library_spread[r, k] = X[n:] @ coefficients, leverage[n:]
        one = OutOfFold(fold, predicted, spread, library, library_spread)
        lower, upper = library_intervals(y[:n], one, library.mean(axis=(0, 1)), level)
        covered.append(np.mean((y[n:] >= lower) & (y[n:] <= upper)))
    # Standard error of the mean coverage over data sets: about 0.008.
    assert level - 0.03 < np.mean(covered) < level + 0.06


def test_thinning_of_very_many_scores_only_widens(monkeypatch):
    y, one = held_out(5, n=400, repetitions=2)
    value = one.library.mean(axis=(0, 1))
    lower, upper = library_intervals(y, one, value, 0.9)
    monkeypatch.setattr("affinecal_gui.calibration.uncertainty.intervals.MOST_PER_FOLD", 20)
    wider_lower, wider_upper = library_intervals(y, one, value, 0.9)
    assert (wider_lower <= lower).all()
    assert (wider_upper >= upper).all()
    np.testing.assert_allclose(wider_upper - wider_lower, upper - lower, rtol=0.15)
