"""Which of some polymers of one constitution is meant, where stereo marks may be missing."""

from collections.abc import Sequence
from typing import Literal

from affinecal_gui.polymers.chain.identity import PolymerIdentity

Agreement = Literal["same marks", "own marks ignored", "its marks ignored", "several", "other marks"]
"""How the stereo marks of a polymer and of the one that is meant go together; of the last two none is meant."""


def same_polymer(identity: PolymerIdentity, others: Sequence[PolymerIdentity]) -> tuple[int, Agreement]:
    """Return which of some polymers with the same ``key``, at least one, is meant, -1 for none; and why.

    Marks that only one of two sides gives are ignored, unless several polymers differ in nothing else.
    """
    for place, other in enumerate(others):
        if other.stereo_key == identity.stereo_key:
            return place, "same marks"
    if identity.has_stereo:
        unmarked = next((place for place, other in enumerate(others) if not other.has_stereo), -1)
        return unmarked, "own marks ignored" if unmarked >= 0 else "other marks"
    return (0, "its marks ignored") if len(others) == 1 else (-1, "several")
