"""Who is held out together."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import KFold

from affinecal_gui.calibration.data.folds import contiguous_folds, random_folds
from tests.tries import tries


@settings(max_examples=tries(100), deadline=None)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=60), st.integers(2, 12), st.integers(0, 2**32))
def test_rows_of_a_polymer_share_a_fold_and_every_fold_is_used(groups, folds, seed):
    groups = np.array(groups)
    fold = random_folds(groups, folds, np.random.default_rng(seed))
    for group in np.unique(groups):
        assert len(set(fold[groups == group])) == 1
    assert sorted(set(fold)) == list(range(min(folds, len(np.unique(groups)))))


@settings(max_examples=tries(50), deadline=None)
@given(st.integers(2, 80), st.integers(2, 10), st.integers(0, 100))
def test_single_rows_make_folds_of_equal_size(n, folds, seed):
    counts = np.bincount(random_folds(np.arange(n), folds, np.random.default_rng(seed)))
    assert counts.max() - counts.min() <= 1


def test_folds_are_random_but_reproducible():
    first = random_folds(np.arange(40), 5, np.random.default_rng(7))
    again = random_folds(np.arange(40), 5, np.random.default_rng(7))
    other = random_folds(np.arange(40), 5, np.random.default_rng(8))
    assert (first == again).all()
    assert (first != other).any()


def test_large_polymers_do_not_unbalance_the_folds():
    groups = np.repeat(np.arange(13), [20, *[1] * 12])
    counts = np.bincount(random_folds(groups, 4, np.random.default_rng(0)))
    assert sorted(counts) == [4, 4, 4, 20]


def test_contiguous_folds_are_those_of_scikit_learn():
    for n, folds in ((62, 5), (60, 5), (11, 4)):
        fold = contiguous_folds(n, folds)
        for k, (_, test) in enumerate(KFold(folds).split(np.zeros(n))):
            assert np.flatnonzero(fold == k).tolist() == test.tolist()
