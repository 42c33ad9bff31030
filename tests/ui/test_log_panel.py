"""The log panel of the real window: every message with its time, and what a fault left in the log."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.notices import Notice, notice_of
from affinecal_gui.ui.window.main_window import MainWindow


@pytest.fixture
def window(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> MainWindow:
    made = MainWindow(
        ThemeKeeper(qapp, "light"), settings=QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)
    )
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_the_log_opens_and_closes_by_its_button(qtbot: QtBot, window: MainWindow) -> None:
    window.session.noticed.emit(Notice("done", "62 polymers read."))
    assert window.log_desk.log.dock is None  # it is made when somebody asks for it
    button = next(found for found in window.status_line.findChildren(QToolButton) if "og" in found.text())
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dock = window.log_desk.log.dock
    assert dock is not None
    assert dock.isVisible()
    assert dock.text.toPlainText().endswith("done: 62 polymers read.")
    window.session.noticed.emit(Notice("problem", "measured.csv cannot be read."))
    assert dock.text.toPlainText().splitlines()[-1].endswith("problem: measured.csv cannot be read.")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert not dock.isVisible()


def test_a_fault_leaves_its_details_to_copy(qtbot: QtBot, window: MainWindow) -> None:
    window.session.noticed.emit(notice_of(ZeroDivisionError("a fault for the test")))
    window.message_bar.log_requested.emit()
    dock = window.log_desk.log.dock
    assert dock is not None
    qtbot.mouseClick(dock.findChild(QPushButton, "copyLogButton"), Qt.MouseButton.LeftButton)
    copied = QGuiApplication.clipboard().text()
    assert "problem: Something went wrong inside AffineCal" in copied
    assert "ZeroDivisionError: a fault for the test" in copied
