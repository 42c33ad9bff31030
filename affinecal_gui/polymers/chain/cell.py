"""The cell of an infinite chain with its hydrogens.

The hydrogens on one atom cannot be told apart, so they are one *site* that stands for several atoms.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, atom_name

MASS_OF_HYDROGEN = 1.008  # g/mol


@dataclass(frozen=True)
class Cell:
    """N sites: the H atoms of the chain's cell first, then one site of hydrogens for each atom that has some."""

    chain: InfiniteChain
    carriers: tuple[int, ...]  # the atom that carries the hydrogens of site H, H + 1, ...

    @cached_property
    def heavy(self) -> int:
        """Number of sites that are atoms of the chain's cell; the others are hydrogens."""
        return len(self.chain.atoms)

    @cached_property
    def multiplicity(self) -> NDArray[np.int64]:
        """(N,) number of atoms of each site."""
        return np.array([1] * self.heavy + [self.chain.atoms[i].hydrogens for i in self.carriers])

    @cached_property
    def masses(self) -> list[float]:
        """(N,) mass of one atom of each site, in g/mol."""
        return [atom.mass for atom in self.chain.atoms] + [MASS_OF_HYDROGEN] * len(self.carriers)

    @cached_property
    def bond_ends(self) -> NDArray[np.int64]:
        """(2, B) sites of either end of every bond: those of the chain in its order, then those to hydrogens."""
        begin, end, *_ = zip(*self.chain.bonds, strict=True)
        return np.array(((*begin, *self.carriers), (*end, *range(self.heavy, self.heavy + len(self.carriers)))))

    def atom_of(self, site: int) -> int:
        """Return the atom of the chain's cell that a site is, or that carries its hydrogens."""
        return site if site < self.heavy else self.carriers[site - self.heavy]

    def name_of(self, site: int) -> str:
        """Return the name of a site for messages."""
        name = atom_name(self.chain, self.atom_of(site))
        return name if site < self.heavy else f"hydrogen on {name}"


def cell_of(chain: InfiniteChain) -> Cell:
    """Return the cell of a chain."""
    return Cell(chain, tuple(i for i, atom in enumerate(chain.atoms) if atom.hydrogens))
