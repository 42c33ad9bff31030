"""A piece of a chain as a molecule: several repeat units in a row, to look for patterns that reach across their ends."""

from rdkit import Chem

from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit


def segment(unit: RepeatUnit, count: int) -> Chem.Mol:
    """Return a molecule of ``count`` repeat units in a row; its outer ends are the attachment points.

    Raises
    ------
    DescriptorError
        The ends cannot be joined: they ask for different bonds, or there is no atom between them.
    ValueError
        ``count`` is less than 1.
    """
    if count < 1:
        raise ValueError(f"a segment has at least one repeat unit, not {count}")
    size = unit.molecule.GetNumAtoms()
    head, tail = unit.attachment_points
    bonds = [unit.molecule.GetAtomWithIdx(mark).GetBonds()[0] for mark in unit.attachment_points]
    inner = [bond.GetOtherAtomIdx(mark) for bond, mark in zip(bonds, unit.attachment_points, strict=True)]
    if inner[0] == tail or bonds[0].GetBondType() != bonds[1].GetBondType():
        raise DescriptorError("The two ends of the repeat unit cannot be joined.")
    joined = Chem.RWMol(unit.molecule)
    for _ in range(count - 1):
        joined.InsertMol(unit.molecule)
    gone = []
    for number in range(count - 1):
        before, after = number * size, (number + 1) * size
        joined.AddBond(before + inner[1], after + inner[0], bonds[0].GetBondType())
        gone += [before + tail, after + head]
    for index in sorted(gone, reverse=True):
        joined.RemoveAtom(index)
    try:
        Chem.SanitizeMol(joined)
    except ValueError as error:  # RDKit's sanitisation errors
        raise DescriptorError(f"The repeat units cannot be joined ({error}).") from error
    molecule: Chem.Mol = joined.GetMol()
    return molecule
