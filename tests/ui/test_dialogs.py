"""The questions of the program: asked by real boxes, answered by their buttons, and nothing left of them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.dialogs.help.help_pages import table_path
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import NativeDialogs
from affinecal_gui.ui.window.main_window import MainWindow

Button = QMessageBox.StandardButton


def answer(press: Callable[[QMessageBox], object]) -> None:
    """Press something in the next question."""

    def look() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        press(box)

    QTimer.singleShot(0, look)


def press(text: str) -> Callable[[QMessageBox], object]:
    """A hand that presses the button of this name."""
    return lambda box: next(button for button in box.buttons() if button.text().replace("&", "") == text).click()


@pytest.mark.parametrize(
    ("ask", "button", "expected"),
    [
        (lambda dialogs: dialogs.save_changes("a study"), "Save", "save"),
        (lambda dialogs: dialogs.save_changes("a study"), "Discard", "discard"),
        (lambda dialogs: dialogs.save_changes("a study"), "Cancel", "cancel"),
        (lambda dialogs: dialogs.confirm("Replace", "It exists already.", "Replace"), "Replace", True),
        (lambda dialogs: dialogs.confirm("Replace", "It exists already.", "Replace"), "Cancel", False),
        (lambda dialogs: dialogs.inform("About", "A text."), "OK", None),
    ],
)
def test_a_question_returns_its_answer_and_leaves_nothing_behind(
    ask: Callable[[NativeDialogs], object], button: str, expected: object, qtbot: QtBot
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    dialogs = NativeDialogs(window)
    for _ in range(2):
        answer(press(button))
        assert ask(dialogs) == expected
    qtbot.waitUntil(lambda: not window.findChildren(QWidget))


def test_dialogs_begin_where_the_last_file_of_the_user_lies_and_not_at_a_table_of_the_documentation(
    qapp: QApplication, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Path] = []

    def ask(_parent: QWidget, _title: str, suggestion: str, _filters: str) -> tuple[str, str]:
        asked.append(Path(suggestion))
        return "", ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", ask)
    mine = tmp_path / "my data"
    mine.mkdir()
    (mine / "measured.csv").write_text("SMILES,density [g/cm3]\n*CC*,0.95\n", encoding="utf-8")
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), settings=settings, study_folder=tmp_path / "user")
    try:
        for open_one in (
            lambda: window.opening_desk.open_offered(str(tmp_path / "recent.affinecal")),
            lambda: window.open_files((str(mine / "measured.csv"),)),  # by the command line, a double-click, a drop
            lambda: window.workings.help_desk.table_wanted.emit(table_path("practice/series_12.csv")),
        ):
            open_one()
            window.workings.dialogs.save_file("Save study", "x.affinecal", "Studies (*.affinecal)")
        assert [path.parent for path in asked] == [tmp_path, mine, mine]
    finally:
        window.session.cancel()
        qtbot.waitUntil(lambda: window.is_at_rest)
        window.deleteLater()
