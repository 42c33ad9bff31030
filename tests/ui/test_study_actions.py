"""The study file in the real window: save, open, drop, close with unsaved work, autosave, recovery, recent studies."""

import itertools
import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, QSettings, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget
from pytestqt.qtbot import QtBot

from affinecal_gui.study.snapshot import Snapshot
from affinecal_gui.study.stored.study_file import open_study
from affinecal_gui.task import Task
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.running import background_priority
from affinecal_gui.ui.session import study_keeper
from affinecal_gui.ui.session.file_jobs import Autosave
from affinecal_gui.ui.session.study_jobs import Derive, Export
from affinecal_gui.ui.views.welcome.entry_list import EntryButton
from affinecal_gui.ui.window.main_window import MainWindow
from tests.study.small_study import MEASURED, SIMULATED, assert_same
from tests.ui.shared_window import SharedWindow

LONG = 120_000  # milliseconds; the machine may have other work


class ScriptedDialogs:
    """Answers as the test says, and notes what was asked."""

    def __init__(self) -> None:
        self.study = ""
        self.save_to = ""
        self.answer = True
        self.leaving = "cancel"
        self.asked: list[str] = []

    def open_tables(self) -> list[str]:
        return []

    def open_study(self) -> str:
        return self.study

    def save_file(self, title: str, suggestion: str, filters: str) -> str:
        self.asked.append(f"{title}: {suggestion}")
        return self.save_to

    def save_changes(self, name: str) -> str:
        self.asked.append(f"changes to {name}")
        return self.leaving

    def choose_folder(self, title: str) -> str:
        return ""

    def confirm(self, title: str, question: str, action: str) -> bool:
        self.asked.append(question)
        return self.answer

    def inform(self, title: str, text: str) -> None:
        self.asked.append(text)


@pytest.fixture
def dialogs() -> ScriptedDialogs:
    return ScriptedDialogs()


@pytest.fixture
def make_window(
    qapp: QApplication, qtbot: QtBot, dialogs: ScriptedDialogs, tmp_path: Path
) -> Iterator[Callable[[], MainWindow]]:
    themes = ThemeKeeper(qapp, "light")
    windows: list[MainWindow] = []

    def make() -> MainWindow:
        settings = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
        window = MainWindow(themes, dialogs, settings, tmp_path / "user")
        windows.append(window)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield make
    dialogs.leaving = "discard"
    for window in windows:
        window.close()
        window.deleteLater()


@pytest.fixture
def window(qtbot: QtBot, shared_window: SharedWindow, dialogs: ScriptedDialogs) -> Iterator[MainWindow]:
    """The window without a study."""
    lent = shared_window.lend(dialogs)
    interval = lent.keeper.autosave_timer.interval()
    yield lent
    lent.keeper.autosave_timer.setInterval(interval)
    shared_window.take_back()


@pytest.fixture
def user_folder(shared_window: SharedWindow) -> Path:
    """Where that window keeps what is not saved."""
    return shared_window.user_folder


@pytest.fixture
def own_window(make_window: Callable[[], MainWindow]) -> MainWindow:
    """A window that a test may close, and whose folder it may take away."""
    return make_window()


@pytest.fixture
def tables(tmp_path: Path) -> list[Path]:
    """Two tables with too few polymers in common for a calibration, which these tests do not need."""
    few = tmp_path / "few.csv"
    few.write_text("".join(MEASURED.splitlines(keepends=True)[:6]), encoding="utf-8")
    simulated = tmp_path / "md.csv"
    simulated.write_text(SIMULATED, encoding="utf-8")
    return [few, simulated]


@pytest.fixture
def fitted_tables(tmp_path: Path) -> list[Path]:
    measured, simulated = tmp_path / "measured.csv", tmp_path / "md.csv"
    measured.write_text(MEASURED, encoding="utf-8")
    simulated.write_text(SIMULATED, encoding="utf-8")
    return [measured, simulated]


def load(qtbot: QtBot, window: MainWindow, paths: list[Path]) -> None:
    window.open_files(tuple(map(str, paths)))
    qtbot.waitUntil(lambda: len(window.session.study.state.tables) == len(paths), timeout=LONG)
    settle(qtbot, window)


