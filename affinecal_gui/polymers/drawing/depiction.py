"""Where the atoms of a repeat unit are placed: backbone from left to right, as straight as its rings and marks allow.

RDKit lays out rings and groups; it knows nothing of a direction in which the chain goes on. Turning a part of the layout
over about a single bond of the backbone changes nothing chemical, so the bends of the backbone are made to alternate by
such turns. Then the line from attachment point to attachment point is laid horizontally.
"""

from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from rdkit import Chem, rdBase
from rdkit.Chem import rdCoordGen, rdDepictor
from rdkit.Geometry import Point3D

from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

BOND_LENGTH: Final = 1.5  # of RDKit's layouts, in their own unit
_CLOSEST: Final = 0.55 * BOND_LENGTH  # atoms nearer than this are on top of each other
_CLOSEST_OF_A_CAGE: Final = 0.5 * BOND_LENGTH
_GAP: Final = 1.2 * BOND_LENGTH  # between the chain and its counter-ions
_LARGEST_UNFOLDED: Final = 400  # atoms; larger units are drawn as RDKit lays them out
_LARGEST_SECOND_TRY: Final = 90  # atoms; CoordGen takes seconds and gigabytes for long rows of rings
_ROUNDS: Final = 3
END_BOND: Final = 0.8  # of a bond
_WORTH_TURNING: Final = 0.75
_TALL: Final = 8.0 * BOND_LENGTH  # lower structures are large enough as they are

Positions = NDArray[np.float64]


def depict(unit: RepeatUnit, *, width_to_height: float | None = None) -> Chem.Mol:
    """Return a copy of the unit's molecule with a two-dimensional conformer.

    Atom indices are those of ``unit.molecule``; the y axis points upwards.

    Parameters
    ----------
    unit
        What is laid out.
    width_to_height
        Of the room for it. Where side groups are so much longer than the backbone that the structure would be less than
        three quarters as large as it could be, they lie horizontally instead. None leaves the backbone horizontal.
    """
    molecule = Chem.Mol(unit.molecule)
    head, tail = unit.attachment_points
    parts = Chem.GetMolFrags(molecule)
    chain = np.array(next(part for part in parts if head in part))
    with rdBase.BlockLogs():
        # Without RDKit's templates of ring systems: reading them keeps the interpreter for a tenth of a second and takes
        # 24 MB, and where its own layout fails CoordGen does as well as they do.
        rdDepictor.Compute2DCoords(molecule, canonOrient=True, clearConfs=True)
        positions = _positions(molecule)
        if len(chain) <= _LARGEST_UNFOLDED:
            _Unfolding(molecule, positions, chain, head, tail).run()
            overlaps = _overlaps(positions[chain])
            if overlaps and _are_of_a_cage(molecule, positions):
                overlaps = 0
            if overlaps and molecule.GetNumAtoms() <= _LARGEST_SECOND_TRY:
                rdCoordGen.AddCoords(molecule)
                other = _positions(molecule)
                _Unfolding(molecule, other, chain, head, tail).run()
                if _overlaps(other[chain]) < overlaps:
                    positions = other
    _shorten_end_bonds(molecule, positions, head, tail)
    _lay_horizontally(positions, chain, head, tail)
    if width_to_height is not None and np.ptp(positions[chain, 1]) > _TALL:
        lying = _lying_along(positions, chain, head, tail)
        if _size(lying[chain], width_to_height) * _WORTH_TURNING > _size(positions[chain], width_to_height):
            positions = lying
    _place_beside(positions, chain, [np.array(part) for part in parts if head not in part])
    conformer = molecule.GetConformer()
    for atom, (x, y) in enumerate(positions):
        conformer.SetAtomPosition(atom, Point3D(float(x), float(y), 0.0))
    return molecule


