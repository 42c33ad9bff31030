"""The strip of messages: text and buttons have room at any width."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication, QLabel, QMainWindow, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.ui.parts.theme.theme import LIGHT_THEME
from affinecal_gui.ui.session.notices import Notice, NoticeAction
from affinecal_gui.ui.window.telling.log_panel import LogDesk
from affinecal_gui.ui.window.telling.message_bar import MessageBar
from affinecal_gui.ui.window.telling.messages import Messages
from affinecal_gui.ui.window.telling.status_line import StatusLine

LONG = "Something went wrong while the calibration was computed: the last result stands."


@pytest.mark.parametrize("width", [360, 480, 700, 1200])
@pytest.mark.parametrize(
    "notice",
    [
        Notice("problem", LONG, details="Traceback"),
        Notice("caution", LONG, action=NoticeAction("Choose…", lambda: None)),
        Notice("caution", LONG),
    ],
    ids=["details", "action", "text alone"],
)
def test_the_whole_text_is_read_beside_or_above_the_buttons(
    qtbot: QtBot, light: QApplication, width: int, notice: Notice
) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    box = QVBoxLayout(page)
    bar = MessageBar(LIGHT_THEME)
    box.addWidget(bar)
    box.addStretch(1)
    page.resize(width, 500)
    page.show()
    bar.show_notice(notice)
    light.processEvents()
    light.processEvents()
    text = next(label for label in bar.findChildren(QLabel) if label.text() == LONG)
    assert text.width() >= 200
    assert text.height() >= text.heightForWidth(text.width())
    for button in bar.findChildren(QPushButton):
        assert button.width() >= button.sizeHint().width()
        where = button.rect().translated(button.mapTo(bar, QPoint()))
        assert bar.rect().contains(where)
        assert not where.intersects(text.rect().translated(text.mapTo(bar, QPoint())))


@pytest.fixture
def messages(qtbot: QtBot, light: QApplication) -> tuple[Messages, MessageBar]:
    page = QWidget()
    qtbot.addWidget(page)
    bar, line, log = MessageBar(LIGHT_THEME), StatusLine(), LogDesk(QMainWindow(page))
    qtbot.addWidget(bar)
    qtbot.addWidget(line)
    return Messages(bar, line, log, lambda: None, page), bar


def test_what_offers_something_stays_in_the_bar_whatever_its_kind(messages: tuple[Messages, MessageBar]) -> None:
    shown, bar = messages
    shown.show(Notice("info", "Told in passing."))
    assert bar.texts() == []
    shown.show(Notice("info", LONG, action=NoticeAction("Drop them", lambda: None)))
    assert bar.texts() == [LONG]


def test_what_is_no_longer_true_of_the_study_is_taken_down(messages: tuple[Messages, MessageBar]) -> None:
    shown, bar = messages
    shown.show(Notice("caution", "There is nothing to calibrate yet.", stands_while=lambda found: not found.compared))
    shown.show(Notice("caution", "Half of the rows are not used."))
    bar.show_snapshot(Snapshot())
    assert bar.texts() == ["There is nothing to calibrate yet.", "Half of the rows are not used."]
    bar.show_snapshot(Snapshot(compared=True))
    assert bar.texts() == ["Half of the rows are not used."]
