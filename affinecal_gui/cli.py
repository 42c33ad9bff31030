"""The front door without a window, for scripts and clusters: runs one of :mod:`affinecal_gui.commands`.

Exit status 0: done, possibly with rows left out, which is said; 1: a fault of the program; 2: cannot be done, one sentence on
the error stream says why.
"""

import argparse
import logging
import signal
import traceback
from collections.abc import Callable, Sequence

from affinecal_gui.commands import apply, benchmark, compare, describe, fit, predict, screen
from affinecal_gui.commands.own_options import in_own_options
from affinecal_gui.commands.progress_lines import ProgressLines, end_progress_line
from affinecal_gui.errors import Cancelled, UserError
from affinecal_gui.lean_scipy import keep_fortran_out
from affinecal_gui.streams import parsed, say
from affinecal_gui.task import UNWATCHED, Task

DONE, FAULT, CANNOT = 0, 1, 2


def run_command(words: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    options = parsed(command_parser(), words)
    keep_fortran_out()
    task = UNWATCHED if options.quiet else Task(ProgressLines())
    command: Callable[[argparse.Namespace, Task], None] = options.command
    # A service that is asked to end ends like one that is interrupted: without half a file.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        command(options, task)
    except UserError as error:
        end_progress_line(task)
        say(f"affinecal: {in_own_options(_in_full(error), options)}")
        return CANNOT
    except (Cancelled, KeyboardInterrupt) as stop:
        end_progress_line(task)
        say(f"affinecal: {str(stop) or 'stopped; nothing was written half.'}")
        return CANNOT
    except BrokenPipeError:
        return DONE  # the reader of our output had enough
    except Exception:  # noqa: BLE001 - the last line of defence, which says where to turn
        end_progress_line(task)
        say(f"affinecal: a fault of the program. {_kept_in_log()}")
        return FAULT
    return DONE


def _kept_in_log() -> str:
    """Write the exception at hand to the log, and say where it is found; without a log, say it."""
    from affinecal_gui.support.log import start_log, written_log

    start_log()
    logging.getLogger(__name__).critical("A command failed", exc_info=True)
    log = written_log()
    if log is None:
        return f"Please report it with these lines, for which there is no log:\n{traceback.format_exc().rstrip()}"
    return f"Please report it with the last lines of {log}."


def _in_full(error: UserError) -> str:
    """Return what is wrong, with what a window would offer or show elsewhere: an option, or the polymers concerned."""
    from affinecal_gui.files import FileExists
    from affinecal_gui.study.fitting.too_few import TooFewPolymers

    if isinstance(error, TooFewPolymers):
        return error.in_full
    if isinstance(error, FileExists) and "--overwrite" not in str(error):
        return f"{error} The option --overwrite allows it."
    return str(error)


def command_parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--quiet", action="store_true", help="no progress line")
    common.add_argument(
        "--verbose",
        action="store_true",
        help="print every remark, one by one; otherwise what was guessed, may be wrong or can be put right, and the result",
    )
    common.add_argument("--overwrite", action="store_true", help="replace files that exist")

    parser = argparse.ArgumentParser(prog="affinecal", description="AffineCal without a window.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (fit, predict, apply, screen, benchmark, compare, describe):
        command.add_parser(commands, common)
    return parser
