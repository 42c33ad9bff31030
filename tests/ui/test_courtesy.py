"""Threads that work wait while the main thread is in the middle of something, and never for long."""

import threading

import pytest
from PySide6.QtWidgets import QApplication

from affinecal_gui.ui.event_loop.courtesy import Courtesy, watch_main_thread


def test_a_thread_waits_until_the_main_thread_rests(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affinecal_gui.ui.event_loop.courtesy.LONGEST_WAIT", 60.0)
    state, courtesy = watch_main_thread(), Courtesy()
    state._wake()
    thread = threading.Thread(target=courtesy.let_main_thread_go_first)
    thread.start()
    thread.join(0.05)
    assert thread.is_alive()
    state._sleep()
    thread.join()


def test_after_a_wait_it_has_some_time_of_its_own(light: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("affinecal_gui.ui.event_loop.courtesy.OWN_SHARE", 3600.0)
    waits: list[float] = []
    courtesy = Courtesy()
    monkeypatch.setattr(watch_main_thread(), "wait", waits.append)
    for _ in range(5):
        courtesy.let_main_thread_go_first()
    assert len(waits) <= 1


def test_work_goes_on_beside_a_window_that_never_rests(light: QApplication) -> None:
    state, courtesy = watch_main_thread(), Courtesy()
    state._wake()
    courtesy.let_main_thread_go_first()  # comes back
    state._sleep()
