"""Polymers with silicon: the types and parameters of GAFF2_mod, and every term that was estimated told."""

import csv
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from affinecal_gui.polymers.chain.cell import cell_of
from affinecal_gui.polymers.chain.infinite_chain import unroll
from affinecal_gui.polymers.descriptor_error import DescriptorError
from affinecal_gui.polymers.descriptors.block_definitions import force_field_blocks
from affinecal_gui.polymers.descriptors.described_terms import estimated_terms
from affinecal_gui.polymers.descriptors.descriptors import describe
from affinecal_gui.polymers.force_field.atom_types import heavy_atom_types, hydrogen_type
from affinecal_gui.polymers.force_field.parameters import load_force_field
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from tests.polymers.chain_rewriting import rewritten
from tests.polymers.test_gasteiger import compare_with_rdkit

TABLE = Path(__file__).parents[1] / "data" / "silicon_polymers.csv"
POLYMERS = {row["name"]: row["smiles"] for row in csv.DictReader(TABLE.read_text(encoding="utf-8").splitlines())}
PDMS = "*[Si](C)(C)O*"

# Bonds for which nothing is published in GAFF2_mod, and which no similar bond can stand for.
REFUSED = {
    "poly(methylhydrosiloxane)": "si-hi",
    "poly(dimethylsilylene)": "si-si",
    "poly(methylphenylsilylene)": "si-si",
    "poly(dimethylsilazane)": "ng-si",
    "poly(difluorosiloxane)": "f-si",
    "poly(dichlorosiloxane)": "cl-si",
}
DESCRIBED = [name for name in POLYMERS if name not in REFUSED]


def types_of(text: str) -> Counter[str]:
    """Count the types of one repeat unit."""
    chain = unroll(parse_repeat_unit(text))
    cell = cell_of(chain)
    (types, *_) = heavy_atom_types(chain, "GAFF2_mod").cells
    found = Counter(types)
    for site, carrier in enumerate(cell.carriers, start=cell.heavy):
        found[hydrogen_type(chain, carrier, "GAFF2_mod")] += cell.multiplicity[site]
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PDMS, {"si": 1, "ci": 2, "oss": 1, "hc": 6}),
        ("*CC(*)[Si](C)(C)O", {"c3": 1, "ci": 3, "si": 1, "oi": 1, "ho": 1, "hc": 9}),
        ("*CC(*)O[Si](C)(C)C", {"c3": 2, "os": 1, "si": 1, "ci": 3, "hc": 11, "h1": 1}),
        ("*[Si](C)(CCC(F)(F)F)O*", {"si": 1, "oss": 1, "ci": 2, "c3": 1, "c3f": 1, "f": 3, "hc": 7}),
        ("*N[Si](C)(C)*", {"ng": 1, "si": 1, "ci": 2, "hc": 6, "hn": 1}),
        ("*[SiH](C)O*", {"si": 1, "ci": 1, "oss": 1, "hi": 1, "hc": 3}),
    ],
)
def test_atoms_beside_silicon_have_the_types_that_came_with_it(text: str, expected: dict[str, int]) -> None:
    found = types_of(text)
    assert {name: found[name] for name in expected if name not in ("hc", "h1")} == {
        name: number for name, number in expected.items() if name not in ("hc", "h1")
    }
    assert found.total() == sum(expected.values())


