"""Cycles end in the main thread, large data is never looked through, and Python gets its collector back."""

import gc
import threading
import weakref
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.task import Task
from affinecal_gui.ui.running.collector import (
    AWAY_FOR,
    MOST_LOOKED_AT,
    MOST_SET_ASIDE,
    OLDEST_EVERY,
    MainThreadCollector,
)
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner, await_late_jobs


class Loop:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.loop = self


QUIET_FOR = 40  # looks: a minute would make these tests long


@pytest.fixture(autouse=True)
def user_at_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    """The window is in front, and who does nothing in it is soon taken to have left."""
    monkeypatch.setattr("affinecal_gui.ui.running.collector.QUIET_FOR", QUIET_FOR)
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: Qt.ApplicationState.ApplicationActive)


@pytest.fixture
def collector(qapp: object) -> Iterator[MainThreadCollector]:
    """A collector at work."""
    parent = QObject()
    collector = MainThreadCollector(parent)
    yield collector
    collector.stop()


def test_cycles_end_in_a_look_of_the_collector_and_not_before(collector: MainThreadCollector) -> None:
    loop = Loop()
    gone = weakref.ref(loop)
    del loop
    filler = [[] for _ in range(2 * gc.get_threshold()[0])]  # Python itself would have collected by now
    assert filler
    assert gone() is not None
    collector.look()
    assert gone() is None


def test_cycles_that_outlived_a_collection_end_as_well(collector: MainThreadCollector) -> None:
    loop = Loop()
    gone = weakref.ref(loop)
    gc.collect(1)
    del loop
    for _ in range(OLDEST_EVERY):
        collector.look()
    assert gone() is None


