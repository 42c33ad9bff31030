"""The window has room on every screen, and puts its parts behind tabs where they have none beside each other."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QDockWidget, QLabel
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.first_size import bounded
from affinecal_gui.ui.window.layout.arrangement import is_narrow
from affinecal_gui.ui.window.main_window import FIRST_SIZE, SMALLEST, MainWindow
from tests.ui.shared_window import SharedWindow

NAMED_TABLE = "id,smiles,measured density [g/cm3]\np0,*CC*,0.85\np1,*CC(*)C,0.86\n"


@pytest.mark.parametrize(
    "free",
    [(1280, 680), (1280, 720), (1366, 728), (1024, 560), (1920, 1040), (3840, 2100)],
    ids=lambda free: f"{free[0]}x{free[1]}",
)
def test_the_first_window_fits_every_screen(free: tuple[int, int]) -> None:
    smallest, first = (bounded(size, QSize(*free)) for size in (SMALLEST, FIRST_SIZE))
    for size in (smallest, first):
        assert size.width() < free[0]
        assert size.height() < free[1]
    assert smallest.boundedTo(SMALLEST) == smallest
    assert first.boundedTo(FIRST_SIZE) == first


@pytest.mark.parametrize(
    ("size", "narrow"),
    [((1366, 700), True), ((1299, 900), True), ((1500, 720), True), ((1100, 700), True), ((1500, 950), False)],
)
def test_tabs_stand_in_where_width_or_height_is_missing(size: tuple[int, int], narrow: bool) -> None:
    assert is_narrow(QSize(*size)) == narrow


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("table") / "densities.csv"
    path.write_text(NAMED_TABLE, encoding="utf-8")
    return path


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, table: Path) -> Iterator[MainWindow]:
    yield shared_window.lend(None, table)
    shared_window.take_back()


def widths(window: MainWindow) -> tuple[int, int]:
    return window.docks.data.width(), window.docks.model.width()


def test_a_window_that_was_small_for_a_while_looks_as_before(window: MainWindow, qtbot: QtBot) -> None:
    first = widths(window)
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: window.docks.inspector in window.tabifiedDockWidgets(window.docks.model))
    assert window.docks.data.width() < first[0]
    window.resize(FIRST_SIZE)
    qtbot.waitUntil(lambda: widths(window) == first)
    assert window.docks.inspector not in window.tabifiedDockWidgets(window.docks.model)


def title_of(dock: QDockWidget) -> QLabel:
    return next(found for found in dock.titleBarWidget().findChildren(QLabel) if found.text() == dock.windowTitle())


def test_no_title_bar_repeats_the_tab_above_it(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.docks
    assert not any(title_of(dock).isHidden() for dock in docks)
    window.resize(1100, 700)
    qtbot.waitUntil(lambda: title_of(docks.model).isHidden() and title_of(docks.inspector).isHidden())
    assert not title_of(docks.data).isHidden()
    docks.inspector.close()
    qtbot.waitUntil(lambda: not title_of(docks.model).isHidden())
    docks.inspector.show()
    window.resize(FIRST_SIZE)
    qtbot.waitUntil(lambda: not any(title_of(dock).isHidden() for dock in docks))


def test_docks_keep_their_shares_of_a_window_that_leaps_to_another_size(window: MainWindow, qtbot: QtBot) -> None:
    first = widths(window)
    window.resize(2250, 950)
    grown = [round(1.5 * width) for width in first]
    qtbot.waitUntil(lambda: all(abs(now - then) <= 2 for now, then in zip(widths(window), grown, strict=True)))
    window.resize(FIRST_SIZE)
    qtbot.waitUntil(lambda: all(abs(now - then) <= 2 for now, then in zip(widths(window), first, strict=True)))
