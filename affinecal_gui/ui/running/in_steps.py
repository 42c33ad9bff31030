"""Work that is divided into steps, with a turn of the event loop for each."""

from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

Made = TypeVar("Made")


def at_once(steps: Generator[None, None, Made]) -> Made:
    """Take all steps, and return what they end with."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            made: Made = end.value
            return made


def take_all(steps: Iterator[None]) -> None:
    """Take all steps of work that ends with nothing."""
    for _ in steps:
        pass


def one_step(do: Callable[[], object]) -> Iterator[None]:
    """Return work that is a single step."""
    do()
    yield
