"""Parts of a window that leaps to another size lay themselves out in turns of their own, and are painted afterwards."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.running.paint_turns import LEAP, PaintTurns, is_leap, paint_turns
from affinecal_gui.ui.views.model.model_panel import ModelPanel


class Part(QWidget):
    """Notes what happens to it."""

    def __init__(self, seen: list[str], name: str) -> None:
        super().__init__()
        self._seen, self._name = seen, name

    def paintEvent(self, event: QPaintEvent) -> None:
        """Note it."""
        self._seen.append(f"{self._name} painted")

    def place(self) -> None:
        """Note it."""
        self._seen.append(f"{self._name} placed")


def as_event(qtbot: QtBot, act: Callable[[], object]) -> None:
    """Let something happen inside the event loop, as it does when a user acts."""
    done: list[bool] = []
    QTimer.singleShot(0, lambda: (act(), done.append(True)))
    qtbot.waitUntil(lambda: bool(done))


def test_a_hand_that_drags_an_edge_makes_no_leap() -> None:
    assert not is_leap(QSize(500, 400), QSize(500 + LEAP, 400 - LEAP))
    assert is_leap(QSize(500, 400), QSize(500, 401 + LEAP))
    assert is_leap(QSize(501 + LEAP, 400), QSize(500, 400))


def test_each_part_is_placed_once_and_painted_after_that(qtbot: QtBot, light: QApplication) -> None:
    turns, seen = PaintTurns(), []
    parts = [Part(seen, name) for name in ("a", "b")]
    for part in parts:
        qtbot.addWidget(part)
        part.show()
    qtbot.waitUntil(lambda: {"a painted", "b painted"} <= set(seen))

    def leap() -> None:
        seen.clear()
        for part in (*parts, parts[0]):
            turns.place_later(part, part.place)
        assert not seen
        assert all(turns.is_to_be_placed(part) for part in parts)
        for part in parts:
            part.update()

    as_event(qtbot, leap)
    qtbot.waitUntil(lambda: not turns.is_painting)
    qtbot.waitUntil(lambda: len(seen) >= 4)
    assert seen == ["b placed", "b painted", "a placed", "a painted"]
    assert not any(turns.is_to_be_placed(part) for part in parts)


def test_a_part_that_is_held_with_others_is_still_placed(qtbot: QtBot, light: QApplication) -> None:
    turns, seen = PaintTurns(), []
    part = Part(seen, "a")
    qtbot.addWidget(part)
    part.show()
    qtbot.waitUntil(lambda: bool(seen))

    def leap() -> None:
        seen.clear()
        turns.place_later(part, part.place)
        turns.one_by_one((part,))

    as_event(qtbot, leap)
    qtbot.waitUntil(lambda: "a placed" in seen and part.updatesEnabled())
    assert seen[0] == "a placed"


def test_outside_the_event_loop_nobody_waits(light: QApplication, qtbot: QtBot) -> None:
    turns, seen = PaintTurns(), []
    part = Part(seen, "a")
    qtbot.addWidget(part)
    turns.place_later(part, part.place)
    assert seen == ["a placed"]
    assert part.updatesEnabled()


def test_a_part_that_cannot_be_placed_is_not_held_for_ever(qtbot: QtBot, light: QApplication) -> None:
    turns = PaintTurns()
    part = Part([], "a")
    qtbot.addWidget(part)

    def fail() -> None:
        raise ValueError("no place")

    with qtbot.captureExceptions() as faults:
        as_event(qtbot, lambda: turns.place_later(part, fail))
        qtbot.waitUntil(lambda: not turns.is_painting)
    assert [str(fault[1]) for fault in faults] == ["no place"]
    assert part.updatesEnabled()


@pytest.fixture
def panel(qtbot: QtBot, model_panel: ModelPanel) -> ModelPanel:
    qtbot.waitUntil(lambda: not paint_turns().is_painting)
    return model_panel


def test_the_sections_of_the_model_follow_a_leap_in_a_turn_of_their_own(qtbot: QtBot, panel: ModelPanel) -> None:
    page = panel.widget()
    folded: list[tuple[int, bool]] = []

    def leap() -> None:
        for size in ((500, 900), (520, 500), (530, 500)):  # docks take several sizes in one leap of the window
            panel.resize(*size)
            folded.append((page.width(), panel.headings["target"].folded))

    before = page.width()
    as_event(qtbot, leap)
    assert folded == [(before, False)] * 3
    qtbot.waitUntil(lambda: not paint_turns().is_painting)
    assert page.width() == panel.viewport().width() > 400
    assert panel.headings["target"].folded
    assert panel.updatesEnabled()


def test_the_sections_of_the_model_follow_a_hand_at_once(qtbot: QtBot, panel: ModelPanel) -> None:
    widths: list[int] = []

    def drag() -> None:
        panel.resize(360, 950)
        widths.append(panel.widget().width() - panel.viewport().width())

    as_event(qtbot, drag)
    assert widths == [0]
