"""Where the pages of a report end: pictures wait for room while the text goes on, none breaks a table, no page is bare.

Nothing is drawn here, and nothing measured: blocks come with their heights, and go back with their places.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

_EMPTIEST = 0.25  # share of a page that may stay white, except on the last one
_LEAST = 0.2  # share of the last page that is to be used, so that no few rows stand there alone
_SHRINKING = np.arange(0.98, 0.78, -0.02)  # of the height of all pages, tried in this order until both are met


@dataclass(frozen=True, slots=True)
class PageBlock:
    """Something that stands on a page, or runs over several. All heights in mm."""

    steps: tuple[float, ...]  # heights of its lines or rows, at least one: a page may end between two of them
    head: float = 0.0  # above the first step, again on every page
    tail: float = 0.0  # below the last step, never apart from it
    before: float = 0.0  # space above, where anything stands above
    after: float = 0.0  # space below
    together: int = 1  # so many steps, at least, stand on either side of a page break
    joined: bool = False  # where it ends, what follows begins on the same page
    floats: bool = False  # may wait for the next page while what follows goes on; not after a joined block
    unbroken: bool = False  # no picture comes between its parts, and it rather begins on the next page than be broken


@dataclass(frozen=True, slots=True)
class Placed:
    """Steps ``start`` to ``stop`` of a block, its head at ``top`` mm below the upper edge of the text."""

    block: int
    start: int
    stop: int
    top: float


@dataclass
class _Page:
    placed: list[Placed] = field(default_factory=list)
    used: float = 0.0  # mm; down to where something stands
    next: float = 0.0  # mm; where the next block may begin


def break_pages(blocks: Sequence[PageBlock], height: float, *, spare: float = 0.0) -> list[list[Placed]]:
    """Return what stands on each page of ``height`` mm.

    Of the page heights from ``height`` downwards the first is taken with which no page but the last is emptier than a
    quarter, and the last one holds more than a few lines; where there is none, the one that comes nearest.

    Parameters
    ----------
    blocks
        In their order; those that float may stand later, but not in another order among themselves.
    height
        Of the text on a page, in mm.
    spare
        So many mm below may be used by the end of a block that would otherwise stand alone on the next page.
    """
    heights = (height, height + spare, *(height * _SHRINKING))
    best: list[_Page] = []
    least = float("inf")
    for tried in heights:
        pages = _filled(blocks, tried, spare if tried <= height else 0.0)
        wrong = _badness(pages, height)
        if wrong < least:
            best, least = pages, wrong
        if not wrong:
            break
    return [page.placed for page in best]


def _badness(pages: Sequence[_Page], height: float) -> float:
    if len(pages) == 1:
        return 0.0
    used = [page.used / height for page in pages]
    white = sum(max(0.0, 1.0 - _EMPTIEST - share) for share in used[:-1])
    return white + max(0.0, _LEAST - used[-1])


def _filled(blocks: Sequence[PageBlock], height: float, spare: float) -> list[_Page]:
    filling = _Filling(blocks, height, spare)
    for at in range(len(blocks)):
        filling.add(at)
    filling.empty_queue()
    return filling.pages


def _height_of(block: PageBlock) -> float:
    return block.head + sum(block.steps) + block.tail


class _Filling:
    """Pages being filled from top to bottom."""

    def __init__(self, blocks: Sequence[PageBlock], height: float, spare: float) -> None:
        self._blocks, self._height, self._spare = blocks, height, spare
        self._waiting: deque[int] = deque()
        flowing = [at for at, block in enumerate(blocks) if not self._may_float(at, block)]
        self._last_flowing = flowing[-1] if flowing else -1
        self.pages = [_Page()]

    def add(self, at: int) -> None:
        block = self._blocks[at]
        if self._may_float(at, block) and at < self._last_flowing:
            if self._waiting or not self._has_room(at):
                self._waiting.append(at)
            else:
                self._place(at, 0, len(block.steps))
            return
        if at > self._last_flowing:  # no more text could fill the page while they wait
            self.empty_queue()
        done, count = 0, len(block.steps)
        while done < count:
            number = self._steps_here(at, done)
            if self._page.placed and (not number or (done + number < count and self._may_wait(at, done))):
                self._turn_page(block, begun=bool(done))
                continue
            stop = done + (number or self._most_here(at, done))
            self._place(at, done, stop)
            done = stop
            if done < count:
                self._turn_page(block, begun=True)
        if block.unbroken:
            self._place_waiting()

    def empty_queue(self) -> None:
        while self._waiting:
            self._new_page()

    @property
    def _page(self) -> _Page:
        return self.pages[-1]

    def _may_float(self, at: int, block: PageBlock) -> bool:
        return block.floats and not (at and self._blocks[at - 1].joined)

    def _turn_page(self, block: PageBlock, *, begun: bool) -> None:
        """Begin a page for ``block``: pictures that wait come first, but never between the parts of a table."""
        if block.unbroken and begun:
            self.pages.append(_Page())
        else:
            self._new_page()

    def _new_page(self) -> None:
        self.pages.append(_Page())
        self._place_waiting()

    def _place_waiting(self) -> None:
        while self._waiting and (not self._page.placed or self._has_room(self._waiting[0])):
            at = self._waiting.popleft()
            self._place(at, 0, len(self._blocks[at].steps))

    def _top(self, block: PageBlock, start: int) -> float:
        return self._page.next + (block.before if self._page.placed and not start else 0.0)

    def _has_room(self, at: int) -> bool:
        return self._top(self._blocks[at], 0) + _height_of(self._blocks[at]) <= self._height

    def _may_wait(self, at: int, start: int) -> bool:
        """Whether a block that would be broken here can be whole on another page, and this one is full enough without."""
        is_headed = at > 0 and self._blocks[at - 1].joined  # its heading stands here already
        return not start and not is_headed and self._is_rather_whole(at, self._height - self._page.used)

    def _is_rather_whole(self, at: int, white: float) -> bool:
        """Whether a block is whole on the next page rather than broken, for which ``white`` mm are left empty here."""
        block = self._blocks[at]
        return block.unbroken and _height_of(block) <= self._height and white <= _EMPTIEST * self._height

    def _place(self, at: int, start: int, stop: int) -> None:
        block, page = self._blocks[at], self._page
        top = self._top(block, start)
        ends = stop == len(block.steps)
        page.placed.append(Placed(at, start, stop, top))
        page.used = top + block.head + sum(block.steps[start:stop]) + (block.tail if ends else 0.0)
        page.next = page.used + (block.after if ends else 0.0)

    def _steps_here(self, at: int, start: int) -> int:
        """Return how many steps from ``start`` on stand on this page; 0: it is better to begin on the next one."""
        block = self._blocks[at]
        left = len(block.steps) - start
        ends = self._top(block, start) + block.head + np.cumsum(block.steps[start:])
        white = self._height - self._page.used
        follows = block.after + self._needed(at + 1, white) if block.joined else -self._spare
        if ends[-1] + block.tail + follows <= self._height:
            return left
        fitting = int(np.count_nonzero(ends <= self._height))
        number = min(fitting, left - block.together)
        return number if number >= (1 if start else block.together) else 0

    def _most_here(self, at: int, start: int) -> int:
        """Return how many steps fit on a page that holds nothing else, at least one: no better page will come."""
        block = self._blocks[at]
        ends = self._top(block, start) + block.head + np.cumsum(block.steps[start:])
        return max(1, int(np.count_nonzero(ends <= self._height)))

    def _needed(self, at: int, white: float) -> float:
        """Return the height with which a block can begin, and those joined to it; else ``white`` mm are left empty."""
        if at >= len(self._blocks):
            return 0.0
        block = self._blocks[at]
        needed = block.before + block.head
        if len(block.steps) < 2 * block.together or self._is_rather_whole(at, white):
            needed += sum(block.steps) + block.tail
            if block.joined:
                needed += block.after + self._needed(at + 1, white)
        else:
            needed += sum(block.steps[: block.together])
        return needed
