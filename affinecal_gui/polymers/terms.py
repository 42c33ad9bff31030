"""The atoms, bonds, angles and dihedrals of one repeat unit of an infinite chain, as arrays of sites."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.cell import Cell

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of one kind with M rows over k = 1 (atoms) to 4 (dihedrals) sites.

    A row stands for ``count`` equal terms: those that differ only in which hydrogen of a site they use.
    """

    sites: IntArray  # (M, k)
    shifts: IntArray  # (M, k) the cell of each site
    count: FloatArray  # (M,)


def atoms_of(cell: Cell) -> Terms:
    """Return every atom of the cell."""
    sites = np.arange(len(cell.mass))[:, None]
    return Terms(sites, np.zeros_like(sites), cell.multiplicity)


def bonds_of(cell: Cell) -> Terms:
    """Return every bond of the cell, those between heavy atoms first."""
    heavy = len(cell.chain.atoms)
    between = np.array([(bond.begin, bond.end, bond.shift) for bond in cell.chain.bonds]).reshape(-1, 3)
    hydrogens = np.arange(heavy, len(cell.mass))
    begin = np.concatenate([between[:, 0], cell.parent[hydrogens]])
    end = np.concatenate([between[:, 1], hydrogens])
    shift = np.concatenate([between[:, 2], np.zeros_like(hydrogens)])
    count = np.concatenate([np.ones(len(between)), cell.multiplicity[hydrogens]])
    return Terms(np.stack([begin, end], axis=1), np.stack([np.zeros_like(shift), shift], axis=1), count)


def angles_of(cell: Cell) -> Terms:
    """Return every angle whose central atom lies in the cell."""
    first, third = np.triu_indices(cell.neighbour.shape[1])
    pairs = cell.neighbour_count[:, first] * cell.neighbour_count[:, third]
    same_place = first == third
    own = cell.neighbour_count[:, first[same_place]]
    pairs[:, same_place] = own * (own - 1) / 2  # two hydrogens of one site
    centre, pair = np.nonzero(pairs)
    sites = np.stack([cell.neighbour[centre, first[pair]], centre, cell.neighbour[centre, third[pair]]], axis=1)
    outer = cell.neighbour_shift
    shifts = np.stack([outer[centre, first[pair]], np.zeros_like(centre), outer[centre, third[pair]]], axis=1)
    return Terms(sites, shifts, pairs[centre, pair])


def dihedrals_of(cell: Cell) -> Terms:
    """Return every dihedral whose central bond belongs to the cell."""
    central = np.array([(bond.begin, bond.end, bond.shift) for bond in cell.chain.bonds]).reshape(-1, 3)
    second, third, shift = central.T
    before, before_shift, before_count = (
        table[second] for table in (cell.neighbour, cell.neighbour_shift, cell.neighbour_count)
    )
    after, after_shift, after_count = (
        table[third] for table in (cell.neighbour, cell.neighbour_shift, cell.neighbour_count)
    )
    after_shift = after_shift + shift[:, None]
    back_from_second = (before == third[:, None]) & (before_shift == shift[:, None])
    back_from_third = (after == second[:, None]) & (after_shift == 0)
    count = (
        np.where(back_from_second, 0.0, before_count)[:, :, None]
        * np.where(back_from_third, 0.0, after_count)[:, None, :]
    )
    # In a ring of three the ends are one atom: no dihedral.
    closed = (before[:, :, None] == after[:, None, :]) & (before_shift[:, :, None] == after_shift[:, None, :])
    count[closed] = 0.0
    bond, p, q = np.nonzero(count)
    sites = np.stack([before[bond, p], second[bond], third[bond], after[bond, q]], axis=1)
    shifts = np.stack([before_shift[bond, p], np.zeros_like(bond), shift[bond], after_shift[bond, q]], axis=1)
    return Terms(sites, shifts, count[bond, p, q])
