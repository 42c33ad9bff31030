"""The polymer table as a user meets it: what cells say, order, filter, keyboard, clipboard, columns, pictures."""

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QItemSelectionModel, QLocale, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.data.row_columns import natural_key
from affinecal_gui.study.shown.row_values import row_values
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.table.polymer_order import order_by_number
from affinecal_gui.ui.views.polymers.table.polymer_table import PolymerTableView
from affinecal_gui.ui.views.polymers.table.table_columns import GROUP_COLUMNS, SMALLEST_NAME
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot
from tests.ui.waiting import deliver_all


@pytest.fixture
def table(qtbot: QtBot, light: QApplication) -> Iterator[PolymerTableView]:
    made = PolymerTableView()
    qtbot.addWidget(made)
    made.resize(700, 500)
    made.show_snapshot(sample_snapshot())
    made.show()
    yield made
    made.close_thumbnails()
    assert await_late_jobs(60.0)  # the first picture waits for the chemistry to be imported


def texts(table: PolymerTableView, column: Column) -> list[str]:
    model = table.polymer_model
    return [model.index(line, column).data() for line in range(model.rowCount())]


def keys(table: PolymerTableView) -> list[str]:
    model = table.polymer_model
    return [model.row(line).key for line in range(model.rowCount())]


def key_named(name: str) -> str:
    return next(row.key for row in sample_snapshot().rows if row.name == name)


def test_cells_say_what_the_snapshot_says(table: PolymerTableView) -> None:
    snapshot = sample_snapshot()
    row = next(row for row in snapshot.rows if row.state == "used")
    result = snapshot.calibration.models["affine"]
    line = table.polymer_model.line_of(row.key)
    shown = {column: table.polymer_model.index(line, column).data() for column in Column}
    calibrated = result.out_of_fold[row.training_index]
    lower, upper = result.out_of_fold_lower[row.training_index], result.out_of_fold_upper[row.training_index]
    residual = 100 * (calibrated / row.measured - 1)
    assert shown[Column.POLYMER] == row.name
    assert shown[Column.MEASURED] == f"{row.measured:.0f}"
    assert shown[Column.MD] == f"{row.md:.0f}"
    assert shown[Column.CALIBRATED] == f"{calibrated:.0f}"
    assert shown[Column.INTERVAL] == f"{lower:.0f}–{upper:.0f}"
    assert shown[Column.RESIDUAL] == f"{residual:+.1f}".replace("-", "−")
    assert shown[Column.STATE] == "used"


def test_missing_numbers_are_dashes_and_never_nan(table: PolymerTableView) -> None:
    line = table.polymer_model.line_of(key_named("nylon 612"))
    for column in (Column.MD, Column.CALIBRATED, Column.INTERVAL, Column.RESIDUAL):
        assert table.polymer_model.index(line, column).data() == "–"
    assert not any("nan" in text for column in Column for text in texts(table, column))


def test_a_left_out_polymer_is_calibrated_by_the_final_fit(table: PolymerTableView) -> None:
    row = sample_snapshot().row(key_named("nylon 11"))
    expected = sample_snapshot().calibration.models["affine"].library[row.library_index]
    line = table.polymer_model.line_of(row.key)
    assert table.polymer_model.index(line, Column.CALIBRATED).data() == f"{expected:.0f}"


def test_heads_have_the_unit_once(table: PolymerTableView) -> None:
    model = table.polymer_model
    assert model.head(Column.MEASURED) == ("Measured", "J/(kg K)")
    assert model.head(Column.INTERVAL) == ("90 % interval", "J/(kg K)")
    assert model.head(Column.RESIDUAL) == ("Residual", "%")


def test_names_sort_as_people_count(table: PolymerTableView) -> None:
    nylons = [name for name in texts(table, Column.POLYMER) if name.startswith("nylon")]
    assert nylons == ["nylon 6", "nylon 11", "nylon 46", "nylon 66", "nylon 610", "nylon 612"]


