"""While a slider moves, refits come one after the other, and the last wish is never lost."""

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.calibration.results import Penalties
from affinecal_gui.study.derived import Derived
from affinecal_gui.study.importing.loading import load_tables
from affinecal_gui.study.state import StudyState
from affinecal_gui.study.table_source import NOTHING_CHOSEN, TableSource
from affinecal_gui.task import Task
from affinecal_gui.ui.running import latest_only as latest_only_module
from affinecal_gui.ui.running.latest_only import LatestOnly
from affinecal_gui.ui.session.session import Session
from affinecal_gui.ui.session.study_jobs import Derive


class Owner(QObject):
    """Work that a test begins and ends."""

    def __init__(self) -> None:
        super().__init__()
        self.is_under_way = self.is_showing = False
        self.begun = 0
        self.latest_only = LatestOnly(self.begin, lambda: self.is_under_way, self)
        self.latest_only.is_showing = lambda: self.is_showing

    def begin(self) -> None:
        """Begin."""
        self.begun += 1
        self.is_under_way = True


@pytest.fixture
def owner(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> Owner:
    """Return work without a limit to the patience."""
    monkeypatch.setattr(latest_only_module, "PATIENCE", 1_000_000)
    return Owner()


def test_a_wish_begins_at_once_where_nothing_is_under_way(owner: Owner) -> None:
    owner.latest_only.wish()
    assert owner.begun == 1
    assert not owner.latest_only.is_waiting


def test_many_wishes_wait_as_one_until_the_last_result_is_shown(owner: Owner) -> None:
    owner.latest_only.wish()
    for _ in range(5):
        owner.latest_only.wish()
        owner.latest_only.go_on()
    assert owner.begun == 1
    owner.is_under_way, owner.is_showing = False, True
    owner.latest_only.go_on()
    assert owner.begun == 1
    assert owner.latest_only.is_waiting
    owner.is_showing = False
    owner.latest_only.go_on()
    assert owner.begun == 2
    owner.is_under_way = False
    owner.latest_only.go_on()
    assert owner.begun == 2  # nothing is left to be done


def test_what_was_taken_back_is_forgotten(owner: Owner) -> None:
    owner.latest_only.wish()
    owner.latest_only.wish()
    owner.latest_only.forget()
    owner.is_under_way = False
    owner.latest_only.go_on()
    assert owner.begun == 1


def test_a_wish_does_not_wait_for_ever(owner: Owner, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(latest_only_module, "PATIENCE", 0)
    owner.latest_only.wish()
    owner.latest_only.wish()
    qtbot.waitUntil(lambda: owner.begun == 2)
    assert not owner.latest_only.is_waiting


class Refits:
    """Takes the place of deriving: each refit ends when the test says so."""

    def __init__(self) -> None:
        self.begun: list[StudyState] = []
        self.may_end = threading.Semaphore(0)
        self.at_once = 0
        self.most_at_once = 0

    def derive(self, job: Derive, task: Task, publish: object) -> Derived:
        """Wait instead of deriving."""
        self.begun.append(job.state)
        self.at_once += 1
        self.most_at_once = max(self.most_at_once, self.at_once)
        while not self.may_end.acquire(timeout=0.005) and not task.is_cancelled:
            pass
        self.at_once -= 1
        return Derived(state=job.state)


@pytest.fixture
def session(light: QApplication, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[tuple[Session, Refits]]:
    """Return a session with a table, whose refits are held."""
    monkeypatch.setattr(latest_only_module, "PATIENCE", 1_000_000)
    refits = Refits()
    monkeypatch.setattr(Derive, "run", lambda job, task, publish: refits.derive(job, task, publish))
    made = Session()
    path = tmp_path / "measured.csv"
    path.write_text("name,smiles,measured Cp [J/(kg K)]\na,*CC*,1500\nb,*CC(*)C,1600\n", encoding="utf-8")
    made.import_table(load_tables((path,)).tables[0], TableSource(str(path)), NOTHING_CHOSEN)
    refits.may_end.release()
    yield made, refits
    made.cancel()
    made.shut_down()


def slide(session: Session, value: float) -> None:
    """Choose a penalty as a slider does."""
    settings = session.study.state.settings
    session.change_settings(replace(settings, penalties=Penalties(value, 10.0, 1.0)))


def test_refits_of_a_moving_slider_come_one_after_the_other_and_the_last_position_counts(
    session: tuple[Session, Refits], qtbot: QtBot
) -> None:
    made, refits = session
    qtbot.waitUntil(lambda: not made.is_busy)
    for value in (1.0, 2.0, 3.0, 4.0):
        slide(made, value)
    qtbot.waitUntil(lambda: len(refits.begun) == 2)
    refits.may_end.release()
    qtbot.waitUntil(lambda: len(refits.begun) == 3)
    assert made.is_busy
    refits.may_end.release()
    qtbot.waitUntil(lambda: not made.is_busy)
    chosen = [state.settings.penalties for state in refits.begun[1:]]
    assert [penalties.lambda_1 for penalties in chosen if penalties is not None] == [1.0, 4.0]
    assert refits.most_at_once == 1
    assert not made.study.needs_work


def test_the_window_stays_busy_between_two_refits_and_cancel_ends_that(
    session: tuple[Session, Refits], qtbot: QtBot
) -> None:
    made, refits = session
    qtbot.waitUntil(lambda: not made.is_busy)
    told: list[bool] = []
    made.busy_changed.connect(told.append)
    made.latest_only.is_showing = lambda: True  # the first result stays on its way to the views
    slide(made, 1.0)
    made.latest_only.is_showing = lambda: bool(refits.begun[1:])
    slide(made, 2.0)
    assert made.is_busy
    made.cancel()
    qtbot.waitUntil(lambda: not made.is_busy)
    assert told[-1] is False
    assert not made.latest_only.is_waiting
