"""Text files -> raw tables: CSV, TSV, semicolons, blanks or one column, in any encoding and with anything around it.

The file passes through in blocks; what stays in memory is the text of its cells.
"""

import codecs
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from affinecal_gui.invisible import without_invisible
from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.tables.encodings import SAMPLE_BYTES, guess_encoding, with_byte_order
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.layout import (
    Layout,
    Line,
    find_layout,
    guess_delimiter,
    is_comment,
    rows_of_lines,
    split_line,
)
from affinecal_gui.tables.options import GUESS, ReadOptions
from affinecal_gui.tables.other_files import refuse_other_files
from affinecal_gui.tables.packed_text import without_packing
from affinecal_gui.tables.plain_blocks import PlainBlocks
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, Delimiter, RawTable
from affinecal_gui.tables.table_builder import TableBuilder, unique_headings
from affinecal_gui.tables.unquoted_names import UnquotedNames

BLOCK_BYTES = 1 << 20
SAMPLE_LINES = 400
MAXIMUM_CELL = 131_072
"""Characters of one cell; longer ones come from a quotation mark that is never closed, or from no table at all."""
MAXIMUM_COLUMNS = 16_384
MAXIMUM_QUOTED_LINES = 200
"""How many lines a quoted cell may span."""


def read_text_table(
    source: BinaryIO,
    name: str,
    path: str = "",
    options: ReadOptions = GUESS,
    *,
    size: int = 0,
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
        The file is empty, is not text or has no second line to tell a table by.
    """
    opened = open_text_table(source, name, options, size=size, progress=progress, cancelled=cancelled)
    builder = opened.builder
    _fill(builder, opened)
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
    reader: "LineReader"
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
    progress: Progress = silent,
    cancelled: CancelCheck = never,
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
    text = _Text(source, sample, encoding, size, progress, cancelled, name)
    reader = LineReader(text.blocks())
    records = list(_records(reader, SAMPLE_LINES))
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
        progress: Progress,
        cancelled: CancelCheck,
        name: str,
    ) -> None:
        self._source, self._sample, self._size, self._name = source, sample, size, name
        self._decoder = codecs.getincrementaldecoder(with_byte_order(encoding, sample))(errors="replace")
        self._progress, self._cancelled = progress, cancelled
        self.undecodable: list[int] = []
        self.nul_bytes = False

    def blocks(self) -> Iterator[str]:
        """Yield the text block by block; every line ends in a line feed."""
        number, rest, done = 1, "", 0
        data = self._sample
        while True:
            stop_if(self._cancelled)
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
                self._progress(min(done / self._size, 1.0), f"Reading {self._name}")
            try:
                data = self._source.read(BLOCK_BYTES)
            except OSError as error:
                raise TableError(
                    f"{self._name} cannot be read any further ({error.strerror}). Is its drive still connected?"
                ) from None


Mark = tuple[int, int]
"""A place in the text in memory, and the number of its line."""


class LineReader:
    """Numbered lines of a text that comes in blocks; what was read from memory can be read again."""

    def __init__(self, blocks: Iterator[str]) -> None:
        self._blocks = blocks
        self._text = ""
        self._position = 0
        self.number = 1  # of the next line

    def next(self) -> str | None:
        """Return the next line without its end, or None at the end of the text."""
        end = self._text.find("\n", self._position)
        if end < 0:
            if not self._more():
                return None
            end = self._text.find("\n", self._position)
        line = self._text[self._position : end]
        self._position = end + 1
        self.number += 1
        return line

    def mark(self) -> Mark:
        """Return where the next line begins."""
        return self._position, self.number

    def reset(self, mark: Mark) -> None:
        """Go back to a mark set since :meth:`rest` was last called."""
        self._position, self.number = mark

    def skip_to(self, number: int) -> None:
        """Leave out the lines before this one."""
        while self.number < number and self.next() is not None:
            pass

    def rest(self) -> str:
        """Return what is in memory and not yet read, or else the next block; "" at the end. Nothing counts as read."""
        self._text, self._position = self._text[self._position :], 0
        if not self._text:
            self._more()
        return self._text

    def skip_rest(self, lines: int) -> None:
        """Leave out everything in memory, which has so many lines."""
        self._position = len(self._text)
        self.number += lines

    def _more(self) -> bool:
        block = next(self._blocks, "")
        self._text += block
        return bool(block)


def _records(reader: LineReader, count: int) -> Iterator[Line]:
    """Yield up to ``count`` records, joining the lines of cells that contain line ends in quotation marks."""
    for _ in range(count):
        record = next_record(reader)
        if record is None:
            return
        yield record


def next_record(reader: LineReader) -> Line | None:
    """Return the next record.

    A quotation mark that is not closed within a few hundred lines, or whose joined text is no sound record, is taken as
    a plain character of its own line, so that one stray mark never swallows the rest of the file.
    """
    number = reader.number
    text = reader.next()
    if text is None or not _is_open(text):
        return None if text is None else Line(number, text)
    mark = reader.mark()
    joined = text
    for _ in range(MAXIMUM_QUOTED_LINES):
        following = reader.next()
        if following is None or len(joined) > MAXIMUM_CELL:
            break
        joined += "\n" + following
        if '"' in following and not _is_open(joined):
            if _is_sound(joined):
                return Line(number, joined)
            break
    reader.reset(mark)
    return Line(number, text, quoted=False)


def _is_open(text: str) -> bool:
    """Whether a quoted cell at the end of a record is still open."""
    if text.count('"') % 2 == 0:
        return False
    inside = False
    at_start = True
    position = 0
    while position < len(text):
        character = text[position]
        if inside:
            if character == '"':
                if text[position + 1 : position + 2] == '"':
                    position += 1
                else:
                    inside = False
        elif character == '"' and at_start:
            inside = True
            at_start = False
        elif character in ",;\t|":
            at_start = True
        elif character not in " ":
            at_start = False
        position += 1
    return inside


def _is_sound(text: str) -> bool:
    """Whether every quoted cell of a joined record ends before a delimiter or the end, as it should."""
    inside, at_start, position = False, True, 0
    while position < len(text):
        character = text[position]
        if inside:
            if character == '"':
                following = text[position + 1 : position + 2]
                if following == '"':
                    position += 1
                elif following in ("", ",", ";", "\t", "|"):
                    inside = False
                else:
                    return False
        elif character == '"' and at_start:
            inside, at_start = True, False
        elif character in ",;\t|":
            at_start = True
        elif character != " ":
            at_start = False
        position += 1
    return not inside


def _open_builder(layout: Layout, delimiter: Delimiter, records: Sequence[Line]) -> TableBuilder:
    """Settle the headings against the width of the rows and open a builder for them."""
    header = list(layout.header)
    rows = [split_line(r.text, delimiter, quoted=r.quoted) for r in records if r.number >= layout.data_from]
    rows = [cells for cells in rows if any(cells) and not is_comment(cells[0])]
    hint = ""
    surplus = sum(len(cells) > len(header) and any(cells[len(header) :]) for cells in rows)
    if layout.header_line and rows and surplus > 0.5 * len(rows):
        width = max({len(cells) for cells in rows}, key=[len(cells) for cells in rows].count)
        if delimiter in ("\t", "whitespace") and width == len(header) + 1 and surplus == len(rows):
            header.insert(0, "")  # tables of statistics programs leave out the heading of the row names
            return TableBuilder(unique_headings(["row", *header[1:]]), ["row", *header[1:]], layout.units)
        if delimiter == "," and all(len(c) > 1 and c[-1].isdigit() and c[-2].lstrip("-").isdigit() for c in rows):
            hint = "; a decimal comma needs quotation marks around its number, or semicolons between the columns"
        else:
            header += [""] * (width - len(header))
    return TableBuilder(unique_headings(header), header, layout.units, hint)


def _fill(builder: TableBuilder, opened: OpenedText) -> None:
    """Send all lines after the headings to the builder, whole blocks at once where every line is plain."""
    reader = opened.reader
    plain = PlainBlocks(opened.delimiter, builder.header)
    while text := reader.rest():
        block = plain.take_apart(text)
        if block is not None:
            builder.add_block(reader.number, len(block), block.columns())
            reader.skip_rest(len(block))
            continue
        end = reader.number + text.count("\n")
        while reader.number < end and (record := next_record(reader)) is not None:
            cells = split_line(record.text, opened.delimiter, quoted=record.quoted)
            if is_comment(record.text) and (opened.layout.comments or len(cells) != builder.width):
                builder.skip(record.number, record.text, "is a comment", "comment")
            else:
                builder.add(record.number, opened.names.together(record.number, cells))
