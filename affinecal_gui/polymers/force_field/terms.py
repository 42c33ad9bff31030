"""The bonds, angles and dihedrals of one repeat unit of an infinite chain, each with its atom types.

A term belongs to the unit that holds its first atom (bonds), its central atom (angles) or the first atom of its central
bond (dihedrals), so that each is counted once per unit; its other atoms may lie in neighbouring units.

Polymers differ in how they are put together, but atoms with the same surroundings are common to most: the terms around an
atom or a bond are listed once for each kind of surroundings (:class:`TermPattern`) and taken over wherever these come again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell

_REMEMBERED = 20_000  # patterns of each kind; thousands of different polymers need fewer


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
    arms: tuple[tuple[str, int], ...]  # type and number of what is bonded to the atom; its hydrogens are one arm
    angles: TermPattern


@dataclass(frozen=True, slots=True)
class Terms:
    """M rows, each of equal terms: they differ only in which hydrogen of a site they use."""

    directed: bool  # whether the direction in which types are listed means something: that of a walk
    patterns: list[TermPattern]
    members_of: Callable[[int], Sequence[int]]  # the sites that the places of a pattern stand for, by its number

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) sites of each row."""
        found = []
        for number, pattern in enumerate(self.patterns):
            members = self.members_of(number)
            found += [tuple([members[place] for place in places]) for places in pattern.places]
        return found

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
        self._directed = walked is not None
        self._around, self._places = cell.chain.neighbours, cell.chain.places
        if walked is not None:
            self._around = tuple(
                [tuple([ends[k] for k in order]) for ends, order in zip(self._around, walked, strict=True)]
            )
            self._places = tuple(
                (walked[begin].index(onwards), walked[end].index(back))
                for (begin, end, *_), (onwards, back) in zip(cell.chain.bonds, self._places, strict=True)
            )
        self._surroundings = [self._typed_surroundings(k) for k in range(self.period)]

    def _types_from(self, k: int) -> list[Sequence[str]]:
        """Return the types of cell k, of the next and of the one before: indexed by the shift itself."""
        return [self.types[(k + shift) % self.period] for shift in (0, 1, -1)]

    def _typed_surroundings(self, k: int) -> list[Surroundings]:
        """Return what surrounds each atom of cell k."""
        here, types_in = self.types[k], self._types_from(k)
        arms = [[types_in[end.shift][end.atom] for end in ends] for ends in self._around]
        hydrogens = [0] * len(arms)
        for site, carrier in enumerate(self.cell.carriers, start=self.cell.heavy):
            arms[carrier].append(here[site])
            hydrogens[carrier] = self.cell.chain.atoms[carrier].hydrogens
        return [
            _surroundings(own, tuple(types), number)
            for own, types, number in zip(here, arms, hydrogens, strict=False)  # the hydrogens have no arms
        ]

    def atoms(self) -> Terms:
        """Return the sites of all cells."""
        places, number = tuple(zip(range(len(self.cell.multiplicity)))), self.cell.multiplicity.astype(np.float64)
        return self._one_pattern_a_cell([TermPattern(places, tuple(zip(here)), number) for here in self.types])

    def bonds(self) -> Terms:
        """Return the bonds of all cells: per cell those of the chain in its order, then those to hydrogens."""
        bonds, carriers = self.cell.chain.bonds, self.cell.carriers
        places = tuple(zip(*self.cell.bond_ends.tolist(), strict=True))
        number = self.cell.multiplicity[self.cell.bond_ends[1]].astype(np.float64)
        patterns = []
        for k, here in enumerate(self.types):
            types_in = self._types_from(k)
            types = [(here[begin], types_in[shift][end]) for begin, end, shift, _, _ in bonds]
            types += [(here[carrier], own) for carrier, own in zip(carriers, here[self.cell.heavy :], strict=True)]
            patterns.append(TermPattern(places, tuple(types), number))
        return self._one_pattern_a_cell(patterns)

    def _one_pattern_a_cell(self, patterns: list[TermPattern]) -> Terms:
        sites = range(len(self.cell.multiplicity))
        return Terms(self._directed, patterns, lambda _: sites)

    def angles(self) -> Terms:
        """Return the angles around the atoms of all cells."""

        def members_of(number: int) -> Sequence[int]:
            centre = number % self.cell.heavy
            return centre, *self._sites_around(centre)

        return Terms(self._directed, [around.angles for here in self._surroundings for around in here], members_of)

    def dihedrals(self) -> Terms:
        """Return the dihedrals around the bonds of all cells."""
        chain = self.cell.chain
        atoms, bonds = chain.atoms, chain.bonds

        def members_of(number: int) -> Sequence[int]:
            second, third, *_ = bonds[number % len(bonds)]
            return second, third, *self._sites_around(second), *self._sites_around(third)

        patterns = []
        for k, here in enumerate(self._surroundings):
            for (second, third, shift, _, _), (onwards, back) in zip(bonds, self._places, strict=True):
                there = self._surroundings[(k + shift) % self.period]
                in_ring_of_three = atoms[second].smallest_ring == atoms[third].smallest_ring == 3
                common = self._common_arms(second, third, shift) if in_ring_of_three else ()
                patterns.append(_dihedrals(here[second], onwards, there[third], back, common))
        return Terms(self._directed, patterns, members_of)

    def _sites_around(self, atom: int) -> tuple[int, ...]:
        """Return the sites of the arms of an atom."""
        neighbours = tuple([neighbour.atom for neighbour in self._around[atom]])
        if not self.cell.chain.atoms[atom].hydrogens:
            return neighbours
        return *neighbours, self.cell.heavy + self.cell.carriers.index(atom)

    def _common_arms(self, second: int, third: int, shift: int) -> tuple[tuple[int, int], ...]:
        """Return the arms of two bonded atoms that are one and the same atom, as in a ring of three."""
        return tuple(
            (i, j)
            for i, one in enumerate(self._around[second])
            for j, other in enumerate(self._around[third])
            if one.atom == other.atom and one.shift == other.shift + shift
        )


@lru_cache(_REMEMBERED)
def _surroundings(own: str, around: tuple[str, ...], hydrogens: int) -> Surroundings:
    """Return what surrounds an atom; the last of the types around it is that of its hydrogens if it has any."""
    numbers = [1] * len(around)
    if hydrogens:
        numbers[-1] = hydrogens
    arms = tuple(zip(around, numbers, strict=True))
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
