"""Giving a running application another style sheet, a few widgets a turn of the event loop.

``QApplication.setStyleSheet`` polishes every widget in one go, which holds a large window for tenths of a second. Here the
sheet is exchanged without that, and the widgets are polished afterwards, with a pause whenever that has taken long enough.
"""

import time
from collections.abc import Callable, Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

SLICE = 0.008
"""Seconds of polishing after which other events get their turn."""


def restyle(app: QApplication, sheet: str, clock: Callable[[], float] = time.perf_counter) -> Iterator[None]:
    """Exchange the style sheet of an application in steps; a widget that is made meanwhile has the new look at once.

    Parameters
    ----------
    app
        The application, which has a style sheet already.
    sheet
        The new one. It may differ from the old one in colours and images, but not in sizes: Qt's layouts are not told.
    clock
        Tells the seconds that pass.
    """
    _exchange(app, sheet)
    waiting = [widget for widget in app.allWidgets() if _is_polished(widget)]  # the others are when they are shown
    while waiting:
        yield
        began = clock()
        while waiting:
            widget = waiting.pop()
            if isValid(widget):
                widget.style().polish(widget)
            if clock() - began >= SLICE:
                break


def _exchange(app: QApplication, sheet: str) -> None:
    """Let Qt know the new sheet without polishing any widget."""
    style = app.style()
    style.unpolish(
        app
    )  # forgets what was looked up for each widget; a new sheet polishes those for which something is known
    app.setStyleSheet(sheet)
    style.polish(app)


def _is_polished(widget: QWidget) -> bool:
    return widget.testAttribute(Qt.WidgetAttribute.WA_WState_Polished)
