"""One real window for the tests of a module: making it and its views costs several times what most tests do in it.

Every test finds it as a user does who has just chosen "New study", or with a study that was just opened; a study that no
test has changed is not opened again.
"""

from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEvent, QSettings
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from affinecal_gui.study.importing.remembered_choices import RememberedChoices
from affinecal_gui.ui.parts.theme.theme_keeper import ThemeKeeper
from affinecal_gui.ui.session.dialogs import Dialogs, NoDialogs
from affinecal_gui.ui.window.main_window import MainWindow


class _OfThePresentTest:
    """Passes every question on to the user that the present test has."""

    def __init__(self) -> None:
        self.user: Dialogs = _BetweenTests()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.user, name)


class _BetweenTests(NoDialogs):
    """Gives up whatever a test has left."""

    def confirm(self, title: str, question: str, action: str) -> bool:
        return True


class SharedWindow:
    """The window, lent to one test after the other.

    Parameters
    ----------
    app, bot
        The application, and a robot that waits.
    folder
        Takes the place of the user's own for settings, recovery files and recent studies.
    """

    def __init__(self, app: QApplication, bot: QtBot, folder: Path) -> None:
        self._bot, self._folder = bot, folder
        self._dialogs = _OfThePresentTest()
        settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.themes = ThemeKeeper(app, "light")
        self.user_folder = folder / "user"
        self.window = MainWindow(self.themes, self._dialogs, settings, self.user_folder)
        self.window.show()
        bot.waitExposed(self.window)
        self._first_size = self.window.size()
        self._files: tuple[Path, ...] = ()  # that were opened, and what the window showed then
        self._state: object = None
        self._result: object = None
        self._last_step = ""
        self._chosen = ""
        self._lent = 0

    def lend(self, user: Dialogs | None = None, *files: Path) -> MainWindow:
        """Return the window with nothing in it or with these files, at rest, and a user of its own who answers."""
        self._lent += 1
        self.window.session.remembered = RememberedChoices(self._folder / f"imports {self._lent}.json")
        if not files or files != self._files or self._is_changed:
            self._begin_anew()
            if files:
                self._open(files)
        self.window.select(self._chosen)
        self.window.activateWindow()
        (self.window.study_views.data_panel.table if files else self.window.welcome_page).setFocus()
        self._bot.waitUntil(lambda: self.window.is_at_rest)
        self._forget_what_was_said()
        self._dialogs.user = user if user is not None else NoDialogs()
        return self.window

    def take_back(self) -> None:
        """Let what the test has set going end, and put back what lies outside of a study."""
        window = self.window
        self._dialogs.user = _BetweenTests()
        window.session.cancel()
        self._bot.waitUntil(_close_what_lies_over_the_window)
        window.maximising.restore()
        window.tool_bar.search.clear()
        if window.study_views.is_complete:
            window.study_views.data_panel.tabs.setCurrentIndex(0)
            window.study_views.data_panel.filter.clear()
            window.study_views.data_panel.states.setCurrentIndex(0)
        window.resize(self._first_size)
        self.themes.set_choice("light")
        self._bot.waitUntil(lambda: window.is_at_rest and not window.keeper.jobs.is_busy)
        self._forget_what_was_said()

    def end(self) -> None:
        """Close the window, now: later there may be no event loop to delete it."""
        self._dialogs.user = _BetweenTests()
        self.window.close()
        self.window.deleteLater()
        QCoreApplication.sendPostedEvents(self.window, QEvent.Type.DeferredDelete)

    def _begin_anew(self) -> None:
        session = self.window.session
        if session.study.state.tables or session.study.snapshot().can_redo:
            session.new_study()
        self._bot.waitUntil(lambda: not session.study.state.tables and self.window.is_at_rest)
        self._files, self._chosen = (), ""

    def _open(self, files: tuple[Path, ...]) -> None:
        session = self.window.session
        self.window.open_files(tuple(map(str, files)))
        self._bot.waitUntil(lambda: bool(session.study.state.tables) and self.window.is_at_rest)
        self._files, self._chosen = files, self.window.selection.key
        snapshot = session.study.snapshot()
        self._state, self._result, self._last_step = session.study.state, session.study.derived, snapshot.can_undo

    @property
    def _is_changed(self) -> bool:
        study = self.window.session.study
        snapshot = study.snapshot()
        is_same = study.state is self._state and study.derived is self._result
        return not is_same or snapshot.can_undo != self._last_step or bool(snapshot.can_redo)

    def _forget_what_was_said(self) -> None:
        self.window.messages.forget()


def _close_what_lies_over_the_window() -> bool:
    """Close menus and dialogs; one that first has to stop what it has begun is closed at the next attempt."""
    menu = QApplication.activePopupWidget()
    if menu is not None:
        menu.close()
    for dialog in _open_dialogs():
        dialog.reject()
    return not _open_dialogs()


def _open_dialogs() -> list[QDialog]:
    return [found for found in QApplication.topLevelWidgets() if isinstance(found, QDialog) and found.isVisible()]
