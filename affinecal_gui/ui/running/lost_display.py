"""A display that cannot be had, or that ends: an X server that dies, a compositor that restarts, a connection that is cut."""

import logging
import os
import re
import sys
from pathlib import Path

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from affinecal_gui.streams import say
from affinecal_gui.support.log import start_log, written_log

logger = logging.getLogger(__name__)

SAID_OF_IT = ("The X11 connection broke", "The Wayland connection broke")


def end_without_display() -> None:
    """End the program with a sentence when Qt finds no display to start on: it would abort, with words about its plugins.

    What else it says before there is a window, of the locale for one, goes to the log alone.
    """
    qInstallMessageHandler(_hear_at_start)


def end_with_display() -> None:
    """End the program at once when Qt says that its display is gone, and print what else Qt says.

    Qt itself calls ``exit``, which takes libraries apart under threads that still work; that ends in a crash, or never.
    What was not saved has been autosaved, and is offered at the next start.
    """
    qInstallMessageHandler(_hear)


def _hear_at_start(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
    logger.warning("%s", text or "")  # for the log alone: it may be one of several displays that Qt tries
    if kind == QtMsgType.QtFatalMsg:
        start_log()  # it may wait for the first window, which never comes
        say(f"affinecal: {_why_no_window()}")
        _end(2)


def _hear(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
    words = text or ""
    if kind != QtMsgType.QtDebugMsg and sys.stderr is not None:
        print(words, file=sys.stderr, flush=True)
    if words.startswith(SAID_OF_IT):
        logger.critical("%s", words)
        _end(1)


def _end(status: int) -> None:
    logging.shutdown()
    os._exit(status)


def _why_no_window() -> str:
    from PySide6.QtCore import QLibraryInfo  # hardly ever needed

    plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
    wish = os.environ.get("QT_QPA_PLATFORM", "")
    if wish and not names_of_platforms(wish) & {path.stem.removeprefix("lib")[1:] for path in plugins.glob("*q*")}:
        return f"the window cannot be opened: QT_QPA_PLATFORM asks for “{wish}”, which Qt does not have here. Unset it."
    missing = missing_libraries(plugins / "libqxcb.so")
    if missing:
        return (
            f"the window cannot be opened without these libraries of the system: {', '.join(missing)}. "
            "Install the packages that hold them; their names begin alike."
        )
    display = os.environ.get("WAYLAND_DISPLAY") or os.environ.get("DISPLAY")
    why = f": no display answers as “{display}”" if display else ""
    log = written_log()
    return f"the window cannot be opened{why}." + (f" What Qt says of it is in the log, {log}." if log else "")


def names_of_platforms(wish: str) -> set[str]:
    """Return the names in a wish for one of several platforms, each with its kind behind a dash and options behind a colon.

    >>> sorted(names_of_platforms("wayland-egl;xcb:rotate=0"))
    ['wayland', 'xcb']
    """
    return {re.split("[:-]", one)[0] for one in wish.split(";")}


def missing_libraries(file: Path) -> list[str]:
    """Return the shared libraries that a program or library of Linux needs and the system does not have."""
    import subprocess  # hardly ever needed

    try:
        told = subprocess.run(["ldd", file], capture_output=True, text=True, check=False).stdout
    except OSError:  # this system has no ldd
        return []
    return sorted({line.split()[0] for line in told.splitlines() if line.endswith("not found")})
