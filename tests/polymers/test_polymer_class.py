"""The class of a polymer by its main chain, for polymers whose class is in every handbook."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.polymers.chain.polymer_class import polymer_class

HANDBOOK = {
    "*CC*": "polyolefin",
    "*CC(C)(C)*": "polyolefin",
    "*CC(*)c1ccccc1": "polystyrene",
    "*CC(*)(C)C(=O)OC": "polyacrylic",
    "*CC(*)C#N": "polyacrylic",
    "*CC(*)OC(C)=O": "polyvinyl",
    "*CC(*)N1CCCC1=O": "polyvinyl",
    "*CC(*)Cl": "polyhaloolefin",
    "*C(F)(F)C(*)(F)F": "polyhaloolefin",
    "*CC=CC*": "polydiene",
    "*CO*": "polyether",
    "*Oc1ccc(*)cc1": "polyether",
    "*Sc1ccc(*)cc1": "polysulfide",
    "*OCCOC(=O)c1ccc(cc1)C(*)=O": "polyester",
    "*NCCCCCC(*)=O": "polyamide",
    "*NC(=O)c1ccc(cc1)C(=O)Nc1ccc(*)cc1": "polyamide",
    "*OCCCCOC(=O)NCCCCCCNC(*)=O": "polyurethane",
    "*NCCCCCCNC(*)=O": "polyurea",
    "*Oc1ccc(cc1)C(C)(C)c1ccc(cc1)OC(*)=O": "polycarbonate",
    "*N1C(=O)c2ccc3C(=O)N(C(=O)c3c2C1=O)c1ccc(cc1)Oc1ccc(*)cc1": "polyimide",
    "*Oc1ccc(cc1)S(=O)(=O)c1ccc(*)cc1": "polysulfone",
    "*Oc1ccc(cc1)C(=O)c1ccc(*)cc1": "polyketone",
    "*O[Si](*)(C)C": "polysiloxane",
    "*[Si](*)(C)C": "polysilane",
    "*NCC*": "polyamine",
    "*c1ccc(*)cc1": "polyarylene",
}


@pytest.mark.parametrize(("smiles", "expected"), HANDBOOK.items())
def test_the_class_is_that_of_the_handbook(smiles: str, expected: str) -> None:
    assert polymer_class(smiles) == expected


@pytest.mark.parametrize(
    "same", [("*OCC*", "*COC*", "*CCO*"), ("*NCCCCCC(*)=O", "*C(=O)NCCCCC*"), ("*CC*", "*C*", "*CCCC*")]
)
def test_one_polymer_has_one_class_however_it_is_written(same: tuple[str, ...]) -> None:
    assert len({polymer_class(smiles) for smiles in same}) == 1


@given(st.text(max_size=12))
def test_what_cannot_be_read_has_no_class(text: str) -> None:
    assert isinstance(polymer_class(text), str)
    assert polymer_class(f"{text}(") == ""
