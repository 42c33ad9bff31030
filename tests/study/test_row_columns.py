"""Columns of rows, against going through the rows one by one."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled
from affinecal_gui.study.data import row_columns as module
from affinecal_gui.study.data.row_columns import (
    columns_of,
    natural_key,
    natural_ranks,
    row_columns,
    searched_text,
)
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.task import Task

TEXTS = st.text(alphabet="aAbß1 2*(É中", max_size=6)
ROWS = st.lists(st.tuples(TEXTS, TEXTS, TEXTS), max_size=12).map(
    lambda found: tuple(
        PolymerRow(f"k{number}", name, id_, smiles, float(number), np.nan, "waiting")
        for number, (name, id_, smiles) in enumerate(found)
    )
)


@given(ROWS, TEXTS)
def test_a_word_is_found_where_it_stands(rows: tuple[PolymerRow, ...], word: str) -> None:
    found = row_columns(rows).texts.containing(word)
    assert found.tolist() == [word.casefold() in searched_text(row) for row in rows]


@given(st.lists(st.text(alphabet="ab12 X", max_size=5), max_size=40))
def test_ranks_are_the_order_of_natural_keys(texts: list[str]) -> None:
    keys = [natural_key(text) for text in texts]
    places = {key: place for place, key in enumerate(sorted(set(keys)))}
    assert natural_ranks(texts).tolist() == [places[key] for key in keys]


@given(ROWS, TEXTS)
def test_a_word_is_found_in_every_part_of_the_rows(rows: tuple[PolymerRow, ...], word: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SEARCHED", 3)
        found = row_columns(rows).texts.containing(word)
    assert found.tolist() == [word.casefold() in searched_text(row) for row in rows]


def test_a_search_can_be_stopped_between_two_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "SEARCHED", 3)
    rows = tuple(PolymerRow(f"k{n}", "nylon", "", "", 1.0, 1.0, "waiting") for n in range(10))
    answers = iter((False, False, True))
    with pytest.raises(Cancelled):
        row_columns(rows).texts.containing("nylon", task=Task(cancelled=lambda: next(answers)))


@given(st.lists(st.sampled_from(["used", "left out", "Used", "nylon 6", "nylon 11"]), max_size=40))
def test_texts_that_occur_again_have_equal_places(texts: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "SORTED", 2)
        ranks = natural_ranks(texts).tolist()
    places = {key: place for place, key in enumerate(sorted({natural_key(text) for text in texts}))}
    assert ranks == [places[natural_key(text)] for text in texts]


def test_ranks_of_parts_are_merged(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 7)
    monkeypatch.setattr(module, "SORTED", 7)
    texts = [f"nylon {number * 37 % 101}" for number in range(101)]
    assert natural_ranks(texts).tolist() == [number * 37 % 101 for number in range(101)]
    rows = tuple(PolymerRow(f"k{n}", text, "", "", 1.0, 1.0, "waiting") for n, text in enumerate(texts))
    assert row_columns(rows).texts.containing("nylon 1").sum() == 12
    with pytest.raises(Cancelled):
        natural_ranks(texts, task=Task(cancelled=lambda: True))


def test_other_states_of_the_same_rows() -> None:
    rows = tuple(PolymerRow(f"k{n}", f"p{n}", "", "*CC*", 1.0, 2.0, "waiting", library_index=n) for n in range(3))
    changed = (replace(rows[0], state="used", training_index=0), *rows[1:])
    before = row_columns(rows)
    before.ranks("state")
    after, anew = before.with_states(changed), row_columns(changed)
    for state in ("used", "waiting", "invalid"):
        assert after.in_state(state).tolist() == anew.in_state(state).tolist()
    assert after.training_index.tolist() == [0, -1, -1]
    assert after.ranks("state").tolist() == anew.ranks("state").tolist() == [0, 1, 1]
    assert after.number_of is before.number_of


def test_columns_of_other_rows_are_not_taken() -> None:
    rows = tuple(PolymerRow(f"k{n}", f"p{n}", "", "*CC*", 1.0, 2.0, "waiting") for n in range(3))
    snapshot = Snapshot(rows=rows, columns=row_columns(rows))
    assert columns_of(snapshot) is snapshot.columns
    assert snapshot.row("k2") is rows[2]
    fewer = replace(snapshot, rows=rows[:2])
    assert columns_of(fewer).rows is fewer.rows
    assert fewer.row("k2") is None
