"""Text files -> raw tables: CSV, TSV, semicolons, blanks or one column, in any encoding and with anything around it.

The file passes through in blocks; what stays in memory is the text of its cells.
"""

import codecs
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from affinecal_gui.invisible import without_invisible
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.formats.other_files import refuse_other_files
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, Delimiter, RawTable
from affinecal_gui.tables.text.encodings import SAMPLE_BYTES, guess_encoding, with_byte_order
from affinecal_gui.tables.text.layout import (
    Layout,
    Line,
    find_layout,
    guess_delimiter,
    is_comment,
    rows_of_lines,
    split_line,
)
from affinecal_gui.tables.text.options import GUESS, ReadOptions
from affinecal_gui.tables.text.packed_text import without_packing
from affinecal_gui.tables.text.plain_blocks import PlainBlocks
from affinecal_gui.tables.text.row_names import begin_with_row_names
from affinecal_gui.tables.text.table_builder import TableBuilder, unique_headings
from affinecal_gui.tables.text.text_records import MAXIMUM_CELL, LineReader, records_in_memory, records_of
from affinecal_gui.tables.text.unquoted_names import UnquotedNames
from affinecal_gui.task import UNWATCHED, Task

BLOCK_BYTES = 1 << 20
SAMPLE_LINES = 400
MAXIMUM_COLUMNS = 16_384
MAXIMUM_ROWS = 4_000_000
"""Rows, comments and lines of another width; a study keeps no table of more rows."""
LINES_AT_ONCE = 10_000
"""How many lines are read before anybody is asked whether to go on."""


def read_text_table(
    source: BinaryIO,
    name: str,
    path: str = "",
    options: ReadOptions = GUESS,
    *,
    size: int = 0,
    task: Task = UNWATCHED,
) -> RawTable:
    """Read a table of text.

    Parameters
    ----------
    source
        The bytes, from the beginning.
    name, path
        The file as shown and as given.
    options
        What the user chose; everything else is guessed.
    size
        Number of bytes, for the progress; 0 when unknown.

    Raises
    ------
    TableError
        The file is empty, is not text, has no second line to tell a table by or more than 4,000,000 rows.
    """
    opened = open_text_table(source, name, options, size=size, task=task)
    builder = opened.builder
    _fill(builder, opened, task)
    if builder.rows == 0 and not builder.skipped and not any(opened.layout.header):
        raise TableError(f"{name} is empty. Choose another file.")
    return builder.table(
        path=path,
        name=name,
        format="text",
        header_line=opened.layout.header_line,
        notes=opened.notes(),
        options=options,
        delimiter=opened.delimiter,
        encoding=opened.encoding,
    )


@dataclass(frozen=True, slots=True, eq=False)
class OpenedText:
    """A text table of which everything but its rows is known; the reader stands at the first line after the headings."""

    name: str
    encoding: str
    encoding_note: str
    delimiter: Delimiter
    layout: Layout
    builder: TableBuilder  # knows the headings and how wide a row is
    reader: LineReader
    text: "_Text"
    names: UnquotedNames

    def notes(self) -> list[str]:
        """Say what was put right in the part that was read so far."""
        notes = [self.encoding_note] if self.encoding_note else []
        if lines := self.text.undecodable:
            shown = ", ".join(map(str, lines[:5])) + (" ..." if len(lines) > 5 else "")
            notes = [f"{self.name}: bytes in line {shown} are not {self.encoding} and read as \ufffd."]
        if self.text.nul_bytes:
            notes.append(f"{self.name}: NUL bytes were left out.")
        return [*notes, *self.names.note(self.name)]


def open_text_table(
    source: BinaryIO,
    name: str,
    options: ReadOptions = GUESS,
    *,
    size: int = 0,
    task: Task = UNWATCHED,
) -> OpenedText:
    """Guess encoding, delimiter and headings from the beginning of a text; see :func:`read_text_table`."""
    sample = source.read(SAMPLE_BYTES)
    if not sample.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(f"{name} is empty. Choose another file.")
    refuse_other_files(sample, name)
    guess = guess_encoding(sample, complete=len(sample) < SAMPLE_BYTES)
    encoding = options.encoding or guess.encoding
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise TableError(f"There is no text encoding “{encoding}”. Choose another for {name}.") from None
    note = f"{name}: {guess.note}." if guess.note and not options.encoding else ""
    text = _Text(source, sample, encoding, size, task, name)
    reader = LineReader(text.blocks())
    records = list(records_of(reader, SAMPLE_LINES))
    reader.reset((0, 1))
    delimiter = options.delimiter or guess_delimiter(records, _suffix(name))
    layout = find_layout(rows_of_lines(records, delimiter), options.header_line)
    if layout.width > MAXIMUM_COLUMNS:
        raise TableError(f"{name} has {layout.width} columns in one line; up to {MAXIMUM_COLUMNS} can be read.")
    builder = _open_builder(layout, delimiter, records)
    builder.skip_titles((row.number, row.text, row.comment) for row in layout.titles)
    reader.skip_to(layout.data_from)
    names = UnquotedNames(builder.header, delimiter)
    return OpenedText(name, encoding, note, delimiter, layout, builder, reader, text, names)


