"""What the user chose in an earlier run, out of a settings file that anybody may have damaged or written by hand."""

import contextlib
from collections.abc import Iterator
from typing import TypeVar

from PySide6.QtCore import QSettings, qInstallMessageHandler

Value = TypeVar("Value")


def kept_choice(settings: QSettings, key: str, usual: Value) -> Value:
    """Return what is kept under a key, or ``usual`` where nothing of its type can be read from it."""
    try:
        with _without_remarks_of_qt():
            found = settings.value(key, usual, type=type(usual))
    except (TypeError, ValueError, ArithmeticError):  # bytes that are no text, numbers beyond any number
        return usual
    return found if isinstance(found, type(usual)) else usual


def read_quietly(settings: QSettings) -> None:
    """Have the whole file understood now: Qt does so when it first needs it, and tells the terminal what it cannot."""
    with _without_remarks_of_qt():
        settings.allKeys()


@contextlib.contextmanager
def _without_remarks_of_qt() -> Iterator[None]:
    before = qInstallMessageHandler(lambda *_: None)
    try:
        yield
    finally:
        qInstallMessageHandler(before)
