"""The sentence about how far a run is."""

from affinecal_gui.study.describing.pace import Pace
from affinecal_gui.task import Task


class Told:
    """A clock that is set by hand, and what was reported."""

    def __init__(self) -> None:
        self.now = 0.0
        self.words: list[tuple[float, str]] = []

    def clock(self) -> float:
        return self.now

    def progress(self, fraction: float, sentence: str) -> None:
        self.words.append((fraction, sentence))


def at(told: Told, pace: Pace, seconds: float, line: int, rows: int) -> tuple[float, str]:
    told.now = seconds
    pace.report(line, rows)
    return told.words[-1]


def test_rate_and_time_left_come_when_they_are_known() -> None:
    told = Told()
    pace = Pace(2, 1_000_001, Task(told.progress), told.clock)
    assert at(told, pace, 1, 1_001, 1_000) == (0.001, "1,000 rows")
    assert at(told, pace, 10, 10_001, 10_000) == (0.01, "10,000 rows, 1,000 a second, 16 min left")
    assert at(told, pace, 995, 995_001, 995_000) == (0.995, "995,000 rows, 1,000 a second, 5 s left")
    assert at(told, pace, 1000, 1_000_001, 1_000_000) == (1.0, "1,000,000 rows, 1,000 a second")


def test_what_an_earlier_run_did_does_not_count_for_the_rate() -> None:
    told = Told()
    pace = Pace(2, 101, Task(told.progress), told.clock)
    told.now = 50
    pace.start(51, 50)
    assert at(told, pace, 150, 61, 60) == (0.6, "60 rows, 6 a minute, 7 min left")


def test_lines_that_are_no_rows_do_not_disturb() -> None:
    told = Told()
    pace = Pace(11, 110, Task(told.progress), told.clock)
    fraction, sentence = at(told, pace, 10, 60, 25)
    assert (fraction, sentence) == (0.5, "25 rows, 2.5 a second, 10 s left")


def test_reports_come_ten_times_a_second_at_most() -> None:
    told = Told()
    pace = Pace(1, 1000, Task(told.progress), told.clock)
    for number in range(1, 1001):
        told.now = number / 1000
        pace.report(number, number)
    assert 8 <= len(told.words) <= 10


def test_a_length_that_is_not_known_or_was_wrong() -> None:
    told = Told()
    pace = Pace(2, 0, Task(told.progress), told.clock)
    assert at(told, pace, 10, 500, 499) == (1.0, "499 rows, 50 a second")


def test_hours_and_days() -> None:
    told = Told()
    pace = Pace(1, 10**7, Task(told.progress), told.clock)
    assert at(told, pace, 100, 10**5, 10**5)[1].endswith("2 h 45 min left")
    assert at(told, pace, 10**5, 10**6, 10**6)[1].endswith("10.4 days left")
