"""What the coefficients say, in words made from the numbers: a sentence per coefficient, and one about the physics."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from affinecal_gui.calibration.results import CoefficientEstimates, FloatArray
from affinecal_gui.numbers import decimal
from affinecal_gui.polymers.descriptors.blocks import DescriptorBlock, DescriptorBlocks, TermKind
from affinecal_gui.study.quantum_properties import HEAT_CAPACITIES
from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.tables.units.properties import Property

_MANY: dict[TermKind, str] = {"atom": "atoms", "bond": "bonds", "angle": "angles", "dihedral": "dihedrals"}

_LOW_THIRD = 3  # "low" is the lowest third of the grid of a block
_CLEAR_SHARE = 0.02  # of the largest coefficient; smaller ones say nothing about a sign


@dataclass(frozen=True, slots=True)
class BlockCoefficients:
    """The coefficients of one block; empty arrays when the block is switched off in the model."""

    block: DescriptorBlock
    gamma: FloatArray  # (size,) target scale per standard unit
    lower: FloatArray  # (size,) nan where there is no band
    upper: FloatArray  # (size,)
    mean: FloatArray  # (size,) of the descriptors over the polymers of the fit
    sign: int  # sign * gamma is the change of the calibrated value
    factor: float = 1.0  # by which the penalties of the block are multiplied
    average: bool = False  # average effects of a method with kernels, not coefficients

    @property
    def off(self) -> bool:
        """Whether the block is switched off."""
        return self.gamma.size == 0

    def clear_of_zero(self) -> list[bool]:
        """Return for each coefficient whether its band lies on one side of zero; without a band it counts as clear."""
        with np.errstate(invalid="ignore"):
            return [bool(inside) for inside in ~((self.lower <= 0.0) & (self.upper >= 0.0))]


@dataclass(frozen=True, slots=True)
class PhysicsNote:
    """How the signs compare with what physics expects."""

    agrees: bool  # in everything that can be judged
    sentence: str


def block_coefficients(snapshot: Snapshot) -> tuple[BlockCoefficients, ...]:
    """Split the coefficients of the chosen calibrator among the blocks; empty when it has none."""
    calibration, blocks = snapshot.calibration, snapshot.blocks
    result = None if calibration is None else calibration.models.get(snapshot.settings.model)
    estimates = None if result is None else result.coefficients
    if estimates is None or blocks is None:
        return ()
    slices = _slices(blocks, estimates, snapshot.settings.blocks_off)
    factors = snapshot.settings.block_factors
    return tuple(
        _part(block, estimates, slices.get(block.name), factors.get(block.name, 1.0)) for block in blocks.blocks
    )


def _slices(blocks: DescriptorBlocks, estimates: CoefficientEstimates, blocks_off: frozenset[str]) -> dict[str, slice]:
    """Return where each block lies among the coefficients, which may or may not include blocks switched off."""
    on = DescriptorBlocks(tuple(block for block in blocks.blocks if block.name not in blocks_off))
    if estimates.gamma.size == sum(on.sizes):
        return on.slices
    if estimates.gamma.size == sum(blocks.sizes):
        whole = blocks.slices
        return {block.name: whole[block.name] for block in on.blocks}
    return {}  # the calibration belongs to other blocks; a new one is on its way


def _part(
    block: DescriptorBlock, estimates: CoefficientEstimates, where: slice | None, factor: float
) -> BlockCoefficients:
    if where is None:
        nothing = np.zeros(0)
        return BlockCoefficients(
            block, nothing, nothing, nothing, nothing, estimates.sign, factor, average=estimates.average
        )
    return BlockCoefficients(
        block,
        estimates.gamma[where],
        estimates.lower[where],
        estimates.upper[where],
        estimates.mean[where],
        estimates.sign,
        factor,
        estimates.average,
    )


def coefficient_sentence(
    part: BlockCoefficients, position: int, quantity: Property | None, log_scale: bool, level: float
) -> str:
    """Say what one coefficient means for the calibrated value, with its numbers.

    Parameters
    ----------
    part
        The block.
    position
        Of the coefficient within it.
    quantity, log_scale
        What is calibrated, and whether on the natural logarithm.
    level
        Of the band, e.g. 0.9.
    """
    effect = part.sign * float(part.gamma[position])
    lower, upper = sorted((part.sign * float(part.lower[position]), part.sign * float(part.upper[position])))
    symbol = quantity.symbol if quantity is not None else "the value"
    unit = "" if quantity is None or log_scale or not quantity.unit else f" {quantity.unit}"
    scale = f"in ln {symbol}" if log_scale else f"in {symbol}"
    digits = _digits((effect, lower, upper))
    direction = "downward" if effect < 0.0 else "upward"
    is_nothing = round(effect, digits) == 0.0  # as it is written
    corrected = "hardly corrected" if is_nothing else f"corrected {direction}"
    sentence = (
        f"Polymers with {_more_of(part.block, position)} are {corrected}: "
        f"{_signed(effect, digits)}{unit} {scale} per standard unit."
    )
    if part.average:
        more = _more_of(part.block, position)
        sentence = (
            f"{more[:1].upper()}{more[1:]}: on average over the polymers of the fit, calibrated values "
            f"{'hardly move' if is_nothing else f'move {direction}'}, "
            f"{_signed(effect, digits)}{unit} {scale} per standard unit, at the same MD value."
        )
    if math.isfinite(lower) and math.isfinite(upper):
        clear = part.clear_of_zero()[position]
        sentence += (
            f" {100.0 * level:.0f} % band {_signed(lower, digits)} to {_signed(upper, digits)}, "
            f"{'clear of zero' if clear else 'not clear of zero'}."
        )
    if part.mean.size and float(part.mean[position]) < 1e-6 and part.block.labels is None:
        sentence += " Hardly any polymer of the fit has such terms; the value follows its neighbours."
    return sentence


def coefficient_place(block: DescriptorBlock, position: int) -> str:
    """Return where a coefficient stands: "Bond constant, 395 kcal/(mol Å²)"."""
    if block.labels is not None:
        return f"{block.title}, {block.labels[position]}"
    unit = f" {block.unit}" if block.unit else ""
    return f"{block.title}, {_near(block, position)}{unit}"


def physics_note(snapshot: Snapshot) -> PhysicsNote | None:
    """Compare the signs with what Einstein's theory expects of a heat capacity; None where it expects nothing.

    Light atoms and stiff terms vibrate fast; their heat capacity falls short of the classical value, so the correction
    of MD values grows with them. Weak attraction (low epsilon) and soft bonds, angles and dihedrals make it smaller
    (Minami et al., NeurIPS 2023, supplement). Only coefficients whose band is clear of zero are judged; average effects of
    methods with kernels, which differ from polymer to polymer, are not.
    """
    quantity = snapshot.quantity
    if quantity is None or quantity.key not in HEAT_CAPACITIES:
        return None
    parts = {part.block.name: part for part in block_coefficients(snapshot) if not part.off and not part.average}
    largest = max((float(np.max(np.abs(part.gamma))) for part in parts.values()), default=0.0)
    if largest <= 0.0:
        return None
    kept: list[str] = []
    broken: list[str] = []
    judged = False
    for name, words, expected in (
        ("mass", "light atoms", 1.0),
        ("epsilon", "low ε", -1.0),
        ("k_bond", "soft bonds", -1.0),
        ("k_angle", "soft angles", -1.0),
        ("k_dih", "low torsion barriers", -1.0),
    ):
        part = parts.get(name)
        if part is None or part.gamma.size < _LOW_THIRD:
            continue
        judged = True
        low = np.arange(part.gamma.size) < part.gamma.size // _LOW_THIRD
        told = low & np.array(part.clear_of_zero()) & (np.abs(part.gamma) > _CLEAR_SHARE * largest)
        if told.any():
            # In the affine model the correction is subtracted; -sign * gamma is its size for either calibrator.
            mean = float(np.mean(-part.sign * part.gamma[told]))
            (kept if expected * mean > 0.0 else broken).append(words)
    if not judged:
        return None
    banded, clear = _count(list(parts.values()))
    start = _bands_clear_of_zero(banded, clear)
    by_chance = round((1.0 - _level(snapshot)) * banded)
    if 0 < clear <= by_chance:
        return PhysicsNote(
            False,
            f"{start}, no more than chance alone would make ({by_chance}); what physics expects of the signs cannot be "
            f"judged.",
        )
    if not kept and not broken:
        return PhysicsNote(False, f"{start}; what physics expects of the signs cannot be judged.")
    agreeing = _effects(kept, quantity.symbol)
    theirs = "Its sign is" if clear == 1 else "Their signs are"
    if not broken:
        return PhysicsNote(True, f"{start}. {theirs} as physics expects: {agreeing}.")
    if not kept:
        return PhysicsNote(False, f"{start}. {theirs} not as physics expects for {_listed(broken)}.")
    return PhysicsNote(
        False, f"{start}. As physics expects, {agreeing}; the opposite of what it expects shows for {_listed(broken)}."
    )


def _level(snapshot: Snapshot) -> float:
    return 1.0 if snapshot.calibration is None else snapshot.calibration.interval_level


def _count(parts: Sequence[BlockCoefficients]) -> tuple[int, int]:
    """Return how many coefficients have a band, and how many of these bands are clear of zero."""
    banded = sum(int(np.isfinite(part.lower + part.upper).sum()) for part in parts)
    return banded, sum(sum(part.clear_of_zero()) for part in parts) if banded else 0


def _bands_clear_of_zero(banded: int, clear: int) -> str:
    """Say how many bands are clear of zero; coefficients without bands are said to have none."""
    if not banded:
        return "No bands were computed"
    if not clear:
        return f"None of the {banded} bands is clear of zero"
    return f"{clear} of {banded} bands {'is' if clear == 1 else 'are'} clear of zero"


def _effects(words: Sequence[str], symbol: str) -> str:
    """Say what lowers and what raises the calibrated value: MD values of heat capacities are corrected downward."""
    lowers = [word for word in words if word == "light atoms"]
    raises = [word for word in words if word != "light atoms"]
    value = f"the calibrated {symbol}"
    clauses = [f"{_listed(lowers)} lower {value}"] if lowers else []
    if raises:
        clauses.append(f"{_listed(raises)} {'raise it' if lowers else f'raise {value}'}")
    return ", ".join(clauses)


def _more_of(block: DescriptorBlock, position: int) -> str:
    if block.labels is not None:
        label = block.labels[position]
        return f"more {label} atoms" if block.name == "mass" else f"more of {label}"
    terms = _MANY[block.over]
    unit = f" {block.unit}" if block.unit else ""
    near = f"near {_near(block, position)}{unit}"
    if block.name in {"k_bond", "r0", "k_angle", "theta0"}:
        return f"more {terms} {near}"
    return f"more {terms} whose {block.title[:1].lower()}{block.title[1:]} is {near}"


def _near(block: DescriptorBlock, position: int) -> str:
    value = float(block.physical_values[position])
    step = (block.maximum - block.minimum) / max(1, block.size)
    decimals = max(0, 1 - math.floor(math.log10(step))) if step > 0.0 else 3
    if step >= 10.0:  # two digits of the distance between neighbours would suggest more than the grid can tell
        decimals = 0
    return decimal(value, decimals)


def _digits(values: Sequence[float]) -> int:
    largest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    return max(0, 1 - math.floor(math.log10(largest))) if largest > 0.0 else 3


def _signed(value: float, decimals: int) -> str:
    return decimal(value, decimals, signed=True)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


Direction = Literal["lowers", "raises"]


def above_zero(parts: Sequence[BlockCoefficients]) -> Direction:
    """Return what a coefficient above zero does to the calibrated value."""
    return "raises" if parts and parts[0].sign > 0 else "lowers"
