"""Taking graphs apart at their cut atoms, against removal of each atom in turn."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.polymers.reading.graph_blocks import blocks_from, central_block_or_atom


@st.composite
def graphs(draw: st.DrawFn) -> list[set[int]]:
    """Connected graphs: a random tree with some more bonds."""
    size = draw(st.integers(2, 14))
    neighbours: list[set[int]] = [set() for _ in range(size)]
    for atom in range(1, size):
        other = draw(st.integers(0, atom - 1))
        neighbours[atom].add(other)
        neighbours[other].add(atom)
    for first, second in draw(st.lists(st.tuples(st.integers(0, size - 1), st.integers(0, size - 1)), max_size=6)):
        if first != second:
            neighbours[first].add(second)
            neighbours[second].add(first)
    return neighbours


def reachable(neighbours: list[set[int]], start: int, without: int) -> set[int]:
    found, waiting = {start}, [start]
    while waiting:
        for other in neighbours[waiting.pop()]:
            if other != without and other not in found:
                found.add(other)
                waiting.append(other)
    return found


@given(graphs(), st.integers(0, 13))
def test_blocks_share_exactly_the_cut_atoms_and_every_bond_is_in_one(neighbours: list[set[int]], start: int) -> None:
    start %= len(neighbours)
    blocks = blocks_from(start, [sorted(found) for found in neighbours])
    bonds = Counter(frozenset(bond) for block in blocks for bond in block.bonds)
    assert set(bonds) == {frozenset((atom, other)) for atom, found in enumerate(neighbours) for other in found}
    assert set(bonds.values()) == {1}
    membership = Counter(atom for block in blocks for atom in (block.root, *block.atoms))
    for atom in range(len(neighbours)):
        rest = next(other for other in range(len(neighbours)) if other != atom)
        is_cut = len(reachable(neighbours, rest, atom)) < len(neighbours) - 1
        assert (membership[atom] > 1) == is_cut


@given(graphs(), st.integers(0, 13))
def test_children_come_before_their_parents(neighbours: list[set[int]], start: int) -> None:
    start %= len(neighbours)
    blocks = blocks_from(start, [sorted(found) for found in neighbours])
    done: set[int] = set()
    for block in blocks:
        assert block.root not in done
        assert done.isdisjoint(block.atoms)
        done.update(block.atoms)
    assert done == set(range(len(neighbours))) - {start}


@given(graphs(), st.integers(0, 13), st.integers(0, 13))
def test_the_centre_does_not_depend_on_the_start(neighbours: list[set[int]], one: int, other: int) -> None:
    size = len(neighbours)
    listed = [sorted(found) for found in neighbours]

    def centre(start: int) -> frozenset[int]:
        atom, block = central_block_or_atom(start % size, listed)
        return frozenset({atom}) if block is None else frozenset({block.root, *block.atoms})

    assert centre(one) == centre(other)


def test_a_very_long_chain_needs_no_recursion() -> None:
    size = 20_000
    neighbours = [[other for other in (atom - 1, atom + 1) if 0 <= other < size] for atom in range(size)]
    assert len(blocks_from(0, neighbours)) == size - 1
    assert central_block_or_atom(0, neighbours)[0] in {size // 2 - 1, size // 2}
