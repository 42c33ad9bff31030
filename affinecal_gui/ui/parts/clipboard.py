"""Putting on the clipboard what was made in several formats, or is long; numbers as a spreadsheet takes them.

An object of Python's that Qt keeps until its own end is taken apart when the interpreter has gone already, and the program
with it. So whatever is still on the clipboard when the program ends is left there as an object of Qt's.
"""

import atexit
from math import isfinite

from PySide6.QtCore import QCoreApplication, QLocale, QMimeData
from PySide6.QtGui import QGuiApplication

_put: list[QMimeData] = []
"""What was put there last, whether it is still there or not."""


def put_on_clipboard(data: QMimeData) -> None:
    """Copy some data in all its formats."""
    if not _put:
        atexit.register(_leave_behind)
    _put[:] = [data]
    QGuiApplication.clipboard().setMimeData(data)


def copy_long_text(text: bytes) -> None:
    """Copy a text in UTF-8. A string of many megabytes would be taken over letter by letter."""
    data = QMimeData()
    data.setData("text/plain", text)
    put_on_clipboard(data)


def decimal_mark() -> str:
    """Return the decimal mark of this computer's language, which its spreadsheet takes numbers with."""
    return str(QLocale().decimalPoint())


def copied_number(value: float, mark: str) -> str:
    """Return a number as one cell for a spreadsheet; nothing where there is none."""
    return f"{value:.6g}".replace(".", mark) if isfinite(value) else ""


def _leave_behind() -> None:
    if QCoreApplication.instance() is None:
        return
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData()
    if data is not _put[0]:
        return
    if data.hasText():
        clipboard.setText(data.text())
    elif data.hasImage():
        clipboard.setImage(clipboard.image())
    else:
        clipboard.clear()
