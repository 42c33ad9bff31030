"""A part of a structure is found in the chain, however the repeat unit is written and wherever it is cut."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.polymers.chain.segment import segment
from affinecal_gui.polymers.reading.repeat_unit import parse_repeat_unit
from affinecal_gui.study.data.row_columns import row_columns
from affinecal_gui.study.data.structure_search import holding, rows_holding, structure_of
from affinecal_gui.study.snapshot import PolymerRow

STYRENE = ("*CC(*)c1ccccc1", "*C(c1ccccc1)C*", "*CC(*)C1=CC=CC=C1", "[*]CC([*])c1ccccc1")


def is_in(pattern: str, unit: str) -> bool:
    sought = structure_of(pattern)
    assert sought is not None
    return bool(holding(sought, [unit])[0])


@pytest.mark.parametrize("unit", STYRENE)
def test_a_benzene_ring_is_found_however_it_is_written(unit: str) -> None:
    assert is_in("c1ccccc1", unit)


@pytest.mark.parametrize(
    ("pattern", "unit"),
    [
        ("C(=O)O", "*OCCOC(=O)c1ccc(cc1)C(*)=O"),  # the ester of the link
        ("C(=O)N", "*NCCCCCC(*)=O"),
        ("[#6]O[#6]", "*CCO*"),
        ("[CX4][OX2][CX4]", "*OCC*"),
        ("C~C~C~C~C~C~C", "*CC*"),  # longer than the unit
        ("C=CC", "*CC=CC*"),
    ],
)
def test_a_pattern_is_found_across_the_ends_of_the_unit(pattern: str, unit: str) -> None:
    assert is_in(pattern, unit)


@pytest.mark.parametrize(("pattern", "unit"), [("c1ccccc1", "*CC*"), ("C(=O)N", "*OCC(*)=O"), ("C#N", "*CC(*)Cl")])
def test_what_a_chain_does_not_hold_is_not_found(pattern: str, unit: str) -> None:
    assert not is_in(pattern, unit)


@pytest.mark.parametrize("text", ["nylon", "PI793", "CO", "6", "poly(ethylene", "1,4-", "poly(1,3-dioxolane)", "", "C"])
def test_names_and_parts_of_names_are_texts(text: str) -> None:
    assert structure_of(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("c1ccccc1", [True, False, True, False]),
        ("C1CCCCC1", [False, True, True, False]),  # the second as a structure, the third by its id
        ("(CYCLOHEXYL)", [False, True, False, False]),
        ("*CC(C", [False, False, False, True]),  # what cannot be read is found as it stands
    ],
)
def test_a_structure_is_a_text_too_but_letter_for_letter(text: str, found: list[bool]) -> None:
    units = (("PS", "", "*CC(*)C1=CC=CC=C1"), ("(cyclohexyl)", "", "*CC(*)C1CCCCC1"))
    others = (("", "c1ccccc1", "*CC*"), ("", "", "*CC(C"))
    rows = row_columns(tuple(PolymerRow(f"{unit}", *unit, 1.0, 1.0, "waiting") for unit in units + others))
    every = np.ones(len(rows.rows), dtype=np.bool_)
    assert rows_holding(rows, text, every).tolist() == found


def test_what_cannot_be_read_holds_nothing() -> None:
    pattern = structure_of("c1ccccc1")
    assert pattern is not None
    assert holding(pattern, ["", "no structure", "*c1ccc(*)cc1"]).tolist() == [False, False, True]


@given(st.integers(1, 6))
def test_a_segment_has_the_atoms_of_its_units(count: int) -> None:
    unit = parse_repeat_unit("*CC(*)c1ccccc1")
    joined = segment(unit, count)
    numbers = [atom.GetAtomicNum() for atom in joined.GetAtoms()]
    assert numbers.count(6) == 8 * count
    assert numbers.count(0) == 2