@pytest.mark.parametrize("column", [Column.MEASURED, Column.MD, Column.CALIBRATED, Column.RESIDUAL])
@pytest.mark.parametrize("order", [Qt.SortOrder.AscendingOrder, Qt.SortOrder.DescendingOrder])
def test_numbers_sort_as_numbers_with_missing_ones_last(
    table: PolymerTableView, column: Column, order: Qt.SortOrder
) -> None:
    table.sortByColumn(column, order)
    shown = texts(table, column)
    numbers = [float(text.replace("−", "-")) for text in shown if text != "–"]
    assert shown[len(numbers) :] == ["–"] * (len(shown) - len(numbers))
    if column is Column.RESIDUAL:  # the furthest off, whatever the sign
        numbers = [abs(number) for number in numbers]
    assert numbers == sorted(numbers, reverse=order is Qt.SortOrder.DescendingOrder)
    assert len(shown) == 81


def test_intervals_sort_by_width(table: PolymerTableView) -> None:
    table.sortByColumn(Column.INTERVAL, Qt.SortOrder.AscendingOrder)
    ends = [text.split("–") for text in texts(table, Column.INTERVAL) if text != "–"]
    widths = [float(upper) - float(lower) for lower, upper in ends]
    assert all(later >= earlier - 1 for earlier, later in pairwise(widths))  # 1: shown rounded


def test_a_click_on_a_head_shows_the_first_rows_of_the_new_order(qtbot: QtBot, table: PolymerTableView) -> None:
    select(table, keys(table)[-1])
    table.scrollToBottom()
    assert table.verticalScrollBar().value() > 0
    head = table.horizontalHeader()
    place = QPoint(head.sectionViewportPosition(int(Column.MEASURED)) + 20, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert table.rowAt(0) == 0


def test_the_first_click_on_residual_shows_what_is_furthest_off(qtbot: QtBot, table: PolymerTableView) -> None:
    head = table.horizontalHeader()
    place = QPoint(head.sectionViewportPosition(int(Column.RESIDUAL)) + 20, head.height() // 2)
    qtbot.mouseClick(head.viewport(), Qt.MouseButton.LeftButton, pos=place)
    shown = [text for text in texts(table, Column.RESIDUAL) if text != "–"]
    sizes = [abs(float(text.replace("−", "-"))) for text in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > sizes[-1]


def test_without_a_sorted_column_rows_stand_as_in_the_file(table: PolymerTableView) -> None:
    table.polymer_model.sort(-1)
    assert keys(table) == [row.key for row in sample_snapshot().rows if row.state != "predicted"]


@given(st.lists(st.one_of(st.floats(-1e6, 1e6), st.just(math.nan)), max_size=40), st.booleans())
def test_order_by_number_is_a_stable_sort_of_everything(values: list[float], descending: bool) -> None:
    order = order_by_number(np.arange(len(values)), np.array(values, dtype=float), descending)
    expected = sorted(
        range(len(values)),
        key=lambda i: (math.isnan(values[i]), 0.0 if math.isnan(values[i]) else values[i] * (-1 if descending else 1)),
    )
    assert order.tolist() == expected


@given(st.text(max_size=20))
def test_natural_keys_do_not_depend_on_letter_case(text: str) -> None:
    assert natural_key(text) == natural_key(text.casefold())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nylon 6", {"nylon 6", "nylon 46", "nylon 66", "nylon 610", "nylon 612"}),
        ("NYLON 612", {"nylon 612"}),
        ("*oc1ccc(cc1)c(c)(", {"bisphenol-A polycarbonate"}),  # part of a SMILES, whatever the case
    ],
)
def test_filter_finds_name_and_repeat_unit(
    qtbot: QtBot, table: PolymerTableView, text: str, expected: set[str]
) -> None:
    table.set_filter("measured", text)
    qtbot.waitUntil(lambda: not table.polymer_model.is_arranging)  # what may be a structure is sought in the background
    assert expected <= set(texts(table, Column.POLYMER))
    words = text.casefold().split()
    for line in range(table.polymer_model.rowCount()):
        row = table.polymer_model.row(line)
        assert all(word in f"{row.name} {row.id} {row.smiles}".casefold() for word in words)


def test_a_structure_is_sought_in_the_background(qtbot: QtBot, table: PolymerTableView) -> None:
    table.set_filter("measured", "c1ccccc1")
    assert table.polymer_model.is_arranging
    qtbot.waitUntil(lambda: not table.polymer_model.is_arranging)
    found = set(texts(table, Column.POLYMER))
    assert {"polystyrene", "bisphenol-A polycarbonate"} <= found
    assert not found & {"nylon 6", "polyethylene"}


def test_filter_by_state_and_list(table: PolymerTableView) -> None:
    table.set_filter("measured", "", "no MD value")
    assert table.polymer_model.rowCount() == 19
    table.set_filter("predicted")
    assert table.polymer_model.rowCount() == 271
    assert Column.MEASURED not in table.columns.shown()
    table.set_filter("measured", "there is no such polymer")
    assert table.polymer_model.rowCount() == 0


def test_going_to_a_row_announces_its_key_once(qtbot: QtBot, table: PolymerTableView) -> None:
    key = key_named("nylon 66")
    index = table.polymer_model.index(table.polymer_model.line_of(key), Column.MEASURED)
    table.scrollTo(index)
    with qtbot.waitSignal(table.selected) as heard:
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=table.visualRect(index).center())
    assert heard.args == [key]
    assert table.selected_keys() == (key,)


