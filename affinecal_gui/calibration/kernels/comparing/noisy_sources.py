"""Noise of MD values in the methods with kernels: they are fitted as if these were exact, their intervals are not.

An error of the MD value moves a prediction by the slope of the method there. Its variance, g² s_i² with g² the mean square of
the slopes at the held-out polymers, is part of what the held-out residuals show; that part follows the error of each polymer
and the rest is the same for all, as about the linear calibrators (see :class:`Widening`).
"""

from dataclasses import replace

import numpy as np

from affinecal_gui.calibration.cross_validation.predicted_md import LARGEST_SHARE, Widening
from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.uncertainty.intervals import OutOfFold


def with_noise_of_sources(
    y: FloatArray, held_out: OutOfFold, slope: FloatArray, noise: FloatArray, library_noise: FloatArray
) -> OutOfFold:
    """Return held-out values whose spreads follow the errors of the MD values.

    Parameters
    ----------
    y
        (n,) measured, target scale.
    held_out
        Of a method whose spreads are those of exact MD values.
    slope
        (r, n) of the method in the MD value, at every polymer by the fit that has not seen it.
    noise, library_noise
        (n,), (m,) standard errors of MD values; nan where there is no MD value.
    """
    typical = float(np.mean(noise**2))
    scatter = float(np.mean((held_out.predicted - y) ** 2))
    if typical <= 0.0 or scatter <= 0.0:
        return held_out
    wider = Widening(min(float(np.mean(slope**2)) * typical / scatter, LARGEST_SHARE), typical)
    known = np.where(np.isfinite(library_noise), library_noise, np.sqrt(typical))
    return replace(
        held_out, spread=wider.of(held_out.spread, noise), library_spread=wider.of(held_out.library_spread, known)
    )
