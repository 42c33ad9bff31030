"""The reader of the grammar: agrees with RDKit on what is a SMILES, and points to the character that is wrong."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem, rdBase

from affinecal_gui.polymers.reading.smiles_syntax import atom_positions, first_problem
from tests.tries import tries

VALID = [
    "CC",
    "*/C=C/C*",
    "C%12CC%12",
    "C%(123)CC%(123)",
    "[13CH2-]C[Fe++]",
    "[C@TH1](F)(Cl)(Br)I",
    "[se]1cccc1",
    "[#6]C",
    "C=1CC=1",
    "C=1CC1",
    "C->[Fe]<-C",
    "[Na+].[Cl-]",
    "C(C)(C(C)C)C",
    "C1CC1C1CC1",
    "[12*]C[*:3]",
    "OC(=O)\\C=C/C",
]


@pytest.mark.parametrize("text", VALID)
def test_valid_text_has_no_problem(text: str) -> None:
    assert Chem.MolFromSmiles(text, sanitize=False) is not None
    assert first_problem(text) is None


@pytest.mark.parametrize("text", ["C[N+](C)(C)CCl", "*c1ccc(Br)cc1[13CH2]*", "[Si](C)(C)O", "C%12CN%12"])
def test_atoms_are_found_in_the_order_of_rdkit(text: str) -> None:
    molecule = Chem.MolFromSmiles(text, sanitize=False)
    positions = atom_positions(text)
    assert len(positions) == molecule.GetNumAtoms()
    for atom, position in zip(molecule.GetAtoms(), positions, strict=True):
        rest = text[position - 1 :].lstrip("[0123456789")
        assert rest.lower().startswith(atom.GetSymbol().lower())


def _rdkit_reads(text: str) -> bool:
    with rdBase.BlockLogs():
        try:
            return Chem.MolFromSmiles(text, sanitize=False) is not None
        except (RuntimeError, ValueError, OverflowError):
            return False


@settings(max_examples=tries(500), deadline=None)
@given(
    st.lists(st.sampled_from([*"CNOc()=#-.123/*", "[nH]", "[N+]", "%12", "Cl", "(C)", "C1CC1"]), max_size=12).map(
        "".join
    )
)
def test_whatever_rdkit_refuses_has_a_position_and_what_it_reads_has_none(text: str) -> None:
    problem = first_problem(text)
    if _rdkit_reads(text):
        # RDKit alone takes contradicting ring bonds, and an empty text.
        assert problem is None or "ring closure" in problem.reason or not text
    else:
        assert problem is not None
    if problem is not None:
        assert 1 <= problem.position <= max(len(text), 1)


@pytest.mark.peer
@pytest.mark.parametrize("name", ["PI1070.csv", "odd_polymer_smiles.csv"])
def test_published_texts_that_rdkit_reads_have_no_problem(shared_data: Path, name: str) -> None:
    with (shared_data / name).open(encoding="utf-8") as file:
        texts = [row["smiles"].strip() for row in csv.DictReader(file)]
    for text in texts:
        if text.isascii() and " " not in text and text and _rdkit_reads(text):
            assert first_problem(text) is None, text
            assert len(atom_positions(text)) == Chem.MolFromSmiles(text, sanitize=False).GetNumAtoms()
