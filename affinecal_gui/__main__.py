"""The front door: ``affinecal`` opens the window, ``affinecal fit ...`` and its like work without one."""

import argparse
import gc
import logging
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from affinecal_gui import __version__
from affinecal_gui.ending import collect_seldom, end_program
from affinecal_gui.streams import parsed, prepare_streams, say

COMMANDS = ("fit", "predict", "apply", "screen", "compare", "describe", "benchmark")
PICTURES = (".png", ".jpg", ".jpeg", ".bmp")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit status."""
    if hasattr(sys, "frozen"):  # worker processes of a bundled program start here as well
        import multiprocessing

        multiprocessing.freeze_support()
    prepare_streams()
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
    options = parsed(window_parser(), words)
    if options.screenshot is None and _is_without_display():
        say(
            "affinecal: there is no display to open the window on. Start it on a desktop, or through ssh -X; the commands "
            f"({', '.join(COMMANDS)}) need none."
        )
        return 2
    from affinecal_gui.support.log import keep_for_log, log_folder, log_unhandled, start_log

    keep_for_log()
    log_unhandled()
    try:
        status: int = load_window().run_window(options.files, options.example, options.screenshot)
    except Exception as error:  # the window, which would show it, is not there
        start_log()
        logging.getLogger(__name__).critical("The window could not be opened", exc_info=True)
        say(
            f"affinecal: the window could not be opened ({type(error).__name__}: {error}); "
            f"the details are in the log in {log_folder()}."
        )
        return 1
    if arguments is None:  # this is the program, and nobody's function
        end_program(status)
    return status


def load_window() -> ModuleType:
    """Import what shows the window, without what would hold it up; returns the module that runs it."""
    gc.disable()  # nothing of this is garbage; the window takes the collection over
    from affinecal_gui.ui.running.source_search import stop_source_search

    stop_source_search()
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


def _picture(text: str) -> Path:
    """Return the name of a picture in a format that can be written; without a suffix it is PNG."""
    path = Path(text)
    if path.suffix and path.suffix.lower() not in PICTURES:
        raise argparse.ArgumentTypeError(
            f"“{path.suffix}” is no format of pictures that can be written; name a file that ends in {', '.join(PICTURES)}"
        )
    if not path.absolute().parent.is_dir():
        raise argparse.ArgumentTypeError(f"the folder {path.absolute().parent} does not exist; make it first")
    return path


def _example(key: str) -> str:
    """Return the key of a bundled example, which is looked for before the window is loaded."""
    from affinecal_gui.errors import UserError
    from affinecal_gui.study.importing.examples import find_example

    try:
        return find_example(key).key
    except UserError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def window_parser() -> argparse.ArgumentParser:
    """Return the parser of the words that open the window."""
    from affinecal_gui.study.importing.examples import EXAMPLES

    parser = argparse.ArgumentParser(
        prog="affinecal",
        description="Correct molecular-dynamics values of polymer properties with the few measurements you have.",
        epilog=f"Without a window: affinecal {{{','.join(COMMANDS)}}} --help",
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="what to open: tables of measured values and of MD values, or a study (.affinecal)",
    )
    parser.add_argument(
        "--example",
        type=_example,
        metavar="NAME",
        help=f"open a bundled example when no file is named: {', '.join(example.key for example in EXAMPLES)}",
    )
    parser.add_argument(
        "--screenshot",
        type=_picture,
        metavar="FILE.png",
        help="without a display: wait for the first result, save the window as a picture and end",
    )
    parser.add_argument("--version", action="version", version=f"AffineCal {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
