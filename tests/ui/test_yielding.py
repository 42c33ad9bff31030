"""Threads that work wait while the main thread is in the middle of something, and never for long."""

import threading

import pytest
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.running import yielding
from affinecal_gui.ui.running.loop_state import loop_state
from affinecal_gui.ui.running.yielding import LONGEST_REST, LONGEST_WAIT, MainThreadYield


@pytest.fixture
def waits(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long at most it was waited each time, without waiting."""
    asked: list[float] = []
    monkeypatch.setattr(loop_state(), "wait_for_sleep", asked.append)
    return asked


def test_a_thread_waits_until_the_main_thread_rests(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yielding, "LONGEST_WAIT", 60.0)
    state, one = loop_state(), MainThreadYield()
    state.wake()
    thread = threading.Thread(target=one.yield_if_busy)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    state.fall_asleep()
    thread.join(250.0)
    assert not thread.is_alive()


def test_between_two_waits_it_has_some_time_of_its_own(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yielding, "OWN_SHARE", 3600.0)
    one = MainThreadYield()
    for _ in range(5):
        one.yield_if_busy()
    assert len(waits) == 1
    monkeypatch.setattr(yielding, "OWN_SHARE", 0.0)
    one.yield_if_busy()
    assert len(waits) == 2


def test_a_window_that_never_rests_does_not_stop_the_work(waits: list[float]) -> None:
    MainThreadYield().yield_if_busy()
    assert waits == [LONGEST_WAIT]


def test_who_is_in_no_hurry_waits_longer_and_keeps_nobody_else_waiting(
    light: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[tuple[float, bool]] = []
    monkeypatch.setattr(
        loop_state(), "wait_for_sleep", lambda seconds: waits.append((seconds, yielding.queue.locked()))
    )
    MainThreadYield(in_background=True).yield_if_busy()
    assert waits == [(LONGEST_REST, False), (LONGEST_WAIT, True)]


def test_threads_that_wait_stand_in_a_queue(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    together: list[int] = []
    waiting = [0]
    is_first, go_on = threading.Event(), threading.Event()

    def wait(_seconds: float) -> None:
        waiting[0] += 1
        together.append(waiting[0])
        is_first.set()
        go_on.wait(250.0)
        waiting[0] -= 1

    monkeypatch.setattr(loop_state(), "wait_for_sleep", wait)
    threads = [threading.Thread(target=MainThreadYield().yield_if_busy) for _ in range(4)]
    for thread in threads:
        thread.start()
    assert is_first.wait(250.0)
    go_on.set()
    for thread in threads:
        thread.join(250.0)
    assert together == [1, 1, 1, 1]
