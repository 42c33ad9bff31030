"""The tool bar: the actions that are at hand, and the field in which a polymer is sought."""

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QLineEdit, QMainWindow, QSizePolicy, QToolBar, QToolButton, QWidget

from affinecal_gui.ui.parts.theme.theme import Theme, icon
from affinecal_gui.ui.window.actions.window_actions import WindowActions

WORDS_FROM = 1250  # pixels of width: below, the words of the actions on results become tooltips
SOME_WORDS_FROM = 1000  # below, those of the others as well


class MainToolBar(QToolBar):
    """Actions at the left, the search field at the right."""

    find_wanted = Signal(str, bool)  # a text, and whether the next polymer that holds it is wanted

    def __init__(self, window: QMainWindow, actions: WindowActions) -> None:
        super().__init__("Main", window)
        self.setObjectName("mainToolBar")
        self.setMovable(False)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonIconOnly)
        self.addActions([actions.new, actions.open, actions.save])
        self.addSeparator()
        self.addAction(actions.add)
        self.addSeparator()
        self.addActions([actions.undo, actions.redo])
        self.addSeparator()
        self.addActions([actions.fit, actions.cancel])
        self.addSeparator()
        self.addActions([actions.ask, actions.predictions, actions.figure, actions.report])
        working = (actions.add, actions.fit, actions.cancel)
        worded = (*working, actions.ask, actions.predictions, actions.figure, actions.report)
        # Not asked of Qt one by one: for that, Python would make every class of widgets that there is.
        buttons = {button.defaultAction(): button for button in self.findChildren(QToolButton)}
        self._worded = tuple(buttons[action] for action in worded)
        self._working = tuple(buttons[action] for action in working)
        buttons[actions.fit].setObjectName("fitButton")
        buttons[actions.cancel].setObjectName("toolBarCancelButton")
        for action in self.actions():
            if action in buttons:  # and is no separator
                buttons[action].setAccessibleName(action.text().replace("&", "").rstrip("…"))
        room = QWidget()
        room.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.addWidget(room)
        self.search = QLineEdit()
        self.search.setObjectName("polymerSearch")
        self.search.setPlaceholderText("Find a polymer  (Ctrl+F)")
        self.search.setAccessibleName("Find a polymer by name, id, SMILES or a part of the structure")
        self.search.setToolTip(
            "By name, id or SMILES, or by a part of the structure as SMARTS or SMILES: c1ccccc1 finds a benzene ring."
        )
        self.search.setClearButtonEnabled(True)
        self.search.setFixedWidth(190)
        self._symbol = self.search.addAction(QIcon(), QLineEdit.ActionPosition.LeadingPosition)
        self.search.textEdited.connect(lambda _text: self._find(forward=False))
        self.search.returnPressed.connect(lambda: self._find(forward=True))
        self.addWidget(self.search)

    def fit_to_width(self, width: int) -> None:
        """Drop the words of the buttons where they would crowd a window of this many pixels."""
        for button in self._worded:
            has_words = width >= (SOME_WORDS_FROM if button in self._working else WORDS_FROM)
            style = Qt.ToolButtonStyle.ToolButtonTextBesideIcon if has_words else Qt.ToolButtonStyle.ToolButtonIconOnly
            button.setToolButtonStyle(style)

    def apply_theme(self, theme: Theme) -> None:
        """Take over other colours; the actions have their own."""
        self._symbol.setIcon(icon("search", theme.palette))

    @Slot()
    def focus_search(self) -> None:
        """Let the next keys write into the search field."""
        self.search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.search.selectAll()

    def _find(self, *, forward: bool) -> None:
        self.find_wanted.emit(self.search.text().strip(), forward)
