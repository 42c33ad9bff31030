"""A repeat unit as plain Python data: labelled atoms, neighbours, bonds, and stereo marks relative to neighbours."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rdkit import Chem

from affinecal_gui.polymers.chain.ring_code import permutation_sign
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

_BOND_CODES = {
    Chem.BondType.SINGLE: "-",
    Chem.BondType.DOUBLE: "=",
    Chem.BondType.TRIPLE: "#",
    Chem.BondType.QUADRUPLE: "$",
    Chem.BondType.AROMATIC: ":",
}
_REVERSED = {">": "<", "<": ">"}
_HANDEDNESS = {Chem.ChiralType.CHI_TETRAHEDRAL_CCW: 1, Chem.ChiralType.CHI_TETRAHEDRAL_CW: -1}
_GEOMETRIES = {
    Chem.BondStereo.STEREOZ: 1,
    Chem.BondStereo.STEREOCIS: 1,
    Chem.BondStereo.STEREOE: -1,
    Chem.BondStereo.STEREOTRANS: -1,
}


@dataclass(slots=True)
class StereoMarks:
    """Stereo marks of a graph, relative to neighbours."""

    centres: dict[int, tuple[int, tuple[int, ...]]] = field(default_factory=dict)
    """Atom -> sign and the neighbours in the order to which the sign refers."""
    double_bonds: dict[tuple[int, int], tuple[int, int, int]] = field(default_factory=dict)
    """Atoms of the bond, both ways round -> reference neighbour of either, and 1 if they are cis."""
    dropped: int = 0

    def __bool__(self) -> bool:
        return bool(self.centres or self.double_bonds)

    def geometry(self, first: int, second: int, at_first: int, at_second: int) -> int:
        """Return 1 if the two given neighbours of a marked double bond are cis, -1 if trans."""
        reference_first, reference_second, sign = self.double_bonds[first, second]
        return sign * (1 if at_first == reference_first else -1) * (1 if at_second == reference_second else -1)

    def handedness(self, atom: int, order: Sequence[int]) -> int | None:
        """Return the sign of a centre when its neighbours are listed in this order; None if they are not its own."""
        sign, listed = self.centres[atom]
        if len(order) != len(listed) or set(order) != set(listed):
            return None
        position = {neighbour: number for number, neighbour in enumerate(listed)}
        return sign * permutation_sign([position[neighbour] for neighbour in order])


class PlainGraph:
    """Atoms and bonds of a repeat unit as plain Python data; attachment points are kept as neighbours, hydrogens are not."""

    def __init__(self, unit: RepeatUnit) -> None:
        molecule = unit.molecule
        self.head_mark, self.tail_mark = unit.attachment_points
        ends = [molecule.GetAtomWithIdx(mark).GetBonds()[0] for mark in unit.attachment_points]
        self.head = ends[0].GetOtherAtomIdx(self.head_mark)
        self.tail = ends[1].GetOtherAtomIdx(self.tail_mark)
        self.link = _BOND_CODES[ends[0].GetBondType()]
        if self.link != "-":
            molecule = _with_neighbouring_elements(molecule, unit.attachment_points, (self.tail, self.head))
        size = molecule.GetNumAtoms()
        atoms = [molecule.GetAtomWithIdx(index) for index in range(size)]
        features = [
            (atom.GetAtomicNum(), atom.GetTotalNumHs(), atom.GetFormalCharge(), atom.GetIsotope()) for atom in atoms
        ]
        self.neighbours: list[list[int]] = [[] for _ in range(size)]
        self.bond_code: dict[tuple[int, int], str] = {}
        stereo_bonds = []
        folded = self._hydrogens_to_fold(molecule, features)
        attachment_points = set(unit.attachment_points)
        for index in range(molecule.GetNumBonds()):
            bond = molecule.GetBondWithIdx(index)
            first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
            if first in attachment_points or second in attachment_points or first in folded or second in folded:
                continue
            code = ":" if bond.GetIsAromatic() else _BOND_CODES.get(bond.GetBondType(), ">")
            self.neighbours[first].append(second)
            self.neighbours[second].append(first)
            self.bond_code[first, second] = code
            self.bond_code[second, first] = _REVERSED.get(code, code)
            if code == "=":
                stereo_bonds.append(bond)
        self.atoms = [index for index in range(size) if index not in attachment_points and index not in folded]
        self.hydrogen_of = {heavy: hydrogen for hydrogen, heavy in folded.items()}
        for heavy in folded.values():
            number, hydrogens, charge, isotope = features[heavy]
            features[heavy] = (number, hydrogens + 1, charge, isotope)
        self.labels = [_label(*feature) for feature in features]
        self.marks = StereoMarks()
        self._read_marks(atoms, stereo_bonds)

    @staticmethod
    def _hydrogens_to_fold(molecule: Chem.Mol, features: Sequence[tuple[int, int, int, int]]) -> dict[int, int]:
        """Find hydrogens that are still atoms (they carry a double-bond geometry) and the atom that each belongs to."""
        found = {}
        for index, (number, _, charge, isotope) in enumerate(features):
            if number == 1 and not charge and not isotope:
                partners = [atom.GetIdx() for atom in molecule.GetAtomWithIdx(index).GetNeighbors()]
                if len(partners) == 1 and features[partners[0]][0] > 1:
                    found[index] = partners[0]
        return found

    def _read_marks(self, atoms: Sequence[Chem.Atom], stereo_bonds: Sequence[Chem.Bond]) -> None:
        for atom in atoms:
            tag = atom.GetChiralTag()
            if tag in _HANDEDNESS:
                index = atom.GetIdx()
                listed = tuple(bond.GetOtherAtomIdx(index) for bond in atom.GetBonds())
                if len(listed) in (3, 4):
                    self.marks.centres[index] = _HANDEDNESS[tag], listed
        for bond in stereo_bonds:
            sign = _GEOMETRIES.get(bond.GetStereo())
            references = list(bond.GetStereoAtoms())
            if sign is not None and len(references) == 2:
                first, second = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
                self.marks.double_bonds[first, second] = references[0], references[1], sign
                self.marks.double_bonds[second, first] = references[1], references[0], sign


def _label(number: int, hydrogens: int, charge: int, isotope: int) -> str:
    symbol = Chem.GetPeriodicTable().GetElementSymbol(number) if number else "*"
    attached = "" if not hydrogens else "H" if hydrogens == 1 else f"H{hydrogens}"
    if not charge and not isotope:
        return f"{symbol}{attached}"
    return f"[{isotope or ''}{symbol}{attached}{f'{charge:+d}' if charge else ''}]"


def _with_neighbouring_elements(molecule: Chem.Mol, marks: tuple[int, int], stand_for: tuple[int, int]) -> Chem.Mol:
    """Perceive aromaticity with the elements of the neighbouring units in the place of doubly bonded attachment points.

    Whether a ring with an exocyclic double bond is aromatic depends on the element at its other side.
    """
    capped = Chem.RWMol(molecule)
    Chem.Kekulize(capped, clearAromaticFlags=True)
    for mark, real in zip(marks, stand_for, strict=True):
        capped.GetAtomWithIdx(mark).SetAtomicNum(molecule.GetAtomWithIdx(real).GetAtomicNum())
        capped.GetAtomWithIdx(mark).SetNoImplicit(False)
    capped.UpdatePropertyCache(strict=False)
    Chem.SetAromaticity(capped)
    return capped.GetMol()
