"""Which part of a polymer a calibration speaks about: x'gamma split over atoms, bonds, angles and dihedrals.

A descriptor is a mean over terms, so a weighted sum of descriptors is a sum over terms, exactly:

    x'gamma = sum_j gamma_j (x_j - mean_j) / scale_j
            = sum over kinds of term, (1 / N_kind) sum over its terms t, sum_j gamma_j (k(v_t, c_j) - mean_j) / scale_j

with N_kind the number of atoms, bonds, angles or dihedrals of the repeat unit and k the kernel of block j. Each term is
compared with the same constant, so that 0 is a term like the average of the data that ``mean`` comes from.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from affinecal_gui.polymers.descriptors.blocks import TERM_KINDS, TermKind
from affinecal_gui.polymers.descriptors.described_terms import DescribedTerms, described_terms
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit

FloatArray = NDArray[np.float64]
_Array = TypeVar("_Array", bound=np.ndarray)


@dataclass(frozen=True, slots=True)
class TermShares:
    """The shares of M rows of terms over k = 1 (atoms) to 4 (dihedrals) atoms.

    The hydrogens of an atom cannot be told apart: terms that differ only in which of them they use are one row.
    """

    atoms: NDArray[np.int64]  # (M, k) indices in the repeat unit's molecule; for a hydrogen, the atom that carries it
    hydrogen: NDArray[np.bool_]  # (M, k) whether it is a hydrogen on that atom
    number: FloatArray  # (M,) number of terms of the row per repeat unit
    share: FloatArray  # (M,) share of all terms of the row together

    @property
    def total(self) -> float:
        """The sum over all terms."""
        return float(self.share.sum())


@dataclass(frozen=True, slots=True)
class Attribution:
    """x'gamma of one polymer, split. Arrays over A cover all atoms of ``unit.molecule``; attachment points have 0.

    An atom's own terms are its own. A bond's share is divided equally between its two atoms, an angle's among its
    three, a dihedral's among its four; what falls to an atom of a neighbouring unit goes to the same atom of this unit.
    """

    unit: RepeatUnit
    total: float  # x'gamma
    block_totals: FloatArray  # (10,) share of each descriptor block
    terms: Mapping[TermKind, TermShares]
    own: Mapping[TermKind, FloatArray]  # (A,) share of each atom itself
    hydrogens: Mapping[TermKind, FloatArray]  # (A,) share of the hydrogens on each atom

    @property
    def kind_totals(self) -> dict[TermKind, float]:
        """Share of all atoms, all bonds, all angles and all dihedrals."""
        return {kind: shares.total for kind, shares in self.terms.items()}

    def per_atom(self, kinds: Iterable[TermKind] = TERM_KINDS) -> FloatArray:
        """Return the (A,) share of each atom together with the hydrogens on it, over some kinds of term."""
        found = np.zeros(self.unit.molecule.GetNumAtoms())
        for kind in kinds:
            found += self.own[kind] + self.hydrogens[kind]
        return found


@dataclass(frozen=True, slots=True)
class MixedAttribution:
    """x'gamma of a copolymer, split among kinds of terms and among its units."""

    kind_totals: Mapping[TermKind, float]
    unit_totals: FloatArray  # (u,) share of each unit

    @property
    def total(self) -> float:
        """X'gamma."""
        return float(self.unit_totals.sum())


def mixed(units: Sequence[Attribution], fractions: Sequence[float]) -> MixedAttribution:
    """Return what the homopolymers of its units make of a copolymer.

    Its descriptors are means over all terms, those of a unit counting by its fraction: of every kind of term a unit has the
    part of the copolymer's terms that lie in it. So its share is that of its homopolymer, times that part.

    Parameters
    ----------
    units
        Attributions of the homopolymers, to the same gamma.
    fractions
        Mole fraction of each; only their ratios matter.
    """
    by_kind: dict[TermKind, float] = {}
    by_unit = np.zeros(len(units))
    for kind in TERM_KINDS:
        counts = np.array([float(one.terms[kind].number.sum()) for one in units]) * np.asarray(fractions)
        shares = counts / counts.sum() * np.array([one.terms[kind].total for one in units])
        by_kind[kind] = float(shares.sum())
        by_unit += shares
    return MixedAttribution(by_kind, _frozen(by_unit))


