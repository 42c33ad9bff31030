"""Atom types that alternate along conjugated systems: cc/cd, ce/cf, cg/ch, cp/cq, nc/nd, ne/nf, pc/pd, pe/pf.

The members of such a pair have the same meaning; which of them an atom gets says with which neighbours it shares a
double bond (unlike members) and with which a single bond (like members). RadonPy gives the types out while it walks
along the molecule, each atom deciding for its double-bonded partner and for that partner's further neighbours, so the
walk decides which atom is the first of its system, and what happens where no assignment satisfies every bond (an odd
cycle). Here the walk goes along the infinite chain and depends on nothing but the chain: at a branch it takes the way
out of a ring first, then the higher bond order, then the lower rank of the atom, where ranks are refined from element
and surroundings. Of the two directions along the chain, that one counts which leaves fewer second types to carbon
atoms, and these to atoms of higher rank. The order in which the walk comes through an angle also decides which of its
ends is first replaced by an alternative type when the tables lack it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from affinecal_gui.polymers.chain.atom_ranks import atom_ranks
from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, Neighbour

_CONJUGATING = frozenset(
    (
        *("c", "c1", "c2", "ca", "cc", "cd", "ce", "cf", "cg", "ch", "cp", "cq", "cu", "cv"),
        *("n1", "n2", "na", "nb", "nc", "nd", "ne", "nf"),
        *("p2", "pb", "pc", "pd", "pe", "pf", "px", "py"),
        *("sx", "sy"),
    )
)
_CONJUGATING_IN_RINGS = _CONJUGATING | {"os", "ss"}
_LARGEST_CONJUGATED_RING = 14  # an sp2 atom of a larger ring counts as a chain atom (RadonPy's typing rules)
_IN_SMALL_RINGS = {("c2", 3): "cu", ("c2", 4): "cv", ("c3", 3): "cx", ("c3", 4): "cy"}  # by type and size of the ring
_INNER_OF_CHAIN = {"c2": "ce", "c1": "cg", "n2": "ne", "p2": "pe"}
_INNER_OF_RING = {"c2": "cc", "n2": "nc", "p2": "pc"}
_SECOND_IN_CHAIN = {"ce": "cf", "cg": "ch", "ne": "nf", "pe": "pf"}
_SECOND_IN_RING = {"cc": "cd", "nc": "nd", "pc": "pd"}
_SECOND_HEAD = {"cp": "cq"}
_SECOND_TYPES = {*_SECOND_IN_CHAIN.values(), *_SECOND_IN_RING.values(), *_SECOND_HEAD.values()}
_HEAD_PARTNERS = {"ca", "nb", "pb"}

_MAY_ALTERNATE = frozenset((*_SECOND_IN_CHAIN, *_SECOND_IN_RING, *_SECOND_HEAD))

_ATOMS_BEFORE_MIDDLE = 8  # atoms walked at least before the cells that are read, and after them


@dataclass(frozen=True, slots=True)
class ChainTypes:
    """Types of the atoms of a chain's cell, over the P cells after which they repeat."""

    cells: tuple[tuple[str, ...], ...]  # (P, N)
    walked: tuple[tuple[int, ...], ...] | None
    """(N,) indices into ``chain.neighbours[i]`` in the order of the walk that gave out the types: where it came from, where
    it went, where it closed rings; None where types did not depend on a walk."""


def assign_conjugated_types(chain: InfiniteChain, types: Sequence[str]) -> ChainTypes:
    """Refine the types of atoms in small rings and conjugated systems.

    Parameters
    ----------
    chain : InfiniteChain
        N atoms.
    types : sequence of str
        (N,) types by element and bonding.
    """
    inner = _inner_types(chain, _small_ring_types(chain, types))
    heads = _heads(chain, inner)
    if not _alternates(chain, inner, heads):
        return ChainTypes((tuple(heads),), None)
    ranks = atom_ranks(chain)
    stretch = _Stretch(chain, ranks)
    both_ways = [stretch.types(inner, stretch.walk(direction)) for direction in (1, -1)]
    return min(both_ways, key=lambda found: _preference(chain, found, ranks))


