"""The cell of an infinite chain with its hydrogens.

The hydrogens on one atom cannot be told apart, so they are one *site* that stands for several atoms.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, atom_name

MASS_OF_HYDROGEN = 1.008  # g/mol


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """N sites: the H atoms of the chain's cell first, then one site of hydrogens for each atom that has some."""

    chain: InfiniteChain
    carriers: tuple[int, ...]  # the atom that carries the hydrogens of site H, H + 1, ...
    heavy: int  # number of sites that are atoms of the chain's cell; the others are hydrogens
    hydrogens: int  # number of atoms of those others
    multiplicity: NDArray[np.int64]  # (N,) number of atoms of each site
    masses: tuple[float, ...]  # (N,) mass of one atom of each site, in g/mol
    bond_ends: NDArray[np.int64]
    """(2, B) sites of either end of every bond: those of the chain in its order, then those to hydrogens."""

    def atom_of(self, site: int) -> int:
        """Return the atom of the chain's cell that a site is, or that carries its hydrogens."""
        return site if site < self.heavy else self.carriers[site - self.heavy]

    def name_of(self, site: int) -> str:
        """Return the name of a site for messages."""
        name = atom_name(self.chain, self.atom_of(site))
        return name if site < self.heavy else f"hydrogen on {name}"


def cell_of(chain: InfiniteChain) -> Cell:
    """Return the cell of a chain."""
    atoms = chain.atoms
    carriers = tuple([i for i, atom in enumerate(atoms) if atom.hydrogens])
    carried = [atoms[i].hydrogens for i in carriers]
    heavy, sites = len(atoms), len(atoms) + len(carriers)
    begin, end, *_ = zip(*chain.bonds, strict=True)
    return Cell(
        chain,
        carriers,
        heavy,
        sum(carried),
        np.array([1] * heavy + carried),
        (*[atom.mass for atom in atoms], *[MASS_OF_HYDROGEN] * len(carriers)),
        np.array([*begin, *carriers, *end, *range(heavy, sites)]).reshape(2, -1),
    )
