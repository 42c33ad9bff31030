"""The welcome page: real drops, buttons, lists, keyboard."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.parts.theme.model_style import model_style
from affinecal_gui.ui.parts.theme.theme import DARK_THEME
from affinecal_gui.ui.views.welcome.drop_target import DropTarget, dropped_files
from affinecal_gui.ui.views.welcome.entry_list import EntryButton
from affinecal_gui.ui.views.welcome.welcome_example import CALIBRATED, MD, MEASURED
from affinecal_gui.ui.views.welcome.welcome_page import WelcomePage
from affinecal_gui.ui.views.welcome.what_it_does import WhatItDoes
from tests.ui.waiting import deliver_all

EXAMPLES = (("heat", "Specific heat capacity", "81 measured polymers"), ("density", "Density", "57 measured polymers"))
RECENT = (("/a.affinecal", "Heat capacity at 298 K", "61 polymers", "today"),)


@pytest.fixture
def page(qtbot: QtBot, light: QApplication) -> WelcomePage:
    made = WelcomePage()
    qtbot.addWidget(made)
    made.resize(1200, 800)
    made.show_examples(EXAMPLES)
    made.show_recent(RECENT)
    made.show()
    return made


def mime(*urls: str) -> QMimeData:
    data = QMimeData()
    data.setUrls([QUrl(url) for url in urls])
    return data


def enter(widget: QWidget, data: QMimeData) -> QDragEnterEvent:
    event = QDragEnterEvent(
        QPoint(20, 20), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)
    return event


def drop(widget: QWidget, data: QMimeData) -> QDropEvent:
    event = QDropEvent(
        QPointF(20, 20), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(widget, event)
    return event


def target(page: WelcomePage) -> DropTarget:
    return page.findChild(DropTarget, "dropTarget")


@pytest.mark.parametrize("where", ["frame", "beside"])
def test_dropped_files_are_announced_once_after_the_drop(
    qtbot: QtBot, page: WelcomePage, tmp_path: Path, where: str
) -> None:
    files = [tmp_path / "measured values.csv", tmp_path / "MD größe.csv"]
    widget = target(page) if where == "frame" else page.viewport()
    data = mime(*(QUrl.fromLocalFile(str(file)).toString() for file in files))
    heard: list[Sequence[str]] = []
    page.files_dropped.connect(heard.append)
    assert enter(widget, data).isAccepted()
    assert target(page).is_lit
    assert drop(widget, data).isAccepted()
    assert not target(page).is_lit
    assert heard == []  # the program that the files come from is not kept waiting
    qtbot.waitUntil(lambda: len(heard) == 1, timeout=2000)
    assert heard == [tuple(str(file) for file in files)]


def test_leaving_with_the_files_puts_the_light_out(page: WelcomePage) -> None:
    data = mime("file:///tmp/a.csv")
    enter(target(page), data)
    assert target(page).is_lit
    QApplication.sendEvent(target(page), QDragLeaveEvent())
    assert not target(page).is_lit


def test_what_is_no_local_file_is_refused(qtbot: QtBot, page: WelcomePage) -> None:
    text = QMimeData()
    text.setText("name,value")
    with qtbot.assertNotEmitted(page.files_dropped, wait=50):
        for data in (mime("https://example.org/a.csv"), text):
            assert not enter(target(page), data).isAccepted()
            assert not target(page).is_lit
            drop(target(page), data)


def test_the_same_file_twice_is_one_file() -> None:
    assert len(dropped_files(mime("file:///tmp/a.csv", "file:///tmp/a.csv", "https://example.org/b.csv"))) == 1


def test_nothing_inside_the_frame_swallows_a_drop(page: WelcomePage) -> None:
    assert target(page).acceptDrops()
    assert not [child for child in target(page).findChildren(QWidget) if child.acceptDrops()]


def test_buttons_ask_for_files_and_for_a_pasted_table(qtbot: QtBot, page: WelcomePage) -> None:
    for name, signal in (("chooseFilesButton", page.open_requested), ("pasteTableButton", page.paste_requested)):
        with qtbot.waitSignal(signal):
            qtbot.mouseClick(page.findChild(QPushButton, name), Qt.MouseButton.LeftButton)


def test_examples_and_recent_studies_open_by_mouse_and_keyboard(qtbot: QtBot, page: WelcomePage) -> None:
    buttons = {button.entry.key: button for button in page.findChildren(EntryButton) if button.isVisible()}
    with qtbot.waitSignal(page.example_chosen) as heard:
        qtbot.mouseClick(buttons["density"], Qt.MouseButton.LeftButton)
    assert heard.args == ["density"]
    with qtbot.waitSignal(page.example_chosen) as heard:
        qtbot.keyClick(buttons["heat"], Qt.Key.Key_Space)
    assert heard.args == ["heat"]
    with qtbot.waitSignal(page.example_chosen) as heard:
        qtbot.keyClick(buttons["heat"], Qt.Key.Key_Return)
    assert heard.args == ["heat"]
    with qtbot.waitSignal(page.recent_chosen) as heard:
        qtbot.mouseClick(buttons["/a.affinecal"], Qt.MouseButton.LeftButton)
    assert heard.args == ["/a.affinecal"]


def test_without_recent_studies_their_section_is_not_there(page: WelcomePage) -> None:
    links = [button for button in page.findChildren(QPushButton) if button.text() == "Open another…"]
    assert links[0].isVisible()
    page.show_recent(())
    assert not links[0].isVisible()
    headings = [found.text() for found in page.findChildren(QLabel) if found.isVisible()]
    assert "Recent studies" not in headings
    assert "Open an example" in headings


def test_lists_can_be_replaced(qtbot: QtBot, page: WelcomePage) -> None:
    page.show_examples((("other", "Another", ""),))
    deliver_all()
    assert [button.entry.key for button in page.findChildren(EntryButton) if button.isVisible()] == [
        "/a.affinecal",
        "other",
    ]


@pytest.mark.parametrize("width", [1500, 1100, 700])
def test_the_page_never_needs_to_be_scrolled_sideways(qtbot: QtBot, page: WelcomePage, width: int) -> None:
    page.resize(width, 700)
    qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width(), timeout=2000)
    assert page.widget().minimumSizeHint().width() <= page.viewport().width()
    for button in page.findChildren(QPushButton):
        if button.isVisible():
            left = button.mapTo(page.widget(), QPoint(0, 0)).x()
            assert left >= 0
            assert left + button.width() <= page.widget().width()


def test_the_smallest_window_shows_the_whole_page(qtbot: QtBot, page: WelcomePage) -> None:
    page.resize(1100, 610)  # what a window of 1100 x 700 leaves
    qtbot.waitUntil(lambda: page.verticalScrollBar().maximum() == 0, timeout=2000)


def test_the_picture_has_one_calibrated_value_per_polymer() -> None:
    assert len(MEASURED) == len(MD) == len(CALIBRATED) > 50


def test_the_page_follows_the_theme(qtbot: QtBot, page: WelcomePage, light: QApplication) -> None:
    bright = page.grab().toImage().pixelColor(4, 4).lightness()
    DARK_THEME.apply_to(light)
    page.apply_theme(DARK_THEME)
    assert page.grab().toImage().pixelColor(4, 4).lightness() < bright - 100


def test_every_control_has_a_name(page: WelcomePage) -> None:
    for control in (*page.findChildren(QPushButton), *page.findChildren(EntryButton), page, target(page)):
        assert control.accessibleName() or control.text()


@pytest.mark.parametrize("size", [(1100, 615), (1366, 683), (1500, 865)])
def test_two_recent_studies_and_five_examples_need_no_scrolling(page: WelcomePage, size: tuple[int, int]) -> None:
    """The sizes that the page has in the smallest window, on a small notebook and in the window as it opens."""
    page.show_examples([(str(number), "Specific heat capacity", "81 measured polymers") for number in range(5)])
    page.show_recent([RECENT[0], ("/b.affinecal", "Density", "57 polymers", "yesterday")])
    page.resize(*size)
    deliver_all()
    assert page.verticalScrollBar().maximum() == 0


def test_calibrators_have_the_marks_of_the_plots(page: WelcomePage) -> None:
    drawn = page.findChild(WhatItDoes).marks
    for model, mark in zip(("md", "combined"), drawn, strict=True):
        style = model_style(model)
        assert mark == (style.role, {"s": "square"}.get(style.symbol, style.symbol))


def test_nothing_of_the_page_lies_beyond_its_right_edge(qtbot: QtBot) -> None:
    page = WelcomePage()
    qtbot.addWidget(page)
    page.show_examples(
        tuple((f"key {number}", "Title", "130 measured polymers, 51 with an MD value") for number in range(5))
    )
    page.show()
    for width in (640, 820, 944, 1000, 1100, 1500):
        page.resize(width, 500)
        qtbot.waitUntil(lambda: page.widget().width() <= page.viewport().width())
