"""A table whose rows are filtered and sorted in the background: what it shows, keeps and does until they arrive.

The thread waits at a gate, so that no test hangs on how fast it is.
"""

import sys
import threading
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.data import row_columns as columns_module
from affinecal_gui.study.data.row_columns import RowColumns, row_columns
from affinecal_gui.study.snapshot import PolymerRow
from affinecal_gui.task import Task
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.polymers.data_panel import DataPanel
from affinecal_gui.ui.views.polymers.table import polymer_model, row_copying
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_order import (
    ArrangedRows,
    Filter,
    Sorting,
    accepted,
    arrange,
    numbers_now,
)
from affinecal_gui.ui.views.polymers.table.polymer_table import PolymerTableView
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot

SECONDS = 60_000
DESCENDING = Qt.SortOrder.DescendingOrder


class Gate:
    """Lets threads arrange when it is open, and notes which of them went through."""

    def __init__(self) -> None:
        self._open = threading.Event()
        self.passed: list[Filter] = []

    def arrange(
        self,
        rows: RowColumns,
        suggested: list[int],
        wanted: Filter,
        sorting: Sorting,
        origins: NDArray[np.int8],
        *,
        task: Task,
    ) -> ArrangedRows:
        while not self._open.wait(0.005):
            task.check()
        task.check()
        self.passed.append(wanted)
        return arrange(rows, suggested, wanted, sorting, origins, task=task)

    def open(self) -> None:
        self._open.set()

    def shut(self) -> None:
        self._open.clear()


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[Gate]:
    made = Gate()
    made.open()
    monkeypatch.setattr(polymer_model, "ARRANGED_AT_ONCE", 0)
    monkeypatch.setattr(polymer_model, "arrange", made.arrange)
    yield made
    made.open()


@pytest.fixture
def table(qtbot: QtBot, light: QApplication, gate: Gate) -> Iterator[PolymerTableView]:
    made = PolymerTableView()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show_snapshot(sample_snapshot())
    made.show()
    wait(qtbot, made)
    gate.shut()
    gate.passed.clear()
    yield made
    gate.open()
    made.close_thumbnails()
    assert await_late_jobs(60.0)


def wait(qtbot: QtBot, table: PolymerTableView) -> None:
    qtbot.waitUntil(lambda: not table.polymer_model.is_arranging, timeout=SECONDS)


def keys(table: PolymerTableView) -> list[str]:
    model = table.polymer_model
    return [model.row(line).key for line in range(model.rowCount())]


def key_named(name: str) -> str:
    return next(row.key for row in sample_snapshot().rows if row.name == name)


def go_to(table: PolymerTableView, key: str) -> None:
    table.setCurrentIndex(table.polymer_model.index(table.polymer_model.line_of(key), Column.POLYMER))


def is_in_sight(table: PolymerTableView, key: str) -> bool:
    index = table.polymer_model.index(table.polymer_model.line_of(key), Column.POLYMER)
    return table.viewport().rect().contains(table.visualRect(index))


def by_md(rows: tuple[PolymerRow, ...]) -> list[str]:
    """Keys of the measured polymers, the largest MD value first; those without one stand last, by name."""
    ordered = sorted(
        (row for row in rows if row.state != "predicted"),
        key=lambda row: (np.isnan(row.md), -row.md if row.md == row.md else 0.0),
    )
    return [row.key for row in ordered if row.md == row.md]


