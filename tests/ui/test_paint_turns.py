"""Costly painting waits where a turn of the event loop has lasted for long, and comes in a turn of its own."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QRectF, QTimer
from PySide6.QtGui import QColor, QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.running import paint_turns as module
from affinecal_gui.ui.running.loop_state import LoopState
from affinecal_gui.ui.running.paint_turns import ROOM, PaintTurns, paint_turns
from affinecal_gui.ui.views.plots.canvas.plot_canvas import PlotCanvas

MODULE = module.__name__


class SetLoop(LoopState):
    """A loop whose turns begin, and last, as a test says."""

    def __init__(self) -> None:
        self.now = 0.0
        super().__init__(lambda: self.now)

    def wake(self) -> None:
        """Begin nothing."""


class Counter(QWidget):
    """Counts how often it is painted."""

    painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Count."""
        self.painted += 1


def in_event_loop(qtbot: QtBot, answers: list[bool], ask: Callable[[], bool]) -> None:
    """Let a question be asked as an event, and wait for its answer."""
    count = len(answers)
    QTimer.singleShot(0, lambda: answers.append(ask()))
    qtbot.waitUntil(lambda: len(answers) > count)


def test_a_turn_has_room_until_it_has_lasted_for_long(qtbot: QtBot, light: QApplication) -> None:
    loop = SetLoop()
    turns, answers = PaintTurns(loop), []
    for loop.now in (0.0, 0.9 * ROOM, ROOM, 100.0):
        in_event_loop(qtbot, answers, turns.has_room)
    turns.begin()
    in_event_loop(qtbot, answers, turns.has_room)
    assert answers == [True, True, False, False, True]


def test_nobody_waits_for_a_picture_of_a_window(
    qtbot: QtBot, light: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE + ".ROOM", 0.0)
    turns, answers = PaintTurns(), []
    with turns.unhurried():
        in_event_loop(qtbot, answers, turns.has_room)
    assert answers == [True]
    assert turns.has_room()  # outside the event loop


def test_a_window_that_was_to_be_painted_while_it_was_held_is_painted_afterwards(
    qtbot: QtBot, light: QApplication
) -> None:
    turns, window = PaintTurns(), Counter()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitUntil(lambda: window.painted > 0)
    before = window.painted
    window.update()
    turns.hold([window])
    light.processEvents()  # Qt's request to paint is heard, and cannot be met
    assert window.painted == before
    turns.one_by_one([window])
    qtbot.waitUntil(lambda: window.painted > before)


def test_parts_that_are_held_again_wait_again(qtbot: QtBot, light: QApplication) -> None:
    turns, parts = PaintTurns(), [Counter(), Counter()]
    for part in parts:
        qtbot.addWidget(part)
        part.show()
    qtbot.waitUntil(lambda: all(part.painted for part in parts))
    begun: list[bool] = []
    QTimer.singleShot(0, lambda: (turns.one_by_one(parts), turns.hold(parts[1:]), begun.append(True)))
    qtbot.waitUntil(lambda: bool(begun) and not turns.is_painting)
    assert parts[0].updatesEnabled()
    assert not parts[1].updatesEnabled()
    turns.one_by_one(parts[1:])  # outside the event loop: nobody waits
    assert parts[1].updatesEnabled()
    assert not turns.is_painting


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


def test_a_canvas_without_time_shows_what_it_painted_last(
    qtbot: QtBot, light: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = PlotCanvas(lambda _area: None, "test")
    qtbot.addWidget(canvas)
    canvas.resize(120, 80)
    canvas.setBackground(QColor("red"))
    canvas.show()
    qtbot.waitUntil(lambda: canvas.grab().toImage().pixelColor(60, 40) == QColor("red"))
    square = canvas.scene().addRect(QRectF(0, 0, 400, 400), QColor("blue"), QColor("blue"))
    seen: list[QColor] = []

    def hurry() -> bool:
        seen.append(canvas.grab().toImage().pixelColor(60, 40))
        return True

    with monkeypatch.context() as hurried:
        hurried.setattr(MODULE + ".ROOM", 0.0)
        in_event_loop(qtbot, [], hurry)
    assert seen == [QColor("red")]
    assert square.scene() is canvas.scene()
    qtbot.waitUntil(lambda: not paint_turns().is_painting)
    assert canvas.grab().toImage().pixelColor(60, 40) == QColor("blue")


class Slow(QWidget):
    """Paints only where the turn has room, as costly parts do."""

    def __init__(self, turns: PaintTurns) -> None:
        super().__init__()
        self._turns = turns
        self.asked = self.painted = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, or wait for a turn."""
        self.asked += 1
        if self._turns.has_room(self):
            self.painted += 1
        else:
            self._turns.postpone(self)


def test_where_no_turn_is_ever_young_enough_a_part_that_waited_is_painted_all_the_same(
    qtbot: QtBot, light: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MODULE + ".ROOM", 0.0)  # as if the computer were busy with other things
    turns = PaintTurns()
    part = Slow(turns)
    qtbot.addWidget(part)
    part.show()
    qtbot.waitUntil(lambda: part.painted == 1)
    qtbot.waitUntil(lambda: not turns.is_painting)
    assert part.asked == 2  # put off once, then painted
    part.update()
    qtbot.waitUntil(lambda: part.painted == 2)
    assert part.asked == 4  # its turn is over, and it is put off again
