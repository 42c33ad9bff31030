"""What a command shows while it works: on the error stream, so that the results can be passed on."""

import sys
import time

from affinecal_gui.progress import Progress


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
            print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)
        else:
            self._next = now + self.SECONDS_IN_A_LOG
            print(text.strip(), file=sys.stderr, flush=True)

    def end(self) -> None:
        """Leave the changing line, so that whatever follows stands below it."""
        if self._is_open:
            self._is_open = False
            print(file=sys.stderr)


def end_progress_line(progress: Progress) -> None:
    """Leave the changing line of ``progress``, if it has one."""
    if isinstance(progress, ProgressLines):
        progress.end()


def answer(report: str, progress: Progress) -> None:
    """Print what a command has to say, below its progress."""
    end_progress_line(progress)
    print(report)
