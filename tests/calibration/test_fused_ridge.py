"""The penalty: its matrix, its inverse, and the coordinates in which it is diagonal."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from affinecal_gui.calibration.solvers.fused_ridge import FusedRidge, from_modes, smoothness_modes, to_modes
from affinecal_gui.errors import UserError
from tests.calibration import textbook_calibrators as textbook
from tests.tries import tries


def rounding(matrix):
    """What rounding does to a product with this matrix, per unit of the vector, and to its backward-stable solution.

    An absolute bound that does not follow the matrix is too tight for penalties (0.01, 190), where Lambda has a condition of
    1e9, and much too wide for others.
    """
    return 10 * len(matrix) * np.finfo(float).eps * np.linalg.norm(matrix, 2)


sizes = st.lists(st.integers(1, 12), min_size=1, max_size=6).map(tuple)
penalties = st.tuples(st.floats(1e-2, 1e2), st.floats(0.0, 200.0))


@settings(max_examples=tries(60), deadline=None)
@given(sizes, penalties)
@example((12, 1, 7, 12), (0.01, 190.0))
def test_the_matrix_is_that_of_the_textbook_and_solve_inverts_it(sizes, penalties):
    penalty = FusedRidge(sizes, *penalties)
    Lambda = textbook.penalty_matrix(sizes, *penalties)
    np.testing.assert_allclose(penalty.dense(), Lambda, rtol=1e-12, atol=1e-12 * np.abs(Lambda).max())
    B = np.random.default_rng(0).standard_normal((sum(sizes), 3))
    for right in (B, B[:, 0]):
        found = penalty.solve(right)
        np.testing.assert_allclose(Lambda @ found, right, rtol=0, atol=rounding(Lambda) * np.linalg.norm(found))


@settings(max_examples=tries(60), deadline=None)
@given(sizes, penalties)
def test_the_modes_make_it_diagonal(sizes, penalties):
    penalty = FusedRidge(sizes, *penalties)
    Lambda = penalty.dense()
    d = sum(sizes)
    Q = to_modes(np.eye(d), sizes)
    np.testing.assert_allclose(Q.T @ Q, np.eye(d), atol=1e-12)
    np.testing.assert_allclose(Q.T @ Lambda @ Q, np.diag(penalty.eigenvalues), rtol=0, atol=rounding(Lambda))
    gamma = np.random.default_rng(1).standard_normal(d)
    np.testing.assert_allclose(from_modes(to_modes(gamma, sizes), sizes), gamma, atol=1e-12)
    of_gamma = penalty.quadratic_form(gamma)
    assert of_gamma == pytest.approx(gamma @ Lambda @ gamma, rel=0, abs=rounding(Lambda) * (gamma @ gamma))


def test_the_paper_s_rows_of_the_difference_matrix_are_zero():
    # Borders after 10, 30, 50, ... 170 of 190 coefficients (supplement of the paper).
    off = np.diag(FusedRidge((10,) + (20,) * 9, 1.0, 50.0).dense(), 1)
    assert (np.flatnonzero(off == 0.0) + 1).tolist() == [10, 30, 50, 70, 90, 110, 130, 150, 170]
    assert set(off[off != 0.0]) == {-2500.0}


def test_penalties_per_block_are_blocks_of_their_own():
    both = FusedRidge((4, 3), [1.0, 2.0], [5.0, 0.0]).dense()
    np.testing.assert_array_equal(both[:4, :4], FusedRidge((4,), 1.0, 5.0).dense())
    np.testing.assert_array_equal(both[4:, 4:], 4.0 * np.eye(3))
    assert not both[:4, 4:].any()


def test_one_descriptor_is_plain_ridge():
    modes, eigenvalues = smoothness_modes(1)
    assert modes.tolist() == [[1.0]]
    assert eigenvalues.tolist() == [0.0]
    assert FusedRidge((1,), 3.0, 7.0).dense().tolist() == [[9.0]]


def test_no_descriptors_at_all_are_allowed():
    penalty = FusedRidge((), 1.0, 1.0)
    assert penalty.n_features == 0
    assert penalty.dense().shape == (0, 0)
    assert penalty.solve(np.zeros((0, 2))).shape == (0, 2)
    assert penalty.eigenvalues.shape == (0,)


@pytest.mark.parametrize(("first", "second"), [(0.0, 1.0), (-1.0, 1.0), (np.nan, 1.0), (1.0, -1.0), (1.0, np.inf)])
def test_impossible_penalties_are_refused(first, second):
    with pytest.raises(UserError, match="lambda"):
        FusedRidge((3,), first, second)


def test_wrong_shapes_are_faults_of_the_program():
    with pytest.raises(ValueError, match="blocks"):
        FusedRidge((3, 2), [1.0, 2.0, 3.0], 1.0)
    with pytest.raises(ValueError, match="at least one descriptor"):
        FusedRidge((3, 0), 1.0, 1.0)
