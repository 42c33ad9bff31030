"""The lines of a text that comes in blocks, and its records: a line each, or several where a quoted cell has line ends."""

import re
from collections.abc import Iterator

from affinecal_gui.tables.raw_table import Delimiter
from affinecal_gui.tables.text.layout import Line

MAXIMUM_CELL = 131_072
"""Characters of one cell; longer ones come from a quotation mark that is never closed, or from no table at all."""
MAXIMUM_QUOTED_LINES = 200
"""How many lines a quoted cell may span."""

Mark = tuple[int, int]
"""A place in the text in memory, and the number of its line."""


class LineReader:
    """Numbered lines of a text that comes in blocks; what was read from memory can be read again."""

    def __init__(self, blocks: Iterator[str]) -> None:
        self._blocks = blocks
        self._text = ""
        self._position = 0
        self.number = 1  # of the next line
        self.blank_lines = 0  # that were left out

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

    def skip_blank(self, blank: "re.Pattern[str]") -> None:
        """Leave out the blank lines in memory that come next, all at once; ``blank`` matches any number of lines."""
        if found := blank.match(self._text, self._position):
            lines = self._text.count("\n", self._position, found.end())
            self._position = found.end()
            self.number += lines
            self.blank_lines += lines

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


def records_of(reader: LineReader, count: int) -> Iterator[Line]:
    """Yield up to ``count`` records, blank ones too."""
    for _ in range(count):
        record = _next_record(reader)
        if record is None:
            return
        yield record


def records_in_memory(reader: LineReader, delimiter: Delimiter) -> Iterator[Line]:
    """Yield the records that begin in what :meth:`LineReader.rest` returns, without blank lines.

    A line of nothing but blanks and delimiters is blank as well.
    """
    end = reader.number + reader.rest().count("\n")
    blank = re.compile(rf"[\s{re.escape(delimiter) if len(delimiter) == 1 else ''}]*\n")
    reader.skip_blank(blank)
    while reader.number < end and (record := _next_record(reader)) is not None:
        yield record
        reader.skip_blank(blank)


def _next_record(reader: LineReader) -> Line | None:
    """Return the next record, joining the lines of cells that contain line ends in quotation marks.

    A quotation mark that is not closed within a few hundred lines, or whose joined text is no sound record, is taken as
    a plain character of its own line, so that one stray mark never swallows the rest of the file.
    """
    number = reader.number
    text = reader.next()
    if text is None or '"' not in text:
        return None if text is None else Line(number, text)
    quotes = _Quotes(text)
    if not quotes.are_open():
        return Line(number, text)
    mark = reader.mark()
    lines, length = [text], len(text)
    for _ in range(MAXIMUM_QUOTED_LINES):
        following = reader.next()
        if following is None or length > MAXIMUM_CELL:
            break
        lines.append(following)
        length += 1 + len(following)
        if '"' in following:
            quotes.add(following)
            if not quotes.are_open():
                if quotes.are_sound():
                    return Line(number, "\n".join(lines))
                break
    reader.reset(mark)
    return Line(number, text, quoted=False)


_OPENING = re.compile(r'[,;\t|] *"')
_OPENING_AT_START = re.compile(r' *"')
_RUN = re.compile(r'"+')


class _Quotes:
    """The quotation marks of a record, line by line: each is looked at once, however many lines there are.

    A mark opens a cell at the start of the record or behind a delimiter, any of them; two in a cell stand for one.
    """

    def __init__(self, text: str) -> None:
        self._inside = False
        self._sound = True  # every cell that was closed ends before a delimiter or the end
        self._count = 0
        start = _OPENING_AT_START.match(text)
        if start:
            self._inside = True
        self._read(text, start.end() if start else 0)

    def add(self, text: str) -> None:
        """Take the next line, which begins inside of a cell."""
        self._read(text, 0)

    def are_open(self) -> bool:
        """Whether a quoted cell at the end of a record is still open."""
        return self._inside and self._count % 2 == 1

    def are_sound(self) -> bool:
        """Whether every quoted cell ends before a delimiter or the end, as it should."""
        return self._sound and not self._inside

    def _read(self, text: str, position: int) -> None:
        self._count += text.count('"')
        while found := (_RUN if self._inside else _OPENING).search(text, position):
            position = found.end()
            if not self._inside:
                self._inside = True
            elif len(found[0]) % 2:  # pairs, and the one that closes
                self._inside = False
                self._sound &= text[position : position + 1] in ("", ",", ";", "\t", "|")
