"""Parts of a chain, and counter-ions, written so that equal parts have equal texts, however the atoms are numbered."""

from collections.abc import Sequence
from itertools import pairwise

from affinecal_gui.polymers.chain.plain_graph import PlainGraph, StereoMarks
from affinecal_gui.polymers.chain.ring_code import Centre, DoubleBond, Plane, RingBlock, StereoMark, ring_code
from affinecal_gui.polymers.reading.graph_blocks import Block, blocks_from, central_block_or_atom


class ChainWriter:
    """Writes the parts of a chain, read from ``head`` to ``tail``, bottom-up along the tree of graph blocks."""

    def __init__(
        self, graph: PlainGraph, marks: StereoMarks, head: int, tail: int, head_mark: int, tail_mark: int
    ) -> None:
        self.graph = graph
        self.marks = marks
        self.head, self.tail = head, tail
        self.seen: set[int] = set()
        self.text: dict[int, str] = {}  # what an atom is, with everything that hangs on it
        self.below: dict[int, list[int]] = {}  # its neighbours there in canonical order; empty where two are alike
        self.before: dict[int, list[int]] = {head: [head_mark]}  # neighbours towards the start (and the next unit)
        self.child_blocks: dict[int, list[Block]] = {}
        self.path: list[tuple[Block, int]] = []
        self.head_mark, self.tail_mark = head_mark, tail_mark
        self.ring_atoms: set[int] = set()

    def word(self) -> list[str]:
        """Return the parts of the backbone in order, the last one being the bond between units."""
        blocks = self._taken_apart(self.head)
        self._find_path(blocks)
        for block in blocks:
            self._finish_members(block)
        self._finish_atom(self.head)
        parts = [self.text[self.head]]
        for block, exit_atom in self.path:
            parts.append(self._path_text(block, block.root, exit_atom))
            parts.append(self.text[exit_atom])
        parts.append(self.graph.link)
        return parts

    def reversed_word(self) -> list[str]:
        """Return the word read from the other end; only for a graph without stereo marks."""
        parts = [self.text[self.tail]]
        for block, exit_atom in reversed(self.path):
            parts.append(self._path_text(block, exit_atom, block.root))
            parts.append(self.text[block.root])
        parts.append(self.graph.link)
        return parts

    def fragment(self, start: int) -> str:
        """Write a fragment beside the chain from the centre of its tree of blocks."""
        centre, block = central_block_or_atom(start, self.graph.neighbours)
        self.before[centre] = []
        self.path = []
        blocks = self._taken_apart(centre)
        if block is None:
            for one in blocks:
                self._finish_members(one)
            self._finish_atom(centre)
            return self.text[centre]
        members = {block.root, *block.atoms}
        central = next(one for one in blocks if members <= {one.root, *one.atoms})
        self.child_blocks[centre] = [one for one in self.child_blocks[centre] if one is not central]
        for one in blocks:
            if one is central and not one.is_ring:
                self.before[one.atoms[0]] = [centre]
                self.before[centre] = [one.atoms[0]]
            self._finish_members(one)
        self._finish_atom(centre)
        if central.is_ring:
            return self._ring_text(central, None, None)
        partner = central.atoms[0]
        sign = self._geometry(centre, partner)
        return min(
            f"{self.text[first]}{self.graph.bond_code[first, second]}{sign}{self.text[second]}"
            for first, second in ((centre, partner), (partner, centre))
        )

    def _taken_apart(self, start: int) -> list[Block]:
        """Take a fragment apart; with stereo marks, keep ring blocks together that a mark couples."""
        blocks = blocks_from(start, self.graph.neighbours)
        if self.marks:
            blocks = _coupled(blocks, self.marks)
        self.seen.add(start)
        self.child_blocks[start] = []
        for block in blocks:
            for atom in block.atoms:
                self.seen.add(atom)
                self.child_blocks.setdefault(atom, [])
                self.before[atom] = [] if block.is_ring else [block.root]
            if block.is_ring:
                self.ring_atoms.update(block.atoms)
                self.ring_atoms.add(block.root)
            self.child_blocks.setdefault(block.root, []).append(block)
        return blocks

    def _find_path(self, blocks: Sequence[Block]) -> None:
        """Find the blocks between head and tail, and tell each backbone atom which neighbour comes next."""
        target, following = self.tail, [self.tail_mark]
        for block in blocks:
            if target == self.head:
                break
            if target in block.atoms:
                self.path.append((block, target))
                self.before[target] = self.before[target] + following
                following = [] if block.is_ring else [target]
                target = block.root
                self.child_blocks[target] = [one for one in self.child_blocks[target] if one is not block]
        self.before[self.head] = self.before[self.head] + following
        self.path.reverse()

    def _finish_members(self, block: Block) -> None:
        for atom in block.atoms:
            self._finish_atom(atom)

    def _finish_atom(self, atom: int) -> None:
        """Write an atom and all that hangs on it; everything further down is written already."""
        label = self.graph.labels[atom]
        blocks = self.child_blocks[atom]
        if not blocks:
            self.below[atom] = []
            self.text[atom] = label + self._handedness(atom, ()) if self.marks else label
            return
        children = [block.atoms[0] for block in blocks if not block.is_ring]
        code = self.graph.bond_code
        branches = sorted((f"({code[atom, child]}{self.text[child]})", child) for child in children)
        self._order_below(atom, branches)
        if self.marks:
            branches = sorted(
                (f"({code[atom, child]}{self._geometry(atom, child)}{self.text[child]})", child) for child in children
            )
            self._order_below(atom, branches)
        texts = [text for text, _ in branches]
        rings = [self._ring_text(block, block.root, None) for block in blocks if block.is_ring]
        sign = self._handedness(atom, self.below[atom]) if self.marks else ""
        self.text[atom] = label + sign + "".join(texts + sorted(rings))

    def _order_below(self, atom: int, branches: Sequence[tuple[str, int]]) -> None:
        alike = any(branch[0] == following[0] for branch, following in pairwise(branches))
        self.below[atom] = [] if alike else [child for _, child in branches]

    def _handedness(self, atom: int, below: Sequence[int]) -> str:
        """Write the mark of a stereocentre outside of rings; it says nothing where two branches are alike."""
        if atom not in self.marks.centres or atom in self.ring_atoms:
            return ""
        sign = self.marks.handedness(atom, [*self.before[atom], *below])
        if sign is None:
            self.marks.dropped += 1
            return ""
        return "@+" if sign > 0 else "@-"

    def _geometry(self, atom: int, partner: int) -> str:
        """Write the geometry of a double bond outside of rings."""
        if (atom, partner) not in self.marks.double_bonds or atom in self.ring_atoms or partner in self.ring_atoms:
            return ""
        at_atom, at_partner = self._reference(atom, partner), self._reference(partner, atom)
        if at_atom is None or at_partner is None:
            self.marks.dropped += 1
            return ""
        return "/+" if self.marks.geometry(atom, partner, at_atom, at_partner) > 0 else "/-"

    def _reference(self, atom: int, partner: int) -> int | None:
        """Return the neighbour of a double-bonded atom outside of rings to which its geometry refers."""
        for candidate in (*self.before[atom], *self.below.get(atom, [])):
            if candidate != partner:
                return candidate
        return self.graph.hydrogen_of.get(atom)

    def _path_text(self, block: Block, entry: int, exit_atom: int) -> str:
        """Write a block of the backbone."""
        if block.is_ring:
            return self._ring_text(block, entry, exit_atom)
        return self.graph.bond_code[entry, exit_atom] + self._geometry(entry, exit_atom)

    def _ring_text(self, block: Block, entry: int | None, exit_atom: int | None) -> str:
        """Write a ring block whose members are written; entry and exit stand outside of it."""
        members = [block.root, *block.atoms]
        place = {atom: number for number, atom in enumerate(members)}
        colours = ["&" if atom == entry else "!" if atom == exit_atom else self.text[atom] for atom in members]
        code = self.graph.bond_code
        bonds = [
            (place[first], place[second], code[first, second], code[second, first]) for first, second in block.bonds
        ]
        marks = self._ring_marks(block, place) if self.marks else ()
        text, dropped = ring_code(RingBlock(colours, bonds, marks), None if entry is None else place[entry])
        self.marks.dropped += dropped
        return text

    def _ring_marks(self, block: Block, place: dict[int, int]) -> tuple[StereoMark, ...]:
        """Collect the marks on a ring block, relative to neighbours inside it; those outside have a fixed order."""
        inside: dict[int, list[int]] = {atom: [] for atom in place}
        for first, second in block.bonds:
            inside[first].append(second)
            inside[second].append(first)
        found: list[StereoMark] = []
        for atom in place:
            if atom in self.marks.centres:
                outside = [neighbour for neighbour in self.before[atom] if neighbour not in inside[atom]]
                sign = self.marks.handedness(atom, [*outside, *inside[atom], *self.below[atom]])
                if sign is None:
                    self.marks.dropped += 1
                else:
                    found.append(Centre(place[atom], tuple(place[other] for other in inside[atom]), sign))
        for atom, partner in self.marks.double_bonds:
            if atom not in place:
                continue
            if partner in inside[atom]:
                if atom < partner:
                    sides = (
                        [other for other in inside[atom] if other != partner],
                        [other for other in inside[partner] if other != atom],
                    )
                    found.append(
                        DoubleBond(
                            (place[atom], place[partner]),
                            (tuple(place[other] for other in sides[0]), tuple(place[other] for other in sides[1])),
                            self.marks.geometry(atom, partner, sides[0][0], sides[1][0]),
                        )
                    )
                continue
            reference = self._reference(partner, atom)
            if reference is None:
                self.marks.dropped += 1
                continue
            found.append(
                Plane(
                    place[atom],
                    tuple(
                        (place[other], self.marks.geometry(atom, partner, other, reference)) for other in inside[atom]
                    ),
                )
            )
        return tuple(found)


