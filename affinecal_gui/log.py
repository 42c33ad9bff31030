"""The log: where every fault of the program goes, with its traceback, and nothing of a user's data."""

import logging
import logging.handlers
import sys
import threading
from pathlib import Path
from types import TracebackType

import platformdirs

from affinecal_gui import __version__

FILE_NAME = "affinecal.log"
LARGEST_FILE = 1_000_000  # bytes; three older ones are kept
KEPT_FILES = 3


def log_folder() -> Path:
    """Return the folder of the log files on this system."""
    return Path(platformdirs.user_log_dir("AffineCal", appauthor=False))


def start_log() -> None:
    """Write warnings and errors of every part to the log file; without a writable folder, to nowhere."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    try:
        folder = log_folder()
        folder.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            folder / FILE_NAME, maxBytes=LARGEST_FILE, backupCount=KEPT_FILES, encoding="utf-8", delay=True
        )
    except OSError:
        handler = logging.NullHandler()
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    root.addHandler(handler)
    logging.getLogger(__name__).info("AffineCal %s on %s, Python %s", __version__, sys.platform, sys.version.split()[0])


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
