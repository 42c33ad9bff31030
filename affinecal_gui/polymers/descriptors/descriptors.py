"""Force-field descriptors of a polymer: 190 numbers that say how its force-field parameters are distributed."""

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from affinecal_gui.polymers.descriptors.blocks import TERM_KINDS
from affinecal_gui.polymers.descriptors.described_terms import described_terms
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

FloatArray = NDArray[np.float64]


def describe(unit: RepeatUnit | str, force_field: str = "GAFF2_mod") -> FloatArray:
    """Return the 190 force-field descriptors of a polymer.

    Column j of a block is the mean of exp(-(v - c_j)^2 / (2 s^2)) over the atoms, bonds, angles or dihedrals of the
    infinite chain, hydrogens included, with v the scaled parameter value (Minami et al., NeurIPS 2023, supplement).

    Parameters
    ----------
    unit : RepeatUnit or str
        The repeat unit, with its two ends marked.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2".

    Returns
    -------
    NDArray
        (190,) kernel means, in the order of :func:`force_field_blocks`.

    Raises
    ------
    InvalidRepeatUnit
        When a text is not a repeat unit.
    DescriptorError
        When an atom or term has no parameters; the text says which.
    """
    sums, counts = _kernel_sums(unit, force_field)
    return sums / counts


def describe_copolymer(
    units: Sequence[RepeatUnit | str], fractions: Sequence[float], force_field: str = "GAFF2_mod"
) -> FloatArray:
    """Return the descriptors of a copolymer: all terms of its homopolymers, each weighted by its unit's mole fraction.

    Bonds between unlike units are not described: the units are taken as they are in their own homopolymer.

    Parameters
    ----------
    units : sequence of RepeatUnit or str
        The repeat units.
    fractions : sequence of float
        Mole fraction of each; only their ratios matter.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2".

    Returns
    -------
    NDArray
        (190,) kernel means.

    Raises
    ------
    InvalidRepeatUnit, DescriptorError
        As :func:`describe`; also when the fractions do not fit the units.
    """
    weights = np.asarray(fractions, dtype=np.float64)
    if len(units) == 0 or weights.shape != (len(units),):
        raise DescriptorError(f"{len(units)} repeat units need as many mole fractions; there are {weights.size}.")
    if not np.all(np.isfinite(weights)) or np.any(weights < 0) or not weights.sum() > 0:
        raise DescriptorError(f"Mole fractions must be positive numbers, not {', '.join(map(str, fractions))}.")
    sums, counts = np.zeros(0), np.zeros(0)
    for weight, unit in zip(weights, units, strict=True):
        if weight > 0:
            of_sums, of_counts = _kernel_sums(unit, force_field)
            sums = weight * of_sums + (sums if sums.size else 0.0)
            counts = weight * of_counts + (counts if counts.size else 0.0)
    return sums / counts


def _kernel_sums(unit: RepeatUnit | str, force_field: str) -> tuple[FloatArray, FloatArray]:
    """Return the (190,) sums of kernels over the terms of a unit, and the (190,) numbers of terms behind them."""
    kinds = described_terms(unit, force_field).kinds
    sums = np.concatenate([terms.weight @ kernels for terms in kinds for kernels in terms.kernels])
    counts = np.array([terms.count for terms in kinds])
    return sums, counts.take(_kind_of_columns(force_field))


@cache
def _kind_of_columns(force_field: str) -> NDArray[np.int64]:
    """Return the (190,) kinds of term that the columns describe, as places among the four."""
    blocks = force_field_blocks(force_field).blocks
    return np.repeat([TERM_KINDS.index(block.over) for block in blocks], [block.size for block in blocks])
