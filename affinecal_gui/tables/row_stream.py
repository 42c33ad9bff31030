"""The rows of a file one after another, however many there are: in constant memory for text, at once for other formats.

Encoding, delimiter and headings are guessed exactly as :func:`affinecal_gui.tables.reading.read_table` guesses them.
"""

import contextlib
import hashlib
import itertools
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import BinaryIO

import numpy as np

from affinecal_gui.files import file_name
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats.text_tables import LINES_AT_ONCE, OpenedText, open_text_table
from affinecal_gui.tables.raw_table import RawTable, SkippedLine, TextColumn
from affinecal_gui.tables.reading import TEXT, checked_size, format_of, plain_errors, read_table
from affinecal_gui.tables.simulations.checked_table import with_runs_checked
from affinecal_gui.tables.text.layout import is_comment, split_line
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.text.packed_text import open_text
from affinecal_gui.tables.text.table_builder import cells_beside
from affinecal_gui.tables.text.text_records import records_in_memory
from affinecal_gui.task import UNWATCHED, Task

SAMPLE_ROWS = 600
"""Rows by which the roles of the columns are guessed."""
_BLOCK_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class StreamedRow:
    """One row of the file."""

    line: int  # 1-based
    cells: Sequence[str]  # one per heading; of a row with a problem as many as there are, or none
    problem: str = ""  # why it is no row of the table, where it should have been one; a clause


@dataclass(frozen=True, slots=True, eq=False)
class RowStream:
    """A file whose rows can be taken once."""

    name: str
    sample: RawTable  # its first rows, to guess roles from
    rows: Iterator[StreamedRow]
    first_line: int  # of the rows
    last_line: int  # of the file, as far as it can be told beforehand; 0 when it cannot


@dataclass(frozen=True, slots=True)
class FileFacts:
    """What one pass over the bytes of a file tells."""

    digest: str  # SHA-256, hexadecimal
    lines: int  # with quoted cells of several lines counted as such


def facts_of(path: str | os.PathLike[str], *, task: Task = UNWATCHED) -> FileFacts:
    """Read a file once, to know it again and to know how long it is.

    Raises
    ------
    TableError
        It cannot be read.
    """
    given = os.fspath(path)
    digest, feeds, returns, unended = hashlib.sha256(), 0, 0, 0
    name = file_name(given)
    with plain_errors(name, given), _opened(given, name) as source:
        while block := source.read(_BLOCK_BYTES):
            task.check()
            digest.update(block)
            feeds += block.count(b"\n")
            returns += block.count(b"\r")
            unended = not block.endswith((b"\n", b"\r"))
    return FileFacts(digest.hexdigest(), max(feeds, returns) + unended)


def _opened(path: str, name: str) -> BinaryIO:
    """Open a file, but no folder and no empty file; what is said of them is the same wherever they are named."""
    checked_size(path, name)
    return open_text(path, name, whole=False)[0]


@contextlib.contextmanager
def open_rows(
    path: str | os.PathLike[str],
    options: ReadOptions = GUESS,
    *,
    facts: FileFacts | None = None,
    task: Task = UNWATCHED,
) -> Iterator[RowStream]:
    """Open a file for taking its rows.

    Parameters
    ----------
    path
        The file.
    options
        What the user chose; everything else is guessed.
    facts
        What :func:`facts_of` found; without it the last line is not known beforehand.
    task
        Asked while the file is read.

    Raises
    ------
    TableError
        The file is missing, a folder, empty or no table; while rows are taken, that it cannot be read any further.
    """
    given = os.fspath(path)
    name = file_name(given)
    if format_of(given, name) is not TEXT:
        yield _stream_of_table(read_table(path, options, task=task.silent))
        return
    with plain_errors(name, given):
        source, _ = open_text(given, name, whole=False)  # closed below; what the caller raises is not the file's
    with source:
        with plain_errors(name, given):
            opened = open_text_table(source, name, options, task=task.silent)
            rows = _rows(opened, task)
            first = list(itertools.islice(rows, SAMPLE_ROWS))
        if not first and not any(opened.layout.header):
            raise TableError(f"{name} is empty. Choose another file.")
        start = opened.layout.data_from
        sample = _sample(opened, first, options, given)
        last = max(facts.lines, start) if facts is not None else 0
        yield RowStream(name, sample, itertools.chain(first, rows), start, last)


def _rows(opened: OpenedText, task: Task) -> Iterator[StreamedRow]:
    """Take the rows as the reader of whole tables does, but keep none."""
    width, header = opened.builder.width, list(opened.builder.header)
    while opened.reader.rest():
        for record in task.each(records_in_memory(opened.reader, opened.delimiter), LINES_AT_ONCE):
            cells = split_line(record.text, opened.delimiter, quoted=record.quoted)
            if not any(cells) or (is_comment(record.text) and (opened.layout.comments or len(cells) != width)):
                continue
            cells = opened.names.together(record.number, cells)
            if any(cells[width:]) and not cells_beside(cells, width):
                yield StreamedRow(record.number, cells, f"{len(cells)} cells, but {width} headings")
                continue
            cells = cells[:width] + [""] * (width - len(cells))
            if cells != header:
                yield StreamedRow(record.number, cells)


def _sample(opened: OpenedText, rows: Iterable[StreamedRow], options: ReadOptions, path: str) -> RawTable:
    used = [row for row in rows if not row.problem]
    width = opened.builder.width
    return RawTable(
        path=path,
        name=opened.name,
        format="text",
        headings=opened.builder.headings,
        columns=tuple(TextColumn.of(row.cells[number] for row in used) for number in range(width)),
        lines=np.array([row.line for row in used], dtype=np.int64),
        units=(*opened.layout.units, *[""] * width)[:width] if opened.layout.units else (),
        delimiter=opened.delimiter,
        decimal=options.decimal,
        thousands=options.thousands or "",
        encoding=opened.encoding,
        header_line=opened.layout.header_line,
        chosen=options.chosen,
    )


def table_of_rows(sample: RawTable, part: Iterable[StreamedRow]) -> RawTable:
    """Return some rows of a file as a table of text, with the headings and the format of its ``sample``.

    Of runs of simulations, what failed a check is set aside as in a table that is read as a whole.
    """
    used, ragged = list[StreamedRow](), list[StreamedRow]()
    for row in part:
        (ragged if row.problem else used).append(row)
    table = replace(
        sample,
        columns=tuple(TextColumn.of(row.cells[number] for row in used) for number in range(len(sample.headings))),
        lines=np.array([row.line for row in used], dtype=np.int64),
        skipped=tuple(SkippedLine(row.line, ", ".join(row.cells), row.problem, "ragged") for row in ragged),
        ragged_rows=len(ragged),
        notes=(),
        set_aside=(),
        again=(),
        flagged=(),
    )
    return replace(with_runs_checked(table, GUESS), notes=())


def _stream_of_table(table: RawTable) -> RowStream:
    """Hand out the rows of a table that is in memory, and its ragged rows where they stand."""
    good = (
        StreamedRow(line, cells)
        for line, cells in zip(table.lines.tolist(), zip(*table.columns, strict=True), strict=True)
    )
    bad = [StreamedRow(row.line, (), row.reason) for row in table.skipped if row.kind == "ragged"]
    rows = sorted([*good, *bad], key=lambda row: row.line) if bad else good
    lines = table.lines
    first, last = (int(lines[0]), int(lines[-1])) if len(lines) else (1, 1)
    return RowStream(table.name, table.head(SAMPLE_ROWS), iter(rows), first, last)
