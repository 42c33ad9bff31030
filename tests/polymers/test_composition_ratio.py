"""The ratio of atoms and rings that a text shows: the same for all ways to write one polymer."""

import csv
from pathlib import Path

import pytest

from affinecal_gui.polymers.chain.composition_ratio import composition_ratio
from affinecal_gui.polymers.copolymers.composition import identity_of

EXAMPLES = Path(__file__).parents[2] / "resources" / "examples"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("*CC*", "*CCCCCC*"),
        ("*OCC*", "[*]COC[*]"),
        ("*CC(*)c1ccccc1", "*C(C*)C1=CC=CC=C1"),
        ("*CC(*)c1ccccc1", "*C(c%11ccccc%11)CC(c1ccccc1)C*"),
        ("*CC(Cl)*", "*[CH2][C@H](Cl)CC(*)Cl"),
        ("*CC(*)[N+](=O)[O-]", "*CC(*)N(=O)=O"),
        ("*c1ccc2cc(*)ccc2c1", "*c1ccc2cc(ccc2c1)-c3ccc4cc(*)ccc4c3"),
    ],
)
def test_the_cut_the_periods_and_the_way_of_writing_make_no_difference(one: str, other: str) -> None:
    assert identity_of(one).key == identity_of(other).key
    assert composition_ratio(one) == composition_ratio(other) is not None


@pytest.mark.parametrize(
    ("one", "other"), [("*CC*", "*CO*"), ("*CC(*)C", "*CC(*)Cl"), ("*CCCCCC*", "*C1CCC(*)CC1"), ("*CS*", "*C[Si]*")]
)
def test_other_atoms_and_other_rings_are_told_apart(one: str, other: str) -> None:
    assert composition_ratio(one) != composition_ratio(other)


@pytest.mark.parametrize(
    "text", ["", "**", "[R]CC[R]", "*CC*.[Na+]", "*CC[Sn](C)*", "*CC* | *CO* : 0.5, 0.5", "polyethylene"]
)
def test_what_has_to_be_parsed_has_no_ratio(text: str) -> None:
    assert composition_ratio(text) is None


def test_polymers_of_two_tables_that_are_one_have_one_ratio() -> None:
    ratios: dict[str, set[object]] = {}
    for name in ("heat_capacity_measured.csv", "density_measured.csv"):
        with (EXAMPLES / name).open(encoding="utf-8") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                smiles = row.get("smiles") or row.get("psmiles") or ""
                if smiles:
                    ratios.setdefault(identity_of(smiles).key, set()).add(composition_ratio(smiles))
    assert len(ratios) > 50
    assert all(len(found) == 1 for found in ratios.values())
