"""Light and dark while the program runs: a few widgets a turn, and in the end as if it had begun so."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEventLoop, QPoint, QSettings, Qt, QTimer
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QProgressBar,
    QPushButton,
    QRadioButton,
    QSlider,
    QSpinBox,
    QTableWidget,
    QTabWidget,
    QTextEdit,
    QToolBar,
    QToolTip,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from affinecal_gui.ui.parts.theme.palette import DARK, LIGHT, Palette
from affinecal_gui.ui.parts.theme.restyling import restyle
from affinecal_gui.ui.parts.theme.style_sheet import set_kind, style_sheet
from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME, Theme, current_theme
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.parts.widgets.info_line import InfoLine
from affinecal_gui.ui.parts.widgets.labels import label
from affinecal_gui.ui.parts.widgets.section_heading import SectionHeading
from affinecal_gui.ui.parts.widgets.segmented_buttons import SegmentedButtons
from affinecal_gui.ui.parts.widgets.themed_icons import IconLabel
from affinecal_gui.ui.parts.widgets.tool_buttons import LinkButton, ThemedToolButton
from affinecal_gui.ui.parts.widgets.value_table import ValueTable
from affinecal_gui.ui.running.paint_turns import paint_turns
from affinecal_gui.ui.session.dialogs import NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow

IMPORT_LIMIT = 60_000  # milliseconds in which what works on studies is imported
KINDS = ("muted", "note", "section", "heading", "strong", "good", "caution", "bad")


class Sampler(QDialog):
    """One of everything that the style sheet styles; nothing takes the focus, so that two of them look the same."""

    def __init__(self) -> None:
        super().__init__()
        table = QTableWidget(2, 2)
        table.setHorizontalHeaderLabels(["first", "second"])
        tree = QTreeWidget()
        tree.addTopLevelItem(QTreeWidgetItem(["a branch"]))
        tabs = QTabWidget()
        tabs.addTab(table, "Table")
        tabs.addTab(tree, "Tree")
        choices = QComboBox()
        choices.addItems(["one", "two"])
        ticked, chosen, words = QCheckBox("ticked"), QRadioButton("chosen"), QLineEdit("words")
        ticked.setChecked(True)
        chosen.setChecked(True)
        off = QPushButton("disabled")
        off.setEnabled(False)
        main = QPushButton("primary")
        set_kind(main, "primary")
        ground = QWidget()
        set_kind(ground, "view")
        ground.setMinimumHeight(8)
        bar = QProgressBar()
        bar.setValue(40)
        own = QLabel("a style sheet of its own")
        own.setStyleSheet("font-size: 14px;")
        values = ValueTable(framed=True)
        values.set_rows([("MD", "1.0", "J/(kg K)"), ("measured", "2.0", "")])
        info = InfoLine("caution", "A sentence with <b>bold</b> words.")
        box = QVBoxLayout(self)
        for widget in (
            *(label(f"a {kind} label", kind) for kind in KINDS),
            *(tabs, choices, ticked, chosen, words, off, main, ground, bar, own, values, info, QSpinBox()),
            *(
                QSlider(Qt.Orientation.Horizontal),
                QTextEdit("text"),
                LinkButton("a link"),
                SectionHeading("Title", "J"),
            ),
            *(ThemedToolButton("copy", "Copy", "Copy"), IconLabel("check", "good")),
            SegmentedButtons((("a", "A"), ("b", "B")), "choice"),
        ):
            box.addWidget(widget)
        for widget in self.findChildren(QWidget):
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.resize(420, 900)


@pytest.fixture
def sampler(qtbot: QtBot, light: QApplication) -> Sampler:
    return shown(qtbot, Sampler())


@pytest.fixture
def keeper(light: QApplication) -> Iterator[ThemeKeeper]:
    keeper = ThemeKeeper(light, "light")
    yield keeper
    keeper.set_choice("light")
    keeper.deleteLater()


@pytest.fixture
def window(qtbot: QtBot, keeper: ThemeKeeper, tmp_path: Path) -> Iterator[MainWindow]:
    window = new_window(qtbot, keeper, tmp_path)
    yield window
    window.close()
    window.deleteLater()


def new_window(qtbot: QtBot, keeper: ThemeKeeper, folder: Path) -> MainWindow:
    folder.mkdir(exist_ok=True)
    settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
    window = MainWindow(keeper, NoDialogs(), settings, folder)
    window.show()
    qtbot.waitExposed(window)
    return window


def shown(qtbot: QtBot, sampler: Sampler) -> Sampler:
    qtbot.addWidget(sampler)
    sampler.show()
    qtbot.waitExposed(sampler)
    return sampler


def picture(widget: QWidget) -> QImage:
    QApplication.processEvents()  # layouts that are posted
    QApplication.processEvents()
    with paint_turns().unhurried():
        return widget.grab().toImage()


def happens(act: Callable[[], object]) -> None:
    """Let something happen inside the event loop, as when a user clicks."""
    QTimer.singleShot(0, act)


def as_soon_as(condition: Callable[[], bool]) -> None:
    """Let the event loop run until something is true, and look at every turn: a moment later the change may be over."""
    loop, look = QEventLoop(), QTimer(interval=0)
    look.timeout.connect(lambda: loop.quit() if condition() else None)
    look.start()
    loop.exec()


def change(qtbot: QtBot, keeper: ThemeKeeper, choice: str) -> None:
    """Choose light or dark inside the event loop, and wait for the end of the change."""
    happens(lambda: keeper.set_choice(choice))  # type: ignore[arg-type]
    qtbot.waitUntil(lambda: keeper.choice == choice and is_over(keeper))


def is_over(keeper: ThemeKeeper) -> bool:
    return not keeper.is_changing and not paint_turns().is_painting


def as_qt_does(app: QApplication, palette: Palette) -> None:
    """Style an application in one go: the oracle."""
    app.setStyleSheet("")
    app.setStyleSheet(style_sheet(palette))


def text_colours(sampler: Sampler) -> dict[str, str]:
    """The colour of the text of each kind of label."""
    labels = [found for found in sampler.findChildren(QLabel) if found.property("kind") in KINDS]
    return {found.property("kind"): found.palette().windowText().color().name().upper() for found in labels}


# -- the style sheet ----------------------------------------------------------------------------------------------


def test_light_and_dark_differ_in_colours_and_images_alone() -> None:
    # What else a sheet says, sizes above all, would have to be told to the layouts.
    neutral = [re.sub(r"#[0-9A-F]{6}|url\([^)]*\)", "", style_sheet(palette)) for palette in (LIGHT, DARK)]
    assert neutral[0] == neutral[1]
    assert style_sheet(LIGHT) != style_sheet(DARK)


def test_a_step_ends_when_it_has_taken_long_enough(light: QApplication, sampler: Sampler) -> None:
    clock = iter(range(100_000))
    every = restyle(light, style_sheet(LIGHT), lambda: float(next(clock)))
    shown_ones = [widget for widget in sampler.findChildren(QWidget) if widget.isVisible()]
    assert sum(1 for _ in every) >= len(shown_ones) > len(KINDS)  # a widget a step
    at_once = restyle(light, style_sheet(LIGHT), lambda: 0.0)
    assert sum(1 for _ in at_once) == 1


def test_no_widget_is_polished_while_the_sheets_are_exchanged(light: QApplication, sampler: Sampler) -> None:
    steps = restyle(light, style_sheet(DARK))
    next(steps)
    assert light.styleSheet() == style_sheet(DARK)
    assert text_colours(sampler)["bad"] == LIGHT.bad
    assert text_colours(sampler)["good"] == LIGHT.good
    for _ in steps:
        pass
    assert text_colours(sampler)["bad"] == DARK.bad
    assert text_colours(sampler)["good"] == DARK.good
    LIGHT_THEME.apply_to(light)


@pytest.mark.parametrize("seconds", [0.0, 1.0], ids=["in one step", "a widget a step"])
def test_the_picture_is_the_one_that_qt_makes_in_one_go(light: QApplication, sampler: Sampler, seconds: float) -> None:
    clock = iter(range(100_000))
    for palette in (DARK, LIGHT):
        for _ in restyle(light, style_sheet(palette), lambda: seconds * next(clock)):
            pass
        found = picture(sampler)
        as_qt_does(light, palette)
        assert found == picture(sampler)


def test_a_widget_that_is_destroyed_or_made_meanwhile_is_no_matter(
    qtbot: QtBot, light: QApplication, sampler: Sampler
) -> None:
    clock = iter(range(100_000))
    steps = restyle(light, style_sheet(DARK), lambda: float(next(clock)))
    next(steps)
    for kind in (QComboBox, QTabWidget):  # with what Qt made for them
        for widget in sampler.findChildren(kind):
            delete(widget)
    made = label("a bad label", "bad")
    qtbot.addWidget(made)
    made.show()
    assert made.palette().windowText().color().name().upper() == DARK.bad
    for _ in steps:
        pass
    assert made.palette().windowText().color().name().upper() == DARK.bad
    LIGHT_THEME.apply_to(light)


# -- the keeper, inside the event loop ----------------------------------------------------------------------------


def test_a_window_that_is_open_looks_as_one_that_is_opened_afterwards(
    qtbot: QtBot, keeper: ThemeKeeper, sampler: Sampler
) -> None:
    bright = picture(sampler)
    change(qtbot, keeper, "dark")
    dark = picture(sampler)
    assert dark == picture(shown(qtbot, Sampler()))
    assert dark != bright
    change(qtbot, keeper, "light")
    assert picture(sampler) == bright == picture(shown(qtbot, Sampler()))
    assert all(widget.updatesEnabled() for widget in QApplication.allWidgets())


def test_what_opens_beside_a_window_follows(
    qtbot: QtBot, light: QApplication, keeper: ThemeKeeper, sampler: Sampler
) -> None:
    def pop_up() -> list[QImage]:
        menu.popup(QPoint(10, 10))
        pictures = [picture(menu)]
        menu.close()
        sampler.findChildren(QComboBox)[0].showPopup()
        pictures.append(picture(sampler.findChildren(QComboBox)[0].view().window()))
        sampler.findChildren(QComboBox)[0].hidePopup()
        QToolTip.showText(QPoint(10, 10), "a tip", sampler)
        tip = next(w for w in QApplication.topLevelWidgets() if w.inherits("QTipLabel") and w.isVisible())
        pictures.append(picture(tip))
        QToolTip.hideText()
        return pictures

    menu = QMenu(sampler)
    menu.addAction("an entry").setCheckable(True)
    bright = pop_up()
    change(qtbot, keeper, "dark")
    dark = pop_up()
    as_qt_does(light, DARK)
    assert dark == pop_up()
    assert all(one != other for one, other in zip(bright, dark, strict=True))
    change(qtbot, keeper, "light")
    assert pop_up() == bright


def test_another_choice_in_the_middle_of_a_change(qtbot: QtBot, keeper: ThemeKeeper, sampler: Sampler) -> None:
    bright = picture(sampler)
    heard: list[Theme] = []
    keeper.changed.connect(heard.append)
    happens(lambda: keeper.set_choice("dark"))
    as_soon_as(lambda: current_theme() is DARK_THEME)
    assert keeper.is_changing
    happens(lambda: keeper.set_choice("light"))
    qtbot.waitUntil(lambda: keeper.choice == "light" and is_over(keeper))
    assert heard == [LIGHT_THEME]  # nobody was told of what did not come about
    assert keeper.theme is current_theme() is LIGHT_THEME
    assert picture(sampler) == bright
    assert all(widget.updatesEnabled() for widget in QApplication.allWidgets())


def test_a_window_that_goes_in_the_middle_of_a_change(qtbot: QtBot, keeper: ThemeKeeper, sampler: Sampler) -> None:
    other = Sampler()
    other.show()
    qtbot.waitExposed(other)
    happens(lambda: keeper.set_choice("dark"))
    as_soon_as(lambda: current_theme() is DARK_THEME)
    assert keeper.is_changing
    delete(other)
    qtbot.waitUntil(lambda: is_over(keeper))
    assert picture(sampler) == picture(shown(qtbot, Sampler()))


def test_who_is_told_of_a_change_may_take_a_turn_for_each_step(
    qtbot: QtBot, keeper: ThemeKeeper, sampler: Sampler
) -> None:
    events: list[str] = []

    def steps() -> Iterator[None]:
        for name in ("first", "second"):
            events.append(f"{name} step")
            assert not sampler.updatesEnabled()  # nobody sees half of it
            QTimer.singleShot(0, lambda name=name: events.append(f"after the {name}"))
            yield

    follow = keeper.changed.connect(lambda _: keeper.continue_with(steps()))
    change(qtbot, keeper, "dark")
    keeper.changed.disconnect(follow)
    assert events == ["first step", "after the first", "second step", "after the second"]
    assert sampler.updatesEnabled()


def test_steps_outside_of_a_change_are_taken_at_once(keeper: ThemeKeeper) -> None:
    taken: list[int] = []

    def steps() -> Iterator[None]:
        for number in range(3):
            taken.append(number)
            yield

    keeper.continue_with(steps())
    assert taken == [0, 1, 2]


# -- the real window ----------------------------------------------------------------------------------------------


def test_the_window_and_its_help_change_as_if_they_had_begun_so(
    qtbot: QtBot, keeper: ThemeKeeper, window: MainWindow, tmp_path: Path
) -> None:
    def wait_for(theme: Theme, *windows: MainWindow) -> None:
        qtbot.waitUntil(
            lambda: current_theme() is theme and all(window.is_at_rest for window in windows), timeout=IMPORT_LIMIT
        )

    tables = []
    for name, heading in (("measured.csv", "measured Cp [J/(kg K)]"), ("md.csv", "MD Cp [J/(kg K)]")):
        table = tmp_path / name
        rows = [f"polymer {i},*CC(*){'C' * i}O,{1500 + 40 * i}" for i in range(4)]
        table.write_text("\n".join([f"name,smiles,{heading}", *rows]) + "\n", encoding="utf-8")
        tables.append(str(table))

    def parts(of: MainWindow) -> list[QImage]:
        """Picture everything but the status line, which says when the study was saved."""
        return [picture(part) for part in (of.menuBar(), of.findChild(QToolBar), of.centralWidget(), *of.docks)]

    window.open_files(tuple(tables))
    window.help_desk.open()
    wait_for(LIGHT_THEME, window)
    assert window.study_views.view_pair.isVisible()
    bright = parts(window)
    happens(window.menus.appearances["dark"].trigger)
    wait_for(DARK_THEME, window)
    fresh = new_window(qtbot, keeper, tmp_path / "other")
    fresh.open_files(tuple(tables))
    wait_for(DARK_THEME, window, fresh)
    assert parts(window) == parts(fresh)
    text = window.help_desk.window.text  # type: ignore[union-attr]
    assert text.palette().base().color().name().upper() == DARK.base
    fresh.close()
    fresh.deleteLater()
    happens(window.menus.appearances["light"].trigger)
    wait_for(LIGHT_THEME, window)
    assert parts(window) == bright
