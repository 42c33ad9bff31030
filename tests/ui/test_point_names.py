"""Points get names where that is wished, and all that are selected are marked."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.plots.parity.parity_view import ParityView
from affinecal_gui.ui.views.plots.points.point_names import MOST_NAMES, NAMED_UNASKED, points_to_name
from affinecal_gui.ui.views.polymers.table.polymer_table import PolymerTableView
from tests.ui.sample_snapshot import sample_snapshot


@pytest.fixture
def view(qtbot: QtBot, light: QApplication) -> ParityView:
    made = ParityView()
    qtbot.addWidget(made)
    made.resize(500, 700)
    made.show_snapshot(sample_snapshot())
    made.show()
    light.processEvents()
    return made


def names_action(view: ParityView) -> QAction:
    view.canvas.customContextMenuRequested.emit(view.canvas.rect().center())
    menu = next(menu for menu in view.findChildren(QMenu) if menu.isVisible())
    return next(action for action in menu.actions() if action.text() == "Names at the points")


def test_those_furthest_off_are_named_while_none_is_selected() -> None:
    measured = np.full(20, 100.0)
    predicted = measured + np.arange(20.0)
    assert points_to_name((), measured, predicted) == list(range(20 - NAMED_UNASKED, 20))
    assert points_to_name({3}, measured, predicted) == [3, *range(20 - NAMED_UNASKED, 20)]
    assert points_to_name({3, 5}, measured, predicted) == [3, 5]
    assert len(points_to_name(range(500), np.ones(500), np.ones(500))) == MOST_NAMES


def test_a_point_without_a_prediction_is_not_named_unasked() -> None:
    assert points_to_name((), np.array([1.0, 2.0]), np.array([np.nan, 2.1])) == [1]


def test_names_come_and_go_with_the_wish(view: ParityView) -> None:
    keys = view.shown_keys[:3]
    view.show_selected(keys)
    names_action(view).trigger()
    rows = {row.key: row.label for row in sample_snapshot().rows}
    assert set(view.large.names.texts) >= {rows[key] for key in keys}
    view.show_selected(view.shown_keys[4:6])
    assert set(view.large.names.texts) >= {rows[key] for key in view.shown_keys[4:6]}
    names_action(view).trigger()
    assert view.large.names.texts == ()


def test_a_frame_selects_the_points_inside(view: ParityView, qtbot: QtBot) -> None:
    (x0, x1), (y0, y1) = view.large.box.viewRange()
    with qtbot.waitSignal(view.several_selected) as told:
        view.large.box.framed.emit(QRectF(x0, y0, x1 - x0, y1 - y0))
    assert set(told.args[0]) == set(view.shown_keys)
    middle = (x0 + x1) / 2.0
    with qtbot.waitSignal(view.several_selected) as told:
        view.large.box.framed.emit(QRectF(x0, y0, middle - x0, y1 - y0))
    rows = {row.key: row.measured for row in sample_snapshot().rows}
    shown = [rows[key] for key in view.shown_keys]
    assert sorted(rows[key] for key in told.args[0]) == sorted(value for value in shown if np.log10(value) <= middle)


def test_every_selected_row_of_the_list_is_told(qtbot: QtBot, light: QApplication) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    table.show_snapshot(sample_snapshot())
    table.show()
    qtbot.waitUntil(lambda: table.polymer_model.rowCount() > 10)
    wanted = tuple(table.polymer_model.row(line).key for line in (2, 5, 7))
    with qtbot.waitSignal(table.several_selected) as told:
        table.select_keys(wanted)
    assert told.args[0] == wanted == table.selected_keys()
    assert table.polymer_model.row(table.currentIndex().row()).key in wanted  # what is looked at is one of them
    with qtbot.waitSignal(table.several_selected) as told:
        qtbot.keyClick(table, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert len(told.args[0]) == table.polymer_model.rowCount()
    qtbot.waitUntil(table.close_thumbnails)


def test_a_polymer_chosen_elsewhere_takes_the_place_of_all_that_were_selected(qtbot: QtBot) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    snapshot = sample_snapshot()
    table.show_snapshot(snapshot)
    with qtbot.waitSignal(table.several_selected):
        table.selectAll()
    key = table.polymer_model.row(1).key
    table.clearSelection()
    with qtbot.waitSignal(table.several_selected) as told:
        table.show_selection(key)
    assert told.args == [(key,)]
    with qtbot.waitSignal(table.several_selected) as told:
        table.show_snapshot(replace(snapshot, rows=()))
    assert told.args == [()]
    table.close_thumbnails()
