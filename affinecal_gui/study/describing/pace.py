"""How far a run over a file has come, how fast it is, and how long it will still take, in one sentence."""

import time
from collections.abc import Callable

from affinecal_gui.task import Task

SECONDS_BETWEEN_REPORTS = 0.1
SECONDS_TO_KNOW = 3.0  # before that the rate says little


class Pace:
    """Reports the progress through the lines of a file.

    Parameters
    ----------
    first_line, last_line
        Of the rows; ``last_line`` 0 when it is not known.
    task
        What is told.
    clock
        Seconds that pass; another one for tests.
    """

    def __init__(
        self, first_line: int, last_line: int, task: Task, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._first, self._last = first_line, max(last_line, first_line)
        self._task, self._clock = task, clock
        self._started = self._reported = clock()
        self._start_line, self._start_rows = first_line - 1, 0

    def start(self, line: int, rows: int) -> None:
        """Begin counting behind this line: what is before was there already."""
        self._start_line, self._start_rows = line, rows
        self._started = self._clock()

    def report(self, line: int, rows: int) -> None:
        """Tell that so many rows, up to this line, are done."""
        now = self._clock()
        if now - self._reported < SECONDS_BETWEEN_REPORTS:
            return
        self._reported = now
        lines = self._last - self._first + 1
        fraction = min((line - self._first + 1) / lines, 1.0)
        passed = now - self._started
        words = f"{rows:,} rows"
        done = line - self._start_line
        if passed > SECONDS_TO_KNOW and done > 0:
            words += f", {rate_words((rows - self._start_rows) / passed)}"
            if self._last > line:
                words += f", {duration_words(passed * (self._last - line) / done)} left"
        self._task.report(fraction, words)


def rate_words(rows_per_second: float) -> str:
    """Say how many rows are done in a second, or in a minute."""
    if rows_per_second >= 10:
        return f"{rows_per_second:,.0f} a second"
    return f"{rows_per_second:.2g} a second" if rows_per_second >= 1 else f"{60 * rows_per_second:.2g} a minute"


def duration_words(seconds: float) -> str:
    """Say how long something takes."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes:02d} min" if hours < 48 else f"{hours / 24:.1f} days"