def settle(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(lambda: not window.session.is_busy and not window.keeper.jobs.is_busy, timeout=LONG)


def save_as(qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, path: Path) -> None:
    dialogs.save_to = str(path)
    with qtbot.waitSignal(window.keeper.saved, timeout=LONG):
        window.window_actions.save_as.trigger()
    settle(qtbot, window)


def change(qtbot: QtBot, window: MainWindow) -> None:
    """Make a change that is quickly dealt with."""
    key = f"{window.session.study.state.tables[0].key}.1"
    window.session.toggle_left_out([key])
    settle(qtbot, window)


def snapshot(window: MainWindow) -> Snapshot:
    return window.session.study.snapshot()


def drop(target: QWidget, paths: list[Path]) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(20, 20), Qt.DropAction.CopyAction, data, left, none))
    QApplication.sendEvent(target, QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, left, none))


def hurry(window: MainWindow) -> None:
    """Autosave soon after a change."""
    window.keeper.autosave_timer.setInterval(10)


def shown(window: MainWindow) -> list[EntryButton]:
    """Return the entries on the welcome page."""
    return [button for button in window.findChildren(EntryButton) if button.isVisible()]


def recovery_files(folder: Path) -> list[Path]:
    return sorted((folder / "recovery").glob("*.affinecal"))


def test_a_result_that_was_saved_is_shown_at_once(
    qtbot: QtBot,
    make_window: Callable[[], MainWindow],
    dialogs: ScriptedDialogs,
    fitted_tables: list[Path],
    tmp_path: Path,
) -> None:
    window = make_window()
    load(qtbot, window, fitted_tables)
    assert window.windowTitle() == "New study[*] — AffineCal"
    assert window.isWindowModified()
    save_as(qtbot, window, dialogs, tmp_path / "heat")
    assert dialogs.asked == ["Save study: Specific heat capacity.affinecal"]
    assert window.windowTitle() == "heat[*] — AffineCal"
    assert not window.isWindowModified()
    assert window.status_line.message == f"Saved heat.affinecal in {tmp_path}."
    before = snapshot(window)
    assert before.calibration is not None

    other = make_window()
    started: list[type] = []
    real = other.session.jobs.start
    other.session.jobs.start = lambda job, *told: (started.append(type(job)), real(job, *told))[1]  # type: ignore[method-assign]
    drop(other.welcome_page.viewport(), [tmp_path / "heat.affinecal"])
    qtbot.waitUntil(lambda: snapshot(other).calibration is not None, timeout=LONG)
    settle(qtbot, other)
    assert Derive not in started
    assert_same(before, snapshot(other), ignore=("kept_fit", "made_with", "can_undo"))
    assert other.windowTitle() == "heat[*] — AffineCal"
    assert not other.isWindowModified()
    qtbot.waitUntil(lambda: other.pages.currentWidget() is not other.welcome_page, timeout=LONG)
    assert not other.window_actions.undo.isEnabled()


