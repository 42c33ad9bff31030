"""The bonds, angles and dihedrals of one repeat unit of an infinite chain, each with its atom types.

A term belongs to the unit that holds its first atom (bonds), its central atom (angles) or the first atom of its central
bond (dihedrals), so that each is counted once per unit; its other atoms may lie in neighbouring units.

Polymers differ in how they are put together, but atoms with the same surroundings are common to most: the terms around an
atom or a bond are listed once for each kind of surroundings (:class:`TermPattern`) and taken over wherever these come again.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.polymers.chain.cell import Cell

_REMEMBERED = 20_000  # patterns of each kind; thousands of different polymers need fewer


@dataclass(frozen=True, slots=True, eq=False)
class TermPattern:
    """The terms around one atom or bond: m rows, each of equal terms.

    Its arrays are kept as their bytes: to join those of some twenty patterns takes a tenth of the time of concatenating them.
    """

    places: tuple[tuple[int, ...], ...]  # (m,) which members of the surroundings each term runs over
    types: tuple[tuple[str, ...], ...]  # (m,)
    multiplicity: bytes  # (m,) float64: number of terms behind each row
    count: int  # number of terms in all
    rows: dict[object, bytes] = field(default_factory=dict)
    """(m,) int64: what a table of parameters has found for the terms, by that table; it lives as long as the pattern."""


@dataclass(frozen=True, slots=True, eq=False)
class Surroundings:
    """An atom of some type with its arms; the members of its angles are the atom and the arms in their order."""

    own: str
    arms: tuple[tuple[str, int], ...]  # type and number of what is bonded to the atom; its hydrogens are one arm
    angles: TermPattern


class Terms(Protocol):
    """M rows, each of equal terms: they differ only in which hydrogen of a site they use."""

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) sites of each row."""

    @property
    def types(self) -> list[tuple[str, ...]]:
        """(M,) atom types of each row."""

    @property
    def multiplicity(self) -> NDArray[np.float64]:
        """(M,) number of terms behind each row."""

    @property
    def count(self) -> int:
        """Number of terms in all."""


@dataclass(frozen=True, slots=True, eq=False)
class AtomTerms:
    """The sites of all cells."""

    types_by_cell: Sequence[Sequence[str]]  # (P, N)
    multiplicity: NDArray[np.float64]  # (P N,) number of atoms behind each row
    count: int  # number of atoms in all

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(P N,) the site of each row."""
        return [(site,) for here in self.types_by_cell for site in range(len(here))]

    @property
    def types(self) -> list[tuple[str, ...]]:
        """(P N,) the atom type of each row."""
        return [(name,) for here in self.types_by_cell for name in here]


@dataclass(frozen=True, slots=True, eq=False)
class BondTerms:
    """The bonds of all cells: per cell those of the chain in its order, then those to hydrogens."""

    types: list[tuple[str, ...]]  # (M,) atom types of each row
    multiplicity: NDArray[np.float64]  # (M,) number of bonds behind each row
    count: int  # number of bonds in all
    ends: NDArray[np.int64]  # (2, B) sites of either end of the bonds of a cell

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) sites of each row."""
        of_a_cell = list(zip(*self.ends.tolist(), strict=True))
        return of_a_cell * (len(self.types) // len(of_a_cell))


@dataclass(frozen=True, slots=True, eq=False)
class PatternTerms:
    """Angles or dihedrals, pattern by pattern."""

    patterns: list[TermPattern]
    members_of: Callable[[int], Sequence[int]]  # the sites that the places of a pattern stand for, by its number

    def sites_of(self, number: int) -> list[tuple[int, ...]]:
        """Return the sites of the rows of a pattern."""
        members = self.members_of(number)
        return [tuple([members[place] for place in places]) for places in self.patterns[number].places]

    @property
    def sites(self) -> list[tuple[int, ...]]:
        """(M,) sites of each row."""
        return [sites for number in range(len(self.patterns)) for sites in self.sites_of(number)]

    @property
    def types(self) -> list[tuple[str, ...]]:
        """(M,) atom types of each row."""
        return [types for pattern in self.patterns for types in pattern.types]

    @property
    def multiplicity(self) -> NDArray[np.float64]:
        """(M,) number of terms behind each row."""
        return np.frombuffer(b"".join([pattern.multiplicity for pattern in self.patterns]))

    @property
    def count(self) -> int:
        """Number of terms in all."""
        return sum([pattern.count for pattern in self.patterns])


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
        self.directed = walked is not None  # whether the direction in which types are listed means something
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

    def atoms(self) -> AtomTerms:
        """Return the sites of all cells."""
        cell = self.cell
        return AtomTerms(self.types, self._in_all_cells(cell.multiplicity), self.period * (cell.heavy + cell.hydrogens))

    def bonds(self) -> BondTerms:
        """Return the bonds of all cells."""
        cell = self.cell
        types: list[tuple[str, ...]] = []
        for k, here in enumerate(self.types):
            types_in = self._types_from(k)
            types += [(here[begin], types_in[shift][end]) for begin, end, shift, _, _ in cell.chain.bonds]
            types += [(here[carrier], own) for carrier, own in zip(cell.carriers, here[cell.heavy :], strict=True)]
        number = self._in_all_cells(cell.multiplicity.take(cell.bond_ends[1]))
        return BondTerms(types, number, self.period * (len(cell.chain.bonds) + cell.hydrogens), cell.bond_ends)

    def _in_all_cells(self, number: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the numbers of the terms of one cell for those of all."""
        found = number.astype(np.float64)
        return found if self.period == 1 else np.tile(found, self.period)

    def angles(self) -> PatternTerms:
        """Return the angles around the atoms of all cells."""

        def members_of(number: int) -> Sequence[int]:
            centre = number % self.cell.heavy
            return centre, *self._sites_around(centre)

        return PatternTerms([around.angles for here in self._surroundings for around in here], members_of)

    def dihedrals(self) -> PatternTerms:
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
        return PatternTerms(patterns, members_of)

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
    number = np.array(multiplicity, dtype=np.float64)
    return TermPattern(tuple(places), tuple(types), number.tobytes(), sum(multiplicity))


def oriented(types: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types in the direction in which they are looked up; it decides which alternative is tried first.

    Heavy atoms come before hydrogens and types in alphabetical order, those in the middle of the term first.
    """
    inner, outer = types[1:-1], (types[0], types[-1])

    def key(direction: int) -> list[tuple[bool, str]]:
        return [(name.startswith("h"), name) for name in (*inner[::direction], *outer[::direction])]

    return types if key(1) <= key(-1) else types[::-1]
