"""A cell of a chain in which every hydrogen is an atom of its own, with the force-field types of all atoms."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell, cell_of
from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain
from affinecal_gui.polymers.force_field.atom_types import heavy_atom_types, hydrogen_type


class Arm(NamedTuple):
    """A bond, seen from one of its atoms."""

    atom: int  # at the other end
    shift: int  # cells onwards along the chain
    back: int  # which arm of that atom leads back
    bond: int  # index into the bonds of the chain; -1 to a hydrogen


@dataclass(frozen=True, eq=False)
class ExplicitChain:
    """A atoms per cell: those of the chain's cell first, then every hydrogen that these carry."""

    cell: Cell
    site: tuple[int, ...]  # (A,) the site of the cell that each atom is, or belongs to
    arms: tuple[tuple[Arm, ...], ...]  # (A,) neighbours, in the order in which terms list them
    types: tuple[tuple[str, ...], ...]  # (P, A) atom types, which may repeat only after P cells
    directed: bool  # whether the direction in which terms list their atoms means something

    @property
    def masses(self) -> NDArray[np.float64]:
        """(A,) in g/mol."""
        return np.array(self.cell.masses)[list(self.site)]


def explicit_chain(chain: InfiniteChain, force_field: str) -> ExplicitChain:
    """Return the cell of a chain with every atom.

    Raises
    ------
    DescriptorError
        When an atom has no type.
    """
    heavy = heavy_atom_types(chain, force_field)
    cell = cell_of(chain)
    of_site = [hydrogen_type(chain, carrier, force_field) for carrier in cell.carriers]
    hydrogens = [
        (site, carrier)
        for site, carrier in enumerate(cell.carriers, start=cell.heavy)
        for _ in range(chain.atoms[carrier].hydrogens)
    ]
    site = (*range(cell.heavy), *(site for site, _ in hydrogens))
    ends: list[list[tuple[int, int, int]]] = [
        [(other.atom, other.shift, other.bond) for other in around] for around in chain.neighbours
    ]
    if heavy.walked is not None:
        ends = [[around[k] for k in order] for around, order in zip(ends, heavy.walked, strict=True)]
    for number, (_, carrier) in enumerate(hydrogens, start=cell.heavy):
        ends[carrier].append((number, 0, -1))
        ends.append([(carrier, 0, -1)])
    place = {
        (atom, other, shift): arm for atom, around in enumerate(ends) for arm, (other, shift, _) in enumerate(around)
    }
    arms = tuple(
        tuple(Arm(other, shift, place[other, atom, -shift], bond) for other, shift, bond in around)
        for atom, around in enumerate(ends)
    )
    types = tuple((*cells, *(of_site[one - cell.heavy] for one in site[cell.heavy :])) for cells in heavy.cells)
    return ExplicitChain(cell, site, arms, types, heavy.walked is not None)
