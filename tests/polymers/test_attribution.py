"""x'gamma split over terms and atoms."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from affinecal_gui.polymers.descriptors.attribution import attribute, mixed
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from affinecal_gui.polymers.descriptors.blocks import TERM_KINDS
from affinecal_gui.polymers.descriptors.descriptors import describe, describe_copolymer
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.polymers_to_try import ALL
from tests.tries import tries

SOURCE = np.random.default_rng(20240229)
GAMMA, MEAN, SCALE = SOURCE.normal(size=190), SOURCE.random(190), 0.01 + SOURCE.random(190)
BLOCKS = force_field_blocks()


@pytest.mark.parametrize("text", ALL)
@pytest.mark.parametrize("force_field", ["GAFF2_mod", "GAFF2"])
def test_all_parts_add_up_to_the_weighted_sum_of_descriptors(text: str, force_field: str) -> None:
    unit = parse_repeat_unit(text)
    shares = attribute(unit, GAMMA, MEAN, SCALE, force_field)
    weighted = GAMMA * (describe(unit, force_field) - MEAN) / SCALE
    assert shares.total == pytest.approx(weighted.sum(), abs=1e-10)
    of_blocks = [weighted[where].sum() for where in BLOCKS.slices.values()]
    np.testing.assert_allclose(shares.block_totals, of_blocks, atol=1e-10)
    for kind in TERM_KINDS:
        columns = [BLOCKS.slices[block.name] for block in BLOCKS.blocks if block.over == kind]
        of_kind = sum(weighted[where].sum() for where in columns)
        assert shares.terms[kind].share.sum() == pytest.approx(of_kind, abs=1e-10)
        assert shares.kind_totals[kind] == pytest.approx(of_kind, abs=1e-10)
        assert shares.per_atom([kind]).sum() == pytest.approx(of_kind, abs=1e-10)
        assert (shares.own[kind] + shares.hydrogens[kind]).sum() == pytest.approx(of_kind, abs=1e-10)
    assert shares.per_atom().sum() == pytest.approx(shares.total, abs=1e-10)


def test_nothing_falls_to_attachment_points_and_nothing_to_hydrogens_that_are_not_there() -> None:
    shares = attribute("*OC(=O)C(F)(F)*", GAMMA, MEAN, SCALE)
    marks = [atom.GetAtomicNum() == 0 for atom in shares.unit.molecule.GetAtoms()]
    assert sum(marks) == 2
    assert np.all(shares.per_atom()[marks] == 0)
    assert all(np.all(of_kind == 0) for of_kind in shares.hydrogens.values())


def test_polyethylene_by_hand() -> None:
    """Mass block of CH2: one carbon and two hydrogens, each compared with the same constant."""
    where = BLOCKS.slices["mass"]
    gamma = np.zeros(190)
    gamma[where] = GAMMA[where]
    shares = attribute("*C*", gamma, MEAN, SCALE)
    masses = np.array([12.011, 1.008])
    centres = np.array(BLOCKS.blocks[0].centres)
    scaled = (masses - 1.008) / (126.904 - 1.008)
    kernels = np.exp(-((scaled[:, None] - centres) ** 2) / (2 * 0.05**2))
    carbon, hydrogen = (kernels - MEAN[where]) @ (GAMMA / SCALE)[where] / 3
    np.testing.assert_allclose(shares.own["atom"], [0, carbon, 0], atol=1e-12)
    np.testing.assert_allclose(shares.hydrogens["atom"], [0, 2 * hydrogen, 0], atol=1e-12)
    assert shares.terms["atom"].number.tolist() == [1, 2]
    assert [terms.number.sum() for terms in shares.terms.values()] == [3, 3, 6, 9]


def test_a_bond_is_halved_an_angle_divided_by_three_a_dihedral_by_four() -> None:
    shares = attribute("*CC(*)O", GAMMA, MEAN, SCALE)
    for kind in TERM_KINDS:
        terms = shares.terms[kind]
        own, hydrogens = np.zeros(5), np.zeros(5)
        for atoms, hydrogen, share in zip(terms.atoms, terms.hydrogen, terms.share, strict=True):
            for atom, is_hydrogen in zip(atoms, hydrogen, strict=True):
                (hydrogens if is_hydrogen else own)[atom] += share / len(atoms)
        np.testing.assert_allclose(shares.own[kind], own, atol=1e-12)
        np.testing.assert_allclose(shares.hydrogens[kind], hydrogens, atol=1e-12)


def test_symmetric_atoms_have_equal_shares() -> None:
    unit = parse_repeat_unit("*CC(*)c1ccccc1")
    per_atom = attribute(unit, GAMMA, MEAN, SCALE).per_atom()
    ortho = [i for i in range(5, 10) if unit.molecule.GetBondBetweenAtoms(4, i) is not None]
    assert len(ortho) == 2
    assert per_atom[ortho[0]] == pytest.approx(per_atom[ortho[1]], abs=1e-12)


def test_arrays_are_read_only() -> None:
    shares = attribute("*CC*", GAMMA, MEAN, SCALE)
    with pytest.raises(ValueError, match="read-only"):
        shares.own["atom"][0] = 1.0


@given(st.sampled_from(ALL), st.integers(0, 2**32))
@settings(max_examples=tries(50), deadline=None)
def test_totals_do_not_depend_on_how_the_unit_is_written(text: str, seed: int) -> None:
    other = rewritten(parse_repeat_unit(text), random.Random(seed))
    here, there = attribute(text, GAMMA, MEAN, SCALE), attribute(other, GAMMA, MEAN, SCALE)
    np.testing.assert_allclose(here.block_totals, there.block_totals, atol=1e-7)


@pytest.mark.parametrize(
    ("units", "fractions"),
    [
        (("*CC*", "*CC(*)c1ccccc1"), (0.7, 0.3)),
        (("*CC*", "*CCCC*", "*CC(*)(C)C(=O)OC"), (20.0, 30.0, 50.0)),
        (("*CC(*)C#N", "*CC(*)Cl"), (1.0, 0.0)),
    ],
)
def test_the_units_of_a_copolymer_add_up_to_the_weighted_sum_of_its_descriptors(units, fractions) -> None:
    found = mixed([attribute(unit, GAMMA, MEAN, SCALE) for unit in units], fractions)
    weighted = GAMMA * (describe_copolymer(units, fractions) - MEAN) / SCALE
    assert found.total == pytest.approx(weighted.sum(), abs=1e-10)
    for kind in TERM_KINDS:
        columns = [BLOCKS.slices[block.name] for block in BLOCKS.blocks if block.over == kind]
        assert found.kind_totals[kind] == pytest.approx(sum(weighted[where].sum() for where in columns), abs=1e-10)
    assert (found.unit_totals[np.array(fractions) == 0.0] == 0.0).all()
