"""The first picture of the window, and what a user does before all that works behind it has been made."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, QSettings, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow
from affinecal_gui.ui.window.starting_window import IMPORTED_BEFORE

TURNS = 2 * len(IMPORTED_BEFORE) + 8
"""From the first picture until the workings are there, and the first views are being made."""

MEASURED = "name,smiles,measured density [g/cm3]\na,*CC*,0.85\nb,*CC(*)C,0.86\n"


class Reader(NoDialogs):
    """Names a table whenever one is asked for."""

    def __init__(self, table: Path) -> None:
        self.table = table

    def open_tables(self) -> list[str]:
        return [str(self.table)]


@pytest.fixture
def table(tmp_path: Path) -> Path:
    made = tmp_path / "densities.csv"
    made.write_text(MEASURED, encoding="utf-8")
    return made


@pytest.fixture
def window(qapp: QApplication, tmp_path: Path, table: Path) -> Iterator[MainWindow]:
    """A window that has not been shown yet."""
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made = MainWindow(ThemeKeeper(qapp, "light"), Reader(table), settings, tmp_path / "user")
    yield made
    made.close()
    made.deleteLater()


def in_turn(number: int, window: MainWindow, do: Callable[[], object]) -> None:
    """Do something so many turns of the event loop after the first picture."""
    turns: list[None] = []
    timer = QTimer(window, interval=0)

    def count() -> None:
        turns.append(None)
        if len(turns) > number:
            timer.stop()
            do()

    timer.timeout.connect(count)
    window.seen.connect(timer.start)


def press_open(window: MainWindow) -> None:
    QTest.keyClick(window, Qt.Key.Key_O, Qt.KeyboardModifier.ControlModifier)


def choose_open(window: MainWindow) -> None:
    window.window_actions.open.trigger()


def click_choose(window: MainWindow) -> None:
    window.welcome_page.drop_target.open_requested.emit()


def drop_on_window(window: MainWindow) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(window.dialogs.open_tables()[0])])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    window.dropEvent(QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, left, none))


WISHES = (press_open, choose_open, click_choose, drop_on_window)
CASES = [(turn, WISHES[number % len(WISHES)]) for number, turn in enumerate(range(0, TURNS, 2))]


@pytest.mark.parametrize(("turn", "wish"), [*CASES, *((0, wish) for wish in WISHES[1:])])
def test_a_wish_is_granted_whatever_has_been_made_by_then(
    qtbot: QtBot, window: MainWindow, table: Path, wish: Callable[[MainWindow], object], turn: int
) -> None:
    in_turn(turn, window, lambda: wish(window))
    window.show()
    qtbot.waitUntil(lambda: window.is_at_rest)
    assert [loaded.table.name for loaded in window.session.study.state.tables] == [table.name]
    assert window.pages.currentWidget() is window.study_views.view_pair
    assert all(not dock.isHidden() for dock in window.docks)


@pytest.mark.parametrize("turn", range(0, TURNS, 4))
def test_the_window_can_be_closed_whatever_has_been_made_by_then(qtbot: QtBot, window: MainWindow, turn: int) -> None:
    in_turn(turn, window, window.close)
    window.show()
    qtbot.waitUntil(lambda: not window.isVisible() and not window.warm_up.is_running)


def test_the_first_picture_is_what_the_window_looks_like(qtbot: QtBot, window: MainWindow) -> None:
    first = []
    window.seen.connect(lambda: first.append(window.grab().toImage()))
    window.show()
    qtbot.waitUntil(lambda: window.is_at_rest)
    assert window.grab().toImage() == first[0]


def test_nothing_is_made_before_the_first_picture_and_everything_after_it(qtbot: QtBot, window: MainWindow) -> None:
    assert not window.is_at_rest
    with qtbot.waitSignal(window.seen):
        window.show()
    assert not window.is_at_rest
    qtbot.waitUntil(lambda: window.is_at_rest)
    assert window.study_views.is_complete
    assert [action.text() for action in window.menus.view.actions()[:3]] == ["Data", "Model", "Inspector"]


def test_the_menu_of_views_is_whole_when_it_is_opened_early(window: MainWindow) -> None:
    window.menus.view.aboutToShow.emit()
    assert [action.text() for action in window.menus.view.actions()[:3]] == ["Data", "Model", "Inspector"]


def test_what_is_to_be_opened_at_the_start_is_said_until_it_is(qtbot: QtBot, window: MainWindow) -> None:
    key = EXAMPLES[0].key
    window.show()
    window.begin_with("Opening the example", lambda: window.session.open_example(key))
    assert window.status_line.is_running
    qtbot.waitUntil(lambda: window.is_at_rest)
    assert window.session.study.state.tables
