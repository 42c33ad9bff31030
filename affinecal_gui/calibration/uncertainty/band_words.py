"""What bands of coefficients are worth, in sentences: the same in the window, below figures, in reports and notes.

The shares are those of docs/uncertainty.md and docs/transfer.md, which name the commands that measure them.
"""

from collections.abc import Collection, Mapping

from affinecal_gui.calibration.calibrators.registry import find
from affinecal_gui.calibration.results import Calibration, ModelName, ModelResult

ON_AVERAGE = (
    "In simulated studies 90 % bands hold nine in ten of all coefficients, and nearly as many of those that look largest; "
    "of the fifth that truly is largest, which the penalty draws towards zero, they hold 60 to 70 %."
)
PENALTIES_AS_KNOWN = (
    "Bands take the penalties that were set by hand as known, and say less than is uncertain: in simulated studies such 90 % "
    "bands hold 47 to 87 % of the coefficients."
)
BY_REFITS = (
    "Bands by refits show how coefficients depend on which polymers were measured, not where the truth lies: in simulated "
    "studies 90 % bands hold 23 to 83 % of the coefficients."
)
OF_AVERAGE_EFFECTS = (
    "In simulated studies 90 % bands hold 78 to 88 % of the average effects where the kernel suits the function, and 55 to "
    "75 % where it does not."
)


def what_bands_hold(result: ModelResult, *, by_refits: bool, by_hand: Collection[ModelName]) -> str:
    """Say how often bands of this kind hold what they are about; empty for a calibrator without coefficients.

    Parameters
    ----------
    result
        The calibrator.
    by_refits
        Whether bands are those of refits to resampled polymers.
    by_hand
        The calibrators whose penalties are given.
    """
    record = find(result.model)
    if record is None or result.coefficients is None:
        return ""
    if result.coefficients.average:
        return OF_AVERAGE_EFFECTS
    if by_refits:
        return BY_REFITS
    fitted = record.combines or (record.one_source or result.model,)
    return PENALTIES_AS_KNOWN if any(name in by_hand for name in fitted) else ON_AVERAGE


def said_of_bands(calibration: Calibration, model: ModelName) -> str:
    """Return the same of one calibrator of a calibration, as its settings tell."""
    given = calibration.settings.get("penalties")
    return what_bands_hold(
        calibration.models[model],
        by_refits=calibration.settings.get("bands") == "bootstrap",
        by_hand=given if isinstance(given, Mapping) else (),
    )
