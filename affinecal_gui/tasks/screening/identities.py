"""Which rows of a library are one polymer, and which have been measured or simulated before."""

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

from affinecal_gui.polymers.copolymers.composition import identity_of
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit
from affinecal_gui.tasks.screening.calibrator_sources import CalibratorSource, opened

SIZE = 16  # bytes of an identity

Known = Literal["measured", "simulated"]
"""What a calibrator was trained with: measured polymers, or, for its surrogate, polymers that were simulated only."""


def identity_code(text: str) -> bytes | None:
    """Return what two texts have in common exactly when they are one polymer; None for what is none."""
    if not text:
        return None
    try:
        key = identity_of(text).stereo_key
    except (InvalidRepeatUnit, RecursionError):
        return None
    return hashlib.blake2b(key.encode(), digest_size=SIZE).digest()


def places_of(texts: Iterable[str]) -> dict[bytes, int]:
    """Return the first place of each polymer."""
    found: dict[bytes, int] = {}
    for place, text in enumerate(texts):
        code = identity_code(text)
        if code is not None:
            found.setdefault(code, place)
    return found


@lru_cache(maxsize=4)
def known_polymers(sources: tuple[CalibratorSource, ...]) -> dict[bytes, Known]:
    """Return the polymers that calibrators were trained with, as far as their files say so; once in each process."""
    found: dict[bytes, Known] = {}
    for one in map(opened, sources):
        found.update(dict.fromkeys(places_of(one.file.simulated), "simulated"))
    for one in map(opened, sources):
        if one.file.training is not None:
            found.update(dict.fromkeys(places_of(one.file.training.smiles), "measured"))
    return found
