"""Pictures drawn in the background: each wish answered once, bounded memory, a quiet end."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.views.polymers import thumbnails
from affinecal_gui.ui.views.polymers.thumbnails import WAITING_LIMIT, ThumbnailStore
from tests.ui.waiting import deliver_all

SIZE = QSize(50, 42)


@pytest.fixture
def store(qapp: QApplication) -> Iterator[ThumbnailStore]:
    made = ThumbnailStore()
    yield made
    assert made.close(60.0)


def test_a_picture_is_drawn_once_and_then_at_hand(qtbot: QtBot, store: ThumbnailStore) -> None:
    assert store.find("*CC*", SIZE, 1.0, dark=False) == (False, None)
    with qtbot.waitSignal(store.ready, timeout=10_000) as heard:
        for _ in range(5):
            store.find("*CC*", SIZE, 1.0, dark=False)
    assert heard.args == ["*CC*"]
    with qtbot.assertNotEmitted(store.ready, wait=100):
        known, picture = store.find("*CC*", SIZE, 1.0, dark=False)
    assert known
    assert picture.deviceIndependentSize().toSize() == SIZE


def test_copolymers_have_pictures(qtbot: QtBot, store: ThumbnailStore) -> None:
    text = "*CC*|*CC(*)c1ccccc1|0.7|0.3"
    with qtbot.waitSignal(store.ready, timeout=10_000):
        store.find(text, SIZE, 1.0, dark=False)
    known, picture = store.find(text, SIZE, 1.0, dark=False)
    assert known
    assert picture is not None


def test_screens_of_higher_resolution_get_sharper_pictures(qtbot: QtBot, store: ThumbnailStore) -> None:
    with qtbot.waitSignal(store.ready, timeout=10_000):
        store.find("*CC*", SIZE, 2.0, dark=False)
    _, picture = store.find("*CC*", SIZE, 2.0, dark=False)
    assert (picture.width(), picture.height()) == (100, 84)
    assert picture.deviceIndependentSize().toSize() == SIZE


@pytest.mark.parametrize("text", ["", "not a structure", "*C(", "C" * 5000])
def test_what_cannot_be_drawn_is_answered_as_well(qtbot: QtBot, store: ThumbnailStore, text: str) -> None:
    with qtbot.waitSignal(store.ready, timeout=10_000):
        store.find(text, SIZE, 1.0, dark=False)
    assert store.find(text, SIZE, 1.0, dark=False) == (True, None)


def test_old_wishes_give_way_to_newer_ones(qtbot: QtBot, store: ThumbnailStore) -> None:
    wishes = [f"*{'C' * (n + 1)}*" for n in range(WAITING_LIMIT + 20)]
    answered: list[str] = []
    store.ready.connect(answered.append)
    for smiles in wishes:
        store.find(smiles, SIZE, 1.0, dark=False)
    qtbot.waitUntil(lambda: wishes[-1] in answered, timeout=10_000)
    qtbot.waitUntil(lambda: len(answered) >= WAITING_LIMIT, timeout=20_000)
    qtbot.waitUntil(lambda: not store.is_drawing, timeout=20_000)
    deliver_all()
    assert len(answered) == len(set(answered))
    assert set(wishes[-WAITING_LIMIT:]) <= set(answered)


def test_memory_is_bounded(qtbot: QtBot, store: ThumbnailStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thumbnails, "CACHE_BYTES", 3 * (4 * 50 * 42 + 200))
    for number in range(1, 7):
        with qtbot.waitSignal(store.ready, timeout=10_000):
            store.find(f"*{'C' * number}*", SIZE, 1.0, dark=False)
    kept = [number for number in range(1, 7) if store.find(f"*{'C' * number}*", SIZE, 1.0, dark=False)[0]]
    assert kept == [4, 5, 6]


def test_after_the_end_nothing_arrives_and_nothing_starts(qtbot: QtBot, qapp: QApplication) -> None:
    store = ThumbnailStore()
    for number in range(1, 20):
        store.find(f"*{'C' * number}*", SIZE, 1.0, dark=False)
    assert store.close(60.0)
    with qtbot.assertNotEmitted(store.ready, wait=100):
        assert store.find("*CO*", SIZE, 1.0, dark=False) == (False, None)
    assert store.close(60.0)