def test_the_descriptors_of_silicone_are_those_of_its_published_parameters() -> None:
    """By hand: ten atoms, ten bonds of three kinds, per repeat unit; parameters as published (RadonPy, January 2026)."""
    blocks = force_field_blocks("GAFF2_mod")
    found = dict(zip(blocks.columns, describe(PDMS), strict=True))

    def kernel(name: str, value: float) -> np.ndarray:
        block = next(block for block in blocks.blocks if block.name == name)
        scaled = (value - block.minimum) / (block.maximum - block.minimum)
        return np.exp(-((scaled - np.array(block.centres)) ** 2) / (2 * block.width**2))

    def of(name: str) -> np.ndarray:
        return np.array([value for column, value in found.items() if column.startswith(f"{name}_")])

    bonds = [(2, 357.87, 1.6563), (2, 206.39, 1.8719), (6, 380.45, 1.0936)]
    np.testing.assert_allclose(of("k_bond"), sum(n * kernel("k_bond", k) for n, k, _ in bonds) / 10, atol=1e-12)
    np.testing.assert_allclose(of("r0"), sum(n * kernel("r0", r) for n, _, r in bonds) / 10, atol=1e-12)
    epsilon = [(1, 0.015), (2, 0.113), (1, 0.5)]
    hydrogen = load_force_field("GAFF2_mod").lennard_jones["hc"][0]
    expected = sum(n * kernel("epsilon", value) for n, value in (*epsilon, (6, hydrogen))) / 10
    np.testing.assert_allclose(of("epsilon"), expected, atol=1e-12)


def test_no_mass_stands_for_silicon() -> None:
    """It counts among the ten atoms, and adds to no column."""
    blocks = force_field_blocks("GAFF2_mod")
    (mass,) = (block for block in blocks.blocks if block.name == "mass")
    scaled = (np.array([12.011] * 2 + [15.999] + [1.008] * 6) - mass.minimum) / (mass.maximum - mass.minimum)
    kernels = np.exp(-((scaled[:, None] - np.array(mass.centres)) ** 2) / (2 * mass.width**2))
    np.testing.assert_allclose(describe(PDMS)[:10], kernels.sum(axis=0) / 10, rtol=1e-4)


def test_most_silicones_are_described_and_the_others_refused_naming_the_bond() -> None:
    assert len(DESCRIBED) >= 40
    for name in DESCRIBED:
        values = describe(POLYMERS[name])
        assert np.isfinite(values).all(), name
        assert values.min() >= 0.0, name
        assert values.max() <= 1.0, name
    for name, bond in REFUSED.items():
        with pytest.raises(DescriptorError, match=f"No GAFF2_mod bond parameters for {bond} "):
            describe(POLYMERS[name])


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("polydimethylsiloxane", ()),
        ("poly(dimethylsilmethylene)", ("angle si-ci-si as c3-c3-c3",)),
        ("poly(methylphenethylsiloxane)", ("angle ca-c3-ci as ca-c3-c3",)),
        (
            "poly(4-trimethylsilylstyrene)",
            (
                "bond ca-si as ci-si",
                "angle ca-ca-si as ca-ca-c3",
                "angle ca-si-ci as ci-si-ci",
                "dihedral ca-ca-si-ci as ca-ci-si-ci",
            ),
        ),
    ],
)
def test_what_was_estimated_is_told(name: str, expected: tuple[str, ...]) -> None:
    assert estimated_terms(POLYMERS[name]) == expected


@pytest.mark.parametrize("name", DESCRIBED)
def test_how_the_unit_is_written_changes_nothing(name: str) -> None:
    text = POLYMERS[name]
    other = rewritten(parse_repeat_unit(text), random.Random(len(text)))
    np.testing.assert_allclose(describe(other), describe(text), rtol=1e-9, atol=1e-12)
    assert estimated_terms(other) == estimated_terms(text)


@pytest.mark.parametrize("name", ["polydimethylsiloxane", "poly(methylphenylsiloxane)", "poly(vinyltrimethylsilane)"])
def test_charges_are_those_of_rdkit(name: str) -> None:
    compare_with_rdkit(POLYMERS[name])


def test_plain_gaff2_has_no_silicon() -> None:
    with pytest.raises(DescriptorError, match="No GAFF2 type for silicon atom 1"):
        describe(PDMS, "GAFF2")


def test_silicon_takes_no_part_in_the_scaling() -> None:
    """The well depth of silicon would be the smallest but one, its bond the longest but some: nothing may move by it."""
    without, with_silicon = load_force_field("GAFF2").ranges, load_force_field("GAFF2_mod").ranges
    for name in ("epsilon", "sigma", "k_bond", "r0", "k_angle", "theta0"):
        assert with_silicon[name] == without[name]
