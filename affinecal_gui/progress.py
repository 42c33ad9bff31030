"""How long work tells what it has done, and learns that it should stop.

A service is a plain function ``(inputs, *, progress, cancelled) -> result``. It knows nothing of threads, windows or
terminals; whoever calls it decides what becomes of the messages.
"""

from collections.abc import Callable, Iterable, Iterator
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


def stop_if(cancelled: CancelCheck) -> None:
    """Raise :class:`~affinecal_gui.errors.Cancelled` when the caller asked for a stop."""
    if cancelled():
        raise Cancelled


def stoppable(items: Iterable[Item], cancelled: CancelCheck, every: int = 1000) -> Iterator[Item]:
    """Yield the items of a long loop; every so many of them :func:`stop_if` looks whether to go on."""
    for number, item in enumerate(items):
        if number % every == 0:
            stop_if(cancelled)
        yield item


def part_of(progress: Progress, start: float, end: float) -> Progress:
    """Map the progress of a part, 0 to 1, onto ``start`` to ``end`` of the whole."""

    def report(fraction: float, sentence: str) -> None:
        progress(start + (end - start) * fraction, sentence)

    return report
