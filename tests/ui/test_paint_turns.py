"""Costly painting waits where a turn of the event loop has lasted for long, and comes in a turn of its own."""

import time

from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.event_loop.paint_turns import ROOM, PaintTurns, paint_turns
from affinecal_gui.ui.plots.plot_canvas import PlotCanvas


class Counter(QWidget):
    """Counts how often it is painted."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Count."""
        self.painted += 1


def in_event_loop(qtbot: QtBot, answers: list[bool], act: object) -> None:
    """Let ``act`` happen as an event, and wait for its answer."""
    QTimer.singleShot(0, lambda: answers.append(bool(act())))  # type: ignore[operator]
    qtbot.waitUntil(lambda: bool(answers))


def test_a_turn_has_room_until_it_has_lasted_for_long(qtbot: QtBot, light: QApplication) -> None:
    turns = PaintTurns()

    def work() -> bool:
        turns.begin()
        assert turns.has_room()
        time.sleep(2 * ROOM)
        return not turns.has_room()

    answers: list[bool] = []
    in_event_loop(qtbot, answers, work)
    assert answers == [True]


def test_nobody_waits_for_a_picture_of_a_window(qtbot: QtBot, light: QApplication) -> None:
    turns = PaintTurns()

    def work() -> bool:
        turns.begin()
        time.sleep(2 * ROOM)
        with turns.unhurried():
            return turns.has_room()

    answers: list[bool] = []
    in_event_loop(qtbot, answers, work)
    assert answers == [True]
    time.sleep(2 * ROOM)
    assert turns.has_room()  # outside the event loop


def test_parts_that_waited_are_painted_one_a_turn(qtbot: QtBot, light: QApplication) -> None:
    turns = PaintTurns()
    parts = [Counter() for _ in range(3)]
    for part in parts:
        qtbot.addWidget(part)
        part.show()
    qtbot.waitUntil(lambda: all(part.painted for part in parts))
    before = [part.painted for part in parts]
    for part in (*parts, parts[0]):  # asked for twice, painted once
        turns.postpone(part)
    assert turns.is_painting
    qtbot.waitUntil(lambda: all(part.painted > count for part, count in zip(parts, before, strict=True)))
    qtbot.waitUntil(lambda: not turns.is_painting)
    assert parts[0].painted == before[0] + 1


def test_a_part_that_is_gone_is_passed_over(qtbot: QtBot, light: QApplication) -> None:
    turns = PaintTurns()
    part, gone = Counter(), Counter()
    for widget in (part, gone):
        qtbot.addWidget(widget)
        widget.show()
    qtbot.waitUntil(lambda: bool(part.painted))
    before = part.painted
    turns.postpone(gone)
    turns.postpone(part)
    gone.close()
    qtbot.waitUntil(lambda: part.painted > before)


def test_a_canvas_without_time_shows_what_it_painted_last(qtbot: QtBot, light: QApplication) -> None:
    canvas = PlotCanvas(lambda _area: None, "test")
    qtbot.addWidget(canvas)
    canvas.resize(120, 80)
    canvas.setBackground(QColor("red"))
    canvas.show()
    qtbot.waitUntil(lambda: canvas.grab().toImage().pixelColor(60, 40) == QColor("red"))
    square = canvas.scene().addRect(QRectF(0, 0, 400, 400), QColor("blue"), QColor("blue"))
    seen: list[QColor] = []

    def hurry() -> bool:
        paint_turns().begin()
        time.sleep(2 * ROOM)
        seen.append(canvas.grab().toImage().pixelColor(60, 40))
        return True

    answers: list[bool] = []
    in_event_loop(qtbot, answers, hurry)
    assert seen == [QColor("red")]
    assert square.scene() is canvas.scene()
    qtbot.waitUntil(lambda: not paint_turns().is_painting)
    assert canvas.grab().toImage().pixelColor(60, 40) == QColor("blue")
