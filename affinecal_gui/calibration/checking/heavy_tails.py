"""How often measurements make a residual so large, when they may scatter with heavy tails.

A held-out residual is the sum of two parts: the scatter of the measurement and what the fit leaves open. Only the first has
tails. With q the share of the measurement in the variance that is expected of a residual, and Student's t written as normal
scatter of the random variance 1/g (g a chi-squared variable with nu degrees of freedom over nu), a residual is normal with
the variance

    s^2 (1 - q + q / g).

So few polymers with much left open, whose residuals are mostly that of the fit, say little of tails and their large residuals
are no likelier for them; many, with little left open, say much. s and whether tails are heavy follow from the residuals of
the other polymers, by a fit that has not seen the one that is judged.
"""

from typing import Final

import numpy as np
from scipy.special import gammaincinv, ndtr

from affinecal_gui.calibration.results import FloatArray

HEAVY: Final = 0.2
"""How likely heavy tails are before anything is measured. More spares right values where tails are heavy, and misses wrong
ones elsewhere; chosen by simulation (docs/uncertainty.md)."""

TAILS: Final = 3.0
"""Degrees of freedom of Student's t that stands for heavy tails."""

_NODES: Final = 40
_OUTSIDE: Final = 1e-7
"""Probability of g beyond either end of the nodes."""

_SCALES: Final = np.exp(np.linspace(-2.0, 0.7, 24))
"""Scales s that are tried, in units of the scatter of normal values: that of the middle of heavy tails is smaller."""


def _mixing() -> tuple[FloatArray, FloatArray]:
    """Return values of 1/g (k,) and their probabilities (k,)."""
    half = 0.5 * TAILS
    lowest, highest = gammaincinv(half, [_OUTSIDE, 1.0 - _OUTSIDE]) / half
    logarithm = np.linspace(np.log(lowest), np.log(highest), _NODES)
    weight = np.exp(half * (logarithm - np.exp(logarithm)))
    return np.exp(-logarithm), weight / weight.sum()


_VARIANCES, _PROBABILITIES = _mixing()


def with_heavy_tails(p: float, t: float, share: float, others: FloatArray, shares: FloatArray) -> float:
    """Return the probability of a residual so large where measurements may scatter with heavy tails.

    Parameters
    ----------
    p
        That of normal scatter.
    t
        The residual, in units of what is expected of it by normal scatter.
    share
        q of the polymer that is judged, between 0 and 1.
    others, shares
        (n,) residuals of the other polymers in such units, and their q.
    """
    square = others[:, None] ** 2
    normal = np.array([_log_likelihood(square, scale**2 * np.ones((1, 1))) for scale in _SCALES])
    heavy = np.array([_log_likelihood(square, scale**2 * _variances(shares)) for scale in _SCALES])
    highest = max(float(normal.max()), float(heavy.max()))
    of_normal, of_heavy = np.exp(normal - highest), np.exp(heavy - highest)
    beyond = np.array(
        [
            2.0 * float(_PROBABILITIES @ ndtr(-abs(t) / (scale * np.sqrt(_variances(np.array([share]))[0]))))
            for scale in _SCALES
        ]
    )
    likely = HEAVY * float(of_heavy.sum())
    tails = likely / (likely + (1.0 - HEAVY) * float(of_normal.sum()))
    return (1.0 - tails) * p + tails * float(of_heavy @ beyond / of_heavy.sum())


def _variances(shares: FloatArray) -> FloatArray:
    """(n, k) variances of residuals with these shares (n,), for every value of 1/g."""
    return (1.0 - shares)[:, None] + shares[:, None] * _VARIANCES


def _log_likelihood(square: FloatArray, variance: FloatArray) -> float:
    """Return that of squared residuals (n, 1), each of normal scatter with these variances, (n, k) or (1, 1)."""
    chances = _PROBABILITIES if variance.shape[1] > 1 else np.ones(1)
    density = (np.exp(-0.5 * square / variance) / np.sqrt(variance)) @ chances
    return float(np.log(np.maximum(density, np.finfo(float).tiny)).sum())
