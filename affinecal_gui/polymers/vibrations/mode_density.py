"""Modes over the wavenumber, as they are drawn: each broadened, so that a spectrum is a smooth curve."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.vibrations.normal_modes import Spectrum

FloatArray = NDArray[np.float64]

WAVENUMBERS: Final = np.arange(0.0, 3410.0, 10.0)
"""(g,) cm^-1, at which a density is known."""

COUNTED: Final = 100.0
"""cm^-1 for which modes are counted."""

_BROADENING = 20.0  # cm^-1: standard deviation with which a mode is drawn


def mode_density(spectrum: Spectrum, heights: FloatArray) -> FloatArray:
    """Return (g,) modes per repeat unit and 100 cm^-1 at :data:`WAVENUMBERS`, each counted by its height (m,)."""
    at = (WAVENUMBERS[:, None] - spectrum.wavenumbers[None, :]) / _BROADENING
    # Modes near zero are drawn as far as they lie above it, and those mirrored below it added.
    mirrored = (WAVENUMBERS[:, None] + spectrum.wavenumbers[None, :]) / _BROADENING
    kernels = np.exp(-0.5 * at**2) + np.exp(-0.5 * mirrored**2)
    scale = COUNTED / (_BROADENING * np.sqrt(2.0 * np.pi))
    found = np.asarray(scale * (kernels @ (spectrum.weights * heights)))
    found.flags.writeable = False
    return found
