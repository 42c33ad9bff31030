"""No command writes over a file that it reads: whoever allows results to be replaced does not mean the data."""

from collections.abc import Iterable
from pathlib import Path

from affinecal_gui.errors import UserError


def keep_inputs(outputs: Iterable[Path], inputs: Iterable[Path | None]) -> None:
    """Refuse to write to a file that is read, under whatever name.

    Parameters
    ----------
    outputs
        The files that are going to be written.
    inputs
        The files that are read; None stands for one that was not named.

    Raises
    ------
    UserError
        One of the outputs is one of the inputs.
    """
    read = [path for path in inputs if path is not None]
    for output in outputs:
        if any(is_same_file(output, path) for path in read):
            raise UserError(
                f"{output} is one of the files that this command reads, and would be lost. Name another with --output."
            )


def is_same_file(one: Path, other: Path) -> bool:
    """Whether two names stand for one file that exists."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # ValueError: a zero byte in the name
        return False
