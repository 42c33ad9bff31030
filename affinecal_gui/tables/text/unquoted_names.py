"""Names such as cis-1,4-polybutadiene in a file with commas between its cells, but no quotation marks around the names.

Such a row has more cells than there are headings. Where the repeat unit stands as many cells too far to the right as there
are too many, only the name before it can have been divided, and it is put together again; that is told.
"""

from collections.abc import Sequence

from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.raw_table import Delimiter
from affinecal_gui.tables.units.property_names import simplified
from affinecal_gui.tables.words import looks_like_repeat_unit

LINES_TOLD = 5


class UnquotedNames:
    """Puts divided names of one file together, and counts them.

    Parameters
    ----------
    headings
        As they stand in the file.
    """

    def __init__(self, headings: Sequence[str], delimiter: Delimiter) -> None:
        self._delimiter = delimiter
        self._width = max((i for i, heading in enumerate(headings, 1) if heading), default=0)
        labels = [simplified(split_heading(heading)[0]) for heading in headings]
        self._unit = next((i for i, text in enumerate(labels) if text in HEADINGS["smiles"] or "smiles" in text), -1)
        names = [i for i, text in enumerate(labels) if text in HEADINGS["name"]]
        self._name = names[0] if len(names) == 1 and self._unit >= 0 and delimiter in (",", ";") else -1
        self.lines: list[int] = []

    def together(self, line: int, cells: list[str]) -> list[str]:
        """Return the cells of a row, with a divided name put together if that makes them as many as there are headings."""
        filled = max((i for i, cell in enumerate(cells, 1) if cell), default=0)
        surplus = filled - self._width
        if surplus <= 0 or self._name < 0 or not self._fits(cells[:filled], surplus):
            return cells
        end = self._name + surplus + 1
        self.lines.append(line)
        return [*cells[: self._name], self._delimiter.join(cells[self._name : end]), *cells[end:filled]]

    def _fits(self, cells: Sequence[str], surplus: int) -> bool:
        before = self._name < self._unit
        if not looks_like_repeat_unit(cells[self._unit + surplus if before else self._unit]):
            return False
        # Behind the repeat unit a number with a decimal comma may have been divided as well: then nothing is certain.
        last, following = cells[self._name + surplus], cells[self._name + surplus + 1 :]
        is_part_of_a_name = any(character.isalpha() for character in last) and not looks_numeric(last)
        return before or (is_part_of_a_name and bool(following) and looks_numeric(following[0]))

    def note(self, file: str) -> list[str]:
        """Say what was put together so far."""
        if not self.lines:
            return []
        count = len(self.lines)
        lines = ", ".join(map(str, self.lines[:LINES_TOLD])) + (" …" if count > LINES_TOLD else "")
        mark = "commas" if self._delimiter == "," else "semicolons"
        if count == 1:
            return [f"{file}: a name with {mark} but without quotation marks was put together (line {lines})."]
        return [f"{file}: {count} names with {mark} but without quotation marks were put together (lines {lines})."]
