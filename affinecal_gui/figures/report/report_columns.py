"""How wide the columns of a table in a report are, and where the texts of its cells break."""

from affinecal_gui.figures.report.report_document import Table
from affinecal_gui.figures.sheet import line_height, shortened, text_width, wrap
from affinecal_gui.figures.style import plain

CELL_SIZE = 8.0  # points
_BETWEEN = 3.5  # mm between columns
_HEAD_WIDTH = 21.0  # mm; shorter headings of columns stay on one line


class Columns:
    """Widths of a table's columns in a given width: numbers as wide as they are, texts share what is left.

    A text column that is narrower than its share keeps its width and leaves the rest to the others, whose cells break into
    lines. ``all_fits`` tells whether no cell has to. All lengths in mm.
    """

    def __init__(self, table: Table, width: float) -> None:
        self.align, self.width = table.align, width
        natural = [_natural(table, at) for at in range(len(table.head))]
        room = width - _BETWEEN * (len(natural) - 1)
        texts = [at for at, side in enumerate(table.align) if side == "left"]
        widths = list(natural)
        for at, side in enumerate(table.align):
            if side == "right":
                widths[at] = min(natural[at], room / len(natural) * 1.6)
        left_over = room - sum(widths[at] for at in range(len(widths)) if at not in texts)
        self.all_fits = widths == natural and sum(natural[at] for at in texts) <= left_over
        for number, at in enumerate(sorted(texts, key=lambda at: natural[at])):
            share = max(12.0, left_over / (len(texts) - number))
            widths[at] = min(natural[at], share)
            left_over -= widths[at]
        if texts and sum(widths) < room:
            widths[texts[-1]] += room - sum(widths)
        self.widths = widths
        self.starts = [sum(widths[:at]) + _BETWEEN * at for at in range(len(widths))]
        self.head = [
            wrap(plain(text), CELL_SIZE, cell, bold=True) for text, cell in zip(table.head, widths, strict=True)
        ]
        self.head_height = line_height(CELL_SIZE) * max(len(cell) for cell in self.head) + 1.4

    def broken(self, row: tuple[str, ...], *, most_lines: int) -> list[list[str]]:
        """Break the cells of a row into lines; a text that needs more than ``most_lines`` ends with an ellipsis."""
        return [self._lines(text, width, most_lines) for text, width in zip(row, self.widths, strict=True)]

    @staticmethod
    def _lines(text: str, width: float, most: int) -> list[str]:
        lines = wrap(plain(text), CELL_SIZE, width) or [""]
        if len(lines) > most:
            lines[most - 1 :] = [shortened(lines[most - 1] + "…", CELL_SIZE, width)]
        return lines


def _natural(table: Table, at: int) -> float:
    head = plain(table.head[at])
    words = max((text_width(word, CELL_SIZE, bold=True) for word in head.split(" ")), default=0.0)
    words = max(words, min(text_width(head, CELL_SIZE, bold=True), _HEAD_WIDTH))
    cells = max((text_width(plain(row[at]), CELL_SIZE, parse_math=False) for row in table.rows), default=0.0)
    return max(words, cells) + 0.2
