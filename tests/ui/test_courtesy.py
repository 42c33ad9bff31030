"""Threads that work wait while the main thread is in the middle of something, and never for long."""

import threading

import pytest
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.event_loop import courtesy
from affinecal_gui.ui.event_loop.courtesy import LONGEST_WAIT, Courtesy
from affinecal_gui.ui.event_loop.loop_state import loop_state


@pytest.fixture
def waits(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """For how long at most it was waited each time, without waiting."""
    asked: list[float] = []
    monkeypatch.setattr(loop_state(), "wait_for_sleep", asked.append)
    return asked


def test_a_thread_waits_until_the_main_thread_rests(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "LONGEST_WAIT", 60.0)
    state, manners = loop_state(), Courtesy()
    state.wake()
    thread = threading.Thread(target=manners.let_main_thread_go_first)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    state.fall_asleep()
    thread.join(30.0)
    assert not thread.is_alive()


def test_between_two_waits_it_has_some_time_of_its_own(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "OWN_SHARE", 3600.0)
    manners = Courtesy()
    for _ in range(5):
        manners.let_main_thread_go_first()
    assert len(waits) == 1
    monkeypatch.setattr(courtesy, "OWN_SHARE", 0.0)
    manners.let_main_thread_go_first()
    assert len(waits) == 2


def test_a_window_that_never_rests_does_not_stop_the_work(waits: list[float]) -> None:
    Courtesy().let_main_thread_go_first()
    assert waits == [LONGEST_WAIT]
