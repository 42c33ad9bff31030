"""Weights of calibrators that are combined: non-negative, adding up to one, drawn towards equal ones where little is known.

The weights minimise the squared residuals of the combination on polymers that its members have not seen (Wolpert, Neural
Networks 5, 1992, 241-259; Breiman, Machine Learning 24, 1996, 49-64) plus :data:`PULL` mean squared residuals of the best
member times the squared distance from equal weights. That pull counts as much as a score of polymers: with ten of them
the weights stay nearly equal, with a hundred the residuals decide.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.calibration.results import FloatArray

PULL = 20.0
"""Chosen among 1, 5 and 20 with ``tests/benchmarks/judgement.py``: it errs least with 12 and 20 polymers, and with 62 the
three are equal."""

_NEGATIVE = 1e-12


def combining_weights(measured: FloatArray, held_out: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the weights of k calibrators.

    Parameters
    ----------
    measured
        (n,) target scale.
    held_out
        (n, k) values of the members for polymers that they have not seen, target scale; k small.
    weights
        (n,) of the measured values, mean one; None for equal ones.

    Returns
    -------
    (k,) array
        The exact minimum: every set of members that may have a weight above zero is tried.
    """
    n, k = held_out.shape
    residual = held_out - measured[:, None]
    if weights is not None:
        residual = residual * np.sqrt(weights)[:, None]
    largest = float(np.abs(residual).max(initial=0.0))
    equal = np.full(k, 1.0 / k)
    if largest == 0.0 or n == 0:
        return equal
    residual = (
        residual / largest
    )  # since weights add up to one, the residual of the combination is that of the residuals
    pull = PULL * float(np.min(np.mean(residual**2, axis=0)))
    square, pulled = residual.T @ residual + pull * np.eye(k), pull * equal
    best, least = equal, float("inf")
    for size in range(1, k + 1):
        for some in map(list, combinations(range(k), size)):
            tried = np.zeros(k)
            tried[some] = _adding_up_to_one(square[np.ix_(some, some)], pulled[some])
            objective = float(tried @ square @ tried - 2.0 * pulled @ tried)
            if tried.min() >= -_NEGATIVE and objective < least:
                best, least = tried, objective
    best = np.maximum(best, 0.0)
    return np.asarray(best / best.sum())


def towards_the_line(weights: FloatArray, by_structure: NDArray[np.bool_], probability: float) -> FloatArray:
    """Leave the weights (k,) of calibrators only as much as a correction by structure is likely; the rest goes to the others.

    Parameters
    ----------
    weights
        (k,) adding up to one, for the case that there is such a correction.
    by_structure
        (k,) which of the members look at descriptors; where all or none do the weights stay as they are.
    probability
        That there is a correction; nan where nothing is told, which leaves the weights as they are.
    """
    plain = ~by_structure
    if np.isnan(probability) or not plain.any() or not by_structure.any():
        return weights
    return np.asarray(probability * weights + (1.0 - probability) * plain / plain.sum())


def _adding_up_to_one(square: FloatArray, linear: FloatArray) -> FloatArray:
    """Minimise w'Aw - 2 b'w over w that add up to one; of several minima the shortest."""
    k = len(linear)
    system = np.block([[square, np.ones((k, 1))], [np.ones((1, k)), np.zeros((1, 1))]])
    return np.asarray(np.linalg.lstsq(system, np.append(linear, 1.0), rcond=None)[0][:k])
