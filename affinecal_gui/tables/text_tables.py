"""Text files -> raw tables: CSV, TSV, semicolons, blanks or one column, in any encoding and with anything around it.

The file passes through in blocks; what stays in memory is the text of its cells.
"""

import codecs
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import BinaryIO

from affinecal_gui.progress import CancelCheck, Progress, never, silent, stop_if
from affinecal_gui.tables.encodings import SAMPLE_BYTES, guess_encoding
from affinecal_gui.tables.errors import TableError
from affinecal_gui.tables.layout import Layout, Line, find_layout, guess_delimiter, is_comment, split_line
from affinecal_gui.tables.options import GUESS, ReadOptions
from affinecal_gui.tables.raw_table import CELL_SEPARATOR, Delimiter, RawTable, TableBuilder, unique_headings

BLOCK_BYTES = 1 << 20
SAMPLE_LINES = 400
BLOCK_LINES = 4096
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
    sample = source.read(SAMPLE_BYTES)
    if not sample.strip(b"\x00 \t\r\n\xef\xbb\xbf\xff\xfe"):
        raise TableError(f"{name} is empty.")
    _refuse_binary(sample, name)
    guess = guess_encoding(sample, complete=len(sample) < SAMPLE_BYTES)
    encoding = options.encoding or guess.encoding
    try:
        codecs.lookup(encoding)
    except LookupError:
        raise TableError(f"There is no text encoding “{encoding}”. Choose another for {name}.") from None
    notes = [f"{name}: {guess.note}."] if guess.note and not options.encoding else []
    stream = _Text(source, sample, encoding, size, progress, cancelled, name)
    reader = _LineReader(stream.lines())
    first = reader.take(SAMPLE_LINES)
    reader.push_back(first)
    records = list(_records(_LineReader(iter(first)), SAMPLE_LINES))
    delimiter = options.delimiter or guess_delimiter(records, _suffix(name))
    layout = find_layout(records, delimiter, options.header_line)
    if layout.width > MAXIMUM_COLUMNS:
        raise TableError(f"{name} has {layout.width} columns in one line; up to {MAXIMUM_COLUMNS} can be read.")
    builder = _open_builder(layout, records)
    for line in layout.titles:
        if line.text.strip():
            if is_comment(line.text):
                builder.skip(line.number, line.text, "is a comment", "comment")
            else:
                builder.skip(line.number, line.text, "stands above the table", "title")
    reader.drop_until(layout.data_from)
    _fill(builder, layout, reader)
    if builder.rows == 0 and not builder.skipped and not any(layout.header):
        raise TableError(f"{name} is empty.")
    if stream.undecodable:
        shown = ", ".join(map(str, stream.undecodable[:5])) + (" ..." if len(stream.undecodable) > 5 else "")
        notes = [f"{name}: bytes in line {shown} are not {encoding} and read as \ufffd."]
    if stream.nul_bytes:
        notes.append(f"{name}: NUL bytes were left out.")
    headings, columns, units = builder.finish()
    return RawTable(
        path=path,
        name=name,
        format="text",
        headings=headings,
        columns=columns,
        lines=builder.lines(),
        units=units,
        delimiter=delimiter,
        decimal=options.decimal,
        thousands=options.thousands or "",
        encoding=encoding,
        header_line=layout.header_line,
        skipped=tuple(sorted(builder.skipped, key=lambda skipped: skipped.line)),
        ragged_rows=builder.ragged_rows,
        blank_rows=builder.blank_rows,
        notes=tuple(notes),
        chosen=options.chosen,
    )


def _suffix(name: str) -> str:
    stem, dot, suffix = name.rpartition(".")
    return f".{suffix.lower()}" if dot and stem else ""


def read_pasted_text(text: str, name: str = "pasted table", options: ReadOptions = GUESS) -> RawTable:
    """Read a table from the clipboard exactly as from a file with the same text."""
    chosen = options.replace(encoding="utf-8")
    data = text.encode("utf-8", errors="replace")
    return read_text_table(io.BytesIO(data), name, "", chosen, size=len(data))


