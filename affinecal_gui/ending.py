"""The end of the program: what has to be done is done, and the rest is left to the system.

Taking apart a session of some hundred megabytes object by object takes the interpreter seconds, and frees nothing that the
system would not free at once. It also cannot begin while a thread is inside a library that does not return.
"""

import atexit
import contextlib
import logging
import os
import sys
from typing import NoReturn


def end_program(status: int, *, work_goes_on: bool = False) -> NoReturn:
    """End this process now, after what was registered for its end: worker processes, temporary files, the log.

    With ``work_goes_on`` only the log is closed: what was registered would take apart under a thread that still runs what it
    works on, Qt itself among it. Worker processes end by themselves, as their pipes are closed.
    """
    try:
        logging.shutdown() if work_goes_on else atexit._run_exitfuncs()
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # a pipe that nobody reads, no console
                stream.flush()
        os._exit(status)
