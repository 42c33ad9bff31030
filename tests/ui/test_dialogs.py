"""The questions of the program: asked by real boxes, answered by their buttons, and nothing left of them."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QMessageBox, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.session.dialogs import NativeDialogs

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
