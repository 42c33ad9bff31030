"""A screen in memory, for tests and pictures of the window as it is on a real one: Xvfb on a display number that is free."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

SIZE = (2560, 1600)
MISSING = "There is no Xvfb on this machine (Debian and Ubuntu: apt-get install xvfb)."
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG of prctl(2)


def is_there() -> bool:
    """Return whether this machine has the program for it."""
    return sys.platform.startswith("linux") and shutil.which("Xvfb") is not None


@contextmanager
def display_in_memory(size: tuple[int, int] = SIZE) -> Iterator[dict[str, str]]:
    """Start a screen, and end it afterwards.

    Parameters
    ----------
    size
        Of the screen, in pixels.

    Yields
    ------
    dict
        The environment of programs that shall show themselves on it.

    Raises
    ------
    FileNotFoundError
        Without the program for it.
    RuntimeError
        It did not start.
    """
    if not is_there():
        raise FileNotFoundError(MISSING)
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp"]
    command.append("-noreset")  # else it begins anew when the last program leaves, and meanwhile refuses the next one
    server = subprocess.Popen(
        command, pass_fds=(writing,), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=_end_with_parent
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            number = told.readline().strip()  # empty when the server ended without one
        if not number:
            raise RuntimeError("Xvfb did not start.")
        yield {**os.environ, "DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        server.terminate()
        server.wait()


def _end_with_parent() -> None:
    """Let no server outlive a test that was killed."""
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGTERM)
