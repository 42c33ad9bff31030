"""Finding polymers by a text, in a small table at once and in a large one in the background."""

import sys
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.data.row_columns import SearchedTexts, row_columns
from affinecal_gui.study.snapshot import PolymerRow, Snapshot
from affinecal_gui.task import Task
from affinecal_gui.ui.running.worker import await_late_jobs
from affinecal_gui.ui.views.polymers import polymer_search
from affinecal_gui.ui.views.polymers.polymer_search import PolymerSearch
from tests.ui.waiting import deliver_all

SECONDS = 60_000
HERE_ALONE = sys.getrefcount(object()) + 1  # of what a test holds by a name
NAMES = ("nylon 6", "polystyrene", "nylon 66", "polyethylene", "nylon 11")


def snapshot_of(names: tuple[str, ...]) -> Snapshot:
    rows = tuple(PolymerRow(f"key of {name}", name, "", "*C*", 1.0, 2.0, "waiting") for name in names)
    return Snapshot(rows=rows, columns=row_columns(rows))


class User:
    """Goes to the polymers that are found, and notes them."""

    def __init__(self) -> None:
        self.snapshot = snapshot_of(NAMES)
        self.selected = ""
        self.went_to: list[str] = []
        self.search = PolymerSearch(lambda: self.snapshot, lambda: self.selected)
        self.search.found.connect(self.go_to)
        self.search.missed.connect(lambda text: self.went_to.append(f"nothing with {text}"))

    def go_to(self, key: str) -> None:
        self.selected = key
        self.went_to.append(key.removeprefix("key of "))

    def wait(self, qtbot: QtBot) -> list[str]:
        qtbot.waitUntil(lambda: not self.search.is_searching, timeout=SECONDS)
        return self.went_to


@pytest.fixture(params=["at once", "in the background"])
def user(qapp: QApplication, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[User]:
    if request.param == "in the background":
        monkeypatch.setattr(polymer_search, "SEARCHED_AT_ONCE", 0)
    made = User()
    yield made
    made.search.shut_down()
    assert await_late_jobs(60.0)


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds threads that search until it is set."""
    monkeypatch.setattr(polymer_search, "SEARCHED_AT_ONCE", 0)
    gate, containing = threading.Event(), SearchedTexts.containing

    def later(self: SearchedTexts, word: str, *, task: Task) -> NDArray[np.bool_]:
        while not gate.wait(0.005):
            task.check()
        return containing(self, word, task=task)

    monkeypatch.setattr(SearchedTexts, "containing", later)
    yield gate
    gate.set()


@pytest.fixture
def waiting_user(qapp: QApplication, gate: threading.Event) -> Iterator[User]:
    made = User()
    yield made
    gate.set()
    made.search.shut_down()
    assert await_late_jobs(60.0)


def test_the_first_one_is_found_and_then_each_of_the_others(qtbot: QtBot, user: User) -> None:
    user.search.find("NYLON", forward=False)
    assert user.wait(qtbot) == ["nylon 6"]
    for _ in range(3):
        user.search.find("NYLON", forward=True)
        user.wait(qtbot)
    assert user.went_to == ["nylon 6", "nylon 66", "nylon 11", "nylon 6"]


def test_what_no_polymer_holds_is_said(qtbot: QtBot, user: User) -> None:
    user.search.find("kevlar", forward=False)
    assert user.wait(qtbot) == ["nothing with kevlar"]


def test_a_part_of_the_structure_is_found(qtbot: QtBot, user: User) -> None:
    rows = tuple(
        PolymerRow(f"key of {name}", name, "", smiles, 1.0, 2.0, "waiting")
        for name, smiles in (
            ("poly(cyclohexyl acrylate)", "*CC(*)C(=O)OC1CCCCC1"),
            ("polystyrene", "*CC(*)C1=CC=CC=C1"),
        )
    )
    user.snapshot = Snapshot(rows=rows, columns=row_columns(rows))
    user.search.find("c1ccccc1", forward=False)
    assert user.wait(qtbot) == ["polystyrene"]


def test_nothing_is_sought_without_a_text(qtbot: QtBot, user: User) -> None:
    user.search.find("poly", forward=False)
    user.search.find("", forward=False)
    user.search.find("", forward=True)
    assert "nothing with " not in user.wait(qtbot)


def test_the_next_one_follows_the_selected_one_if_that_holds_the_text(qtbot: QtBot, user: User) -> None:
    user.selected = "key of nylon 66"
    user.search.find("nylon", forward=True)
    assert user.wait(qtbot) == ["nylon 11"]
    user.selected = "key of polystyrene"
    user.search.find("nylon", forward=True)
    assert user.wait(qtbot) == ["nylon 11", "nylon 6"]


def test_other_rows_are_searched_anew(qtbot: QtBot, user: User) -> None:
    user.search.find("poly", forward=False)
    user.wait(qtbot)
    user.snapshot = snapshot_of(("polypropylene", *NAMES[:2]))
    user.search.find("poly", forward=True)
    assert user.wait(qtbot) == ["polystyrene", "polypropylene"]


def test_rows_that_have_gone_are_not_held(qtbot: QtBot, user: User) -> None:
    rows = user.snapshot.rows
    user.search.find("poly", forward=False)
    user.search.find("nylon", forward=True)
    user.wait(qtbot)
    user.snapshot = Snapshot()
    qtbot.waitUntil(lambda: sys.getrefcount(rows) == HERE_ALONE, timeout=SECONDS)


def test_of_several_texts_the_last_one_counts(qtbot: QtBot, waiting_user: User, gate: threading.Event) -> None:
    for text in ("n", "p", "poly", "polye"):
        waiting_user.search.find(text, forward=False)
        QApplication.processEvents()
    gate.set()
    assert waiting_user.wait(qtbot) == ["polyethylene"]


def test_enter_before_the_places_are_known_leads_to_the_next_one(
    qtbot: QtBot, waiting_user: User, gate: threading.Event
) -> None:
    waiting_user.search.find("nylon", forward=False)
    waiting_user.search.find("nylon", forward=True)
    waiting_user.search.find("nylon", forward=True)
    assert waiting_user.went_to == []
    gate.set()
    assert waiting_user.wait(qtbot) == ["nylon 11"]


def test_who_has_gone_elsewhere_is_left_there(qtbot: QtBot, waiting_user: User, gate: threading.Event) -> None:
    waiting_user.search.find("nylon", forward=False)
    waiting_user.search.drop()
    gate.set()
    assert await_late_jobs(60.0)
    deliver_all()
    assert waiting_user.wait(qtbot) == []
    waiting_user.search.find("nylon", forward=True)
    assert waiting_user.wait(qtbot) == ["nylon 6"]


def test_rows_that_come_while_others_are_searched(qtbot: QtBot, waiting_user: User, gate: threading.Event) -> None:
    waiting_user.search.find("nylon", forward=False)
    waiting_user.snapshot = snapshot_of(("polypropylene", "nylon 12"))
    gate.set()
    assert waiting_user.wait(qtbot) == ["nylon 12"]


def test_closing_while_something_is_sought(qtbot: QtBot, waiting_user: User, gate: threading.Event) -> None:
    waiting_user.search.find("nylon", forward=False)
    waiting_user.search.shut_down()
    gate.set()
    assert await_late_jobs(60.0)
    deliver_all()
    assert waiting_user.went_to == []