def _preference(chain: InfiniteChain, types: ChainTypes, ranks: list[int]) -> tuple[float, list[tuple[object, ...]]]:
    """Return a key that is smallest for the preferred direction: few second carbons, and those of high rank."""
    assert types.walked is not None
    seconds = [sum(cell[i] in _SECOND_TYPES for cell in types.cells) for i in range(len(ranks))]
    carbons = sum(number for atom, number in zip(chain.atoms, seconds, strict=True) if atom.symbol == "C")
    # Where both directions give the same types, anything decides that does not depend on the numbering.
    ways = [
        [ranks[around[k].atom] for k in order] for around, order in zip(chain.neighbours, types.walked, strict=True)
    ]
    return carbons / len(types.cells), [
        *sorted((-rank, -number) for rank, number in zip(ranks, seconds, strict=True)),
        *sorted((-rank, *(-other for other in way)) for rank, way in zip(ranks, ways, strict=True)),
    ]


def _small_ring_types(chain: InfiniteChain, types: Sequence[str]) -> list[str]:
    """Return the types with those of three- and four-membered rings."""
    return [
        _IN_SMALL_RINGS.get((name, atom.smallest_ring), name) for name, atom in zip(types, chain.atoms, strict=True)
    ]


def _inner_types(chain: InfiniteChain, types: list[str]) -> list[str]:
    """Return the types with those of sp and sp2 atoms between two conjugating neighbours."""
    found = list(types)
    for i, name in enumerate(types):
        if name in _INNER_OF_CHAIN:
            in_ring = 0 < chain.atoms[i].smallest_ring <= _LARGEST_CONJUGATED_RING
            conjugating = _CONJUGATING_IN_RINGS if in_ring else _CONJUGATING
            if sum(types[n.atom] in conjugating for n in chain.neighbours[i]) >= 2:
                found[i] = (_INNER_OF_RING if in_ring else _INNER_OF_CHAIN).get(name, name)
    return found


def _head_neighbours(chain: InfiniteChain, types: Sequence[str], i: int) -> int:
    """Return how many single bonds lead from an aromatic carbon to another aromatic atom."""
    found = 0
    for neighbour in chain.neighbours[i]:
        if neighbour.order == 1 and types[neighbour.atom] in _HEAD_PARTNERS:
            found += 1
    return found


def _heads(chain: InfiniteChain, types: Sequence[str]) -> list[str]:
    """Return the types with "cp" for aromatic carbons that are bonded to another aromatic ring."""
    return ["cp" if name == "ca" and _head_neighbours(chain, types, i) else name for i, name in enumerate(types)]


def _alternates(chain: InfiniteChain, types: Sequence[str], heads: Sequence[str]) -> bool:
    """Tell whether any pair of atoms must have unlike types; ``heads`` are the types by :func:`_heads`."""
    if _MAY_ALTERNATE.isdisjoint(heads):
        return False
    for i, name in enumerate(heads):
        if name == "cp":
            if _head_neighbours(chain, types, i) > 1:
                return True
            if any(n.order == 1.5 and heads[n.atom] == "cp" for n in chain.neighbours[i]):
                return True
        for family in (_SECOND_IN_CHAIN, _SECOND_IN_RING):
            if name in family and any(n.order in (2, 3) and heads[n.atom] in family for n in chain.neighbours[i]):
                return True
    return False


_Walk = dict[int, int]
"""A depth-first walk over a stretch of the chain: each place with the one from which it was reached, in their order."""


