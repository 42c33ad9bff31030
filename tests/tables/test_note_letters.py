"""Letters of notes at numbers are taken away with a word; cells with others are listed."""

import pytest

from affinecal_gui.tables.meaning.roles import guess_roles
from affinecal_gui.tables.values.making_polymer_table import to_polymer_table
from tests.tables.making import pasted
from tests.tables.said_of import POLYMERS, TG, said_of, table


def with_cells(**cells: str) -> list[str]:
    """Return the values as text, some of them replaced: ``_2="354a"`` is that of the third row."""
    return [cells.get(f"_{row}", f"{value:g}") for row, value in enumerate(TG)]


@pytest.mark.parametrize(
    "cells",
    [
        with_cells(_2="354a"),
        with_cells(_2="354 a", _3="206b"),
        with_cells(_2="354a,b", _3="206c"),
        [f"{value:g}{'ab'[row % 2]}" for row, value in enumerate(TG)],
    ],
)
def test_letters_from_the_beginning_of_the_alphabet_are_marks_of_notes(cells: list[str]) -> None:
    text = table(("smiles", "Tg (K)"), POLYMERS, cells)
    raw = pasted(text)
    read = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert read.values.tolist() == list(TG)
    assert "behind the number, which was taken for the mark of a note" in said_of(text)


@pytest.mark.parametrize("cell", ["354b", "354e", "354x", "354ab"])
def test_a_letter_that_may_be_anything_is_listed(cell: str) -> None:
    said = said_of(table(("smiles", "Tg (K)"), POLYMERS, with_cells(_2=cell)))
    assert "is not a unit that is known here" in said


@pytest.mark.parametrize("cell", ["354^b", "354†", "354<sup>b</sup>", "354ᵃ", "354[1]"])
def test_marks_with_a_sign_of_their_own_need_no_alphabet(cell: str) -> None:
    raw = pasted(table(("smiles", "Tg (K)"), POLYMERS, with_cells(_2=cell)))
    read = to_polymer_table(raw, guess_roles(raw)).values[("measured", "glass_transition")]
    assert read.values.tolist() == list(TG)


@pytest.mark.parametrize("cell", ["354C", "81 °C", "178 F"])
def test_a_few_cells_in_another_unit_than_the_heading_are_told(cell: str) -> None:
    said = said_of(table(("smiles", "Tg (K)"), POLYMERS, with_cells(_2=cell)))
    assert f"Tg (K): line 4 ({cell}) is read in the unit of the cell" in said


def test_cells_in_the_unit_of_the_heading_need_no_word() -> None:
    assert said_of(table(("smiles", "Tg (K)"), POLYMERS, with_cells(_2="354 K"))) == ""
