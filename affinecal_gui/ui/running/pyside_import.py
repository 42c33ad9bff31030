"""Imports PySide6 without what it does then for the sake of others: half the processor time until an empty window is there.

*Signatures.* PySide6 can tell which arguments each of its functions takes, and does so when one is called with others. Seven
modules for that, and Python's own ``inspect``, are read while PySide6 is imported; PySide6's are compiled, and with them many
regular expressions. They are asked after a mistake, or for help, but not by a program that works: here they are read when
they are asked.

*The switch.* ``from __feature__ import snake_case`` gives Qt's functions other names in one module. To know which modules
could throw that switch, PySide6 takes the place of Python's ``import`` and looks for "PySide6" in the text of all that is
imported, which Python's ``linecache`` then keeps: a third of a second and 46 MB until a window is there with everything
behind it. Nothing here throws it.

None of this is promised by PySide6. A version that is made otherwise is imported as it is.
"""

import builtins
import importlib
import sys
from collections.abc import Sequence
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # what these rest on takes long to import
    from importlib.abc import Loader
    from importlib.machinery import ModuleSpec

READ_WHEN_ASKED = frozenset(
    ["inspect"]
    + [
        f"shibokensupport.signature.{name}"
        for name in ("errorhandler", "layout", "lib.enum_sig", "lib.pyi_generator", "lib.tool", "mapping", "parser")
    ]
)
"""Modules that are not read before something in them is asked for."""

SEARCH = "shibokensupport.feature"
"""The module that looks for the switch."""


def import_pyside() -> None:
    """Import PySide6; where it has been imported before, it only ceases to look for its switch."""
    if SEARCH in sys.modules:
        _stop_search(sys.modules[SEARCH])
    else:
        _import_lightly()
    builtins.__import__ = getattr(builtins, "__orig_import__", builtins.__import__)


def _import_lightly() -> None:
    finders = sys.meta_path
    sys.meta_path = _Finders((_Finder(), *finders))
    try:
        importlib.import_module("PySide6.QtCore")
    finally:
        finders[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
        sys.meta_path = finders


class _Finders(list[Any]):
    """Who finds modules; the first of them stays first, although PySide6 places its own in front."""

    def insert(self, index: Any, finder: Any) -> None:
        """Place a finder in front of all but the first."""
        super().insert(index + 1, finder)


class _Finder:
    """Finds by the help of the other finders what is imported in another way here."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> "ModuleSpec | None":
        """Return where a module is, with a loader of ours; None for what is imported as it is."""
        if name != SEARCH and name not in READ_WHEN_ASKED:
            return None
        for finder in sys.meta_path:
            found: ModuleSpec | None = None if finder is self else finder.find_spec(name, path, target)
            if found is not None and found.loader is not None:
                found.loader = (_WithoutSearch if name == SEARCH else _WhenAsked)(found.loader)  # type: ignore[assignment]
                return found
        return None


class _Loader:
    """Loads as another loader does."""

    def __init__(self, loader: "Loader") -> None:
        self._loader = loader

    def create_module(self, spec: "ModuleSpec") -> ModuleType | None:
        """Make the module."""
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run the module."""
        self._loader.exec_module(module)


class _WithoutSearch(_Loader):
    """Loads what searches, and stops the search."""

    def exec_module(self, module: ModuleType) -> None:
        """Run the module, and take every module for one that does not throw the switch."""
        super().exec_module(module)
        _stop_search(module)


class _WhenAsked(_Loader):
    """Leaves a module empty until something in it is asked for."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the first question run the module."""
        spec = module.__spec__
        assert spec is not None
        name, lock, is_begun = spec.name, RLock(), False

        def read(wanted: str) -> object:
            nonlocal is_begun
            if wanted.startswith("__"):  # a question of the import system, about the module and not to it
                raise AttributeError(f"module {name!r} has no attribute {wanted!r}")
            with lock:  # another thread waits until the module is whole
                if not is_begun:
                    is_begun = True
                    public, spec.name = spec.name, name  # PySide6 gives its own another name once they are imported
                    try:
                        self._loader.exec_module(module)
                    except BaseException:
                        is_begun = False  # the next question tries again, as the next import would
                        raise
                    finally:
                        spec.name = public
                    del module.__getattr__
            try:
                return vars(module)[wanted]
            except KeyError:
                raise AttributeError(f"module {name!r} has no attribute {wanted!r}") from None

        module.__getattr__ = read  # type: ignore[method-assign]


def _stop_search(module: ModuleType) -> None:
    parts = vars(module)
    if "_mod_uses_pyside" in parts:
        parts["_mod_uses_pyside"] = _throws_no_switch


def _throws_no_switch(_module: object) -> bool:
    return False
