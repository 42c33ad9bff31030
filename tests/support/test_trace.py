"""What the trace takes in of messages and exceptions: the program's own words, and nothing that was put into them."""

import logging
import sys
from collections.abc import Iterator

import pytest

from affinecal_gui.errors import UserError
from affinecal_gui.numbers import significant
from affinecal_gui.support.trace import WITHOUT_DATA, TraceFormatter, note_job


class Kept(logging.Handler):
    """Keeps what the trace would write."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(TraceFormatter())
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@pytest.fixture
def kept() -> Iterator[Kept]:
    handler = Kept()
    own = logging.getLogger("affinecal_gui")
    level = own.level
    own.addHandler(handler)
    own.setLevel(logging.INFO)
    yield handler
    own.removeHandler(handler)
    own.setLevel(level)


def fail_quoting(data: str) -> BaseException:
    try:
        try:
            raise KeyError(data)
        except KeyError as error:
            raise UserError(f"{data} is no number.") from error
    except UserError as error:
        return error


@pytest.mark.parametrize(
    "data",
    [
        "\u2021*CC(C#N)*\u2021",
        "\u2021 1234.5 J/(kg K), %s and %(name)s {data} \u2021",
        "\u2021\n  affinecal_gui.errors.UserError\n    affinecal_gui/numbers.py:1 in /home/ada\u2021",
        'File "C:\\Users\\Ada\u2021\\x.py", line 1, in \u2021',
    ],
)
def test_nothing_that_is_put_into_a_message_or_an_exception_gets_in(data: str) -> None:
    error = fail_quoting(data)
    record = logging.LogRecord("affinecal_gui.study", logging.ERROR, __file__, 1, "%s: %s", (data, error), None)
    record.exc_info = (type(error), error, error.__traceback__)
    written = TraceFormatter().format(record)
    assert "\u2021" not in written
    assert "ERROR affinecal_gui.study: %s: %s (affinecal_gui.errors.UserError)" in written
    assert written.splitlines()[1:] == [
        "  affinecal_gui.errors.UserError",
        "    elsewhere",
        "  after KeyError",
        "    elsewhere",
    ]


def test_a_library_says_nothing() -> None:
    record = logging.LogRecord(
        "matplotlib.font_manager", logging.WARNING, __file__, 1, "no font in /home/ada", (), None
    )
    assert TraceFormatter().format(record).endswith("WARNING matplotlib.font_manager: (a message of a library)")


def test_places_in_the_code_are_named_without_the_folder_they_lie_in() -> None:
    with pytest.raises(TypeError) as caught:
        significant("not a number")  # type: ignore[arg-type]
    record = logging.LogRecord("affinecal_gui", logging.ERROR, __file__, 1, "A job failed", (), None)
    record.exc_info = (caught.type, caught.value, caught.tb)
    written = TraceFormatter().format(record)
    assert "    affinecal_gui/numbers.py:" in written
    assert " in significant" in written
    assert sys.prefix not in written


def test_what_is_the_programs_own_is_written_out(kept: Kept) -> None:
    logging.getLogger("affinecal_gui.support.log").info("AffineCal %s", "1.2", extra=WITHOUT_DATA)
    assert kept.lines[0].endswith("INFO affinecal_gui.support.log: AffineCal 1.2")


def test_the_same_work_many_times_in_a_row_is_noted_once(kept: Kept) -> None:
    kinds = {name: type(name, (), {}) for name in ("Derive", "Inspect")}
    for name in ("Inspect", "Derive", "Derive", "Derive", "Inspect"):
        note_job(kinds[name])
    assert [line.rpartition(" ")[2] for line in kept.lines] == ["Inspect", "Derive", "Inspect"]
