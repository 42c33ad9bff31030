"""The folder that a command writes its results to: usable before the work begins, and never left half filled."""

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from affinecal_gui.errors import UserError
from affinecal_gui.study.tasks.own_inputs import keep_inputs
from affinecal_gui.tables.errors import shortened


@contextmanager
def results_folder(
    output: Path, names: Sequence[str], *, overwrite: bool, inputs: Iterable[Path | None] = ()
) -> Iterator[None]:
    """Make the folder, and check that it can be written to, before the block runs.

    When the block fails or is stopped, results that it wrote are taken away again, and so are the folders that were made
    for them: a second run then starts as the first did. Results of before, which ``overwrite`` allows to replace, stay.

    Parameters
    ----------
    output
        The folder.
    names
        Files that the block writes there.
    overwrite
        Whether files of these names may be there already.
    inputs
        Files that the block reads, which are never replaced.

    Raises
    ------
    UserError
        The folder is a file, cannot be made or written to, or holds a result already, or an input of the name of a result.
    """
    keep_inputs((output / name for name in names), inputs)
    made: list[Path] = []
    try:
        if output.exists() and not output.is_dir():
            raise UserError(f"{output} is a file; name a folder for the results.")
        before = [name for name in names if (output / name).exists()]
        if before and not overwrite:
            raise UserError(
                f"{output} holds {before[0]} already. Name another folder, or add --overwrite to replace it."
            )
        made = [folder for folder in (output, *output.parents) if not folder.exists()]
        output.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=output):
            pass
    except (OSError, ValueError) as error:  # ValueError: a zero byte in the name
        _remove(made)
        why = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UserError(
            f"The folder {shortened(str(output), 200)} cannot be used for the results ({why}). Name another with --output."
        ) from error
    try:
        yield
    except BaseException:
        for name in names:
            if name not in before:
                with suppress(OSError):
                    (output / name).unlink(missing_ok=True)
        _remove(made)
        raise


def _remove(folders: Sequence[Path]) -> None:
    """Remove folders, innermost first, as far as they are empty."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
