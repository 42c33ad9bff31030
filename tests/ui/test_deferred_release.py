"""Rows of a large table end in a thread, once nobody else holds them; nothing else is touched."""

import threading
import time
import weakref
from types import SimpleNamespace

import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.running import deferred_release as release_module
from affinecal_gui.ui.running.deferred_release import FEWEST, DeferredRelease
from affinecal_gui.ui.running.worker import await_late_jobs

LONG = 30_000  # milliseconds


class Row:
    """Notes in which thread it ends."""

    ended_in: list[threading.Thread]

    def __del__(self) -> None:
        self.ended_in.append(threading.current_thread())


@pytest.fixture
def deferred_release(qtbot: QtBot) -> DeferredRelease:
    return DeferredRelease()


def rows(count: int) -> tuple[Row, ...]:
    Row.ended_in = []
    return tuple(Row() for _ in range(count))


def test_rows_end_in_another_thread_when_the_last_holder_drops_them(
    qtbot: QtBot, deferred_release: DeferredRelease, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[float] = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        time.sleep(seconds)

    monkeypatch.setattr(release_module, "time", SimpleNamespace(sleep=sleep))
    made = rows(FEWEST)
    deferred_release.take(made)
    qtbot.waitUntil(lambda: len(looks) > 3, timeout=LONG)
    assert not Row.ended_in  # they are still held here
    del made
    qtbot.waitUntil(lambda: len(Row.ended_in) == FEWEST and deferred_release.is_empty, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_one_table_after_the_other_ends(qtbot: QtBot, deferred_release: DeferredRelease) -> None:
    first, second = rows(FEWEST), rows(FEWEST)
    deferred_release.take(first)
    deferred_release.take(second)
    del first, second
    qtbot.waitUntil(lambda: deferred_release.is_empty and len(Row.ended_in) == 2 * FEWEST, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_rows_that_others_took_the_place_of_are_let_go(qtbot: QtBot, deferred_release: DeferredRelease) -> None:
    first = rows(FEWEST)
    deferred_release.follow(first)
    deferred_release.follow((*first[:-1], first[-2]))  # the same rows but for one
    deferred_release.follow(first)
    states = [deferred_release.is_empty]
    deferred_release.follow(())
    states.append(deferred_release.is_empty)
    assert states == [True, False]
    del first
    qtbot.waitUntil(lambda: len(Row.ended_in) == FEWEST, timeout=LONG)
    assert threading.main_thread() not in Row.ended_in


def test_few_rows_are_not_held(deferred_release: DeferredRelease) -> None:
    made = rows(FEWEST - 1)
    gone = weakref.ref(made[0])
    deferred_release.take(made)
    del made
    assert gone() is None


def test_nothing_is_held_after_the_end(deferred_release: DeferredRelease) -> None:
    made = rows(FEWEST)
    gone = weakref.ref(made[0])
    deferred_release.take(made)
    deferred_release.shut_down()
    assert await_late_jobs(60.0)
    del made
    assert gone() is None
