"""The same polymer written differently: cut elsewhere, reversed, repeated, renumbered, Kekulé, other attachment points.

Units are joined and cut by RDKit's own tools (molzip, FragmentOnBonds), which know nothing of the code under test.
"""

import random
from itertools import pairwise

from rdkit import Chem, rdBase

from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit

GEOMETRIES = {
    Chem.BondStereo.STEREOZ: Chem.BondStereo.STEREOCIS,
    Chem.BondStereo.STEREOE: Chem.BondStereo.STEREOTRANS,
}
CUTTABLE = (Chem.BondType.SINGLE, Chem.BondType.DOUBLE, Chem.BondType.TRIPLE)
ATTACHMENT_POINTS = [("*", "*"), ("[*]", "[*]"), ("[*:1]", "[*:2]"), ("[1*]", "[2*]"), ("[R1]", "[R2]"), ("[R]", "[R]")]


def labelled(unit: RepeatUnit, labels: tuple[int, int]) -> Chem.Mol:
    """Tell the attachment points apart by isotopes, and give geometries relative to neighbours.

    The directions of single bonds beside a double bond contradict each other once units are joined, and RDKit would then
    drop the geometry.
    """
    molecule = Chem.Mol(unit.molecule)
    for bond in molecule.GetBonds():
        bond.SetBondDir(Chem.BondDir.NONE)
        if bond.GetStereo() in GEOMETRIES:
            bond.SetStereo(GEOMETRIES[bond.GetStereo()])
    for mark, label in zip(unit.attachment_points, labels, strict=True):
        molecule.GetAtomWithIdx(mark).SetIsotope(label)
    return molecule


def _marks(molecule: Chem.Mol) -> dict[int, int]:
    return {atom.GetIsotope(): atom.GetIdx() for atom in molecule.GetAtoms() if atom.GetAtomicNum() == 0}


def joined(first: Chem.Mol, second: Chem.Mol) -> Chem.Mol:
    """Join the tail of the first to the head of the second."""
    parts = []
    for molecule, label in ((first, 2), (second, 1)):
        part = Chem.Mol(molecule)
        mark = part.GetAtomWithIdx(_marks(part)[label])
        mark.SetIsotope(0)
        mark.SetAtomMapNum(7)
        parts.append(part)
    parameters = Chem.MolzipParams()
    parameters.label = Chem.MolzipLabel.AtomMapNumber
    return Chem.molzip(*parts, parameters)


def repeated(molecule: Chem.Mol, times: int) -> Chem.Mol:
    """Write several units as one."""
    result = molecule
    for _ in range(times - 1):
        result = joined(result, molecule)
    return result


def cut_elsewhere(molecule: Chem.Mol, choice: random.Random) -> Chem.Mol:
    """Cut the chain at another bond of the backbone that is in no ring and carries no geometry."""
    numbered = Chem.Mol(molecule)
    for atom in numbered.GetAtoms():
        atom.SetIntProp("original", atom.GetIdx())
    marks = _marks(numbered)
    path = Chem.GetShortestPath(numbered, marks[1], marks[2])
    steps = []
    for begin, end in pairwise(path[1:-1]):
        bond = numbered.GetBondBetweenAtoms(begin, end)
        if not bond.IsInRing() and bond.GetStereo() == Chem.BondStereo.STEREONONE and bond.GetBondType() in CUTTABLE:
            steps.append((begin, end))
    if not steps:
        return molecule
    step = choice.choice(steps)
    double = joined(numbered, numbered)
    marks = _marks(double)
    path = Chem.GetShortestPath(double, marks[1], marks[2])[1:-1]

    def original(index: int) -> int:
        return int(double.GetAtomWithIdx(index).GetIntProp("original"))

    cuts = [
        double.GetBondBetweenAtoms(begin, end)
        for begin, end in pairwise(path)
        if (original(begin), original(end)) == step
    ]
    assert len(cuts) == 2
    pieces = Chem.GetMolFrags(
        Chem.FragmentOnBonds(
            double,
            [bond.GetIdx() for bond in cuts],
            dummyLabels=[(11, 11), (11, 11)],
            bondTypes=[bond.GetBondType() for bond in cuts],
        ),
        asMols=True,
        sanitizeFrags=False,
    )
    (unit,) = [
        piece for piece in pieces if [a.GetIsotope() for a in piece.GetAtoms() if not a.GetAtomicNum()] == [11] * 2
    ]
    for label, mark in enumerate([atom for atom in unit.GetAtoms() if not atom.GetAtomicNum()], start=1):
        mark.SetIsotope(label)
    seen = set()
    for piece in pieces:
        atoms = [atom for atom in piece.GetAtoms() if atom.GetAtomicNum()]
        if len(atoms) == piece.GetNumAtoms():  # a counter-ion, of which the doubled unit has two copies
            numbers = frozenset(atom.GetIntProp("original") for atom in atoms)
            if numbers not in seen:
                seen.add(numbers)
                unit = Chem.CombineMols(unit, piece)
    result = Chem.Mol(unit)
    Chem.SanitizeMol(result)
    return result


def written(molecule: Chem.Mol, choice: random.Random, *, kekule: bool) -> str:
    """Write a unit with its atoms in random order."""
    order = list(range(molecule.GetNumAtoms()))
    choice.shuffle(order)
    shuffled = Chem.RenumberAtoms(molecule, order)
    Chem.SetDoubleBondNeighborDirections(shuffled)
    if kekule:
        Chem.Kekulize(shuffled, clearAromaticFlags=True)
    text = Chem.MolToSmiles(shuffled, canonical=False, kekuleSmiles=kekule)
    head, tail = choice.choice(ATTACHMENT_POINTS)
    return str(text).replace("[1*]", head).replace("[2*]", tail)


def rewritten(unit: RepeatUnit, choice: random.Random) -> str:
    """Write a polymer in another way."""
    with rdBase.BlockLogs():
        molecule = labelled(unit, choice.choice([(1, 2), (2, 1)]))
        molecule = repeated(molecule, choice.choice([1, 1, 2, 3]))
        if choice.random() < 0.7:
            molecule = cut_elsewhere(molecule, choice)
        return written(molecule, choice, kekule=choice.random() < 0.4)
