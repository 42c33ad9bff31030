"""A task is told how far the work is, and asked whether to stop; a service may take any part of one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from affinecal_gui.errors import Cancelled
from affinecal_gui.task import UNWATCHED, Task

SHARES = st.floats(0.0, 1.0)


class Watcher:
    """Hears what is reported, and wants a stop at the question of a number."""

    def __init__(self, stops_at: int = 10**9) -> None:
        self.heard: list[tuple[float, str]] = []
        self.asked = 0
        self.stops_at = stops_at
        self.task = Task(lambda share, sentence: self.heard.append((share, sentence)), self.is_over)

    def is_over(self) -> bool:
        self.asked += 1
        return self.asked >= self.stops_at


def test_an_unwatched_task_reports_to_nobody_and_never_stops() -> None:
    UNWATCHED.report(0.5, "half")
    UNWATCHED.check()
    assert not UNWATCHED.is_cancelled
    assert list(UNWATCHED.each(range(5_000))) == list(range(5_000))


def test_what_is_reported_reaches_the_caller_as_it_is() -> None:
    watcher = Watcher()
    watcher.task.report(0.0, "Reading")
    watcher.task.report(1.0, "Read")
    assert watcher.heard == [(0.0, "Reading"), (1.0, "Read")]


def test_a_cancelled_task_says_so_and_raises_when_it_is_checked() -> None:
    watcher = Watcher(stops_at=2)
    watcher.task.check()
    with pytest.raises(Cancelled):
        watcher.task.check()
    assert watcher.task.is_cancelled


@given(SHARES, SHARES, SHARES)
def test_the_progress_of_a_part_is_its_share_of_the_whole(start: float, end: float, share: float) -> None:
    watcher = Watcher()
    watcher.task.part(start, end).report(share, "part")
    ((heard, sentence),) = watcher.heard
    assert min(start, end) - 1e-12 <= heard <= max(start, end) + 1e-12
    assert heard == pytest.approx(start + share * (end - start))
    assert sentence == "part"


def test_parts_of_parts_lie_within_one_another() -> None:
    watcher = Watcher()
    inner = watcher.task.part(0.5, 1.0).part(0.0, 0.5)
    inner.report(0.0, "begins")
    inner.report(1.0, "ends")
    assert [share for share, _ in watcher.heard] == [0.5, 0.75]


@pytest.mark.parametrize("derived", [lambda task: task.part(0.2, 0.4), lambda task: task.silent])
def test_a_part_and_a_silent_task_stop_with_the_whole(derived) -> None:  # type: ignore[no-untyped-def]
    watcher = Watcher(stops_at=1)
    with pytest.raises(Cancelled):
        derived(watcher.task).check()


def test_a_silent_task_reports_to_nobody() -> None:
    watcher = Watcher()
    watcher.task.silent.report(0.5, "half")
    watcher.task.silent.part(0.0, 1.0).report(0.5, "half")
    assert watcher.heard == []


@given(st.integers(0, 60), st.integers(1, 20))
def test_each_hands_out_every_item_and_asks_once_in_so_many(count: int, every: int) -> None:
    watcher = Watcher()
    assert list(watcher.task.each(range(count), every)) == list(range(count))
    assert watcher.asked == -(-count // every)


def test_each_stops_a_long_loop_at_the_next_question() -> None:
    watcher = Watcher(stops_at=3)
    seen: list[int] = []
    with pytest.raises(Cancelled):
        seen.extend(watcher.task.each(iter(range(100)), every=10))
    assert seen == list(range(20))


def test_an_iterator_is_not_drawn_from_before_it_is_wanted() -> None:
    drawn = []
    items = UNWATCHED.each((drawn.append(number) or number for number in range(3)), every=1)
    assert drawn == []
    assert next(items) == 0
    assert drawn == [0]
