"""Atom types that alternate along conjugated systems."""

from affinecal_gui.polymers.infinite_chain import InfiniteChain

_CONJUGATING = frozenset(
    "c c1 c2 ca cc cd ce cf cg ch cp cq cu cv n1 n2 na nb nc nd ne nf p2 pb pc pd pe pf px py sx sy".split()
)
_CONJUGATING_IN_RINGS = _CONJUGATING | {"os", "ss"}
_INNER = {"c2": "ce", "c1": "cg", "n2": "ne", "p2": "pe"}
_RING = {"c2": "cc", "n2": "nc", "p2": "pc"}
_SECOND = {"ce": "cf", "cg": "ch", "ne": "nf", "pe": "pf", "cc": "cd", "nc": "nd", "pc": "pd"}
_CHAIN_FIRST = {"ce", "cg", "ne", "pe"}
_RING_FIRST = {"cc", "nc", "pc"}


def assign_conjugated_types(chain: InfiniteChain, types: list[str]) -> list[tuple[str, ...]]:
    atoms = chain.atoms
    for i, atom in enumerate(atoms):
        if types[i] == "c2":
            types[i] = "cu" if atom.in_three_ring else "cv" if atom.in_four_ring else "c2"
        elif types[i] == "c3":
            types[i] = "cx" if atom.in_three_ring else "cy" if atom.in_four_ring else "c3"
    for i, atom in enumerate(atoms):
        inner, conjugating = (_RING, _CONJUGATING_IN_RINGS) if atom.in_ring else (_INNER, _CONJUGATING)
        if types[i] in inner and sum(types[n.atom] in conjugating for n in chain.neighbours[i]) >= 2:
            types[i] = inner[types[i]]
    # provisional: the greedy walk of the reference over six cells
    n = len(atoms)
    cells = 10
    t = [list(types) for _ in range(cells)]

    def nb(c, i):
        return [((c + x.shift) % cells, x.atom, x.order) for x in chain.neighbours[i]]

    order = [(c, i) for c in range(cells) for i in range(n)]
    for c, i in order:
        mine = _CHAIN_FIRST if t[c][i] in _CHAIN_FIRST else _RING_FIRST if t[c][i] in _RING_FIRST else None
        if mine is None:
            continue
        for c2, j, o in nb(c, i):
            if (o == 2 or (o == 3 and mine is _CHAIN_FIRST)) and t[c2][j] in mine:
                t[c2][j] = _SECOND[t[c2][j]]
                for c3, k, o3 in nb(c2, j):
                    if o3 == 1 and t[c3][k] in mine:
                        t[c3][k] = _SECOND[t[c3][k]]
    for c, i in order:
        if t[c][i] == "ca":
            for c2, j, o in nb(c, i):
                if o == 1 and t[c2][j] in ("ca", "nb", "pb"):
                    t[c][i] = "cp"
                    if t[c2][j] == "ca":
                        t[c2][j] = "cp"
    for c, i in order:
        if t[c][i] == "cp":
            for c2, j, o in nb(c, i):
                if o == 1.5 and t[c2][j] == "cp":
                    t[c2][j] = "cq"
                    for c3, k, o3 in nb(c2, j):
                        if o3 == 1 and t[c3][k] == "cp":
                            t[c3][k] = "cq"
    if all(x == t[0] for x in t):
        return [tuple(t[0])]
    return [tuple(x) for x in t]
