"""The end of the program: what has to be done is done, and the rest is left to the system.

Taking apart a session of some hundred megabytes object by object takes the interpreter seconds, and frees nothing that the
system would not free at once. It also cannot begin while a thread is inside a library that does not return.
"""

import atexit
import contextlib
import gc
import logging
import os
import sys
from typing import NoReturn

OBJECTS_BETWEEN_COLLECTIONS = 50_000
"""Some 10 MB, the most that garbage in cycles can hold in a command before it is found."""


def collect_seldom() -> None:
    """Look for garbage in cycles as seldom as suits a process that ends soon.

    Python looks after every 700 new objects. Importing and drawing make hundreds of thousands, nearly none of them garbage,
    and looking through them is a twentieth of the time of a command.
    """
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS, *gc.get_threshold()[1:])


def end_program(status: int, *, work_goes_on: bool = False) -> NoReturn:
    """End this process now, after what was registered for its end: worker processes, temporary files, the log.

    With ``work_goes_on`` only the log is closed: what was registered would take apart under a thread that still runs what it
    works on, Qt itself among it. Worker processes end by themselves, as their pipes are closed.
    """
    try:
        logging.shutdown() if work_goes_on else atexit._run_exitfuncs()  # noqa: SLF001 - the only way to call them
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # a pipe that nobody reads, no console
                stream.flush()
        os._exit(status)