def _are_of_a_cage(molecule: Chem.Mol, positions: Positions) -> bool:
    """Return whether only atoms of one cage are near each other, as in the usual drawing of adamantane, and not too near."""
    system = np.arange(len(positions))  # of rings, by the number of one of its atoms
    for ring in molecule.GetRingInfo().AtomRings():
        system[np.isin(system, system[list(ring)])] = system[ring[0]]
    distances = np.hypot(*(positions[:, None, :] - positions[None, :, :]).transpose(2, 0, 1))
    np.fill_diagonal(distances, np.inf)
    closest = np.where(system[:, None] == system[None, :], _CLOSEST_OF_A_CAGE, _CLOSEST)
    return bool((distances >= closest).all())


def _positions(molecule: Chem.Mol) -> Positions:
    """Take the coordinates of a layout, with bonds of one length."""
    positions: Positions = np.array(molecule.GetConformer().GetPositions()[:, :2])
    lengths = [
        np.hypot(*(positions[bond.GetBeginAtomIdx()] - positions[bond.GetEndAtomIdx()])) for bond in molecule.GetBonds()
    ]
    return positions * (BOND_LENGTH / max(float(np.median(lengths)), 1e-3))


class _Unfolding:
    """Turns parts of a layout over about single bonds until the backbone is straight and no atoms overlap."""

    def __init__(
        self, molecule: Chem.Mol, positions: Positions, chain: NDArray[np.int64], head: int, tail: int
    ) -> None:
        self.positions = positions
        self.chain = chain
        self.neighbours = [
            [neighbour.GetIdx() for neighbour in molecule.GetAtomWithIdx(atom).GetNeighbors()]
            for atom in range(molecule.GetNumAtoms())
        ]
        self.path = list(Chem.GetShortestPath(molecule, head, tail))
        self.bonds = [
            (bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
            for bond in molecule.GetBonds()
            if bond.GetBondType() == Chem.BondType.SINGLE and not bond.IsInRing()
        ]

    def run(self) -> None:
        """Straighten the backbone, then free the side groups."""
        overlaps = self._straighten(_overlaps(self.positions[self.chain]))
        if overlaps:
            self._free_side_groups(overlaps)

    def _straighten(self, overlaps: int) -> int:
        """Turn over what follows a backbone bond wherever that makes the backbone straighter without an overlap."""
        turnable = {frozenset(bond) for bond in self.bonds}
        steps = [
            (place, begin, end)
            for place, (begin, end) in enumerate(pairwise(self.path))
            if 0 < place < len(self.path) - 2 and frozenset((begin, end)) in turnable
        ]
        path = np.array(self.path)
        for _ in range(_ROUNDS):
            improved = False
            for place, begin, end in steps:
                row = self.positions[path]
                turned_row = _turned_over(row, place, place + 1, np.arange(place + 1, len(path)))
                if _straightness(turned_row) < _straightness(row) + 0.02:
                    continue
                turned = _turned_over(self.positions, begin, end, self._beyond(begin, end))
                now = _overlaps(turned[self.chain])
                if now <= overlaps:
                    self.positions[:] = turned
                    overlaps, improved = now, True
            if not improved:
                break
        return overlaps

    def _free_side_groups(self, overlaps: int) -> None:
        """Turn side groups over where they lie on other atoms."""
        backbone = set(self.path)
        for bond in self.bonds:
            for begin, end in (bond, bond[::-1]):
                following = self._beyond(begin, end)
                if len(following) < 2 or not backbone.isdisjoint(following.tolist()):
                    continue
                turned = _turned_over(self.positions, begin, end, following)
                now = _overlaps(turned[self.chain])
                if now < overlaps:
                    self.positions[:] = turned
                    overlaps = now
            if not overlaps:
                return

    def _beyond(self, begin: int, end: int) -> NDArray[np.int64]:
        """Atoms on the side of ``end`` of a bond outside of rings."""
        found, waiting = {begin, end}, [end]
        while waiting:
            for neighbour in self.neighbours[waiting.pop()]:
                if neighbour not in found:
                    found.add(neighbour)
                    waiting.append(neighbour)
        found.discard(begin)
        return np.array(sorted(found))


def _straightness(row: Positions) -> float:
    """Length from end to end, less what the row strays from that line, in bond lengths."""
    chord = row[-1] - row[0]
    length = float(np.hypot(*chord))
    if length < 1e-6:
        return -float(len(row))
    astray = (row - row[0]) @ np.array([-chord[1], chord[0]]) / length
    return (length - 2.0 * float(np.std(astray))) / BOND_LENGTH


def _shorten_end_bonds(molecule: Chem.Mol, positions: Positions, head: int, tail: int) -> None:
    """Move the attachment points nearer: each stands for the next unit, not for an atom at the distance of one."""
    for mark in (head, tail):
        (inner,) = (neighbour.GetIdx() for neighbour in molecule.GetAtomWithIdx(mark).GetNeighbors())
        bond = positions[mark] - positions[inner]
        positions[mark] = positions[inner] + END_BOND * BOND_LENGTH / max(float(np.hypot(*bond)), 1e-6) * bond


def _lying_along(positions: Positions, chain: NDArray[np.int64], head: int, tail: int) -> Positions:
    """Turn the longest extent of the chain and its side groups into the x axis, the backbone at the left."""
    _, _, axes = np.linalg.svd(positions[chain] - positions[chain].mean(axis=0), full_matrices=False)
    main = axes[0]
    turned: Positions = positions @ np.array([[main[0], -main[1]], [main[1], main[0]]])
    if turned[[head, tail], 0].mean() > turned[chain, 0].mean():
        turned *= -1.0  # half a turn in the plane
    return turned


def _size(positions: Positions, width_to_height: float) -> float:
    """Return the length of a unit of distance when a structure fills its room."""
    width, height = np.ptp(positions, axis=0) + BOND_LENGTH
    return float(min(width_to_height / width, 1.0 / height))


def _turned_over(positions: Positions, begin: int, end: int, following: NDArray[np.int64]) -> Positions:
    """Mirror atoms at the line through a bond."""
    origin = positions[begin]
    axis = positions[end] - origin
    axis = axis / max(float(np.hypot(*axis)), 1e-9)
    relative = positions[following] - origin
    turned = positions.copy()
    turned[following] = origin + 2.0 * np.outer(relative @ axis, axis) - relative
    return turned


def _overlaps(positions: Positions) -> int:
    """Count pairs of atoms on top of each other."""
    difference = positions[:, None, :] - positions[None, :, :]
    close = np.einsum("ijk,ijk->ij", difference, difference) < _CLOSEST**2
    return int(np.count_nonzero(close) - len(positions)) // 2


def _lay_horizontally(positions: Positions, chain: NDArray[np.int64], head: int, tail: int) -> None:
    """Turn the line from head to tail into the x axis, most side groups above it."""
    start = positions[head].copy()
    direction = positions[tail] - start
    length = float(np.hypot(*direction))
    if length < 1e-6:
        return
    cosine, sine = direction / length
    positions[:] = (positions - start) @ np.array([[cosine, -sine], [sine, cosine]])
    if positions[chain, 1].mean() < -1e-6:
        # Half a turn in space about the x axis: nothing chemical changes, wedges are assigned afterwards.
        positions[:, 1] *= -1.0


def _place_beside(positions: Positions, chain: NDArray[np.int64], others: list[NDArray[np.int64]]) -> None:
    """Put counter-ions in a row below the chain, in its middle."""
    if not others:
        return
    top = positions[chain, 1].min() - _GAP
    widths = [float(np.ptp(positions[part, 0])) for part in others]
    x = float(positions[chain, 0].mean()) - (sum(widths) + _GAP * (len(others) - 1)) / 2
    for part, width in zip(others, widths, strict=True):
        positions[part] += np.array([x, top]) - np.array([positions[part, 0].min(), positions[part, 1].max()])
        x += width + _GAP
