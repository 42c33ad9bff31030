"""Any view in the whole window, and back."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.session.notices import Notice
from affinecal_gui.ui.window.main_window import MainWindow
from affinecal_gui.ui.window.view_list import VIEWS
from tests.ui.shared_window import SharedWindow

EVERY_VIEW = [line.name for line in VIEWS]


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, saved_result: Path) -> Iterator[MainWindow]:
    window = shared_window.lend(None, saved_result)
    window.resize(1500, 950)
    qtbot.waitUntil(lambda: window.is_at_rest)
    yield window
    shared_window.take_back()


def seen(window: MainWindow) -> set[str]:
    """Names of the views that are visible."""
    return {name for name in EVERY_VIEW if getattr(window.study_views, name).isVisible()}


def test_the_button_gives_each_view_the_whole_window_and_takes_it_back(window: MainWindow) -> None:
    for name in EVERY_VIEW:
        if name == "residual_view":
            window.study_views.view_pair.bring_to_front(window.study_views.residual_view)
        before, sizes = seen(window), {dock: dock.size() for dock in window.docks}
        button = window.findChild(QToolButton, f"maximise_{name}")
        assert "in the whole window" in button.accessibleName()
        button.click()
        QApplication.processEvents()
        assert seen(window) == {name}
        assert getattr(window.study_views, name).width() > 0.9 * window.width()
        assert "again" in button.accessibleName()
        button.click()
        QApplication.processEvents()
        assert seen(window) == before
        assert {dock: dock.size() for dock in window.docks} == sizes


def test_a_key_maximises_the_view_with_the_keyboard_and_escape_goes_back(window: MainWindow, qtbot: QtBot) -> None:
    before = seen(window)
    window.activateWindow()
    window.study_views.coefficient_view.canvas.setFocus()
    window.window_actions.maximise.trigger()
    assert seen(window) == {"coefficient_view"}
    assert window.window_actions.restore.isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert seen(window) == before
    assert not window.window_actions.restore.isEnabled()


def test_the_view_menu_brings_a_view_of_the_centre_forward_also_when_another_has_the_window(window: MainWindow) -> None:
    before = seen(window)
    assert {"parity_view", "residual_view"} - before  # one of them lies behind the other
    window.window_actions.views["residual_view"].trigger()
    assert "residual_view" in seen(window)
    window.findChild(QToolButton, "maximise_coefficient_view").click()
    window.window_actions.views["parity_view"].trigger()
    assert seen(window) == before - {"residual_view"} | {"parity_view"}


def test_a_warning_is_never_hidden_by_a_maximised_dock(window: MainWindow) -> None:
    window.maximising.maximise("model_panel")
    window.session.noticed.emit(Notice("caution", "Something to look at."))
    assert window.message_bar.isVisible()
    assert window.maximising.current == ""
