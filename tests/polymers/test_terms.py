"""Terms per repeat unit against brute-force counting in a ring of units."""

from collections import Counter

import pytest
from rdkit import Chem

from affinecal_gui.polymers.chain.cell import cell_of
from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.force_field.terms import Terms, TypedCell
from affinecal_gui.polymers.reading.repeat_unit import RepeatUnit, parse_repeat_unit
from tests.polymers.chain_rewriting import joined, labelled
from tests.polymers.polymers_to_try import ALL

RING = 8  # units; longer than any dihedral


def ring_of(unit: RepeatUnit) -> Chem.Mol:
    """Return a ring of units with all hydrogens, as a bare graph."""
    molecule = labelled(unit, (1, 2))
    for _ in range(RING - 1):
        molecule = joined(molecule, labelled(unit, (1, 2)))
    molecule = Chem.RWMol(Chem.AddHs(molecule))
    marks = [atom for atom in molecule.GetAtoms() if atom.GetAtomicNum() == 0]
    bonds = [mark.GetBonds()[0] for mark in marks]
    ends = [bond.GetOtherAtomIdx(mark.GetIdx()) for bond, mark in zip(bonds, marks, strict=True)]
    molecule.AddBond(*ends, bonds[0].GetBondType())
    for index in sorted((mark.GetIdx() for mark in marks), reverse=True):
        molecule.RemoveAtom(index)
    return molecule


def paths(molecule: Chem.Mol, length: int) -> int:
    """Count the paths over ``length`` different atoms by brute force."""
    around = [[n.GetIdx() for n in atom.GetNeighbors()] for atom in molecule.GetAtoms()]

    def extended(path: tuple[int, ...]) -> int:
        if len(path) == length:
            return 1
        return sum(extended((*path, following)) for following in around[path[-1]] if following not in path)

    return sum(extended((start,)) for start in range(len(around))) // 2


def total(terms: Terms) -> int:
    return sum(terms.multiplicity)


@pytest.mark.parametrize("text", ALL)
def test_terms_of_a_unit_are_those_of_a_ring_of_units(text: str) -> None:
    unit = parse_repeat_unit(text)
    cell = cell_of(unroll(unit))
    typed = TypedCell(cell, [["any"] * len(cell.masses)])
    ring = ring_of(unit)
    assert RING * sum(cell.multiplicity) == ring.GetNumAtoms()
    assert RING * total(typed.bonds()) == ring.GetNumBonds()
    assert RING * total(typed.angles()) == paths(ring, 3)
    assert RING * total(typed.dihedrals()) == paths(ring, 4)
    for terms in (typed.atoms(), typed.bonds(), typed.angles(), typed.dihedrals()):
        assert len(terms.sites) == len(terms.types) == len(terms.multiplicity)
        assert terms.count == total(terms)


@pytest.mark.parametrize("text", ALL)
def test_every_polymer_has_terms_of_every_kind(text: str) -> None:
    cell = cell_of(unroll(parse_repeat_unit(text)))
    typed = TypedCell(cell, [["any"] * len(cell.masses)])
    assert all(total(terms) > 0 for terms in (typed.bonds(), typed.angles(), typed.dihedrals()))


def test_polyethylene_by_hand() -> None:
    cell = cell_of(unroll(parse_repeat_unit("*C*")))
    typed = TypedCell(cell, [["c", "h"]])
    count = {kind: Counter[tuple[str, ...]]() for kind in ("bond", "angle", "dihedral")}
    for kind, terms in (("bond", typed.bonds()), ("angle", typed.angles()), ("dihedral", typed.dihedrals())):
        for types, number in zip(terms.types, terms.multiplicity, strict=True):
            count[kind][min(types, types[::-1])] += number
    assert +count["bond"] == {("c", "c"): 1, ("c", "h"): 2}
    assert +count["angle"] == {("c", "c", "c"): 1, ("c", "c", "h"): 4, ("h", "c", "h"): 1}
    assert +count["dihedral"] == {("c", "c", "c", "c"): 1, ("c", "c", "c", "h"): 4, ("h", "c", "c", "h"): 4}


def test_types_that_repeat_after_two_cells_alternate_across_the_link() -> None:
    cell = cell_of(unroll(parse_repeat_unit("*C=C*")))
    typed = TypedCell(cell, [["a", "b", "h", "h"], ["b", "a", "h", "h"]])
    heavy = Counter(types for types in typed.bonds().types if "h" not in types)
    assert heavy == {("a", "b"): 1, ("b", "b"): 1, ("b", "a"): 1, ("a", "a"): 1}
