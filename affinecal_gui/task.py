"""How long work tells what it has done, and learns that it should stop.

A service is a plain function ``(inputs, *, task) -> result``. It knows nothing of threads, windows or terminals;
whoever calls it decides what becomes of the messages.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from affinecal_gui.errors import Cancelled

Item = TypeVar("Item")

Progress = Callable[[float, str], None]
"""``progress(fraction, sentence)``: the share of the work that is done, 0 to 1, and what is being done now."""

CancelCheck = Callable[[], bool]
"""``cancelled()`` is true once the caller wants the work to stop."""


def silent(fraction: float, sentence: str) -> None:
    """Report to nobody."""


def never() -> bool:
    """Never ask for a stop."""
    return False


@dataclass(frozen=True)
class Task:
    """The work that a caller watches: it is told how far the work is, and may ask for a stop at any time.

    Every service that takes a task reports to it, and raises :class:`~affinecal_gui.errors.Cancelled` soon after the
    caller asked for a stop.
    """

    progress: Progress = silent
    cancelled: CancelCheck = never

    def report(self, fraction: float, sentence: str) -> None:
        """Tell the share of the work that is done, 0 to 1, and what is being done now."""
        self.progress(fraction, sentence)

    @property
    def is_cancelled(self) -> bool:
        """Whether the caller asked for a stop."""
        return self.cancelled()

    def check(self) -> None:
        """Raise :class:`~affinecal_gui.errors.Cancelled` when the caller asked for a stop."""
        if self.cancelled():
            raise Cancelled

    def each(self, items: Iterable[Item], every: int = 1000) -> Iterator[Item]:
        """Yield the items of a long loop; every so many of them :meth:`check` looks whether to go on."""
        for number, item in enumerate(items):
            if number % every == 0:
                self.check()
            yield item

    def part(self, start: float, end: float) -> "Task":
        """Return a part of this task, whose progress, 0 to 1, is ``start`` to ``end`` of the whole."""

        def report(fraction: float, sentence: str) -> None:
            self.progress(start + (end - start) * fraction, sentence)

        return replace(self, progress=report)

    @property
    def silent(self) -> "Task":
        """The same task for work whose progress nobody sees; it stops as before."""
        return replace(self, progress=silent)


UNWATCHED = Task()
"""For callers that neither show progress nor stop the work."""