def _suffix(name: str) -> str:
    stem, dot, suffix = without_packing(name).rpartition(".")
    return f".{suffix.lower()}" if dot and stem else ""


def read_pasted_text(text: str, name: str = "pasted table", options: ReadOptions = GUESS) -> RawTable:
    """Read a table from the clipboard exactly as from a file with the same text."""
    chosen = options.replace(encoding="utf-8")
    data = text.encode("utf-8", errors="replace")
    return read_text_table(io.BytesIO(data), name, "", chosen, size=len(data))


class _Text:
    """The decoded lines of a stream of bytes, numbered; every kind of line end is understood."""

    def __init__(
        self,
        source: BinaryIO,
        sample: bytes,
        encoding: str,
        size: int,
        task: Task,
        name: str,
    ) -> None:
        self._source, self._sample, self._size, self._name = source, sample, size, name
        self._decoder = codecs.getincrementaldecoder(with_byte_order(encoding, sample))(errors="replace")
        self._task = task
        self.undecodable: list[int] = []
        self.nul_bytes = False

    def blocks(self) -> Iterator[str]:
        """Yield the text block by block; every line ends in a line feed."""
        number, rest, done = 1, "", 0
        data = self._sample
        while True:
            self._task.check()
            done += len(data)
            text = self._decoder.decode(data, final=not data)
            if number == 1 and not rest:
                text = text.removeprefix("\ufeff")
            if "\x00" in text:
                self.nul_bytes = True
                text = text.replace("\x00", "")
            if CELL_SEPARATOR in text:
                text = text.replace(CELL_SEPARATOR, " ")
            text = rest + text
            held = ""
            if data and text.endswith("\r"):  # the other half of \r\n may be in the next block
                text, held = text[:-1], "\r"
            if "\r" in text:
                text = text.replace("\r\n", "\n").replace("\r", "\n")
            if not data and text and not text.endswith("\n"):
                text += "\n"
            end = text.rfind("\n") + 1
            rest = text[end:] + held
            text = without_invisible(text[:end])
            if len(rest) > 64 * MAXIMUM_CELL:
                raise TableError(f"{self._name} has a line of more than {len(rest)} characters; that is no table.")
            if "\ufffd" in text and len(self.undecodable) < 100:
                self.undecodable += [n for n, line in enumerate(text.split("\n"), number) if "\ufffd" in line][:100]
            if text:
                yield text
                number += text.count("\n")
            if not data:
                return
            if self._size:
                self._task.report(min(done / self._size, 1.0), f"Reading {self._name}")
            try:
                data = self._source.read(BLOCK_BYTES)
            except OSError as error:
                raise TableError(
                    f"{self._name} cannot be read any further ({error.strerror}). Is its drive still connected?"
                ) from None


def _open_builder(layout: Layout, delimiter: Delimiter, records: Sequence[Line]) -> TableBuilder:
    """Settle the headings against the width of the rows and open a builder for them."""
    header = list(layout.header)
    rows = [split_line(r.text, delimiter, quoted=r.quoted) for r in records if r.number >= layout.data_from]
    rows = [cells for cells in rows if any(cells) and not is_comment(cells[0])]
    hint = ""
    surplus = sum(len(cells) > len(header) and any(cells[len(header) :]) for cells in rows)
    if layout.header_line and rows and surplus > 0.5 * len(rows):
        width = max({len(cells) for cells in rows}, key=[len(cells) for cells in rows].count)
        if surplus == len(rows) and begin_with_row_names(header, rows, delimiter):
            return TableBuilder(unique_headings(["row", *header]), ["row", *header], layout.units)
        if delimiter == "," and any(
            all(len(c) > i + 1 and c[i].lstrip("-").isdigit() and c[i + 1].isdigit() for c in rows)
            for i in range(width - 1)
        ):
            hint = "; a decimal comma needs quotation marks around its number, or semicolons between the columns"
        else:
            header += [""] * (width - len(header))
    return TableBuilder(unique_headings(header), header, layout.units, hint)


def _fill(builder: TableBuilder, opened: OpenedText, task: Task) -> None:
    """Send all lines after the headings to the builder, whole blocks at once where every line is plain."""
    reader = opened.reader
    plain = PlainBlocks(opened.delimiter, builder.header)
    lines = 0  # that are not blank
    while text := reader.rest():
        block = plain.take_apart(text)
        if block is not None:
            builder.add_block(reader.number, len(block), block.columns())
            reader.skip_rest(len(block))
            lines += len(block)
        else:
            records = records_in_memory(reader, opened.delimiter)
            for record in task.each(records, LINES_AT_ONCE):
                _add(builder, opened, record)
                lines += 1
        if lines > MAXIMUM_ROWS:
            raise TableError(
                f"{opened.name} has more than {MAXIMUM_ROWS:,} rows; up to so many can be read. Save parts."
            )
    builder.blank_rows += reader.blank_lines


def _add(builder: TableBuilder, opened: OpenedText, record: Line) -> None:
    cells = split_line(record.text, opened.delimiter, quoted=record.quoted)
    if is_comment(record.text) and (opened.layout.comments or len(cells) != builder.width):
        builder.skip(record.number, record.text, "is a comment", "comment")
    else:
        builder.add(record.number, opened.names.together(record.number, cells))
