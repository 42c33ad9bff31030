"""The menus: which action lies in which, and the lists of examples, recent studies and appearances."""

from collections.abc import Callable, Iterable
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from affinecal_gui.study.importing.examples import EXAMPLES
from affinecal_gui.ui.views.welcome.entry_list import Entry
from affinecal_gui.ui.window.actions.window_actions import WindowActions

APPEARANCES = (("system", "As the system"), ("light", "Light"), ("dark", "Dark"))


class Menus(QObject):
    """Fills the menu bar of one window."""

    example_chosen = Signal(str)  # its key
    study_chosen = Signal(str)  # key of an entry of the recent studies
    appearance_chosen = Signal(str)

    def __init__(self, bar: QMenuBar, actions: WindowActions, appearance: str) -> None:
        """Fill a menu bar; ``appearance`` is the one that is in use."""
        super().__init__(bar)
        self.recent = QMenu("Open &recent study", bar)
        self.appearances = {choice: QAction(text, self) for choice, text in APPEARANCES}
        self._fill_file(bar.addMenu("&File"), actions)
        edit = bar.addMenu("&Edit")
        edit.addActions([actions.undo, actions.redo])
        edit.addSeparator()
        edit.addAction(actions.paste)
        edit.addSeparator()
        edit.addAction(actions.find)
        self.view = bar.addMenu("&View")
        self._fill_view(actions, appearance)
        data = [actions.add_in_menu, actions.match_report, actions.ask, actions.screen]
        bar.addMenu("&Data").addActions(data)
        bar.addMenu("&Model").addActions([actions.fit, actions.cancel])
        help_menu = bar.addMenu("&Help")
        help_menu.addAction(actions.help_here)
        help_menu.addSeparator()
        help_menu.addActions(list(actions.pages_of_help.values()))
        help_menu.addSeparator()
        help_menu.addActions([actions.log, actions.crash_report, actions.check_for_updates, actions.about])

    def _fill_file(self, menu: QMenu, actions: WindowActions) -> None:
        menu.addActions([actions.new, actions.open])
        examples = menu.addMenu("Open &example")
        for example in EXAMPLES:
            _add(examples, example.title, partial(self.example_chosen.emit, example.key))
        menu.addSeparator()
        menu.addAction(actions.open_study)
        menu.addMenu(self.recent)
        menu.addActions([actions.save, actions.save_as])
        menu.addSeparator()
        export = menu.addMenu("&Export")
        export.addActions(actions.exports)
        export.insertSeparator(actions.figure)
        export.insertSeparator(actions.copy_sentence)
        menu.addSeparator()
        menu.addAction(actions.quit)

    def _fill_view(self, actions: WindowActions, appearance: str) -> None:
        self.view.addActions([*actions.views.values(), actions.log])
        self.view.addSeparator()
        self._first_view = next(iter(actions.views.values()))
        self.view.addActions([actions.reset_layout, actions.maximise, actions.restore])
        menu = self.view.addMenu("Appearance")
        for choice, action in self.appearances.items():
            action.setCheckable(True)
            action.triggered.connect(partial(self._choose_appearance, choice))
            menu.addAction(action)
        self.show_appearance(appearance)

    def add_docks(self, toggles: Iterable[QAction]) -> None:
        """List the docks above the other views."""
        for toggle in toggles:
            self.view.insertAction(self._first_view, toggle)

    def show_recent(self, entries: Iterable[Entry]) -> None:
        """List the studies that can be opened without asking for a file."""
        self.recent.clear()
        for entry in entries:
            action = _add(self.recent, entry.title.replace("&", "&&"), partial(self.study_chosen.emit, entry.key))
            action.setToolTip(entry.key)
        self.recent.setEnabled(bool(self.recent.actions()))

    def show_appearance(self, choice: str) -> None:
        """Mark the appearance that is in use."""
        for name, action in self.appearances.items():
            action.setChecked(name == choice)

    def _choose_appearance(self, choice: str, _checked: bool = False) -> None:
        self.show_appearance(choice)
        self.appearance_chosen.emit(choice)


def _add(menu: QMenu, text: str, do: Callable[[], object]) -> QAction:
    action: QAction = menu.addAction(text)
    action.triggered.connect(lambda _checked=False: do())
    return action
