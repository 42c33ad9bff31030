"""The log: where every fault of the program goes, with its traceback; beside it the trace, which can be given away."""

import logging
import os
import sys
import threading
from pathlib import Path
from types import TracebackType

from affinecal_gui import __version__
from affinecal_gui.own_folders import own_folder

FILE_NAME = "affinecal.log"
LARGEST_FILE = 1_000_000  # bytes; three older ones are kept
KEPT_FILES = 3

TRACE_NAME = "affinecal-trace.log"
LARGEST_TRACE_FILE = 200_000  # bytes; one older one is kept


def log_folder() -> Path:
    """Return the folder of the log files on this system."""
    return own_folder("log")


def written_log() -> Path | None:
    """Return the file that holds what was told lately; None where the log cannot be written."""
    file = log_folder() / FILE_NAME
    return file if os.access(file, os.W_OK) else None


class _Kept(logging.Handler):
    """Keeps messages for a log that has not been started."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(record)


_kept = _Kept()


def keep_for_log() -> None:
    """Keep what is told from now on until the log is started, for which the first window does not wait."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    root.addHandler(_kept)


def start_log() -> None:
    """Write warnings and errors of every part to log and trace, once; without a writable folder, to nowhere."""
    from logging.handlers import RotatingFileHandler

    from affinecal_gui.support.trace import WITHOUT_DATA

    root = logging.getLogger()
    if any(isinstance(handler, RotatingFileHandler) for handler in root.handlers):
        return
    root.setLevel(logging.INFO)
    root.removeHandler(_kept)
    for handler in _handlers(log_folder()):
        root.addHandler(handler)
    words = (__version__, sys.platform, sys.version.split()[0])
    logging.getLogger(__name__).info("AffineCal %s on %s, Python %s", *words, extra=WITHOUT_DATA)
    for record in _kept.records:
        root.handle(record)
    _kept.records.clear()


def _handlers(folder: Path) -> list[logging.Handler]:
    """Return what writes the log and the trace into a folder; nothing where that cannot be made."""
    from logging.handlers import RotatingFileHandler

    from affinecal_gui.support.trace import TraceFormatter

    log = logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s")
    files = ((FILE_NAME, LARGEST_FILE, KEPT_FILES, log), (TRACE_NAME, LARGEST_TRACE_FILE, 1, TraceFormatter()))
    handlers: list[logging.Handler] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, most_bytes, kept, formatter in files:
            handler = RotatingFileHandler(
                folder / name, maxBytes=most_bytes, backupCount=kept, encoding="utf-8", delay=True
            )
            handler.setFormatter(formatter)
            handler.handleError = _pass_over  # type: ignore[method-assign]
            handlers.append(handler)
    except OSError:
        return [logging.NullHandler()]
    return handlers


def _pass_over(record: logging.LogRecord) -> None:
    """Do without a line of the log that cannot be written: on a full disk the terminal is not told so at each of them."""


def log_unhandled() -> None:
    """Send exceptions that nobody caught, of any thread, to the log."""
    logger = logging.getLogger("affinecal_gui")

    def of_main_thread(kind: type[BaseException], error: BaseException, traceback: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            sys.__excepthook__(kind, error, traceback)
            return
        logger.critical("Unhandled exception", exc_info=(kind, error, traceback))

    def of_thread(arguments: threading.ExceptHookArgs) -> None:
        if arguments.exc_value is not None:
            of_main_thread(arguments.exc_type, arguments.exc_value, arguments.exc_traceback)

    sys.excepthook = of_main_thread
    threading.excepthook = of_thread
