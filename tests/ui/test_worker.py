"""Jobs: exactly one ending each, nothing heard of a job that was replaced, no thread left behind."""

import gc
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.errors import UserError
from affinecal_gui.task import Task
from affinecal_gui.ui.running import worker
from affinecal_gui.ui.running.job import Job
from affinecal_gui.ui.running.worker import JobRunner, await_late_jobs
from tests.ui.waiting import deliver_all

LONG = 20_000  # milliseconds: what these tests look at is the order of events, not how long they take


class Ear:
    """Writes down every signal of a runner, with the thread in which it was heard."""

    def __init__(self, runner: JobRunner) -> None:
        self.runner = runner
        self.heard: list[tuple[object, ...]] = []
        runner.failed.connect(lambda job, error: self.heard.append(("failed", type(job), str(error))))
        runner.cancelled.connect(lambda job: self.heard.append(("cancelled", type(job))))

    def start(self, job: "Job[object]") -> None:
        """Start a job, and write down what it hands over."""
        self.runner.start(
            job,
            lambda result: self.heard.append(("done", type(job), result)),
            lambda part: self.heard.append(("published", type(job), part)),
        )


@dataclass(frozen=True, eq=False)
class Call:
    """Calls a function."""

    work: Callable[[Task, Callable[[object], None]], object]

    def run(self, task: Task, publish: Callable[[object], None]) -> object:
        """Call it."""
        return self.work(task, publish)


class Fit(Call, Job[object]):
    """One kind of job."""


class Exporting(Call, Job[object]):
    """Another."""


class Inspecting(Call, Job[object]):
    """A third."""


@pytest.fixture
def runner(qtbot: QtBot) -> JobRunner:
    return JobRunner()


def patient(task: Task, publish: Callable[[object], None]) -> object:
    for step in range(2_000):
        task.check()
        task.report(step / 2_000, "waiting")
        time.sleep(0.005)
    return "never"


def test_a_job_publishes_then_ends_once(qtbot: QtBot, runner: JobRunner) -> None:
    ear = Ear(runner)

    def work(task: Task, publish: Callable[[object], None]) -> object:
        publish("half")
        return "whole"

    with qtbot.waitSignal(runner.ended):
        ear.start(Fit(work))
    assert ear.heard == [("published", Fit, "half"), ("done", Fit, "whole")]
    assert not runner.is_busy


@pytest.mark.parametrize(
    "error", [UserError("row 3 is wrong"), RuntimeError("invariant"), KeyError("x"), SystemExit(3)]
)
def test_any_exception_is_a_failure_and_nothing_else(qtbot: QtBot, runner: JobRunner, error: BaseException) -> None:
    ear = Ear(runner)

    def work(task: Task, publish: Callable[[object], None]) -> object:
        raise error

    with qtbot.waitSignal(runner.failed):
        ear.start(Fit(work))
    assert ear.heard == [("failed", Fit, str(error))]


def test_cancel_is_answered_at_once(qtbot: QtBot, runner: JobRunner) -> None:
    ear = Ear(runner)
    with qtbot.waitSignal(runner.progressed):
        ear.start(Fit(patient))
    with qtbot.waitSignal(runner.cancelled):
        runner.cancel_all()
    assert ear.heard == [("cancelled", Fit)]


def test_a_job_that_cannot_be_asked_counts_as_cancelled_soon(qtbot: QtBot, runner: JobRunner) -> None:
    ear = Ear(runner)
    release = threading.Event()

    def deaf(task: Task, publish: Callable[[object], None]) -> object:
        release.wait(250)
        publish("part")
        return "whole"

    ear.start(Exporting(deaf))
    with qtbot.waitSignal(runner.cancelled, timeout=20_000):
        runner.cancel_all()
    assert not runner.is_busy
    with qtbot.waitSignal(runner.ended):  # the next one for the same purpose is not mistaken for it
        ear.start(Exporting(lambda task, publish: "second"))
    release.set()
    assert runner.shut_down(LONG)
    deliver_all()
    assert ear.heard == [("cancelled", Exporting), ("done", Exporting, "second")]


def test_a_job_started_after_cancel_is_not_taken_for_the_one_that_was_meant(
    qtbot: QtBot, runner: JobRunner, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear(runner)
    release = threading.Event()
    monkeypatch.setattr(worker, "PATIENCE", 0)  # so that its end comes before what is asked for after it
    ear.start(Fit(patient))
    runner.cancel_all()
    QTimer.singleShot(0, release.set)
    ear.start(Fit(lambda task, publish: release.wait(250)))
    qtbot.waitUntil(lambda: not runner.is_busy, timeout=20_000)
    assert ear.heard == [("done", Fit, True)]


def test_a_thread_that_outlives_its_runner_keeps_its_object(qtbot: QtBot) -> None:
    runner = JobRunner()
    release = threading.Event()
    runner.start(Fit(lambda task, publish: release.wait(250)))
    job = runner.thread_of(Fit)
    assert job is not None
    assert not runner.shut_down(10)
    assert not await_late_jobs(0.01)
    release.set()
    assert job.wait(LONG)
    deliver_all()  # the runner is still there and would hear that the thread has ended
    assert await_late_jobs(20.0)
    assert await_late_jobs(0.0)


def test_a_replaced_job_is_never_heard(qtbot: QtBot, runner: JobRunner) -> None:
    ear = Ear(runner)
    release = threading.Event()

    def stubborn(task: Task, publish: Callable[[object], None]) -> object:
        release.wait(250)
        publish("old part")
        return "old"

    ear.start(Fit(stubborn))
    with qtbot.waitSignal(runner.ended):
        ear.start(Fit(lambda task, publish: "new"))
    release.set()
    assert runner.shut_down(LONG)
    deliver_all()
    assert ear.heard == [("done", Fit, "new")]


def test_jobs_for_different_purposes_run_side_by_side(qtbot: QtBot, runner: JobRunner) -> None:
    ear = Ear(runner)
    ear.start(Fit(patient))
    with qtbot.waitSignal(runner.ended):
        ear.start(Inspecting(lambda task, publish: 7))
    assert runner.is_running(Fit)
    assert runner.shut_down(LONG)
    deliver_all()
    assert ear.heard == [("done", Inspecting, 7)]


def test_shut_down_ends_every_thread(qtbot: QtBot, runner: JobRunner) -> None:
    for kind in (Fit, Exporting, Inspecting):
        runner.start(kind(patient))
    assert runner.shut_down(LONG)
    assert not runner.is_busy


def test_a_runner_that_is_lost_does_not_take_its_threads_with_it(qtbot: QtBot) -> None:
    running, go_on = threading.Event(), threading.Event()

    def work(task: Task, publish: Callable[[object], None]) -> object:
        running.set()
        return go_on.wait(250)

    runner = JobRunner()
    runner.start(Fit(work))
    assert running.wait(250)
    runner.deleteLater()
    del runner
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()  # a QThread that is destroyed while it runs would end the program here
    go_on.set()
    assert await_late_jobs(10)
