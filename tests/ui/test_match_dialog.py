"""The matching report in the window: filter, both structures, links by hand with undo, rules, export."""

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.dialogs.matching.match_dialog import MatchDialog
from affinecal_gui.ui.dialogs.matching.match_table import MD_VALUE, PARTNER, REASON, VALUE, WITHOUT_PARTNER
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow
from tests.ui.shared_window import SharedWindow

SECONDS = 60_000

MEASURED = """name,smiles,measured Cp [J/(kg K)],phase,temperature [K]
polyethylene,*CC*,1900,semicrystalline,298
polypropylene,*CC(*)C,1800,glass,298
polypropylene again,*C(C)C*,1700,glass,298
poly(pentene),*CC(*)CCC,1750,melt,420
poly(hexene),*CC(*)CCCC,1740,melt,430
broken,*CC(*)C1CC,1500,glass,298
"""
MD = """id,smiles,MD Cp [J/(kg K)]
m1,*CC*,4300
m2,*CC(*)C,4100
m3,*CC(*)CCCCC,3900
"""


class OpenDialogs(NoDialogs):
    """Shows every dialog of the window's own; writes where the test says."""

    save_to = ""

    def show_dialog(self, dialog: QDialog) -> bool:
        dialog.show()
        return True

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return self.save_to


