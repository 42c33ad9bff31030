"""The data panel: what it says about tables and matches, and which wishes it passes on."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from affinecal_gui.study.snapshot import PolymerRow, Snapshot, TableSummary
from affinecal_gui.ui.parts.painted_text import plain_text, rich_text_width
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.polymers.data_panel import DataPanel
from affinecal_gui.ui.views.polymers.table.polymer_cells import Column
from affinecal_gui.ui.views.polymers.tables_list import WORDINGS_ROLE, fitting_wording, with_symbols
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot


@pytest.fixture
def panel(qtbot: QtBot, light: QApplication) -> Iterator[DataPanel]:
    made = DataPanel()
    qtbot.addWidget(made)
    made.resize(520, 800)
    made.show_snapshot(sample_snapshot())
    made.show()
    yield made
    made.table.close_thumbnails()
    assert await_late_jobs(60.0)


def info(panel: DataPanel, name: str) -> InfoLine:
    return panel.findChild(InfoLine, name)


def test_tables_are_listed_with_rows_and_what_they_give(panel: DataPanel) -> None:
    cells = [[panel.tables.item(line, column).text() for column in range(3)] for line in range(2)]
    assert cells == [
        ["heat_capacity_measured.csv", "81", "measured Cp, J/(kg K)"],
        ["md_radonpy.csv", "333", "MD Cp, J/(kg K), at 300 K"],
    ]


def test_large_numbers_are_told_with_marks_for_thousands(qtbot: QtBot, panel: DataPanel) -> None:
    first = sample_snapshot().rows[0]
    rows = tuple(replace(first, key=f"k{number}") for number in range(1234))
    table = TableSummary("t", "values.csv", "/data/values.csv", 1234, 0, "measured Cp, J/(kg K)")
    panel.show_snapshot(replace(uncalibrated_snapshot(), rows=rows, tables=(table,)))
    assert panel.tables.item(0, 1).text() == "1,234"
    assert panel.tabs.tabText(0).endswith("1,234")
    panel.filter.setText(first.label[:3])
    qtbot.waitUntil(lambda: panel.findChild(QLabel, "dataFooter").text() == "1,234 of 1,234 shown")


def test_rows_that_were_not_used_are_said(panel: DataPanel) -> None:
    table = TableSummary("t", "values.csv", "/data/values.csv", 9, 2, "measured Cp, J/(kg K)")
    panel.show_snapshot(replace(sample_snapshot(), tables=(table,)))
    assert panel.tables.item(0, 2).text().endswith("2 rows not used")


def test_a_list_without_room_says_rather_how_many_rows_are_not_used_than_the_unit(panel: DataPanel) -> None:
    table = TableSummary(
        "t", "values.csv", "/data/values.csv", 9, 2, "measured Cp, J/(kg K)", gives_briefly=("measured Cp",)
    )
    panel.show_snapshot(replace(sample_snapshot(), tables=(table,)))
    wordings, font = panel.tables.item(0, 2).data(WORDINGS_ROLE), panel.font()
    widths = [rich_text_width(text, font) for text in wordings]
    assert widths == sorted(widths, reverse=True)
    shown = [plain_text(fitting_wording(wordings, font, width)) for width in (*widths, 0.0)]
    briefly = "measured Cp; 2 rows not used"
    assert shown == ["measured Cp, J/(kg K); 2 rows not used", briefly, "2 rows not used", "2 rows not used"]


def test_symbols_are_printed_and_file_texts_stay_text() -> None:
    symbols = {"Cp": "<i>C</i><sub>p</sub>"}
    assert with_symbols("measured Cp, J", symbols) == "measured <i>C</i><sub>p</sub>, J"
    assert with_symbols("Cpx <b>", symbols) == "Cpx &lt;b&gt;"
    assert with_symbols("", symbols) == ""
    assert with_symbols("Cp/Cp, Cp_2, µCp, 2 Cp", symbols) == (
        "<i>C</i><sub>p</sub>/<i>C</i><sub>p</sub>, Cp_2, µCp, 2 <i>C</i><sub>p</sub>"
    )


def test_symbols_are_not_sought_in_what_others_are_printed_as() -> None:
    symbols = {"i": "<b>i</b>", "C": "<b>C</b>", "C p": "<i>C</i><sub>p</sub>", "k<0": "k"}
    assert with_symbols("C, C p and i", symbols) == "<b>C</b>, <i>C</i><sub>p</sub> and <b>i</b>"
    assert with_symbols("k<0 & k<01", symbols) == "k &amp; k&lt;01"


def test_the_match_is_summed_up_with_a_way_to_the_others(qtbot: QtBot, panel: DataPanel) -> None:
    line = info(panel, "matchSummary")
    assert "62 of 81 measured polymers have an MD value." in line.text
    assert "The&nbsp;19&nbsp;others…<" in line.text  # never broken in two lines
    with qtbot.waitSignal(panel.match_report_requested):
        line.link_activated.emit("others")


def test_the_unmatched_are_shown_on_request(panel: DataPanel) -> None:
    panel.tabs.setCurrentIndex(1)
    panel.filter.setText("nylon")
    panel.show_unmatched()
    model = panel.table.polymer_model
    assert {model.row(line).state for line in range(model.rowCount())} == {"no MD value"}
    assert model.rowCount() == 19


def test_descriptors_are_counted(panel: DataPanel) -> None:
    line = info(panel, "descriptorSummary")
    assert line.text == "190 descriptors computed for all 333 polymers with an MD value."
    some = sample_snapshot().descriptors.copy()
    some[:3] = np.nan
    panel.show_snapshot(replace(sample_snapshot(), descriptors=some))
    assert line.text == "190 descriptors computed for 330 of 333 polymers with an MD value."
    panel.show_snapshot(uncalibrated_snapshot())
    assert line.isHidden()


def test_tabs_count_their_polymers(panel: DataPanel) -> None:
    assert [panel.tabs.tabText(number).split() for number in range(2)] == [["Measured", "81"], ["Predicted", "271"]]


def test_the_footer_counts_states(panel: DataPanel) -> None:
    footer = panel.findChild(QLabel, "dataFooter")
    assert footer.text() == "61 used, 1 left out, 19 without an MD value"
    panel.tabs.setCurrentIndex(1)
    assert footer.text() == "271 predicted"


def test_the_footer_says_how_many_are_shown_while_a_filter_is_set(qtbot: QtBot, panel: DataPanel) -> None:
    footer = panel.findChild(QLabel, "dataFooter")
    panel.focus_filter()
    qtbot.keyClicks(panel.filter, "nylon 6")
    assert footer.text() == "5 of 81 shown"
    panel.filter.clear()
    assert footer.text() == "61 used, 1 left out, 19 without an MD value"
    panel.states.setCurrentIndex(3)
    assert footer.text() == "19 of 81 shown"
    panel.tabs.setCurrentIndex(1)
    panel.filter.setText("no polymer is called so")
    assert footer.text() == "0 of 271 shown"


def test_escape_empties_the_filter_and_goes_back_to_the_list(qtbot: QtBot, panel: DataPanel) -> None:
    cancelled: list[bool] = []
    shortcut = QShortcut(QKeySequence(Qt.Key.Key_Escape), panel)
    shortcut.activated.connect(lambda: cancelled.append(True))
    panel.activateWindow()
    panel.focus_filter()
    qtbot.waitUntil(panel.filter.hasFocus)
    qtbot.keyClicks(panel.filter, "nylon 6")
    qtbot.keyClick(panel.filter, Qt.Key.Key_Escape)
    assert panel.filter.text() == ""
    assert panel.table.hasFocus()
    assert panel.table.polymer_model.rowCount() == 81
    assert cancelled == []
    panel.focus_filter()
    qtbot.keyClick(panel.filter, Qt.Key.Key_Escape)  # there is nothing to empty: the window's own meaning of the key
    assert cancelled == [True]
    assert panel.filter.hasFocus()


def test_states_are_offered_with_counts_and_filter_the_table(panel: DataPanel) -> None:
    offered = [panel.states.itemText(number) for number in range(panel.states.count())]
    assert offered == ["All states", "61 used", "1 left out", "19 without an MD value"]
    panel.states.setCurrentIndex(2)
    assert panel.table.polymer_model.rowCount() == 1
    panel.show_snapshot(replace(sample_snapshot()))
    assert panel.states.currentText() == "1 left out"


def test_letters_typed_in_the_table_go_on_in_the_filter(qtbot: QtBot, panel: DataPanel) -> None:
    panel.activateWindow()
    panel.table.setFocus()
    for key in (Qt.Key.Key_Escape, Qt.Key.Key_Delete):
        qtbot.keyClick(panel.table, key)
    assert panel.filter.text() == ""
    qtbot.keyClick(panel.table, Qt.Key.Key_S)
    qtbot.waitUntil(panel.filter.hasFocus)
    qtbot.keyClicks(panel.filter, "tyr")
    assert panel.filter.text() == "styr"


def test_typing_filters_at_once(qtbot: QtBot, panel: DataPanel) -> None:
    panel.focus_filter()
    qtbot.keyClicks(panel.filter, "nylon 6")
    assert panel.table.polymer_model.rowCount() == 5
    panel.filter.clear()
    assert panel.table.polymer_model.rowCount() == 81


def test_selecting_a_predicted_polymer_from_elsewhere_shows_its_list(qtbot: QtBot, panel: DataPanel) -> None:
    row = next(row for row in sample_snapshot().rows if row.state == "predicted")
    with qtbot.assertNotEmitted(panel.selected):
        panel.show_selection(row.key)
    assert panel.group == "predicted"
    assert panel.table.selected_keys() == (row.key,)


def test_a_new_result_leaves_the_list_that_is_shown(panel: DataPanel) -> None:
    measured = sample_snapshot().rows[0].key
    panel.show_selection(measured)
    panel.tabs.setCurrentIndex(2)
    panel.show_snapshot(replace(sample_snapshot(), stale=True))
    panel.show_selection(measured)  # which the window says again with every result
    assert panel.group == "next"


def test_the_reason_of_the_selected_polymer_is_written_out(panel: DataPanel) -> None:
    row = PolymerRow("k", "odd", "", "*CC", 1.0, float("nan"), "invalid", reason="One <end> mark is missing.")
    panel.show_snapshot(replace(sample_snapshot(), rows=(*sample_snapshot().rows, row)))
    panel.show_selection("k")
    line = info(panel, "stateReason")
    assert line.isVisible()
    assert line.text == "One &lt;end&gt; mark is missing."
    panel.show_selection(sample_snapshot().rows[0].key)
    assert not line.isVisible()


def test_wishes_of_the_table_are_passed_on(qtbot: QtBot, panel: DataPanel) -> None:
    key = sample_snapshot().rows[3].key
    line = panel.table.polymer_model.line_of(key)
    with qtbot.waitSignal(panel.selected) as heard:
        panel.table.setCurrentIndex(panel.table.polymer_model.index(line, Column.POLYMER))
    assert heard.args == [key]
    with qtbot.waitSignal(panel.leave_out_toggled) as wished:
        qtbot.keyClick(panel.table, Qt.Key.Key_Space)
    assert wished.args == [(key,)]


def test_a_table_is_removed_by_menu_or_delete(qtbot: QtBot, panel: DataPanel) -> None:
    menu = panel.tables.menu_for(panel.tables.item(1, 0))
    action = menu.actions()[1]
    assert action.text() == "Remove md_radonpy.csv"
    with qtbot.waitSignal(panel.table_removed) as heard:
        action.trigger()
    assert heard.args == ["md"]
    panel.tables.setCurrentCell(0, 0)
    with qtbot.waitSignal(panel.table_removed) as heard:
        qtbot.keyClick(panel.tables, Qt.Key.Key_Delete)
    assert heard.args == ["measured"]


def test_the_column_chooser_appears_where_columns_are_hidden(qtbot: QtBot, panel: DataPanel) -> None:
    panel.resize(660, 800)
    qtbot.waitUntil(lambda: not panel.columns.isVisible(), timeout=2000)
    panel.resize(338, 600)
    qtbot.waitUntil(panel.columns.isVisible, timeout=2000)
    assert panel.columns.text() == f"{len(panel.table.columns.shown())} of 8 columns"
    assert panel.width() == 338


def test_a_study_with_md_values_only_shows_them(qtbot: QtBot, light: QApplication) -> None:
    panel = DataPanel()
    qtbot.addWidget(panel)
    rows = tuple(row for row in sample_snapshot().rows if row.state == "predicted")
    panel.show_snapshot(Snapshot(tables=sample_snapshot().tables[1:], rows=rows))
    assert panel.group == "predicted"
    assert not panel.tabs.isTabEnabled(0)
    panel.table.close_thumbnails()


def test_links_keep_to_the_colours_of_the_theme(panel: DataPanel, light: QApplication) -> None:
    DARK_THEME.apply_to(light)
    panel.apply_theme(DARK_THEME)
    assert DARK_THEME.palette.link in info(panel, "matchSummary").text


def test_every_control_has_a_name(panel: DataPanel) -> None:
    for control in (panel.tables, panel.tabs, panel.filter, panel.states, panel.table, panel.table.horizontalHeader()):
        assert control.accessibleName()
        assert control.objectName()


def test_a_selection_survives_being_emptied_and_filled(panel: DataPanel) -> None:
    first = sample_snapshot().rows[3].key
    panel.show_selection(first)
    panel.table.selectAll()
    panel.show_snapshot(Snapshot())
    assert panel.table.selected_keys() == ()
    panel.show_snapshot(sample_snapshot())
    fewer = replace(sample_snapshot(), rows=sample_snapshot().rows[:5])
    panel.table.selectAll()
    panel.show_snapshot(fewer)
    assert set(panel.table.selected_keys()) <= {row.key for row in fewer.rows}


def test_the_list_of_what_to_measure_next(qtbot: QtBot, panel: DataPanel) -> None:
    assert panel.tabs.tabText(2).split() == ["Measure", "next", "2"]
    panel.tabs.setCurrentIndex(2)
    model = panel.table.polymer_model
    snapshot = sample_snapshot()
    rows = {row.library_index: row for row in snapshot.rows if row.library_index >= 0}
    assert [model.row(line).key for line in range(model.rowCount())] == [rows[100].key, rows[200].key]
    assert [model.text(line, Column.RANK) for line in range(2)] == ["1", "2"]
    # 100 (1 - 0.40 / 0.41), and what is left of 0.41 after the second
    assert model.text(0, Column.GAIN) == "2.4 % narrower"
    assert Column.MEASURED not in panel.table.columns.shown()
    purpose = info(panel, "measureNextPurpose")
    assert "would narrow the 90 % intervals of the whole library (333 polymers) the most" in purpose.text
    with qtbot.waitSignal(panel.selected) as told:
        panel.table.setCurrentIndex(model.index(0, Column.POLYMER))
    assert told.args == [rows[100].key]
    reason = info(panel, "stateReason")
    assert reason.text.startswith(f"Measuring {rows[100].label} would narrow")
    panel.tabs.setCurrentIndex(0)
    assert purpose.isHidden()
    assert Column.RANK not in panel.table.columns.shown()


def test_suggestions_keep_their_order_and_the_other_lists_theirs(panel: DataPanel) -> None:
    head = panel.table.horizontalHeader()
    panel.table.sortByColumn(Column.MD, Qt.SortOrder.DescendingOrder)
    panel.tabs.setCurrentIndex(2)
    assert head.sortIndicatorSection() == Column.RANK
    assert [panel.table.polymer_model.text(line, Column.RANK) for line in range(2)] == ["1", "2"]
    panel.tabs.setCurrentIndex(1)
    assert head.sortIndicatorSection() == Column.MD
    assert head.sortIndicatorOrder() == Qt.SortOrder.DescendingOrder


def test_a_selection_from_elsewhere_stays_among_the_suggestions_if_it_is_one(panel: DataPanel) -> None:
    rows = {row.library_index: row for row in sample_snapshot().rows if row.library_index >= 0}
    panel.tabs.setCurrentIndex(2)
    panel.show_selection(rows[200].key)
    assert panel.group == "next"
    assert panel.table.selected_keys() == (rows[200].key,)
    panel.show_selection(rows[150].key)
    assert panel.group == "predicted"


def test_a_calibration_without_suggestions_has_no_such_list(panel: DataPanel) -> None:
    panel.tabs.setCurrentIndex(2)
    panel.show_snapshot(uncalibrated_snapshot())
    assert not panel.tabs.isTabEnabled(2)
    assert panel.group == "measured"
    panel.show_snapshot(sample_snapshot())
    assert panel.group == "next"  # the list that the user wants comes back with its polymers


def test_the_list_shown_is_copied_or_asked_to_be_saved(qtbot: QtBot, panel: DataPanel) -> None:
    assert panel.width() >= 480
    with qtbot.waitSignal(panel.export_requested) as told:
        panel.export_button.click()
    assert told.args == ["predictions"]
    panel.tabs.setCurrentIndex(2)
    with qtbot.waitSignal(panel.export_requested) as told:
        panel.export_button.click()
    assert told.args == ["next"]
    panel.copy_button.click()
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t")[:4] == ["No.", "SMILES", "Polymer", "Id"]
    assert lines[0].split("\t")[-1] == "Narrows the mean interval by [%]"
    assert float(lines[1].split("\t")[-1]) == pytest.approx(100 * (1 - 0.40 / 0.41), rel=1e-4)
    assert len(lines) == 3
    panel.show_snapshot(uncalibrated_snapshot())
    assert not panel.export_button.isEnabled()


def test_narrow_tabs_shorten_their_titles_and_keep_their_counts(panel: DataPanel) -> None:
    panel.resize(320, 600)
    assert [panel.tabs.tabText(number).split()[0] for number in range(3)] == ["Measured", "Predicted", "Next"]
    assert panel.tabs.tabToolTip(2) == "Measure next"
    assert all(
        panel.tabs.fontMetrics().horizontalAdvance(panel.tabs.tabText(number)) < panel.tabs.tabRect(number).width()
        for number in range(3)
    )


def test_where_measured_values_stand_alone_those_that_come_with_the_program_are_a_click_away(
    qtbot: QtBot, panel: DataPanel
) -> None:
    snapshot = replace(uncalibrated_snapshot(), compared=False, bundled_md_would_help=True)
    panel.show_snapshot(snapshot)
    (line,) = [label for label in panel.findChildren(QLabel) if "bundled" in label.text()]
    with qtbot.waitSignal(panel.bundled_md_wanted):
        line.linkActivated.emit("bundled")
    panel.show_snapshot(replace(snapshot, bundled_md_would_help=False))
    assert not [label for label in panel.findChildren(QLabel) if "bundled" in label.text()]


def test_values_of_a_calibrator_that_is_not_recommended_say_so_above_the_list(panel: DataPanel, qtbot: QtBot) -> None:
    snapshot = sample_snapshot()
    assert snapshot.calibration is not None
    recommended = snapshot.calibration.recommendation.recommended
    panel.show_snapshot(replace(snapshot, settings=replace(snapshot.settings, model=recommended)))
    assert not panel.advice.isVisible()
    chosen = replace(snapshot.settings, model="md", follows_advice=False)
    panel.show_snapshot(replace(snapshot, settings=chosen))
    assert panel.advice.isVisible()
    assert "not the recommended calibrator" in panel.advice.text
    with qtbot.waitSignal(panel.settings_changed) as heard:
        panel.advice.link_activated.emit("recommended")
    assert heard.args[0].follows_advice


def test_those_without_an_md_value_are_shown_as_long_as_the_report_is(panel: DataPanel) -> None:
    panel.show_unmatched()
    assert panel.states.currentData() == "no MD value"
    words = panel.states.fontMetrics().horizontalAdvance(panel.states.currentText())
    assert panel.states.minimumWidth() > words  # and not cut
    panel.show_matched_again()
    assert panel.states.currentIndex() == 0


def test_a_state_that_the_user_chose_stays_when_the_report_is_closed(panel: DataPanel) -> None:
    panel.show_unmatched()
    panel.states.activated.emit(panel.states.currentIndex())
    panel.show_matched_again()
    assert panel.states.currentData() == "no MD value"