_PACKED = "Unpack it first."
_SAVE = "Save the data as CSV, or choose another file."
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"%PDF", "a PDF document", _SAVE),
    (b"\x89PNG", "a picture", _SAVE),
    (b"\xff\xd8\xff", "a picture", _SAVE),
    (b"GIF8", "a picture", _SAVE),
    (b"\x1f\x8b", "a gzip archive", _PACKED),
    (b"BZh", "a bzip2 archive", _PACKED),
    (b"\xfd7zXZ", "an xz archive", _PACKED),
    (b"7z\xbc\xaf", "a 7z archive", _PACKED),
    (b"Rar!", "a RAR archive", _PACKED),
    (b"\x7fELF", "a program", _SAVE),
    (b"MZ\x90", "a program", _SAVE),
    (b"SQLite format 3", "a database", _SAVE),
    (b"\x89HDF", "an HDF5 file", _SAVE),
    (b"\x93NUMPY", "a NumPy array", _SAVE),
    (b"\x80\x04\x95", "a Python pickle, which could run code and is never opened", _SAVE),
    (b"{\\rtf", "a text document", _SAVE),
)


def _refuse_binary(sample: bytes, name: str) -> None:
    for signature, kind, advice in _SIGNATURES:
        if sample.startswith(signature):
            raise TableError(f"{name} is {kind}. {advice}")
    head = sample[:4096].lstrip().lower()
    if head.startswith((b"<!doctype html", b"<html", b"<table", b"<?xml")) or b"<table" in head:
        raise TableError(
            f"{name} is a web page or XML, whatever its name says. Open it in a spreadsheet and save it as CSV or XLSX."
        )
    if (
        not sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        and guess_encoding(sample).encoding[:6] != "utf-16"
    ):
        control = sum(
            sample[:4096].count(bytes([code])) for code in range(1, 32) if code not in (9, 10, 11, 12, 13, 26, 27)
        )
        if control + 0.3 * sample[:4096].count(0) > 0.02 * len(sample[:4096]) + 2:
            raise TableError(f"{name} is not a table of text. Save the data as CSV or XLSX, or choose another file.")


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
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
        self._progress, self._cancelled = progress, cancelled
        self.undecodable: list[int] = []
        self.nul_bytes = False

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield (line number, text without its end)."""
        for first, texts in self.blocks():
            yield from enumerate(texts, first)

    def blocks(self) -> Iterator[tuple[int, list[str]]]:
        """Yield (number of the first line, complete lines) block by block."""
        number, rest, done = 1, "", 0
        data = self._sample
        while True:
            stop_if(self._cancelled)
            done += len(data)
            text = self._decoder.decode(data, final=not data)
            if text.startswith("\ufeff") and number == 1 and not rest:
                text = text[1:]
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
            lines = text.split("\n")
            rest = lines.pop() + held
            if len(rest) > 64 * MAXIMUM_CELL:
                raise TableError(f"{self._name}: line {number + len(lines)} is too long for a table.")
            if "\ufffd" in text and len(self.undecodable) < 100:
                self.undecodable += [n for n, line in enumerate(lines, number) if "\ufffd" in line][:100]
            if lines:
                yield number, lines
                number += len(lines)
            if not data:
                break
            if self._size:
                self._progress(min(done / self._size, 1.0), f"Reading {self._name}")
            try:
                data = self._source.read(BLOCK_BYTES)
            except OSError as error:
                raise TableError(
                    f"{self._name} cannot be read any further ({error.strerror}). Is the drive still connected?"
                ) from None
        if rest.strip():
            yield number, [rest.rstrip("\r")]


class _LineReader:
    """Numbered lines that can be handed back."""

    def __init__(self, lines: Iterator[tuple[int, str]]) -> None:
        self._lines = lines
        self._waiting: deque[tuple[int, str]] = deque()

    def next(self) -> tuple[int, str] | None:
        """Return the next line, or None at the end."""
        return self._waiting.popleft() if self._waiting else next(self._lines, None)

    def take(self, count: int) -> list[tuple[int, str]]:
        """Return up to ``count`` lines."""
        taken: list[tuple[int, str]] = []
        while len(taken) < count and (line := self.next()) is not None:
            taken.append(line)
        return taken

    def push_back(self, lines: Iterable[tuple[int, str]]) -> None:
        """Hand lines back; they come again in the same order."""
        self._waiting.extendleft(reversed(list(lines)))

    def drop_until(self, number: int) -> None:
        """Leave out the lines before this one."""
        while (line := self.next()) is not None:
            if line[0] >= number:
                self.push_back([line])
                return


def _records(reader: _LineReader, count: int) -> Iterator[Line]:
    """Yield up to ``count`` records, joining the lines of cells that contain line ends in quotation marks.

    A quotation mark that is not closed within a few hundred lines, or whose joined text is no sound record, is taken as
    a plain character of its own line, so that one stray mark never swallows the rest of the file.
    """
    for _ in range(count):
        line = reader.next()
        if line is None:
            return
        number, text = line
        if not _is_open(text):
            yield Line(number, text)
            continue
        joined, closed = text, False
        used: list[tuple[int, str]] = []
        while len(used) < MAXIMUM_QUOTED_LINES and len(joined) < MAXIMUM_CELL:
            following = reader.next()
            if following is None:
                break
            used.append(following)
            joined += "\n" + following[1]
            if '"' in following[1] and not _is_open(joined):
                closed = _is_sound(joined)
                break
        if closed:
            yield Line(number, joined)
        else:
            reader.push_back(used)
            yield Line(number, text, quoted=False)


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


def _open_builder(layout: Layout, records: Sequence[Line]) -> TableBuilder:
    """Settle the headings against the width of the rows and open a builder for them."""
    header = list(layout.header)
    rows = [split_line(r.text, layout.delimiter, quoted=r.quoted) for r in records if r.number >= layout.data_from]
    rows = [cells for cells in rows if any(cells) and not is_comment(cells[0])]
    hint = ""
    surplus = sum(len(cells) > len(header) and any(cells[len(header) :]) for cells in rows)
    if layout.header_line and rows and surplus > 0.5 * len(rows):
        width = max({len(cells) for cells in rows}, key=[len(cells) for cells in rows].count)
        if layout.delimiter in ("\t", "whitespace") and width == len(header) + 1 and surplus == len(rows):
            header.insert(0, "")  # tables of statistics programs leave out the heading of the row names
            return TableBuilder(unique_headings(["row", *header[1:]]), ["row", *header[1:]], layout.units)
        if layout.delimiter == "," and all(
            len(c) > 1 and c[-1].isdigit() and c[-2].lstrip("-").isdigit() for c in rows
        ):
            hint = "; a decimal comma needs quotation marks around its number, or semicolons between the columns"
        else:
            header += [""] * (width - len(header))
    return TableBuilder(unique_headings(header), header, layout.units, hint)


def _fill(builder: TableBuilder, layout: Layout, reader: _LineReader) -> None:
    """Send all lines after the headings to the builder, whole blocks at once where every line is plain."""
    plain = _PlainBlocks(layout.delimiter, builder.width, builder.header)
    while block := reader.take(BLOCK_LINES):
        columns = plain.columns([text for _, text in block])
        if columns is not None:
            builder.add_block(block[0][0], columns)
            continue
        reader.push_back(block)
        for record in _records(reader, BLOCK_LINES):
            if layout.comments and is_comment(record.text):
                builder.skip(record.number, record.text, "is a comment", "comment")
            else:
                builder.add(record.number, split_line(record.text, layout.delimiter, quoted=record.quoted))


class _PlainBlocks:
    """Takes blocks of lines apart at once when nothing in them needs care."""

    def __init__(self, delimiter: Delimiter, width: int, header: Sequence[str]) -> None:
        self._delimiter, self._width = delimiter, width
        self._usable = delimiter in (",", ";", "\t", "|")
        if self._usable:
            blank = r"[^\S\t]" if delimiter == "\t" else r"\s"
            mark = re.escape(delimiter)
            self._spaces = re.compile(rf"(?:^|{mark}){blank}|{blank}(?:{mark}|$)")
            self._blank = delimiter * (width - 1)
            self._header = delimiter.join(header)

    def columns(self, lines: list[str]) -> list[list[str]] | None:
        """Return the cells of each column, or None when a line has quotes, comments, blanks or another width."""
        if not self._usable or self._blank in lines or self._header in lines:
            return None
        delimiter, between = self._delimiter, self._width - 1
        if any(line.count(delimiter) != between or line[:1] in "#%/" for line in lines):
            return None
        joined = delimiter.join(lines)
        if '"' in joined or self._spaces.search(joined):
            return None
        cells = joined.split(delimiter)
        return [cells[start :: self._width] for start in range(self._width)]
