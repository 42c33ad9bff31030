"""Kernels against scikit-learn's."""

import numpy as np
import pytest
from sklearn.gaussian_process.kernels import RBF, Matern

from affinecal_gui.calibration.kernels.gram import KERNELS, factor, gram_matrix

PEERS = {
    "rbf": RBF,
    "matern12": lambda length: Matern(length, nu=0.5),
    "matern32": lambda length: Matern(length, nu=1.5),
    "matern52": lambda length: Matern(length, nu=2.5),
}


@pytest.mark.parametrize("kernel", PEERS)
@pytest.mark.parametrize("length", [None, 0.7])
def test_kernels_are_scikit_learns(kernel, length):
    rng = np.random.default_rng(1)
    A, B = rng.standard_normal((7, 5)), rng.standard_normal((4, 5))
    scale = np.sqrt(5.0) if length is None else length
    np.testing.assert_allclose(gram_matrix(kernel, A, B, length), PEERS[kernel](scale)(A, B), rtol=1e-12)


def test_linear_kernel():
    rng = np.random.default_rng(2)
    A = rng.standard_normal((6, 3))
    np.testing.assert_allclose(gram_matrix("linear", A, A), A @ A.T / 3.0, atol=1e-15)


@pytest.mark.parametrize("kernel", KERNELS)
def test_gram_matrices_are_positive_semi_definite_and_equal_rows_are_equal(kernel):
    rng = np.random.default_rng(3)
    A = np.repeat(rng.standard_normal((5, 2)), 2, axis=0)
    K = gram_matrix(kernel, A, A)
    np.testing.assert_array_equal(K[0], K[1])
    assert np.linalg.eigvalsh(K).min() > -1e-12


def test_without_features_all_rows_are_alike():
    assert np.ptp(gram_matrix("rbf", np.zeros((3, 0)), np.zeros((2, 0)))) == 0.0


def test_an_unknown_kernel_is_refused():
    with pytest.raises(ValueError, match="there is no kernel"):
        gram_matrix("cubic", np.zeros((2, 1)), np.zeros((2, 1)))  # type: ignore[arg-type]


def test_factors_restore_the_gram_matrix_even_when_its_rank_differs():
    rng = np.random.default_rng(4)
    full, low = rng.standard_normal((6, 6)), rng.standard_normal((6, 2))
    K = np.stack([full @ full.T, low @ low.T])
    L, T = factor(K)
    np.testing.assert_allclose(L @ L.transpose(0, 2, 1), K, atol=1e-10)
    # K T = L, so that h = L w is K b with b = T w.
    np.testing.assert_allclose(K @ T, L, atol=1e-8)
