"""Help through the real window: menu, key, contents, search and links; and whether the guide names what there is."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog, QMenu
from pytestqt.qtbot import QtBot

from affinecal_gui.ui.dialogs.help.help_desk import PLACES, place_of
from affinecal_gui.ui.dialogs.help.help_pages import help_pages, table_path
from affinecal_gui.ui.dialogs.help.help_text import WIDEST
from affinecal_gui.ui.dialogs.help.help_window import HelpWindow
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import NativeDialogs, NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow

GUIDE = next(page for page in help_pages() if page.name == "guide.md")


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(ThemeKeeper(qapp, "light"), NoDialogs(), settings, tmp_path)
    window.show()
    qtbot.waitExposed(window)
    yield window
    window.close()
    window.deleteLater()


@pytest.fixture
def help_window(qtbot: QtBot, light: QApplication) -> HelpWindow:
    window = HelpWindow()
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    return window


def action(window: MainWindow, text: str) -> QAction:
    return next(found for found in window.findChildren(QAction) if words(found) == text)


def words(action: QAction) -> str:
    return action.text().replace("&", "")


def chosen(help_window: HelpWindow) -> str:
    return help_window.contents.currentItem().text(0)


# ---------------------------------------------------------------- the menu and the key


def test_the_help_menu_opens_every_document_beside_the_window(qtbot: QtBot, window: MainWindow) -> None:
    assert window.help_desk.window is None  # nothing is made before it is asked for
    for title in ("Guide", "Tutorial", "Glossary", "Method"):
        action(window, title).trigger()
        shown = window.help_desk.window
        assert shown is not None
        assert shown.isVisible()
        assert not shown.isModal()
        assert shown.text.page_name == f"{title.lower()}.md"
        assert shown.text.toPlainText().startswith(title)
        assert chosen(shown) == title
    assert window.isEnabled()


def test_f1_opens_the_section_about_the_view_that_has_the_keyboard(qtbot: QtBot, window: MainWindow) -> None:
    window.activateWindow()
    window.welcome_page.drop_target.setFocus()
    window.window_actions.help_here.trigger()
    shown = window.help_desk.window
    assert shown is not None
    assert shown.place == ("guide.md", "welcome-page")
    sections = {section.anchor for section in GUIDE.sections}
    assert set(PLACES.values()) <= sections
    window.study_views.make_all()
    for view, anchor in (
        (window.study_views.parity_view.canvas, "parity"),
        (window.study_views.coefficient_view.canvas, "coefficients"),
        (window.study_views.data_panel.table, "data"),
        (window.study_views.model_panel.calibrators, "calibrator"),
        (window.study_views.model_panel.penalties.choice, "penalties"),
        (window.study_views.model_panel.target.scale, "model"),
        (window.study_views.model_panel.surface.canvas, "cross-validation-surface"),
        (window.study_views.inspector, "inspector"),
    ):
        assert place_of(view) == anchor


def test_the_key_itself_works_in_the_window_and_in_a_preview_that_must_be_answered_first(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    window.activateWindow()
    qtbot.keyClick(window, Qt.Key.Key_F1)
    shown = window.help_desk.window
    assert shown is not None
    assert shown.isVisible()
    shown.close()
    # A dialog over the window blocks its keys.
    monkeypatch.setattr(window.import_desk, "dialogs", NativeDialogs(window))
    previews: list[QDialog] = []
    window.import_desk.opened.connect(previews.append)
    window.open_files((table_path("practice/series_12.csv"),))
    qtbot.waitUntil(lambda: bool(previews) and previews[0].isVisible(), timeout=60_000)
    preview = previews[0]
    assert preview.isModal()
    preview.activateWindow()
    qtbot.keyClick(preview, Qt.Key.Key_F1)
    assert shown.isVisible()
    assert shown.place == ("guide.md", "import-preview")
    qtbot.waitUntil(shown.isActiveWindow)  # it can be used, although the window cannot
    qtbot.keyClick(shown.search, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    qtbot.waitUntil(lambda: not window.import_desk.is_busy, timeout=60_000)
    preview.reject()


def test_closing_the_window_closes_the_help_window(qtbot: QtBot, window: MainWindow) -> None:
    action(window, "Guide").trigger()
    shown = window.help_desk.window
    assert shown is not None
    with qtbot.waitSignal(shown.destroyed):
        window.close()
    assert window.help_desk.window is None
    window.help_desk.open()  # a late wish is not granted
    assert window.help_desk.window is None


def test_a_table_named_in_the_tutorial_is_opened_in_the_window(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[tuple[str, ...]] = []
    monkeypatch.setattr(window.opening_desk, "open_files", opened.append)
    action(window, "Tutorial").trigger()
    shown = window.help_desk.window
    assert shown is not None
    shown.text.link_followed.emit(QUrl("practice/series_12.csv"))
    shown.text.link_followed.emit(QUrl("../resources/examples/md_radonpy.csv"))
    shown.text.link_followed.emit(QUrl("../../secret.csv"))
    assert [Path(paths[0]).name for paths in opened] == ["series_12.csv", "md_radonpy.csv"]
    assert all(Path(paths[0]).is_file() for paths in opened)


# ---------------------------------------------------------------- the help window


def test_links_lead_to_headings_and_back(help_window: HelpWindow) -> None:
    help_window.open("guide.md")
    assert not help_window.back_button.isEnabled()
    help_window.text.link_followed.emit(QUrl("glossary.md#out-of-fold"))
    assert help_window.place == ("glossary.md", "out-of-fold")
    assert help_window.text.section == "out-of-fold"
    assert chosen(help_window) == "Out-of-fold"
    help_window.text.link_followed.emit(QUrl("#parity-plot"))
    assert help_window.place == ("glossary.md", "parity-plot")
    help_window.back_button.click()
    help_window.back_button.click()
    assert help_window.text.page_name == "guide.md"
    help_window.forward_button.click()
    assert help_window.place == ("glossary.md", "out-of-fold")
    help_window.text.link_followed.emit(QUrl("nowhere.md"))
    assert help_window.place == ("glossary.md", "out-of-fold")


def test_web_pages_open_outside_and_only_on_a_click(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", opened.append)
    action(window, "Method").trigger()
    shown = window.help_desk.window
    assert shown is not None
    assert not opened
    shown.text.link_followed.emit(QUrl("https://proceedings.neurips.cc/"))
    shown.text.link_followed.emit(QUrl("file:///etc/passwd"))
    assert [url.host() for url in opened] == ["proceedings.neurips.cc"]
    assert shown.text.page_name == "method.md"


def test_the_search_keeps_the_sections_that_hold_all_words(qtbot: QtBot, help_window: HelpWindow) -> None:
    help_window.open("guide.md")
    qtbot.keyClicks(help_window.search, "conformal")
    visible = [item.text(0) for item in help_window.pages if not item.isHidden()]
    assert "Glossary" in visible
    assert "Tutorial" not in visible
    qtbot.keyClick(help_window.search, Qt.Key.Key_Return)
    assert help_window.place == ("glossary.md", "conformal")
    assert help_window.text.extraSelections()
    help_window.search.setText("xyzzy")
    assert "xyzzy" in help_window.nothing_found.text()
    assert help_window.nothing_found.isVisible()
    assert all(item.isHidden() for item in help_window.pages)
    help_window.search.clear()
    assert not any(item.isHidden() for item in help_window.pages)
    assert not help_window.text.extraSelections()


def test_a_click_in_the_contents_brings_the_heading_to_the_top(help_window: HelpWindow) -> None:
    help_window.open("guide.md")
    for name in ("penalties", "keyboard"):
        item = help_window.item_of("guide.md", name)
        assert item is not None
        help_window.contents.setCurrentItem(item)
        assert help_window.place == ("guide.md", name)
    assert help_window.text.verticalScrollBar().value() > 1000


def test_pictures_fit_the_column_and_follow_the_theme(
    qtbot: QtBot, help_window: HelpWindow, light: QApplication
) -> None:
    help_window.resize(900, 600)
    help_window.open("guide.md")
    qtbot.waitUntil(lambda: help_window.text.is_fitted)
    assert 0 < help_window.text.document().idealWidth() <= help_window.text.viewport().width()
    assert help_window.text.horizontalScrollBar().maximum() == 0
    assert help_window.text.column <= WIDEST
    url = QUrl("pictures/main-light.png")
    bright = help_window.text.loadResource(2, url)
    assert bright.width() == help_window.text.column * help_window.devicePixelRatioF()
    help_window.open("guide.md", "inspector")
    DARK_THEME.apply_to(light)
    help_window.apply_theme(DARK_THEME)
    dark = help_window.text.loadResource(2, url)
    assert bright.pixelColor(5, 5).lightness() > 180 > 90 > dark.pixelColor(5, 5).lightness()
    assert help_window.text.section == "inspector"  # where the reader was
    LIGHT_THEME.apply_to(light)


def test_another_width_leaves_the_reader_at_the_same_section(qtbot: QtBot, help_window: HelpWindow) -> None:
    help_window.open("guide.md", "matching-report")
    for width in (760, 1200, 600, 1000):
        help_window.resize(width, 600)
        qtbot.waitUntil(lambda: help_window.text.is_fitted)
        assert help_window.text.section == "matching-report"


def test_nothing_is_loaded_from_elsewhere(help_window: HelpWindow) -> None:
    help_window.open("guide.md")
    for name in ("file:///etc/hostname", "https://example.org/picture.png", "../README.md"):
        image = help_window.text.loadResource(2, QUrl(name))
        assert (image.width(), image.height()) == (1, 1)
    assert help_window.text.loadResource(3, QUrl("style.css")) is None


# ---------------------------------------------------------------- the guide says what there is


def section(anchor: str) -> str:
    text = GUIDE.markdown
    title = next(found.title for found in GUIDE.sections if found.anchor == anchor)
    start = re.search(rf"^#+ {re.escape(title)}$", text, re.MULTILINE)
    assert start is not None
    end = re.search(r"^#+ ", text[start.end() :], re.MULTILINE)
    return text[start.end() : start.end() + end.start()] if end is not None else text[start.end() :]


def rows(text: str) -> list[list[str]]:
    """Return the cells of the tables of a text, without heads."""
    lines = [
        [cell.strip() for cell in line.strip("| ").split("|")] for line in text.splitlines() if line.startswith("|")
    ]
    return [cells for number, cells in enumerate(lines) if set(cells[0]) != {"-"} and number > 0]


def test_every_action_that_the_guide_names_exists_in_its_menu_and_every_action_is_named(window: MainWindow) -> None:
    assert window.workings  # which a menu that is opened waits for
    menus = {words(found.menuAction()): found for found in window.menuBar().findChildren(QMenu) if found.title()}
    named = {cells[0]: re.findall(r"\*\*(.+?)\*\*", cells[1]) for cells in rows(section("menus-and-tool-bar"))}
    tops = [words(found) for found in window.menuBar().actions()]
    assert list(named) == tops
    for title, texts in named.items():
        menus[title].aboutToShow.emit()  # as when it is opened: before, it need not be whole
        present = [re.sub(r"^(Undo|Redo) .*", r"\1", words(found)) for found in menus[title].actions() if words(found)]
        assert texts == present, title
    exported = [words(found) for found in menus["Export"].actions() if words(found)]
    assert re.findall(r"^\| \*\*(.+?)\*\*", section("files"), re.MULTILINE) == exported


def test_the_list_of_keys_is_that_of_the_window(window: MainWindow) -> None:
    listed = {cells[0]: set(cells[1].split(", ")) for cells in rows(section("keyboard").split("Inside the views")[0])}
    present: dict[str, set[str]] = {}
    for found in window.findChildren(QAction):
        # A keyboard may have a key named Paste, and so on: nobody needs to be told of those.
        keys = {key.toString() for key in found.shortcuts()} - {"Paste", "Copy", "Exit"}
        if keys:
            present[words(found)] = keys
    assert listed == present


@pytest.mark.parametrize("page", [page for page in help_pages() if page.name in ("guide.md", "tutorial.md")])
def test_every_picture_has_words_for_those_who_do_not_see_it(page: object) -> None:
    pictures = re.findall(r"!\[([^\]]*)\]\(", page.markdown)  # type: ignore[attr-defined]
    assert pictures
    assert all(len(text) > 5 for text in pictures)
