"""What each atom of the chain is, against RDKit in the middle of an open oligomer."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rdkit import Chem

from affinecal_gui.polymers.chain.infinite_chain import InfiniteChain, unroll
from affinecal_gui.polymers.reading.repeat_unit import InvalidRepeatUnit, parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.oligomers import Oligomer
from tests.polymers.polymers_to_try import ALL
from tests.tries import tries


def chain_of(text: str) -> InfiniteChain:
    return unroll(parse_repeat_unit(text))


def compare_with_open_oligomer(text: str) -> None:
    """What each atom is must be what RDKit finds in the middle of an open oligomer, where no ring has been closed."""
    unit = parse_repeat_unit(text)
    chain = unroll(unit)
    units = 7
    middle = units // 2
    oligomer = Oligomer(unit, units)
    kekule = Chem.Mol(oligomer.molecule)
    Chem.Kekulize(kekule, clearAromaticFlags=True)
    Chem.SetAromaticity(kekule, Chem.AromaticityModel.AROMATICITY_MDL)
    for atom in chain.atoms:
        there = oligomer.molecule.GetAtomWithIdx(oligomer.index(middle, atom.in_molecule))
        assert atom.symbol == there.GetSymbol()
        assert atom.hybridisation == str(there.GetHybridization()).lower()
        assert atom.degree == there.GetTotalDegree()
        assert atom.all_hydrogens == there.GetTotalNumHs(includeNeighbors=True)
        assert atom.charge == there.GetFormalCharge()
        assert atom.mass == pytest.approx(there.GetMass(), abs=1e-9)
        assert atom.smallest_ring == there.GetOwningMol().GetRingInfo().MinAtomRingSize(there.GetIdx())
        assert atom.aromatic == kekule.GetAtomWithIdx(there.GetIdx()).GetIsAromatic()
    for i, bond in enumerate(chain.bonds):
        ends = (
            oligomer.index(middle, chain.atoms[bond.begin].in_molecule),
            oligomer.index(middle + bond.shift, chain.atoms[bond.end].in_molecule),
        )
        there = oligomer.molecule.GetBondBetweenAtoms(*ends)
        assert (i in chain.conjugated_bonds) == there.GetIsConjugated()
        assert chain.delocalised_orders[i] == there.GetBondTypeAsDouble()
        assert (i in chain.ring_bonds) == there.IsInRing()
        assert bond.order in (kekule.GetBondBetweenAtoms(*ends).GetBondTypeAsDouble(), 1.5)


@pytest.mark.parametrize("text", ALL)
def test_atoms_and_bonds_are_those_of_the_middle_of_an_open_oligomer(text: str) -> None:
    compare_with_open_oligomer(text)


RINGS = [
    "*c1ccc(*)nc1",  # as in the MDL model
    "*c1cnc(*)cn1",
    "*c1ccc(*)c[n+]1C.[Cl-]",  # charged
    "*c1ccc(=O)n(*)c1",  # a double bond out of the ring
    "*C=c1ccc(=C*)cc1",
    "*c1ccc2cc(*)ccc2c1",  # atoms of two rings
    "*c1ccc2c(c1)CC(*)C2",
    "*c1ccc(*)o1",  # five members
    "*c1ccc(*)s1",
    "*c1ccc(*)[nH]1",
]


@pytest.mark.parametrize("text", RINGS)
def test_rings_are_aromatic_where_the_mdl_model_says_so_whatever_stands_in_them(text: str) -> None:
    compare_with_open_oligomer(text)


@given(st.sampled_from(ALL), st.integers(0, 2**32))
@settings(max_examples=tries(50), deadline=None)
def test_atoms_and_bonds_are_those_of_an_oligomer_however_the_unit_is_written(text: str, seed: int) -> None:
    compare_with_open_oligomer(rewritten(parse_repeat_unit(text), random.Random(seed)))


@pytest.mark.parametrize("text", [*ALL, "*C*"])
def test_either_end_of_a_bond_stands_among_the_neighbours_of_the_other_where_the_chain_says(text: str) -> None:
    chain = chain_of(text)
    for number, (bond, (onwards, back)) in enumerate(zip(chain.bonds, chain.places, strict=True)):
        assert chain.neighbours[bond.begin][onwards] == (bond.end, bond.shift, bond.order, number)
        assert chain.neighbours[bond.end][back] == (bond.begin, -bond.shift, bond.order, number)


def test_a_single_atom_is_its_own_neighbour_on_both_sides() -> None:
    (around,) = chain_of("*C*").neighbours
    assert [(neighbour.atom, neighbour.shift) for neighbour in around] == [(0, 1), (0, -1)]


def test_two_atoms_are_bonded_within_the_cell_and_across_the_link() -> None:
    first, second = chain_of("*CO*").neighbours
    assert sorted((neighbour.atom, neighbour.shift) for neighbour in first) == [(1, -1), (1, 0)]
    assert sorted((neighbour.atom, neighbour.shift) for neighbour in second) == [(0, 0), (0, 1)]


def test_every_atom_of_a_long_unit_has_the_hybridisation_of_its_double_bonds() -> None:
    # More atoms than RDKit returns by itself when it is asked for those of a kind.
    chain = chain_of(f"*{'C=C' * 550}*")
    assert {atom.hybridisation for atom in chain.atoms} == {"sp2"}


def test_a_triple_bond_is_told_beside_ends_that_are_double_bonds_of_rings() -> None:
    symbols = [atom.hybridisation for atom in chain_of("*=C1CCCC1C#CC1CCCC1=*").atoms if atom.degree == 2]
    assert symbols == ["sp", "sp"]


def test_a_conjugated_ring_of_units_is_not_closed() -> None:
    # Three of these units in a ring would be benzene.
    assert not any(atom.aromatic or atom.smallest_ring for atom in chain_of("*C=C*").atoms)


def test_counter_ions_are_atoms_of_the_cell() -> None:
    chain = chain_of("*CC(*)C[N+](C)(C)C.[Cl-]")
    assert [atom.symbol for atom, around in zip(chain.atoms, chain.neighbours, strict=True) if not around] == ["Cl"]


def test_nothing_between_the_attachment_points_is_refused() -> None:
    with pytest.raises(InvalidRepeatUnit):
        chain_of("**")
