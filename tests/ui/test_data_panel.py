"""The data panel: what it says about tables and matches, and which wishes it passes on."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from sample_snapshot import sample_snapshot, uncalibrated_snapshot

from affinecal_gui.study.snapshot import PolymerRow, Snapshot, TableSummary
from affinecal_gui.ui.data_panel import DataPanel
from affinecal_gui.ui.polymer_model import Column
from affinecal_gui.ui.tables_list import with_symbols
from affinecal_gui.ui.theme import DARK_THEME
from affinecal_gui.ui.widgets import InfoLine


@pytest.fixture
def panel(qtbot: QtBot, light: QApplication) -> Iterator[DataPanel]:
    made = DataPanel()
    qtbot.addWidget(made)
    made.resize(520, 800)
    made.show_snapshot(sample_snapshot())
    made.show()
    yield made
    assert made.table.close_thumbnails()


def info(panel: DataPanel, name: str) -> InfoLine:
    return panel.findChild(InfoLine, name)


def test_tables_are_listed_with_rows_and_what_they_give(panel: DataPanel) -> None:
    cells = [[panel.tables.item(line, column).text() for column in range(3)] for line in range(2)]
    assert cells == [
        ["heat_capacity_measured.csv", "81", "measured Cp, J/(kg K)"],
        ["md_radonpy.csv", "333", "MD Cp, J/(kg K), at 300 K"],
    ]


def test_rows_that_were_not_used_are_said(panel: DataPanel) -> None:
    table = TableSummary("t", "values.csv", "/data/values.csv", 9, 2, "measured Cp, J/(kg K)")
    panel.show_snapshot(replace(sample_snapshot(), tables=(table,)))
    assert panel.tables.item(0, 2).text().endswith("2 rows not used")


def test_symbols_are_printed_and_file_texts_stay_text() -> None:
    symbols = {"Cp": "<i>C</i><sub>p</sub>"}
    assert with_symbols("measured Cp, J", symbols) == "measured <i>C</i><sub>p</sub>, J"
    assert with_symbols("Cpx <b>", symbols) == "Cpx &lt;b&gt;"


def test_the_match_is_summed_up_with_a_way_to_the_others(qtbot: QtBot, panel: DataPanel) -> None:
    line = info(panel, "matchSummary")
    assert "62 of 81 measured polymers have an MD value." in line.text
    assert "The 19 others…" in line.text
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


def test_states_are_offered_with_counts_and_filter_the_table(panel: DataPanel) -> None:
    offered = [panel.states.itemText(number) for number in range(panel.states.count())]
    assert offered == ["All states", "61 used", "1 left out", "19 without an MD value"]
    panel.states.setCurrentIndex(2)
    assert panel.table.polymer_model.rowCount() == 1
    panel.show_snapshot(replace(sample_snapshot()))
    assert panel.states.currentText() == "1 left out"


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
    assert panel.columns.text() == f"{len(panel.table.shown_columns())} of 8 columns"
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
