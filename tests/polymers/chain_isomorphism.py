"""Do two repeat units generate the same chain? Decided by brute force, as an oracle for small units.

Both chains are closed to large rings of equally many atoms, and an isomorphism of the two labelled graphs is searched
for by trying all assignments, atom by atom. The rings are so long that the closure adds no symmetry. Stereo marks are
compared by the parity of the assignment itself; no canonical order is involved anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import lcm

from rdkit import Chem

from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

_SMALLEST_RING = 14  # backbone atoms


@dataclass
class Ring:
    """Several units, closed: labelled atoms, bonds, and stereo marks."""

    labels: list[str] = field(default_factory=list)
    bonds: list[dict[int, str]] = field(default_factory=list)
    centres: dict[int, tuple[int, list[int]]] = field(default_factory=dict)  # sign, neighbours in their order
    double_bonds: list[tuple[int, int, int, int, int]] = field(default_factory=list)  # atoms, references, 1 if cis


def closed_ring(unit: RepeatUnit, times: int) -> Ring:
    """Join copies of a unit head to tail and the last to the first."""
    molecule = unit.molecule
    size = molecule.GetNumAtoms()
    head_mark, tail_mark = unit.attachment_points
    head = molecule.GetAtomWithIdx(head_mark).GetNeighbors()[0].GetIdx()
    tail = molecule.GetAtomWithIdx(tail_mark).GetNeighbors()[0].GetIdx()
    link = molecule.GetAtomWithIdx(head_mark).GetBonds()[0].GetBondType().name
    ring = Ring()
    place = {}
    for copy in range(times):
        for atom in molecule.GetAtoms():
            if atom.GetAtomicNum():
                place[copy, atom.GetIdx()] = len(ring.labels)
                ring.labels.append(
                    f"{atom.GetSymbol()} {atom.GetTotalNumHs()} {atom.GetFormalCharge()} {atom.GetIsotope()}"
                )
                ring.bonds.append({})
    for copy in range(times):
        place[copy, head_mark] = place[(copy - 1) % times, tail]
        place[copy, tail_mark] = place[(copy + 1) % times, head]
        for bond in molecule.GetBonds():
            first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            if {first, second} & {head_mark, tail_mark}:
                continue
            kind = "AROMATIC" if bond.GetIsAromatic() else bond.GetBondType().name
            ring.bonds[place[copy, first]][place[copy, second]] = kind
            ring.bonds[place[copy, second]][place[copy, first]] = kind
        last, first_of_next = place[copy, tail], place[(copy + 1) % times, head]
        ring.bonds[last][first_of_next] = link
        ring.bonds[first_of_next][last] = link
    for copy in range(times):
        for index in range(size):
            atom = molecule.GetAtomWithIdx(index)
            if atom.GetChiralTag() != Chem.ChiralType.CHI_UNSPECIFIED:
                sign = 1 if atom.GetChiralTag() == Chem.ChiralType.CHI_TETRAHEDRAL_CW else -1
                around = [place[copy, bond.GetOtherAtomIdx(index)] for bond in atom.GetBonds()]
                ring.centres[place[copy, index]] = sign, around
        for bond in molecule.GetBonds():
            if bond.GetStereo() != Chem.BondStereo.STEREONONE:
                cis = 1 if bond.GetStereo() in (Chem.BondStereo.STEREOZ, Chem.BondStereo.STEREOCIS) else -1
                atoms = (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx(), *bond.GetStereoAtoms())
                ring.double_bonds.append((*(place[copy, atom] for atom in atoms), cis))
    return ring


def _assignments(first: Ring, second: Ring) -> Iterator[list[int]]:
    """Yield every isomorphism of the graphs, by depth-first assignment along the bonds of the first."""
    order, parent, seen = [0], {0: -1}, {0}
    for atom in order:
        for other in first.bonds[atom]:
            if other not in seen:
                seen.add(other)
                parent[other] = atom
                order.append(other)

    def extend(position: int, image: dict[int, int]) -> Iterator[dict[int, int]]:
        if position == len(order):
            yield image
            return
        atom = order[position]
        candidates = range(len(second.labels)) if position == 0 else second.bonds[image[parent[atom]]]
        taken = set(image.values())
        for candidate in candidates:
            if candidate in taken or second.labels[candidate] != first.labels[atom]:
                continue
            if len(second.bonds[candidate]) != len(first.bonds[atom]):
                continue
            if any(
                second.bonds[candidate].get(image[other]) != kind
                for other, kind in first.bonds[atom].items()
                if other in image
            ):
                continue
            yield from extend(position + 1, {**image, atom: candidate})

    for image in extend(0, {}):
        yield [image[atom] for atom in range(len(first.labels))]


def _parity(order: list[int], reference: list[int]) -> int:
    place = [reference.index(item) for item in order]
    return (-1) ** sum(place[i] > place[j] for i in range(len(place)) for j in range(i + 1, len(place)))


def _keeps_stereo(first: Ring, second: Ring, image: list[int]) -> bool:
    if {image[atom] for atom in first.centres} != set(second.centres):
        return False
    for atom, (sign, around) in first.centres.items():
        other_sign, other_around = second.centres[image[atom]]
        if sign * _parity([image[neighbour] for neighbour in around], other_around) != other_sign:
            return False
    other_bonds = {frozenset(bond[:2]): bond for bond in second.double_bonds}
    if {frozenset((image[bond[0]], image[bond[1]])) for bond in first.double_bonds} != set(other_bonds):
        return False
    for begin, end, at_begin, at_end, cis in first.double_bonds:
        other = other_bonds[frozenset((image[begin], image[end]))]
        references = other[2:4] if other[0] == image[begin] else other[3:1:-1]
        turned = (image[at_begin] == references[0]) == (image[at_end] == references[1])
        if cis * (1 if turned else -1) != other[4]:
            return False
    return True


def _backbone_length(unit: RepeatUnit) -> int:
    return len(Chem.GetShortestPath(unit.molecule, *unit.attachment_points)) - 2


def same_chain(first: RepeatUnit, second: RepeatUnit, *, stereo: bool) -> bool:
    """Tell whether two units without counter-ions generate the same infinite chain."""
    sizes = [unit.molecule.GetNumAtoms() - 2 for unit in (first, second)]
    common = lcm(*sizes)
    factor = 1
    while min(
        _backbone_length(unit) * factor * common // size for unit, size in zip((first, second), sizes, strict=True)
    ) < (_SMALLEST_RING):
        factor += 1
    rings = [closed_ring(unit, factor * common // size) for unit, size in zip((first, second), sizes, strict=True)]
    if sorted(rings[0].labels) != sorted(rings[1].labels):
        return False
    return any(not stereo or _keeps_stereo(*rings, image) for image in _assignments(*rings))
