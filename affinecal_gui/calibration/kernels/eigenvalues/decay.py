"""How fast the eigenvalues of K2 o K3 fall when the source features share more and more with the descriptors.

The experiment of Minami et al. (NeurIPS 2023, supplement C): 100 samples, descriptors x and source features s of ten columns
each, in subspaces that have d = 0 ... 10 directions in common; five kernels for K3 (of x) and for K2 (of s). Of K2, K3 and
their product the smallest s is taken with

    lambda_i <= c i^(-1/s)   for all i                                                                (D1)

**What c is differs**: the text of the paper says the squared Frobenius norm of the matrix, the published program takes its
trace, and the published figures are those of the trace. Both are offered here. The program searches for s by Nelder-Mead,
with a loss that has no value where the curve falls below an eigenvalue; where that search ends is the closed form of
:func:`decay_rates`: all 27,500 published results to 5e-8.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.kernels.gram import gram_matrix
from affinecal_gui.calibration.kernels.tasks import work_through
from affinecal_gui.calibration.results import FloatArray, KernelName
from affinecal_gui.errors import UserError
from affinecal_gui.task import UNWATCHED, Task

Norm = Literal["trace", "frobenius"]
"""What c of (D1) is: the trace of the matrix (published program), or its squared Frobenius norm (text of the paper)."""

NORMS: tuple[Norm, ...] = ("trace", "frobenius")
PAPER_KERNELS: tuple[KernelName, ...] = ("linear", "matern12", "matern32", "matern52", "rbf")
PAPER_DRAWS = 100
SAMPLES, DIMENSION = 100, 10
PAPER_OVERLAPS = tuple(range(DIMENSION + 1))

ROUNDING = 1e-12
"""Eigenvalues below this share of the largest are rounding."""


@dataclass(frozen=True, slots=True)
class DecayRates:
    """The smallest s of (D1), with one norm."""

    source: FloatArray  # (kernels, overlaps, draws), of K2
    target: FloatArray  # (kernels, draws), of K3, which does not depend on the overlap
    product: FloatArray  # (kernels of K3, kernels of K2, overlaps, draws), of K2 o K3


@dataclass(frozen=True, slots=True)
class EigenvalueDecay:
    """The result of the experiment."""

    kernels: tuple[KernelName, ...]
    overlaps: tuple[int, ...]  # dimensions that the two subspaces have in common
    draws: int
    rates: Mapping[Norm, DecayRates]


def clean_eigenvalues(K: FloatArray) -> FloatArray:
    """Return the eigenvalues (..., n) of Gram matrices (..., n, n), the largest first, 0 where they are rounding."""
    values: FloatArray = np.asarray(np.linalg.eigvalsh(K)[..., ::-1], dtype=np.float64)
    least = ROUNDING * np.maximum(values[..., :1], np.finfo(np.float64).tiny)
    return np.where(values > least, values, 0.0)


def decay_rates(eigenvalues: FloatArray, c: FloatArray) -> FloatArray:
    """Return the smallest s of (D1), in closed form: the largest of log i / log(c / lambda_i) over i > 1.

    Parameters
    ----------
    eigenvalues
        (..., n), the largest first; those that are 0 bound nothing.
    c
        (...) the factor of (D1).

    Returns
    -------
    (...) array
        0 where a single eigenvalue is above 0; infinite where an eigenvalue after the first reaches c, so that no s holds.
    """
    i = np.arange(1, eigenvalues.shape[-1] + 1, dtype=np.float64)
    told = (i > 1.0) & (eigenvalues > 0.0)
    fall = np.log(np.where(told, np.asarray(c)[..., None] / np.where(told, eigenvalues, 1.0), np.e))
    rates = np.where(fall > 0.0, np.log(i) / np.where(fall > 0.0, fall, 1.0), np.inf)
    return np.asarray(np.where(told, rates, 0.0).max(axis=-1, initial=0.0))


def draw_features(draw: int, overlap: int) -> tuple[FloatArray, FloatArray]:
    """Return descriptors and source features of one draw of the experiment, as the published program draws them.

    The columns of x lie in the first ten directions of a random orthonormal basis, those of the source features in ten of
    which the first ``overlap`` are the last of x; each is mixed by a Gaussian 10 x 10 matrix and z-scored (sample standard
    deviation).

    Parameters
    ----------
    draw
        Number of the draw, from 0, which is the seed: of the basis, by Householder reflections of Gaussian vectors, and
        *once more* of the two mixing matrices. The generator gives the same numbers everywhere.
    overlap
        Dimensions that the subspaces have in common, 0 to 10.

    Returns
    -------
    (100, 10) arrays
        x and s.
    """
    first = np.random.RandomState(draw)
    basis = _random_basis(first, SAMPLES, 2 * DIMENSION)
    again = np.random.RandomState(draw)
    mixed_target = basis[:, :DIMENSION] @ again.standard_normal((DIMENSION, DIMENSION))
    start = DIMENSION - overlap
    mixed_source = basis[:, start : start + DIMENSION] @ again.standard_normal((DIMENSION, DIMENSION))
    return _z_scores(mixed_target), _z_scores(mixed_source)


def run_eigenvalue_decay(
    *,
    draws: int = PAPER_DRAWS,
    overlaps: Sequence[int] = PAPER_OVERLAPS,
    kernels: Sequence[KernelName] = PAPER_KERNELS,
    task: Task = UNWATCHED,
) -> EigenvalueDecay:
    """Run the experiment: every pair of kernels, every overlap, every draw; the same numbers each time.

    Parameters
    ----------
    draws
        Random draws, 0 to ``draws`` - 1.
    overlaps
        Dimensions in common, each from 0 to 10.
    kernels
        Of K2 and of K3, all pairs.

    Raises
    ------
    UserError
        No draw, kernel or overlap, or an overlap that two subspaces of ten dimensions cannot have.
    Cancelled
        When asked to stop.
    """
    if draws < 1 or not kernels or not overlaps:
        raise UserError("The experiment needs at least one draw, one kernel and one overlap.")
    wrong = [overlap for overlap in overlaps if not 0 <= overlap <= DIMENSION]
    if wrong:
        raise UserError(f"Two subspaces of {DIMENSION} dimensions cannot have {wrong[0]} in common.")

    def one_draw(draw: int) -> Mapping[Norm, DecayRates]:
        return _rates_of_draw(draw, overlaps, kernels, task)

    found = work_through(one_draw, range(draws), SAMPLES, task, "Eigenvalues of random kernels")
    rates = {
        norm: DecayRates(
            *(
                read_only(np.stack([getattr(one[norm], name) for one in found], axis=-1))
                for name in ("source", "target", "product")
            )
        )
        for norm in NORMS
    }
    return EigenvalueDecay(tuple(kernels), tuple(overlaps), draws, rates)


def _rates_of_draw(
    draw: int, overlaps: Sequence[int], kernels: Sequence[KernelName], task: Task
) -> Mapping[Norm, DecayRates]:
    """Return the rates of one draw, as those of the experiment without their last axis."""
    target = _grams(draw_features(draw, 0)[0], kernels)
    of_target = _rates(target)
    of_source: dict[Norm, list[FloatArray]] = {norm: [] for norm in NORMS}
    of_product: dict[Norm, list[FloatArray]] = {norm: [] for norm in NORMS}
    for overlap in overlaps:
        task.check()
        source = _grams(draw_features(draw, overlap)[1], kernels)
        alone, together = _rates(source), _rates(target[:, None] * source[None])
        for norm in NORMS:
            of_source[norm].append(alone[norm])
            of_product[norm].append(together[norm])
    return {
        norm: DecayRates(np.stack(of_source[norm], axis=-1), of_target[norm], np.stack(of_product[norm], axis=-1))
        for norm in NORMS
    }


def _grams(A: FloatArray, kernels: Sequence[KernelName]) -> FloatArray:
    """(kernels, n, n): those of the paper, the linear one with half the dimension's weight and a constant of 1."""
    return np.stack(
        [
            gram_matrix(kernel, A, A, np.sqrt(2.0 * A.shape[1])) + 1.0
            if kernel == "linear"
            else gram_matrix(kernel, A, A)
            for kernel in kernels
        ]
    )


