"""Einstein's theory of the heat capacity: the vibration that explains the ratio of measured to classical value.

With u = h c w / (k_B T), w the wavenumber and T the temperature, a harmonic oscillator has the fraction

    E(u) = u^2 exp(u) / (exp(u) - 1)^2 = ( (u/2) / sinh(u/2) )^2

of its classical heat capacity. E falls from 1 at u = 0 towards 0, so a ratio in (0, 1] has one u.
"""

import numpy as np
from scipy.optimize import brentq

PLANCK = 6.62607015e-34  # J s, exact in the SI
BOLTZMANN = 1.380649e-23  # J/K, exact in the SI
LIGHT = 2.99792458e10  # cm/s, exact in the SI

LARGEST_U = 700.0  # sinh overflows beyond; the ratio there is below 1e-298


def einstein_ratio(u: float) -> float:
    """Return E(u), the heat capacity of an oscillator relative to its classical value; u >= 0 without unit."""
    if u == 0.0:
        return 1.0
    half = u / 2.0
    return float((half / np.sinh(half)) ** 2)


def implied_wavenumber(ratio: float, temperature: float) -> float:
    """Return the wavenumber (cm^-1) of the vibration that explains a ratio of heat capacities.

    Parameters
    ----------
    ratio
        Measured (or calibrated) over classical MD value.
    temperature
        In kelvin.

    Returns
    -------
    float
        nan where no vibration explains the ratio: above 1, below what can be computed (1e-298), not positive, or not
        a number.
    """
    if not (einstein_ratio(LARGEST_U) <= ratio <= 1.0 and temperature > 0.0):
        return float("nan")
    if ratio == 1.0:
        return 0.0
    # In ln E the function is nearly straight over many decades, which keeps the bracketing quick.
    u = brentq(lambda u: np.log(einstein_ratio(u)) - np.log(ratio), 1e-12, LARGEST_U, xtol=1e-12, rtol=1e-13)
    return float(u * BOLTZMANN * temperature / (PLANCK * LIGHT))
