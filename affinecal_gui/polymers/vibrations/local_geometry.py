"""Where the neighbours of each atom lie, and how the surroundings of two bonded atoms are turned against each other.

Every atom has axes of its own, in which unit vectors point along its bonds, at the angles of the force field. A bond
carries vectors from the axes of one atom to those of the other by a rotation. So nothing is embedded in space, a ring
need not close to the last digit, and nothing can fail to converge.

Around an open bond the highest-ranking neighbours of its two atoms are trans; rings of sp2 atoms are flat, and those of sp3
atoms puckered. Where four different neighbours can be arranged in two ways, ranks decide, then the pucker of the ring, then
the direction along the chain (all units alike: isotactic).
"""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.atom_ranks import atom_ranks
from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain
from affinecal_gui.polymers.vibrations.explicit_chain import ExplicitChain

FloatArray = NDArray[np.float64]

_PUCKER = {3: 0.0, 4: 15.0, 5: 25.0, 6: 55.0}  # degrees: the dihedral inside a ring of sp3 atoms; larger rings 60
_NEARLY_STRAIGHT = 1e-3  # sine of an angle below which a neighbour gives no direction across the bond


@dataclass(frozen=True, slots=True, eq=False)
class LocalGeometry:
    """Directions and rotations, by atom and arm."""

    directions: tuple[FloatArray, ...]  # (A,) of (arms, 3): unit vectors along the bonds, in the atom's own axes
    rotations: tuple[FloatArray, ...]  # (A,) of (arms, 3, 3): from the axes of the neighbour to those of the atom


@dataclass(frozen=True, slots=True)
class _Turn:
    """How the two ends of a ring bond are turned: the dihedral between two of their neighbours."""

    begin: int  # neighbour of the bond's first atom in the ring
    end: int
    angle: float  # radians


def local_geometry(explicit: ExplicitChain, angle: Callable[[int, int, int], float]) -> LocalGeometry:
    """Arrange the neighbours of every atom.

    Parameters
    ----------
    explicit : ExplicitChain
        The chain.
    angle : callable
        The force field's angle in radians between two arms of an atom: (atom, first arm, second arm).
    """
    chain = explicit.cell.chain
    turns = _ring_turns(chain)
    ranks = _ranks_of_arms(explicit, turns)
    orders = [_order(explicit, atom, ranks[atom], turns) for atom in range(len(explicit.arms))]
    directions = []
    for atom, order in enumerate(orders):
        angles = tuple(angle(atom, one, other) for k, one in enumerate(order) for other in order[:k])
        own = np.empty((len(order), 3))
        own[list(order)] = _star(angles, len(order))
        directions.append(own)
    return LocalGeometry(tuple(directions), _rotations(explicit, orders, ranks, turns, directions))


def _ranks_of_arms(explicit: ExplicitChain, turns: dict[int, _Turn]) -> list[list[int]]:
    """Return the rank of every arm by the atom at its end, -1 for hydrogens; bonds of rings come after others.

    A ring looks like the chain that it would be if it were cut open, so ranks of atoms do not tell the two apart.
    """
    ranks = atom_ranks(explicit.cell.chain)
    return [
        [-1 if arm.atom >= len(ranks) else 2 * ranks[arm.atom] + (arm.bond not in turns) for arm in arms]
        for arms in explicit.arms
    ]


def _order(explicit: ExplicitChain, atom: int, of_arms: list[int], turns: dict[int, _Turn]) -> tuple[int, ...]:
    """Return the arms of an atom in an order that does not depend on how the unit was written: highest rank first."""
    arms = explicit.arms[atom]
    alike = [rank for rank in of_arms if of_arms.count(rank) > 1]
    if len(arms) != 4 or len(alike) != 2 or alike[0] < 0:  # else there is one arrangement, or ranks decide
        return tuple(sorted(range(len(arms)), key=lambda k: (-of_arms[k], k)))
    forward = _forward_arm(explicit, atom)

    def key(k: int) -> tuple[float, ...]:
        turn = turns.get(arms[k].bond)
        return -of_arms[k], -turn.angle if turn is not None else 0.0, k != forward, k

    return tuple(sorted(range(len(arms)), key=key))


def _forward_arm(explicit: ExplicitChain, atom: int) -> int:
    """Return the arm that leads to the same atom in the next cell, -1 if there is none."""
    chain = explicit.cell.chain
    if atom >= len(chain.atoms):
        return -1
    seen = {(atom, 0)}
    queue = deque(
        ((arm.atom, arm.shift), number) for number, arm in enumerate(explicit.arms[atom]) if arm.atom < len(chain.atoms)
    )
    while queue:
        (here, shift), number = queue.popleft()
        if (here, shift) == (atom, 1):
            return number
        if (here, shift) in seen or abs(shift) > 1:
            continue
        seen.add((here, shift))
        queue.extend(((other.atom, shift + other.shift), number) for other in chain.neighbours[here])
    return -1


@lru_cache(maxsize=4096)
def _star(angles: tuple[float, ...], count: int) -> FloatArray:
    """Return unit vectors at these angles to one another, as nearly as three dimensions allow; the first three right-handed.

    The angles of k = 1, 2 ... with those before it. From the Gram matrix of their cosines: its three largest eigenvectors.
    """
    if count == 1:
        return np.array([[0.0, 0.0, 1.0]])
    gram = np.eye(count)
    rows, columns = np.tril_indices(count, -1)
    gram[rows, columns] = gram[columns, rows] = np.cos(angles)
    values, vectors = np.linalg.eigh(gram)
    star = np.zeros((count, 3))
    kept = min(count, 3)
    star[:, :kept] = (vectors * np.sqrt(np.maximum(values, 0.0)))[:, ::-1][:, :kept]
    star /= np.linalg.norm(star, axis=1)[:, None]
    if count > 2 and np.linalg.det(star[:3]) < 0.0:
        star[:, 2] *= -1.0
    return star


