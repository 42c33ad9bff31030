"""The trace: what happened in the program, told in the program's own words alone, so that a user can give it away.

The message of an exception, and what is put into a message of the log, may quote a cell, a structure or the path of a file.
The trace is not cleaned of such things, it never takes them in: of a message it keeps the words that stand in the code, of an
exception its type and the lines of the code it went through, of an action of the user its name.
"""

import logging
import sys
import sysconfig
import traceback
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

ROOT = "affinecal_gui"
PACKAGE = Path(__file__).parent.parent
MOST_FRAMES = 60  # of one exception: the last ones
MOST_CAUSES = 5

WITHOUT_DATA = {"is_without_data": True}
"""Given as ``extra`` with a message of the log: what is put into it is the program's own, and the trace takes it in."""

_actions = logging.getLogger("affinecal_gui.actions")
_jobs = logging.getLogger("affinecal_gui.jobs")


def note_action(name: str) -> None:
    """Note what the user asked for; ``name`` stands in the code, and holds nothing of the study."""
    _actions.info(name)


def note_job(kind: type[object]) -> None:
    """Note that work of a kind began; of the same kind many times in a row, as under a slider, the first alone is noted."""
    _jobs.info(kind.__name__)


class _Unrepeated(logging.Filter):
    """Lets a message pass that is not the one before."""

    _last = ""

    def filter(self, record: logging.LogRecord) -> bool:
        """Compare with the message before."""
        is_new = record.msg != self._last
        self._last = str(record.msg)
        return is_new


_jobs.addFilter(_Unrepeated())


class TraceFormatter(logging.Formatter):
    """Writes a record of the log without anything that is not of the code."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the lines of a record."""
        is_own = record.name == ROOT or record.name.startswith(f"{ROOT}.")
        words = record.msg if is_own and isinstance(record.msg, str) else "(a message of a library)"
        if getattr(record, "is_without_data", False):
            words = record.getMessage()
        arguments = record.args if isinstance(record.args, tuple) else ()
        kinds = [_name(type(one)) for one in arguments if isinstance(one, BaseException)]
        line = f"{self.formatTime(record)} {record.levelname} {record.name}: {words}"
        if kinds:
            line += f" ({', '.join(kinds)})"
        error = record.exc_info[1] if record.exc_info else None
        return "\n".join([line, *(_lines(error) if error is not None else ())])


def _lines(error: BaseException) -> Iterator[str]:
    """Yield the types of an exception and of what led to it, each with the places it went through, the last one last."""
    for number in range(MOST_CAUSES):
        yield f"  {'after ' if number else ''}{_name(type(error))}"
        frames = [(frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__)][-MOST_FRAMES:]
        for code, line in frames:
            place = _place(code.co_filename)
            yield f"    {place}:{line} in {code.co_qualname}" if place else "    elsewhere"
        before = error.__cause__ if error.__suppress_context__ else error.__cause__ or error.__context__
        if before is None:
            return
        error = before


def _name(kind: type[object]) -> str:
    return kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"


def _place(file: str) -> str:
    """Return a file of the program, of a library or of Python, without the folder that they lie in; "" for any other."""
    if file.startswith("<frozen "):
        return file
    for folder, shown in _folders():
        if Path(file).is_relative_to(folder):
            return (PurePosixPath(shown) / Path(file).relative_to(folder).as_posix()).as_posix()
    if getattr(sys, "frozen", False) and not Path(file).is_absolute() and file.endswith(".py"):
        return Path(file).as_posix()  # so the modules of a bundled program are called
    return ""


def _folders() -> tuple[tuple[str, str], ...]:
    paths = sysconfig.get_paths()
    return (str(PACKAGE), ROOT), (paths["purelib"], ""), (paths["platlib"], ""), (paths["stdlib"], "python")
