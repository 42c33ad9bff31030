"""Polymers drawn with brackets in MDL structure files (S-groups) -> repeat units with two attachment points."""

import re

from rdkit import Chem

_POLYMER_KINDS = {
    "SRU": "a repeat unit",
    "MON": "a monomer",
    "MER": "a mer",
    "COP": "a copolymer",
    "CRO": "a crosslink",
    "MOD": "a modification",
    "GRA": "a graft",
    "COM": "a component of a mixture",
    "MIX": "a mixture",
    "FOR": "a formulation",
    "ANY": "any polymer",
}
"""Kinds of S-groups that say something about a chain; others are abbreviations and data."""
_DECLARED = re.compile(r"M  V30 \d+ ([A-Z]{3}) |M  STY[ \d]{3}(.*)")


class BracketsError(ValueError):
    """The brackets of a structure stand for no single repeat unit; the text says why, as a clause."""


def repeat_unit_in_brackets(molecule: Chem.RWMol, block: str) -> tuple[Chem.RWMol, bool]:
    """Return what stands in the brackets of a structure, with ``*`` where they cut its bonds.

    Parameters
    ----------
    molecule
        Not sanitized.
    block
        The text that it was read from.

    Returns
    -------
    tuple
        The repeat unit, or the molecule as it is where it has no brackets of a polymer; and whether end groups outside the
        brackets were left out.

    Raises
    ------
    BracketsError
        There are several pairs of brackets, or one that has not two ends, is no repeat unit, or is joined head to head.
    """
    declared = _declared_kinds(block)
    groups = [group for group in Chem.GetMolSubstanceGroups(molecule) if _said(group, "TYPE") in _POLYMER_KINDS]
    if not declared and not groups:
        return molecule, False
    if len(declared) > 1 or len(groups) > 1:
        raise BracketsError("it has several pairs of brackets, as copolymers have; write its repeat units as SMILES")
    if not groups:
        raise BracketsError("its brackets cannot be read")
    group = groups[0]
    if (kind := _said(group, "TYPE")) != "SRU":
        raise BracketsError(f"its brackets stand for {_POLYMER_KINDS[kind]} ({kind}), not for a repeat unit")
    if _said(group, "CONNECT").upper() == "HH":
        raise BracketsError("its units are joined head to head, so that two of them are the repeat unit")
    if _said(group, "LABEL").strip().isdecimal():
        raise BracketsError(f"its brackets are repeated {_said(group, 'LABEL').strip()} times, so it is no polymer")
    return _cut_out(molecule, set(group.GetAtoms()))


def _declared_kinds(block: str) -> list[str]:
    found: list[str] = []
    for match in _DECLARED.finditer(block):
        found += [match[1]] if match[1] else match[2].split()[1::2]
    return [kind for kind in found if kind in _POLYMER_KINDS]


def _said(group: Chem.SubstanceGroup, name: str) -> str:
    return str(group.GetProp(name)) if group.HasProp(name) else ""


def _cut_out(molecule: Chem.RWMol, inside: set[int]) -> tuple[Chem.RWMol, bool]:
    crossing = [
        bond for bond in molecule.GetBonds() if (bond.GetBeginAtomIdx() in inside) != (bond.GetEndAtomIdx() in inside)
    ]
    atoms = list(molecule.GetAtoms())
    marks = [atom.GetIdx() for atom in atoms if atom.GetAtomicNum() == 0]
    marks_inside = sum(index in inside for index in marks)
    if len(crossing) + marks_inside != 2:
        raise BracketsError(
            f"its brackets cut {len(crossing)} bonds"
            + (f" and hold {marks_inside} attachment points" if marks_inside else "")
            + ", but a repeat unit has two ends"
        )
    others = [atom.GetIdx() for atom in atoms if atom.GetIdx() not in inside and atom.GetAtomicNum() > 1]
    if others and len(marks) > marks_inside:
        raise BracketsError("it has attachment points as well, beyond atoms outside its brackets")
    unit = Chem.RWMol(molecule)
    for bond in crossing:
        begin, end = bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()
        unit.RemoveBond(begin, end)
    _refuse_rings(unit, crossing)
    for bond in crossing:
        inner = bond.GetBeginAtomIdx() if bond.GetBeginAtomIdx() in inside else bond.GetEndAtomIdx()
        unit.AddBond(inner, unit.AddAtom(Chem.Atom(0)), bond.GetBondType())
    Chem.ClearMolSubstanceGroups(unit)
    for index in sorted((index for index in range(len(atoms)) if index not in inside), reverse=True):
        unit.RemoveAtom(index)
    return unit, bool(others)


def _refuse_rings(cut: Chem.RWMol, crossing: "list[Chem.Bond]") -> None:
    """Refuse brackets around a part of a ring: beyond both ends lies the same piece."""
    outside = Chem.GetMolFrags(cut)
    ends = [{bond.GetBeginAtomIdx(), bond.GetEndAtomIdx()} for bond in crossing]
    if len(ends) == 2 and sum(bool(ends[0] & set(piece)) and bool(ends[1] & set(piece)) for piece in outside) > 1:
        raise BracketsError("its brackets hold a part of a ring")
