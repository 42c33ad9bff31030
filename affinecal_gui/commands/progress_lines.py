"""What a command shows while it works: on the error stream, so that the results can be passed on."""

import argparse
import sys
import time
from collections.abc import Iterable

from affinecal_gui.commands.own_options import in_own_options
from affinecal_gui.errors import UserError
from affinecal_gui.notes import told
from affinecal_gui.streams import put_out, say
from affinecal_gui.task import Task


class ProgressLines:
    """Shows progress on the error stream: one line that changes in a terminal, else a line now and then for the log."""

    SECONDS_IN_A_LOG = 60.0
    SECONDS_IN_A_TERMINAL = 0.1

    def __init__(self) -> None:
        self._in_terminal = sys.stderr.isatty()
        self._next = 0.0 if self._in_terminal else time.monotonic() + self.SECONDS_IN_A_LOG
        self._is_open = False

    def __call__(self, fraction: float, sentence: str) -> None:
        """Show what is being done, unless something was shown just before."""
        now = time.monotonic()
        if now < self._next:
            return
        text = f"{100 * fraction:5.1f} %  {sentence}"
        if self._in_terminal:
            self._next, self._is_open = now + self.SECONDS_IN_A_TERMINAL, True
            say(f"\r\x1b[K{text}", end="")
        else:
            self._next = now + self.SECONDS_IN_A_LOG
            say(text.strip())

    def end(self) -> None:
        """Leave the changing line, so that whatever follows stands below it."""
        if self._is_open:
            self._is_open = False
            say()


def end_progress_line(task: Task) -> None:
    """Leave the changing line in which the progress of a task is shown, if it is."""
    if isinstance(task.progress, ProgressLines):
        task.progress.end()


def answer(report: Iterable[str], options: argparse.Namespace, task: Task) -> None:
    """Print what a command has to say, below its progress: all of it only if ``--verbose`` asks for it.

    Raises
    ------
    UserError
        The output stream takes it not; the results, which have been written by now, stay.
    BrokenPipeError
        Nobody reads it.
    """
    end_progress_line(task)
    try:
        lines = told(report, in_full=options.verbose)
        put_out("\n".join(in_own_options(line, options) for line in lines))
    except BrokenPipeError:
        raise
    except OSError as error:
        raise UserError(
            f"The results have been written, but not the report about them: the output stream takes no more "
            f"({error.strerror or error})."
        ) from error
