"""Imports pyqtgraph in steps: it looks at every class of Qt, each of which comes into being when it is first looked at."""

from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module

from PySide6 import QtCore, QtGui, QtWidgets

_TOGETHER = 60
"""Names looked at in one step, which takes some milliseconds."""

_BEFORE = (
    *("PySide6.QtSvg", "PySide6.QtOpenGL", "PySide6.QtOpenGLWidgets", "PySide6.QtTest"),
    *("multiprocessing.connection", "pydoc", "decimal", "cProfile", "xml.etree.ElementTree", "colorama"),
)
"""What pyqtgraph imports of others, that takes long."""


def plotting_by_steps() -> Iterator[None]:
    """Import what plots are drawn with; in the main thread, as Qt's classes must not come into being in two at once."""
    for module in (QtCore, QtGui, QtWidgets):
        names = dir(module)
        for begin in range(0, len(names), _TOGETHER):
            for name in names[begin : begin + _TOGETHER]:
                getattr(module, name)
            yield
    for name in _BEFORE:
        with suppress(ImportError):  # pyqtgraph does without
            import_module(name)
        yield
    import_module("affinecal_gui.ui.parts.theme.plotting")
