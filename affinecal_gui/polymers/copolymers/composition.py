"""Homopolymers and copolymers as one text: repeat units separated by ``|``, then the mole fraction of each.

``*CC*|*CC(*)c1ccccc1|0.7|0.3`` is a copolymer of 70 mol % of the first unit. A single repeat unit needs no fraction, so
every text of a homopolymer is the text of a composition as well.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.identity import PolymerIdentity, polymer_identity
from affinecal_gui.polymers.copolymers.composition_text import SEPARATOR, holds_several_units
from affinecal_gui.polymers.descriptors.descriptors import describe, describe_copolymer
from affinecal_gui.polymers.reading.repeat_unit import (
    MAXIMUM_LENGTH,
    InvalidRepeatUnit,
    RepeatUnit,
    parse_repeat_unit,
)
from affinecal_gui.polymers.reading.smiles_syntax import quoted

MAXIMUM_UNITS: Final = 20
TEXTS_REMEMBERED: Final = 4096
COMPOSITIONS_REMEMBERED: Final = 1024  # with their molecules, some 10 MB
DECIMALS: Final = 3
"""Compositions are one polymer when their mole fractions agree to so many decimals: 0.333 and 1/3 do."""

_NUMBER: Final = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,2})?")
_ATTACHMENT_POINTS: Final = "*[＊∗⁎✱✲﹡⋆★"  # a unit has one of these characters, a fraction never


@dataclass(frozen=True)
class Composition:
    """The repeat units of a polymer and their mole fractions; a homopolymer has one unit."""

    text: str
    """As it was given."""
    units: tuple[RepeatUnit, ...]
    fractions: tuple[float, ...]
    """Mole fraction of each unit as written; they add up to 1."""

    @property
    def is_copolymer(self) -> bool:
        """Whether several units are given; they may still turn out to be one."""
        return len(self.units) > 1

    @property
    def notes(self) -> tuple[str, ...]:
        """What had to be interpreted in the units, in plain sentences."""
        return tuple(dict.fromkeys(note for unit in self.units for note in unit.notes))


@lru_cache(maxsize=COMPOSITIONS_REMEMBERED)
def parse_composition(text: str) -> Composition:
    """Read a repeat unit, or several with their mole fractions; who checks a table and who matches it ask for the same ones.

    Only the ratios of the fractions matter: percentages and parts will do.

    Raises
    ------
    InvalidRepeatUnit
        With one reason: a unit cannot be read, or the fractions are no numbers, negative, all zero or of another count.
    """
    if not holds_several_units(text):
        return Composition(text, (parse_repeat_unit(text),), (1.0,))
    if len(text) > MAXIMUM_LENGTH:
        raise InvalidRepeatUnit(
            f"The copolymer has {len(text):,} characters; the longest that is read has {MAXIMUM_LENGTH:,}."
        )
    pieces = [piece.strip() for piece in text.split(SEPARATOR)]
    count = next(
        (i for i, piece in enumerate(pieces) if not any(mark in piece for mark in _ATTACHMENT_POINTS)), len(pieces)
    )
    units, fractions = pieces[:count], _numbers(pieces[count:], expected=count)
    if count > MAXIMUM_UNITS:
        raise InvalidRepeatUnit(f"There are {count} repeat units; a copolymer may have {MAXIMUM_UNITS}.")
    read = []
    for number, unit in enumerate(units, 1):
        try:
            read.append(parse_repeat_unit(unit))
        except InvalidRepeatUnit as problem:
            raise InvalidRepeatUnit(f"Repeat unit {number} of {count}: {problem}") from None
    total = sum(fractions)
    return Composition(text, tuple(read), tuple(fraction / total for fraction in fractions))


def _numbers(pieces: Sequence[str], *, expected: int) -> list[float]:
    """Read the fractions of so many units."""
    if expected == 0:
        raise InvalidRepeatUnit(f"“{quoted(pieces[0])}” is no repeat unit: mark its two ends with *.")
    numbers = []
    for piece in pieces:
        bare = piece.removesuffix("%").strip().replace("−", "-")
        if _NUMBER.fullmatch(bare) is None:
            shown = f"“{quoted(piece)}”" if piece else "An empty text"
            raise InvalidRepeatUnit(f"{shown} is neither a mole fraction nor a repeat unit with attachment points.")
        number = float(bare)
        if number < 0:
            raise InvalidRepeatUnit(f"The mole fraction {quoted(piece)} is negative.")
        numbers.append(number)
    if len(numbers) != expected:
        raise InvalidRepeatUnit(
            f"{expected} repeat {'units need' if expected > 1 else 'unit needs'} as many mole fractions; "
            f"there {'is' if len(numbers) == 1 else 'are'} {len(numbers) or 'none'}."
        )
    if not math.fsum(numbers) > 0:
        raise InvalidRepeatUnit("The mole fractions add up to zero.")
    return numbers


def composition_identity(composition: Composition) -> PolymerIdentity:
    """Return the identity of a homopolymer or copolymer.

    A copolymer is the set of its chains with their mole fractions. The order of the units makes no difference, nor how
    each is written: fractions are counted in shortest periods, because ``*CCCC*`` is twice as much of the chain as
    ``*CC*``. Units that are one chain count as one, units without a share are left out, and if a single chain remains,
    the identity is that of the homopolymer.
    """
    present = [
        (fraction, polymer_identity(unit))
        for unit, fraction in zip(composition.units, composition.fractions, strict=True)
        if fraction > 0
    ]
    key = _key([(fraction * of.periods, of.key) for fraction, of in present])
    stereo_key = _key([(fraction * of.stereo_periods, of.stereo_key) for fraction, of in present])
    notes = tuple(dict.fromkeys(note for _, of in present for note in of.notes))
    if len(present) == 1:
        return present[0][1]
    return PolymerIdentity(key, stereo_key, has_stereo=stereo_key != key, notes=notes)


@lru_cache(maxsize=TEXTS_REMEMBERED)
def identity_of(text: str) -> PolymerIdentity:
    """Return the identity of a repeat unit or composition, remembered: who matches, describes and keeps it all ask for it.

    Raises
    ------
    InvalidRepeatUnit
        As :func:`parse_composition`.
    """
    return composition_identity(parse_composition(text))


def _key(amounts: Sequence[tuple[float, str]]) -> str:
    """Write amounts of chains in an order of their own."""
    of_chain: dict[str, float] = {}
    for amount, chain in sorted(amounts):
        of_chain[chain] = of_chain.get(chain, 0.0) + amount
    if len(of_chain) == 1:
        return next(iter(of_chain))
    total = sum(of_chain.values())
    # Rounding breaks at fractions that nobody writes: 1/16 would lie exactly on a limit, and the last bit would decide.
    shares = ((amount / total + 1e-7, chain) for chain, amount in sorted(of_chain.items()))
    return " + ".join(f"{share:.{DECIMALS}f} ({chain})" for share, chain in shares)


def describe_composition(composition: Composition | str, force_field: str = "GAFF2_mod") -> NDArray[np.float64]:
    """Return the (190,) descriptors of a homopolymer or copolymer.

    Raises
    ------
    InvalidRepeatUnit, DescriptorError
        As :func:`parse_composition` and :func:`affinecal_gui.polymers.descriptors.descriptors.describe`.
    """
    read = parse_composition(composition) if isinstance(composition, str) else composition
    if not read.is_copolymer:
        return describe(read.units[0], force_field)
    return describe_copolymer(read.units, read.fractions, force_field)
