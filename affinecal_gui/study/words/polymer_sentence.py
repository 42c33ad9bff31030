"""What a study says of one polymer, as a sentence to copy into a text."""

from math import isfinite

from affinecal_gui import __version__
from affinecal_gui.numbers import interval, significant
from affinecal_gui.study.snapshot import Snapshot


def polymer_sentence(
    snapshot: Snapshot, smiles: str, value: float, lower: float, upper: float, basis: str, caveat: str = ""
) -> str:
    """Return the calibrated value of a polymer with its interval, unit of the property, how it came about, and its limits."""
    quantity = snapshot.quantity
    if quantity is None:
        return ""
    unit = f" {quantity.unit}" if quantity.unit else ""
    calibration = snapshot.calibration
    level = calibration.interval_level if calibration is not None else snapshot.settings.interval_level
    known = f" ({100.0 * level:g} % interval {interval(lower, upper, 4)}{unit})" if isfinite(lower) else ""
    behind = " ".join(part for part in (basis, caveat) if part)
    return (
        f"The {quantity.title.lower()} of {smiles} is {significant(value, 4)}{unit}{known}. {behind} "
        f"(AffineCal {__version__}, seed {snapshot.settings.seed}.)"
    )
