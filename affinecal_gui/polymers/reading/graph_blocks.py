"""A molecular graph taken apart at its cut atoms: single bonds between parts, and ring blocks that hang together.

A block is either one bond that lies in no ring, or a ring system that no single atom holds together (spiro rings are
two blocks). Blocks and the atoms they share form a tree, whatever the molecule looks like, so everything that can be
said about a molecule bottom-up is said along this tree, in linear time and without ring finding.
"""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(slots=True)
class Block:
    """One bond outside of rings, or one ring block, seen from the atom where the search entered it."""

    root: int
    """The atom nearest to the start of the search."""
    atoms: list[int]
    """All other atoms."""
    bonds: list[tuple[int, int]]
    """Pairs of atoms."""

    @property
    def is_ring(self) -> bool:
        """Whether this is a ring block and not a single bond."""
        return len(self.bonds) > 1


def blocks_from(start: int, neighbours: Sequence[Sequence[int]]) -> list[Block]:
    """Take apart the fragment that contains ``start``; blocks further from the start come first.

    Depth-first search for biconnected components (Hopcroft and Tarjan 1973, Communications of the ACM 16, 372), without
    recursion, since a chain may be thousands of atoms long.
    """
    order = {start: 0}
    lowest = {start: 0}
    found: list[Block] = []
    visited_bonds: list[tuple[int, int]] = []
    stack = [(start, -1, iter(neighbours[start]), 0)]
    while stack:
        atom, parent, pending, _ = stack[-1]
        for neighbour in pending:
            if neighbour == parent:
                continue
            seen = order.get(neighbour)
            if seen is None:
                order[neighbour] = lowest[neighbour] = len(order)
                stack.append((neighbour, atom, iter(neighbours[neighbour]), len(visited_bonds)))
                visited_bonds.append((atom, neighbour))
                break
            if seen < order[atom]:
                visited_bonds.append((atom, neighbour))
                if seen < lowest[atom]:
                    lowest[atom] = seen
        else:
            _, _, _, first_bond = stack.pop()
            if parent < 0:
                continue
            if lowest[atom] < lowest[parent]:
                lowest[parent] = lowest[atom]
            if lowest[atom] >= order[parent]:
                bonds = visited_bonds[first_bond:]
                del visited_bonds[first_bond:]
                if len(bonds) == 1:
                    found.append(Block(parent, [atom], bonds))
                else:
                    members = dict.fromkeys(member for bond in bonds for member in bond)
                    del members[parent]
                    found.append(Block(parent, list(members), bonds))
    return found


def central_block_or_atom(start: int, neighbours: Sequence[Sequence[int]]) -> tuple[int, Block | None]:
    """Find the centre of the tree of blocks of one fragment: a block (with one of its atoms), or an atom.

    The tree has one centre, because all its leaves are atoms; so it does not depend on ``start``.
    """
    blocks = blocks_from(start, neighbours)
    if not blocks:
        return start, None
    blocks_of_atom: dict[int, list[int]] = {}
    for number, block in enumerate(blocks):
        for atom in (block.root, *block.atoms):
            blocks_of_atom.setdefault(atom, []).append(number)
    # Nodes of the tree: atoms as they are, blocks as -1 - number. Leaves are peeled off layer by layer.
    adjacent: dict[int, list[int]] = {atom: [-1 - number for number in found] for atom, found in blocks_of_atom.items()}
    for number, block in enumerate(blocks):
        adjacent[-1 - number] = [block.root, *block.atoms]
    degree = {node: len(others) for node, others in adjacent.items()}
    layer = [node for node, count in degree.items() if count == 1]
    while len(degree) > 1:
        following = []
        for node in layer:
            del degree[node]
            for other in adjacent[node]:
                if other in degree:
                    degree[other] -= 1
                    if degree[other] == 1:
                        following.append(other)
        layer = following
    (centre,) = degree
    if centre >= 0:
        return centre, None
    block = blocks[-1 - centre]
    return block.root, block
