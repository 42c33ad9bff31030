"""Work that nobody waits for stands still beside work that somebody waits for: until that ends, or for long enough."""

import threading
from collections.abc import Callable

import pytest
from pytestqt.qtbot import QtBot

from affinecal_gui.task import Task
from affinecal_gui.ui.running import background_priority
from affinecal_gui.ui.running.background_priority import REST, BackgroundThrottle, ForegroundJobs
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner

LONG = 30.0  # seconds that no sound test takes


class Steps:
    """Work that does one step after the other, and asks between them whether to stop."""

    def __init__(self, count: int) -> None:
        self.count = count
        self.done = 0
        self.began = threading.Event()

    def run(self, task: Task, publish: Callable[[int], None]) -> int:
        """Do the steps."""
        for _ in range(self.count):
            self.began.set()
            task.check()
            self.done += 1
        return self.done


class Autosaving(Steps, Job[int]):
    """Steps that nobody waits for."""

    is_background = True


class Releasing(Steps, Job[int]):
    """Other ones."""

    is_background = True


class Wanted(Job[bool]):
    """Work that somebody waits for, which takes until it is told to end."""

    def __init__(self) -> None:
        self.began, self.end = threading.Event(), threading.Event()

    def run(self, task: Task, publish: Callable[[bool], None]) -> bool:
        """Wait."""
        self.began.set()
        return self.end.wait(LONG)


@pytest.fixture
def runner(qtbot: QtBot) -> JobRunner:
    return JobRunner()


@pytest.fixture
def beside(runner: JobRunner, monkeypatch: pytest.MonkeyPatch) -> tuple[Wanted, Steps]:
    """Work that somebody waits for, and an autosave that has begun beside it and is patient."""
    monkeypatch.setattr(background_priority, "PATIENCE", 1_000.0)
    wanted, quiet = Wanted(), Autosaving(5)
    runner.start(wanted)
    assert wanted.began.wait(LONG)
    runner.start(quiet)
    assert quiet.began.wait(LONG)
    return wanted, quiet


def test_it_stands_still_until_nobody_waits_any_more(
    qtbot: QtBot, runner: JobRunner, beside: tuple[Wanted, Steps], monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted, quiet = beside
    asked: list[bool] = []
    wait = background_priority.foreground_jobs.wait

    def wait_and_note(seconds: float) -> bool:
        asked.append(wait(seconds))
        return asked[-1]

    monkeypatch.setattr(background_priority.foreground_jobs, "wait", wait_and_note)
    qtbot.waitUntil(lambda: len(asked) > 3, timeout=30_000)
    assert not any(asked)
    assert quiet.done == 0
    wanted.end.set()
    qtbot.waitUntil(lambda: not runner.is_busy, timeout=30_000)
    assert quiet.done == 5


def test_it_answers_when_it_is_to_stop(runner: JobRunner, beside: tuple[Wanted, Steps]) -> None:
    wanted, quiet = beside
    job = runner.thread_of(Autosaving)
    assert job is not None
    runner.drop(Autosaving)
    assert job.wait(30_000)  # while somebody still waits for the other
    assert quiet.done == 0
    wanted.end.set()
    assert runner.shut_down(30_000)


def test_it_goes_on_when_it_has_stood_still_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background_priority, "LOOK", 0.001)
    monkeypatch.setattr(background_priority, "PATIENCE", 0.005)
    among = ForegroundJobs()
    asked: list[bool] = []

    def is_to_stop() -> bool:
        asked.append(True)
        return False

    throttle = BackgroundThrottle(among)
    with among.wanted():
        for _ in range(100):
            throttle.throttle(is_to_stop)
    assert len(asked) == 5  # looks, all in all


class Clock:
    """A clock that is put forward by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_wishes_are_counted() -> None:
    clock = Clock()
    among = ForegroundJobs(clock)
    assert among.wait(0.0)
    with among.wanted():
        with among.wanted():
            assert not among.wait(0.0)
        clock.now += 2 * REST
        assert not among.wait(0.0)
    clock.now += 2 * REST
    assert among.wait(0.0)


def test_between_two_refits_of_a_moving_slider_somebody_waits() -> None:
    clock = Clock()
    among = ForegroundJobs(clock)
    for _ in range(3):
        with among.wanted():
            pass
        clock.now += 0.5 * REST
        assert not among.wait(0.0)
    clock.now += 0.6 * REST
    assert among.wait(0.0)


def test_those_that_give_way_do_not_wait_for_each_other(qtbot: QtBot, runner: JobRunner) -> None:
    first, second = Autosaving(20), Releasing(20)
    runner.start(first)
    runner.start(second)
    qtbot.waitUntil(lambda: not runner.is_busy, timeout=30_000)
    assert first.done == second.done == 20
