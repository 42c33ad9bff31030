"""Folders of RadonPy -> the latest result of each, and what is wrong with those that cannot be read.

A result lies in ``ID/analyze/results.csv``; earlier ones are kept beside it, as ``results_2026-1-31-9-5-0.csv`` or
``results.csv_2026-01-31-09-05-00.csv``. Links are never followed, and no file is read further than :data:`MOST_BYTES`.
"""

import csv
import io
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from affinecal_gui.tables.errors import TableError, shortened
from affinecal_gui.task import UNWATCHED, Task

LATEST = "results.csv"
_EARLIER = re.compile(r"results(?:\.csv)?_(\d{4})-(\d+)-(\d+)-(\d+)-(\d+)-(\d+)\.csv")
_LATER_THAN_ANY = (10_000,)  # years have four digits

MOST_BYTES = 4 << 20
"""Of one result, which has one row."""

DEEPEST = 30
MOST_ENTRIES = 2_000_000  # files and folders that are looked at

_OF_RADONPY = frozenset(("DBID", "smiles_list", "smiles_1", "check_eq"))


@dataclass(frozen=True, slots=True)
class Run:
    """One result."""

    path: str  # of the file, below the folder that was named
    cells: Mapping[str, str]  # by heading, as written
    cut_off: str = ""  # heading of the cell within which the file ends

    @property
    def folder(self) -> str:
        """The folder of the polymer, which RadonPy names by its id."""
        parts = Path(self.path).parts[:-1]
        return (parts[-2] if len(parts) > 1 and parts[-1] == "analyze" else parts[-1]) if parts else ""

    @property
    def id(self) -> str:
        """The id of the job."""
        return self.cells.get("DBID", "") or self.folder


@dataclass(frozen=True, slots=True)
class FoundRuns:
    """The results below a folder."""

    runs: tuple[Run, ...]  # in the order of their paths
    problems: tuple[str, ...]  # files that cannot be used, in sentences that begin with the path


def find_runs(folder: Path, *, task: Task = UNWATCHED) -> FoundRuns:
    """Read the latest result of every folder at any depth.

    Raises
    ------
    TableError
        There is none, or there are too many files to look at.
    OSError
        The folder itself cannot be read.
    """
    runs: list[Run] = []
    problems: list[str] = []
    paths = sorted(_result_files(folder, problems, task))
    for number, path in enumerate(paths):
        task.check()
        task.report(number / len(paths), f"Reading {folder.name}: {number} of {len(paths)} results")
        shown = path.relative_to(folder).as_posix()
        try:
            runs += _read(path, shown)
        except _BrokenResultError as problem:
            problems.append(f"{shown} {problem} It is left out.")
        except OSError as error:
            problems.append(f"{shown} cannot be opened ({error.strerror or error}). It is left out.")
    if not runs:
        others = f" Nor can {len(problems) - 1} more be read." if len(problems) > 1 else ""
        why = f" {problems[0]}{others}" if problems else ""
        raise TableError(
            f"{folder.name} is a folder without a result of RadonPy that can be read (ID/analyze/results.csv).{why} "
            "Name a folder of such results, or a file."
        )
    return FoundRuns(tuple(runs), tuple(problems))


def _result_files(folder: Path, problems: list[str], task: Task) -> Iterator[Path]:
    """Yield the latest result of each folder, and say what is a link."""
    seen = 0
    waiting = [(folder, 0)]
    while waiting:
        task.check()
        here, depth = waiting.pop()
        results: list[tuple[tuple[int, ...], Path]] = []
        try:
            with os.scandir(here) as entries:
                for entry in entries:
                    seen += 1
                    if seen > MOST_ENTRIES:
                        raise TableError(f"{folder.name} holds more than {MOST_ENTRIES:,} files. Name a folder in it.")
                    shown = Path(entry.path).relative_to(folder).as_posix()
                    if entry.is_symlink():
                        if entry.name == LATEST or _leads_out(entry, folder):
                            problems.append(f"{shown} is a link, which is not followed.")
                    elif not entry.is_dir(follow_symlinks=False):
                        results += _result(entry)
                    elif depth < DEEPEST:
                        waiting.append((Path(entry.path), depth + 1))
                    else:
                        problems.append(f"{shown} lies too deep and is not read.")
        except OSError as error:
            if here == folder:
                raise
            problems.append(f"{here.relative_to(folder).as_posix()} cannot be opened ({error.strerror or error}).")
            continue
        if results:
            yield max(results)[1]


def _leads_out(entry: "os.DirEntry[str]", folder: Path) -> bool:
    """Whether a link leads to a folder that is not looked at otherwise."""
    try:
        return entry.is_dir() and not Path(entry.path).resolve().is_relative_to(folder.resolve())
    except (OSError, RuntimeError):  # it leads in a circle
        return False


def _result(entry: "os.DirEntry[str]") -> list[tuple[tuple[int, ...], Path]]:
    """Return a file as a result with its date, if it is one: that without a date is the latest of its folder."""
    if entry.name == LATEST:
        return [(_LATER_THAN_ANY, Path(entry.path))]
    dated = _EARLIER.fullmatch(entry.name)
    return [] if dated is None else [(tuple(map(int, dated.groups())), Path(entry.path))]


class _BrokenResultError(Exception):
    """A file is no result that could be read: what is said of it, after its path."""


def _read(path: Path, shown: str) -> list[Run]:
    # Between looking and opening a file can become a link or a pipe; neither is to be followed or waited for.
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    with open(handle, "rb") as file:  # noqa: PTH123 - a handle
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise _BrokenResultError("is not a file.")
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise _BrokenResultError(f"has more than {MOST_BYTES >> 20} MB, which no result has.")
    if not content.strip():
        raise _BrokenResultError("is empty: was it written to the end?")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise _BrokenResultError("is not text: it is damaged.") from None
    if "\0" in text:
        raise _BrokenResultError("is not text: it is damaged.")
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), strict=True) if any(map(str.strip, row))]
    except csv.Error as problem:
        if "larger" in str(problem):
            raise _BrokenResultError(
                f"has a cell of more than {csv.field_size_limit():,} characters, which no result has."
            ) from None
        raise _BrokenResultError("ends within a quoted cell: it was not written to the end.") from None
    headings = [cell.strip() for cell in rows[0]]
    if not _OF_RADONPY.intersection(headings):
        raise _BrokenResultError(f"has no column of RadonPy (DBID, smiles_list): it begins “{shortened(text)}”.")
    if len(rows) < 2:
        raise _BrokenResultError("has headings, but no row: it was not written to the end.")
    whole = text.endswith(("\n", "\r"))
    found = []
    for number, row in enumerate(rows[1:], 1):
        if len(row) != len(headings):
            raise _BrokenResultError(
                f"has {len(row)} cells under {len(headings)} headings in row {number}: it was not written to the end."
            )
        # RadonPy ends every line: without that the last number may lack its last digits.
        cut_off = headings[-1] if not whole and number == len(rows) - 1 and row[-1].strip() else ""
        found.append(Run(shown, dict(zip(headings, map(str.strip, row), strict=True)), cut_off))
    return found
