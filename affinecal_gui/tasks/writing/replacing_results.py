"""All results of a run take the place of those of before, or none does.

No file system renames several files at once, and the folder may hold files of the user. So a hidden folder inside it holds
the files of a run until all are written, and keeps what they replace until the last one is in place. Whatever fails then is
undone, and what a killed program left half done is undone by the next run. What has been done is read from the disk alone: a
file that is not among the new ones any more has been put in place.
"""

import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from affinecal_gui.files import move_without_replacing, write_atomically
from affinecal_gui.tasks.writing.own_inputs import is_same_file

RUN, DONE = ".affinecal-run", ".affinecal-done"
NEW, BEFORE = "new", "before"
PLAN = "plan.json"
"""Says what is being put in place; without it nothing has been."""


def begin_results(output: Path) -> Path:
    """Return an empty folder inside ``output`` for the files of a run.

    Raises
    ------
    OSError
        It cannot be made.
    """
    end_results(output)
    (output / RUN / NEW).mkdir(parents=True)
    return output / RUN / NEW


def end_results(output: Path) -> None:
    """Remove what a run has not put in place; what is half done stays until :func:`put_back` has undone it."""
    shutil.rmtree(output / DONE, ignore_errors=True)
    if not (output / RUN / PLAN).exists():
        shutil.rmtree(output / RUN, ignore_errors=True)


def replace_results(output: Path, names: Sequence[str], *, overwrite: bool) -> None:
    """Put the new files in place, and remove the files of ``names`` that are not among them.

    A signal that asks the program to end waits until this is done.

    Parameters
    ----------
    output
        The folder, locked by the caller, for which :func:`begin_results` was called.
    names
        Every file that the run may have written.
    overwrite
        Whether files may be replaced and removed.

    Raises
    ------
    FileExists
        Somebody else has made a file of such a name, and ``overwrite`` is false; the folder is as it was before.
    OSError
        A file cannot be put in place; the folder is as it was before.
    """
    new = output / RUN / NEW
    written = [name for name in names if (new / name).exists()]
    with _signals_later():
        try:
            before = [name for name in names if overwrite and (output / name).exists()]
            _keep(output, before)
            plan = json.dumps({"written": written, "before": before})
            write_atomically(output / RUN / PLAN, plan.encode())
            for name in written:
                if overwrite:
                    os.replace(new / name, output / name)  # noqa: PTH105 - the same call on every system
                else:
                    move_without_replacing(new / name, output / name)
                    (new / name).unlink(missing_ok=True)  # of two names for one file
            for name in set(before) - set(written):
                (output / name).unlink()
            os.replace(output / RUN, output / DONE)  # noqa: PTH105 - from here on nothing is undone
        except BaseException:
            put_back(output)
            raise
        end_results(output)


def put_back(output: Path) -> bool:
    """Undo what was not completed; return whether there was something to undo.

    Raises
    ------
    OSError
        A file cannot be put back; nothing is lost, and the same can be tried again.
    """
    run = output / RUN
    try:
        plan = json.loads((run / PLAN).read_bytes())
    except FileNotFoundError:
        return False
    # A folder may come from anywhere, and so may a plan in it: it says nothing about files elsewhere.
    written, before = ({name for name in plan[key] if Path(name).name == name} for key in ("written", "before"))
    for name in written - before:
        if not (run / NEW / name).exists() or is_same_file(run / NEW / name, output / name):
            (output / name).unlink(missing_ok=True)
    for name in before:
        kept = run / BEFORE / name
        if kept.exists():  # not put back already by an attempt that was stopped
            os.replace(kept, output / name)  # noqa: PTH105
    (run / PLAN).unlink()
    return True


def _keep(output: Path, names: Sequence[str]) -> None:
    """Give files a second name, or a copy where the file system has no second names."""
    kept = output / RUN / BEFORE
    kept.mkdir()
    for name in names:
        try:
            os.link(output / name, kept / name)
        except OSError:
            shutil.copy2(output / name, kept / name)


@contextmanager
def _signals_later() -> Iterator[None]:
    """Let signals that ask for the end wait until the block has ended; other threads get none."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def remember(number: int, _frame: FrameType | None) -> None:
        came.append(number)

    asking = (signal.SIGINT, signal.SIGTERM)
    former = {number: signal.signal(number, remember) for number in asking}
    try:
        yield
    finally:
        for number, handler in former.items():
            signal.signal(number, signal.SIG_DFL if handler is None else handler)
    if came:
        signal.raise_signal(came[0])