def test_presses_with_ctrl_add_rows_and_take_them_away(qtbot: QtBot, table: PolymerTableView) -> None:
    table.selected.connect(table.show_selection)  # the window answers before Qt has selected the row

    def press(line: int, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.ControlModifier) -> None:
        place = table.visualRect(table.polymer_model.index(line, Column.POLYMER)).center()
        qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifiers, place)

    keys = [table.polymer_model.row(line).key for line in range(4)]
    press(0, Qt.KeyboardModifier.NoModifier)
    press(1)
    press(3)
    assert table.selected_keys() == (keys[0], keys[1], keys[3])
    press(3)
    assert table.selected_keys() == (keys[0], keys[1])
    table.show_selection(keys[3])  # as after a new result: the list stays as the user chose it
    assert table.selected_keys() == (keys[0], keys[1])
    table.show_selection(keys[2])
    assert table.selected_keys() == (keys[2],)
    press(1, Qt.KeyboardModifier.NoModifier)
    assert table.selected_keys() == (keys[1],)


def test_selection_from_elsewhere_is_shown_and_not_announced(qtbot: QtBot, table: PolymerTableView) -> None:
    key = key_named("nylon 610")
    with qtbot.assertNotEmitted(table.selected):
        table.show_selection(key)
    assert table.selected_keys() == (key,)
    line = table.polymer_model.line_of(key)
    assert table.viewport().rect().intersects(table.visualRect(table.polymer_model.index(line, Column.POLYMER)))
    table.show_selection("")
    assert table.selected_keys() == ()


def test_selection_survives_sorting_filtering_and_a_new_snapshot(qtbot: QtBot, table: PolymerTableView) -> None:
    key = key_named("nylon 66")
    table.show_selection(key)
    with qtbot.assertNotEmitted(table.selected):
        table.sortByColumn(Column.MD, Qt.SortOrder.DescendingOrder)
        assert table.selected_keys() == (key,)
        table.set_filter("measured", "nylon")
        assert table.selected_keys() == (key,)
        table.show_snapshot(uncalibrated_snapshot())
        assert table.selected_keys() == (key,)
        table.set_filter("measured", "polystyrene")
        assert table.selected_keys() == ()
        table.set_filter("measured", "")
    assert table.selected_keys() == (key,)