class _Stretch:
    """A stretch of the chain, long enough that its two middle cells do not feel its ends.

    A place is an atom of one of the cells: cell * N + atom.
    """

    def __init__(self, chain: InfiniteChain, ranks: list[int]) -> None:
        self.chain = chain
        self.size = len(chain.atoms)
        self.margin = 1 + -(-_ATOMS_BEFORE_MIDDLE // self.size)
        self.cells = 2 * self.margin + 2

        def preference(neighbour: Neighbour) -> tuple[bool, float, int]:
            bond = neighbour.bond
            return bond in chain.ring_bonds, -chain.delocalised_orders[bond], ranks[neighbour.atom]

        preferred = [sorted(around, key=preference, reverse=True) for around in chain.neighbours]
        self._ways = [  # from each place, the preferred one last
            [(cell + way.shift) * self.size + way.atom for way in ways if 0 <= cell + way.shift < self.cells]
            for cell in range(self.cells)
            for ways in preferred
        ]

    def neighbours(self, place: int) -> list[tuple[int, float]]:
        """Return (place, bond order) of the neighbours that lie on the stretch."""
        cell, atom = divmod(place, self.size)
        return [
            ((cell + n.shift) * self.size + n.atom, n.order)
            for n in self.chain.neighbours[atom]
            if 0 <= cell + n.shift < self.cells
        ]

    def walk(self, direction: int) -> _Walk:
        """Walk depth first along the chain (1) or against it (-1)."""
        size = self.size
        link = self.chain.bonds[-1]
        cells = range(self.cells)[::direction]
        start = cells[0] * size + (link.end if direction > 0 else link.begin)
        origin: _Walk = {}
        for first in (start, *(cell * size + atom for cell in cells for atom in range(size))):
            waiting = [] if first in origin else [(first, first)]
            while waiting:
                place, came_from = waiting.pop()
                if place not in origin:
                    origin[place] = came_from
                    waiting += [(other, place) for other in self._ways[place] if other not in origin]
        return origin

    def types(self, types: Sequence[str], walk: _Walk) -> ChainTypes:
        """Give out alternating types on a walk; return those of the two middle cells, or of one if they are equal."""
        found = list(types) * self.cells
        heads = {i for i, name in enumerate(types) if name == "ca" and _head_neighbours(self.chain, types, i)}
        concerned = {i for i, name in enumerate(types) if name in _SECOND_IN_CHAIN or name in _SECOND_IN_RING} | heads
        places = [place for place in walk if place % self.size in concerned]
        for place in places:
            if found[place] in _SECOND_IN_CHAIN:
                self._alternate(found, place, _SECOND_IN_CHAIN, (2, 3))
            elif found[place] in _SECOND_IN_RING:
                self._alternate(found, place, _SECOND_IN_RING, (2,))
        for place in places:
            if found[place] == "ca":
                for partner, order in self.neighbours(place):
                    if order == 1 and found[partner] in _HEAD_PARTNERS:
                        found[place] = "cp"
                        if found[partner] == "ca":
                            found[partner] = "cp"
        for place in places:
            if found[place] in _SECOND_HEAD:
                self._alternate(found, place, _SECOND_HEAD, (1.5,))
        first, second = (tuple(found[k * self.size : (k + 1) * self.size]) for k in (self.margin, self.margin + 1))
        return ChainTypes((first,) if first == second else (first, second), self._walked(walk))

    def _walked(self, walk: _Walk) -> tuple[tuple[int, ...], ...]:
        """Return the order in which a walk dealt with the neighbours of each atom of a middle cell."""
        when = {place: time for time, place in enumerate(walk)}
        orders = []
        for atom, around in enumerate(self.chain.neighbours):
            place = self.margin * self.size + atom
            keys = []
            for k, neighbour in enumerate(around):
                other = (self.margin + neighbour.shift) * self.size + neighbour.atom
                kind = 0 if walk[place] == other else 1 if walk[other] == place else 2
                keys.append((kind, when[other], k))
            orders.append(tuple(k for _, _, k in sorted(keys)))
        return tuple(orders)

    def _alternate(self, found: list[str], place: int, second: dict[str, str], unlike: tuple[float, ...]) -> None:
        """Let an atom decide for its partner across an ``unlike`` bond and for the partner's other neighbours."""
        for partner, order in self.neighbours(place):
            if order in unlike and found[partner] in second:
                found[partner] = second[found[partner]]
                for further, further_order in self.neighbours(partner):
                    if further_order == 1 and found[further] in second:
                        found[further] = second[found[further]]
