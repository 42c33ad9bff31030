"""Which texts denote one polymer: those whose repeat units generate the same infinite chain.

The backbone between the two attachment points is a row of parts: atoms with their side groups, single bonds, and ring blocks
that are entered at one atom and left at another. Closed by the bond between units, the row is a cyclic word, and the
infinite chain is that word repeated for ever. Two units generate the same chain exactly if their words agree after
reduction to the shortest period, up to where the reading starts and its direction; the smallest such reading is the
key. Every part of the word is itself written canonically along the tree of graph blocks, so the whole takes linear
time apart from ring blocks, which are small.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import gcd

from affinecal_gui.polymers.chain.canonical_text import ChainWriter
from affinecal_gui.polymers.chain.plain_graph import PlainGraph, StereoMarks
from affinecal_gui.polymers.chain.ring_code import TooSymmetric
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit


@dataclass(frozen=True, slots=True)
class PolymerIdentity:
    """What makes two repeat units one polymer."""

    key: str
    """Constitution: atoms with isotopes, charges and hydrogens, bonds, counter-ions; equal for one infinite chain."""
    stereo_key: str
    """As ``key``, with tacticity and double-bond geometry as far as the text gives them."""
    has_stereo: bool
    """Whether the text gives any that tell something apart."""
    notes: tuple[str, ...] = ()
    """What was ignored, in plain sentences."""
    periods: int = field(default=1, compare=False)
    """How many shortest periods of the chain (with their counter-ions) the unit as written holds."""
    stereo_periods: int = field(default=1, compare=False)
    """As ``periods``, with stereo marks: a syndiotactic chain repeats after two units."""


def polymer_identity(unit: RepeatUnit) -> PolymerIdentity:
    """Return the identity of the polymer that a repeat unit generates.

    Shortest period, every cut and both directions of writing, aromatic or Kekulé form and numbering make no difference.
    Bonds are compared as written otherwise: a quinoid and a benzenoid backbone are two polymers, and charges stay where
    they are written. Stereo marks are read relative to the neighbours of an atom, not as R and S, so that direction and
    cut leave them exact; a chain and its mirror image are told apart only where the chain has a direction.
    """
    graph = PlainGraph(unit)
    try:
        key, periods = _chain_key(graph, StereoMarks())
    except TooSymmetric:
        as_written = f"as written: {unit.smiles}"
        return PolymerIdentity(as_written, as_written, has_stereo=False, notes=(_TOO_SYMMETRIC,))
    marks = graph.marks
    if not marks:
        return PolymerIdentity(key, key, has_stereo=False, periods=periods, stereo_periods=periods)
    try:
        stereo_key, stereo_periods = _chain_key(graph, marks)
    except TooSymmetric:
        as_written = f"as written: {unit.smiles}"
        return PolymerIdentity(key, as_written, has_stereo=True, notes=(_TOO_SYMMETRIC,), periods=periods)
    notes = ("A stereo mark was ignored, because it tells nothing apart.",) if marks.dropped else ()
    return PolymerIdentity(key, stereo_key, stereo_key != key, notes, periods, stereo_periods)


_TOO_SYMMETRIC = "A ring system is too symmetric for comparison; only equal SMILES are taken for this polymer."


def _chain_key(graph: PlainGraph, marks: StereoMarks) -> tuple[str, int]:
    """Write the infinite chain and its counter-ions; also say how many periods of both the unit holds."""
    forward = ChainWriter(graph, marks, graph.head, graph.tail, graph.head_mark, graph.tail_mark)
    words = [forward.word()]
    if marks:
        words.append(ChainWriter(graph, marks, graph.tail, graph.head, graph.tail_mark, graph.head_mark).word())
    else:
        words.append(forward.reversed_word())
    period = _period(words[0])
    repeats = len(words[0]) // period
    chain = min(" ".join(_smallest_rotation(word[:period])) for word in words)
    seen = forward.seen
    if len(seen) == len(graph.atoms):
        return chain, repeats
    beside: Counter[str] = Counter()
    for atom in graph.atoms:
        if atom not in seen:
            beside[forward.fragment(atom)] += 1
    common = gcd(repeats, *beside.values())
    parts = [chain if repeats == common else f"{repeats // common}x {chain}"]
    parts += [f"{count // common}x {ion}" for ion, count in sorted(beside.items())]
    return " . ".join(parts), common


def _period(word: Sequence[str]) -> int:
    """Return the length of the shortest part whose repetition is the word.

    By the failure function of Knuth, Morris and Pratt (1977, SIAM Journal on Computing 6, 323).
    """
    failure = [0] * len(word)
    length = 0
    for position in range(1, len(word)):
        while length and word[position] != word[length]:
            length = failure[length - 1]
        if word[position] == word[length]:
            length += 1
        failure[position] = length
    period = len(word) - failure[-1]
    return period if len(word) % period == 0 else len(word)


def _smallest_rotation(word: Sequence[str]) -> list[str]:
    """Return the rotation of a cyclic word that comes first in order; time linear in its length.

    Two candidates are compared letter by letter; a mismatch rules out all starts that it passed (Shiloach 1981,
    Journal of Algorithms 2, 107).
    """
    size = len(word)
    one, other, length = 0, 1, 0
    while one < size and other < size and length < size:
        first, second = word[(one + length) % size], word[(other + length) % size]
        if first == second:
            length += 1
            continue
        if first > second:
            one += length + 1
        else:
            other += length + 1
        if one == other:
            other += 1
        length = 0
    start = min(one, other)
    return [*word[start:], *word[:start]]
