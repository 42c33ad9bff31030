"""Simulations that failed a check, in the window: told by reason, used with the user's yes, listed to simulate again."""

import csv
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QDialog
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.dialogs.importing.set_aside_dialog import SetAsideDialog
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow
from tests.tables.radonpy_folders import write_result
from tests.ui.shared_window import SharedWindow

SECONDS = 60_000


class Script(NoDialogs):
    """Shows the window's own dialogs, and saves where the test says."""

    def __init__(self) -> None:
        self.shown: list[QDialog] = []
        self.save_to = ""

    def show_dialog(self, dialog: QDialog) -> bool:
        self.shown.append(dialog)
        dialog.show()
        return True

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        return self.save_to


@pytest.fixture
def script() -> Script:
    return Script()


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, script: Script, folder: Path) -> Iterator[MainWindow]:
    yield shared_window.lend(script, folder)
    shared_window.take_back()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("simulated")
    write_result(folder / "runs", "sound", smiles_list="*CC*")
    write_result(folder / "runs", "restless", smiles_list="*CC(*)C", check_eq="False")
    write_result(folder / "runs", "lost", smiles_list="*CC(*)Cl", density="-9999", Cp="-9999")
    return folder / "runs"


def ask(qtbot: QtBot, window: MainWindow, script: Script) -> SetAsideDialog:
    """Follow the link of the data panel."""
    count = len(script.shown)
    (line,) = window.study_views.data_panel.findChildren(InfoLine, "setAsideSummary")
    line.link_activated.emit(window.session.study.state.tables[0].key)
    qtbot.waitUntil(lambda: len(script.shown) > count, timeout=SECONDS)
    dialog = script.shown[-1]
    assert isinstance(dialog, SetAsideDialog)
    return dialog


def units(window: MainWindow) -> set[str]:
    table = window.session.study.state.tables[0].table
    values = table.values[("md", "density")].values
    return {unit for unit, value in zip(table.smiles, values, strict=True) if value == value}


def told(window: MainWindow) -> str:
    (line,) = window.study_views.data_panel.findChildren(InfoLine, "setAsideSummary")
    return line.text


def choose(qtbot: QtBot, window: MainWindow, dialog: SetAsideDialog, reason: str, expected: set[str]) -> None:
    dialog.boxes[reason].click()
    dialog.apply_button.click()
    qtbot.waitUntil(lambda: window.is_at_rest and units(window) == expected, timeout=SECONDS)


def test_a_failed_check_is_told_waved_through_and_taken_back(qtbot: QtBot, window: MainWindow, script: Script) -> None:
    assert "1 not in equilibrium" in told(window)
    assert units(window) == {"*CC*"}
    dialog = ask(qtbot, window, script)
    assert set(dialog.boxes) == {"not-equilibrated"}  # what holds no value cannot be used
    choose(qtbot, window, dialog, "not-equilibrated", {"*CC*", "*CC(*)C"})
    assert "Values used as you said" in told(window)
    again = ask(qtbot, window, script)
    assert again.boxes["not-equilibrated"].isChecked()
    choose(qtbot, window, again, "not-equilibrated", {"*CC*"})
    window.window_actions.undo.trigger()
    assert units(window) == {"*CC*", "*CC(*)C"}


def test_what_is_to_be_simulated_again_is_saved_as_jobs(
    qtbot: QtBot, window: MainWindow, script: Script, tmp_path: Path
) -> None:
    dialog = ask(qtbot, window, script)
    script.save_to = str(tmp_path / "again.csv")
    dialog.save_button.click()
    qtbot.waitUntil(lambda: (tmp_path / "again.csv").exists() and window.is_at_rest, timeout=SECONDS)
    with (tmp_path / "again.csv").open(encoding="utf-8-sig", newline="") as file:
        jobs = list(csv.DictReader(file))
    assert {job["smiles_list"] for job in jobs} == {"*CC(*)C", "*CC(*)Cl"}
    dialog.reject()


def test_without_simulations_that_failed_nothing_is_said(qtbot: QtBot, window: MainWindow) -> None:
    window.session.new_study()
    qtbot.waitUntil(lambda: not window.session.study.state.tables and window.is_at_rest, timeout=SECONDS)
    assert told(window) == ""
