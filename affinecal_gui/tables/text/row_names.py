"""Row names without a heading, as tables of statistics programs have them: the line of headings is one cell shorter."""

from collections.abc import Sequence

from affinecal_gui.tables.cells.numbers import looks_numeric
from affinecal_gui.tables.headings.heading_units import split_heading
from affinecal_gui.tables.headings.heading_words import HEADINGS
from affinecal_gui.tables.raw_table import Delimiter
from affinecal_gui.tables.units.property_names import property_by_name, simplified
from affinecal_gui.tables.words import is_missing_word, looks_like_repeat_unit

ROWS_COMPARED = 50


def begin_with_row_names(header: Sequence[str], rows: Sequence[Sequence[str]], delimiter: Delimiter) -> bool:
    """Whether the first cell of every row is its name, and the headings are those of the cells behind it.

    Otherwise the last column is the one without a heading. What the headings say of the cells under them decides; where
    that says nothing, blanks and tabs speak for row names, and commas and semicolons only where the first cells count the
    rows. Behind a number, a comma may be a decimal comma.

    Parameters
    ----------
    header
        The headings.
    rows
        The cells of the first rows.
    delimiter
        What stands between the cells.
    """
    if not rows or any(len(cells) != len(header) + 1 for cells in rows):
        return False
    first = [cells[0] for cells in rows]
    counted = all(cell == str(number) for number, cell in enumerate(first, int(first[0] != "0")))
    if delimiter == "," and not counted and any(map(looks_numeric, first)):
        return False
    some = rows[:ROWS_COMPARED]
    shifted, straight = (
        sum(_fits(heading, [cells[number + shift] for cells in some]) for number, heading in enumerate(header))
        for shift in (1, 0)
    )
    if shifted != straight:
        return shifted > straight
    return delimiter in ("\t", "whitespace") or counted


def _fits(heading: str, cells: Sequence[str]) -> bool:
    """Whether most cells are of the kind that a heading asks for; False where it asks for none."""
    filled = [cell for cell in cells if not is_missing_word(cell)]
    label, unit = split_heading(heading)
    name = simplified(label)
    if name in HEADINGS["smiles"]:
        fitting = sum(map(looks_like_repeat_unit, filled))
    elif unit or property_by_name(label) is not None:
        fitting = sum(map(looks_numeric, filled))
    elif name in HEADINGS["name"]:
        fitting = sum(not looks_numeric(cell) and not looks_like_repeat_unit(cell) for cell in filled)
    else:
        return False
    return 2 * fitting > len(filled)
