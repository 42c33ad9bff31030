"""Rows of a large table end in a thread, once nobody else holds them; nothing else is touched."""

import threading
import time
import weakref
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.running import deferred_release
from affinecal_gui.ui.running.deferred_release import FEWEST, LettingGo
from affinecal_gui.ui.running.worker import await_late_jobs

LONG = 30_000  # milliseconds


class Row:
    """Notes in which thread it ends."""

    ended_in: list[threading.Thread]

    def __del__(self) -> None:
        self.ended_in.append(threading.current_thread())


@pytest.fixture
def letting_go(qtbot: QtBot) -> LettingGo:
    return LettingGo()


def rows(count: int) -> tuple[Row, ...]:
    Row.ended_in = []
    return tuple(Row() for _ in range(count))


def test_rows_end_in_another_thread_when_the_last_holder_drops_them(
    qtbot: QtBot, letting_go: LettingGo, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr(deferred_release, "time", SimpleNamespace(sleep=sleep))
    made = rows(FEWEST)
    letting_go.take(made)
    qtbot.waitUntil(lambda: len(looks) > 3, timeout=LONG)
    assert not Row.ended_in  # they are still held here
    del made
    qtbot.waitUntil(lambda: len(Row.ended_in) == FEWEST and letting_go.is_empty, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_one_table_after_the_other_ends(qtbot: QtBot, letting_go: LettingGo) -> None:
    first, second = rows(FEWEST), rows(FEWEST)
    letting_go.take(first)
    letting_go.take(second)
    del first, second
    qtbot.waitUntil(lambda: letting_go.is_empty and len(Row.ended_in) == 2 * FEWEST, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_rows_that_others_took_the_place_of_are_let_go(qtbot: QtBot, letting_go: LettingGo) -> None:
    first = rows(FEWEST)
    letting_go.follow(first)
    letting_go.follow((*first[:-1], first[-2]))  # the same rows but for one
    letting_go.follow(first)
    states = [letting_go.is_empty]
    letting_go.follow(())
    states.append(letting_go.is_empty)
    assert states == [True, False]
    del first
    qtbot.waitUntil(lambda: len(Row.ended_in) == FEWEST, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_few_rows_are_not_held(letting_go: LettingGo) -> None:
    made = rows(FEWEST - 1)
    gone = weakref.ref(made[0])
    letting_go.take(made)
    del made
    assert gone() is None


def test_nothing_is_held_after_the_end(letting_go: LettingGo) -> None:
    made = rows(FEWEST)
    gone = weakref.ref(made[0])
    letting_go.take(made)
    letting_go.shut_down()
    assert await_late_jobs(60.0)
    del made
    assert gone() is None