def select(table: PolymerTableView, *wanted: str) -> None:
    flags = QItemSelectionModel.SelectionFlag.Select | QItemSelectionModel.SelectionFlag.Rows
    table.clearSelection()
    for key in wanted:
        table.selectionModel().select(table.polymer_model.index(table.polymer_model.line_of(key), 0), flags)


def test_a_chosen_row_stays_in_sight_when_the_table_becomes_smaller(table: PolymerTableView) -> None:
    index = table.indexAt(QPoint(5, table.viewport().height() - 60))
    table.show_selection(table.polymer_model.row(index.row()).key)
    assert table.viewport().rect().contains(table.visualRect(index))
    table.resize(400, 240)
    assert table.viewport().rect().contains(table.visualRect(table.currentIndex().siblingAtColumn(1)))
    table.scrollToTop()
    table.resize(400, 230)
    assert table.verticalScrollBar().value() == 0  # who scrolled away stays there


def test_another_list_begins_at_its_top_unless_the_chosen_polymer_is_in_it(
    qtbot: QtBot, table: PolymerTableView
) -> None:
    table.scrollToBottom()
    table.set_filter("predicted")
    qtbot.waitUntil(lambda: not table.is_drawing, timeout=60_000)
    assert table.polymer_model.filter.group == "predicted"
    assert table.verticalScrollBar().value() == 0
    with qtbot.assertNotEmitted(table.selected):  # to give it the keyboard is no choice
        table.clearFocus()
        table.setFocus()
    last = keys(table)[-1]
    table.scrollToTop()
    table.set_filter("measured")
    table.show_selection(last)
    table.set_filter("predicted")
    qtbot.waitUntil(lambda: not table.is_drawing, timeout=60_000)
    line = table.polymer_model.index(table.polymer_model.line_of(last), Column.POLYMER)
    assert table.viewport().rect().intersects(table.visualRect(line))


def test_space_leaves_the_selected_rows_out(qtbot: QtBot, table: PolymerTableView) -> None:
    wanted = (key_named("nylon 6"), key_named("nylon 610"))
    select(table, *wanted)
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert heard.args == [wanted]


def test_space_without_a_selection_wishes_nothing(qtbot: QtBot, table: PolymerTableView) -> None:
    table.clearSelection()
    with qtbot.assertNotEmitted(table.leave_out_toggled):
        qtbot.keyClick(table, Qt.Key.Key_Space)


def test_space_shows_rows_that_are_out_of_sight_before_it_changes_them(qtbot: QtBot, table: PolymerTableView) -> None:
    wanted = key_named("nylon 6")
    select(table, wanted)
    table.scrollToBottom()
    with qtbot.assertNotEmitted(table.leave_out_toggled):
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert table.rowAt(0) <= table.polymer_model.line_of(wanted) < table.rowAt(table.viewport().height() - 1)
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert heard.args == [(wanted,)]


def test_space_concerns_only_polymers_that_can_be_in_the_fit(qtbot: QtBot, table: PolymerTableView) -> None:
    select(table, key_named("nylon 6"), key_named("nylon 612"))
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        qtbot.keyClick(table, Qt.Key.Key_Space)
    assert heard.args == [(key_named("nylon 6"),)]
    select(table, key_named("nylon 612"))
    with qtbot.assertNotEmitted(table.leave_out_toggled):
        qtbot.keyClick(table, Qt.Key.Key_Space)


