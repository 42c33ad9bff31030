"""Keeps PySide6 from reading the source text of every module that is imported after it.

PySide6 has a switch, ``from __feature__ import snake_case``, that a module may throw for itself. To know which modules could,
it looks for "PySide6" in the text of each one that is imported, and Python's ``linecache`` then keeps these texts: a third of
a second and 46 MB until a window is there with everything behind it. Nothing here throws that switch.
"""

import importlib
from contextlib import suppress


def stop_source_search() -> None:
    """Take all modules that are imported from now on for ones that do not throw the switch."""
    with suppress(ImportError):
        importlib.import_module("PySide6.QtCore")  # which brings the search
        search = importlib.import_module("shibokensupport.feature")
        parts = vars(search)
        if "_mod_uses_pyside" in parts:  # not promised: other versions may search in another way, or not at all
            parts["_mod_uses_pyside"] = _throws_no_switch


def _throws_no_switch(_module: object) -> bool:
    return False
