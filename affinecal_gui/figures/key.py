"""The key below a figure: what each line, mark and tint means, in as many rows as the width needs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from affinecal_gui.figures.sheet import Sheet, line_height, text_width, wrap
from affinecal_gui.figures.style import MUTED, NOTE

_SAMPLE = 5.0  # mm, width of the drawn sample
_SPACE = 1.2  # between the sample and its words
_BETWEEN = 5.0  # between entries

DrawSample = Callable[[Sheet, float, float, float], None]
"""``draw(sheet, left, middle, width)``: draw the sample from ``left``, vertically centred on ``middle``, all in mm."""


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One thing explained."""

    words: str
    draw: DrawSample


@dataclass(frozen=True, slots=True)
class Key:
    """Entries in rows, then a note in lines, laid out for one width."""

    rows: tuple[tuple[KeyEntry, ...], ...]
    note: tuple[str, ...]

    @property
    def height(self) -> float:
        """Height in mm."""
        return line_height(NOTE) * (1.15 * len(self.rows) + len(self.note)) + (0.8 if self.rows and self.note else 0.0)

    def draw(self, sheet: Sheet, left: float, top: float) -> None:
        """Draw with the upper left corner at (left, top)."""
        step = line_height(NOTE)
        y = top
        for row in self.rows:
            x = left
            middle = y - step * 1.15 / 2
            for entry in row:
                entry.draw(sheet, x, middle, _SAMPLE)
                sheet.write(x + _SAMPLE + _SPACE, middle, entry.words, size=NOTE, colour=MUTED, va="center_baseline")
                x += _entry_width(entry) + _BETWEEN
            y -= step * 1.15
        if self.rows and self.note:
            y -= 0.8
        for line in self.note:
            sheet.write(left, y - step * 0.78, line, size=NOTE, colour=MUTED, parse_math=False)
            y -= step


def lay_out_key(entries: Sequence[KeyEntry], note: str, width: float) -> Key:
    """Arrange ``entries`` and ``note`` (plain text) within ``width`` mm."""
    rows: list[list[KeyEntry]] = []
    used = width + 1.0
    for entry in entries:
        needed = _entry_width(entry)
        if not rows or used + _BETWEEN + needed > width:
            rows.append([])
            used = -_BETWEEN
        rows[-1].append(entry)
        used += _BETWEEN + needed
    return Key(tuple(tuple(row) for row in rows), tuple(wrap(note, NOTE, width)) if note else ())


def _entry_width(entry: KeyEntry) -> float:
    return _SAMPLE + _SPACE + text_width(entry.words, NOTE)
