"""Any file a chemist has -> a raw table: looks at the content, never at the name alone, and picks the reader."""

import os
import stat
from pathlib import Path

from affinecal_gui.progress import CancelCheck, Progress, never, silent
from affinecal_gui.tables.errors import TableError, file_name
from affinecal_gui.tables.options import GUESS, ReadOptions
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.text_tables import read_text_table

MAXIMUM_BYTES = 2 * 1024**3


def read_table(
    path: str | os.PathLike[str],
    options: ReadOptions = GUESS,
    *,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> RawTable:
    """Read a file into headings and cells of text.

    Nothing is interpreted here: numbers stay text, so that no digit of an id and no character of a SMILES is lost.

    Parameters
    ----------
    path
        The file.
    options
        What the user chose; everything else is guessed and told in the result.

    Raises
    ------
    TableError
        The file is missing, a folder, locked, empty, too large or no table.
    Cancelled
        ``cancelled()`` became true.
    """
    given = os.fspath(path)
    name = file_name(given)
    try:
        about = Path(given).stat()
    except (OSError, ValueError) as error:
        raise TableError(_why_not(name, error)) from None
    if stat.S_ISDIR(about.st_mode):
        raise TableError(f"{name} is a folder. Choose a file in it.")
    if not stat.S_ISREG(about.st_mode):
        raise TableError(f"{name} is not a file. Choose a CSV or a workbook.")
    if about.st_size == 0:
        raise TableError(f"{name} is empty.")
    if about.st_size > MAXIMUM_BYTES:
        raise TableError(
            f"{name} has {about.st_size / 1024**3:.1f} GB; up to 2 GB can be read. Split it, or leave columns out."
        )
    try:
        with Path(given).open("rb") as source:
            return read_text_table(
                source, name, given, options, size=about.st_size, progress=progress, cancelled=cancelled
            )
    except OSError as error:
        raise TableError(_why_not(name, error)) from None
    except MemoryError:
        raise TableError(f"{name} does not fit into memory. Split it, or leave columns out.") from None


def _why_not(name: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return f"{name} is not there any more. Was it moved, or is its drive disconnected?"
    if isinstance(error, PermissionError):
        return f"{name} cannot be opened: no permission, or another program holds it. Close it there and try again."
    if isinstance(error, OSError) and error.strerror:
        return f"{name} cannot be opened ({error.strerror})."
    return f"{name} cannot be opened: this is not a possible path."
