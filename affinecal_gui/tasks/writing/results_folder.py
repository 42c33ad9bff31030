"""The folder that a command writes its results to: it belongs to one run at a time, and gets all of its results or none.

A lock, which the system drops when the program ends, keeps other runs out. How the results take the place of those of before:
:mod:`affinecal_gui.tasks.writing.replacing_results`.
"""

import logging
import stat
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.study.records.file_lock import FileLock, try_lock
from affinecal_gui.tables.errors import shortened
from affinecal_gui.tasks.writing.own_inputs import keep_inputs
from affinecal_gui.tasks.writing.replacing_results import begin_results, end_results, put_back, replace_results

logger = logging.getLogger(__name__)

LOCK = ".affinecal-lock"
ATTEMPTS = 5  # to lock a folder that another run, which has failed, removes meanwhile


@contextmanager
def results_folder(
    output: Path, names: Sequence[str], *, overwrite: bool, inputs: Iterable[Path | None] = ()
) -> Iterator[Path]:
    """Make the folder, and check that it can be written to, before the block runs; put its results in place after it.

    When the block fails or is stopped, the folder is as it was before, and so are the folders around it. What a run that was
    killed has left half done is undone first.

    Parameters
    ----------
    output
        The folder.
    names
        Files that the block may write. One of before that it does not write is removed with ``overwrite``.
    overwrite
        Whether files of these names may be there already.
    inputs
        Files that the block reads, which are never replaced.

    Yields
    ------
    Path
        Where the block writes its files; an empty folder.

    Raises
    ------
    UserError
        The folder is a file, cannot be made or written to, is being written to by another run, or holds a result already, or
        an input or something that is no file under the name of a result.
    """
    keep_inputs((output / name for name in names), inputs)
    with _locked(output):
        with _plain_errors(output):
            if put_back(output):
                logger.warning(
                    "A run before this was killed while it put its results into %s; what was there before has been put back.",
                    output,
                )
            _check(output, names, overwrite=overwrite)
            new = begin_results(output)
        try:
            yield new
            with _plain_errors(output):
                replace_results(output, names, overwrite=overwrite)
        finally:
            end_results(output)


@contextmanager
def _locked(output: Path) -> Iterator[None]:
    """Make the folder and keep other runs out of it; folders that were made are removed again if nothing came into them."""
    made: list[Path] = []
    lock: FileLock | None = None
    try:
        with _plain_errors(output):
            if output.exists() and not output.is_dir():
                raise UserError(f"{output} is a file; name a folder for the results.")
            made = [folder for folder in (output, *output.parents) if not folder.exists()]
            lock = _made_and_locked(output)
        if lock is None:
            raise UserError(
                f"Another run is writing its results to {output}. Wait until it has ended, or name another folder."
            )
        yield
    finally:
        if lock is not None:
            lock.release()
        for folder in made:  # innermost first
            with suppress(OSError):
                folder.rmdir()


def _made_and_locked(output: Path) -> FileLock | None:
    for _ in range(ATTEMPTS - 1):
        output.mkdir(parents=True, exist_ok=True)
        with suppress(FileNotFoundError):
            return try_lock(output / LOCK)
    output.mkdir(parents=True, exist_ok=True)
    return try_lock(output / LOCK)


def _check(output: Path, names: Sequence[str], *, overwrite: bool) -> None:
    """Refuse what may not be replaced."""
    for name in names:
        try:
            mode = (output / name).lstat().st_mode
        except FileNotFoundError:
            continue
        if not stat.S_ISREG(mode):
            raise UserError(f"{output / name} is a link, a folder or a device. Remove it, or name another folder.")
        if not overwrite:
            raise UserError(f"{output} holds {name} already. Name another folder, or add --overwrite to replace it.")


@contextmanager
def _plain_errors(output: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UserError(
            f"The folder {shortened(str(output), 200)} cannot be used for the results ({why}). Name another with --output."
        ) from error
