"""Processes that start as fresh interpreters, whatever program or script starts them."""

import sys
import threading
import types
from multiprocessing.context import SpawnProcess
from multiprocessing.process import BaseProcess
from typing import Any


class FreshProcess(SpawnProcess):
    """A fresh interpreter on every system: a fork would copy the window's threads and locks half-way."""

    @staticmethod
    def _Popen(process_obj: BaseProcess) -> Any:  # noqa: N802 - the name that multiprocessing calls
        # A new interpreter would run the program's main module first. Ours need nothing of it, and it may be a script
        # that starts everything again, or no file at all.
        with _starting:
            main = sys.modules["__main__"]
            sys.modules["__main__"] = types.ModuleType("__main__")
            try:
                return SpawnProcess._Popen(process_obj)  # noqa: SLF001 - what is overridden here
            finally:
                sys.modules["__main__"] = main


_starting = threading.Lock()
