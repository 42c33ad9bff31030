"""Atom types against the reference, their rules and their independence of how a unit is written."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.polymers.chain.cell import cell_of
from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.force_field.atom_types import heavy_atom_types, hydrogen_type
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.polymers_to_try import CONJUGATED
from tests.tries import tries


def types_of(text: str, force_field: str = "GAFF2_mod") -> dict[str, float]:
    """Return the number of atoms of each type per repeat unit."""
    chain = unroll(parse_repeat_unit(text))
    cell = cell_of(chain)
    cells = heavy_atom_types(chain, force_field).cells
    found: Counter[str] = Counter()
    for types in cells:
        hydrogens = [hydrogen_type(chain, carrier, force_field) for carrier in cell.carriers]
        for name, number in zip((*types, *hydrogens), cell.multiplicity, strict=True):
            found[name] += number
    return {name: number / len(cells) for name, number in found.items()}


# Types of radonpy-pypi 0.2.11, GAFF2_mod, ring of ten (or six) units, divided by the number of units.
EXPECTED = {
    "*CC(*)c1ccccc1": {"c3": 2, "ca": 6, "ha": 5, "hc": 3},
    "*NCCCCCC(=O)*": {"c": 1, "c3": 5, "h1": 2, "hc": 8, "hn": 1, "ns": 1, "o": 1},
    "*C(F)(F)C(F)(F)*": {"c3f": 2, "f": 4},
    "*c1ccc(*)s1": {"cc": 2, "cd": 2, "ha": 2, "ss": 1},
    "*C=C*": {"ce": 1, "cf": 1, "ha": 2},
    "*C#C*": {"cg": 1, "ch": 1},
    "*CC(*)C[N+](C)(C)C.[Cl-]": {"c3": 6, "cl": 1, "hc": 3, "hx": 11, "n4": 1},
    "*CC(*)N": {"c3": 2, "h1": 1, "hc": 2, "hn": 2, "n8": 1},
    "*NC(=O)N*": {"c": 1, "hn": 2, "ns": 2, "o": 1},
    "*CSC(=S)OC*": {"c3": 2, "cs": 1, "h1": 2, "hc": 2, "os": 1, "s": 1, "ss": 1},
    "*CC1(C*)CC1": {"c3": 2, "cx": 3, "hc": 8},
    "*C1CC(*)C1": {"cy": 4, "hc": 6},
    "*CC(*)O": {"c3": 2, "h1": 1, "hc": 2, "ho": 1, "oh": 1},
    "*CC(*)C#N": {"c1": 1, "c3": 2, "hc": 3, "n1": 1},
    "*c1ccc(cc1)S(=O)(=O)*": {"ca": 6, "ha": 4, "o": 2, "sy": 1},
    "*Sc1ccc(*)cc1": {"ca": 6, "ha": 4, "ss": 1},
    "*CC(*)[N+](=O)[O-]": {"c3": 2, "h1": 1, "hc": 2, "no": 1, "o": 2},
    "*c1ccc(*)[nH]1": {"cc": 2, "cd": 2, "ha": 2, "hn": 1, "na": 1},
    "*CC(*)n1ccnc1": {"c3": 2, "cc": 2, "cd": 1, "h1": 1, "h4": 2, "h5": 1, "hc": 2, "na": 1, "nd": 1},
}


@pytest.mark.parametrize(("text", "expected"), EXPECTED.items(), ids=EXPECTED)
def test_types_are_those_of_the_reference(text: str, expected: dict[str, float]) -> None:
    assert types_of(text) == expected


@given(st.sampled_from([*EXPECTED, *CONJUGATED]), st.integers(0, 2**32))
@settings(max_examples=tries(50), deadline=None)
def test_types_depend_on_the_chain_alone(text: str, seed: int) -> None:
    unit = parse_repeat_unit(text)
    other = rewritten(unit, random.Random(seed))
    here, there = types_of(text), types_of(other)
    size = sum(there.values()) / sum(here.values())  # the rewritten unit may be several units long
    assert there == {name: pytest.approx(size * number) for name, number in here.items()}


def test_fluorinated_carbon_has_its_own_type_in_the_modified_force_field_only() -> None:
    assert types_of("*C(F)(F)C(F)(F)*", "GAFF2") == {"c3": 2, "f": 4}


@pytest.mark.parametrize("text", ["*C=C*", "*C=CC=C*", "*C=CC=CC=C*", "*=CC=*", "*C#C*", "*N=NC=C*", "*c1ccc(C=C*)cc1"])
def test_unlike_types_across_every_double_bond_and_like_types_across_every_single_bond(text: str) -> None:
    chain = unroll(parse_repeat_unit(text))
    cells = heavy_atom_types(chain, "GAFF2_mod").cells
    second = {"cf", "ch", "nf"}
    first = {"ce", "cg", "ne"}
    for k, here in enumerate(cells):
        for bond in chain.bonds:
            pair = here[bond.begin], cells[(k + bond.shift) % len(cells)][bond.end]
            if all(name in first | second for name in pair):
                assert ((pair[0] in first) == (pair[1] in first)) == (bond.order == 1)


def test_alternation_that_a_unit_ends_out_of_step_repeats_after_two_cells() -> None:
    assert len(heavy_atom_types(unroll(parse_repeat_unit("*C=C*")), "GAFF2_mod").cells) == 2
    assert len(heavy_atom_types(unroll(parse_repeat_unit("*C=CC=C*")), "GAFF2_mod").cells) == 1


def test_an_odd_cycle_of_double_bonds_gets_types_all_the_same() -> None:
    # Seven-membered ring with three double bonds and one outside: no assignment satisfies all of its single bonds.
    types = types_of("*CC(*)C=C1C=CC=CC=C1")
    assert sum(number for name, number in types.items() if name in ("cc", "cd")) == 7


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("*O[Ge](C)(C)*", "germanium atom 2 (4 bonds, sp3)"),
        ("*CC(*)C(=O)[O-].[Na+]", "sodium atom 6 (0 bonds, charge +1)"),
        ("*CC(*)B(O)O", "boron atom 3 (3 bonds, sp2)"),
        ("*[Se]*", "selenium atom 1 (2 bonds, sp3)"),
        ("*CC(*)C[NH-]", "nitrogen atom 4 (2 bonds, sp3, charge -1)"),
        ("*CC(*)C(=O)O.[H+]", "hydrogen atom 6"),
        ("*CC(*)[GeH3]", "germanium atom 3"),
    ],
)
def test_an_atom_without_a_type_is_named(text: str, words: str) -> None:
    with pytest.raises(DescriptorError) as caught:
        types_of(text)
    assert f"No GAFF2_mod type for {words}" in str(caught.value)
