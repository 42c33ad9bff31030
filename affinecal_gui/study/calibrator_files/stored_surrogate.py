"""The surrogate of a calibrator <-> the parts of its file."""

import math
from collections.abc import Sequence

from affinecal_gui.calibration.results import FloatArray
from affinecal_gui.calibration.sharing.shared_surrogate import SharedSurrogate
from affinecal_gui.calibration.surrogate.surrogate import Surrogate
from affinecal_gui.study.calibrator_files.description import SURROGATE, SurrogateFacts
from affinecal_gui.study.calibrator_files.plain_numbers import StoredArrays
from affinecal_gui.study.records.stored_errors import DamagedContent

_ARRAYS = ("mean", "scale", "landmarks", "coefficients", "explained")


def facts_of_surrogate(one: SharedSurrogate, simulated: Sequence[str]) -> SurrogateFacts:
    """Return what is written as JSON; ``simulated`` are the repeat units of the polymers with MD values."""
    own = one.surrogate
    return SurrogateFacts(own.level, own.length, own.noise, own.amplitude, own.rmse, own.rows, tuple(simulated))


def arrays_of_surrogate(one: SharedSurrogate) -> dict[str, FloatArray]:
    """Return the numbers of a surrogate by their names in the file."""
    found = {f"surrogate {name}": getattr(one.surrogate, name) for name in _ARRAYS}
    return found | {"predicted md": one.predicted, "predicted md deviation": one.deviation}


def read_surrogate(facts: SurrogateFacts, n: int, d: int, arrays: StoredArrays) -> SharedSurrogate:
    """Return the surrogate of d descriptors; raise DamagedContent where its parts do not fit each other.

    ``n`` is how many training polymers its calibrator has.
    """
    numbers = (facts.level, facts.length, facts.noise, facts.amplitude, facts.rmse)
    if not all(map(math.isfinite, numbers)) or min(facts.length, facts.noise) <= 0.0 or min(numbers[3:]) < 0.0:
        raise DamagedContent(f"{SURROGATE} holds a number that cannot be right")
    landmarks = arrays.read("surrogate landmarks", (None, d))
    count = len(landmarks)
    if not 1 <= count <= facts.rows:
        raise DamagedContent(f"{SURROGATE} does not say how many MD values it learned from")
    scale = arrays.read("surrogate scale", (d,))
    deviation = arrays.read("predicted md deviation", (n,))
    if not (scale > 0.0).all() or (deviation < 0.0).any():
        raise DamagedContent("a unit or a deviation of the surrogate is not positive")
    return SharedSurrogate(
        Surrogate(
            arrays.read("surrogate mean", (d,)),
            scale,
            landmarks,
            arrays.read("surrogate coefficients", (count,)),
            arrays.read("surrogate explained", (count, count)),
            facts.level,
            facts.length,
            facts.noise,
            facts.amplitude,
            facts.rmse,
            facts.rows,
        ),
        arrays.read("predicted md", (n,)),
        deviation,
    )
