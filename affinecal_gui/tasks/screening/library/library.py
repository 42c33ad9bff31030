"""The library that is screened: a table, or Parquet files of a folder, whose rows are taken once and never held together."""

import contextlib
import hashlib
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from affinecal_gui.errors import UserError
from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.tables.formats.parquet_files import open_parquet
from affinecal_gui.tables.raw_table import RawTable, TextColumn
from affinecal_gui.tables.reading import format_of, plain_errors
from affinecal_gui.tables.row_stream import SAMPLE_ROWS, StreamedRow, facts_of, open_rows
from affinecal_gui.tables.text.table_builder import unique_headings
from affinecal_gui.task import UNWATCHED, Task

PARQUET_SUFFIXES = (".parquet", ".pq")


@dataclass(frozen=True, slots=True, eq=False)
class Library:
    """A library whose rows can be taken once, in its order."""

    name: str
    digest: str  # SHA-256 of its bytes
    expected: int  # how many rows there are, as far as it can be told beforehand
    sample: RawTable  # its first rows, by which roles are guessed
    rows: Iterator[StreamedRow]


@contextlib.contextmanager
def open_library(path: Path, *, task: Task = UNWATCHED) -> Iterator[Library]:
    """Open a library.

    Parameters
    ----------
    path
        A table in any format, packed or not, or a folder of Parquet files, which are taken in the order of their names.

    Raises
    ------
    UserError
        It cannot be read, holds no table, or files of the folder have other columns than the first; while rows are taken,
        that it cannot be read any further.
    """
    if path.is_dir():
        yield from _of_parquet(_files_of(path), path.name or str(path), task)
        return
    if _is_parquet(path):
        yield from _of_parquet([path], path.name, task)
        return
    facts = facts_of(path, task=task)
    with open_rows(path, facts=facts, task=task) as stream:
        yield Library(
            stream.name, facts.digest, max(facts.lines - stream.first_line + 1, 1), stream.sample, stream.rows
        )


def files_of_library(path: Path) -> list[Path]:
    """Return the files that a library is read from."""
    return _files_of(path) if path.is_dir() else [path]


def _is_parquet(path: Path) -> bool:
    return format_of(str(path), path.name).title == "Parquet"


def _files_of(folder: Path) -> list[Path]:
    """Return the Parquet files of a folder and its folders; names that begin with "_" or "." hold something else."""
    with plain_errors(folder.name, str(folder)):
        found = sorted(
            (one for one in folder.rglob("*") if one.suffix.lower() in PARQUET_SUFFIXES and one.is_file()),
            key=lambda one: one.relative_to(folder).as_posix(),
        )
    used = [one for one in found if not any(part[0] in "_." for part in one.relative_to(folder).parts)]
    if not used:
        raise UserError(
            f"{folder} is a folder without Parquet files. Name a table, or a folder of files that end in .parquet."
        )
    return used


def _of_parquet(files: Sequence[Path], name: str, task: Task) -> Iterator[Library]:
    digest, expected, first = hashlib.sha256(), 0, list[str]()
    units: dict[str, str] | None = None
    for file in files:
        task.check()
        digest.update(facts_of(file, task=task).digest.encode())
        with open_parquet(str(file), file.name) as opened:
            expected += opened.row_count
            headings = unique_headings(opened.headings)
            first = first or list(headings)
            stated = dict(zip(headings, opened.units, strict=False))
            units = stated if units is None else units
            other = next((heading for heading in first if stated.get(heading) != units.get(heading)), None)
            if other is not None:
                raise UserError(
                    f"{file.name} states another unit of “{shortened(other)}” than {files[0].name}: the files of one library "
                    "need the same units. Convert it, or screen that file alone."
                )
            missing = [heading for heading in first if heading not in headings]
            if missing:
                raise UserError(
                    f"{file.name} has no column “{shortened(missing[0])}”, which {files[0].name} has: the files of one "
                    "library need the same columns. Add it, or screen that file alone."
                )
    rows = _rows_of_parquet(files, first, task)
    head = list(itertools.islice(rows, SAMPLE_ROWS))
    if not head:
        raise TableError(f"{name} has no rows. Choose another library.")
    sample = RawTable(
        path=str(files[0]),
        name=name,
        format="parquet",
        headings=tuple(first),
        columns=tuple(TextColumn.of(row.cells[number] for row in head) for number in range(len(first))),
        lines=np.array([row.line for row in head], dtype=np.int64),
        units=tuple(units.get(heading, "") for heading in first) if units else (),
    )
    yield Library(name, digest.hexdigest(), expected, sample, itertools.chain(head, rows))


def _rows_of_parquet(files: Sequence[Path], columns: Sequence[str], task: Task) -> Iterator[StreamedRow]:
    number = 0
    for file in files:
        with open_parquet(str(file), file.name) as opened:
            headings = list(unique_headings(opened.headings))
            places = [headings.index(heading) for heading in columns]
            for cells in opened.rows(task):
                number += 1
                yield StreamedRow(number, [cells[place] for place in places])