def _ring_turns(chain: InfiniteChain) -> dict[int, _Turn]:
    """Return the dihedrals inside rings by bond: each bond takes the smallest ring it belongs to."""
    rings = chain.molecule.GetRingInfo().AtomRings()
    if not rings:
        return {}
    number_of = {atom.in_molecule: number for number, atom in enumerate(chain.atoms)}
    bond_of = {frozenset((bond.begin, bond.end)): index for index, bond in enumerate(chain.bonds) if bond.shift == 0}
    turns: dict[int, _Turn] = {}
    for ring in sorted(rings, key=len):
        atoms = [number_of[index] for index in ring]
        size = len(atoms)
        flexible = [
            all(chain.atoms[one].hybridisation == "sp3" for one in (atoms[k], atoms[(k + 1) % size]))
            for k in range(size)
        ]
        start = flexible.index(False) if False in flexible else 0  # from a rigid bond, signs alternate without a seam
        for k in (*range(start, size), *range(start)):
            before, begin, end, after = (atoms[(k + step) % size] for step in (-1, 0, 1, 2))
            bond = bond_of[frozenset((begin, end))]
            if bond in turns:
                continue
            sign = (-1) ** ((k - start) % size)
            angle = sign * math.radians(_PUCKER.get(size, 60.0)) if flexible[k] else 0.0
            if chain.bonds[bond].begin != begin:
                before, after = after, before
            turns[bond] = _Turn(before, after, angle)
    return turns


def _rotations(
    explicit: ExplicitChain,
    orders: list[tuple[int, ...]],
    ranks: list[list[int]],
    turns: dict[int, _Turn],
    directions: list[FloatArray],
) -> tuple[FloatArray, ...]:
    """Return the rotation of every arm."""
    ends: list[tuple[int, int, int, int]] = []  # atom, arm, and those of the other end; each bond once
    across: list[tuple[FloatArray, FloatArray]] = []
    angles: list[float] = []
    for atom, arms in enumerate(explicit.arms):
        for number, (other, shift, back, bond) in enumerate(arms):
            if (other, back) < (atom, number) if shift == 0 else shift < 0:
                continue
            turn = turns.get(bond)
            if turn is None:
                first, second = (
                    _reference(orders[one], ranks[one], own) for one, own in ((atom, number), (other, back))
                )
                angle = math.pi
            else:
                begin, end = turn.begin, turn.end
                if explicit.cell.chain.bonds[bond].begin != atom:
                    begin, end = end, begin
                first, second, angle = _arm_to(explicit, atom, begin), _arm_to(explicit, other, end), turn.angle
            ends.append((atom, number, other, back))
            across.append(
                (_across(directions[atom], number, first), _across(directions[other], back, second)),
            )
            angles.append(angle)
    here = np.array([directions[atom][number] for atom, number, _, _ in ends])
    there = np.array([directions[other][back] for _, _, other, back in ends])
    of_here = _axes(here, np.array([pair[0] for pair in across]))
    of_there = _axes(there, np.array([pair[1] for pair in across]))
    cosine, sine = np.cos(angles)[:, None], np.sin(angles)[:, None]
    turned = np.stack(
        [-of_here[:, 0], cosine * of_here[:, 1] + sine * of_here[:, 2], sine * of_here[:, 1] - cosine * of_here[:, 2]],
        1,
    )
    rotation = np.einsum("nki,nkj->nij", turned, of_there)
    found = [np.empty((len(arms), 3, 3)) for arms in explicit.arms]
    for (atom, number, other, back), one in zip(ends, rotation, strict=True):
        found[atom][number] = one
        found[other][back] = one.T
    return tuple(found)


def _reference(order: tuple[int, ...], ranks: list[int], arm: int) -> int | None:
    """Return the arm that stands for an atom in the dihedral around one of its bonds: the highest unlike all others."""
    others = [number for number in order if number != arm]
    of_others = [ranks[number] for number in others]
    unlike = (number for number, rank in zip(others, of_others, strict=True) if of_others.count(rank) == 1)
    return next(unlike, others[0] if others else None)


def _arm_to(explicit: ExplicitChain, atom: int, other: int) -> int:
    """Return the arm that leads to another atom of the same cell."""
    return next(k for k, arm in enumerate(explicit.arms[atom]) if (arm.atom, arm.shift) == (other, 0))


def _across(directions: FloatArray, along: int, reference: int | None) -> FloatArray:
    """Return a direction across a bond: to the reference, or any where there is none or it lies on the line of the bond."""
    line = directions[along]
    if reference is not None:
        found: FloatArray = directions[reference]
        if float(np.linalg.norm(found - (found @ line) * line)) > _NEARLY_STRAIGHT:
            return found
    axis = np.zeros(3)
    axis[int(np.argmin(np.abs(line)))] = 1.0
    return axis


def _axes(along: FloatArray, across: FloatArray) -> FloatArray:
    """Return right-handed axes (n, 3, 3), one a row: along, and across as far as it is square to that."""
    second = across - np.sum(across * along, axis=1)[:, None] * along
    second /= np.linalg.norm(second, axis=1)[:, None]
    return np.stack([along, second, np.cross(along, second)], 1)
