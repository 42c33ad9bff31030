"""The bonds, angles and dihedrals of one repeat unit of an infinite chain, each with its atom types.

A term belongs to the unit that holds its first atom (bonds), its central atom (angles) or the first atom of its central
bond (dihedrals), so that each is counted once per unit; its other atoms may lie in neighbouring units.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from affinecal_gui.polymers.chain.cell import Cell


@dataclass(slots=True)
class Terms:
    """M rows, each of equal terms: they differ only in which hydrogen of a site they use."""

    sites: list[tuple[int, ...]] = field(default_factory=list)
    types: list[tuple[str, ...]] = field(default_factory=list)
    multiplicity: list[int] = field(default_factory=list)  # number of terms behind the row
    directed: bool = False  # whether the direction in which types are listed means something: that of a walk

    def add(self, sites: tuple[int, ...], types: tuple[str, ...], multiplicity: int) -> None:
        """Append a row."""
        self.sites.append(sites)
        self.types.append(types)
        self.multiplicity.append(multiplicity)


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
        self._around = [self._typed_neighbours(k) for k in range(self.period)]

    def _typed_neighbours(self, k: int) -> list[list[tuple[int, int, int, str]]]:
        """Return (site, cell shift, multiplicity, type) of the neighbouring sites of each atom of cell k."""
        chain = self.cell.chain
        in_cell = [self.types[(k + shift) % self.period] for shift in (0, 1, -1)]  # indexed by the shift itself
        found = [
            [(neighbour, shift, 1, in_cell[shift][neighbour]) for neighbour, shift, _, _ in around]
            for around in chain.neighbours
        ]
        if self.walked is not None:
            found = [[around[k] for k in order] for around, order in zip(found, self.walked, strict=True)]
        for site, carrier in enumerate(self.cell.carriers, start=self.cell.heavy):
            found[carrier].append((site, 0, chain.atoms[carrier].hydrogens, self.types[k][site]))
        return found

    def bonds(self) -> Terms:
        """Return the bonds of all cells: per cell those of the chain in its order, then those to hydrogens."""
        terms = Terms(directed=self.walked is not None)
        for k, here in enumerate(self.types):
            for begin, end, shift, _, _ in self.cell.chain.bonds:
                terms.add((begin, end), (here[begin], self.types[(k + shift) % self.period][end]), 1)
            for site, carrier in enumerate(self.cell.carriers, start=self.cell.heavy):
                terms.add((carrier, site), (here[carrier], here[site]), self.cell.multiplicity[site])
        return terms

    def angles(self) -> Terms:
        """Return the angles around the atoms of all cells."""
        terms = Terms(directed=self.walked is not None)
        for here, around_here in zip(self.types, self._around, strict=True):
            for centre, around in enumerate(around_here):
                own = here[centre]
                for place, (first, _, first_number, first_type) in enumerate(around):
                    if first_number > 1:
                        pairs = first_number * (first_number - 1) // 2
                        terms.add((first, centre, first), (first_type, own, first_type), pairs)
                    for third, _, third_number, third_type in around[place + 1 :]:
                        terms.add((first, centre, third), (first_type, own, third_type), first_number * third_number)
        return terms

    def dihedrals(self) -> Terms:
        """Return the dihedrals around the bonds of all cells."""
        terms = Terms(directed=self.walked is not None)
        sites, types, multiplicity = terms.sites, terms.types, terms.multiplicity
        for k, here in enumerate(self.types):
            for second, third, shift, _, _ in self.cell.chain.bonds:
                there = (k + shift) % self.period
                second_type, third_type = here[second], self.types[there][third]
                after = [
                    (fourth, own_shift + shift, number, fourth_type)
                    for fourth, own_shift, number, fourth_type in self._around[there][third]
                    if fourth != second or own_shift != -shift
                ]
                for first, first_shift, first_number, first_type in self._around[k][second]:
                    if first == third and first_shift == shift:
                        continue
                    for fourth, fourth_shift, fourth_number, fourth_type in after:
                        if fourth == first and fourth_shift == first_shift:
                            continue  # a ring of three: its ends are one atom
                        # The innermost loop of a description: appended here rather than through a call.
                        sites.append((first, second, third, fourth))
                        types.append((first_type, second_type, third_type, fourth_type))
                        multiplicity.append(first_number * fourth_number)
        return terms


def oriented(types: tuple[str, ...]) -> tuple[str, ...]:
    """Return the types in the direction in which they are looked up; it decides which alternative is tried first.

    Heavy atoms come before hydrogens and types in alphabetical order, those in the middle of the term first.
    """
    inner, outer = types[1:-1], (types[0], types[-1])

    def key(direction: int) -> list[tuple[bool, str]]:
        return [(name.startswith("h"), name) for name in (*inner[::direction], *outer[::direction])]

    return types if key(1) <= key(-1) else types[::-1]
