"""Atom types that alternate along conjugated systems: cc/cd, ce/cf, cg/ch, cp/cq, nc/nd, ne/nf, pc/pd, pe/pf.

The members of such a pair have the same meaning; which of them an atom gets says with which neighbours it shares a double
bond (unlike members) and with which a single bond (like members). RadonPy gives the types out while it walks along the
molecule, each atom deciding for its double-bonded partner and for that partner's further neighbours, so the walk decides
which atom is the first of its system, and what happens where no assignment satisfies every bond (an odd cycle).
Here the walk goes along the infinite chain and depends on nothing but the chain: at a branch it takes the way out of a
ring first, then the higher bond order, then the lower rank of the atom, where ranks are refined from element and
surroundings. Of the two directions along the chain, that one counts which leaves fewer second types to carbon atoms, and
these to atoms of higher rank.
"""

from collections.abc import Sequence

from affinecal_gui.polymers.infinite_chain import InfiniteChain, Neighbour

_CONJUGATING = frozenset(
    "c c1 c2 ca cc cd ce cf cg ch cp cq cu cv n1 n2 na nb nc nd ne nf p2 pb pc pd pe pf px py sx sy".split()
)
_CONJUGATING_IN_RINGS = _CONJUGATING | {"os", "ss"}
_INNER_OF_CHAIN = {"c2": "ce", "c1": "cg", "n2": "ne", "p2": "pe"}
_INNER_OF_RING = {"c2": "cc", "n2": "nc", "p2": "pc"}
_SECOND_IN_CHAIN = {"ce": "cf", "cg": "ch", "ne": "nf", "pe": "pf"}
_SECOND_IN_RING = {"cc": "cd", "nc": "nd", "pc": "pd"}
_SECOND_HEAD = {"cp": "cq"}
_SECOND_TYPES = {*_SECOND_IN_CHAIN.values(), *_SECOND_IN_RING.values(), *_SECOND_HEAD.values()}
_HEAD_PARTNERS = {"ca", "nb", "pb"}

_CELLS_WALKED = 9
_MIDDLE = 4  # of the cells walked; far enough from both ends of the walk


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
    both_ways = [_walked_types(chain, inner, ranks, direction) for direction in (1, -1)]
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


def _walked_types(
    chain: InfiniteChain, types: Sequence[str], ranks: list[int], direction: int
) -> list[tuple[str, ...]]:
    """Give out alternating types along a walk over some cells; return those of the three middle cells."""
    size = len(types)
    walk = _walk(chain, ranks, direction)
    found = list(types) * _CELLS_WALKED

    def neighbours(place: int) -> list[tuple[int, float]]:
        cell, atom = divmod(place, size)
        return [
            ((cell + n.shift) * size + n.atom, n.order)
            for n in chain.neighbours[atom]
            if 0 <= cell + n.shift < _CELLS_WALKED
        ]

    def alternate(place: int, second: dict[str, str], unlike: Sequence[float]) -> None:
        for partner, order in neighbours(place):
            if order in unlike and found[partner] in second:
                found[partner] = second[found[partner]]
                for further, further_order in neighbours(partner):
                    if further_order == 1 and found[further] in second:
                        found[further] = second[found[further]]

    for place in walk:
        if found[place] in _SECOND_IN_CHAIN:
            alternate(place, _SECOND_IN_CHAIN, (2, 3))
        elif found[place] in _SECOND_IN_RING:
            alternate(place, _SECOND_IN_RING, (2,))
    for place in walk:
        if found[place] == "ca":
            for partner, order in neighbours(place):
                if order == 1 and found[partner] in _HEAD_PARTNERS:
                    found[place] = "cp"
                    if found[partner] == "ca":
                        found[partner] = "cp"
    for place in walk:
        if found[place] in _SECOND_HEAD:
            alternate(place, _SECOND_HEAD, (1.5,))
    cells = [tuple(found[k * size : (k + 1) * size]) for k in range(_MIDDLE - 1, _MIDDLE + 2)]
    return cells[:1] if cells[0] == cells[1] == cells[2] else cells[:2]


def _walk(chain: InfiniteChain, ranks: list[int], direction: int) -> list[int]:
    """Return the places (cell * N + atom) of some successive cells in the order of a depth-first walk."""
    size = len(ranks)

    def order(neighbour: Neighbour) -> tuple[bool, float, int]:
        bond = neighbour.bond
        return chain.is_ring_bond(bond), -chain.delocalised_order(bond), ranks[neighbour.atom]

    ways = [sorted(neighbours, key=order) for neighbours in chain.neighbours]
    link = chain.bonds[-1]
    cells = range(_CELLS_WALKED) if direction > 0 else range(_CELLS_WALKED - 1, -1, -1)
    start = link.end if direction > 0 else link.begin
    seen: set[int] = set()
    walk: list[int] = []
    for first in [cells[0] * size + start, *(cell * size + atom for cell in cells for atom in range(size))]:
        waiting = [first]
        while waiting:
            place = waiting.pop()
            if place in seen:
                continue
            seen.add(place)
            walk.append(place)
            cell, atom = divmod(place, size)
            for way in reversed(ways[atom]):
                if 0 <= cell + way.shift < _CELLS_WALKED:
                    waiting.append((cell + way.shift) * size + way.atom)
    return walk


def _ranks(chain: InfiniteChain) -> list[int]:
    """Return a rank per atom that does not depend on how the repeat unit was written; equal for equivalent atoms."""
    keys: list[tuple[object, ...]] = [
        (atom.degree - atom.all_hydrogens, atom.number, atom.charge, atom.all_hydrogens, atom.mass)
        for atom in chain.atoms
    ]
    ranks = _dense(keys)
    while True:
        refined = _dense(
            [
                (ranks[i], *sorted((ranks[n.atom], n.order) for n in neighbours))
                for i, neighbours in enumerate(chain.neighbours)
            ]
        )
        if max(refined) == max(ranks):
            return refined
        ranks = refined


def _dense(keys: list[tuple[object, ...]]) -> list[int]:
    rank_of = {key: rank for rank, key in enumerate(sorted(set(keys)))}  # type: ignore[type-var]
    return [rank_of[key] for key in keys]
