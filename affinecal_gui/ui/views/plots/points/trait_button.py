"""A button that says which trait of the polymers is shown, with a menu of all there are."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, Signal, Slot
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from affinecal_gui.study.shown.traits import Trait
from affinecal_gui.ui.parts.widgets.tool_buttons import ThemedToolButton

MOST_LETTERS = 26  # of a title on the button


class TraitButton(ThemedToolButton):
    """The choice of one trait.

    Parameters
    ----------
    words
        What is said before the title of the trait: "against".
    name
        For screen readers.
    offered
        Gives what can be chosen; asked when the menu is opened.
    """

    chosen = Signal(str)  # key

    def __init__(
        self, words: str, name: str, offered: Callable[[], Sequence[Trait]], parent: QWidget | None = None
    ) -> None:
        super().__init__("chevron_down", name, words, parent=parent)
        self._words, self._name, self._offered = words, name, offered
        self._key = ""
        self.clicked.connect(self._open)

    def show_trait(self, trait: Trait) -> None:
        """Say what is shown."""
        self._key = trait.key
        title = trait.title if trait.title.isupper() else trait.title[:1].lower() + trait.title[1:]
        short = title if len(title) <= MOST_LETTERS else f"{title[: MOST_LETTERS - 1]}…"
        self.setText(f"{self._words} {short}")
        self.setToolTip(f"{self._name}: {trait.words}")
        self.setAccessibleName(f"{self._name}: {trait.words}")

    def clear(self) -> None:
        """Say that nothing is shown."""
        self._key = ""
        self.setText(self._words)
        self.setToolTip(self._name)
        self.setAccessibleName(self._name)

    def menu_of_traits(self) -> QMenu:
        """Return what the button offers, as it stands."""
        menu = QMenu(self)
        menus: dict[tuple[str, ...], QMenu] = {(): menu}
        for trait in self._offered():
            for depth in range(1, len(trait.menu) + 1):
                path = trait.menu[:depth]
                if path not in menus:
                    menus[path] = menus[path[:-1]].addMenu(path[-1].replace("&", "&&"))
            action = menus[trait.menu].addAction(trait.title.replace("&", "&&"))
            action.setData(trait.key)
            action.setCheckable(True)
            action.setChecked(trait.key == self._key)
        menu.triggered.connect(self._choose)
        return menu

    @Slot()
    def _open(self) -> None:
        menu = self.menu_of_traits()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))

    @Slot(QAction)
    def _choose(self, action: QAction) -> None:
        self.chosen.emit(str(action.data()))
