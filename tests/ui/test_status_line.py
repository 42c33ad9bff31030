"""The status line: progress while something runs, the last message otherwise."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton, QToolButton
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.window.telling.status_line import StatusLine


@pytest.fixture
def line(qtbot: QtBot, light: QApplication) -> StatusLine:
    made = StatusLine()
    qtbot.addWidget(made)
    made.resize(900, 25)
    made.show()
    return made


def parts(line: StatusLine) -> tuple[QLabel, QProgressBar, QPushButton]:
    return (
        line.findChild(QLabel, "statusMessage"),
        line.findChild(QProgressBar, "progressBar"),
        line.findChild(QPushButton, "cancelButton"),
    )


def test_at_rest_there_is_only_the_message(line: StatusLine) -> None:
    text, bar, cancel = parts(line)
    line.show_message("Saved predictions.csv.", "done")
    assert text.text() == "Saved predictions.csv."
    assert not bar.isVisible()
    assert not cancel.isVisible()
    assert text.accessibleName() == "Done: Saved predictions.csv."


def test_progress_covers_the_message_until_it_ends(line: StatusLine) -> None:
    text, bar, cancel = parts(line)
    line.show_message("Saved.", "done")
    line.show_progress(0.25, "Described 25 of 100 polymers")
    assert text.text() == "Described 25 of 100 polymers"
    assert bar.isVisible()
    assert cancel.isVisible()
    assert bar.value() / bar.maximum() == pytest.approx(0.25)
    line.show_message("Row 3 is not a number.", "problem")  # waits: the bar belongs to what is running
    assert text.text() == "Described 25 of 100 polymers"
    assert line.message == "Row 3 is not a number."
    line.hide_progress()
    assert text.text() == "Row 3 is not a number."
    assert not bar.isVisible()


@pytest.mark.parametrize(("fraction", "shown"), [(-1.0, 0.0), (0.5, 0.5), (7.0, 1.0)])
def test_progress_stays_within_the_bar(line: StatusLine, fraction: float, shown: float) -> None:
    _, bar, _ = parts(line)
    line.show_progress(fraction, "Working")
    assert bar.value() / bar.maximum() == pytest.approx(shown)


def test_cancel_and_log_are_wishes(qtbot: QtBot, line: StatusLine) -> None:
    line.show_progress(0.5, "Working")
    with qtbot.waitSignal(line.cancel_requested):
        qtbot.mouseClick(parts(line)[2], Qt.MouseButton.LeftButton)
    with qtbot.waitSignal(line.log_requested):
        qtbot.mouseClick(line.findChild(QToolButton, "logButton"), Qt.MouseButton.LeftButton)


def test_a_long_message_is_cut_and_never_widens_the_window(qtbot: QtBot, line: StatusLine) -> None:
    line.resize(400, 25)
    line.show_progress(0.5, "A sentence that goes on and on. " * 20)
    text, bar, cancel = parts(line)
    qtbot.waitUntil(lambda: cancel.geometry().right() < line.width(), timeout=2000)
    assert text.geometry().right() < bar.geometry().left()
    assert line.minimumSizeHint().width() <= 400
    line.grab()
    assert text.toolTip() == text.text()


def test_an_unknown_kind_is_a_plain_note(line: StatusLine) -> None:
    line.show_message("Hello.", "novelty")
    assert parts(line)[0].accessibleName() == "Note: Hello."
