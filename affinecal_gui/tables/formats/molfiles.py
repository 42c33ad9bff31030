"""One structure in an MDL molfile -> the SMILES of its repeat unit."""

from rdkit import Chem, rdBase

from affinecal_gui.tables.formats.sdf_brackets import BracketsError, repeat_unit_in_brackets

END_GROUPS_LEFT_OUT = "the brackets hold the repeat unit; end groups outside of them are left out"


def repeat_unit_of_molfile(block: str) -> tuple[str, str]:
    """Return the SMILES of a structure with attachment points ``*``, "" if unreadable; and why not or what was left out.

    They may be atoms ``*``, ``A``, ``Q``, ``X``, ``Pol`` or ``R#``, what MDL calls attachment points, or the
    brackets of a polymer.
    """
    with rdBase.BlockLogs():
        try:
            molecule = Chem.RWMol(Chem.MolFromMolBlock(block, sanitize=False, removeHs=False))
            Chem.ExpandAttachmentPoints(molecule, addAsQueries=False, addCoords=False)
            for atom in molecule.GetAtoms():
                if atom.GetAtomicNum() == 0:
                    molecule.ReplaceAtom(atom.GetIdx(), Chem.Atom(0))
            unit, has_end_groups = repeat_unit_in_brackets(molecule, block)
            Chem.SanitizeMol(unit)
            text = str(Chem.MolToSmiles(Chem.RemoveHs(unit)))
        except BracketsError as problem:
            return "", str(problem)
        except (ValueError, RuntimeError, TypeError):  # None for a block that cannot be read
            return "", ""
    return text, END_GROUPS_LEFT_OUT if has_end_groups else ""