def test_no_collection_looks_at_a_large_table(collector: MainThreadCollector, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at: list[int] = []
    collect = gc.collect

    def watched(generation: int = 2) -> int:
        looked_at.append(sum(len(gc.get_objects(number)) for number in range(generation + 1)))
        return collect(generation)

    monkeypatch.setattr(gc, "collect", watched)
    table = []
    for _ in range(OLDEST_EVERY):
        table.append([[] for _ in range(5_000)])
        collector.look()
    assert looked_at
    assert max(looked_at) < 1.5 * MOST_LOOKED_AT
    assert len(table) * 5_000 > 10 * MOST_LOOKED_AT


def test_tables_that_are_no_longer_wanted_end_at_once(collector: MainThreadCollector) -> None:
    table = [Row() for _ in range(2 * MOST_LOOKED_AT)]
    collector.look()
    gone = weakref.ref(table[0])
    del table
    assert gone() is None


def test_cycles_that_were_set_aside_end_when_nobody_is_at_the_window(
    collector: MainThreadCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    pointer = [0]
    monkeypatch.setattr("affinecal_gui.ui.running.user_presence.QCursor", Pointer(pointer))
    loops = [Loop() for _ in range(MOST_SET_ASIDE + 10)]
    gone = weakref.ref(loops[0])
    collector.look()  # so many at once are taken for a table
    del loops
    for _ in range(2 * QUIET_FOR):
        pointer[0] += 1  # a hand moves
        collector.look()
    assert gone() is not None
    for _ in range(QUIET_FOR + 1):
        collector.look()
    assert gone() is None
    # What lives on has been seen, so nothing is looked through again.
    with monkeypatch.context() as patched:
        patched.setattr(gc, "unfreeze", lambda: pytest.fail("looked through without need"))
        for _ in range(2 * QUIET_FOR):
            collector.look()


def test_everything_is_looked_through_only_when_the_program_is_at_rest_too(
    collector: MainThreadCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_through: list[bool] = []
    monkeypatch.setattr(collector, "look_through_all", lambda: looked_through.append(True))
    table = [Row() for _ in range(MOST_SET_ASIDE + 10)]
    for _ in range(2 * QUIET_FOR):
        table.extend(Row() for _ in range(5_000))
        collector.look()
    assert not looked_through
    for _ in range(QUIET_FOR + 2):
        collector.look()
    assert looked_through


def test_nothing_is_looked_through_while_a_job_is_waited_for(
    collector: MainThreadCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_through: list[bool] = []
    monkeypatch.setattr(collector, "look_through_all", lambda: looked_through.append(True))
    table = [Row() for _ in range(MOST_SET_ASIDE + 10)]
    runner, job = JobRunner(), Patient()
    runner.start(job)
    assert job.is_running.wait(60)
    for _ in range(2 * QUIET_FOR):
        collector.look()
    assert not looked_through
    job.go_on.set()
    assert runner.shut_down(60_000)
    assert await_late_jobs(60)
    for _ in range(QUIET_FOR + 2):
        collector.look()
    assert looked_through
    assert len(table) > MOST_SET_ASIDE


def test_a_short_rest_is_enough_while_another_program_is_in_front(
    collector: MainThreadCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_through: list[int] = []
    monkeypatch.setattr(collector, "look_through_all", lambda: looked_through.append(collector.looks))
    monkeypatch.setattr(QGuiApplication, "applicationState", lambda: Qt.ApplicationState.ApplicationInactive)
    table = [Row() for _ in range(MOST_SET_ASIDE + 10)]
    for _ in range(QUIET_FOR):
        collector.look()
    assert len(table) > MOST_SET_ASIDE
    assert AWAY_FOR <= looked_through[0] <= AWAY_FOR + 2


@pytest.fixture
def restless(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """A user who moves the mouse with every change of the number, beside a collector that loses patience early."""
    pointer = [0]
    monkeypatch.setattr("affinecal_gui.ui.running.user_presence.QCursor", Pointer(pointer))
    monkeypatch.setattr("affinecal_gui.ui.running.collector.MOST_UNSEEN", 3 * MOST_SET_ASIDE)
    return pointer


def test_memory_is_bounded_for_a_user_who_never_rests(collector: MainThreadCollector, restless: list[int]) -> None:
    loop = Loop()
    gone = weakref.ref(loop)
    del loop
    rounds = 0
    while gone() is not None and rounds < 10:
        rounds += 1
        loops = [Loop() for _ in range(MOST_SET_ASIDE)]
        del loops
        restless[0] += 1
        collector.look()
    assert 2 <= rounds <= 4


def test_tables_that_came_and_went_are_no_reason_to_look_through_everything(
    collector: MainThreadCollector, restless: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collector, "look_through_all", lambda: pytest.fail("looked through without need"))
    for _ in range(10):
        table = [Row() for _ in range(MOST_SET_ASIDE)]
        restless[0] += 1
        collector.look()
        assert len(table) == MOST_SET_ASIDE
        del table


def test_what_a_job_has_made_is_no_reason_as_long_as_it_runs(
    collector: MainThreadCollector, restless: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_through: list[bool] = []
    monkeypatch.setattr(collector, "look_through_all", lambda: looked_through.append(True))
    runner, job = JobRunner(), Patient()
    runner.start(job)
    assert job.is_running.wait(60)
    made = []
    for _ in range(5):
        made.append([Row() for _ in range(MOST_SET_ASIDE)])
        restless[0] += 1
        collector.look()
    assert not looked_through
    job.go_on.set()
    assert runner.shut_down(60_000)
    assert await_late_jobs(60)
    kept = made[:]
    restless[0] += 1
    collector.look()
    assert looked_through  # it is still there
    assert len(kept) == 5


class Pointer:
    """A pointer of a mouse."""

    def __init__(self, position: list[int]) -> None:
        self._position = position

    def pos(self) -> int:
        """Where it is."""
        return self._position[0]


class Row:
    """A line of a table."""


def test_python_collects_again_when_the_last_window_is_closed(qapp: object) -> None:
    parent = QObject()
    first, second = MainThreadCollector(parent), MainThreadCollector(parent)
    assert not gc.isenabled()
    first.stop()
    assert not gc.isenabled()
    second.stop()
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


class Patient(Job[bool]):
    """A job inside a library that cannot be asked to stop."""

    def __init__(self) -> None:
        self.is_running, self.go_on = threading.Event(), threading.Event()

    def run(self, task: Task, publish: Callable[[bool], None]) -> bool:
        """Make more objects than Python makes between two collections, once it may."""
        self.is_running.set()
        self.go_on.wait(60)
        return bool([[] for _ in range(2 * gc.get_threshold()[0])])


def test_no_thread_that_outlives_its_window_collects_what_is_left_of_it(qtbot: QtBot) -> None:
    window = QObject()
    collector, runner, job = MainThreadCollector(window), JobRunner(), Patient()
    runner.start(job)
    assert job.is_running.wait(60)
    assert not runner.shut_down(1)  # as at the end of a window
    loop = Loop()
    gone = weakref.ref(loop)
    collector.stop()
    del loop
    job.go_on.set()
    assert await_late_jobs(60)
    assert gone() is not None
    qtbot.waitUntil(gc.isenabled)
