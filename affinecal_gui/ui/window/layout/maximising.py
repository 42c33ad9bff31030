"""One view in the whole window, and back: by its button, a key, or Escape."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QApplication, QDockWidget, QMainWindow, QWidget

from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton
from affinecal_gui.ui.window.actions.window_actions import MAXIMISE_KEY

if TYPE_CHECKING:  # made behind the first window
    from affinecal_gui.ui.window.layout.view_pair import ViewPair


class Maximising(QObject):
    """Hides everything but one view, and knows how everything lay before.

    Parameters
    ----------
    window
        Its docks are hidden, and its layout is put back afterwards.
    centre
        What lies between the docks; it holds the views of the centre.
    pair
        Gives what these lie in, once it is there.
    """

    changed = Signal(bool)  # whether a view has the whole window

    def __init__(self, window: QMainWindow, centre: QWidget, pair: Callable[[], "ViewPair"]) -> None:
        super().__init__(window)
        self._window, self._centre, self._pair = window, centre, pair
        self._views: dict[str, tuple[str, QWidget]] = {}  # title and view of the centre, or dock
        self._buttons: dict[str, ThemedToolButton] = {}
        self._layout = QByteArray()
        self.current = ""
        """Name of the view that has the whole window; empty while none has."""

    def add(self, name: str, title: str, view: QWidget) -> ThemedToolButton:
        """Let a view of the centre, or a dock, be maximised; returns the button for its header."""
        button = ThemedToolButton("maximise", "")
        button.setObjectName(f"maximise_{name}")
        button.clicked.connect(partial(self._toggle, name))
        self._views[name], self._buttons[name] = (title, view), button
        self._label(name)
        return button

    @property
    def titles(self) -> Mapping[str, str]:
        """Titles of all views by their names."""
        return {name: title for name, (title, _) in self._views.items()}

    def maximise(self, name: str) -> None:
        """Give the whole window to a view."""
        if name == self.current:
            return
        self.restore()
        self._layout = self._window.saveState()
        view = self._views[name][1]
        keeps_docks = [view] if isinstance(view, QDockWidget) else []
        for dock in self._window.findChildren(QDockWidget):
            dock.setVisible(dock in keeps_docks)
        if keeps_docks:
            self._centre.hide()
        else:
            self._pair().show_alone(view)
        self.current = name
        self._label(name)
        view.setFocus()
        self.changed.emit(True)

    def bring_forward(self, name: str) -> None:
        """Show a view of the centre in its place, and give it the keyboard."""
        if name in self._views and name != self.current:
            self.restore()
            view = self._views[name][1]
            self._pair().bring_to_front(view)
            view.setFocus()

    @Slot()
    def restore(self) -> None:
        """Put everything back where it was."""
        name, self.current = self.current, ""
        if not name:
            return
        self._centre.show()
        pair = self._pair()
        if pair.alone is not None:
            pair.show_alone(None)
        with QSignalBlocker(self._window):
            self._window.restoreState(self._layout)
        self._label(name)
        self.changed.emit(False)

    @Slot()
    def uncover(self) -> None:
        """Put everything back if what lies between the docks cannot be seen."""
        if not self._centre.isVisibleTo(self._window):
            self.restore()

    @Slot()
    def toggle_focused(self) -> None:
        """Maximise the view that has the keyboard; put everything back if one is maximised."""
        if self.current:
            self.restore()
            return
        focused = QApplication.focusWidget()
        for name, (_, view) in self._views.items():
            if focused is not None and (view is focused or view.isAncestorOf(focused)):
                self.maximise(name)
                return

    def _toggle(self, name: str, _checked: bool = False) -> None:
        if self.current == name:
            self.restore()
        else:
            self.maximise(name)

    def _label(self, name: str) -> None:
        title, button = self._views[name][0], self._buttons[name]
        if name == self.current:
            button.set_icon_name("restore", f"Show {title} beside the other views again (Esc)")
        else:
            button.set_icon_name("maximise", f"Show {title} in the whole window ({MAXIMISE_KEY})")
