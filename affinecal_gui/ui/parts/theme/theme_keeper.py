"""Light or dark, as the system or the user wants it."""

from collections.abc import Generator, Iterator
from typing import Literal

from PySide6.QtCore import QObject, Qt, QThread, QTimer, Signal, Slot
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from affinecal_gui.ui.parts.theme.theme import DARK_THEME, LIGHT_THEME, Theme, current_theme
from affinecal_gui.ui.running.in_steps import take_all
from affinecal_gui.ui.running.paint_turns import paint_turns

Choice = Literal["system", "light", "dark"]

PAINTED_ALONE = "paintedAlone"
"""Property of a part of a window that takes long to paint: it gets its new look in a turn of the event loop of its own."""


class ThemeKeeper(QObject):
    """Styles the application, follows the system's light or dark scheme, and lets the user choose either.

    Parameters
    ----------
    app
        The application; it becomes the parent.
    choice
        What the user chose the last time.
    """

    changed = Signal(object)  # the new Theme

    def __init__(self, app: QApplication, choice: Choice = "system") -> None:
        super().__init__(app)
        self._app = app
        self._choice: Choice = choice
        self._steps = _no_steps()
        self._further: list[Iterator[None]] = []  # of those who were told of the change
        self._is_settling = False  # what the last turn changed
        self._turns = QTimer(self, interval=0)
        self._turns.timeout.connect(self._take_step)
        self._theme = LIGHT_THEME
        hints = app.styleHints()
        self._apply_choice()
        hints.colorSchemeChanged.connect(self.follow_system)

    @property
    def theme(self) -> Theme:
        """The theme in use."""
        return self._theme

    @property
    def choice(self) -> Choice:
        """What the user chose: the system's scheme, or always light or dark."""
        return self._choice

    def set_choice(self, choice: Choice) -> None:
        """Choose the system's scheme, or light or dark whatever the system says."""
        if choice != self._choice:
            self._choice = choice
            self._apply_choice()

    def _apply_choice(self) -> None:
        hints = self._app.styleHints()
        # Asking Qt for the scheme lets the window frame and native dialogs follow as well.
        if self._choice == "system":
            hints.unsetColorScheme()
            self._use(hints.colorScheme() == Qt.ColorScheme.Dark)
        else:
            dark = self._choice == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
            self._use(dark)

    @Slot(Qt.ColorScheme)
    def follow_system(self, scheme: Qt.ColorScheme) -> None:
        """Follow the system, if the user wants that."""
        if self._choice == "system":
            self._use(scheme == Qt.ColorScheme.Dark)

    def _use(self, dark: bool) -> None:
        theme = DARK_THEME if dark else LIGHT_THEME
        if theme is self._theme and current_theme() is theme and self._app.styleSheet():
            return
        self._stop()  # a change to the other look that is under way: this one begins with everything
        self._theme = theme
        self._steps = self._change_to(theme)
        if QThread.currentThread().loopLevel():
            self._turns.start()
        else:  # nobody is waiting for an answer yet
            take_all(self._steps)

    @property
    def is_changing(self) -> bool:
        """Whether parts of a window still have their old look."""
        return self._turns.isActive()

    def continue_with(self, steps: Iterator[None]) -> None:
        """Take further steps of a change, for one who was told of it and has more to colour than a turn has room for."""
        if self.is_changing:
            self._further.append(steps)
        else:
            take_all(steps)

    def _change_to(self, theme: Theme) -> Generator[None, None, None]:
        """Change the look in steps that leave room for other events; what has its old look is not painted meanwhile."""
        windows = [window for window in self._app.topLevelWidgets() if window.isVisible()]
        parts = [part for window in windows for part in window.findChildren(QWidget) if part.property(PAINTED_ALONE)]
        held = [*windows, *parts]
        paint_turns().hold(held)
        try:
            for _ in theme.apply_by_steps(self._app):
                yield
            yield
            self.changed.emit(theme)
            while self._further:
                yield
                yield from self._further.pop(0)
        finally:
            paint_turns().one_by_one([widget for widget in held if isValid(widget)])

    @Slot()
    def _take_step(self) -> None:
        self._is_settling = not self._is_settling
        if not self._is_settling:
            return  # so that the layouts and the painting that follow a step do not add to the next one
        try:
            next(self._steps)
        except StopIteration:
            self._turns.stop()

    def _stop(self) -> None:
        self._turns.stop()
        self._further.clear()
        self._steps.close()


def _no_steps() -> Generator[None, None, None]:
    yield from ()
