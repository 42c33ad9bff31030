"""The end of the display: an X server that dies, a compositor that is restarted, a remote connection that is cut."""

import logging
import os
import sys

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

logger = logging.getLogger(__name__)

SAID_OF_IT = ("The X11 connection broke", "The Wayland connection broke")


def end_with_display() -> None:
    """End the program at once when Qt says that its display is gone, and print what else Qt says.

    Qt itself calls ``exit``, which takes libraries apart under threads that still work; that ends in a crash, or never.
    What was not saved has been autosaved, and is offered at the next start.
    """
    qInstallMessageHandler(_hear)


def _hear(kind: QtMsgType, _context: QMessageLogContext, text: str | None) -> None:
    words = text or ""
    if kind != QtMsgType.QtDebugMsg and sys.stderr is not None:
        print(words, file=sys.stderr, flush=True)
    if words.startswith(SAID_OF_IT):
        logger.critical("%s", words)
        logging.shutdown()
        os._exit(1)