@pytest.fixture
def dialogs() -> OpenDialogs:
    return OpenDialogs()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two polymers in common, which are too few for a calibration and enough for a report."""
    folder = tmp_path_factory.mktemp("tables")
    (folder / "measured.csv").write_text(MEASURED, encoding="utf-8")
    (folder / "md.csv").write_text(MD, encoding="utf-8")
    return [folder / "measured.csv", folder / "md.csv"]


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, dialogs: OpenDialogs, tables: list[Path]) -> Iterator[MainWindow]:
    yield shared_window.lend(dialogs, *tables)
    shared_window.take_back()


def rest(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: len(window.session.study.state.tables) == 2 and window.is_at_rest, timeout=SECONDS)


@pytest.fixture
def report(qtbot: QtBot, window: MainWindow) -> MatchDialog:
    window.window_actions.match_report.trigger()
    dialog = window.match_desk.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.content is not None and "polyethylene" in states(dialog), timeout=SECONDS)
    return dialog


def states(report: MatchDialog) -> dict[str, str]:
    lines = [report.table.lines.line(row) for row in range(report.table.lines.rowCount())]
    return {line.line.measured_name: line.state for line in lines}


def refreshed(qtbot: QtBot, window: MainWindow, report: MatchDialog) -> None:
    rest(qtbot, window)
    qtbot.waitUntil(
        lambda: report.content is not None
        and report.content.choices == window.session.study.state.settings.matching
        and not window.session.is_busy,
        timeout=SECONDS,
    )


def test_every_row_is_listed_with_what_became_of_it(report: MatchDialog) -> None:
    assert report.summary.text() == "2 of 4 measured polymers have an MD value."
    assert states(report) == {
        "polyethylene": "matched",
        "polypropylene": "matched",
        "poly(pentene)": "no MD value",
        "poly(hexene)": "no MD value",
        "*CC(*)C1CC": "invalid",
    }
    assert "reported" in report.notes.text or "several reports" in report.notes.text


def test_heads_are_legible_and_the_reason_has_most_room(report: MatchDialog) -> None:
    table = report.table
    heads = table.horizontalHeader()
    table.set_filter(None, "")
    for column in (VALUE, MD_VALUE):
        words = table.lines.headerData(column, Qt.Orientation.Horizontal)
        assert heads.fontMetrics().horizontalAdvance(words) < table.columnWidth(column)
    assert not table.isColumnHidden(PARTNER)
    table.set_filter(WITHOUT_PARTNER, "")
    assert table.isColumnHidden(PARTNER)  # nothing could stand there
    assert table.isColumnHidden(MD_VALUE)
    shown = [table.columnWidth(column) for column in range(REASON) if not table.isColumnHidden(column)]
    assert table.columnWidth(REASON) > max(shown)
    assert sum(shown) + table.columnWidth(REASON) == table.viewport().width()


def test_the_link_of_the_data_panel_shows_those_without_a_partner(qtbot: QtBot, window: MainWindow) -> None:
    window.study_views.data_panel.match_report_requested.emit()
    dialog = window.match_desk.dialog
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.content is not None, timeout=SECONDS)
    assert dialog.states.currentData() == WITHOUT_PARTNER
    assert set(states(dialog)) == {"poly(pentene)", "poly(hexene)"}
    dialog.filter.setText("hexene")
    assert set(states(dialog)) == {"poly(hexene)"}


def test_both_structures_are_shown_and_two_rows_linked_by_hand(
    qtbot: QtBot, window: MainWindow, report: MatchDialog
) -> None:
    row = next(row for row in range(5) if report.table.lines.line(row).line.measured_name == "poly(hexene)")
    report.table.show_line(row)
    assert report.detail.chosen is not None
    assert report.detail.chosen.label == "m3"  # the most similar one is proposed
    assert "similarity" in report.detail.offers.item(0).text()
    qtbot.waitUntil(lambda: not report.detail.is_drawing, timeout=SECONDS)
    report.detail.search.setText("m1")
    assert report.detail.chosen.label == "m1"
    report.detail.search.setText("nobody has this name")
    assert report.detail.offers.item(0).text().startswith("No MD polymer has this")  # an empty list would say nothing
    assert report.detail.chosen is None
    assert not report.detail.link_button.isEnabled()
    report.detail.search.clear()
    report.detail.link_button.click()
    refreshed(qtbot, window, report)
    assert states(report)["poly(hexene)"] == "linked by hand"
    assert window.session.study.snapshot().match_summary == "3 of 4 measured polymers have an MD value."
    assert window.session.study.snapshot().can_undo == "Link poly(hexene)"
    row = report.table.lines.row_of(report.table.current_line.key if report.table.current_line else "")
    report.table.show_line(row)
    assert report.detail.unlink_button.isVisible()
    report.detail.unlink_button.click()
    refreshed(qtbot, window, report)
    assert states(report)["poly(hexene)"] == "no MD value"
    window.window_actions.undo.trigger()
    refreshed(qtbot, window, report)
    assert states(report)["poly(hexene)"] == "linked by hand"
    window.window_actions.undo.trigger()
    refreshed(qtbot, window, report)
    assert states(report)["poly(hexene)"] == "no MD value"


def test_rule_temperatures_and_phases_are_steps_of_the_study(
    qtbot: QtBot, window: MainWindow, report: MatchDialog
) -> None:
    def value() -> float:
        rows = window.session.study.snapshot().rows
        return next(row.measured for row in rows if row.name == "polypropylene")

    assert value() == 1750
    report.rule.setCurrentIndex(report.rule.findData("last"))
    report.rule.activated.emit(report.rule.currentIndex())
    refreshed(qtbot, window, report)
    assert value() == 1700
    report.by_temperature.click()
    report.highest.setValue(400)
    refreshed(qtbot, window, report)
    assert states(report)["poly(hexene)"] == "left out"
    melt = next(action for action in report.phase_menu.actions() if action.data() == "semicrystalline")
    melt.trigger()
    refreshed(qtbot, window, report)
    assert states(report)["polyethylene"] == "left out"
    assert report.phases.text() == "2 of 3 phases"
    report.tolerance.setValue(25.0)
    refreshed(qtbot, window, report)
    assert window.session.study.state.settings.matching.temperature_tolerance == 25.0
    while window.session.study.snapshot().can_undo.startswith(("Choose", "Use")):
        window.window_actions.undo.trigger()
        refreshed(qtbot, window, report)
    assert value() == 1750
    assert report.phases.text() == "All phases"
    assert not report.by_temperature.isChecked()
    assert report.tolerance.value() == 10.0
    assert report.isAncestorOf(report.one_level)
    assert not report.one_level.isVisibleTo(report)  # there is one source of MD values


def test_single_reports_of_a_polymer_are_chosen_and_taken_back(
    qtbot: QtBot, window: MainWindow, report: MatchDialog
) -> None:
    def value() -> float:
        rows = window.session.study.snapshot().rows
        return next(row.measured for row in rows if row.name == "polypropylene")

    def show(name: str) -> None:
        rows = range(report.table.lines.rowCount())
        report.table.show_line(next(i for i in rows if report.table.lines.line(i).line.measured_name == name))

    show("polyethylene")
    assert not report.detail.reports.isVisible()
    show("polypropylene")
    assert report.detail.reports.text() == "All 2 reports"
    first, second = report.detail.report_menu.actions()
    assert (first.text(), second.text()) == ("Line 3: 1800 J/(kg K)", "Line 4: 1700 J/(kg K)")
    first.trigger()
    refreshed(qtbot, window, report)
    assert value() == 1700
    assert report.detail.reports.text() == "1 of 2 reports"
    assert [action.isEnabled() for action in report.detail.report_menu.actions()] == [True, False]
    assert window.session.study.snapshot().can_undo == "Choose reports of polypropylene"
    window.window_actions.undo.trigger()
    refreshed(qtbot, window, report)
    assert value() == 1750
    assert report.detail.reports.text() == "All 2 reports"


def test_the_report_is_exported_as_shown(
    qtbot: QtBot, window: MainWindow, report: MatchDialog, dialogs: OpenDialogs, tmp_path: Path
) -> None:
    dialogs.save_to = str(tmp_path / "matching.csv")
    with qtbot.waitSignal(window.session.exported, timeout=SECONDS):
        report.export_button.click()
    with (tmp_path / "matching.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["measured name"]: row["state"] for row in rows} == states(report)


def test_lines_are_copied_and_left_out_rows_said(qtbot: QtBot, window: MainWindow, report: MatchDialog) -> None:
    rest(qtbot, window)  # else the lines may still be put anew, and the selection with them
    qtbot.keyPress(report.table, Qt.Key.Key_Control, Qt.KeyboardModifier.ControlModifier)  # held down already
    report.table.show_line(0)
    qtbot.keyClick(report.table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().split("\t")[1] == "polyethylene"
    window.session.toggle_left_out(("t1.0",))
    qtbot.waitUntil(lambda: states(report).get("polyethylene") == "left out", timeout=SECONDS)
    settings = window.session.study.state.settings
    window.session.change_settings(replace(settings, left_out=frozenset()))
    qtbot.waitUntil(lambda: states(report).get("polyethylene") == "matched", timeout=SECONDS)