def test_the_menu_of_rows_offers_what_can_be_done(qtbot: QtBot, table: PolymerTableView) -> None:
    select(table, key_named("nylon 6"))
    assert [action.text() for action in table.row_menu().actions()] == [
        "Leave out of the fit",
        "Note…",
        "Copy row",
        "",
        "Sort by",
        "Columns",
    ]
    select(table, key_named("nylon 11"))
    action = table.row_menu().actions()[0]
    assert action.text() == "Take back into the fit"
    with qtbot.waitSignal(table.leave_out_toggled) as heard:
        action.trigger()
    assert heard.args == [(key_named("nylon 11"),)]
    table.clearSelection()
    assert [action.text() for action in table.row_menu().actions()] == ["Sort by", "Columns"]


def test_the_keyboard_sorts_by_the_menu(table: PolymerTableView) -> None:
    def sort_by(title: str) -> None:
        menu = next(action for action in table.row_menu().actions() if action.text() == "Sort by").menu()
        next(action for action in menu.actions() if action.text() == title).trigger()

    def measured() -> list[float]:
        return [float(text) for text in texts(table, Column.MEASURED)]

    sort_by("Measured")
    assert measured() == sorted(measured())
    sort_by("Measured")
    assert measured() == sorted(measured(), reverse=True)
    sort_by("Order of the file")
    assert keys(table) == [row.key for row in sample_snapshot().rows if row.state != "predicted"]


def test_an_empty_table_says_why(table: PolymerTableView) -> None:
    table.set_filter("measured", "there is no such polymer")
    picture = table.viewport().grab().toImage()
    assert min(picture.pixelColor(x, y).lightness() for x in range(picture.width()) for y in range(40)) < 150


def test_copy_gives_a_spreadsheet_what_it_can_read(qtbot: QtBot, table: PolymerTableView) -> None:
    table.columns.choose(list(Column))
    select(table, key_named("nylon 6"), key_named("nylon 612"))
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    head, first, second = (line.split("\t") for line in QGuiApplication.clipboard().text().splitlines())
    assert head[:4] == ["SMILES", "Polymer", "Id", "Measured [J/(kg K)]"]
    both_ends_and_id = len(GROUP_COLUMNS["measured"]) + 2
    assert len(first) == len(second) == len(head) == both_ends_and_id
    assert head[6:8] == ["90 % interval [J/(kg K)], from", "90 % interval [J/(kg K)], to"]
    row = sample_snapshot().row(key_named("nylon 6"))
    values = row_values(sample_snapshot(), (row,))
    assert first[:3] == [row.smiles, "nylon 6", row.id]
    assert float(first[3]) == row.measured
    assert float(first[5]) == pytest.approx(values.calibrated[0], rel=1e-5)
    assert [float(text) for text in first[6:8]] == pytest.approx([values.lower[0], values.upper[0]], rel=1e-5)
    # a plain minus, not a typographic one
    assert float(first[8]) == pytest.approx(values.residual_percent[0], rel=1e-4)
    assert second[4:9] == ["", "", "", "", ""]
    assert second[9] == "no MD value"


def test_numbers_are_copied_with_the_decimal_mark_of_the_language(table: PolymerTableView) -> None:
    line = table.polymer_model.line_of(key_named("nylon 6"))
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German))
    try:
        head, row = (text.split("\t") for text in table.copied_text([line]).splitlines())
    finally:
        QLocale.setDefault(before)
    residual = row[head.index("Residual [%]")]
    assert "." not in residual
    assert float(residual.replace(",", ".")) == pytest.approx(
        row_values(sample_snapshot(), (sample_snapshot().row(key_named("nylon 6")),)).residual_percent[0], rel=1e-4
    )


def test_texts_with_tabs_do_not_shift_the_columns_of_a_copy(qtbot: QtBot, light: QApplication) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    row = PolymerRow("k", "two\tparts\nof a name", "", "*CC*", 1.0, math.nan, "no MD value")
    table.show_snapshot(Snapshot(rows=(row,)))
    table.selectAll()
    assert len(table.copied_text().splitlines()) == 2
    assert "two parts of a name" in table.copied_text()
    table.close_thumbnails()


