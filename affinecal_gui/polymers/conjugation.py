"""Atom types that alternate along conjugated systems: cc/cd, ce/cf, cg/ch, cp/cq, nc/nd, ne/nf, pc/pd, pe/pf.

The members of such a pair have the same meaning; which of them an atom gets says with which neighbours it shares a
double bond (unlike members) and with which a single bond (like members). RadonPy gives the types out while it walks
along the molecule, each atom deciding for its double-bonded partner and for that partner's further neighbours, so the
walk decides which atom is the first of its system, and what happens where no assignment satisfies every bond (an odd
cycle). Here the walk goes along the infinite chain and depends on nothing but the chain: at a branch it takes the way
out of a ring first, then the higher bond order, then the lower rank of the atom, where ranks are refined from element
and surroundings. Of the two directions along the chain, that one counts which leaves fewer second types to carbon
atoms, and these to atoms of higher rank.
"""

from collections.abc import Sequence

from affinecal_gui.polymers.infinite_chain import InfiniteChain, Neighbour

_CONJUGATING = frozenset(
    (
        *("c", "c1", "c2", "ca", "cc", "cd", "ce", "cf", "cg", "ch", "cp", "cq", "cu", "cv"),
        *("n1", "n2", "na", "nb", "nc", "nd", "ne", "nf"),
        *("p2", "pb", "pc", "pd", "pe", "pf", "px", "py"),
        *("sx", "sy"),
    )
)
_CONJUGATING_IN_RINGS = _CONJUGATING | {"os", "ss"}
_INNER_OF_CHAIN = {"c2": "ce", "c1": "cg", "n2": "ne", "p2": "pe"}
_INNER_OF_RING = {"c2": "cc", "n2": "nc", "p2": "pc"}
_SECOND_IN_CHAIN = {"ce": "cf", "cg": "ch", "ne": "nf", "pe": "pf"}
_SECOND_IN_RING = {"cc": "cd", "nc": "nd", "pc": "pd"}
_SECOND_HEAD = {"cp": "cq"}
_SECOND_TYPES = {*_SECOND_IN_CHAIN.values(), *_SECOND_IN_RING.values(), *_SECOND_HEAD.values()}
_HEAD_PARTNERS = {"ca", "nb", "pb"}

_ROUNDS_OF_RANKING = 32  # atoms with the same surroundings up to so many bonds count as equivalent
_ATOMS_BEFORE_MIDDLE = 8  # atoms walked at least before the cells that are read, and after them


def assign_conjugated_types(chain: InfiniteChain, types: Sequence[str]) -> list[tuple[str, ...]]:
    """Refine the types of atoms in small rings and conjugated systems.

    Parameters
    ----------
    chain : InfiniteChain
        N atoms.
    types : sequence of str
        (N,) types by element and bonding.

    Returns
    -------
    list of tuple
        The types of one cell, or of two successive cells where the alternation only repeats after two.
    """
    inner = _inner_types(chain, _small_ring_types(chain, types))
    if not _alternates(chain, inner):
        return [tuple(_heads(chain, inner))]
    ranks = _ranks(chain)
    walk = _Walk(chain)
    both_ways = [walk.types(inner, ranks, direction) for direction in (1, -1)]
    return min(both_ways, key=lambda cells: _preference(cells, ranks))


def _preference(cells: list[tuple[str, ...]], ranks: list[int]) -> tuple[float, list[tuple[int, int]]]:
    """Return a key that is smallest for the preferred direction: few second carbons, and those of high rank."""
    seconds = [sum(cell[i] in _SECOND_TYPES for cell in cells) for i in range(len(ranks))]
    carbons = sum(number for i, number in enumerate(seconds) if cells[0][i].startswith("c")) / len(cells)
    return carbons, sorted(((-rank, -number) for rank, number in zip(ranks, seconds, strict=True)))


def _small_ring_types(chain: InfiniteChain, types: Sequence[str]) -> list[str]:
    """Return the types with those of three- and four-membered rings."""
    found = list(types)
    for i, atom in enumerate(chain.atoms):
        if found[i] in ("c2", "c3") and (atom.in_three_ring or atom.in_four_ring):
            of_three, of_four = ("cu", "cv") if found[i] == "c2" else ("cx", "cy")
            found[i] = of_three if atom.in_three_ring else of_four
    return found


def _inner_types(chain: InfiniteChain, types: list[str]) -> list[str]:
    """Return the types with those of sp and sp2 atoms between two conjugating neighbours."""
    found = list(types)
    for i, atom in enumerate(chain.atoms):
        inner, conjugating = (
            (_INNER_OF_RING, _CONJUGATING_IN_RINGS) if atom.in_ring else (_INNER_OF_CHAIN, _CONJUGATING)
        )
        if types[i] in inner and sum(types[n.atom] in conjugating for n in chain.neighbours[i]) >= 2:
            found[i] = inner[types[i]]
    return found


def _head_neighbours(chain: InfiniteChain, types: Sequence[str], i: int) -> int:
    """Return how many single bonds lead from an aromatic carbon to another aromatic atom."""
    return sum(n.order == 1 and types[n.atom] in _HEAD_PARTNERS for n in chain.neighbours[i])


