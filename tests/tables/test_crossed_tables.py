"""Thousands of tables that name their unit in every way: no number may come out wrong without a word."""

from collections import Counter

import numpy as np
import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.tables.units.properties import own_property
from affinecal_gui.tables.units.units import UnitProblem
from affinecal_gui.tasks.reading.data_files import understood_as
from tests.tables.crossed_tables import CrossedTable, crossed_tables
from tests.tables.making import pasted

LEAST_TABLES = 2_000
LEAST_READ = 0.9
"""The share that is to be read rightly without a word: to refuse everything would be no way to pass."""


def outcome(crossed: CrossedTable) -> str:
    """Return what becomes of a table on the command line: "right", "said" or "wrong"."""
    try:
        table = understood_as(pasted(crossed.text), "measured").table
        found = [q for q in table.properties("measured") if q.key == crossed.quantity.key or not crossed.quantity.key]
        if len(found) != 1:
            return "said"  # no property is in both tables
        column = table.values[("measured", found[0].key)]
        if not found[0].is_known:
            column = column.in_unit_of(own_property(found[0].key, crossed.quantity.kept_in))
    except (UserError, UnitProblem):
        return "said"
    if len(column.values) == len(crossed.quantity.values) and np.allclose(
        column.values, crossed.quantity.values, rtol=1e-9, atol=0.0
    ):
        return "right"
    return "said" if table.remarks(found[0].key) or table.problems else "wrong"


@pytest.fixture(scope="module")
def outcomes() -> list[tuple[CrossedTable, str]]:
    return [(crossed, outcome(crossed)) for crossed in crossed_tables()]


def test_no_unit_in_any_place_gives_a_wrong_number_without_a_word(outcomes: list[tuple[CrossedTable, str]]) -> None:
    assert len(outcomes) >= LEAST_TABLES
    assert not [crossed.what for crossed, result in outcomes if result == "wrong"]


def test_most_tables_are_read_rightly_and_not_refused(outcomes: list[tuple[CrossedTable, str]]) -> None:
    counted = Counter(result for _, result in outcomes)
    share = counted["right"] / len(outcomes)
    print(
        f"{counted['right']} of {len(outcomes)} tables are read rightly, {100 * share:.1f} %; {counted['said']} are not read."
    )
    assert share >= LEAST_READ, sorted(crossed.what for crossed, result in outcomes if result == "said")[:50]
