"""What a right click on a plot offers: actions with their words, in a menu that goes when it is closed."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget


def figure_menu(parent: QWidget, offers: Iterable[tuple[str, Callable[[], object]]]) -> QMenu:
    """Return a menu of these offers, each the words and what is then called."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for words, slot in offers:
        menu.addAction(words).triggered.connect(slot)
    return menu
