"""How well simulated values are known: standard errors on the target scale, from the scatter of runs and their number.

The scatter of a few runs is itself hardly known: that of five lies between 0.35 and 1.67 times the true one in 95 % of all
cases. So the variances of the polymers are drawn towards a common one, as far as their own scatter is no larger than chance
makes it (Smyth, Statistical Applications in Genetics and Molecular Biology 3, 2004, article 3): with a prior of d_0 degrees
of freedom, a variance s^2 of d degrees becomes proportional to ``(d_0 s_0^2 + d s^2) / (d_0 + d)``. The factor leaves their
mean over all degrees of freedom as it was, which is right however variances are distributed, and which a slope is corrected
by. A single run gets the common variance.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import digamma, polygamma

from affinecal_gui.calibration.data.array_checks import read_only
from affinecal_gui.calibration.results import FloatArray

MOST_FREEDOM = 1e4
"""Degrees of freedom of a prior that is as good as certain: all polymers scatter alike."""

FEWEST_FREEDOM = 1e-2


@dataclass(frozen=True, slots=True, eq=False)
class MDNoise:
    """Standard errors of MD values, target scale; nan where they are not known."""

    measured: FloatArray  # (n,) of the measured polymers
    library: FloatArray  # (m,)
    runs: FloatArray | None = None  # (m,) of which the values of the library are means; nan where it is not known


def typical_noise(noise: FloatArray) -> float:
    """Return what stands for a standard error that nobody knows: the root mean square of those that are known."""
    known = noise[np.isfinite(noise)]
    return float(np.sqrt(np.mean(known**2))) if len(known) else 0.0


def known_or_typical(noise: FloatArray, others: FloatArray) -> FloatArray:
    """Return standard errors (k,), that which is typical of ``others`` in the place of those that are not known."""
    return np.where(np.isfinite(noise), noise, typical_noise(others))


def common_scatter(scatter: FloatArray, freedom: FloatArray) -> tuple[float, float]:
    """Return the variance that polymers have in common and the degrees of freedom that it is worth.

    Parameters
    ----------
    scatter
        (k,) standard deviations of runs, positive.
    freedom
        (k,) their degrees of freedom, one less than the runs.

    Returns
    -------
    (float, float)
        s_0^2 and d_0, by the moments of ln s^2, weighed as in DerSimonian and Laird, Controlled Clinical Trials 7 (1986).
    """
    half = freedom / 2.0
    logarithm = 2.0 * np.log(scatter) - digamma(half) + np.log(half)
    weight = 1.0 / polygamma(1, half)  # of ln s^2, were all variances the same
    total = float(weight.sum())
    middle = float(weight @ logarithm) / total
    beyond = 0.0
    if len(scatter) > 1:
        squares = float(weight @ (logarithm - middle) ** 2)
        beyond = (squares - (len(scatter) - 1)) / (total - float(weight @ weight) / total)
    if beyond <= float(polygamma(1, MOST_FREEDOM / 2.0)):
        return math.exp(middle), MOST_FREEDOM
    if beyond >= float(polygamma(1, FEWEST_FREEDOM / 2.0)):
        prior = FEWEST_FREEDOM
    else:
        from scipy.optimize import brentq  # slow to import, and few tables tell of noise

        prior = brentq(lambda d: float(polygamma(1, d / 2.0)) - beyond, FEWEST_FREEDOM, MOST_FREEDOM)
    return math.exp(middle + float(digamma(prior / 2.0)) - math.log(prior / 2.0)), prior


def standard_errors(values: FloatArray, scatter: FloatArray, runs: FloatArray, *, log_scale: bool) -> FloatArray:
    """Return the standard errors of means of runs, target scale.

    Parameters
    ----------
    values
        (m,) means, property unit.
    scatter
        (m,) standard deviation of the runs of each, property unit; nan or 0 where it says nothing.
    runs
        (m,) their number; nan where it is not known.
    log_scale
        Whether the target scale is the natural logarithm.

    Returns
    -------
    (m,) array
        nan everywhere if no polymer has two runs whose scatter is known, else nan for values that cannot be used. A polymer
        without a number of runs counts as one of typical noise.
    """
    with np.errstate(all="ignore"):
        size = np.where(values > 0.0, values, np.nan) if log_scale else np.ones(len(values))
        s = np.abs(scatter) / size
    known = np.isfinite(s) & (s > 0.0) & (runs >= 2.0)
    if not known.any():
        return read_only(np.full(len(values), np.nan))
    freedom = np.where(known, runs - 1.0, 0.0)
    common, prior = common_scatter(s[known], freedom[known])
    squared = np.where(known, s, 0.0) ** 2
    variance = (prior * common + freedom * squared) / (prior + freedom)
    variance *= float(freedom @ squared) / float(freedom @ variance)
    error = np.sqrt(variance / np.where(runs >= 1.0, runs, np.nan))
    error = np.where(np.isfinite(error), error, typical_noise(error))
    return read_only(np.where(np.isfinite(size) & np.isfinite(values), error, np.nan))
