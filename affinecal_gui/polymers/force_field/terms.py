"""The bonds, angles and dihedrals of one repeat unit of an infinite chain, each with its atom types.

A term belongs to the unit that holds its first atom (bonds), its central atom (angles) or the first atom of its central
bond (dihedrals), so that each is counted once per unit; its other atoms may lie in neighbouring units.

Polymers differ in how they are put together, but atoms with the same surroundings are common to most: the terms around an
atom or a bond are listed once for each kind of surroundings (:class:`TermPattern`) and taken over wherever these come again.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell

_REMEMBERED = 20_000  # patterns of each kind; thousands of different polymers need fewer

Arms = tuple[tuple[str, int], ...]
"""Type and number of what is bonded to an atom; the hydrogens are one arm."""


@dataclass(frozen=True, slots=True, eq=False)
class TermPattern:
    """The terms around one atom or bond: m rows, each of equal terms."""

    places: tuple[tuple[int, ...], ...]  # (m,) which members of the surroundings each term runs over
    types: tuple[tuple[str, ...], ...]  # (m,)
    multiplicity: NDArray[np.float64]  # (m,) number of terms behind each row
    rows: dict[object, NDArray[np.int64]] = field(default_factory=dict)
    """(m,) what a table of parameters has found for the terms, by that table; it lives as long as the pattern."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """An atom of some type with its arms; the members of its angles are the atom and the arms in their order."""

    own: str
    arms: Arms
    angles: TermPattern


@dataclass(slots=True)
class Terms:
    """M rows, each of equal terms: they differ only in which hydrogen of a site they use."""

    directed: bool = False  # whether the direction in which types are listed means something: that of a walk
    patterns: list[TermPattern] = field(default_factory=list)
    members: list[tuple[int, ...]] = field(default_factory=list)  # the sites that the places of each pattern stand for

    def add(self, pattern: TermPattern, members: tuple[int, ...]) -> None:
        """Append the rows of a pattern."""
        self.patterns.append(pattern)
        self.members.append(members)

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) sites of each row."""
        return [
            tuple([members[place] for place in places])
            for pattern, members in zip(self.patterns, self.members, strict=True)
            for places in pattern.places
        ]

    @property
    def types(self) -> list[tuple[str, ...]]:
        """(M,) atom types of each row."""
        return [types for pattern in self.patterns for types in pattern.types]

    @property
    def multiplicity(self) -> NDArray[np.float64]:
        """(M,) number of terms behind each row."""
        return np.concatenate([pattern.multiplicity for pattern in self.patterns])