def _coupled(blocks: list[Block], marks: StereoMarks) -> list[Block]:
    """Unite ring blocks whose stereo marks can only be read together.

    That is so where a stereocentre is the common atom of two ring blocks (spiro), and where a double bond with a
    geometry joins two of them. The united block stands where its last part stood, so that what hangs on it still comes
    before it.
    """
    rings_of_atom: dict[int, list[int]] = {}
    for number, block in enumerate(blocks):
        if block.is_ring:
            for atom in (block.root, *block.atoms):
                rings_of_atom.setdefault(atom, []).append(number)
    leader = list(range(len(blocks)))

    def last_of(number: int) -> int:
        while leader[number] != number:
            number = leader[number]
        return number

    def unite(numbers: Sequence[int]) -> None:
        lasts = {last_of(number) for number in numbers}
        for one in lasts:
            leader[one] = max(lasts)

    for atom in marks.centres:
        unite(rings_of_atom.get(atom, []))
    for number, block in enumerate(blocks):
        ends = (block.root, block.atoms[0])
        if not block.is_ring and ends in marks.double_bonds and all(end in rings_of_atom for end in ends):
            unite([number, *rings_of_atom[ends[0]], *rings_of_atom[ends[1]]])
    parts: dict[int, list[Block]] = {}
    for number, block in enumerate(blocks):
        parts.setdefault(last_of(number), []).append(block)
    united = []
    for number in sorted(parts):
        root = blocks[number].root
        members = dict.fromkeys(atom for part in parts[number] for atom in (part.root, *part.atoms))
        del members[root]
        united.append(Block(root, list(members), [bond for part in parts[number] for bond in part.bonds]))
    return united
