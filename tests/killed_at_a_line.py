"""Killing a program at a line that it is about to run: any instant can be chosen, and none depends on the clock."""

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

PROGRAM = Path(__file__).resolve().parent.parent / "affinecal_gui"


def _at_every_line(act: Callable[[], None], folder: str) -> Callable[[FrameType, str, Any], Any]:
    """Return what traces the lines of a folder of the program, and nothing else."""
    within = str(PROGRAM / folder)

    def line(frame: FrameType, event: str, _argument: Any) -> Any:
        if event == "line":
            act()
        return line

    def call(frame: FrameType, _event: str, _argument: Any) -> Any:
        return line if frame.f_code.co_filename.startswith(within) else None

    return call


def lines_of(work: Callable[[], object], folder: str = "") -> int:
    """Do something and count the lines of a folder of the program, or of all of it, that it runs in this thread."""
    count = 0

    def one_more() -> None:
        nonlocal count
        count += 1

    before = sys.gettrace()
    sys.settrace(_at_every_line(one_more, folder))
    try:
        work()
    finally:
        sys.settrace(before)
    return count


def at_line(number: int, act: Callable[[], None], folder: str = "") -> None:
    """Do something before the ``number``-th line of that folder from now on in this thread."""
    left = number

    def one_less() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            act()

    sys.settrace(_at_every_line(one_less, folder))


def kill_at_line(number: int, folder: str = "") -> None:
    """End this process by SIGKILL before the ``number``-th line of that folder from now on in this thread."""
    at_line(number, lambda: os.kill(os.getpid(), signal.SIGKILL), folder)
