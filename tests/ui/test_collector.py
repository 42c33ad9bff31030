"""Cycles end in the main thread, large data is never looked through, and Python gets its collector back."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from affinecal_gui.ui.collector import MOST_LOOKED_AT, OLDEST_EVERY, MainThreadCollector


class Loop:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.loop = self


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
    collector._look()
    assert gone() is None


def test_cycles_that_outlived_a_collection_end_as_well(collector: MainThreadCollector) -> None:
    loop = Loop()
    gone = weakref.ref(loop)
    gc.collect(1)
    del loop
    for _ in range(OLDEST_EVERY):
        collector._look()
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
        collector._look()
    assert looked_at
    assert max(looked_at) < 1.5 * MOST_LOOKED_AT
    assert len(table) * 5_000 > 10 * MOST_LOOKED_AT


def test_tables_that_are_no_longer_wanted_end_at_once(collector: MainThreadCollector) -> None:
    table = [Row() for _ in range(2 * MOST_LOOKED_AT)]
    collector._look()
    gone = weakref.ref(table[0])
    del table
    assert gone() is None


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