def test_the_old_order_is_shown_until_the_new_one_is_there(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    before = keys(table)
    table.sortByColumn(Column.MD, DESCENDING)
    assert table.polymer_model.is_arranging
    assert table.is_drawing  # the window is not at rest
    QApplication.processEvents()
    assert keys(table) == before
    gate.open()
    wait(qtbot, table)
    expected = by_md(sample_snapshot().rows)
    assert keys(table)[: len(expected)] == expected
    assert sorted(keys(table)) == sorted(before)


def test_selection_and_current_row_survive_an_order_that_arrives_later(
    qtbot: QtBot, table: PolymerTableView, gate: Gate
) -> None:
    chosen = (key_named("nylon 6"), key_named("nylon 66"), key_named("nylon 610"))
    go_to(table, chosen[0])
    for key in chosen:
        line = table.polymer_model.line_of(key)
        table.selectionModel().select(
            table.polymer_model.index(line, 0),
            table.selectionModel().SelectionFlag.Select | table.selectionModel().SelectionFlag.Rows,
        )
    with qtbot.assertNotEmitted(table.selected):
        table.sortByColumn(Column.MD, DESCENDING)
        gate.open()
        wait(qtbot, table)
    assert set(table.selected_keys()) == set(chosen)
    assert table.polymer_model.row(table.currentIndex().row()).key == chosen[0]
    assert is_in_sight(table, chosen[0])


def test_the_keyboard_goes_on_in_the_old_order(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    before = keys(table)
    go_to(table, before[0])
    table.sortByColumn(Column.MD, DESCENDING)
    with qtbot.waitSignal(table.selected) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Down)
    assert heard.args == [before[1]]
    with qtbot.assertNotEmitted(table.selected):
        gate.open()
        wait(qtbot, table)
    assert table.selected_keys() == (before[1],)
    assert is_in_sight(table, before[1])
    after = keys(table)
    with qtbot.waitSignal(table.selected) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Up)
    assert heard.args == [after[after.index(before[1]) - 1]]


def test_who_has_scrolled_away_stays_there(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    go_to(table, keys(table)[0])
    table.sortByColumn(Column.MD, DESCENDING)
    bar = table.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    place = bar.value()
    gate.open()
    wait(qtbot, table)
    assert bar.value() == place > 0
    gate.shut()
    other = tuple(replace(row, reason="another reason") for row in sample_snapshot().rows)
    table.show_snapshot(replace(sample_snapshot(), rows=other, columns=row_columns(other)))  # the same lines
    gate.open()
    wait(qtbot, table)
    assert bar.value() == place
    assert table.polymer_model.row(0).reason == "another reason"


def test_of_several_filters_the_last_one_counts(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    arranged: list[int] = []
    table.arranged.connect(lambda: arranged.append(table.polymer_model.rowCount()))
    for text in ("poly", "poly(", "nylon 61"):
        table.set_filter("measured", text)
        QApplication.processEvents()
    assert table.polymer_model.rowCount() == 81
    gate.open()
    wait(qtbot, table)
    assert {row.name for row in sample_snapshot().rows if row.key in keys(table)} == {"nylon 610", "nylon 612"}
    assert arranged == [2]
    assert gate.passed == [Filter("measured", "nylon 61")]


def test_a_filter_that_is_taken_back_leaves_everything_as_it_was(
    qtbot: QtBot, table: PolymerTableView, gate: Gate
) -> None:
    before = keys(table)
    table.show_selection(before[5])
    bar = table.verticalScrollBar()
    bar.setValue(7)
    table.set_filter("measured", "nylon")
    table.set_filter("measured", "")
    gate.open()
    wait(qtbot, table)
    assert keys(table) == before
    assert table.selected_keys() == (before[5],)
    assert bar.value() == 7


def test_a_snapshot_that_is_taken_back_before_its_rows_are_shown(
    qtbot: QtBot, table: PolymerTableView, gate: Gate
) -> None:
    """Undo and redo while the rows of the step are still being sorted."""
    snapshot, before = sample_snapshot(), keys(table)
    go_to(table, before[3])
    fewer = replace(snapshot, rows=snapshot.rows[:200], calibration=None)
    table.show_snapshot(fewer)
    assert table.polymer_model.count("measured") + table.polymer_model.count("predicted") == 200
    assert keys(table) == before
    table.show_snapshot(snapshot)
    gate.open()
    wait(qtbot, table)
    assert keys(table) == before
    gate.shut()
    table.show_snapshot(snapshot)
    table.show_snapshot(fewer)
    gate.open()
    wait(qtbot, table)
    assert sorted(keys(table)) == sorted(row.key for row in fewer.rows if row.state != "predicted")
    assert table.selected_keys() == (before[3],)


def test_what_is_said_about_the_same_rows_is_said_at_once(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    """Leaving a row out is seen in its old place, whatever place the order gives it later."""
    table.sortByColumn(Column.STATE, Qt.SortOrder.AscendingOrder)
    gate.open()
    wait(qtbot, table)
    gate.shut()
    before = keys(table)
    key = next(row.key for row in sample_snapshot().rows if row.state == "used")
    now = columns_module.with_left_out(
        replace(sample_snapshot(), columns=table.polymer_model.columns), frozenset(), frozenset({key})
    )
    table.show_snapshot(now)
    assert keys(table) == before
    assert table.polymer_model.row(table.polymer_model.line_of(key)).state == "left out"
    gate.open()
    wait(qtbot, table)
    states = [table.polymer_model.row(line).state for line in range(table.polymer_model.rowCount())]
    assert states == sorted(states, key=str.casefold)


def test_a_choice_that_changes_no_value_arranges_nothing(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    """A slider is moved: a snapshot for each of its places, the results for the last one only."""
    snapshot, before = sample_snapshot(), keys(table)
    with qtbot.waitSignal(table.arranged):
        table.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, seed=1)))
    assert not table.polymer_model.is_arranging
    table.sortByColumn(Column.MD, DESCENDING)
    table.show_snapshot(snapshot)  # while it sorts
    assert keys(table) == before
    gate.open()
    wait(qtbot, table)
    expected = by_md(snapshot.rows)
    assert keys(table)[: len(expected)] == expected
    gate.passed.clear()
    values = table.copied_text(range(20))
    table.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, model="md")))  # other values
    wait(qtbot, table)
    assert len(gate.passed) == 1
    assert table.copied_text(range(20)) != values
    table.show_snapshot(snapshot)
    wait(qtbot, table)
    assert table.copied_text(range(20)) == values


