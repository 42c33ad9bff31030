"""Open oligomers: the middle unit of a long one is a unit of the infinite chain, seen by RDKit without any ring closed."""

from rdkit import Chem

from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit
from tests.polymers.chain_rewriting import joined, labelled


class Oligomer:
    """Several units joined by RDKit's own tools (molzip), with attachment points left at its two ends."""

    def __init__(self, unit: RepeatUnit, units: int) -> None:
        unit_molecule = labelled(unit, (1, 2))
        molecule = None
        for number in range(units):
            part = Chem.Mol(unit_molecule)
            for atom in part.GetAtoms():
                atom.SetIntProp("unit", number)
                atom.SetIntProp("in_unit", atom.GetIdx())
            molecule = part if molecule is None else joined(molecule, part)
        assert molecule is not None
        for atom in molecule.GetAtoms():
            if atom.GetAtomicNum() == 0:
                atom.SetIsotope(0)
        Chem.SanitizeMol(molecule)
        self.molecule = molecule
        self.place = {
            (atom.GetIntProp("unit"), atom.GetIntProp("in_unit")): atom.GetIdx()
            for atom in molecule.GetAtoms()
            if atom.GetAtomicNum()
        }

    def index(self, unit: int, in_unit: int) -> int:
        """Return the index of an atom of one of the units."""
        return self.place[unit, in_unit]