@pytest.mark.parametrize("name", ['=HYPERLINK("http://example.org","x")', "+cmd|' /C calc'!A0", "@SUM(A1)", "\u200b=1"])
def test_no_copied_name_is_a_formula_of_a_spreadsheet(name: str, qtbot: QtBot, light: QApplication) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    table.show_snapshot(Snapshot(rows=(PolymerRow("k", name, name, "*CC*", 1.0, math.nan, "no MD value"),)))
    table.selectAll()
    cells = table.copied_text().splitlines()[1].split("\t")
    assert cells.count("'" + name) == 2  # name and id
    assert not [cell for cell in cells if cell[:1] in "=+@" and cell]
    table.close_thumbnails()


def test_a_narrow_table_hides_columns_and_moves_the_state_beside_the_id(qtbot: QtBot, table: PolymerTableView) -> None:
    assert table.columns.shown() == GROUP_COLUMNS["measured"]
    table.resize(338, 500)
    assert Column.STATE not in table.columns.shown()
    assert {Column.POLYMER, Column.MEASURED, Column.CALIBRATED, Column.RESIDUAL} <= set(table.columns.shown())
    qtbot.waitUntil(lambda: not table.horizontalScrollBar().isVisible(), timeout=2000)
    qtbot.waitUntil(lambda: not table.horizontalScrollBar().isVisible(), timeout=2000)
    table.resize(700, 500)
    assert table.columns.shown() == GROUP_COLUMNS["measured"]


def test_a_narrow_column_comes_back_where_a_wide_one_had_to_go(table: PolymerTableView) -> None:
    for width in range(300, 700, 10):
        table.resize(width, 500)
        shown = table.columns.shown()
        room = table.viewport().width() - sum(table.columnWidth(column) for column in shown if column != Column.POLYMER)
        assert Column.MD in shown or Column.INTERVAL not in shown, width
        if Column.MD not in shown and Column.STATE not in shown:
            table.columns.choose((*shown, Column.MD))
            assert room < SMALLEST_NAME + table.columnWidth(Column.MD), width
            table.columns.choose(None)


def test_chosen_columns_stay_whatever_the_width(qtbot: QtBot, table: PolymerTableView) -> None:
    menu = table.columns.menu(table)
    md = next(action for action in menu.actions() if action.text() == "MD")
    with qtbot.waitSignal(table.columns.changed):
        md.trigger()
    assert Column.MD not in table.columns.shown()
    table.resize(338, 500)
    assert Column.STATE in table.columns.shown()
    assert Column.MD not in table.columns.shown()
    table.columns.choose(None)
    table.resize(700, 500)
    assert table.columns.shown() == GROUP_COLUMNS["measured"]


def test_names_cannot_be_hidden(table: PolymerTableView) -> None:
    table.columns.choose([Column.MD])
    assert table.columns.shown() == (Column.POLYMER, Column.MD)


def test_tooltips_tell_what_the_file_says_and_do_not_interpret_it(qtbot: QtBot, light: QApplication) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    row = PolymerRow("k", "<img src=x>", "", "*CC*", 1.0, 2.0, "used", details=(("source", "a & b"),))
    table.show_snapshot(Snapshot(rows=(row,)))
    tip = table.polymer_model.index(0, Column.POLYMER).data(Qt.ItemDataRole.ToolTipRole)
    assert "&lt;img" in tip
    assert "<img" not in tip
    assert "a &amp; b" in tip
    table.close_thumbnails()


