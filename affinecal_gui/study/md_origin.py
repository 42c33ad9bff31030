"""Where the MD value behind a calibrated one comes from: a word for every table, file and plot."""

from typing import Literal

from affinecal_gui.calibration.calibrators.registry import calibrator
from affinecal_gui.calibration.results import ModelName

MDOrigin = Literal["simulated", "predicted MD", "no MD used"]
"""simulated: a simulation; predicted MD: a surrogate of it; no MD used: the calibrator looks at descriptors alone."""

MD_ORIGINS: tuple[MDOrigin, ...] = ("simulated", "predicted MD", "no MD used")


def md_origin(model: ModelName, *, simulated: bool) -> MDOrigin:
    """Return the word for a value of a calibrator, made from a simulated MD value or from a predicted one."""
    if not calibrator(model).uses_md:
        return "no MD used"
    return "simulated" if simulated else "predicted MD"