def test_closing_in_the_middle(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    before = keys(table)
    table.set_filter("measured", "nylon")
    with qtbot.assertNotEmitted(table.arranged, wait=50):
        table.close_thumbnails()  # whether in time, is a matter of the computer
        gate.open()
    assert await_late_jobs(60.0)
    assert gate.passed == []
    assert keys(table) == before


def test_a_copy_is_in_the_order_shown(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    def copied() -> list[str]:
        table.copy_all()
        lines = [line.split("\t") for line in QGuiApplication.clipboard().text().splitlines()]
        return [line[lines[0].index("Id")] for line in lines[1:]]

    def shown() -> list[str]:
        return [table.polymer_model.row(line).id for line in range(table.polymer_model.rowCount())]

    before = shown()
    table.sortByColumn(Column.MD, DESCENDING)
    assert copied() == before
    gate.open()
    wait(qtbot, table)
    assert copied() == shown() != before


def test_a_long_copy_is_that_of_the_rows_shown_when_it_was_asked_for(
    qtbot: QtBot, table: PolymerTableView, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_copying, "COPIED_AT_ONCE", 0)
    table.selectAll()
    expected = table.copied_text()
    QGuiApplication.clipboard().setText("before")
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    table.set_filter("measured", "nylon")
    gate.open()
    wait(qtbot, table)
    qtbot.waitUntil(lambda: not table.is_drawing, timeout=SECONDS)
    assert QGuiApplication.clipboard().text() == expected
    assert len(expected.splitlines()) == 82


def test_space_concerns_the_row_that_is_shown(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    key = key_named("nylon 6")
    go_to(table, key)
    table.sortByColumn(Column.MD, DESCENDING)
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert heard.args == [(key,)]
    gate.open()
    wait(qtbot, table)
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert heard.args == [(key,)]


def test_rows_that_the_study_no_longer_has_wish_nothing(qtbot: QtBot, table: PolymerTableView, gate: Gate) -> None:
    """The table that held them was removed; its rows are in sight until the others are sorted."""
    snapshot = sample_snapshot()
    gone, other = key_named("nylon 6"), key_named("nylon 66")
    go_to(table, gone)
    table.show_snapshot(replace(snapshot, rows=tuple(row for row in snapshot.rows if row.key not in (gone, other))))
    assert gone in keys(table)
    with qtbot.assertNotEmitted(table.leave_out_toggled):
        qtbot.keyClick(table, Qt.Key.Key_Space)
    with qtbot.assertNotEmitted(table.selected):
        go_to(table, other)
    gate.open()
    wait(qtbot, table)
    assert gone not in keys(table)
    assert table.selected_keys() == ()


def test_a_list_that_is_still_to_come_is_not_called_empty(qtbot: QtBot, light: QApplication, gate: Gate) -> None:
    def darkest(shown: PolymerTableView) -> int:
        picture = shown.viewport().grab().toImage()
        return min(picture.pixelColor(x, y).lightness() for x in range(picture.width()) for y in range(40))

    gate.shut()
    made = PolymerTableView()
    qtbot.addWidget(made)
    made.resize(500, 300)
    made.show_snapshot(sample_snapshot())
    made.set_filter("measured", "there is no such polymer")
    assert darkest(made) > 200
    gate.open()
    wait(qtbot, made)
    assert darkest(made) < 150
    made.close_thumbnails()


def test_texts_are_ranked_once_whatever_is_typed_meanwhile(
    qtbot: QtBot, table: PolymerTableView, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(columns_module, "CHUNK", 50)  # so that ranks count as slow
    is_open, begun, ranked = threading.Event(), threading.Event(), columns_module.natural_ranks
    calls: list[int] = []

    def slowly(texts: list[str], *, task: Task) -> object:
        calls.append(len(texts))
        begun.set()
        while not is_open.wait(0.005):
            task.check()
        return ranked(texts, task=task)

    monkeypatch.setattr(columns_module, "natural_ranks", slowly)
    gate.open()
    before = keys(table)
    table.sortByColumn(Column.STRUCTURE, Qt.SortOrder.AscendingOrder)
    qtbot.waitUntil(begun.is_set, timeout=SECONDS)
    for text in ("n", "ny", "nylon"):
        table.set_filter("measured", text)
        QApplication.processEvents()
    assert keys(table) == before
    is_open.set()
    wait(qtbot, table)
    assert calls == [352]
    structures = [table.polymer_model.row(line).smiles for line in range(table.polymer_model.rowCount())]
    assert structures == sorted(structures, key=columns_module.natural_key)
    assert len(structures) == 6
    assert gate.passed[-1] == Filter("measured", "nylon")


def test_rows_that_have_gone_are_not_held(
    qtbot: QtBot, table: PolymerTableView, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They may be hundreds of megabytes."""
    monkeypatch.setattr(columns_module, "CHUNK", 50)  # so that they are ranked in the background as well
    gate.open()
    table.sortByColumn(Column.STRUCTURE, Qt.SortOrder.AscendingOrder)
    rows = tuple(replace(row) for row in sample_snapshot().rows)
    elsewhere = sys.getrefcount(rows)
    table.show_snapshot(replace(sample_snapshot(), rows=rows))
    wait(qtbot, table)
    table.selectAll()
    table.set_filter("measured", "nylon")
    wait(qtbot, table)
    assert sys.getrefcount(rows) > elsewhere
    table.sortByColumn(Column.MD, DESCENDING)
    table.show_snapshot(sample_snapshot())
    wait(qtbot, table)
    qtbot.waitUntil(lambda: sys.getrefcount(rows) <= elsewhere, timeout=SECONDS)


# In the panel


@pytest.fixture
def panel(qtbot: QtBot, light: QApplication, gate: Gate) -> Iterator[DataPanel]:
    made = DataPanel()
    qtbot.addWidget(made)
    made.resize(520, 800)
    made.show_snapshot(sample_snapshot())
    made.show()
    wait(qtbot, made.table)
    yield made
    gate.open()
    made.table.close_thumbnails()
    assert await_late_jobs(60.0)


def test_a_polymer_of_the_other_list_is_selected_when_that_is_there(qtbot: QtBot, panel: DataPanel, gate: Gate) -> None:
    row = [row for row in sample_snapshot().rows if row.state == "predicted"][150]
    gate.shut()
    with qtbot.assertNotEmitted(panel.selected):
        panel.show_selection(row.key)
        assert panel.group == "predicted"
        assert panel.table.polymer_model.shown_group == "measured"
        assert panel.table.selected_keys() == ()
        assert Column.MEASURED in panel.table.columns.shown()  # those of the list that is still shown
        gate.open()
        wait(qtbot, panel.table)
    assert panel.table.selected_keys() == (row.key,)
    assert is_in_sight(panel.table, row.key)
    assert Column.MEASURED not in panel.table.columns.shown()


def test_the_copy_button_follows_the_rows(qtbot: QtBot, panel: DataPanel, gate: Gate) -> None:
    assert panel.copy_button.isEnabled()
    panel.filter.setText("there is no such polymer")
    wait(qtbot, panel.table)
    assert not panel.copy_button.isEnabled()
    panel.filter.clear()
    wait(qtbot, panel.table)
    assert panel.copy_button.isEnabled()


def test_a_snapshot_shown_in_steps_ends_like_one_shown_at_once(qtbot: QtBot, panel: DataPanel, gate: Gate) -> None:
    def picture() -> bytes:
        wait(qtbot, panel.table)
        qtbot.waitUntil(lambda: not panel.is_drawing, timeout=SECONDS)
        panel.repaint()
        image = panel.grab().toImage()  # whose bits go with it
        return bytes(image.constBits())

    panel.show_snapshot(uncalibrated_snapshot())
    expected = picture()
    panel.show_snapshot(sample_snapshot())
    assert picture() != expected
    for _ in panel.show_in_steps(uncalibrated_snapshot()):
        QApplication.processEvents()
        qtbot.mouseMove(panel, QPoint(5, 5))
    # A line of words that has become shorter is given its new height by the layout some turns later.
    qtbot.waitUntil(lambda: picture() == expected, timeout=SECONDS)


# Filtering and sorting themselves

KEYS = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def rows_with(keys: list[str]) -> tuple[PolymerRow, ...]:
    return tuple(PolymerRow(key, key, key, "*C*", 1.0, 2.0, "waiting") for key in keys)


@given(KEYS, KEYS)
def test_rows_are_found_again_by_their_keys(before: list[str], now: list[str]) -> None:
    found = numbers_now(row_columns(rows_with(before)), row_columns(rows_with(now)))
    assert found.tolist() == [now.index(key) if key in now else -1 for key in before]


@given(st.lists(st.tuples(st.sampled_from(["x", "xy", "z"]), st.floats(0, 9)), max_size=12), st.booleans())
def test_every_row_knows_its_line(found: list[tuple[str, float]], descending: bool) -> None:
    rows = tuple(PolymerRow(f"k{n}", name, "", "", value, np.nan, "waiting") for n, (name, value) in enumerate(found))
    columns, wanted = row_columns(rows), Filter("measured", "x")
    sorting = Sorting(numbers=lambda: columns.measured, descending=descending)
    lines = arrange(columns, (), wanted, sorting)
    assert sorted(lines.order.tolist()) == accepted(columns, (), wanted).tolist()
    values = [rows[number].measured for number in lines.order.tolist()]
    assert values == sorted(values, reverse=descending)
    assert [line for line in lines.lines.tolist() if line >= 0] == [
        lines.order.tolist().index(number) for number in range(len(rows)) if number in lines.order
    ]
    assert {n for n, line in enumerate(lines.lines.tolist()) if line < 0} == set(range(len(rows))) - set(
        lines.order.tolist()
    )
