"""Gasteiger's partial charges of an infinite chain.

Partial equalisation of orbital electronegativity (Gasteiger and Marsili, Tetrahedron 36, 3219 (1980)) is message
passing: an atom only ever hears of its neighbours, so one periodic cell gives exactly the charges of the endless chain,
and of every ring of such cells. Parameters, damping and number of rounds are those of RDKit
(Code/GraphMol/PartialCharges), so that both agree to rounding.
"""

import csv
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.bundled import resources
from affinecal_gui.polymers.chain.cell import Cell
from affinecal_gui.polymers.chain.infinite_chain import ChainAtom, InfiniteChain, atom_name
from affinecal_gui.polymers.descriptor_error import DescriptorError

ROUNDS = 12
_HYDROGEN_CATION = 20.02  # electronegativity of H+, in V
_DAMPING = 0.5 ** np.arange(1, ROUNDS + 1)[:, None, None]  # each round moves half as much charge as the one before


def gasteiger_charges(cell: Cell) -> NDArray[np.float64]:
    """Return the partial charge of every site of a cell, in e.

    With the electronegativity of each atom chi(q) = a + b q + c q^2, a round moves over every bond
    (chi_j - chi_i) / chi+ of charge onto atom i, where chi+ is the electronegativity of the cation of the less
    electronegative partner, damped by 1/2 per round.

    Parameters
    ----------
    cell : Cell
        N sites; the hydrogens of an atom are one site.

    Returns
    -------
    NDArray
        (N,) charge of one atom of each site.

    Raises
    ------
    DescriptorError
        When an atom's element and hybridisation have no parameters.
    """
    chain = cell.chain
    heavy, sites = cell.heavy, cell.heavy + len(cell.carriers)
    table = _table()
    rows = [table.row_of.get((atom.symbol, atom.hybridisation), -1) for atom in chain.atoms]
    if -1 in rows:
        rows = [_row(chain, i) if row < 0 else row for i, row in enumerate(rows)]
    a, b, c, cation = table.values.take(rows + [table.row_of["H", "any"]] * len(cell.carriers), axis=1)

    ends = np.concatenate((cell.bond_ends, cell.bond_ends[::-1]), axis=1)  # every bond seen from both of its atoms
    here, there = ends
    number = cell.multiplicity.take(there)  # of such bonds on the atom here
    shares = number / cation.take(ends)
    shares[0] -= shares[1]  # what moves only where the electronegativity there is the higher one, and what always does

    charge = np.zeros(sites)
    if any(atom.charge for atom in chain.atoms):
        charge[:heavy] = _shared_formal_charges(chain)
    # A round takes a dozen steps on short arrays, so that each new one would take as long as a step.
    both, nothing = np.empty(ends.shape), np.zeros(len(here))
    rising, difference = both
    for damped in _DAMPING * shares:
        electronegativity = c * charge
        electronegativity += b
        electronegativity *= charge
        electronegativity += a
        electronegativity.take(ends, out=both, mode="clip")
        difference -= rising  # which were the electronegativities there and here
        np.maximum(difference, nothing, out=rising)
        both *= damped
        difference += rising
        charge += np.bincount(here, difference, sites)
    return charge


def _shared_formal_charges(chain: InfiniteChain) -> list[float]:
    """Share each formal charge with the atoms of the same element two conjugated bonds away.

    An atom that has got a share does not share again; the largest groups come first, so that the numbering of the atoms
    does not decide (RDKit goes by number).
    """
    groups = [_sharing(chain, i) for i, atom in enumerate(chain.atoms) if atom.charge]
    charges = [0.0] * len(chain.atoms)
    for group in sorted(groups, key=len, reverse=True):
        if charges[group[0]] == 0.0:
            share = sum(chain.atoms[j].charge for j in group) / len(group)
            for j in group:
                charges[j] = share
    return charges


def _sharing(chain: InfiniteChain, i: int) -> list[int]:
    """Return the atoms among which a formal charge is shared, the charged atom first."""
    found = [i]
    for first in chain.neighbours[i]:
        if first.bond not in chain.conjugated_bonds:
            continue
        for second in chain.neighbours[first.atom]:
            back = second.atom == i and first.shift + second.shift == 0
            alike = chain.atoms[second.atom].number == chain.atoms[i].number
            if second.bond in chain.conjugated_bonds and alike and not back:
                found.append(second.atom)
    return found


def _row(chain: InfiniteChain, i: int) -> int:
    """Return the row of an atom's parameters where its hybridisation alone does not tell it."""
    atom = chain.atoms[i]
    found = _table().row_of.get((atom.symbol, _mode(chain, atom, i)))
    if found is None:
        raise DescriptorError(
            f"No Gasteiger charge parameters for {atom_name(chain, i)} ({atom.degree} bonds, {atom.hybridisation})."
        )
    return found


def _mode(chain: InfiniteChain, atom: ChainAtom, i: int) -> str:
    """Return the state by which the parameters of an element are chosen."""
    if atom.hybridisation in ("sp", "sp2", "sp3"):
        return atom.hybridisation
    if atom.symbol == "S":  # more than four electron pairs
        oxygens = sum(chain.atoms[neighbour.atom].symbol == "O" for neighbour in chain.neighbours[i])
        return {1: "so", 2: "so2"}.get(oxygens, "sp3")
    return "any"


@dataclass(frozen=True, slots=True)
class _Table:
    """Electronegativities of R states of atoms."""

    row_of: dict[tuple[str, str], int]  # by element and state
    values: NDArray[np.float64]  # (4, R): a, b, c, and the electronegativity of the cation


@cache
def _table() -> _Table:
    path = resources() / "force_fields" / "gasteiger.csv"
    rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()[1:]))
    a, b, c = np.array([row[2:] for row in rows], dtype=np.float64).T
    cation = np.where([element == "H" for element, *_ in rows], _HYDROGEN_CATION, a + b + c)
    return _Table({(element, state): row for row, (element, state, *_) in enumerate(rows)}, np.array((a, b, c, cation)))
