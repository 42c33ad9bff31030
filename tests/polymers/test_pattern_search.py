"""A search for patterns finds what RDKit finds, and leaves Ctrl+C to the program."""

import os
import signal
from types import FrameType

import pytest
from rdkit import Chem

from affinecal_gui.polymers.pattern_search import holds, matches_of


def test_it_finds_what_rdkit_finds() -> None:
    molecule, ester = Chem.MolFromSmiles("CC(=O)OCC"), Chem.MolFromSmarts("C(=O)O")
    assert matches_of(molecule, ester) == ((1, 2, 3),)
    assert holds(molecule, ester)
    assert not holds(molecule, Chem.MolFromSmarts("N"))


@pytest.mark.usefixtures("heeding_ctrl_c")
@pytest.mark.parametrize("search", [holds, matches_of])
def test_ctrl_c_reaches_the_program_afterwards(search: object) -> None:
    heard: list[int] = []

    def hear(number: int, _frame: FrameType | None) -> None:
        heard.append(number)

    signal.signal(signal.SIGINT, hear)
    assert callable(search)
    search(Chem.MolFromSmiles("CCO"), Chem.MolFromSmarts("CO"))
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGINT)
    assert heard[:1] == [signal.SIGINT]
