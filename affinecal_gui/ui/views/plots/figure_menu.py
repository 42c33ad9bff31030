"""The menu of a plot of polymers: what can be done with the figure, and whether points have names."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget


def figure_menu(
    view: QWidget,
    *,
    reset: Callable[[], object],
    copy: Callable[[], object],
    export: Callable[[], object],
    explain: Callable[[], object],
    with_names: bool,
    choose_names: Callable[[bool], object],
) -> QMenu:
    """Return the menu, which goes when it is closed; a view may add to it."""
    menu = QMenu(view)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for text, slot in (
        ("Reset view", reset),
        ("Copy figure", copy),
        ("Save figure as…", export),
        ("What am I looking at?", explain),
    ):
        menu.addAction(text).triggered.connect(slot)
    names = menu.addAction("Names at the points")
    names.setCheckable(True)
    names.setChecked(with_names)
    names.setToolTip("Of the selected polymers; of those furthest off while only one is selected")
    names.toggled.connect(choose_names)
    return menu