def _heads(chain: InfiniteChain, types: Sequence[str]) -> list[str]:
    """Return the types with "cp" for aromatic carbons that are bonded to another aromatic ring."""
    return ["cp" if name == "ca" and _head_neighbours(chain, types, i) else name for i, name in enumerate(types)]


def _alternates(chain: InfiniteChain, types: Sequence[str]) -> bool:
    """Tell whether any pair of atoms must have unlike types."""
    heads = _heads(chain, types)
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


class _Walk:
    """A stretch of the chain, long enough that its two middle cells do not feel its ends.

    A place is an atom of one of the cells: cell * N + atom.
    """

    def __init__(self, chain: InfiniteChain) -> None:
        self.chain = chain
        self.size = len(chain.atoms)
        self.margin = 1 + -(-_ATOMS_BEFORE_MIDDLE // self.size)
        self.cells = 2 * self.margin + 2

    def neighbours(self, place: int) -> list[tuple[int, float]]:
        """Return (place, bond order) of the neighbours that lie on the stretch."""
        cell, atom = divmod(place, self.size)
        return [
            ((cell + n.shift) * self.size + n.atom, n.order)
            for n in self.chain.neighbours[atom]
            if 0 <= cell + n.shift < self.cells
        ]

    def order(self, ranks: list[int], direction: int) -> list[int]:
        """Return all places in the order of a depth-first walk along the chain (1) or against it (-1)."""

        def preference(neighbour: Neighbour) -> tuple[bool, float, int]:
            bond = neighbour.bond
            return self.chain.is_ring_bond(bond), -self.chain.delocalised_order(bond), ranks[neighbour.atom]

        size = self.size
        ways = [sorted(around, key=preference, reverse=True) for around in self.chain.neighbours]  # last is taken first
        link = self.chain.bonds[-1]
        cells = range(self.cells)[::direction]
        start = cells[0] * size + (link.end if direction > 0 else link.begin)
        seen: set[int] = set()
        walk: list[int] = []
        for first in (start, *(cell * size + atom for cell in cells for atom in range(size))):
            waiting = [first]
            while waiting:
                place = waiting.pop()
                if place in seen:
                    continue
                seen.add(place)
                walk.append(place)
                cell, atom = divmod(place, size)
                waiting.extend(
                    (cell + way.shift) * size + way.atom for way in ways[atom] if 0 <= cell + way.shift < self.cells
                )
        return walk

    def types(self, types: Sequence[str], ranks: list[int], direction: int) -> list[tuple[str, ...]]:
        """Give out alternating types on a walk; return those of the two middle cells, or of one if they are equal."""
        found = list(types) * self.cells
        heads = {i for i, name in enumerate(types) if name == "ca" and _head_neighbours(self.chain, types, i)}
        concerned = {i for i, name in enumerate(types) if name in _SECOND_IN_CHAIN or name in _SECOND_IN_RING} | heads
        walk = [place for place in self.order(ranks, direction) if place % self.size in concerned]
        for place in walk:
            if found[place] in _SECOND_IN_CHAIN:
                self._alternate(found, place, _SECOND_IN_CHAIN, (2, 3))
            elif found[place] in _SECOND_IN_RING:
                self._alternate(found, place, _SECOND_IN_RING, (2,))
        for place in walk:
            if found[place] == "ca":
                for partner, order in self.neighbours(place):
                    if order == 1 and found[partner] in _HEAD_PARTNERS:
                        found[place] = "cp"
                        if found[partner] == "ca":
                            found[partner] = "cp"
        for place in walk:
            if found[place] in _SECOND_HEAD:
                self._alternate(found, place, _SECOND_HEAD, (1.5,))
        first, second = (tuple(found[k * self.size : (k + 1) * self.size]) for k in (self.margin, self.margin + 1))
        return [first] if first == second else [first, second]

    def _alternate(self, found: list[str], place: int, second: dict[str, str], unlike: tuple[float, ...]) -> None:
        """Let an atom decide for its partner across an ``unlike`` bond and for the partner's other neighbours."""
        for partner, order in self.neighbours(place):
            if order in unlike and found[partner] in second:
                found[partner] = second[found[partner]]
                for further, further_order in self.neighbours(partner):
                    if further_order == 1 and found[further] in second:
                        found[further] = second[found[further]]


def _ranks(chain: InfiniteChain) -> list[int]:
    """Return a rank per atom that does not depend on how the repeat unit was written; equal for equivalent atoms."""
    keys: list[tuple[object, ...]] = [
        (atom.degree - atom.all_hydrogens, atom.number, atom.charge, atom.all_hydrogens, atom.mass)
        for atom in chain.atoms
    ]
    ranks = _dense(keys)
    for _ in range(_ROUNDS_OF_RANKING):
        refined = _dense(
            [
                (ranks[i], *sorted((ranks[n.atom], n.order) for n in neighbours))
                for i, neighbours in enumerate(chain.neighbours)
            ]
        )
        if max(refined) == max(ranks):
            break
        ranks = refined
    return ranks


def _dense(keys: list[tuple[object, ...]]) -> list[int]:
    rank_of = {key: rank for rank, key in enumerate(sorted(set(keys)))}
    return [rank_of[key] for key in keys]
