"""The quick way through a text table: blocks whose lines all have their cells, and nothing that needs care.

Only the places of the delimiters are found; the cells of a column are cut out when somebody asks for them.
"""

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from affinecal_gui.tables.raw_table import Cells, Delimiter

_BLANKS = " \t\u00a0\u3000\u2007\u202f\u2009\x0b\x0c\x85\u2028\u2029"
_COMMENT_MARKS = tuple(ord(character) for character in "#%/")
_LINE_FEED = ord("\n")
_LARGEST = np.iinfo(np.uint16).max
_QUOTED = re.compile(r'(?:\A|[,;\t|=\n]) *"')
"""A mark that may open a quoted cell; those inside of a cell stand for themselves."""


class PlainBlock:
    """Some lines of a file and where their cells end."""

    __slots__ = ("_ends", "_starts", "_text")

    def __init__(self, text: str, starts: NDArray[np.int64], ends: NDArray[np.int64]) -> None:
        self._text = text
        self._starts = starts.astype(np.uint32)  # (rows,) where each line begins
        # (rows, columns): from there to the delimiter or line end behind each cell. A wide table has hundreds of cells in a
        # line of few thousand characters; in four bytes each, their places would take half as much as the text.
        within = ends - starts[:, None]
        self._ends: NDArray[np.uint16] | NDArray[np.uint32] = (
            within.astype(np.uint16) if within[:, -1].max() <= _LARGEST else within.astype(np.uint32)
        )

    def __len__(self) -> int:
        return len(self._starts)

    def columns(self) -> list[Cells]:
        """Return the columns."""
        return [_BlockCells(self, number) for number in range(self._ends.shape[1])]

    def bounds(self, column: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """(rows,) each: where the cells of a column begin and end in the text."""
        starts = self._starts.astype(np.int64)
        ends = starts + self._ends[:, column]
        return (starts + self._ends[:, column - 1] + 1 if column else starts), ends

    def cut(self, column: int) -> list[str]:
        """Return the cells of a column."""
        starts, ends = self.bounds(column)
        text = self._text
        return [text[start:end] for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]


class _BlockCells:
    """One column of a block."""

    __slots__ = ("_block", "_column")

    def __init__(self, block: PlainBlock, column: int) -> None:
        self._block, self._column = block, column

    def __len__(self) -> int:
        return len(self._block)

    def cells(self) -> list[str]:
        """Return the cells."""
        return self._block.cut(self._column)

    def are_empty(self) -> bool:
        """Whether no cell holds any text."""
        starts, ends = self._block.bounds(self._column)
        return bool((starts == ends).all())


class PlainBlocks:
    """Takes blocks of lines apart when nothing in them needs care."""

    def __init__(self, delimiter: Delimiter, header: Sequence[str]) -> None:
        self._edges = "\n" if len(delimiter) > 1 else f"{delimiter}\n"  # behind cells
        self._width = len(header)
        self._usable = delimiter != "whitespace"
        self._header = ("" if delimiter == "none" else delimiter).join(header) + "\n"

    def take_apart(self, text: str) -> PlainBlock | None:
        """Return the block, or None when it has quoted cells, comments, blanks around cells, or a line of another width."""
        if not self._usable or self._has_blanks_around_cells(text):
            return None
        if '"' in text and _QUOTED.search(text):
            return None
        if text.startswith(self._header) or f"\n{self._header}" in text:
            return None
        if text.isascii():
            codes: NDArray[np.uint8] | NDArray[np.uint32] = np.frombuffer(text.encode("ascii"), dtype=np.uint8)
        else:
            try:
                codes = np.frombuffer(text.encode("utf-32-le"), dtype=np.uint32)
            except UnicodeEncodeError:  # half a surrogate pair
                return None
        is_end = codes == ord(self._edges[0])
        for edge in self._edges[1:]:
            is_end |= codes == ord(edge)
        ends = np.flatnonzero(is_end)
        rows = text.count("\n")
        if len(ends) != rows * self._width:
            return None
        table = ends.reshape(rows, self._width)
        if not (codes[table[:, -1]] == _LINE_FEED).all():
            return None
        starts = np.concatenate(([0], table[:-1, -1] + 1))
        if (table[:, -1] - starts == self._width - 1).any():  # a row of nothing but delimiters
            return None
        if np.isin(codes[starts], _COMMENT_MARKS).any():
            return None
        return PlainBlock(text, starts, table)

    def _has_blanks_around_cells(self, text: str) -> bool:
        blanks = _BLANKS if not text.isascii() else " \t\x0b\x0c"
        for blank in blanks:
            if blank in self._edges or blank not in text:
                continue
            for edge in self._edges:
                if edge + blank in text or blank + edge in text:
                    return True
            if text.startswith(blank):
                return True
        return False
