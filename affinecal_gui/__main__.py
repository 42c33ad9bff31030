"""The front door: ``affinecal`` opens the window, ``affinecal fit ...`` and its like work without one."""

import gc
import logging
import os
import sys
from collections.abc import Sequence
from types import ModuleType

from affinecal_gui.ending import collect_seldom, end_program
from affinecal_gui.own_folders import ensure_home
from affinecal_gui.streams import parsed, prepare_streams, say

COMMANDS = ("fit", "predict", "apply", "screen", "compare", "describe", "benchmark")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status."""
    prepare_streams()
    ensure_home()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in COMMANDS:
        from affinecal_gui.cli import run_command

        if arguments is not None:
            return run_command(words)
        collect_seldom()
        end_program(run_command(words))
    if words and _is_meant_as_command(words[0]):
        say(
            f"affinecal: There is no command and no file “{words[0]}”. The commands are {', '.join(COMMANDS)}; "
            "a file is named with its suffix."
        )
        return 2
    wishes = {}
    if words:  # a window that is asked for without a word need not wait for what reads them
        from affinecal_gui.window_words import window_parser

        wishes = vars(parsed(window_parser(COMMANDS), words))
    if wishes.get("screenshot") is None and _is_without_display():
        say(
            "affinecal: there is no display to open the window on. Start it on a desktop, or through ssh -X; the commands "
            f"({', '.join(COMMANDS)}) need none."
        )
        return 2
    from affinecal_gui.support.log import keep_for_log, log_unhandled, start_log, written_log

    keep_for_log()
    log_unhandled()
    try:
        status: int = load_window().run_window(**wishes)
    except Exception as error:  # the window, which would show it, is not there
        start_log()
        logging.getLogger(__name__).critical("The window could not be opened", exc_info=True)
        say(
            f"affinecal: the window could not be opened ({type(error).__name__}: {error})"
            + (f"; the details are in the log, {log}." if (log := written_log()) else ".")
        )
        return 1
    if arguments is None:  # this is the program, and nobody's function
        end_program(status)
    return status


def load_window() -> ModuleType:
    """Import what shows the window, without what would hold it up; returns the module that runs it."""
    gc.disable()  # nothing of this is garbage; the window takes the collection over
    from affinecal_gui.ui.running.pyside_import import import_pyside

    import_pyside()
    from affinecal_gui.ui import application

    return application


def _is_without_display() -> bool:
    """Whether there is nothing to show a window on: Qt would only end the program, with words about its plugins."""
    if not sys.platform.startswith("linux") or os.environ.get("QT_QPA_PLATFORM", "xcb") not in ("", "xcb", "wayland"):
        return False
    return not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _is_meant_as_command(word: str) -> bool:
    """Whether a word that is no command can hardly be a file: neither is it there, nor has it a suffix or a folder."""
    if not word or word.startswith("-") or any(mark in word for mark in "./\\"):
        return False
    return not os.path.lexists(word)


if __name__ == "__main__":
    sys.exit(main())