class TypedCell:
    """A cell with atom types, which may repeat only after several cells.

    Parameters
    ----------
    cell : Cell
        N sites.
    types : sequence of sequence of str
        (P, N) types of P successive cells, after which they repeat.
    walked : sequence of sequence of int, optional
        (H,) the order in which a walk dealt with the neighbours of each atom, as indices into them. Angles and dihedrals
        are then listed as the walk comes through them.
    """

    def __init__(
        self, cell: Cell, types: Sequence[Sequence[str]], walked: Sequence[Sequence[int]] | None = None
    ) -> None:
        self.cell = cell
        self.types = types
        self.period = len(types)
        self.walked = walked
        around = cell.chain.neighbours
        self._order = walked if walked is not None else [range(len(ends)) for ends in around]
        self._sites = [tuple([ends[k].atom for k in order]) for ends, order in zip(around, self._order, strict=True)]
        for site, carrier in enumerate(cell.carriers, start=cell.heavy):
            self._sites[carrier] += (site,)
        self._surroundings = [self._typed_surroundings(k) for k in range(self.period)]

    def _typed_surroundings(self, k: int) -> list[Surroundings]:
        """Return what surrounds each atom of cell k."""
        chain = self.cell.chain
        in_cell = [self.types[(k + shift) % self.period] for shift in (0, 1, -1)]  # indexed by the shift itself
        arms = [
            [(in_cell[ends[place].shift][ends[place].atom], 1) for place in order]
            for ends, order in zip(chain.neighbours, self._order, strict=True)
        ]
        for site, carrier in enumerate(self.cell.carriers, start=self.cell.heavy):
            arms[carrier].append((self.types[k][site], chain.atoms[carrier].hydrogens))
        return [_surroundings(own, tuple(found)) for own, found in zip(self.types[k], arms, strict=False)]

    def atoms(self) -> Terms:
        """Return the sites of all cells."""
        sites = range(len(self.cell.masses))
        number = np.array(self.cell.multiplicity, dtype=np.float64)
        return self._one_pattern_a_cell(
            TermPattern(tuple((site,) for site in sites), tuple((name,) for name in here), number)
            for here in self.types
        )

    def bonds(self) -> Terms:
        """Return the bonds of all cells: per cell those of the chain in its order, then those to hydrogens."""
        bonds = self.cell.chain.bonds
        hydrogens = list(enumerate(self.cell.carriers, start=self.cell.heavy))
        places = (*((bond.begin, bond.end) for bond in bonds), *((carrier, site) for site, carrier in hydrogens))
        number = np.array([1] * len(bonds) + self.cell.multiplicity[self.cell.heavy :], dtype=np.float64)
        ends = [(begin, end, shift) for begin, end, shift, _, _ in bonds]
        return self._one_pattern_a_cell(
            TermPattern(
                places,
                (
                    *((here[begin], self.types[(k + shift) % self.period][end]) for begin, end, shift in ends),
                    *((here[carrier], here[site]) for site, carrier in hydrogens),
                ),
                number,
            )
            for k, here in enumerate(self.types)
        )

    def _one_pattern_a_cell(self, patterns: Iterator[TermPattern]) -> Terms:
        terms = Terms(self.walked is not None)
        every = tuple(range(len(self.cell.masses)))
        for pattern in patterns:
            terms.add(pattern, every)
        return terms

    def angles(self) -> Terms:
        """Return the angles around the atoms of all cells."""
        terms = Terms(self.walked is not None)
        for here in self._surroundings:
            for centre, (surroundings, sites) in enumerate(zip(here, self._sites, strict=True)):
                terms.add(surroundings.angles, (centre, *sites))
        return terms

    def dihedrals(self) -> Terms:
        """Return the dihedrals around the bonds of all cells."""
        terms = Terms(self.walked is not None)
        chain = self.cell.chain
        atoms = chain.atoms
        arms = self._arms_of_bonds()
        for k, here in enumerate(self._surroundings):
            for (second, third, shift, _, _), (onwards, back) in zip(chain.bonds, arms, strict=True):
                there = self._surroundings[(k + shift) % self.period]
                in_ring_of_three = atoms[second].smallest_ring == atoms[third].smallest_ring == 3
                terms.add(
                    _dihedrals(
                        here[second],
                        onwards,
                        there[third],
                        back,
                        self._common_arms(second, third, shift) if in_ring_of_three else (),
                    ),
                    (second, third, *self._sites[second], *self._sites[third]),
                )
        return terms

    def _arms_of_bonds(self) -> list[list[int]]:
        """Return for each bond which arm of its first atom the second one is, and which of the second the first."""
        bonds = self.cell.chain.bonds
        found = [[0, 0] for _ in bonds]
        for atom, (ends, order) in enumerate(zip(self.cell.chain.neighbours, self._order, strict=True)):
            for arm, place in enumerate(order):
                _, shift, _, number = ends[place]
                begin, _, onwards, _, _ = bonds[number]
                found[number][atom != begin or shift != onwards] = arm
        return found

    def _common_arms(self, second: int, third: int, shift: int) -> tuple[tuple[int, int], ...]:
        """Return the arms of two bonded atoms that are one and the same atom, as in a ring of three."""
        around = self.cell.chain.neighbours
        return tuple(
            (i, j)
            for i, place in enumerate(self._order[second])
            for j, other in enumerate(self._order[third])
            if around[second][place].atom == around[third][other].atom
            and around[second][place].shift == around[third][other].shift + shift
        )


@lru_cache(_REMEMBERED)
def _surroundings(own: str, arms: Arms) -> Surroundings:
    places, types, multiplicity = [], [], []
    for first, (first_type, first_number) in enumerate(arms):
        if first_number > 1:
            places.append((first + 1, 0, first + 1))
            types.append((first_type, own, first_type))
            multiplicity.append(first_number * (first_number - 1) // 2)
        for third, (third_type, third_number) in enumerate(arms[first + 1 :], start=first + 1):
            places.append((first + 1, 0, third + 1))
            types.append((first_type, own, third_type))
            multiplicity.append(first_number * third_number)
    return Surroundings(own, arms, _pattern(places, types, multiplicity))


@lru_cache(_REMEMBERED)
def _dihedrals(
    second: Surroundings, onwards: int, third: Surroundings, back: int, common: tuple[tuple[int, int], ...]
) -> TermPattern:
    """Return the dihedrals around a bond; their members are its two atoms, then the arms of the one and of the other.

    Parameters
    ----------
    onwards, back
        Which arm of the second atom is the third one, and which arm of the third atom is the second one.
    common
        Arms of both that are one atom: the ends of no dihedral.
    """
    places, types, multiplicity = [], [], []
    for first, (first_type, first_number) in enumerate(second.arms):
        for fourth, (fourth_type, fourth_number) in enumerate(third.arms):
            if first != onwards and fourth != back and (first, fourth) not in common:
                places.append((2 + first, 0, 1, 2 + len(second.arms) + fourth))
                types.append((first_type, second.own, third.own, fourth_type))
                multiplicity.append(first_number * fourth_number)
    return _pattern(places, types, multiplicity)


def _pattern(
    places: Sequence[tuple[int, ...]], types: Sequence[tuple[str, ...]], multiplicity: Sequence[int]
) -> TermPattern:
    return TermPattern(tuple(places), tuple(types), np.array(multiplicity, dtype=np.float64))


def oriented(types: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types in the direction in which they are looked up; it decides which alternative is tried first.

    Heavy atoms come before hydrogens and types in alphabetical order, those in the middle of the term first.
    """
    inner, outer = types[1:-1], (types[0], types[-1])

    def key(direction: int) -> list[tuple[bool, str]]:
        return [(name.startswith("h"), name) for name in (*inner[::direction], *outer[::direction])]

    return types if key(1) <= key(-1) else types[::-1]
