"""The cell of an infinite chain as arrays, hydrogens included, for vectorised counting.

The hydrogens on one atom cannot be told apart, so they are one *site* that stands for several atoms.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.infinite_chain import InfiniteChain

IntArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]

MASS_OF_HYDROGEN = 1.008  # g/mol


@dataclass(frozen=True, slots=True)
class Cell:
    """Sites (N: the atoms of the chain's cell first, then one site of hydrogens for each atom that has some).

    Neighbours of a site fill the first places of its row (D: the largest number of neighbours); the rest has count 0.
    """

    chain: InfiniteChain
    atomic_number: IntArray  # (N,)
    mass: FloatArray  # (N,) g/mol, of one atom
    multiplicity: FloatArray  # (N,) number of atoms of the site
    parent: IntArray  # (N,) the site itself, or the atom that carries the hydrogens
    neighbour: IntArray  # (N, D) sites
    neighbour_shift: IntArray  # (N, D) cells onwards
    neighbour_count: FloatArray  # (N, D) number of atoms behind the place; 0 where there is none


def cell_of(chain: InfiniteChain) -> Cell:
    """Return the arrays of a chain's cell."""
    heavy = len(chain.atoms)
    carriers = [i for i, atom in enumerate(chain.atoms) if atom.hydrogens]
    sites = heavy + len(carriers)
    hydrogen_site = {carrier: heavy + k for k, carrier in enumerate(carriers)}
    width = max(1, *(len(found) + (i in hydrogen_site) for i, found in enumerate(chain.neighbours)))

    neighbour = np.zeros((sites, width), dtype=np.int64)
    shift = np.zeros((sites, width), dtype=np.int64)
    count = np.zeros((sites, width))
    for i, found in enumerate(chain.neighbours):
        places = len(found)
        neighbour[i, :places] = [n.atom for n in found]
        shift[i, :places] = [n.shift for n in found]
        count[i, :places] = 1.0
        if i in hydrogen_site:
            neighbour[i, places] = hydrogen_site[i]
            count[i, places] = chain.atoms[i].hydrogens
            neighbour[hydrogen_site[i], 0] = i
            count[hydrogen_site[i], 0] = 1.0
    return Cell(
        chain=chain,
        atomic_number=np.array([atom.number for atom in chain.atoms] + [1] * len(carriers)),
        mass=np.array([atom.mass for atom in chain.atoms] + [MASS_OF_HYDROGEN] * len(carriers)),
        multiplicity=np.array([1.0] * heavy + [chain.atoms[i].hydrogens for i in carriers]),
        parent=np.array([*range(heavy), *carriers]),
        neighbour=neighbour,
        neighbour_shift=shift,
        neighbour_count=count,
    )