def test_pictures_arrive_in_the_background_in_the_colours_of_the_theme(qtbot: QtBot, table: PolymerTableView) -> None:
    table.show_selection(key_named("nylon 6"))
    column = table.columnViewportPosition(Column.STRUCTURE)
    row_top = table.visualRect(table.polymer_model.index(table.polymer_model.line_of(key_named("nylon 6")), 0)).top()

    def structure_is_drawn(dark: bool) -> bool:
        picture = table.viewport().grab().toImage()
        ground = picture.pixelColor(column + 45, row_top + 4).lightness()
        strokes = [
            picture.pixelColor(column + x, row_top + y).lightness() - ground for x in range(6, 56) for y in range(6, 44)
        ]
        return max(strokes) > 60 if dark else min(strokes) < -60

    qtbot.waitUntil(lambda: structure_is_drawn(dark=False), timeout=10_000)
    DARK_THEME.apply_to(QApplication.instance())
    table.apply_theme(DARK_THEME)
    qtbot.waitUntil(lambda: structure_is_drawn(dark=True), timeout=10_000)
    LIGHT_THEME.apply_to(QApplication.instance())
    table.apply_theme(LIGHT_THEME)


def test_closing_while_pictures_are_drawn_ends_the_thread(qtbot: QtBot, light: QApplication) -> None:
    for _ in range(3):
        table = PolymerTableView()
        table.resize(700, 500)
        table.show_snapshot(sample_snapshot())
        table.show()
        table.grab()  # pictures of all visible rows are wished for
        table.close_thumbnails()
        assert await_late_jobs(60.0)  # the first picture waits for the chemistry to be imported
        table.deleteLater()
        deliver_all()


def test_ten_thousand_rows_filter_and_sort(qtbot: QtBot, light: QApplication) -> None:
    base = sample_snapshot().rows
    rows = tuple(replace(base[n % 352], key=f"r{n}", name=f"polymer {n}") for n in range(10_000))
    table = PolymerTableView()
    qtbot.addWidget(table)
    table.show_snapshot(Snapshot(rows=rows))

    def wait() -> None:  # for the thread that filters and sorts
        qtbot.waitUntil(lambda: not table.polymer_model.is_arranging, timeout=60_000)

    table.set_filter("measured", "polymer 99")
    wait()
    assert table.polymer_model.rowCount() == sum("99" in row.name and row.state != "predicted" for row in rows)
    table.set_filter("measured")
    table.sortByColumn(Column.MEASURED, Qt.SortOrder.DescendingOrder)
    wait()
    table.selectAll()
    assert len(table.selected_keys()) == sum(row.state != "predicted" for row in rows)
    table.close_thumbnails()


def test_an_empty_study_is_an_empty_table(qtbot: QtBot, light: QApplication) -> None:
    table = PolymerTableView()
    qtbot.addWidget(table)
    table.show_snapshot(Snapshot())
    table.show()
    table.show_selection("nothing")
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(20, 20))
    assert table.polymer_model.rowCount() == 0
    table.close_thumbnails()


def test_a_filter_that_shows_nothing_survives_other_rows(table: PolymerTableView) -> None:
    """The number of lines stays none; the numbers of the rows behind them do not."""
    table.polymer_model.set_filter(replace(table.polymer_model.filter, text="no polymer has this name"))
    table.show_snapshot(Snapshot())
    snapshot = sample_snapshot()
    table.show_snapshot(snapshot)
    assert keys(table) == []
    assert {table.polymer_model.line_of(row.key) for row in snapshot.rows} == {-1}
    table.show_selection(snapshot.rows[-1].key)


def test_a_note_is_asked_for_where_the_polymer_stands_and_shown_in_its_state(
    qtbot: QtBot, table: PolymerTableView
) -> None:
    key = key_named("nylon 6")
    select(table, key)
    with qtbot.waitSignal(table.note_wanted) as told:
        qtbot.keyClick(table, Qt.Key.Key_F2, Qt.KeyboardModifier.ShiftModifier)
    assert told.args is not None
    assert told.args[0] == key
    assert table.rect().contains(table.mapFromGlobal(told.args[1].center()))
    snapshot = sample_snapshot()
    table.show_snapshot(replace(snapshot, settings=snapshot.settings.with_note(key, "wet sample")))
    select(table, key)
    assert "Note: wet sample" in table.copied_text()
