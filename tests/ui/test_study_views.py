"""The views behind the first window: made piece by piece, whole whenever they are asked for, fed one after the other."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.running import worker
from affinecal_gui.ui.running.making_ahead import MakingAhead
from affinecal_gui.ui.running.paint_turns import PaintTurns, paint_turns
from affinecal_gui.ui.window.study_views import VIEW_NAMES, StudyViews
from affinecal_gui.ui.window.warm_up import FOUNDATIONS, MODULES, WarmUp
from tests.ui.sample_snapshot import sample_snapshot, uncalibrated_snapshot

LONG = 60_000


@pytest.fixture
def ahead(qtbot: QtBot) -> MakingAhead:
    return MakingAhead()


@pytest.fixture
def views(ahead: MakingAhead, light: QApplication) -> StudyViews:
    return StudyViews(ahead)


def made(views: StudyViews, qtbot: QtBot) -> list[str]:
    """Write down what is announced; the views get an owner that ends them."""
    names: list[str] = []
    views.made.connect(names.append)
    views.made.connect(lambda name: qtbot.addWidget(views.view(name)))
    return names


def test_made_ahead_each_view_is_announced_once(qtbot: QtBot, ahead: MakingAhead, views: StudyViews) -> None:
    names = made(views, qtbot)
    with qtbot.waitSignal(ahead.ended, timeout=LONG):
        views.make_ahead()
    assert set(names) == set(VIEW_NAMES)
    assert len(names) == len(VIEW_NAMES)
    assert views.is_complete
    qtbot.waitUntil(lambda: views.is_settled, timeout=LONG)
    views.close()


def test_a_view_asked_for_before_its_turn_is_whole_and_shows_the_study(qtbot: QtBot, views: StudyViews) -> None:
    names = made(views, qtbot)
    snapshot = sample_snapshot()
    views.show_snapshot(snapshot)
    assert not views.is_complete
    assert views.data_panel.table.polymer_model.rowCount() > 0
    assert names == ["data_panel"]
    assert views.has("data_panel")
    assert not views.has("inspector")
    views.make_all()
    assert sorted(names) == sorted(VIEW_NAMES)
    with qtbot.waitSignal(views.settled, timeout=LONG, check_params_cb=lambda shown: shown is snapshot):
        views.show_snapshot(snapshot)
    assert views.parity_view.shown_keys
    views.close()


def test_of_two_snapshots_the_newer_one_is_shown_by_all(qtbot: QtBot, views: StudyViews) -> None:
    made(views, qtbot)
    views.make_all()
    settled: list[object] = []
    views.settled.connect(settled.append)
    newer = uncalibrated_snapshot()
    views.show_snapshot(sample_snapshot())
    views.show_snapshot(newer)
    qtbot.waitUntil(lambda: bool(settled), timeout=LONG)
    assert settled == [newer]
    assert views.parity_view.shown_keys == ()
    views.close()
    assert views.is_settled


def test_a_snapshot_that_comes_while_another_is_being_shown_is_what_all_show_in_the_end(
    qtbot: QtBot, views: StudyViews
) -> None:
    made(views, qtbot)
    views.make_all()
    first, last = sample_snapshot(), uncalibrated_snapshot()
    turns: list[int] = []
    views.show_snapshot(first)

    def interrupt() -> None:
        turns.append(len(turns))
        if len(turns) == 12:  # the parity plot has some of its panels by then
            views.parity_view.interval_box.toggle()
            views.coefficient_view.set_order(("charge",))
        if len(turns) % 7 == 0 and len(turns) < 40:
            views.show_snapshot(last if len(turns) % 2 else first)
        if len(turns) == 40:
            views.show_snapshot(last)

    timer = QTimer(interval=0)
    timer.timeout.connect(interrupt)
    timer.start()
    qtbot.waitUntil(lambda: len(turns) > 40 and views.is_settled, timeout=LONG)
    timer.stop()
    assert views.parity_view.shown_keys == ()
    assert not views.coefficient_view.order
    with qtbot.waitSignal(views.settled, timeout=LONG):
        views.show_snapshot(first)
    assert views.parity_view.shown_keys
    assert views.coefficient_view.order[0] == "charge"
    for view in (views.parity_view, views.coefficient_view, views.model_panel, views.data_panel):
        assert view.updatesEnabled()
    for canvas in (views.parity_view.canvas, views.coefficient_view.canvas):
        assert canvas.viewport().updatesEnabled()
    views.close()


def test_choices_are_shown_at_once(qtbot: QtBot, views: StudyViews) -> None:
    made(views, qtbot)
    views.make_all()
    snapshot = sample_snapshot()
    chosen = replace(snapshot, settings=replace(snapshot.settings, model="ordinary", penalties=None))
    views.show_snapshot(chosen)
    assert views.model_panel.calibrators.line("ordinary").isChecked()
    views.close()


def test_a_view_asked_for_while_it_is_being_made_is_made_once(
    qtbot: QtBot, ahead: MakingAhead, views: StudyViews
) -> None:
    names = made(views, qtbot)
    views.make_ahead()
    turns: list[int] = []

    def ask() -> None:
        turns.append(len(turns))
        if len(turns) == 8:
            assert views.model_panel is views.model_panel
            assert views.parity_view is views.parity_view

    timer = QTimer(interval=0)
    timer.timeout.connect(ask)
    timer.start()
    with qtbot.waitSignal(ahead.ended, timeout=LONG):
        pass
    timer.stop()
    assert sorted(names) == sorted(VIEW_NAMES)
    views.close()


def test_a_view_that_cannot_be_made_does_not_hold_up_the_start(
    qtbot: QtBot, ahead: MakingAhead, views: StudyViews, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_name: str) -> object:
        raise RuntimeError("no such view")

    monkeypatch.setattr(views, "make", broken)
    with qtbot.captureExceptions() as caught, qtbot.waitSignal(ahead.ended, timeout=LONG):
        views.make_ahead()
    assert [str(error) for _, error, _ in caught] == ["no such view"]
    qtbot.waitUntil(lambda: views.is_settled, timeout=LONG)


def test_jobs_wait_for_the_imports_and_no_longer(qtbot: QtBot) -> None:
    warm_up = WarmUp()
    assert not warm_up.is_running
    with qtbot.waitSignal(warm_up.is_founded, timeout=LONG):
        assert warm_up.prepare()
        assert not warm_up.prepare()
        assert warm_up.is_running
    assert warm_up.is_running
    assert not worker.imports_at_rest.is_set()
    shares: list[float] = []
    warm_up.progressed.connect(shares.append)
    with qtbot.waitSignal(warm_up.finished, timeout=LONG):
        warm_up.begin()
    assert worker.imports_at_rest.is_set()
    assert not warm_up.is_running
    assert shares == sorted(shares)
    warm_up.begin()  # once is enough
    assert not warm_up.is_running


def test_a_window_that_closes_before_the_imports_lets_jobs_go_on(qtbot: QtBot) -> None:
    warm_up = WarmUp()
    warm_up.prepare()
    warm_up.stop()
    assert worker.imports_at_rest.is_set()
    warm_up.begin()
    assert not warm_up.is_running


def test_nothing_of_the_window_is_imported_in_a_thread() -> None:
    assert not [name for name in (*FOUNDATIONS, *MODULES) if "PySide6" in name or name.startswith("affinecal_gui.ui")]


def test_views_wait_while_parts_of_the_window_are_still_to_be_painted(
    qtbot: QtBot, views: StudyViews, monkeypatch: pytest.MonkeyPatch
) -> None:
    made(views, qtbot)
    views.make_all()
    qtbot.waitUntil(lambda: not paint_turns().is_painting and views.is_settled, timeout=LONG)
    looked: list[bool] = []
    painting = [True]

    def is_painting(_turns: PaintTurns) -> bool:
        looked.append(painting[0])
        return painting[0]

    settled: list[object] = []
    views.settled.connect(settled.append)
    monkeypatch.setattr(PaintTurns, "is_painting", property(is_painting))
    views.show_snapshot(sample_snapshot())
    before = views.parity_view.shown_keys
    qtbot.waitUntil(lambda: len(looked) >= 20, timeout=LONG)
    assert views.parity_view.shown_keys == before == ()
    assert not settled
    painting[0] = False
    qtbot.waitUntil(lambda: bool(settled), timeout=LONG)
    assert views.parity_view.shown_keys
    views.close()
