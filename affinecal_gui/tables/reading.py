"""Any file a chemist has -> a raw table: looks at the content, never at the name alone, and picks the reader."""

import contextlib
import os
import re
import stat
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import Protocol

from affinecal_gui.files import file_name
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.formats.json_records import is_json, read_json
from affinecal_gui.tables.formats.parquet_files import read_parquet
from affinecal_gui.tables.formats.sdf_files import is_sdf, read_sdf
from affinecal_gui.tables.formats.text_tables import read_text_table
from affinecal_gui.tables.formats.workbooks import OLE_SIGNATURE, is_workbook, read_workbook, sheet_names
from affinecal_gui.tables.raw_table import RawTable
from affinecal_gui.tables.shapes.polymer_by_row import with_polymer_by_row
from affinecal_gui.tables.simulations.checked_table import with_runs_checked
from affinecal_gui.tables.simulations.combined_runs import read_result_folder
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.text.packed_text import PACKED_SUFFIXES, is_packed, open_text, without_packing
from affinecal_gui.task import UNWATCHED, Task

MOST_NAMES = 5_000
"""Files of a folder among which one of a similar name is looked for."""

MAXIMUM_BYTES = 2 * 1024**3
HEAD_BYTES = 8192


class Reader(Protocol):
    """Reads one format."""

    def __call__(self, path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
        """Return the table, or raise a TableError."""
        ...


@dataclass(frozen=True, slots=True)
class FileFormat:
    """A format, how it is told by its first bytes and its path, and what reads it."""

    title: str
    suffixes: tuple[str, ...]  # for the file dialog
    matches: Callable[[bytes, str], bool]
    read: Reader


def _read_text(path: str, name: str, options: ReadOptions, *, task: Task) -> RawTable:
    source, size = open_text(path, name)
    with source:
        return read_text_table(source, name, path, options, size=size, task=task)


TEXT = FileFormat(
    "Text", (".csv", ".tsv", ".txt", ".dat", ".smi", ".tab", *PACKED_SUFFIXES), lambda *_: True, _read_text
)

WORKBOOK = FileFormat("Workbook", (".xlsx", ".xlsm", ".ods", ".xls"), is_workbook, read_workbook)

FORMATS: tuple[FileFormat, ...] = (
    WORKBOOK,
    FileFormat("Parquet", (".parquet", ".pq"), lambda head, _: head.startswith(b"PAR1"), read_parquet),
    FileFormat("Structures", (".sdf", ".sd", ".mol"), lambda head, _: is_sdf(head), read_sdf),
    FileFormat("JSON", (".json", ".jsonl", ".ndjson"), lambda head, _: is_json(head), read_json),
    TEXT,
)
"""In the order in which they are tried; whatever is none of the others is text, packed or not, or says what it is instead."""


def read_table(
    path: str | os.PathLike[str],
    options: ReadOptions = GUESS,
    *,
    task: Task = UNWATCHED,
) -> RawTable:
    """Read a file into headings and cells of text.

    Nothing is interpreted here: numbers stay text, so that no digit of an id and no character of a SMILES is lost.

    Parameters
    ----------
    path
        The file, or a folder of RadonPy results.
    options
        What the user chose; everything else is guessed and told in the result.

    Raises
    ------
    TableError
        The file is missing, locked, empty, too large or no table, or a folder without results.
    """
    given = os.fspath(path)
    name = file_name(given)
    with plain_errors(name, given):
        if given.strip() and Path(given).is_dir():
            return read_result_folder(given, name, options, task=task)
        size = checked_size(given, name)
        if size > MAXIMUM_BYTES:
            raise TableError(
                f"{name} has {size / 1024**3:.1f} GB; up to 2 GB can be read. Split it, or leave columns out."
            )
        table = format_of(given, name).read(given, name, options, task=task)
    return with_runs_checked(with_polymer_by_row(table, task=task), options, task=task)


def sheets_of(path: str | os.PathLike[str], *, task: Task = UNWATCHED) -> tuple[str, ...]:
    """Return the names of the sheets of a file; none where it is no workbook. See :func:`read_table` for the errors."""
    given = os.fspath(path)
    name = file_name(given)
    with plain_errors(name, given):
        if Path(given).is_dir() or format_of(given, name) is not WORKBOOK:
            return ()
        return sheet_names(given, name, task=task)


def format_of(path: str, name: str) -> FileFormat:
    """Tell the format of a file by its content.

    Raises
    ------
    TableError
        The file is missing, a folder, empty or an archive.
    """
    with plain_errors(name, path):
        checked_size(path, name)
        with Path(path).open("rb") as source:
            head = source.read(HEAD_BYTES)
        chosen = next(known for known in FORMATS if known.matches(head, path))
        if is_packed(head):
            _refuse_other_than_text(path, name)
        if head.startswith(b"PK\x03\x04") and zipfile.is_zipfile(path) and chosen is TEXT:
            raise TableError(f"{name} is a ZIP archive. Unpack it first.")
        return chosen


def _refuse_other_than_text(path: str, name: str) -> None:
    source, _ = open_text(path, name, whole=False)
    with source:
        head = source.read(HEAD_BYTES)
    # Workbooks and Parquet files are packed already, and are told by their content with the path of a file.
    if head.startswith((b"PK", OLE_SIGNATURE, b"PAR1")) or is_sdf(head) or is_json(head):
        raise TableError(f"{name} holds something else than a table of text. Unpack it first.")


@contextlib.contextmanager
def plain_errors(name: str, path: str) -> Iterator[None]:
    """Turn what the system says about a file that cannot be read into a TableError."""
    try:
        yield
    except (OSError, ValueError) as error:
        if isinstance(error, ValueError) and "\x00" not in path:
            raise
        raise TableError(_why_not(name, path, error)) from None
    except MemoryError:
        raise TableError(f"{name} does not fit into memory. Split it, or leave columns out.") from None


def checked_size(path: str, name: str) -> int:
    """Return the size of a file in bytes; raise TableError for what is no file or is empty."""
    if not path.strip():
        raise TableError("No file is named. Choose a CSV or a workbook.")
    about = Path(path).stat()
    if stat.S_ISDIR(about.st_mode):
        raise TableError(f"{name} is a folder. Choose a file in it.")
    if not stat.S_ISREG(about.st_mode):
        raise TableError(f"{name} is not a file. Choose a CSV or a workbook.")
    if about.st_size == 0:
        raise TableError(f"{name} is empty. Choose another file.")
    return about.st_size


def _why_not(name: str, path: str, error: Exception) -> str:
    if isinstance(error, FileNotFoundError):
        return _not_there(name, Path(path))
    if isinstance(error, PermissionError):
        return f"{name} cannot be opened: no permission, or another program holds it. Close it there and try again."
    if isinstance(error, OSError) and error.strerror:
        return f"{name} cannot be opened ({error.strerror})."
    return f"{name} cannot be opened: this is not a possible path."


def _not_there(name: str, path: Path) -> str:
    """Say in which folder a file is missing, and what it may be called instead."""
    if path.is_symlink():
        target = str(path.readlink())
        annex = " Run “git annex get” in its folder." if "annex/objects" in target.replace("\\", "/") else ""
        return f"{name} is a link to {shortened(target, 60)}, which is not there.{annex}"
    folder = path.absolute().parent
    try:
        names = [entry.name for entry in islice(folder.iterdir(), MOST_NAMES)]
    except OSError:
        return f"There is no {name}: its folder {folder} is not there. Was it moved, or is its drive disconnected?"
    alike = get_close_matches(name.casefold(), [known.casefold() for known in names], n=5, cutoff=0.7)
    likely = next((text for text in alike if _is_like(name.casefold(), text)), None)
    found = next((known for known in names if known.casefold() == likely), "")
    return f"There is no file {name} in {folder}. " + (f"Is it {found}?" if found else "Was it moved or renamed?")


def _is_like(name: str, other: str) -> bool:
    """Whether one name can be a misspelling of the other without its ending: ".csv" at the end of both is no likeness.

    One slip in a short name, two in one of eight characters, three in a long one; blanks and their like count for nothing.
    """
    one, another = (
        re.sub(r"[\s_.\-]+", " ", without_packing(text).rpartition(".")[0] or text) for text in (name, other)
    )
    return _slips(one, another) <= min(len(one) // 2, 1 + (len(one) >= 8) + (len(one) >= 16))


def _slips(one: str, other: str) -> int:
    """Return how many letters were added, left out, exchanged for others, or swapped with their neighbours."""
    before: list[int] = []
    last = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        row = [i]
        for j, against in enumerate(other, 1):
            least = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                least = min(least, before[j - 2] + 1)
            row.append(least)
        before, last = last, row
    return last[-1]
