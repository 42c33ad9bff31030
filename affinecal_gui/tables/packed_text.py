"""Text tables packed with gzip: read without unpacking them to disk, and never more than memory allows."""

import gzip
import io
import os
import zlib
from pathlib import Path

from affinecal_gui.progress import CancelCheck, Progress, never, silent
from affinecal_gui.tables.errors import TableError, file_name
from affinecal_gui.tables.options import GUESS, ReadOptions
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.reading import plain_errors, read_table
from affinecal_gui.tables.text_tables import read_text_table

GZIP = b"\x1f\x8b"

MOST_BYTES = 512 * 1024**2
"""Of the unpacked text: a packed file can claim to hold a thousand times its size."""


def read_table_or_packed(
    path: str | os.PathLike[str],
    options: ReadOptions = GUESS,
    *,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
) -> RawTable:
    """Read any table (:func:`affinecal_gui.tables.reading.read_table`), or a text table that is packed with gzip.

    Raises
    ------
    TableError
        As there; and when the packed file is damaged or too large.
    """
    given = os.fspath(path)
    name = file_name(given)
    if not os.path.isfile(given):  # noqa: PTH113 - false, and no error, for a name that no file can have
        return read_table(given, options, progress=progress, cancelled=cancelled)
    with plain_errors(name, given):
        with Path(given).open("rb") as file:
            if file.read(2) != GZIP:
                return read_table(given, options, progress=progress, cancelled=cancelled)
        try:
            with gzip.open(given) as packed:
                text = packed.read(MOST_BYTES + 1)
        except (EOFError, gzip.BadGzipFile, zlib.error):
            raise TableError(
                f"{name} is damaged: its packed content ends too early or is wrong. Get it again."
            ) from None
    if len(text) > MOST_BYTES:
        raise TableError(f"{name} unpacks to more than {MOST_BYTES // 1024**2} MB. Unpack it and leave rows out.")
    return read_text_table(
        io.BytesIO(text), name, given, options, size=len(text), progress=progress, cancelled=cancelled
    )
