"""One text for a ring block, the same however its atoms were numbered: colour refinement and a pruned search.

The atoms carry colours (what they are and what hangs on them), so nearly every ring block of a polymer is either a
plain cycle, for which two directions are compared, or told apart completely by refinement. Where equal atoms remain,
one of them is singled out and refinement goes on (McKay 1981, Congressus Numerantium 30, 45). Symmetric parts, such
as the phenylene rings of a cyclophane, are recognised by verified symmetry operations, so that they cost a sum and
not a product.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

_LARGEST_SEARCH = 100_000  # atoms looked at, a quarter of a second; reached by no known substance


class TooSymmetric(Exception):  # noqa: N818 - the outcome of a search, handled by its caller
    """So many atoms of a ring block are alike, without being exchangeable, that the search was given up."""


@dataclass(frozen=True, slots=True)
class Centre:
    """A stereocentre: the handedness (1 or -1) in which its ring neighbours are listed, other neighbours fixed."""

    atom: int
    neighbours: tuple[int, ...]
    sign: int

    def flipped(self) -> "Centre":
        """Return the other handedness."""
        return Centre(self.atom, self.neighbours, -self.sign)


@dataclass(frozen=True, slots=True)
class Plane:
    """A double bond that leaves the block: for each ring neighbour of its atom 1 (cis to the outer reference) or -1."""

    atom: int
    sides: tuple[tuple[int, int], ...]

    def flipped(self) -> "Plane":
        """Return the other geometry."""
        return Plane(self.atom, tuple((neighbour, -sign) for neighbour, sign in self.sides))


@dataclass(frozen=True, slots=True)
class DoubleBond:
    """A double bond inside the block: its atoms, neighbours on either side, and 1 if the first of each are cis."""

    atoms: tuple[int, int]
    sides: tuple[tuple[int, ...], tuple[int, ...]]
    sign: int

    def flipped(self) -> "DoubleBond":
        """Return the other geometry."""
        return DoubleBond(self.atoms, self.sides, -self.sign)


StereoMark = Centre | Plane | DoubleBond


@dataclass(slots=True)
class RingBlock:
    """Atoms 0 ... n-1 with colours, bonds with codes as seen from either atom, and stereo marks."""

    colours: Sequence[str]
    bonds: Sequence[tuple[int, int, str, str]]  # first, second, code from first to second, code from second to first
    marks: tuple[StereoMark, ...] = ()
    neighbours: list[list[tuple[int, str]]] = field(init=False)

    def __post_init__(self) -> None:
        """List the neighbours."""
        self.neighbours = [[] for _ in self.colours]
        for first, second, forward, backward in self.bonds:
            self.neighbours[first].append((second, forward))
            self.neighbours[second].append((first, backward))

    @property
    def is_cycle(self) -> bool:
        """Whether the block is one plain ring."""
        return len(self.bonds) == len(self.colours) and all(len(found) == 2 for found in self.neighbours)


def ring_code(block: RingBlock, root: int | None) -> tuple[str, int]:
    """Return the canonical text of a ring block, and how many of its stereo marks distinguish nothing.

    Parameters
    ----------
    block
        Colours must tell apart everything outside of the block.
    root
        An atom whose colour no other atom has, or None.

    Raises
    ------
    TooSymmetric
        When the search exceeds its limit.
    """
    if not block.marks or _is_rigid(block, root):
        return _code(block, root), 0
    marks, dropped = block.marks, 0
    while marks:
        # A mark that may be turned over without changing the whole says nothing: its two sides are alike.
        code = _code(RingBlock(block.colours, block.bonds, marks), root)
        telling = tuple(
            mark
            for number, mark in enumerate(marks)
            if _code(
                RingBlock(block.colours, block.bonds, (*marks[:number], mark.flipped(), *marks[number + 1 :])), root
            )
            != code
        )
        if len(telling) == len(marks):
            return code, dropped
        dropped += len(marks) - len(telling)
        marks = telling
    return _code(RingBlock(block.colours, block.bonds), root), dropped


def _code(block: RingBlock, root: int | None) -> str:
    if root is not None and block.is_cycle:
        return _cycle_code(block, root)
    if block.marks:
        return _Search(block).code()
    return _unmarked_code(tuple(block.colours), tuple(block.bonds))


@lru_cache(maxsize=256)
def _unmarked_code(colours: tuple[str, ...], bonds: tuple[tuple[int, int, str, str], ...]) -> str:
    """Search once for a ring block that returns in one unit, or in many of a list."""
    return _Search(RingBlock(colours, bonds)).code()


def _is_rigid(block: RingBlock, root: int | None) -> bool:
    """Tell whether no two atoms are alike once the root is fixed, marks left aside."""
    plain = RingBlock(block.colours, block.bonds)
    if root is not None and plain.is_cycle:
        first, second = _cycle_texts(plain, root)
        return first != second
    return _Search(plain).is_discrete()


def _cycle_code(block: RingBlock, root: int) -> str:
    """Read a plain ring from its root in both directions and take the smaller text."""
    return "{" + min(_cycle_texts(block, root)) + "}"


def _cycle_texts(block: RingBlock, root: int) -> list[str]:
    """Read a plain ring from its root in both directions."""
    texts = []
    for first_step, bond in block.neighbours[root]:
        parts = [block.colours[root], bond]
        order = [root]
        previous, atom = root, first_step
        while atom != root:
            order.append(atom)
            parts.append(block.colours[atom])
            (one, one_bond), (other, other_bond) = block.neighbours[atom]
            previous, atom, bond = (atom, other, other_bond) if one == previous else (atom, one, one_bond)
            parts.append(bond)
        if block.marks:
            rank = [0] * len(order)
            for position, atom in enumerate(order):
                rank[atom] = position
            parts.append(_marks_text(block.marks, rank))
        texts.append("".join(parts))
    return texts


def permutation_sign(order: Sequence[int]) -> int:
    """Return 1 for an even number of exchanges that sort ``order``, -1 for an odd one."""
    sign = 1
    for position, value in enumerate(order):
        for later in order[position + 1 :]:
            if later < value:
                sign = -sign
    return sign


def _marks_text(marks: Sequence[StereoMark], rank: Sequence[int]) -> str:
    """Write the marks relative to the ranks of the atoms around them."""
    texts: list[tuple[int, str]] = []
    for mark in marks:
        if isinstance(mark, Centre):
            sign = mark.sign * permutation_sign([rank[neighbour] for neighbour in mark.neighbours])
            place, kind = rank[mark.atom], "@"
        elif isinstance(mark, Plane):
            sign = min(mark.sides, key=lambda side: rank[side[0]])[1]
            place, kind = rank[mark.atom], "/"
        else:
            sign = mark.sign
            for side in mark.sides:
                if min(side, key=rank.__getitem__) != side[0]:
                    sign = -sign
            first, second = sorted(rank[atom] for atom in mark.atoms)
            place, kind = first, f"={second}/"
        texts.append((place, f"{place}{kind}{'+' if sign > 0 else '-'}"))
    return ";" + ",".join(text for _, text in sorted(texts))


class _Search:
    """Search for the numbering that gives the smallest text.

    A partition of the atoms is kept as the class of each atom; a class is named by the number of atoms in classes
    before it, so that names need not change when another class is split.
    """

    def __init__(self, block: RingBlock) -> None:
        self.block = block
        self.size = len(block.colours)
        self.work = 0
        self.best: str | None = None
        self.best_ranks: list[int] = []
        self.symmetries: list[list[int]] = []
        self.bond_code = {(atom, other): code for atom, found in enumerate(block.neighbours) for other, code in found}
        self.marked = bool(block.marks)

    def code(self) -> str:
        """Return the text."""
        self._descend(*self._start(), [])
        assert self.best is not None
        return self.best

    def is_discrete(self) -> bool:
        """Tell whether colours and neighbours alone tell all atoms apart."""
        return len(self._start()[1]) == self.size

    def _start(self) -> tuple[list[int], dict[int, list[int]]]:
        """Return the coarsest partition that respects colours and neighbours."""
        by_colour: dict[str, list[int]] = {}
        for atom, colour in enumerate(self.block.colours):
            by_colour.setdefault(colour, []).append(atom)
        classes = [0] * self.size
        cells: dict[int, list[int]] = {}
        position = 0
        for colour in sorted(by_colour):
            cells[position] = by_colour[colour]
            for atom in by_colour[colour]:
                classes[atom] = position
            position += len(by_colour[colour])
        self._refine(classes, cells, range(self.size))
        return classes, cells

    def _refine(self, classes: list[int], cells: dict[int, list[int]], changed: Iterable[int]) -> None:
        """Split classes by the classes of the neighbours until nothing changes, beginning beside the changed atoms."""
        neighbours = self.block.neighbours
        while changed:
            touched = {classes[other] for atom in changed for other, _ in neighbours[atom]}
            splits = []
            for name in touched:
                cell = cells[name]
                if len(cell) == 1:
                    continue
                self.work += len(cell)
                groups: dict[tuple[tuple[int, str], ...], list[int]] = {}
                for atom in cell:
                    signature = tuple(sorted([(classes[other], code) for other, code in neighbours[atom]]))
                    groups.setdefault(signature, []).append(atom)
                if len(groups) > 1:
                    splits.append((name, groups))
            if self.work > _LARGEST_SEARCH:
                raise TooSymmetric
            renamed: list[int] = []
            for name, groups in splits:
                position = name
                for signature in sorted(groups):
                    atoms = groups[signature]
                    cells[position] = atoms
                    if position != name:
                        for atom in atoms:
                            classes[atom] = position
                        renamed += atoms
                    position += len(atoms)
            changed = renamed

    def _descend(self, classes: list[int], cells: dict[int, list[int]], path: list[int]) -> None:
        """Follow every choice among equal atoms that is not the image of another under a symmetry."""
        if len(cells) == self.size:
            self._finish(classes)
            return
        name = min(position for position, members in cells.items() if len(members) > 1)
        tried: list[tuple[int, dict[int, list[int]]]] = []
        for atom in cells[name]:
            if tried and self._is_image(atom, [other for other, _ in tried], path):
                continue
            self.work += self.size
            others = [other for other in cells[name] if other != atom]
            new_classes, new_cells = classes.copy(), cells.copy()
            new_cells[name], new_cells[name + 1] = [atom], others
            for other in others:
                new_classes[other] = name + 1
            self._refine(new_classes, new_cells, [atom])
            if any(self._exchanges(before, new_cells) for _, before in tried):
                continue
            tried.append((atom, new_cells))
            self._descend(new_classes, new_cells, [*path, atom])

    def _is_image(self, atom: int, tried: list[int], path: list[int]) -> bool:
        """Tell whether known symmetries that leave the path alone lead from a tried atom to this one."""
        usable = [symmetry for symmetry in self.symmetries if all(symmetry[fixed] == fixed for fixed in path)]
        reached = set(tried)
        waiting = list(tried)
        while waiting:
            current = waiting.pop()
            for symmetry in usable:
                image = symmetry[current]
                if image not in reached:
                    reached.add(image)
                    waiting.append(image)
        return atom in reached

    def _exchanges(self, first: dict[int, list[int]], second: dict[int, list[int]]) -> bool:
        """Try the symmetry that maps equal classes on each other and leaves atoms alone that are not told apart."""
        if first.keys() != second.keys():
            return False
        image = list(range(self.size))
        for position, atoms in first.items():
            others = second[position]
            if len(atoms) == 1 == len(others):
                image[atoms[0]] = others[0]
            elif len(atoms) != len(others) or set(atoms) != set(others):
                return False
        return self._keep(image)

    def _keep(self, image: list[int]) -> bool:
        """Remember a mapping if it is a symmetry of the block with its colours and marks."""
        if len(set(image)) != self.size:
            return False
        colours = self.block.colours
        if any(colours[image[atom]] != colours[atom] for atom in range(self.size)):
            return False
        if any(
            self.bond_code.get((image[atom], image[other])) != code for (atom, other), code in self.bond_code.items()
        ):
            return False
        if self.marked:
            identity = list(range(self.size))
            if _marks_text([_mapped(mark, image) for mark in self.block.marks], identity) != _marks_text(
                self.block.marks, identity
            ):
                return False
        self.symmetries.append(image)
        return True

    def _finish(self, ranks: list[int]) -> None:
        """Write the text of a complete numbering; equal texts reveal a symmetry."""
        order = [0] * self.size
        for atom, rank in enumerate(ranks):
            order[rank] = atom
        lines = sorted(
            (ranks[first], ranks[second], forward)
            if ranks[first] < ranks[second]
            else (ranks[second], ranks[first], backward)
            for first, second, forward, backward in self.block.bonds
        )
        text = (
            "{"
            + "|".join(self.block.colours[atom] for atom in order)
            + ";"
            + ",".join(f"{first}{code}{second}" for first, second, code in lines)
            + (_marks_text(self.block.marks, ranks) if self.marked else "")
            + "}"
        )
        if self.best is None or text < self.best:
            self.best, self.best_ranks = text, ranks
        elif text == self.best:
            place = {rank: atom for atom, rank in enumerate(ranks)}
            self.symmetries.append([place[rank] for rank in self.best_ranks])


def _mapped(mark: StereoMark, image: Sequence[int]) -> StereoMark:
    """Apply a mapping of the atoms to a mark."""
    at: Callable[[int], int] = image.__getitem__
    if isinstance(mark, Centre):
        return Centre(at(mark.atom), tuple(map(at, mark.neighbours)), mark.sign)
    if isinstance(mark, Plane):
        return Plane(at(mark.atom), tuple((at(neighbour), sign) for neighbour, sign in mark.sides))
    return DoubleBond(
        (at(mark.atoms[0]), at(mark.atoms[1])),
        (tuple(map(at, mark.sides[0])), tuple(map(at, mark.sides[1]))),
        mark.sign,
    )