def _rates(K: FloatArray) -> dict[Norm, FloatArray]:
    values = clean_eigenvalues(K)
    trace = np.trace(K, axis1=-2, axis2=-1)
    return {"trace": decay_rates(values, trace), "frobenius": decay_rates(values, np.square(K).sum(axis=(-2, -1)))}


def _random_basis(generator: np.random.RandomState, n: int, columns: int) -> FloatArray:
    """Return the first columns of an orthonormal n x n matrix from the Haar distribution, by the method of Stewart (1980).

    It is the product of reflections, each taking a Gaussian vector of the directions that are left to the first of them. A
    column is settled once its own reflection is applied, so later ones need not be drawn.
    """
    H = np.eye(n)
    for k in range(min(columns, n)):
        vector = generator.standard_normal(n - k)
        sign = 1.0 if vector[0] >= 0.0 else -1.0
        vector[0] += sign * np.linalg.norm(vector)
        vector *= np.sqrt(2.0) / np.linalg.norm(vector)
        rest = H[:, k:]
        H[:, k:] = -sign * (rest - np.outer(rest @ vector, vector))
    return H[:, :columns]


def _z_scores(A: FloatArray) -> FloatArray:
    return np.asarray((A - A.mean(axis=0)) / A.std(axis=0, ddof=1))