def attribute(
    unit: RepeatUnit | str,
    gamma: FloatArray,
    mean: FloatArray,
    scale: FloatArray,
    force_field: str = "GAFF2_mod",
) -> Attribution:
    """Split sum_j gamma_j (x_j - mean_j) / scale_j of a polymer over its terms and atoms.

    Parameters
    ----------
    unit : RepeatUnit or str
        The repeat unit.
    gamma, mean, scale : NDArray
        (190,) coefficients, and what the descriptors are centred and divided by.
    force_field : str
        "GAFF2_mod" (default) or "GAFF2", as for the descriptors that gamma was fitted to.

    Returns
    -------
    Attribution
        Its parts add up to x'gamma to rounding.

    Raises
    ------
    InvalidRepeatUnit, DescriptorError
        As :func:`~affinecal_gui.polymers.descriptors.descriptors.describe`.
    """
    if isinstance(unit, str):
        unit = parse_repeat_unit(unit)
    polymer = described_terms(unit, force_field)
    blocks = force_field_blocks(force_field)
    per_unit = np.asarray(gamma, dtype=np.float64) / np.asarray(scale, dtype=np.float64)
    centre = np.asarray(mean, dtype=np.float64)

    block_totals, terms, own, hydrogens = [], {}, {}, {}
    for kind, described in zip(TERM_KINDS, polymer.kinds, strict=True):
        weight = described.weight / described.count
        kernels = np.hstack(described.kernels)
        share = np.zeros(len(weight))
        start = 0
        for block in blocks.blocks:
            if block.over != kind:
                continue
            where = blocks.slices[block.name]
            of_block = weight * ((kernels[:, start : start + block.size] - centre[where]) @ per_unit[where])
            start += block.size
            block_totals.append((where.start, of_block.sum()))
            share += of_block
        terms[kind] = _term_shares(polymer.cell, described, share)
        own[kind], hydrogens[kind] = _divided(terms[kind], unit.molecule.GetNumAtoms())
    totals = np.array([total for _, total in sorted(block_totals)])
    return Attribution(
        unit=unit,
        total=float(totals.sum()),
        block_totals=_frozen(totals),
        terms=MappingProxyType(terms),
        own=MappingProxyType(own),
        hydrogens=MappingProxyType(hydrogens),
    )


def _term_shares(cell: Cell, described: DescribedTerms, share: FloatArray) -> TermShares:
    """Return shares with sites translated to atoms of the repeat unit's molecule."""
    sites = np.array(described.sites, dtype=np.int64)
    in_molecule: NDArray[np.int64] = np.array(
        [cell.chain.atoms[cell.atom_of(site)].in_molecule for site in range(len(cell.masses))], dtype=np.int64
    )
    on: NDArray[np.int64] = in_molecule[sites]
    return TermShares(_frozen(on), _frozen(sites >= cell.heavy), _frozen(described.weight), _frozen(share))


def _divided(shares: TermShares, atoms: int) -> tuple[FloatArray, FloatArray]:
    """Divide each term's share equally among its atoms; return what falls to atoms and to hydrogens on them."""
    parts = np.repeat(shares.share / shares.atoms.shape[1], shares.atoms.shape[1])
    on, hydrogen = shares.atoms.ravel(), shares.hydrogen.ravel()
    own, of_hydrogens = (
        np.bincount(on, np.where(chosen, parts, 0.0), atoms).astype(np.float64) for chosen in (~hydrogen, hydrogen)
    )
    return _frozen(own), _frozen(of_hydrogens)


def _frozen(array: _Array) -> _Array:
    array.setflags(write=False)
    return array