def test_saving_again_asks_nothing_and_the_star_follows(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    assert not window.window_actions.save.isEnabled()
    load(qtbot, window, tables)
    save_as(qtbot, window, dialogs, tmp_path / "a.affinecal")
    assert not window.window_actions.save.isEnabled()
    change(qtbot, window)
    assert window.isWindowModified()
    window.window_actions.undo.trigger()
    settle(qtbot, window)
    assert not window.isWindowModified()
    window.window_actions.redo.trigger()
    settle(qtbot, window)
    assert window.isWindowModified()
    dialogs.asked.clear()
    with qtbot.waitSignal(window.keeper.saved, timeout=LONG):
        window.window_actions.save.trigger()
    assert dialogs.asked == []
    assert not window.isWindowModified()
    assert open_study(tmp_path / "a.affinecal").state.settings.left_out == {"t1.1"}


def test_saving_over_what_another_program_wrote_asks(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, tables)
    path = tmp_path / "a.affinecal"
    save_as(qtbot, window, dialogs, path)
    path.write_bytes(path.read_bytes() + b"more")
    changed = path.read_bytes()
    change(qtbot, window)
    dialogs.answer = False
    window.window_actions.save.trigger()
    settle(qtbot, window)
    assert "was changed by another program" in dialogs.asked[-1]
    assert path.read_bytes() == changed
    dialogs.answer = True
    with qtbot.waitSignal(window.keeper.saved, timeout=LONG):
        window.window_actions.save.trigger()
    assert path.read_bytes() != changed


def test_tables_dropped_with_a_study_go_into_it(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, tables[:1])
    save_as(qtbot, window, dialogs, tmp_path / "a.affinecal")
    window.window_actions.new.trigger()
    assert window.windowTitle() == "AffineCal"
    drop(window, [tables[1], tmp_path / "a.affinecal", tmp_path / "b.affinecal"])
    qtbot.waitUntil(lambda: len(window.session.study.state.tables) == 2, timeout=LONG)
    settle(qtbot, window)
    assert window.windowTitle() == "a[*] — AffineCal"
    assert window.isWindowModified()
    assert "only a.affinecal was opened" in " ".join(window.message_bar.texts())


def test_a_file_that_is_no_study_leaves_everything_as_it_was(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, tables)
    save_as(qtbot, window, dialogs, tmp_path / "a.affinecal")
    state = window.session.study.state
    dialogs.study = str(tmp_path / "b.affinecal")
    (tmp_path / "b.affinecal").write_bytes(b"something else")
    window.window_actions.open_study.trigger()
    qtbot.waitUntil(lambda: bool(window.message_bar.texts()), timeout=LONG)
    assert window.message_bar.texts() == [
        "b.affinecal is not a study: its content is something else. Choose another file."
    ]
    assert window.session.study.state is state
    assert window.windowTitle() == "a[*] — AffineCal"


def test_remarks_on_values_that_are_not_in_use_stay_out_of_the_way(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    path = tmp_path / "md.csv"
    expansions = [f"{number}e-5" for number in range(20, 50)] + ["-3e-5"]
    rows = (f"*{'C' * number}O*,{1900 + number},{value}" for number, value in enumerate(expansions, start=1))
    path.write_text("smiles,Cp,volume_expansion\n" + "\n".join(rows), encoding="utf-8")
    drop(window, [path])
    qtbot.waitUntil(lambda: bool(window.session.study.state.tables), timeout=LONG)
    settle(qtbot, window)
    assert window.message_bar.texts() == []
    (logged,) = [message.text for message in window.log_desk.log.messages if "-3e-5" in message.text]
    assert "md.csv: 1 remark on properties that are not in use." in logged
    window.session.change_settings(replace(window.session.study.state.settings, property_key="volume_expansion"))
    settle(qtbot, window)
    (told,) = window.message_bar.texts()
    assert "-3e-5" in told


def test_closing_with_unsaved_work_asks_once(
    qtbot: QtBot, own_window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    window = own_window
    load(qtbot, window, tables)
    dialogs.leaving = "cancel"
    assert not window.close()
    assert window.isVisible()
    assert dialogs.asked == ["changes to New study"]
    dialogs.leaving = "save"
    dialogs.save_to = ""  # thought better of it in the second dialog
    assert not window.close()
    assert window.isVisible()
    dialogs.save_to = str(tmp_path / "missing" / "a.affinecal")
    assert not window.close()
    says_why = "a.affinecal cannot be written: the folder"
    qtbot.waitUntil(lambda: any(says_why in text for text in window.message_bar.texts()), timeout=LONG)
    assert window.isVisible()
    dialogs.save_to = str(tmp_path / "a.affinecal")
    window.close()
    qtbot.waitUntil(lambda: not window.isVisible(), timeout=LONG)
    assert len(open_study(tmp_path / "a.affinecal").state.tables) == 2
    asked = len(dialogs.asked)
    window.close()
    assert len(dialogs.asked) == asked


def test_closing_without_saving_loses_what_was_given_up_and_nothing_is_offered_later(
    qtbot: QtBot, own_window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    window = own_window
    hurry(window)
    with qtbot.waitSignal(window.keeper.autosaved, timeout=LONG, check_params_cb=lambda kept: kept):
        load(qtbot, window, tables)
    assert len(recovery_files(tmp_path / "user")) == 1
    dialogs.leaving = "discard"
    assert window.close()
    assert dialogs.asked == ["changes to New study"]
    assert recovery_files(tmp_path / "user") == []


def test_starting_anew_and_opening_ask_about_unsaved_work_too(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, tables)
    state = window.session.study.state
    window.window_actions.new.trigger()
    dialogs.study = str(tmp_path / "other.affinecal")
    window.window_actions.open_study.trigger()
    window.welcome_page.example_chosen.emit("optical")
    assert dialogs.asked == ["changes to New study"] * 3
    assert window.session.study.state is state
    dialogs.leaving, dialogs.save_to = "save", str(tmp_path / "a.affinecal")
    window.window_actions.new.trigger()
    qtbot.waitUntil(lambda: not window.session.study.state.tables, timeout=LONG)
    settle(qtbot, window)
    assert window.windowTitle() == "AffineCal"
    assert len(open_study(tmp_path / "a.affinecal").state.tables) == 2


def test_an_example_is_no_unsaved_work_until_it_is_changed(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs
) -> None:
    window.session.open_example("optical")
    qtbot.waitUntil(lambda: bool(window.session.study.state.tables), timeout=LONG)
    assert not window.isWindowModified()
    assert window.window_actions.save.isEnabled()
    window.session.toggle_left_out(["t1.1"])
    assert window.isWindowModified()
    window.session.cancel()


def test_changes_are_autosaved_until_they_are_saved(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path, user_folder: Path
) -> None:
    hurry(window)
    note = window.status_line.findChild(QWidget, "statusNote")
    assert note is not None
    with qtbot.waitSignal(window.keeper.autosaved, timeout=LONG, check_params_cb=lambda kept: kept):
        load(qtbot, window, tables)
    qtbot.waitUntil(lambda: note.text() == "Autosaved", timeout=LONG)  # type: ignore[attr-defined]
    settle(qtbot, window)
    (kept,) = recovery_files(user_folder)
    assert kept.name.startswith(f"{os.getpid()}-")
    assert_same(window.session.study.state.tables, open_study(kept).state.tables)
    save_as(qtbot, window, dialogs, tmp_path / "a.affinecal")
    qtbot.waitUntil(lambda: not kept.exists(), timeout=LONG)
    assert note.text() == ""  # type: ignore[attr-defined]
    with qtbot.waitSignal(window.keeper.autosaved, timeout=LONG, check_params_cb=lambda kept: kept):
        change(qtbot, window)
    qtbot.waitUntil(kept.exists, timeout=LONG)
    assert open_study(kept).manifest.original == str(tmp_path / "a.affinecal")
    window.window_actions.undo.trigger()  # back at what is saved
    qtbot.waitUntil(lambda: not kept.exists(), timeout=LONG)


@pytest.fixture
def calculating(window: MainWindow) -> Iterator[threading.Event]:
    """A job of the session that somebody waits for, until the event is set."""
    end = threading.Event()
    yield end
    end.set()


@dataclass(frozen=True, eq=False)
class Waiting(Export):
    """Writes nothing, and takes until it is told to end."""

    began: threading.Event
    end: threading.Event

    def run(self, task: Task, publish: object) -> tuple[str, ...]:
        """Wait."""
        self.began.set()
        self.end.wait(LONG / 1000)
        return ()


def begin_to_calculate(window: MainWindow, end: threading.Event) -> None:
    began = threading.Event()
    window.session.export(Waiting(began, end))
    assert began.wait(LONG / 1000)


def rings(window: MainWindow) -> list[bool]:
    """Return a list that grows whenever the time for an autosave has come."""
    heard: list[bool] = []
    window.keeper.autosave_timer.timeout.connect(lambda: heard.append(True))
    return heard


def test_an_autosave_waits_until_nothing_is_calculated(
    qtbot: QtBot,
    window: MainWindow,
    calculating: threading.Event,
    tables: list[Path],
    user_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(study_keeper, "LONGEST_WAIT", LONG)
    load(qtbot, window, tables)
    hurry(window)
    heard = rings(window)
    begin_to_calculate(window, calculating)
    window.session.toggle_left_out(["t1.1"])
    qtbot.waitUntil(lambda: len(heard) > 3, timeout=LONG)
    assert not window.keeper.jobs.is_running(Autosave)
    assert not recovery_files(user_folder)
    calculating.set()
    qtbot.waitUntil(lambda: bool(recovery_files(user_folder)), timeout=LONG)
    settle(qtbot, window)
    (kept,) = recovery_files(user_folder)
    assert open_study(kept).state.settings.left_out == {"t1.1"}


def test_a_long_calculation_does_not_keep_a_study_from_being_autosaved(
    qtbot: QtBot,
    window: MainWindow,
    calculating: threading.Event,
    tables: list[Path],
    user_folder: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(study_keeper, "LONGEST_WAIT", 50)
    monkeypatch.setattr(background_priority, "PATIENCE", 3 * background_priority.LOOK)
    load(qtbot, window, tables)
    hurry(window)
    begin_to_calculate(window, calculating)
    window.session.toggle_left_out(["t1.1"])
    qtbot.waitUntil(
        lambda: [open_study(kept).state.settings.left_out for kept in recovery_files(user_folder)] == [{"t1.1"}],
        timeout=LONG,
    )
    assert not calculating.is_set()


def test_an_autosave_waits_until_nobody_is_at_the_window(
    qtbot: QtBot, window: MainWindow, tables: list[Path], user_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_keeper, "LONGEST_WAIT", LONG)
    pointer = itertools.count()
    monkeypatch.setattr(study_keeper, "signs_of_user", lambda: (next(pointer),))
    hurry(window)
    load(qtbot, window, tables)
    heard = rings(window)
    qtbot.waitUntil(lambda: len(heard) > 3, timeout=LONG)
    assert not recovery_files(user_folder)
    monkeypatch.setattr(study_keeper, "signs_of_user", lambda: (0,))
    qtbot.waitUntil(lambda: bool(recovery_files(user_folder)), timeout=LONG)


def test_an_autosave_that_fails_is_told_once(
    qtbot: QtBot, own_window: MainWindow, tables: list[Path], tmp_path: Path
) -> None:
    window = own_window
    hurry(window)
    (tmp_path / "user").mkdir(exist_ok=True)
    settle(qtbot, window)
    shutil.rmtree(tmp_path / "user")
    (tmp_path / "user").write_text("a file where the folder should be")
    load(qtbot, window, tables)
    qtbot.waitUntil(lambda: any("cannot be autosaved" in text for text in window.message_bar.texts()), timeout=LONG)
    window.message_bar.clear()
    heard = rings(window)
    change(qtbot, window)
    qtbot.waitUntil(lambda: bool(heard), timeout=LONG)
    settle(qtbot, window)
    assert not [text for text in window.message_bar.texts() if "autosaved" in text]


def test_a_study_that_was_not_saved_when_the_program_was_killed_is_offered_again(
    qtbot: QtBot,
    make_window: Callable[[], MainWindow],
    dialogs: ScriptedDialogs,
    tables: list[Path],
    tmp_path: Path,
) -> None:
    first = make_window()
    hurry(first)
    load(qtbot, first, tables)
    save_as(qtbot, first, dialogs, tmp_path / "heat.affinecal")
    with qtbot.waitSignal(first.keeper.autosaved, timeout=LONG, check_params_cb=lambda kept: kept):
        change(qtbot, first)
    settle(qtbot, first)
    (kept,) = recovery_files(tmp_path / "user")
    left = kept.with_name("1-of-a-killed-program.affinecal")
    shutil.copy(kept, left)  # what is there when a process has been killed: the file, and a lock that nobody holds
    dialogs.leaving = "discard"
    first.close()

    second = make_window()
    qtbot.waitUntil(lambda: bool(second.keeper.offers.recoverable and second.keeper.offers.recent), timeout=LONG)
    qtbot.waitUntil(lambda: str(left) in {entry.entry.key for entry in shown(second)}, timeout=LONG)
    entry = next(entry for entry in shown(second) if entry.entry.key == str(left))
    assert entry.entry.title == "heat, not saved"
    assert re.fullmatch(r"today, \d\d:\d\d", entry.entry.note)
    assert "A study was not saved when AffineCal ended" in second.message_bar.texts()[0]
    assert [action.text() for action in second.menus.recent.actions()] == ["heat, not saved", "heat"]
    next(found for found in second.message_bar.findChildren(QAbstractButton) if found.text() == "Open it").click()
    qtbot.waitUntil(lambda: bool(second.session.study.state.tables), timeout=LONG)
    settle(qtbot, second)
    assert second.session.study.state.settings.left_out == {"t1.1"}
    assert second.windowTitle() == "heat[*] — AffineCal"
    assert second.isWindowModified()
    assert left.exists()  # until it is saved
    assert second.keeper.path == str(tmp_path / "heat.affinecal")
    with qtbot.waitSignal(second.keeper.saved, timeout=LONG):
        second.window_actions.save.trigger()
    qtbot.waitUntil(lambda: not left.exists(), timeout=LONG)
    assert open_study(tmp_path / "heat.affinecal").state.settings.left_out == {"t1.1"}
    assert [action.text() for action in second.menus.recent.actions()] == ["heat"]


def test_a_recovered_study_that_is_not_wanted_is_given_up_by_closing(
    qtbot: QtBot, make_window: Callable[[], MainWindow], dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    first = make_window()
    hurry(first)
    with qtbot.waitSignal(first.keeper.autosaved, timeout=LONG, check_params_cb=lambda kept: kept):
        load(qtbot, first, tables)
    settle(qtbot, first)
    left = recovery_files(tmp_path / "user")[0].with_name("1-of-a-killed-program.affinecal")
    shutil.copy(recovery_files(tmp_path / "user")[0], left)
    dialogs.leaving = "discard"
    first.close()

    second = make_window()  # looks at the offer and closes: it is there the next time
    qtbot.waitUntil(lambda: bool(second.keeper.offers.recoverable), timeout=LONG)
    second.close()
    assert left.exists()

    third = make_window()
    qtbot.waitUntil(lambda: bool(third.keeper.offers.recoverable), timeout=LONG)
    third.welcome_page.recent_chosen.emit(str(left))
    qtbot.waitUntil(lambda: bool(third.session.study.state.tables), timeout=LONG)
    settle(qtbot, third)
    assert third.windowTitle() == "New study[*] — AffineCal"
    third.close()
    assert dialogs.asked[-1] == "changes to New study"
    assert not left.exists()


def test_recent_studies_open_by_a_click_and_a_missing_one_leaves_the_list(
    qtbot: QtBot, make_window: Callable[[], MainWindow], dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    first = make_window()
    load(qtbot, first, tables)
    save_as(qtbot, first, dialogs, tmp_path / "one.affinecal")
    save_as(qtbot, first, dialogs, tmp_path / "two.affinecal")
    first.close()

    second = make_window()
    qtbot.waitUntil(lambda: len(second.keeper.offers.recent) == 2, timeout=LONG)
    qtbot.waitUntil(
        lambda: [b.entry.title for b in shown(second) if b.entry.note == "today"] == ["two", "one"], timeout=LONG
    )
    (tmp_path / "two.affinecal").unlink()
    second.menus.recent.actions()[0].trigger()
    qtbot.waitUntil(lambda: bool(second.message_bar.texts()), timeout=LONG)
    assert "two.affinecal is not there" in second.message_bar.texts()[0]
    qtbot.waitUntil(lambda: [entry.title for entry in second.keeper.offers.recent] == ["one"], timeout=LONG)
    second.menus.recent.actions()[0].trigger()
    qtbot.waitUntil(lambda: len(second.session.study.state.tables) == 2, timeout=LONG)
    assert second.windowTitle() == "one[*] — AffineCal"
    settle(qtbot, second)


def test_opening_while_something_is_calculated_leaves_no_trace_of_it(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, fitted_tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, fitted_tables[:1])
    save_as(qtbot, window, dialogs, tmp_path / "a.affinecal")
    window.open_files((str(fitted_tables[1]),))
    qtbot.waitUntil(lambda: window.session.jobs.is_running(Derive), timeout=LONG)
    dialogs.leaving, dialogs.study = "discard", str(tmp_path / "a.affinecal")
    with qtbot.waitSignal(window.keeper.opened, timeout=LONG):
        window.window_actions.open_study.trigger()
    settle(qtbot, window)
    assert len(window.session.study.state.tables) == 1
    assert snapshot(window).calibration is None
    assert not window.isWindowModified()


def test_a_name_with_stars_and_ampersands(
    qtbot: QtBot, window: MainWindow, dialogs: ScriptedDialogs, tables: list[Path], tmp_path: Path
) -> None:
    load(qtbot, window, tables)
    save_as(qtbot, window, dialogs, tmp_path / "A&B [x].affinecal")
    assert window.windowTitle() == "A&B [x][*] — AffineCal"
    assert window.menus.recent.actions()[0].text() == "A&&B [x]"


def test_the_system_names_a_file_to_the_running_program(tmp_path: Path) -> None:
    """As macOS does after a double-click."""
    script = (
        "from PySide6.QtGui import QFileOpenEvent\n"
        "from PySide6.QtCore import QEvent\n"
        "from affinecal_gui.ui.application import Application, make_application\n"
        "app = make_application(['affinecal'])\n"
        "assert isinstance(app, Application)\n"
        "app.files_named.connect(print)\n"
        "app.sendEvent(app, QFileOpenEvent('/tmp/a b.affinecal'))\n"
        "app.sendEvent(app, QEvent(QEvent.Type.User))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        timeout=250,
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
    )
    assert done.stdout.splitlines() == ["('/tmp/a b.affinecal',)"], done.stderr
