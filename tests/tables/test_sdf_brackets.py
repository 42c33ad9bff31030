"""Polymers drawn with brackets in structure files are read as their repeat unit, or not at all and with the reason."""

from pathlib import Path

import pytest
from rdkit import Chem

from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import read_table


def block_of(smiles: str, groups: str = "") -> str:
    """Return a V2000 structure whose atoms stand in the order of the SMILES text, with lines about its S-groups."""
    text = Chem.MolToMolBlock(Chem.MolFromSmiles(smiles, sanitize=False), kekulize=False)
    return f"polymer{text}".replace("M  END", f"{groups}M  END")


def brackets(number: int, atoms: list[int], kind: str = "SRU", label: str = "n", joined: str = "HT") -> str:
    """Return the lines of one S-group around atoms (from 1)."""
    listed = "".join(f" {atom:3d}" for atom in atoms)
    return (
        f"M  STY  1 {number:3d} {kind}\n"
        + (f"M  SCN  1 {number:3d} {joined} \n" if joined else "")
        + f"M  SAL {number:3d} {len(atoms):2d}{listed}\n"
        + f"M  SMT {number:3d} {label}\n"
    )


def written(folder: Path, block: str, suffix: str = ".sdf") -> RawTable:
    path = folder / f"rows{suffix}"
    path.write_text(f"{block}> <density>\n0.95\n\n$$$$\n", encoding="utf-8")
    return read_table(path)


LEFT_OUT = "rows.sdf: polymer (line 1): the brackets hold the repeat unit; end groups outside of them are left out."


@pytest.mark.parametrize(
    ("smiles", "atoms", "unit", "notes"),
    [
        ("*CC*", [2, 3], "*CC*", ()),
        ("CCCC", [2, 3], "*CC*", (LEFT_OUT,)),
        ("[H]OCCO[H]", [2, 3, 4], "*CCO*", (LEFT_OUT,)),
        ("[H]CCO[H]", [2, 3, 4], "*CCO*", ()),
        ("[H]CC(C)[H]", [2, 3, 4], "*CC(*)C", ()),
        ("CC(F)(F)C", [2, 3, 4], "*C(*)(F)F", (LEFT_OUT,)),
        ("*CC*", [1, 2, 3, 4], "*CC*", ()),
    ],
)
@pytest.mark.parametrize("joined", ["HT", "EU", ""])
def test_what_stands_in_brackets_is_the_repeat_unit(
    tmp_path: Path, smiles: str, atoms: list[int], unit: str, notes: tuple[str, ...], joined: str
) -> None:
    raw = written(tmp_path, block_of(smiles, brackets(1, atoms, joined=joined)))
    assert Chem.CanonSmiles(raw.column("smiles")[0]) == Chem.CanonSmiles(unit)
    assert raw.notes == notes


def test_brackets_of_the_newer_format_are_read_alike(tmp_path: Path) -> None:
    molecule = Chem.MolFromMolBlock(block_of("CCCC", brackets(1, [2, 3])), sanitize=False, removeHs=False)
    block = Chem.MolToV3KMolBlock(molecule)
    assert "V3000" in block
    assert "SRU" in block
    assert written(tmp_path, block).column("smiles")[0] == "*CC*"


@pytest.mark.parametrize(
    ("smiles", "groups", "reason"),
    [
        ("CCCCC", brackets(1, [2]) + brackets(2, [3, 4]), "it has several pairs of brackets, as copolymers have"),
        ("CC", brackets(1, [1, 2]), "its brackets cut 0 bonds, but a repeat unit has two ends"),
        ("CCC", brackets(1, [1, 2]), "its brackets cut 1 bonds"),
        ("CC(C)CC", brackets(1, [2, 4]), "its brackets cut 3 bonds"),
        ("C=C", brackets(1, [1, 2], "MON"), "its brackets stand for a monomer (MON), not for a repeat unit"),
        ("CCCC", brackets(1, [2, 3], joined="HH"), "its units are joined head to head"),
        ("CCCC", brackets(1, [2, 3], label="4"), "its brackets are repeated 4 times, so it is no polymer"),
        ("*OCCO*", brackets(1, [3, 4]), "it has attachment points as well, beyond atoms outside its brackets"),
        ("C1CCCCC1", brackets(1, [2, 3]), "its brackets hold a part of a ring"),
    ],
)
def test_what_is_no_single_repeat_unit_is_not_read_and_said_why(
    tmp_path: Path, smiles: str, groups: str, reason: str
) -> None:
    raw = written(tmp_path, block_of(smiles, groups))
    assert raw.column("smiles")[0] == ""
    (note,) = raw.notes
    assert note.startswith("rows.sdf: polymer (line 1): is not read, because ")
    assert reason in note


def test_abbreviations_and_data_say_nothing_about_the_chain(tmp_path: Path) -> None:
    raw = written(tmp_path, block_of("*CC(*)C", brackets(1, [4], "SUP", "Me", "")))
    assert (raw.column("smiles")[0], raw.notes) == ("*CC(*)C", ())
