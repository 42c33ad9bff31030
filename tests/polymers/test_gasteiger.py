"""Charges against RDKit in the middle of a long open oligomer."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit.Chem import AddHs, rdPartialCharges

from affinecal_gui.polymers.chain.cell import cell_of
from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.gasteiger import ROUNDS, gasteiger_charges
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.oligomers import Oligomer
from tests.polymers.polymers_to_try import ALL
from tests.tries import tries


def compare_with_rdkit(text: str) -> None:
    """A message travels one bond a round, so the middle of an oligomer longer than that knows nothing of its ends."""
    unit = parse_repeat_unit(text)
    cell = cell_of(unroll(unit))
    charges = gasteiger_charges(cell)
    middle = ROUNDS + 4  # formal charges are shared two bonds further
    oligomer = Oligomer(unit, 2 * middle + 1)
    molecule = AddHs(oligomer.molecule)
    for atom in list(molecule.GetAtoms()):
        if atom.GetAtomicNum() == 0:
            atom.SetAtomicNum(6)  # the attachment points have no charge parameters
    rdPartialCharges.ComputeGasteigerCharges(molecule)
    for i, atom in enumerate(cell.chain.atoms):
        there = molecule.GetAtomWithIdx(oligomer.index(middle, atom.in_molecule))
        assert charges[i] == pytest.approx(there.GetDoubleProp("_GasteigerCharge"), abs=1e-9)
    for site, carrier in enumerate(cell.carriers, start=cell.heavy):
        there = molecule.GetAtomWithIdx(oligomer.index(middle, cell.chain.atoms[carrier].in_molecule))
        plain = [n for n in there.GetNeighbors() if n.GetAtomicNum() == 1 and n.GetIsotope() == 0]
        assert len(plain) == cell.multiplicity[site]
        for hydrogen in plain:
            assert charges[site] == pytest.approx(hydrogen.GetDoubleProp("_GasteigerCharge"), abs=1e-9)


@pytest.mark.parametrize("text", ALL)
def test_charges_are_those_of_the_middle_of_a_long_oligomer(text: str) -> None:
    compare_with_rdkit(text)


@given(st.sampled_from(ALL), st.integers(0, 2**32))
@settings(max_examples=tries(50), deadline=None)
def test_charges_do_not_depend_on_how_the_unit_is_written(text: str, seed: int) -> None:
    here = cell_of(unroll(parse_repeat_unit(text)))
    there = cell_of(unroll(parse_repeat_unit(rewritten(parse_repeat_unit(text), random.Random(seed)))))
    spread = []
    for cell in (here, there):
        charges = np.repeat(gasteiger_charges(cell), cell.multiplicity)
        spread.append(np.quantile(charges, np.linspace(0, 1, 7), method="inverted_cdf"))
    np.testing.assert_allclose(spread[0], spread[1], atol=1e-9)


@pytest.mark.parametrize("text", ALL)
def test_charges_add_up_to_the_formal_charge_of_the_unit(text: str) -> None:
    cell = cell_of(unroll(parse_repeat_unit(text)))
    formal = sum(atom.charge for atom in cell.chain.atoms)
    assert gasteiger_charges(cell) @ np.array(cell.multiplicity) == pytest.approx(formal, abs=1e-12)


def test_an_atom_without_parameters_is_named() -> None:
    cell = cell_of(unroll(parse_repeat_unit("*CC(*)C[P-](F)(F)(F)(F)F")))
    with pytest.raises(DescriptorError, match="phosphorus atom 4"):
        gasteiger_charges(cell)
