"""Canonical texts of ring blocks: equal for renumbered blocks, different for blocks that are not isomorphic."""

import random
from itertools import combinations, permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.polymers.chain.ring_code import Centre, RingBlock, TooSymmetric, ring_code
from tests.tries import tries

Bonds = list[tuple[int, int]]


def block(size: int, bonds: Bonds, colours: list[str] | None = None) -> RingBlock:
    return RingBlock(colours or ["C"] * size, [(first, second, "-", "-") for first, second in bonds])


def renumbered(source: RingBlock, order: list[int]) -> RingBlock:
    """Atom i becomes atom order[i]."""
    colours = [""] * len(order)
    for atom, colour in enumerate(source.colours):
        colours[order[atom]] = colour
    bonds = [(order[first], order[second], there, back) for first, second, there, back in source.bonds]
    random.Random(len(bonds)).shuffle(bonds)
    marks = tuple(
        Centre(order[mark.atom], tuple(order[other] for other in mark.neighbours), mark.sign)
        for mark in source.marks
        if isinstance(mark, Centre)
    )
    return RingBlock(colours, bonds, marks)


def cycle(size: int) -> Bonds:
    return [(atom, (atom + 1) % size) for atom in range(size)]


def cube(dimensions: int) -> Bonds:
    return [
        (atom, atom ^ (1 << axis))
        for atom in range(2**dimensions)
        for axis in range(dimensions)
        if atom < atom ^ (1 << axis)
    ]


def prism(size: int) -> Bonds:
    return cycle(size) + [(size + a, size + b) for a, b in cycle(size)] + [(atom, size + atom) for atom in range(size)]


PETERSEN = cycle(5) + [(5 + atom, 5 + (atom + 2) % 5) for atom in range(5)] + [(atom, 5 + atom) for atom in range(5)]
# Two strongly regular graphs with equal parameters (16, 6, 2, 2), which refinement by neighbours cannot tell apart.
ROOK = [(a, b) for b in range(16) for a in range(b) if a // 4 == b // 4 or a % 4 == b % 4]
SHRIKHANDE = [
    (a, b)
    for b in range(16)
    for a in range(b)
    if ((a // 4 - b // 4) % 4, (a % 4 - b % 4) % 4) in {(1, 0), (3, 0), (0, 1), (0, 3), (1, 1), (3, 3)}
]
BLOCKS = {
    "naphthalene": block(10, [*cycle(10), (0, 5)]),
    "cubane": block(8, cube(3)),
    "prism of five": block(10, prism(5)),
    "Petersen": block(10, PETERSEN),
    "rook": block(16, ROOK),
    "Shrikhande": block(16, SHRIKHANDE),
    "four-dimensional cube": block(16, cube(4)),
    "adamantane": block(
        10, [(0, 4), (0, 5), (0, 6), (1, 4), (1, 7), (1, 8), (2, 5), (2, 7), (2, 9), (3, 6), (3, 8), (3, 9)]
    ),
    "coloured prism": block(10, prism(5), ["C", "N", "C", "N", "C"] + ["C"] * 5),
}


@settings(max_examples=tries(100), deadline=None)
@given(st.sampled_from(sorted(BLOCKS)), st.randoms(use_true_random=False))
def test_renumbering_changes_nothing(name: str, choice: random.Random) -> None:
    source = BLOCKS[name]
    order = list(range(len(source.colours)))
    choice.shuffle(order)
    assert ring_code(renumbered(source, order), None) == ring_code(source, None)


def test_blocks_that_are_not_isomorphic_differ() -> None:
    texts = [ring_code(source, None)[0] for source in BLOCKS.values()]
    assert len(set(texts)) == len(texts)


def isomorphic(first: Bonds, second: Bonds, size: int) -> bool:
    goal = {frozenset(bond) for bond in second}
    return any({frozenset((order[a], order[b])) for a, b in first} == goal for order in permutations(range(size)))


def test_all_small_blocks_against_all_permutations() -> None:
    """Every graph of six atoms that is a hexagon with one to three more bonds: equal texts exactly if isomorphic."""
    chords = [pair for pair in combinations(range(6), 2) if pair not in cycle(6) and pair != (0, 5)]
    graphs = [cycle(6) + list(extra) for count in (1, 2, 3) for extra in combinations(chords, count)]
    texts = [ring_code(block(6, bonds), None)[0] for bonds in graphs]
    representatives: dict[str, Bonds] = {}
    for bonds, text in zip(graphs, texts, strict=True):
        if text in representatives:
            assert isomorphic(bonds, representatives[text], 6)
        else:
            representatives[text] = bonds
    for first, second in combinations(representatives.values(), 2):
        assert len(first) != len(second) or not isomorphic(first, second, 6)


def test_a_rooted_cycle_reads_the_same_from_either_side() -> None:
    colours = ["&", "C", "N", "C", "!", "C"]
    mirrored = ["&", "C", "!", "C", "N", "C"]
    assert ring_code(block(6, cycle(6), colours), 0) == ring_code(block(6, cycle(6), mirrored), 0)
    other = ["&", "N", "C", "C", "!", "C"]
    assert ring_code(block(6, cycle(6), other), 0) != ring_code(block(6, cycle(6), colours), 0)


def test_cis_and_trans_differ_and_a_lone_mark_between_equal_sides_is_dropped() -> None:
    colours = ["&", "C", "C", "C(F)", "C", "C"]
    bonds = [(first, second, "-", "-") for first, second in cycle(6)]
    root, far = Centre(0, (1, 5), 1), Centre(3, (2, 4), 1)
    cis = ring_code(RingBlock(colours, bonds, (root, far)), 0)
    mirrored = ring_code(RingBlock(colours, bonds, (root.flipped(), far.flipped())), 0)
    trans = ring_code(RingBlock(colours, bonds, (root, far.flipped())), 0)
    assert cis == mirrored
    assert cis != trans
    text, dropped = ring_code(RingBlock(colours, bonds, (far,)), 0)
    assert dropped == 1
    assert text == ring_code(RingBlock(colours, bonds), 0)[0]


@settings(max_examples=tries(40), deadline=None)
@given(st.lists(st.sampled_from([None, 1, -1]), min_size=10, max_size=10), st.randoms(use_true_random=False))
def test_renumbering_keeps_stereo_marks(signs: list[int | None], choice: random.Random) -> None:
    source = BLOCKS["prism of five"]
    marks = tuple(
        Centre(atom, tuple(other for other, _ in source.neighbours[atom]), sign)
        for atom, sign in enumerate(signs)
        if sign is not None
    )
    marked = RingBlock(source.colours, source.bonds, marks)
    order = list(range(10))
    choice.shuffle(order)
    assert ring_code(renumbered(marked, order), None) == ring_code(marked, None)


def test_symmetry_that_multiplies_is_followed_as_a_sum() -> None:
    """Eighty flippable squares in one ring have 2^80 symmetry operations."""
    bonds: Bonds = []
    for part in range(80):
        one, other, following = 3 * part + 1, 3 * part + 2, 3 * ((part + 1) % 80)
        bonds += [(3 * part, one), (3 * part, other), (one, following), (other, following)]
    text, _ = ring_code(block(240, bonds, ["&"] + ["C"] * 239), 0)
    assert text.count("-") == len(bonds)


def test_a_hopeless_search_is_given_up() -> None:
    bonds = [(metal, 60 + 3 * metal + branch) for metal in range(60) for branch in range(3)]
    bonds += [(60 + 3 * metal + branch, (metal + 1) % 60) for metal in range(60) for branch in range(3)]
    with pytest.raises(TooSymmetric):
        ring_code(block(240, bonds), None)
